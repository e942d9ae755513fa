"""`python -m trfboost`: what is installed, and where."""

from __future__ import annotations

import argparse

import trfboost
from trfboost import lib


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m trfboost", description="Where trfboost's library and header are.")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--include", action="store_true", help="print the folder of trfboost.h only")
    only.add_argument("--library", action="store_true", help="print the path of the library only")
    options = parser.parse_args()
    if options.include:
        print(trfboost.get_include())
    elif options.library:
        print(trfboost.library_path())
    else:
        print(f"version  {trfboost.__version__}")
        print(f"build    {lib.trfb_build_info().decode()}")
        print(f"library  {trfboost.library_path()}")
        print(f"include  {trfboost.get_include()}")


if __name__ == "__main__":
    main()

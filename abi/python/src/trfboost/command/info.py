"""`trfboost info`: what is installed, what it uses of this machine, and where it is."""

from __future__ import annotations

import argparse
import os

import trfboost
from trfboost import lib

SUMMARY = "print what is installed, what it uses of this machine, and where it is"

DESCRIPTION = """\
Print what is installed: version, build, ABI version, the vector instructions
and the number of processors that fits use, and where library and C header are.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--include", action="store_true", help="print the folder of trfboost.h only")
    only.add_argument("--library", action="store_true", help="print the path of the library only")


def run(options: argparse.Namespace) -> None:
    if options.include:
        print(trfboost.get_include())
    elif options.library:
        print(trfboost.library_path())
    else:
        for name, value in _facts().items():
            print(f"{name:<9}{value}")


def _facts() -> dict[str, object]:
    build = lib.trfb_build_info().decode()
    return {
        "version": trfboost.__version__,
        "build": build,
        "ABI": lib.trfb_abi_version(),
        "vectors": build.split(", ")[4],
        "threads": f"{_processors()}, one for each processor that this process may use",
        "library": trfboost.library_path(),
        "include": trfboost.get_include(),
    }


def _processors() -> int:
    """Without what a container's quota may take off it, which the library heeds as well."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

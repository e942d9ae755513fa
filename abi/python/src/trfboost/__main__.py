"""`python -m trfboost`; see `trfboost.command`."""

import sys

from trfboost.command import main

if __name__ == "__main__":
    sys.exit(main())

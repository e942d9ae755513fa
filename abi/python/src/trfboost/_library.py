"""Where the library is, and loading it."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

from .view import ABI_VERSION

# The names that the library has for the loader: what links it by its path finds it by the same name.
_NAMES = {"darwin": f"libtrfboost.{ABI_VERSION}.dylib", "win32": "trfboost.dll"}
_PACKAGE = Path(__file__).resolve().parent


def library_path() -> str:
    """The library that this package loads: its own, or the one that TRFBOOST_LIBRARY names."""
    own = _PACKAGE / "lib" / _NAMES.get(sys.platform, f"libtrfboost.so.{ABI_VERSION}")
    return os.environ.get("TRFBOOST_LIBRARY") or str(own)


def get_include() -> str:
    """The folder of the C header trfboost.h."""
    return str(_PACKAGE / "include")


def load() -> ctypes.CDLL:
    """The library. Calls through it release the GIL."""
    try:
        return ctypes.CDLL(library_path())
    except OSError as error:
        remedy = "reinstall trfboost for this platform, or let TRFBOOST_LIBRARY name a library"
        raise ImportError(f"trfboost: the library could not be loaded ({error}); {remedy}") from error

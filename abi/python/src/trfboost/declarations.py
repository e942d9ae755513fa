"""The header for parsers that read declarations only, such as cffi's.

    import cffi, trfboost

    ffi = cffi.FFI()
    ffi.cdef(trfboost.cdef())
    lib = ffi.dlopen(trfboost.library_path())

    view = ffi.from_buffer("trfb_view *", trfboost.View.of(array))    # keeps the array alive

What follows is what the C preprocessor would do to a header as plain as this one, so no compiler is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ._library import get_include

_DEFINED = {"TRFB_NO_INLINE"}  # the header's own switch for such parsers
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(\w*)\s*(.*?)\s*$")
_INTEGER = re.compile(r"(?:0x[0-9a-fA-F]+|\d+)(?=[uUlL]*$)")


def cdef() -> str:
    """The declarations of trfboost.h, as `cffi.FFI().cdef` takes them.

    Structs, enums, functions, and the constants as `#define NAME number`. Initialisers such as TRFB_ERROR_INIT
    and inline functions are C's alone: write `ffi.new("trfb_error *", {"size": ffi.sizeof("trfb_error")})`.
    """
    header = Path(get_include(), "trfboost.h").read_text(encoding="utf-8")
    return "\n".join(_declarations(_COMMENT.sub(" ", header))) + "\n"


def _declarations(text: str) -> Iterator[str]:
    """The lines that are left of a header without comments."""
    taken = [True]  # of each conditional around the line: whether the compiler would see it
    for line in text.splitlines():
        match = _DIRECTIVE.match(line)
        if match is None:
            if all(taken) and line.strip():
                yield line.rstrip()
            continue
        directive, name, rest = match.groups()
        if directive in ("ifdef", "ifndef"):
            taken.append((name in _DEFINED) == (directive == "ifdef"))
        elif directive == "if":
            taken.append(False)  # refuses machines for which there is no library that could have been loaded
        elif directive == "endif":
            taken.pop()
        elif directive == "define":
            value = _INTEGER.match(rest)
            if all(taken) and value:
                yield f"#define {name} {value.group()}"
        elif directive != "include" and not (directive == "error" and not all(taken)):
            raise ValueError(f"trfboost.h has a directive that is not read here: {line.strip()}")

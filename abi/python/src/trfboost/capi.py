"""Addresses of the library's functions, where users of Cython modules look for them.

    address = numba.extending.get_cython_function_address("trfboost.capi", "trfb_convolve")

`__pyx_capi__` has a capsule for each function, with the address and the signature in the words of the header.
An address holds as long as the process lives, since the library is never unloaded, and not beyond: keep none
in a file or in a compiler's cache. It says nothing of types: `trfboost.lib`, `trfboost.numba` and
`from trfboost cimport` are the same functions with theirs.

`scipy.LowLevelCallable.from_cython` takes these capsules, but no routine of SciPy has a signature of ours, and
each refuses them by their signature; `trfboost/__init__.pxd` shows a callback that calls the library.
"""

from __future__ import annotations

import ctypes
import re

from . import lib
from .declarations import cdef

_FUNCTION = re.compile(r"^((?:const )?\w+ \*?)(trfb_\w+)\(([^()]*)\);", re.MULTILINE)

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def _signatures() -> dict[str, bytes]:
    """What each function returns and takes: `int32_t (const trfb_view *, int64_t)`, as Cython writes it."""
    return {name: _signature(result, parameters).encode() for result, name, parameters in _FUNCTION.findall(cdef())}


def _signature(result: str, parameters: str) -> str:
    types = (re.sub(r"\w+$", "", " ".join(parameter.split())).strip() for parameter in parameters.split(","))
    return f"{result.strip()} ({', '.join(type_ or 'void' for type_ in types)})"


_names = _signatures()  # kept, since a capsule has no copy of its name

__pyx_capi__ = {
    name: _new_capsule(ctypes.cast(getattr(lib, name), ctypes.c_void_p).value, signature, None)
    for name, signature in _names.items()
}

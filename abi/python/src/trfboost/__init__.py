"""Temporal response functions (TRFs) by boosting.

`boosting` goes from arrays to response functions, with scaling, cross-validation and metrics, and returns
a `BoostingResult`, which predicts, plots and saves itself; `load` reads it again.

Beneath it are the functions that fit. They take and give NumPy arrays of any strides, without a copy:

- `boosting_fit` estimates one filter, `boosting_runs` one for each signal and split, on several threads.
- `convolve` predicts a signal with a filter.
- `generate_options`, `update_error` and `error_for_indexes` are the parts of a step.

They stand in for the compiled module of Eelbrain 0.41.2 and give its results, to the bit. A call that
does not fit raises an `AbiError` that names the argument, which is a `TypeError` (dtype, access) or a
`ValueError` (values, shapes) as well.

Beneath them: `lib`, the functions of the C header for ctypes, `View`, the descriptor that an array
crosses the boundary in, and `VIEW_DTYPE`, the same for NumPy. `get_include()` and `library_path()` say
where header and library are, and `cdef()` gives the header's declarations to cffi.
"""

from importlib.metadata import version as _version

from . import lib
from ._library import get_include, library_path
from .declarations import cdef
from .errors import AbiError, AbiMemoryError, AbiRuntimeError, AbiTypeError, AbiValueError, Cancelled, Status
from .functions import boosting_fit, boosting_runs, convolve, error_for_indexes, generate_options, update_error
from .history import FitDetails, HistoryEntry, Stop
from .trf import BoostingResult, boosting, load
from .view import View
from .view_dtype import VIEW_DTYPE

__version__ = _version("trfboost")

__all__ = [
    "AbiError",
    "AbiMemoryError",
    "AbiRuntimeError",
    "AbiTypeError",
    "AbiValueError",
    "BoostingResult",
    "Cancelled",
    "FitDetails",
    "HistoryEntry",
    "Status",
    "Stop",
    "VIEW_DTYPE",
    "View",
    "boosting",
    "boosting_fit",
    "boosting_runs",
    "cdef",
    "convolve",
    "error_for_indexes",
    "generate_options",
    "get_include",
    "lib",
    "library_path",
    "load",
    "update_error",
]

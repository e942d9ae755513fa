"""The functions of the C header, for ctypes: fully typed, and raising what they report.

Parameters are those of the header. An array is passed as a `View` (or its address, or a pointer to
one). The last parameter takes an `ErrorDetails` or None; either way a status other than 0 becomes an
exception (`trfboost.AbiError`) with the argument's name. Arguments that ctypes itself cannot convert
raise `ctypes.ArgumentError` before the call; integers that do not fit their C type are among them.

    >>> import ctypes, numpy as np
    >>> from trfboost import View, lib
    >>> total = ctypes.c_double()
    >>> lib.trfb_error_for_indexes(View.of(np.arange(9.0)[::-1]), View.of(np.array([[0, 2]])), 1, total, None)
    0
    >>> total.value
    15.0
"""

from __future__ import annotations

import ctypes
import operator
import threading
from typing import Any

from . import _layout, _library
from ._structs import MESSAGE_SIZE, ErrorDetails, FitResult, LayoutRow, ProgressFunction
from .errors import Status, exception
from .history import Stop
from .view import ABI_VERSION, MAX_NDIM, READONLY, VIEW_MAGIC, View
from .view_dtype import VIEW_DTYPE

__all__ = [
    "ErrorDetails",
    "FitResult",
    "LayoutRow",
    "ProgressFunction",
    "trfb_abi_layout",
    "trfb_abi_version",
    "trfb_boosting_fit",
    "trfb_boosting_runs",
    "trfb_build_info",
    "trfb_convolve",
    "trfb_error_for_indexes",
    "trfb_generate_options",
    "trfb_update_error",
    "trfb_view_check",
]


class _Array:
    """`const trfb_view *`. An int is an address: that of the data, by mistake, is the library's to find."""

    @staticmethod
    def from_param(value: Any) -> Any:
        if type(value) is View:
            return ctypes.byref(value)
        if type(value) is int:
            return ctypes.c_void_p(value)
        try:
            return ctypes.POINTER(View).from_param(value)
        except TypeError:
            raise TypeError(f"expected a trfboost.View, as View.of makes it, not {type(value).__name__}") from None


class _Integer:
    """An integer that has to fit, where ctypes would cut it."""

    def __init__(self, c_type: Any) -> None:
        self.c_type = c_type
        self.limit = 1 << (8 * ctypes.sizeof(c_type) - 1)

    def from_param(self, value: Any) -> Any:
        number = operator.index(value)
        if not -self.limit <= number < self.limit:
            raise OverflowError(f"{number} does not fit {self.c_type.__name__}")
        return self.c_type(number)


class _Details:
    """`trfb_error *`. Without one of the caller's, the thread's own serves to make the exception."""

    own = threading.local()

    @classmethod
    def of_thread(cls) -> ErrorDetails:
        try:
            return cls.own.details  # type: ignore[no-any-return]
        except AttributeError:
            cls.own.details = ErrorDetails()
            return cls.own.details  # type: ignore[no-any-return]

    @classmethod
    def from_param(cls, value: Any) -> Any:
        if value is None:
            value = cls.of_thread()
        elif not isinstance(value, ErrorDetails):
            raise TypeError(f"expected None or a trfboost.lib.ErrorDetails, not {type(value).__name__}")
        return ctypes.byref(value)


_INT32 = _Integer(ctypes.c_int32)
_INT64 = _Integer(ctypes.c_int64)

# Names and types of each function's parameters, without the last, which is `details`.
_ARRAY_NAMES = "y x x_pads split_train split_validate split_train_and_validate i_start_by_x i_stop_by_x"
_FIT: list[tuple[str, Any]] = [
    *((name, _Array) for name in _ARRAY_NAMES.split()),
    ("delta", ctypes.c_double),
    ("mindelta", ctypes.c_double),
    ("error", _INT32),
    ("selective_stopping", _INT32),
]
_PARAMETERS: dict[str, list[tuple[str, Any]]] = {
    "trfb_generate_options": [
        ("y_error", _Array),
        ("x", _Array),
        ("x_pads", _Array),
        ("x_active", _Array),
        ("indexes", _Array),
        ("i_start", _INT64),
        ("i_start_by_x", _Array),
        ("i_stop_by_x", _Array),
        ("error", _INT32),
        ("delta", ctypes.c_double),
        ("new_error", _Array),
        ("new_sign", _Array),
    ],
    "trfb_update_error": [
        ("y_error", _Array),
        ("x", _Array),
        ("x_pad", ctypes.c_double),
        ("indexes", _Array),
        ("delta", ctypes.c_double),
        ("shift", _INT64),
    ],
    "trfb_error_for_indexes": [
        ("x", _Array),
        ("indexes", _Array),
        ("error", _INT32),
        ("out", ctypes.POINTER(ctypes.c_double)),
    ],
    "trfb_boosting_fit": [
        *_FIT,
        ("h", _Array),
        ("history", _Array),
        ("result", ctypes.POINTER(FitResult)),
    ],
    "trfb_boosting_runs": [
        *_FIT,
        ("num_threads", _INT32),
        ("hs", _Array),
        ("failed", _Array),
        ("steps", _Array),
        ("stop", _Array),
        ("progress", ProgressFunction),
        ("user", ctypes.c_void_p),
    ],
    "trfb_convolve": [
        ("h", _Array),
        ("x", _Array),
        ("x_pads", _Array),
        ("i_start", _INT64),
        ("segments", _Array),
        ("out", _Array),
    ],
    "trfb_view_check": [
        ("view", _Array),
        ("dtype", _INT32),
        ("ndim", _INT32),
        ("access", _INT32),
    ],
}


def _function(name: str, restype: Any, argtypes: list[Any]) -> Any:
    try:
        function = getattr(_loaded, name)
    except AttributeError as error:
        raise ImportError(f"trfboost: {_library.library_path()} has no function {name}") from error
    function.restype = restype
    function.argtypes = argtypes
    return function


def _fallible(name: str) -> Any:
    """A function that returns a status. Its exceptions name the argument at fault."""
    parameters = _PARAMETERS[name]
    names = [parameter for parameter, _ in parameters] + ["details"]

    def raise_failure(result: int, _: Any, arguments: tuple[Any, ...]) -> int:
        if result:
            details = arguments[-1]
            raise _failure(result, names, _Details.of_thread() if details is None else details)
        return result

    function = _function(name, ctypes.c_int32, [c_type for _, c_type in parameters] + [_Details])
    function.errcheck = raise_failure
    return function


def _failure(result: int, names: list[str], details: ErrorDetails) -> Exception:
    status = Status(result)
    if details.status != result:  # details of a size that is not the library's are not written
        return exception(status, f"status {result} ({status.name}), and the details were not written", "details")
    argument = names[details.argument] if 0 <= details.argument < len(names) else None
    axis = details.axis if details.axis >= 0 else None
    return exception(status, details.message.decode(), argument, axis, details.expected, details.actual)


_loaded = _library.load()

trfb_abi_version = _function("trfb_abi_version", ctypes.c_uint32, [])
trfb_abi_layout = _function("trfb_abi_layout", ctypes.POINTER(LayoutRow), [])
trfb_build_info = _function("trfb_build_info", ctypes.c_char_p, [])

_layout.check(
    _layout.rows(trfb_abi_layout()),
    structs={
        "trfb_layout_row": LayoutRow,
        "trfb_view": View,
        "trfb_error": ErrorDetails,
        "trfb_fit_result": FitResult,
    },
    records={"trfb_view": VIEW_DTYPE},
    constants={
        "TRFB_ABI_VERSION": ABI_VERSION,
        "TRFB_VIEW_MAGIC": VIEW_MAGIC,
        "TRFB_MAX_NDIM": MAX_NDIM,
        "TRFB_READONLY": READONLY,
        "TRFB_MESSAGE_SIZE": MESSAGE_SIZE,
        **{f"TRFB_STATUS_{status.name}": status for status in Status},
        **{f"TRFB_STOP_{stop.name}": stop for stop in Stop},
    },
)

trfb_generate_options = _fallible("trfb_generate_options")
trfb_update_error = _fallible("trfb_update_error")
trfb_error_for_indexes = _fallible("trfb_error_for_indexes")
trfb_boosting_fit = _fallible("trfb_boosting_fit")
trfb_boosting_runs = _fallible("trfb_boosting_runs")
trfb_convolve = _fallible("trfb_convolve")
trfb_view_check = _fallible("trfb_view_check")

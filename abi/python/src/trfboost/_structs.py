"""The header's other structs, as ctypes sees them."""

from __future__ import annotations

import ctypes
from typing import Any

MESSAGE_SIZE = 256

ProgressFunction = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
"""`trfb_progress`: user, done, total. A non-zero answer cancels."""


class _Sized(ctypes.Structure):
    """A struct that the library writes says how long it is."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), **fields)


class ErrorDetails(_Sized):
    """`trfb_error` of the header."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("status", ctypes.c_int32),
        ("argument", ctypes.c_int32),
        ("axis", ctypes.c_int32),
        ("expected", ctypes.c_int64),
        ("actual", ctypes.c_int64),
        ("message", ctypes.c_char * MESSAGE_SIZE),
    ]

    def __init__(self) -> None:
        super().__init__(argument=-1, axis=-1)


class FitResult(_Sized):
    """`trfb_fit_result` of the header."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("stop", ctypes.c_int32),
        ("entries", ctypes.c_int64),
        ("best_step", ctypes.c_int64),
        ("progress", ProgressFunction),
        ("user", ctypes.c_void_p),
    ]

    def __init__(self, **fields: Any) -> None:
        super().__init__(best_step=-1, **fields)


class LayoutRow(ctypes.Structure):
    """`trfb_layout_row` of the header, the same in all versions."""

    _fields_ = [
        ("owner", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("kind", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("size", ctypes.c_int64),
    ]

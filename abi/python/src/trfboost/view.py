"""The descriptor that an array crosses the boundary in.

A view holds address, shape, strides and element type of an array, and keeps the array alive. It is
made without a copy, and without a look at the values: dtype and byte order come first.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import numpy as np

from .errors import Status, refusal

VIEW_MAGIC = 0x56465254
ABI_VERSION = 1
MAX_NDIM = 8
READONLY = 1


class View(ctypes.Structure):
    """`trfb_view` of the header. Make one with `View.of`."""

    _fields_ = [
        ("magic", ctypes.c_uint32),
        ("size", ctypes.c_uint16),
        ("version", ctypes.c_uint16),
        ("dtype", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("flags", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
        ("base", ctypes.c_void_p),
        ("extent", ctypes.c_uint64),
        ("shape", ctypes.c_int64 * MAX_NDIM),
        ("strides", ctypes.c_int64 * MAX_NDIM),
    ]

    array: np.ndarray[Any, Any]
    """The array that is described; kept alive by the view."""

    @classmethod
    def of(cls, obj: Any, writable: bool = False) -> View:
        """Describe the memory of an object.

        Parameters
        ----------
        obj : array
            A NumPy array of bool, integers, floats or complex numbers, or an object with the buffer
            protocol, `__array_interface__`, `__dlpack__` (on the CPU) or an `__array__` that gives out
            its own memory (pandas, xarray). Any strides, up to 8 dimensions. The view keeps it alive.
        writable : bool
            Whether a function may write through the view. A view that is not writable can be used for
            inputs only.

        Raises
        ------
        AbiTypeError
            No array, a dtype that cannot be described, a byte order that is not the machine's, or
            no right to write. The right is never taken for granted: an unversioned DLPack capsule
            cannot grant it, and a masked array's mask would not know of the new values.
        AbiValueError
            A masked array with masked elements; more than 8 dimensions.
        """
        return describe(array_of(obj), writable)


def _fields(ndim: int) -> struct.Struct:
    rest = 8 * (MAX_NDIM - ndim)
    return struct.Struct(f"=IHHiiQQQQ{ndim}q{rest}x{ndim}q{rest}x")


VIEW_SIZE = ctypes.sizeof(View)

# The bytes of a `View` for each number of dimensions, written at once: fields one by one take longer than all else.
_FIELDS = [_fields(ndim) for ndim in range(MAX_NDIM + 1)]


def describe(array: np.ndarray[Any, Any], writable: bool, argument: str | None = None) -> View:
    """The view of an array. `argument` is its name in messages."""
    code = _CODES.get(array.dtype)
    if code is None:
        code = _CODES[array.dtype] = _new_code(array.dtype, argument)
    if type(array) is not np.ndarray and isinstance(array, np.ma.MaskedArray):
        refuse_masked(array, writable, argument)
    if writable and not array.flags.writeable:
        sentence = "read-only, but it is written; pass a writable array, such as a .copy()"
        raise refusal(Status.READONLY_OUTPUT, argument, sentence)
    ndim = array.ndim
    if ndim > MAX_NDIM:
        sentence = f"ndim is {ndim}, expected at most {MAX_NDIM}"
        raise refusal(Status.NDIM, argument, sentence, expected=MAX_NDIM, actual=ndim)
    data = _address(array)
    base, extent = _bounds(array, data)
    view = View()
    head = VIEW_MAGIC, VIEW_SIZE, ABI_VERSION, code, ndim, 0 if writable else READONLY
    _FIELDS[ndim].pack_into(view, 0, *head, data, base, extent, *array.shape, *array.strides)
    view.array = array
    return view


def type_code(dtype: np.dtype[Any]) -> int:
    """`trfb_dtype`: the kind's letter and the size in bytes; 0 for strings too long to be named."""
    return ord(dtype.kind) << 8 | dtype.itemsize if dtype.itemsize < 256 else 0


# Codes of dtypes that can be described, filled as they are met.
_CODES: dict[np.dtype[Any], int] = {}


def _new_code(dtype: np.dtype[Any], argument: str | None) -> int:
    if dtype.kind not in "biufc":
        sentence = f"dtype is {dtype}, expected numbers; convert it, such as with .astype('float64')"
        raise refusal(Status.DTYPE, argument, sentence, actual=type_code(dtype))
    refuse_foreign_order(dtype, argument)
    return type_code(dtype)


def refuse_foreign_order(dtype: np.dtype[Any], argument: str | None) -> None:
    if not dtype.isnative:
        sentence = f"byte order is not this machine's ({dtype.str}); convert it with .astype('{dtype.name}')"
        raise refusal(Status.DTYPE, argument, sentence, type_code(dtype), type_code(dtype))


def refuse_masked(array: np.ma.MaskedArray[Any, Any], writable: bool, argument: str | None) -> None:
    if writable:
        sentence = "a masked array, but it is written, and the mask would not know; pass its .data"
        raise refusal(Status.READONLY_OUTPUT, argument, sentence)
    if np.ma.is_masked(array):
        remedy = "leave them out of the segments and pass .data, or pass .filled(value)"
        sentence = f"has masked elements, which would be read as if they were not; {remedy}"
        raise refusal(Status.VALUE, argument, sentence)


# `__array_struct__` is a capsule with NumPy's PyArrayInterface, in which the address comes after
# four ints (one of them a char and its padding), an int of padding and two pointers. It costs a
# third of what `array.ctypes.data` does.
_ADDRESS_OFFSET = 6 * ctypes.sizeof(ctypes.c_int) + 2 * ctypes.sizeof(ctypes.c_void_p)
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_pointer_at = ctypes.c_void_p.from_address


def _address(array: np.ndarray[Any, Any]) -> int:
    """The address of element [0, ..., 0]."""
    interface = _capsule_pointer(array.__array_struct__, None)
    return _pointer_at(interface + _ADDRESS_OFFSET).value or 0


def _bounds(array: np.ndarray[Any, Any], data: int) -> tuple[int, int]:
    """The memory that the array lies in, if the array that allocated it is known: start and bytes.

    A NumPy array that owns its data was given just `nbytes`. An array that does not lie there at all
    is one whose `base` means something else.
    """
    owner = array
    while (base := owner.base) is not None:
        if not isinstance(base, np.ndarray):
            base = getattr(base, "base", None)  # numpy.lib.stride_tricks puts an object in between
            if not isinstance(base, np.ndarray):
                return 0, 0
        owner = base
    if not owner.flags.owndata:
        return 0, 0
    extent = owner.nbytes
    start = data if owner is array else _address(owner)
    return (start, extent) if start <= data < start + extent else (0, 0)


def array_of(obj: Any, argument: str | None = None, copied: bool = False) -> np.ndarray[Any, Any]:
    """The memory of an object as an array. `copied`: a copy of it will do as well."""
    if isinstance(obj, np.ndarray):
        return obj
    if not isinstance(obj, np.generic):
        for protocol in (_from_buffer, _from_interface, _from_dlpack):
            try:
                array = protocol(obj)
            except (BufferError, RuntimeError, TypeError, ValueError) as error:
                sentence = f"{type(obj).__name__} did not give out its memory ({error}); pass a NumPy array"
                raise refusal(Status.DTYPE, argument, sentence) from error
            if array is not None:
                return array
        if hasattr(obj, "__array__"):
            array = np.asarray(obj)
            # An object that makes a copy each time has two of them now.
            if copied or np.may_share_memory(array, np.asarray(obj)):
                return array
            sentence = f"{type(obj).__name__} gives out copies of its values only; pass numpy.asarray(...) of it"
            raise refusal(Status.DTYPE, argument, sentence)
    sentence = f"{type(obj).__name__} is not an array; numpy.asarray makes one of numbers"
    raise refusal(Status.DTYPE, argument, sentence)


def _from_buffer(obj: Any) -> np.ndarray[Any, Any] | None:
    try:
        memory = memoryview(obj)
    except TypeError:
        return None
    return np.asarray(memory)


def _from_interface(obj: Any) -> np.ndarray[Any, Any] | None:
    return np.asarray(obj) if hasattr(obj, "__array_interface__") else None


_CPU = 1  # kDLCPU
# NumPy from 2.1 on asks for a versioned capsule, which says whether it may be written, and makes
# an array of an unversioned one read-only.
_VERSIONED_DLPACK = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 1)


def _from_dlpack(obj: Any) -> np.ndarray[Any, Any] | None:
    if not hasattr(obj, "__dlpack__"):
        return None
    device = int(obj.__dlpack_device__()[0])
    if device != _CPU:
        raise BufferError(f"it is on device {device} of DLPack, not on the CPU")
    array: np.ndarray[Any, Any] = np.from_dlpack(obj)
    if not _VERSIONED_DLPACK:
        array.flags.writeable = False
    return array

"""What callers of the NumPy-level functions give, made into what the library takes.

Arrays of the right dtype pass as they are, whatever their strides. Inputs of another dtype are
converted where no value changes; outputs never, because the caller would not see what is written.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .errors import Status, refusal
from .view import View, array_of, describe, refuse_foreign_order, refuse_masked, type_code

FLOAT64 = np.dtype(np.float64)
INT64 = np.dtype(np.int64)
INT8 = np.dtype(np.int8)

# Kinds that convert to a dtype, and the whole numbers that it holds exactly.
_CONVERTIBLE: dict[np.dtype[Any], tuple[str, int, int]] = {
    FLOAT64: ("biuf", -(2**53), 2**53),
    INT64: ("iu", -(2**63), 2**63 - 1),
    INT8: ("biu", -(2**7), 2**7 - 1),
}
_PLAIN = (list, tuple, range, int, float, complex, str, bytes, np.generic)


def read(name: str, value: Any, dtype: np.dtype[Any]) -> View:
    """The view of an input."""
    if type(value) is np.ndarray and value.dtype is dtype:
        return describe(value, False, name)
    return describe(converted(name, value, dtype), False, name)


def written(name: str, value: Any) -> View:
    """The view of an output, whose dtype is the library's to judge."""
    return describe(array_of(value, name), True, name)


def converted(name: str, value: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The array of an input: itself if it has the dtype, else converted if no value changes."""
    array = _plain(name, value) if isinstance(value, _PLAIN) else array_of(value, name, copied=True)
    if isinstance(array, np.ma.MaskedArray):
        refuse_masked(array, False, name)
    found = array.dtype
    if found == dtype:
        return array
    refuse_foreign_order(found, name)
    kinds, lowest, highest = _CONVERTIBLE[dtype]
    # A list without elements says nothing of their type.
    numeric = found.kind in ("biuf" if array.size == 0 else kinds) and found.itemsize <= 8
    if not numeric:
        sentence = f"dtype is {found}, expected {dtype} or what converts to it exactly; use .astype('{dtype}')"
        raise refusal(Status.DTYPE, name, sentence, type_code(dtype), type_code(found))
    if found.kind in "iu" and array.size:
        _refuse_outside(name, array, dtype, lowest, highest)
    return array.view(INT8) if found.kind == "b" and dtype == INT8 else array.astype(dtype)


def _refuse_outside(name: str, array: np.ndarray[Any, Any], dtype: np.dtype[Any], lowest: int, highest: int) -> None:
    limits = np.iinfo(array.dtype)
    if limits.min >= lowest and limits.max <= highest:
        return
    for number in (int(array.min()), int(array.max())):
        if not lowest <= number <= highest:
            raise refusal(Status.VALUE, name, f"holds {number}, which {dtype} cannot hold exactly")


def _plain(name: str, value: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(value)
    except (ValueError, OverflowError) as error:
        raise refusal(Status.LENGTH, name, f"is not an array of numbers ({error})") from error


def integer(name: str, value: Any, bits: int) -> int:
    """A whole number of C. True and 1.0 are none: where one stands, something else was meant."""
    if type(value) is not int:
        _refuse_dimensions(name, value)
        try:
            if isinstance(value, (bool, np.bool_)):
                raise TypeError
            value = operator.index(value)
        except TypeError:
            sentence = f"is {value!r} ({type(value).__name__}), expected an integer"
            raise refusal(Status.DTYPE, name, sentence) from None
    limit = 1 << (bits - 1)
    if not -limit <= value < limit:
        raise refusal(Status.VALUE, name, f"is {value}, which does not fit {bits} bits")
    return value  # type: ignore[no-any-return]


def one_if_true(value: Any) -> Any:
    """1 for True and 0 for False, for an argument that Eelbrain takes either of; anything else as it is."""
    return int(value) if isinstance(value, (bool, np.bool_)) else value


def real(name: str, value: Any) -> float:
    """A number of C's double."""
    if isinstance(value, float):
        return value
    _refuse_dimensions(name, value)
    dtype = np.asarray(value).dtype
    if dtype.kind not in "iuf" or dtype.itemsize > 8:
        raise refusal(Status.DTYPE, name, f"is {value!r} ({type(value).__name__}), expected a float")
    return float(value)


def _refuse_dimensions(name: str, value: Any) -> None:
    ndim = np.ndim(value) if isinstance(value, (np.ndarray, list, tuple)) else 0
    if ndim:
        raise refusal(Status.NDIM, name, f"has {ndim} dimensions, expected a single number", 0, ndim)

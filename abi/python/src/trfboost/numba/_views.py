"""Descriptors for libraries of the caller's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic, overload
from numba.np.numpy_support import from_dtype

from ..view_dtype import VIEW_DTYPE
from ._code import dtype_number, stack_descriptor, write_descriptor

_WORDS = ir.ArrayType(ir.IntType(64), VIEW_DTYPE.itemsize // 8)
_RECORD = from_dtype(VIEW_DTYPE)


@intrinsic
def _write(typing_context, views, index, array):  # type: ignore[no-untyped-def]
    """Writes the descriptor of `array` to a contiguous array of records, without a look at the bounds."""

    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        records = context.make_array(signature.args[0])(context, builder, values[0])
        base = builder.bitcast(records.data, _WORDS.as_pointer())
        write_descriptor(context, builder, builder.gep(base, [values[1]]), signature.args[2], values[2])
        return context.get_dummy_value()

    return types.none(views, types.intp, array), code


def write_view(views: Any, index: int, array: Any) -> None:
    """Writes the descriptor of an array to `views[index]`.

    `views` is a contiguous array of `trfboost.VIEW_DTYPE`, made once and used for many calls; in `prange`
    each iteration needs a place of its own. Its address for a call is `views.ctypes.data` plus
    `index * views.itemsize`.
    """
    raise TypeError("trfboost.numba.write_view is for @njit code; in Python use trfboost.View.of")


def view(array: Any) -> Any:
    """The descriptor of an array, as an array `[1]` of `trfboost.VIEW_DTYPE`.

    It keeps no array alive, and its address does not keep it alive either: where you pass
    `.ctypes.data`, give array and descriptor names, and use both once more after the call. `call` does
    all of it for you, and allocates nothing.
    """
    raise TypeError("trfboost.numba.view is for @njit code; in Python use trfboost.View.of")


def call(function: Any, arguments: Any) -> Any:
    """`function(*arguments)`, with the address of a descriptor in place of each array.

    `function` is one of your own library: of ctypes (`c_void_p` for descriptors), cffi, or a
    `numba.types.ExternalFunction` (`intp`), which is the kind that `cache=True` can keep. `arguments` is a
    tuple; what is no array is passed as it is. Arrays and descriptors live until the function returns.
    """
    raise TypeError("trfboost.numba.call is for @njit code; in Python use trfboost.View.of")


@intrinsic
def _described(typing_context, arguments):  # type: ignore[no-untyped-def]
    """The arguments with addresses of descriptors, in the frame of the caller, in place of arrays."""
    given = arguments.types
    passed = types.Tuple([types.intp if isinstance(type_, types.Array) else type_ for type_ in given])

    def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
        parts = []
        for type_, value in zip(given, cgutils.unpack_tuple(builder, values[0], len(given))):
            if isinstance(type_, types.Array):
                value = builder.ptrtoint(stack_descriptor(context, builder, type_, value), ir.IntType(64))
            elif context.enable_nrt:
                context.nrt.incref(builder, type_, value)
            parts.append(value)
        return context.make_tuple(builder, passed, parts)

    return passed(arguments), code


@overload(call)
def _typed_call(function, arguments):  # type: ignore[no-untyped-def]
    if not isinstance(arguments, types.BaseTuple):
        raise TypingError(f"call: arguments is {arguments}, expected a tuple")
    for argument in arguments.types:
        if isinstance(argument, types.Array):
            _check(argument)

    # Numba keeps what a function was given alive until it returns.
    def implementation(function, arguments):  # type: ignore[no-untyped-def]
        return function(*_described(arguments))

    return implementation


@overload(write_view)
def _typed_write_view(views, index, array):  # type: ignore[no-untyped-def]
    if not (isinstance(views, types.Array) and views.dtype == _RECORD and views.ndim == 1 and views.layout == "C"):
        raise TypingError(f"write_view: views is {views}, expected a contiguous array of trfboost.VIEW_DTYPE")
    _check(array)

    def implementation(views, index, array):  # type: ignore[no-untyped-def]
        if index < 0 or index >= views.shape[0]:
            raise IndexError("write_view: index is outside of views")
        _write(views, index, array)

    return implementation


@overload(view)
def _typed_view(array):  # type: ignore[no-untyped-def]
    _check(array)

    def implementation(array):  # type: ignore[no-untyped-def]
        views = np.empty(1, VIEW_DTYPE)
        _write(views, 0, array)
        return views

    return implementation


def _check(array: types.Type) -> None:
    if not isinstance(array, types.Array) or array.ndim > 8:
        raise TypingError(f"view: array is {array}, expected an array of at most 8 dimensions")
    try:
        dtype_number(array.dtype)
    except TypeError as error:
        raise TypingError(f"view: {error}") from None

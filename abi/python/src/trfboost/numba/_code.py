"""The machine code of a call: descriptors on the stack, then the function, by name.

A descriptor is written as 22 words of 8 bytes in the frame of the function that makes the call. It is
made and used within one expression of the caller, whose operands Numba keeps alive until it is done; a
descriptor that outlives an expression would not keep its array.
"""

from __future__ import annotations

import struct
import sys
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .. import _library
from ..lib import ErrorDetails
from ..view import ABI_VERSION, READONLY, VIEW_MAGIC
from ..view_dtype import VIEW_DTYPE
from ._parameters import PARAMETERS, Array, Null, Out, Scalar, with_parameters

_WORD = ir.IntType(64)
_INT32 = ir.IntType(32)
_ADDRESS = ir.IntType(8).as_pointer()
_VIEW_WORDS = VIEW_DTYPE.itemsize // 8
_SHAPE = VIEW_DTYPE.fields["dim"][1] // 8  # type: ignore[index]
_STRIDES = VIEW_DTYPE.fields["step"][1] // 8  # type: ignore[index]
_KINDS = {types.Boolean: "b", types.Integer: "iu", types.Float: "f", types.Complex: "c"}


def _word(layout: str, *values: int) -> ir.Constant:
    """A word of fields smaller than 8 bytes."""
    return ir.Constant(_WORD, int.from_bytes(struct.pack("=" + layout, *values), sys.byteorder))


def dtype_number(dtype: types.Type) -> int:
    """`enum trfb_dtype` of a type of elements."""
    for kind, letters in _KINDS.items():
        if isinstance(dtype, kind):
            letter = letters[-1] if not getattr(dtype, "signed", True) else letters[0]
            return ord(letter) << 8 | (1 if isinstance(dtype, types.Boolean) else dtype.bitwidth // 8)
    raise TypeError(f"elements are {dtype}, expected numbers")


def write_descriptor(context: Any, builder: Any, words: Any, array_type: types.Array, value: Any) -> None:
    """Stores the descriptor of an array to an array of words."""
    array = context.make_array(array_type)(context, builder, value)
    flags = 0 if array_type.mutable else READONLY
    head = [
        _word("IHH", VIEW_MAGIC, VIEW_DTYPE.itemsize, ABI_VERSION),
        _word("ii", dtype_number(array_type.dtype), array_type.ndim),
        ir.Constant(_WORD, flags),
        builder.ptrtoint(array.data, _WORD),
        ir.Constant(_WORD, 0),  # base and extent: not known
        ir.Constant(_WORD, 0),
    ]
    shape = cgutils.unpack_tuple(builder, array.shape, array_type.ndim)
    strides = cgutils.unpack_tuple(builder, array.strides, array_type.ndim)
    for first, part in ((0, head), (_SHAPE, shape), (_STRIDES, strides)):
        for index, word in enumerate(part, first):
            builder.store(word, _element(builder, words, index))


def _in_frame(builder: Any, type_: Any) -> Any:
    """Memory in the frame of the function that is being built. Numba's own way fills it with zeros, which
    took longer than all else; here all that is read is written before the call."""
    with builder.goto_entry_block():
        return builder.alloca(type_)


def stack_descriptor(context: Any, builder: Any, array_type: types.Array, value: Any) -> Any:
    """The address of a descriptor in the frame of the function that is being built."""
    words = _in_frame(builder, ir.ArrayType(_WORD, _VIEW_WORDS))
    write_descriptor(context, builder, words, array_type, value)
    return _address(builder, words)


def _element(builder: Any, array: Any, index: int) -> Any:
    return cgutils.gep_inbounds(builder, array, 0, index)


def _address(builder: Any, pointer: Any) -> Any:
    return builder.bitcast(pointer, _ADDRESS)


def caller(name: str) -> Any:
    """An intrinsic that takes the arguments of a function, and returns the status, argument and axis at
    fault, and what the function's `Out` parameters hold.
    """
    parameters = PARAMETERS[name]
    outs = [out for out in parameters if isinstance(out, Out)]
    returned = types.Tuple([types.int32] * 3 + [type_ for out in outs for type_, _ in out.words])

    def call(typing_context, *arguments):  # type: ignore[no-untyped-def]
        def code(context, builder, signature, values):  # type: ignore[no-untyped-def]
            given = iter(zip(signature.args, values))
            passed, filled = [], []
            for parameter in parameters:
                if isinstance(parameter, Null):
                    passed.append(ir.Constant(_ADDRESS, None))
                elif isinstance(parameter, Out):
                    memory = _out(builder, parameter)
                    filled.append((parameter, memory))
                    passed.append(_address(builder, memory))
                else:
                    passed.append(_passed(context, builder, parameter, *next(given)))
            details = _details(builder)
            function_type = ir.FunctionType(_INT32, [value.type for value in passed] + [_ADDRESS])
            function = cgutils.get_or_insert_function(builder.module, function_type, f"trfb_{name}")
            status = builder.call(function, [*passed, _address(builder, details)])
            results = [status, *(builder.load(_element(builder, details, index)) for index in (2, 3))]
            results += [_load(context, builder, memory, *word) for out, memory in filled for word in out.words]
            return context.make_tuple(builder, returned, results)

        return returned(*arguments), code

    names = [parameter.name for parameter in parameters if isinstance(parameter, (Array, Scalar))]
    return intrinsic(with_parameters(call, ["typing_context", *names]))


def _passed(context: Any, builder: Any, parameter: Array | Scalar, given: types.Type, value: Any) -> Any:
    if isinstance(parameter, Scalar):
        return _number(context, builder, parameter.type, types.unliteral(given), value)
    if not isinstance(given, types.Array):
        return ir.Constant(_ADDRESS, None)
    return stack_descriptor(context, builder, given, value)


def _number(context: Any, builder: Any, wanted: types.Type, given: types.Type, value: Any) -> Any:
    """A number of the wanted type. One that is out of its range becomes the nearest that is in it, which
    the library refuses or takes for what it stands for: never a number that it wraps around to."""
    if isinstance(wanted, types.Integer):
        compare = builder.icmp_signed if given.signed else builder.icmp_unsigned
        for sign, limit in (("<", wanted.minval), (">", wanted.maxval)):
            if given.minval <= limit <= given.maxval:
                bound = ir.Constant(value.type, limit)
                value = builder.select(compare(sign, value, bound), bound, value)
    return context.cast(builder, value, given, wanted)


def _details(builder: Any) -> Any:
    """A `trfb_error`, as words of 4 bytes: size, status, argument, axis, ..."""
    size = ErrorDetails().size
    details = _in_frame(builder, ir.ArrayType(_INT32, size // 4))
    for index, number in enumerate((size, 0, -1, -1)):
        builder.store(ir.Constant(_INT32, number), _element(builder, details, index))
    return details


def _out(builder: Any, out: Out) -> Any:
    memory = _in_frame(builder, ir.ArrayType(_WORD, out.size // 8))
    for index in range(out.size // 8):
        builder.store(ir.Constant(_WORD, 0), _element(builder, memory, index))
    if out.begins_with_size:
        builder.store(_word("ii", out.size, 0), _element(builder, memory, 0))
    return memory


def _load(context: Any, builder: Any, memory: Any, type_: types.Type, offset: int) -> Any:
    place = builder.gep(_address(builder, memory), [ir.Constant(_INT32, offset)])
    return builder.load(builder.bitcast(place, context.get_value_type(type_).as_pointer()))


def _load_library() -> None:
    """Makes the names known to the linker. One that it does not find is a segmentation fault at the call."""
    llvmlite.binding.load_library_permanently(_library.library_path())
    for name in PARAMETERS:
        if llvmlite.binding.address_of_symbol(f"trfb_{name}") is None:
            raise ImportError(f"trfboost.numba: {_library.library_path()} has no function trfb_{name}")


_load_library()

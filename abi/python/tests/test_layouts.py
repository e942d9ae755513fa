"""Any strides give the numbers of contiguous arrays."""

import mmap

import calls
import numpy as np
import pytest

import trfboost


def transposed(array):
    return np.ascontiguousarray(array.T).T


def reversed_along_all(array):
    flip = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[flip])[flip]


def every_second(array):
    roomy = np.full([2 * length + 1 for length in array.shape], 99, array.dtype)
    view = roomy[tuple(slice(1, 2 * length + 1, 2) for length in array.shape)]
    view[...] = array
    return view


def column_of_a_block(array):
    roomy = np.full((*array.shape, 3), 77, array.dtype)
    roomy[..., 1] = array
    return roomy[..., 1]


def field_of_a_record(array):
    records = np.zeros(array.shape, np.dtype([("before", "f4"), ("value", array.dtype)], align=True))
    records["value"] = array
    return records["value"]


def mapped(array):
    memory = mmap.mmap(-1, max(array.nbytes, 1))
    view = np.frombuffer(memory, array.dtype, array.size).reshape(array.shape)
    view[...] = array
    return view


def outer_axes_reversed(array):
    return np.ascontiguousarray(array[::-1])[::-1]


LAYOUTS = [
    transposed,
    reversed_along_all,
    outer_axes_reversed,
    every_second,
    column_of_a_block,
    field_of_a_record,
    mapped,
]
ARRAYS = [(f, name) for f in calls.FUNCTIONS for name, value in calls.valid(f).items() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", calls.FUNCTIONS)
def test_any_layout_gives_the_same_bits_argument_by_argument(function, layout):
    expected = calls.call(function, calls.valid(function))
    for name in [name for f, name in ARRAYS if f == function]:
        arguments = calls.valid(function)
        arguments[name] = layout(arguments[name])
        assert calls.call(function, arguments) == expected, name


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", calls.FUNCTIONS)
def test_any_layout_gives_the_same_bits_for_all_arguments_at_once(function, layout):
    expected = calls.call(function, calls.valid(function))
    arguments = calls.valid(function)
    arguments = {name: layout(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}
    assert calls.call(function, arguments) == expected


def readonly(array):
    array.flags.writeable = False
    return array


def broadcast(array):
    """The first element everywhere, without memory for it."""
    return np.broadcast_to(array.flat[0], array.shape)


@pytest.mark.parametrize(
    ("function", "name"), [pair for pair in ARRAYS if pair[1] not in calls.OUTPUTS.get(pair[0], [])]
)
def test_inputs_may_be_read_only(function, name):
    arguments = calls.valid(function)
    expected = calls.call(function, calls.valid(function))
    arguments[name] = readonly(arguments[name])
    assert calls.call(function, arguments) == expected


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("generate_options", "x"),
        ("generate_options", "x_active"),
        ("update_error", "x"),
        ("error_for_indexes", "x"),
        ("boosting_runs", "y"),
        ("convolve", "h"),
    ],
)
def test_inputs_may_be_broadcast(function, name):
    arguments, full = calls.valid(function), calls.valid(function)
    arguments[name] = broadcast(arguments[name])
    full[name] = np.array(arguments[name])
    assert calls.call(function, arguments) == calls.call(function, full)


def test_a_broadcast_array_at_the_end_of_mapped_memory_is_not_read_past_it():
    arguments = calls.valid("generate_options")
    memory = mmap.mmap(-1, mmap.PAGESIZE)
    values = np.frombuffer(memory, "f8")[-3:]
    values[:] = [1, 2, 3]
    arguments["x"] = np.broadcast_to(values[:, None], (3, 120))
    full = calls.valid("generate_options")
    full["x"] = np.array(arguments["x"])
    assert calls.call("generate_options", arguments) == calls.call("generate_options", full)


def test_a_memory_mapped_file_can_be_read(tmp_path):
    arguments = calls.valid("boosting_fit")
    expected = calls.call("boosting_fit", calls.valid("boosting_fit"))
    arguments["x"].tofile(tmp_path / "x")
    arguments["x"] = np.memmap(tmp_path / "x", "f8", "r", shape=(3, 120))
    assert calls.call("boosting_fit", arguments) == expected


@pytest.mark.parametrize(
    ("x", "stop", "error", "expected"),
    [
        (np.array([np.arange(6.0), np.arange(6.0) ** 2]).T.copy().T[1], 6, 1, 55.0),
        (np.arange(12.0).reshape(3, 4)[:, 1], 3, 1, 15.0),
        (np.arange(60.0).reshape(3, 10, 2)[::-1, :, 0][0], 10, 1, 490.0),
        (np.arange(60.0).reshape(3, 10, 2)[::-1, :, 0][2], 10, 1, 90.0),
        (np.arange(12.0).reshape(3, 4)[:, ::-1][1], 2, 1, 13.0),
        (np.arange(12.0).reshape(3, 4)[:, ::-1][1], 2, 2, 85.0),
        (memoryview(np.arange(8.0))[::2], 4, 1, 12.0),
    ],
    ids=["double transpose", "column", "reversed planes", "last plane", "reversed row", "squares", "memoryview step"],
)
def test_strides_that_other_readers_ignored(x, stop, error, expected):
    assert trfboost.error_for_indexes(x, [[0, stop]], error) == expected


def test_columns_of_one_array_can_be_several_arguments():
    arguments, expected = calls.valid("generate_options"), calls.valid("generate_options")
    calls.FUNCTIONS["generate_options"](**expected)
    block = np.zeros((3, 14))
    arguments["new_error"] = block[:, ::2]
    arguments["new_error"][...] = expected["new_error"]
    odd = block[:, 1::2]
    odd[...] = arguments["x"][:, :7]
    short = calls.valid("generate_options") | {"x": odd, "y_error": arguments["y_error"][:7], "indexes": [[0, 7]]}
    copied = dict(short, x=odd.copy())
    trfboost.generate_options(**dict(short, new_error=block[:, ::2]))
    trfboost.generate_options(**copied)
    active = [0, 2]
    assert np.array_equal(block[active, ::2][:, 3:], copied["new_error"][active][:, 3:])

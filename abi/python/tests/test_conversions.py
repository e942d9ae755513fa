"""Inputs of another dtype are converted where that is exact."""

import array

import calls
import numpy as np
import pytest

import trfboost

ARRAYS = [(f, n) for f in calls.FUNCTIONS for n, a in calls.valid(f).items() if isinstance(a, np.ndarray)]
INPUTS = [(f, n) for f, n in ARRAYS if n not in calls.OUTPUTS.get(f, [])]
FLOATS = [(f, n) for f, n in INPUTS if calls.valid(f)[n].dtype == float]
INTEGERS = [(f, n) for f, n in INPUTS if calls.valid(f)[n].dtype == np.int64]


@pytest.mark.parametrize("dtype", ["f2", "f4", "i1", "i4", "i8", "u2", "u8", "?", np.longlong])
@pytest.mark.parametrize(("function", "name"), FLOATS)
def test_narrower_numbers_are_taken_for_float64(function, name, dtype):
    narrow = np.abs(calls.valid(function)[name] * 10).astype(dtype)
    arguments, expected = (calls.valid(function) | {name: given} for given in (narrow, narrow.astype(float)))
    assert calls.call(function, arguments) == calls.call(function, expected)


@pytest.mark.parametrize("dtype", ["i2", "i4", np.intc, np.longlong, "u4", "u8"])
@pytest.mark.parametrize(("function", "name"), INTEGERS)
def test_other_integers_are_taken_for_int64(function, name, dtype):
    given = calls.valid(function)[name]
    if np.dtype(dtype).kind == "u":
        given = np.abs(given)
        given = given[:2] if name in ("indexes", "segments") else given
    arguments, expected = (calls.valid(function) | {name: g} for g in (given.astype(dtype), given))
    if name == "i_start_by_x" and function == "generate_options":
        expected["i_stop_by_x"] = arguments["i_stop_by_x"] = np.array([5, 4, 5])
    if name == "split_validate":
        arguments[name], expected[name] = arguments[name][..., :1, :], expected[name][..., :1, :]
    assert calls.call(function, arguments) == calls.call(function, expected)


@pytest.mark.parametrize(
    "active",
    [np.array([True, False, True]), [True, False, True], [1, 0, 1], np.array([5, 0, 1]), np.array([1, 0, 1], "u1")],
)
def test_x_active_can_be_bool_or_small_integers(active):
    arguments = calls.valid("generate_options") | {"x_active": active}
    assert calls.call("generate_options", arguments) == calls.call("generate_options", calls.valid("generate_options"))


@pytest.mark.parametrize("function", calls.FUNCTIONS)
def test_lists_are_taken_for_inputs(function):
    arguments = calls.valid(function)
    outputs = calls.OUTPUTS.get(function, [])
    lists = {n: v.tolist() if isinstance(v, np.ndarray) and n not in outputs else v for n, v in arguments.items()}
    assert calls.call(function, lists) == calls.call(function, calls.valid(function))


@pytest.mark.parametrize(
    "scalars",
    [
        {"delta": np.float64(0.25), "i_start": np.int32(-2), "error": np.int64(1)},
        {"delta": np.float32(0.25), "i_start": np.array(-2), "error": np.uint8(1)},
        {"delta": np.array(0.25), "i_start": np.int8(-2), "error": np.array(1)},
    ],
)
def test_numpy_scalars_and_0d_arrays_are_numbers(scalars):
    arguments = calls.valid("generate_options") | scalars
    assert calls.call("generate_options", arguments) == calls.call("generate_options", calls.valid("generate_options"))


def test_an_integer_is_a_step_size():
    y = np.arange(4.0)
    trfboost.update_error(y, [1, 1, 1, 1], 0, [[0, 4]], 1, 0)
    assert y.tolist() == [-1, 0, 1, 2]


@pytest.mark.parametrize("scalar", [np.float64(0), 0.0, np.array(3.0)])
def test_a_number_is_not_broadcast_to_an_array(scalar):
    with pytest.raises(trfboost.AbiValueError, match="^x_pads: ndim is 0, expected 1"):
        trfboost.boosting_fit(**calls.valid("boosting_fit") | {"x_pads": scalar})


def test_masked_array_without_masked_elements():
    x = np.ma.masked_invalid(np.arange(6.0))
    assert trfboost.error_for_indexes(x, [[0, 6]], 1) == 15.0


def test_masked_array_of_another_dtype_with_a_mask():
    x = np.ma.masked_equal(np.arange(6, dtype="f4"), 2)
    with pytest.raises(trfboost.AbiValueError, match="^x: has masked elements"):
        trfboost.error_for_indexes(x, [[0, 6]], 1)


def test_a_matrix_has_two_dimensions():
    with pytest.warns(PendingDeprecationWarning):
        matrix = np.matrix(np.arange(6.0))
    with pytest.raises(trfboost.AbiValueError, match="^x: ndim is 2, expected 1"):
        trfboost.error_for_indexes(matrix, [[0, 6]], 1)


def test_buffers_are_arrays():
    numbers = array.array("d", [1, -2, 3])
    assert (
        trfboost.error_for_indexes(numbers, memoryview(array.array("q", [0, 3])).cast("b").cast("q", (1, 2)), 1) == 6.0
    )
    assert trfboost.error_for_indexes(memoryview(bytearray(numbers.tobytes())).cast("d"), [[0, 3]], 2) == 14.0


@pytest.mark.parametrize("dtype", [">f8", ">f4", ">i4"])
def test_foreign_byte_order_is_not_misread(dtype):
    with pytest.raises(TypeError, match=r"^x: byte order.*astype\('(float64|float32|int32)'\)"):
        trfboost.error_for_indexes(np.ones(10, dtype), [[0, 10]], 1)

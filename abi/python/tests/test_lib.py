"""The raw functions: typed, and raising what the library reports. With descriptors of any contents."""

import ctypes

import calls
import numpy as np
import pytest

import trfboost
from trfboost import Status, View, lib


def raw(function, arguments):
    """A call of the raw function with views of the arrays."""
    outputs = calls.OUTPUTS.get(function, [])
    views = [
        View.of(value, writable=name in outputs) if isinstance(value, np.ndarray) else value
        for name, value in arguments.items()
    ]
    return getattr(lib, f"trfb_{function}"), views


def error_call(**changes):
    """trfb_error_for_indexes on a view whose fields are changed; the exception, or the sum."""
    x, indexes = View.of(np.full(8, 2.0)), View.of(np.array([[0, 8]]))
    view = changes.pop("view", x)
    for field, value in changes.items():
        if field in ("shape", "strides"):
            getattr(view, field)[: len(value)] = value
        else:
            setattr(view, field, value)
    total = ctypes.c_double(-1)
    lib.trfb_error_for_indexes(view, indexes, 1, total, None)
    return total.value


DESCRIPTORS = [
    ({"magic": 1}, Status.NOT_A_VIEW, TypeError, None),
    ({"size": 168}, Status.STRUCT_SIZE, TypeError, None),
    ({"version": 2}, Status.ABI_VERSION, TypeError, None),
    ({"version": 2, "dtype": 7}, Status.ABI_VERSION, TypeError, None),
    ({"ndim": 2}, Status.NDIM, ValueError, None),
    ({"ndim": -1}, Status.NDIM, ValueError, None),
    ({"dtype": 0x6604}, Status.DTYPE, TypeError, None),
    ({"dtype": 0x6201}, Status.DTYPE, TypeError, None),
    ({"flags": 3}, Status.FLAGS, TypeError, None),
    ({"shape": [-8]}, Status.NEGATIVE_LENGTH, ValueError, 0),
    ({"data": None}, Status.NULL_DATA, ValueError, None),
    ({"strides": [12]}, Status.MISALIGNED, ValueError, 0),
    ({"shape": [2**40], "strides": [2**40]}, Status.ADDRESS_SPACE, ValueError, 0),
    ({"strides": [16]}, Status.BOUNDS, ValueError, None),
    ({"extent": 0}, Status.BOUNDS, ValueError, None),
    ({"base": None}, Status.BOUNDS, ValueError, None),
    ({"extent": 2**64 - 1}, Status.BOUNDS, ValueError, None),
]


@pytest.mark.parametrize(("changes", "status", "kind", "axis"), DESCRIPTORS)
def test_a_descriptor_that_is_wrong(changes, status, kind, axis):
    with pytest.raises(trfboost.AbiError, match="^x: ") as caught:
        error_call(**changes)
    error = caught.value
    assert isinstance(error, kind) and (error.status, error.argument, error.axis) == (status, "x", axis)


def test_a_constant_without_memory():
    assert error_call(strides=[0]) == 16.0
    assert error_call(shape=[2**62], strides=[0]) == 16.0


def test_float32_is_named_with_both_types():
    with pytest.raises(trfboost.AbiTypeError, match="^x: dtype is float32, expected float64") as caught:
        error_call(view=View.of(np.ones(8, "f4")))
    assert (caught.value.expected, caught.value.actual) == (0x6608, 0x6604)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("indexes", "i4", "dtype is int32, expected int64"),
        ("x_active", "?", "dtype is bool, expected int8"),
    ],
)
def test_the_raw_functions_convert_nothing(name, given, words):
    arguments = calls.valid("generate_options")
    arguments[name] = arguments[name].astype(given)
    function, views = raw("generate_options", arguments)
    with pytest.raises(trfboost.AbiTypeError, match=f"^{name}: {words}"):
        function(*views, None)


def test_an_address_of_data_is_no_descriptor():
    arguments = calls.valid("generate_options")
    function, views = raw("generate_options", arguments)
    for name, address in [("y_error", arguments["y_error"].ctypes.data), ("x", arguments["x"].ctypes.data + 1)]:
        wrong = list(views)
        wrong[list(arguments).index(name)] = address
        with pytest.raises(trfboost.AbiTypeError, match=f"^{name}: not a trfb_view") as caught:
            function(*wrong, None)
        assert caught.value.status is Status.NOT_A_VIEW
    assert (arguments["new_error"] == 9.5).all()


def test_none_is_no_descriptor():
    with pytest.raises(trfboost.AbiTypeError, match="^indexes: NULL"):
        lib.trfb_error_for_indexes(View.of(np.ones(3)), None, 1, ctypes.c_double(), None)
    with pytest.raises(trfboost.AbiTypeError, match="^out: ") as caught:
        lib.trfb_error_for_indexes(View.of(np.ones(3)), View.of(np.array([[0, 3]])), 1, None, None)
    assert caught.value.status is Status.NULL


def test_a_pointer_to_a_view_will_do():
    view, indexes = View.of(np.ones(3)), View.of(np.array([[0, 3]]))
    total = ctypes.c_double()
    assert lib.trfb_error_for_indexes(ctypes.pointer(view), ctypes.byref(indexes), 1, total, None) == 0
    assert (
        lib.trfb_error_for_indexes(ctypes.addressof(view), ctypes.addressof(indexes), 2, ctypes.byref(total), None) == 0
    )
    assert total.value == 3.0


@pytest.mark.parametrize(
    ("index", "value", "words"),
    [(0, np.ones(3), "View.of"), (2, 2**32 + 1, "does not fit c_int"), (2, 1.0, "integer"), (4, 7, "ErrorDetails")],
)
def test_what_ctypes_cannot_pass_does_not_reach_the_library(index, value, words):
    arguments = [View.of(np.ones(3)), View.of(np.array([[0, 3]])), 1, ctypes.c_double(), None]
    arguments[index] = value
    with pytest.raises(ctypes.ArgumentError, match=words):
        lib.trfb_error_for_indexes(*arguments)


def test_the_callers_own_details_are_filled_in():
    details = lib.ErrorDetails()
    with pytest.raises(trfboost.AbiValueError) as caught:
        lib.trfb_error_for_indexes(View.of(np.ones(3)), View.of(np.array([[0, 4]])), 1, ctypes.c_double(), details)
    assert (details.status, details.argument, details.axis) == (17, 1, 0)
    assert details.message.decode() == str(caught.value) and str(caught.value).startswith("indexes: row 0 is (0, 4)")


@pytest.mark.parametrize("size", [0, 287, 289])
def test_details_of_another_size_are_not_written(size):
    details = lib.ErrorDetails()
    details.size = size
    before = bytes(details)
    with pytest.raises(trfboost.AbiError) as caught:
        lib.trfb_error_for_indexes(View.of(np.ones(3)), View.of(np.array([[0, 4]])), 1, ctypes.c_double(), details)
    assert bytes(details) == before and caught.value.argument == "details"


def fit_call(result, history):
    arguments = calls.valid("boosting_fit")
    function, views = raw("boosting_fit", arguments)
    h = np.full((3, 7), 5.0)
    function(*views, View.of(h, writable=True), history and View.of(history, writable=True), result, None)
    return h


def test_a_fit_result_of_another_size_is_not_written():
    result = lib.FitResult()
    result.size -= 8
    before = bytes(result)
    with pytest.raises(trfboost.AbiTypeError, match="^result: ") as caught:
        fit_call(result, None)
    assert caught.value.status is Status.STRUCT_SIZE and bytes(result) == before


def test_a_history_may_be_short_or_left_out():
    h, entries, details = trfboost.boosting_fit(**calls.valid("boosting_fit"), return_details=True)
    result = lib.FitResult()
    assert fit_call(result, None).tobytes() == h.tobytes()
    assert (result.entries, result.stop, result.best_step) == (len(entries), details.stop, details.best_step)
    assert fit_call(None, None).tobytes() == h.tobytes()
    function, views = raw("boosting_fit", calls.valid("boosting_fit"))
    rows = np.full((6, 6), -7.0)
    function(*views, View.of(h, writable=True), View.of(rows[:4], writable=True), result, None)
    assert [trfboost.HistoryEntry(*row) for row in rows[:4]] == entries[:4] and (rows[4:] == -7).all()


@pytest.mark.parametrize("flip", [(slice(None, None, -1),), (slice(None), slice(None, None, -1))])
def test_runs_write_into_reversed_outputs(flip):
    hs, failed = trfboost.boosting_runs(**calls.valid("boosting_runs"))
    function, views = raw("boosting_runs", calls.valid("boosting_runs"))
    theirs, flags = np.zeros_like(hs)[flip], np.full(failed.shape, 9, np.int8)[flip]
    outputs = [View.of(array, writable=True) for array in (theirs, flags)]
    function(*views, *outputs, None, None, lib.ProgressFunction(), None, None)
    assert np.array_equal(theirs, hs) and np.array_equal(flags, failed)


def test_check_holds_a_view_against_what_is_expected():
    view = View.of(np.ones((3, 2)))
    assert lib.trfb_view_check(view, 0x6608, 2, 0, None) == 0
    assert lib.trfb_view_check(view, 0x6608, -1, 0, None) == 0
    for arguments, status in [
        ((0x6908, 2, 0), Status.DTYPE),
        ((0x6608, 1, 0), Status.NDIM),
        ((0x6608, 2, 1), Status.READONLY_OUTPUT),
    ]:
        with pytest.raises(trfboost.AbiError, match="^view: ") as caught:
            lib.trfb_view_check(view, *arguments, None)
        assert caught.value.status is status


def test_the_library_says_what_it_is():
    assert lib.trfb_abi_version() == 1
    assert lib.trfb_build_info().decode().startswith(f"trfboost {trfboost.__version__}, ABI 1, ")

"""Calls that do not fit: an exception of the right class, with the argument's name, and nothing written."""

import pickle

import calls
import numpy as np
import pytest

import trfboost
from trfboost import AbiError, Status


def misaligned(array):
    memory = bytearray(array.nbytes + 1)
    view = np.frombuffer(memory, array.dtype, array.size, offset=1).reshape(array.shape)
    view[...] = array
    return view


def packed_field(array):
    records = np.zeros(array.shape, [("before", "i4"), ("value", array.dtype)])
    records["value"] = array
    return records["value"]


def masked(array):
    return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) == 1)


def swapped(array):
    return array.astype(array.dtype.newbyteorder())


def set_at(index, value):
    def change(array):
        array = np.array(array)
        array[index] = value
        return array

    return change


def value(given):
    return lambda _: given


def readonly(array):
    array = array.copy()
    array.flags.writeable = False
    return array


# What is wrong with an array of any function, for whichever argument: change, status, words of the sentence.
NOTHING = (value(None), Status.DTYPE, "NoneType is not an array")
ANY_ARRAY = [
    NOTHING,
    (swapped, Status.DTYPE, "byte order|dtype"),
    (lambda a: a.astype(object), Status.DTYPE, "dtype is object"),
    (lambda a: a.astype("U8"), Status.DTYPE, "dtype is <U8"),
    (lambda a: a.astype(complex), Status.DTYPE, "dtype is complex128"),
    (lambda a: a.astype("M8[s]") if a.dtype.kind == "i" else a.astype(np.clongdouble), Status.DTYPE, "dtype is"),
    (lambda a: a.astype(np.longdouble), Status.DTYPE, "dtype is"),
    (lambda a: a[..., np.newaxis], Status.NDIM, "ndim is"),
    (lambda a: np.zeros((1,) * 9, a.dtype), Status.NDIM, "ndim is 9"),
    (lambda a: np.array(a.flat[0]), Status.NDIM, "ndim is 0"),
    (masked, None, "mask"),
]
WIDE = [(misaligned, Status.MISALIGNED, "copy it"), (packed_field, Status.MISALIGNED, "copy it")]

ARRAYS = [
    (f, name, array) for f in calls.FUNCTIONS for name, array in calls.valid(f).items() if isinstance(array, np.ndarray)
]


def is_output(function, name):
    return name in calls.OUTPUTS.get(function, [])


def refused(function, arguments, argument, status, words):
    """Calls, and holds what comes out against what should."""
    given = all(arguments.get(name) is not None for name in calls.OUTPUTS.get(function, []))
    before = calls.outputs(function, arguments) if given else {}
    with pytest.raises(AbiError, match=words) as caught:
        calls.FUNCTIONS[function](**arguments)
    error = caught.value
    assert error.argument == argument
    assert str(error).startswith(f"{argument}: ")
    assert status is None or error.status is status
    expected = TypeError if error.status in (Status.DTYPE, Status.READONLY_OUTPUT) else ValueError
    assert isinstance(error, expected)
    if before:
        assert calls.outputs(function, arguments) == before
    return error


@pytest.mark.parametrize(
    ("function", "name", "array", "row"),
    [
        (f, n, a, row)
        for f, n, a in ARRAYS
        for row in ANY_ARRAY + (WIDE if a.itemsize > 1 else [])
        if not (n == "out" and row is NOTHING)  # which lets convolve make its output
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_an_array_of_the_wrong_kind_is_refused(function, name, array, row):
    change, status, words = row
    if change is swapped and array.itemsize == 1:
        change, words = (lambda a: a.astype(np.float64)), "dtype is float64"
    arguments = calls.valid(function)
    arguments[name] = change(array)
    refused(function, arguments, name, status, words)


@pytest.mark.parametrize(("function", "name"), [(f, n) for f, n, a in ARRAYS if is_output(f, n)])
class TestOutputs:
    def test_read_only(self, function, name):
        arguments = calls.valid(function)
        arguments[name] = readonly(arguments[name])
        refused(function, arguments, name, Status.READONLY_OUTPUT, "read-only.*copy")

    def test_read_only_file(self, function, name, tmp_path):
        arguments = calls.valid(function)
        array = arguments[name]
        array.tofile(tmp_path / "output")
        arguments[name] = np.memmap(tmp_path / "output", array.dtype, "r", shape=array.shape)
        refused(function, arguments, name, Status.READONLY_OUTPUT, "read-only")

    def test_overlap_with_itself(self, function, name):
        arguments = calls.valid(function)
        array = arguments[name]
        arguments[name] = np.lib.stride_tricks.as_strided(array, array.shape, (0,) * array.ndim)
        refused(function, arguments, name, Status.OVERLAP, "share memory")

    def test_broadcast(self, function, name):
        arguments = calls.valid(function)
        arguments[name] = np.broadcast_to(arguments[name].flat[0], arguments[name].shape)
        refused(function, arguments, name, Status.READONLY_OUTPUT, "read-only")

    def test_another_width(self, function, name):
        arguments = calls.valid(function)
        arguments[name] = arguments[name].astype("f4" if arguments[name].dtype == float else "i2")
        error = refused(function, arguments, name, Status.DTYPE, "dtype is (float32|int16), expected (float64|int8)")
        assert (error.expected, error.actual) in [(0x6608, 0x6604), (0x6901, 0x6902)]

    def test_masked_array_without_a_mask(self, function, name):
        arguments = calls.valid(function)
        arguments[name] = np.ma.masked_array(arguments[name])
        refused(function, arguments, name, Status.READONLY_OUTPUT, "mask would not know")

    def test_list(self, function, name):
        arguments = calls.valid(function)
        arguments[name] = arguments[name].tolist()
        refused(function, arguments, name, Status.DTYPE, "list is not an array")


def test_bool_is_no_int8_output():
    arguments = calls.valid("generate_options")
    arguments["new_sign"] = arguments["new_sign"].astype(bool)
    refused("generate_options", arguments, "new_sign", Status.DTYPE, "bool")


@pytest.mark.parametrize(
    ("function", "changes", "argument"),
    [
        ("generate_options", {"new_error": lambda c: c["x"][:, 20:27]}, "new_error"),
        ("generate_options", {"new_sign": lambda c: c["new_error"][::-1].view(np.int8)[:, ::8]}, "new_error"),
        ("generate_options", {"x_active": lambda c: c["new_sign"][:, 0]}, "new_sign"),
        ("update_error", {"x": lambda c: c["y_error"][::-1]}, "y_error"),
        ("update_error", {"indexes": lambda c: c["y_error"][:6].view("i8").reshape(3, 2)}, "y_error"),
        ("convolve", {"out": lambda c: c["x"][1]}, "out"),
    ],
)
def test_an_output_shares_no_memory(function, changes, argument):
    arguments = calls.valid(function)
    for name, change in changes.items():
        arguments[name] = change(arguments)
    refused(function, arguments, argument, Status.OVERLAP, "shares memory with")


# Shapes that do not agree: function, changes, the argument named, words.
SHAPES = [
    ("generate_options", {"x": lambda a: a[:, :99]}, "x", "axis 1 has length 99, but y_error fixed T = 120"),
    ("generate_options", {"x": lambda a: np.ascontiguousarray(a.T)}, "x", "transpose would fit"),
    ("generate_options", {"x": lambda a: a[:1]}, "x_pads", "but x fixed n = 1"),
    ("generate_options", {"x_active": lambda a: a[:2]}, "x_active", "length 2, but x fixed n = 3"),
    ("generate_options", {"i_start_by_x": lambda a: a[:2]}, "i_start_by_x", "length 2"),
    ("generate_options", {"i_stop_by_x": lambda a: np.append(a, 5)}, "i_stop_by_x", "length 4"),
    ("generate_options", {"indexes": lambda a: a.T}, "indexes", "axis 1 has length 4, expected 2"),
    ("generate_options", {"indexes": value(np.zeros((2, 0)))}, "indexes", "axis 1 has length 0, expected 2"),
    ("generate_options", {"new_error": lambda a: a[:2]}, "new_error", "axis 0 has length 2"),
    ("generate_options", {"new_sign": lambda a: a[:, :6].copy()}, "new_sign", "but new_error fixed L = 7"),
    ("update_error", {"x": lambda a: a[:-1]}, "x", "length 119"),
    ("update_error", {"indexes": lambda a: a[:, :1]}, "indexes", "length 1, expected 2"),
    ("error_for_indexes", {"indexes": lambda a: np.hstack([a, a])}, "indexes", "length 4, expected 2"),
    ("boosting_fit", {"x": lambda a: a[:, 1:]}, "x", "but y fixed T = 120"),
    ("boosting_fit", {"x": lambda a: np.ascontiguousarray(a.T)}, "x", "transpose would fit"),
    ("boosting_fit", {"x_pads": lambda a: a[:2]}, "x_pads", "length 2"),
    ("boosting_fit", {"split_validate": lambda a: a.T[:, :1]}, "split_validate", "expected 2"),
    ("boosting_fit", {"i_stop_by_x": lambda a: a[:2]}, "i_stop_by_x", "length 2"),
    ("boosting_runs", {"y": lambda a: np.ascontiguousarray(a.T)}, None, "transpose"),
    ("boosting_runs", {"split_validate": lambda a: a[:1]}, "split_validate", "split_train fixed n_splits = 2"),
    ("boosting_runs", {"split_train": lambda a: a[..., :1]}, "split_train", "expected 2"),
    ("convolve", {"h": lambda a: a[:2]}, "x", "but h fixed n = 2"),
    ("convolve", {"out": lambda a: a[:-1].copy()}, "out", "length 119"),
]


@pytest.mark.parametrize(("function", "changes", "argument", "words"), SHAPES)
def test_lengths_that_do_not_agree(function, changes, argument, words):
    arguments = calls.valid(function)
    for name, change in changes.items():
        arguments[name] = change(arguments[name])
    if argument is None:
        with pytest.raises(trfboost.AbiValueError, match=words):
            calls.FUNCTIONS[function](**arguments)
        return
    error = refused(function, arguments, argument, Status.LENGTH, words)
    assert error.axis is not None and error.expected != error.actual


# Values that the kernel refuses: function, argument, its change, the argument named, status, words.
SEGMENT_LISTS = {
    "generate_options": ["indexes"],
    "update_error": ["indexes"],
    "error_for_indexes": ["indexes"],
    "boosting_fit": ["split_train", "split_validate", "split_train_and_validate"],
    "convolve": ["segments"],
}
VALUES = [
    *(
        (function, name, value([row]), name, Status.SEGMENT, "0 <= start <= stop <= 120")
        for function, names in SEGMENT_LISTS.items()
        for name in names
        for row in ([0, 121], [-2, 5], [9, 8], [0, 2**62], [2**63 - 1, 2**63 - 1])
    ),
    ("boosting_runs", "split_validate", set_at((1, 0), [5, 121]), "split_validate", Status.SEGMENT, "121"),
    ("generate_options", "i_stop_by_x", set_at(1, 6), "i_stop_by_x", Status.LAG, "predictor 1"),
    ("generate_options", "i_start_by_x", set_at(2, -3), "i_start_by_x", Status.LAG, "predictor 2"),
    ("generate_options", "i_start_by_x", set_at(0, 6), "i_stop_by_x", Status.LAG, "predictor 0"),
    ("boosting_fit", "i_start_by_x", set_at(0, 6), "i_stop_by_x", Status.LAG, "predictor 0"),
    ("boosting_runs", "i_stop_by_x", set_at(1, -1), "i_stop_by_x", Status.LAG, "predictor 1"),
    *(
        (function, "error", value(number), "error", Status.VALUE, str(number))
        for function in ("generate_options", "error_for_indexes", "boosting_fit", "boosting_runs")
        for number in (0, 3, -1)
    ),
    *(
        (function, name, value(number), name, Status.VALUE, "expected a finite number > 0")
        for function, name in [
            ("generate_options", "delta"),
            ("boosting_fit", "delta"),
            ("boosting_fit", "mindelta"),
            ("boosting_runs", "mindelta"),
        ]
        for number in (0.0, -0.1, np.nan, np.inf, -1)
    ),
    ("update_error", "delta", value(np.inf), "delta", Status.VALUE, "inf"),
    ("boosting_fit", "selective_stopping", value(-1), "selective_stopping", Status.VALUE, "-1"),
    ("boosting_runs", "num_threads", value(-1), "num_threads", Status.VALUE, "-1"),
    *(
        (function, "x_pads", set_at(1, number), "x_pads", Status.NOT_FINITE, "predictor 1")
        for function in ("boosting_fit", "boosting_runs")
        for number in (np.nan, np.inf)
    ),
    ("boosting_fit", "y", set_at(17, np.nan), "y", Status.NOT_FINITE, "17"),
    ("boosting_fit", "y", set_at(100, -np.inf), "y", Status.NOT_FINITE, "100"),
    ("boosting_fit", "x", set_at((2, 17), np.nan), "x", Status.NOT_FINITE, "row 2, sample 17"),
    ("boosting_runs", "y", set_at((1, 17), np.nan), "y", Status.NOT_FINITE, "row 1, sample 17"),
    ("boosting_fit", "i_stop_by_x", lambda _: [-2, 0, 1], "i_stop_by_x", Status.NO_OPTION, "nothing to choose"),
]


@pytest.mark.parametrize(("function", "name", "change", "argument", "status", "words"), VALUES)
def test_values_out_of_range(function, name, change, argument, status, words):
    arguments = calls.valid(function)
    arguments[name] = change(arguments[name])
    refused(function, arguments, argument, status, words)


def test_numbers_outside_of_the_segments_do_not_matter():
    arguments, expected = calls.valid("boosting_fit"), calls.valid("boosting_fit")
    arguments["y"][55] = np.nan
    arguments["x"][:, 57] = np.inf
    arguments["split_train_and_validate"] = expected["split_train_and_validate"]
    assert calls.call("boosting_fit", arguments) == calls.call("boosting_fit", expected)


# Scalars: parameter, value, status, words.
SCALARS = [
    ("i_start", True, Status.DTYPE, "integer"),
    ("i_start", -2.0, Status.DTYPE, "integer"),
    ("i_start", "1", Status.DTYPE, "integer"),
    ("i_start", None, Status.DTYPE, "integer"),
    ("i_start", np.array([-2]), Status.NDIM, "single number"),
    ("i_start", [-2], Status.NDIM, "single number"),
    ("i_start", 2**63, Status.VALUE, "64 bits"),
    ("error", True, Status.DTYPE, "integer"),
    ("error", np.True_, Status.DTYPE, "integer"),
    ("error", 1.0, Status.DTYPE, "integer"),
    ("error", np.float64(1), Status.DTYPE, "integer"),
    ("error", np.array([2]), Status.NDIM, "single number"),
    ("error", 2**32 + 1, Status.VALUE, "32 bits"),
    ("error", "l1", Status.DTYPE, "integer"),
    ("delta", True, Status.DTYPE, "float"),
    ("delta", "0.1", Status.DTYPE, "float"),
    ("delta", None, Status.DTYPE, "float"),
    ("delta", 0.1j, Status.DTYPE, "float"),
    ("delta", np.longdouble("0.1"), Status.DTYPE, "float"),
    ("delta", np.array([0.1]), Status.NDIM, "single number"),
    ("delta", 10**400, Status.DTYPE, "float"),
]


@pytest.mark.parametrize(("name", "given", "status", "words"), SCALARS)
def test_scalars_of_the_wrong_kind(name, given, status, words):
    arguments = calls.valid("generate_options")
    arguments[name] = given
    refused("generate_options", arguments, name, status, words)


def test_ragged_lists():
    arguments = calls.valid("error_for_indexes") | {"indexes": [[0, 5], [7]]}
    refused("error_for_indexes", arguments, "indexes", Status.LENGTH, "array of numbers")


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1])
def test_integers_that_a_float_cannot_hold(number):
    arguments = calls.valid("error_for_indexes") | {"x": [number] * 120}
    refused("error_for_indexes", arguments, "x", Status.VALUE, "cannot hold exactly")


def test_unsigned_integers_above_int64():
    arguments = calls.valid("error_for_indexes") | {"indexes": np.array([[0, 2**63]], np.uint64)}
    refused("error_for_indexes", arguments, "indexes", Status.VALUE, "cannot hold exactly")


def test_float_indexes():
    arguments = calls.valid("error_for_indexes") | {"indexes": [[0.0, 5.0]]}
    error = refused("error_for_indexes", arguments, "indexes", Status.DTYPE, "dtype is float64, expected int64")
    assert (error.expected, error.actual) == (0x6908, 0x6608)


def test_a_view_that_leaves_its_array():
    arguments = calls.valid("error_for_indexes")
    arguments["x"] = np.lib.stride_tricks.as_strided(arguments["x"], (121,), (8,))
    arguments["indexes"] = [[0, 1]]
    refused("error_for_indexes", arguments, "x", Status.BOUNDS, "extent is 960")


def test_filters_that_fit_no_memory():
    arguments = calls.valid("boosting_fit") | {"i_stop_by_x": [2**62, 3, 5]}
    with pytest.raises(MemoryError, match="h: ") as caught:
        trfboost.boosting_fit(**arguments)
    assert caught.value.argument == "h" and caught.value.status is Status.OUT_OF_MEMORY


def test_errors_that_overflow():
    arguments = calls.valid("boosting_fit")
    arguments |= {"y": arguments["y"] * 1e200, "error": 2}
    refused("boosting_fit", arguments, "y", Status.NO_FINITE_ERROR, "scale")


def test_exceptions_can_be_pickled():
    error = refused("error_for_indexes", calls.valid("error_for_indexes") | {"error": 7}, "error", Status.VALUE, "7")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error) and str(copy) == str(error) and copy.__dict__ == error.__dict__

"""Views: what they describe, whose memory they take, and what they refuse."""

import array
import ctypes
import gc
import weakref

import calls
import numpy as np
import pandas
import pytest

import trfboost
from trfboost import VIEW_DTYPE, Status, View, lib


def summed(view):
    """Sum of absolute values through the raw function, over all of a 1-d view."""
    total = ctypes.c_double()
    lib.trfb_error_for_indexes(view, View.of(np.array([[0, view.shape[0]]])), 1, total, None)
    return total.value


def test_a_view_says_what_the_array_is():
    owner = np.arange(24.0).reshape(4, 6)
    part = owner[::-1, 1::2]
    view = View.of(part)
    assert (view.magic, view.size, view.version) == (0x56465254, 176, 1)
    assert (view.dtype, view.ndim, view.flags) == (0x6608, 2, 1)
    assert (view.data, view.base, view.extent) == (part.ctypes.data, owner.ctypes.data, owner.nbytes)
    assert list(view.shape) == [4, 3] + [0] * 6 and list(view.strides) == [-48, 16] + [0] * 6
    assert View.of(part, writable=True).flags == 0


@pytest.mark.parametrize(
    ("dtype", "code"),
    [
        ("?", 0x6201),
        ("i1", 0x6901),
        ("i8", 0x6908),
        (np.longlong, 0x6908),
        ("f8", 0x6608),
        ("f4", 0x6604),
        ("u2", 0x7502),
        ("c16", 0x6310),
    ],
)
def test_the_element_type_is_kind_and_size(dtype, code):
    assert View.of(np.zeros(3, dtype)).dtype == code


def test_the_structured_dtype_names_the_same_bytes():
    view = View.of(np.arange(24.0).reshape(4, 6)[::-1, 1::2])
    record = np.frombuffer(view, VIEW_DTYPE)[0]
    names = dict(zip(VIEW_DTYPE.names, (name for name, _ in View._fields_)))
    for ours, theirs in names.items():
        expected = getattr(view, theirs)
        assert np.array_equal(record[ours], list(expected) if ours in ("dim", "step") else expected)
    assert not any(hasattr(np.ndarray, name) for name in VIEW_DTYPE.names)


def test_a_record_array_of_views_can_be_passed_by_address():
    data, indexes = np.arange(5.0), np.array([[0, 5]])
    records = np.zeros(2, VIEW_DTYPE)
    for place, described in enumerate([data, indexes]):
        records[place] = np.frombuffer(View.of(described), VIEW_DTYPE)[0]
    total = ctypes.c_double()
    lib.trfb_error_for_indexes(records.ctypes.data, records.ctypes.data + VIEW_DTYPE.itemsize, 1, total, None)
    assert total.value == 10.0


def test_a_view_keeps_its_array_alive():
    view = View.of(np.ones((300, 300))[::2] * 1.0)
    junk = [np.full((150, 300), 7.0) for _ in range(20)]
    column = View.of(view.array[:, 0])
    alive = weakref.ref(view.array)
    gc.collect()
    assert summed(column) == 150.0 and len(junk) == 20
    del view, column
    gc.collect()
    assert alive() is None


BOUNDED = [
    (lambda a: a, True),
    (lambda a: a[3:], True),
    (lambda a: a[::-1], True),
    (lambda a: a.reshape(2, 5).T, True),
    (lambda a: np.broadcast_to(a[:, None], (10, 3)), True),
    (lambda a: np.lib.stride_tricks.as_strided(a, (5,), (16,)), True),
    (lambda a: a[:0], True),
    (lambda a: np.frombuffer(bytearray(80), "f8"), False),
]


@pytest.mark.parametrize(("part", "known"), BOUNDED)
def test_bounds_are_those_of_the_array_that_owns_the_memory(part, known):
    owner = np.arange(10.0)
    view = View.of(part(owner))
    assert (view.base or 0, view.extent) == ((owner.ctypes.data, 80) if known else (0, 0))


def test_another_meaning_of_base_gives_no_bounds():
    class Exporter:
        base = np.zeros(3)

        def __init__(self, array):
            self.array = array
            self.__array_interface__ = array.__array_interface__

    view = View.of(Exporter(np.arange(4.0)))
    assert view.extent == 0 and summed(view) == 6.0


def test_bounds_stop_a_view_that_leaves_its_array():
    outside = np.lib.stride_tricks.as_strided(np.arange(10.0), (11,), (8,))
    with pytest.raises(trfboost.AbiValueError, match="^x: ") as caught:
        summed(View.of(outside))
    assert caught.value.status is Status.BOUNDS


# ------------------------------------------------------------- whose memory


class Interface:
    """Only `__array_interface__`."""

    def __init__(self, array):
        self.kept = array
        self.__array_interface__ = array.__array_interface__


class OldCapsule:
    """Only DLPack as it was before versions."""

    def __init__(self, array):
        self.kept = array

    def __dlpack__(self, stream=None):
        return self.kept.__dlpack__()

    def __dlpack_device__(self):
        return self.kept.__dlpack_device__()


class VersionedCapsule(OldCapsule):
    """DLPack as it is now."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        newer = {} if max_version is None else {"max_version": max_version}
        return self.kept.__dlpack__(**newer)


class Converts:
    """Only `__array__`, giving out its own memory, as pandas and xarray do."""

    def __init__(self, array):
        self.kept = array

    def __array__(self, dtype=None, copy=None):
        return self.kept


class Copies(Converts):
    """Only `__array__`, a new copy each time."""

    def __array__(self, dtype=None, copy=None):
        return self.kept.copy()


NUMPY_KNOWS_VERSIONS = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)


@pytest.mark.parametrize("wrap", [Interface, OldCapsule, VersionedCapsule, Converts, memoryview])
def test_memory_is_taken_without_a_copy_and_kept_alive(wrap):
    owner = np.arange(20.0)[::-2]
    view = View.of(wrap(owner))
    assert view.data == owner.ctypes.data and view.flags == 1 and list(view.strides)[0] == -16
    address = owner.ctypes.data
    del owner
    gc.collect()
    assert view.data == address and summed(view) == 100.0


@pytest.mark.parametrize("wrap", [Interface, Converts, memoryview])
def test_memory_that_may_be_written_can_be_an_output(wrap):
    owner = np.arange(5.0)
    trfboost.update_error(wrap(owner), np.ones(5), 0.0, [[0, 5]], 1.0, 0)
    assert owner.tolist() == [-1, 0, 1, 2, 3]


@pytest.mark.parametrize("wrap", [Interface, Converts, memoryview])
def test_memory_that_may_not_be_written_is_no_output(wrap):
    owner = np.arange(5.0)
    owner.flags.writeable = False
    with pytest.raises(trfboost.AbiTypeError, match="^y_error: read-only"):
        trfboost.update_error(wrap(owner), np.ones(5), 0.0, [[0, 5]], 1.0, 0)
    assert summed(View.of(wrap(owner))) == 10.0


def test_an_unversioned_capsule_is_no_output():
    owner = np.arange(5.0)
    with pytest.raises(trfboost.AbiTypeError, match="^y_error: read-only"):
        trfboost.update_error(OldCapsule(owner), np.ones(5), 0.0, [[0, 5]], 1.0, 0)
    assert owner.tolist() == [0, 1, 2, 3, 4]


def test_an_unversioned_capsule_of_a_read_only_array_is_refused_with_the_exporters_words():
    owner = np.arange(5.0)
    owner.flags.writeable = False
    with pytest.raises(trfboost.AbiTypeError, match="OldCapsule did not give out its memory.*pass a NumPy array"):
        View.of(OldCapsule(owner))


def test_a_versioned_capsule_carries_the_right_to_write():
    owner = np.arange(5.0)
    update = [np.ones(5), 0.0, [[0, 5]], 1.0, 0]
    if NUMPY_KNOWS_VERSIONS:
        trfboost.update_error(VersionedCapsule(owner), *update)
        assert owner.tolist() == [-1, 0, 1, 2, 3]
    owner.flags.writeable = False
    with pytest.raises(trfboost.AbiTypeError):
        trfboost.update_error(VersionedCapsule(owner), *update)


def test_memory_on_another_device_is_refused():
    class OnDevice(OldCapsule):
        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(trfboost.AbiTypeError, match="^x: .*device 2 of DLPack"):
        trfboost.error_for_indexes(OnDevice(np.ones(3)), [[0, 3]], 1)


def test_a_copy_is_no_memory_to_describe():
    with pytest.raises(trfboost.AbiTypeError, match="copies of its values"):
        View.of(Copies(np.ones(3)))
    with pytest.raises(trfboost.AbiTypeError, match="^y_error: .*copies"):
        trfboost.update_error(Copies(np.ones(3)), np.ones(3), 0.0, [[0, 3]], 1.0, 0)
    assert trfboost.error_for_indexes(Copies(np.ones(3)), [[0, 3]], 1) == 3.0  # an input: as good as any


@pytest.mark.parametrize("thing", [[1.0, 2.0], 3.0, np.float64(3), "text", None, object()])
def test_what_is_no_array_has_no_view(thing):
    with pytest.raises(trfboost.AbiTypeError, match="is not an array"):
        View.of(thing)


REFUSED = [
    (np.ones(3, ">f8"), Status.DTYPE, r"byte order.*\(>f8\).*astype\('float64'\)"),
    (np.array([1, "a"], object), Status.DTYPE, "dtype is object"),
    (np.array(["2020"], "M8[Y]"), Status.DTYPE, "dtype is datetime64"),
    (np.ma.masked_equal(np.arange(3.0), 1), Status.VALUE, "masked elements"),
    (np.zeros((1,) * 9), Status.NDIM, "at most 8"),
]


@pytest.mark.parametrize(("given", "status", "words"), REFUSED)
def test_arrays_that_cannot_be_described(given, status, words):
    with pytest.raises(trfboost.AbiError, match=words) as caught:
        View.of(given)
    assert caught.value.status is status


def test_empty_arrays_have_views_wherever_they_are():
    odd = np.frombuffer(bytearray(9), "f8", 0, offset=1)
    assert summed(View.of(odd)) == 0.0
    assert summed(View.of(array.array("d"))) == 0.0


def test_a_stride_of_a_single_row_is_ignored():
    absurd = np.lib.stride_tricks.as_strided(np.ones((1, 4)), (1, 4), (2**63 - 1, 8))
    arguments = [np.zeros(4), absurd, [0], [1], [[0, 4]], 0, [0], [1], 1, 0.5, np.zeros((1, 1)), np.zeros((1, 1), "i1")]
    trfboost.generate_options(*arguments)
    assert arguments[-2] == 2.0


# --------------------------------------------------------------------- pandas


def test_series_and_frames_are_inputs():
    series = pandas.Series(np.arange(6.0))
    assert View.of(series).data == series.to_numpy().ctypes.data
    assert trfboost.error_for_indexes(series, [[0, 6]], 1) == 15.0
    frame = pandas.DataFrame({"start": [0, 3], "stop": [2, 6]})
    assert trfboost.error_for_indexes(series, frame, 1) == 13.0


def test_a_series_is_an_output_if_pandas_lets_its_values_be_written():
    series = pandas.Series(np.arange(6.0))
    update = [np.ones(6), 0.0, [[0, 6]], 1.0, 0]
    if np.asarray(series).flags.writeable:  # before pandas 3
        trfboost.update_error(series, *update)
        assert series.tolist() == [-1, 0, 1, 2, 3, 4]
        return
    with pytest.raises(trfboost.AbiTypeError, match=r"^y_error: read-only.*\.copy\(\)"):
        trfboost.update_error(series, *update)
    with pytest.raises(trfboost.AbiTypeError, match="^y_error: read-only"):
        trfboost.update_error(pandas.DataFrame({"e": np.arange(6.0)})["e"].to_numpy(), *update)
    assert series.tolist() == [0, 1, 2, 3, 4, 5]


def test_masked_elements_are_missing_in_a_series_and_found_as_such():
    arguments = calls.valid("boosting_fit")
    arguments["y"] = pandas.Series(np.ma.masked_array(arguments["y"], mask=np.arange(120) == 17))
    with pytest.raises(trfboost.AbiValueError, match="^y: sample 17 is NaN"):
        trfboost.boosting_fit(**arguments)


def test_mixed_frames_are_refused():
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [True, "y"]})
    with pytest.raises(trfboost.AbiTypeError, match="^x: dtype is object.*astype"):
        trfboost.convolve(np.ones((2, 1)), frame, [0, 0], 0, [[0, 2]])

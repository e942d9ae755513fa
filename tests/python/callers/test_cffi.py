"""cffi in ABI mode: declarations from the installed header, arrays in any layout, errors as they come."""
import re

import cffi
import numpy as np
import pytest
import trfboost
from trfboost import _layout
from trfboost import lib as ctypes_lib

FFI = cffi.FFI()
FFI.cdef(trfboost.cdef())
LIB = FFI.dlopen(trfboost.library_path())
ROWS = list(_layout.rows(ctypes_lib.trfb_abi_layout()))

SEGMENTS = np.array([[0, 40, 9], [50, 90, 9]])[:, :2]


def view(array, writable=False):
    """The descriptor of an array; cffi keeps it, and it keeps the array, alive."""
    return FFI.from_buffer("trfb_view *", trfboost.View.of(array, writable))


def called(function, *arguments):
    """Status, and what the library says."""
    details = FFI.new("trfb_error *", {"size": FFI.sizeof("trfb_error"), "argument": -1})
    status = function(*arguments, details)
    return status, FFI.string(details.message).decode(), details


def test_the_declarations_are_those_of_the_library():
    for row in ROWS:
        if row.kind == 1:
            assert (FFI.alignof(row.name), FFI.sizeof(row.name)) == (row.offset, row.size)
        elif row.kind == 2:
            assert FFI.offsetof(row.owner, row.name) == row.offset
            fields = dict(FFI.typeof(row.owner).fields)
            assert FFI.sizeof(fields[row.name].type) == row.size
        else:
            assert getattr(LIB, row.name) == row.offset
    assert {row.name for row in ROWS if row.kind == 1} == set(FFI.list_types()[0]) - {"trfb_progress"}


def test_the_declarations_hold_nothing_for_a_compiler():
    text = trfboost.cdef()
    assert not re.search(r"/\*|//|#(?!define TRFB_\w+ \w+$)|extern|inline|TRFB_NO_INLINE", text, re.M)
    functions = set(re.findall(r"\b(trfb_\w+)\(", text))
    assert functions == {name for name in ctypes_lib.__all__ if name.startswith("trfb_")}


def test_arrays_in_any_layout():
    rng = np.random.default_rng(1)
    recording = rng.normal(size=(3, 200, 2))
    layouts = {
        "strided": recording[0, ::2, :].T,
        "Fortran order": np.asfortranarray(recording[0, :100].T),
        "reversed": recording[1, ::-2].T,
        "a slice of three dimensions": recording[::2, 5:105, 1],
    }
    h = rng.normal(size=(4, 2)).T[:, ::-1]
    for name, x in layouts.items():
        out = np.zeros((100, 3))[:, 1]
        status, message, _ = called(
            LIB.trfb_convolve, view(h), view(x), view(np.zeros(2)), -1, view(SEGMENTS), view(out, writable=True)
        )
        assert (status, message) == (0, ""), name
        expected = np.zeros(100)
        trfboost.convolve(h.copy(), x.copy(), np.zeros(2), -1, SEGMENTS.copy(), expected)
        np.testing.assert_array_equal(out, expected, err_msg=name)
        assert expected.any()


def test_a_descriptor_filled_by_hand():
    signal = np.arange(200.0).reshape(100, 2)
    by_hand = FFI.new("trfb_view *", {
        "magic": LIB.TRFB_VIEW_MAGIC, "size": FFI.sizeof("trfb_view"), "version": LIB.TRFB_ABI_VERSION,
        "dtype": LIB.TRFB_FLOAT64, "ndim": 1, "flags": LIB.TRFB_READONLY,
        "data": FFI.cast("void *", signal.ctypes.data), "shape": [100], "strides": [16],
    })  # fmt: skip
    total = FFI.new("double *")
    assert called(LIB.trfb_error_for_indexes, by_hand, view(SEGMENTS), LIB.TRFB_L1, total)[0] == 0
    assert total[0] == signal[:40, 0].sum() + signal[50:90, 0].sum()


def test_progress_is_called_and_cancels():
    calls = []

    @FFI.callback("trfb_progress")
    def progress(user, done, total):
        calls.append((done, total))
        return done >= 1

    rng = np.random.default_rng(2)
    y, x = rng.normal(size=(200, 3)).T, rng.normal(size=(2, 400))[:, ::2]
    hs, failed = np.full((1, 3, 2, 4), 7.0), np.full((1, 3), 7, np.int8)
    train, validate, both = (view(np.array([[rows]])) for rows in ([0, 150], [150, 200], [0, 200]))
    lags = view(np.zeros(2, int)), view(np.full(2, 4))
    status, message, _ = called(
        LIB.trfb_boosting_runs, view(y), view(x), view(np.zeros(2)), train, validate, both, *lags, 0.05, 0.05, 1, 0, 1,
        view(hs, True), view(failed, True), FFI.NULL, FFI.NULL, progress, FFI.NULL,
    )  # fmt: skip
    assert status == LIB.TRFB_STATUS_CANCELLED, message
    assert calls[0] == (0, 3) and calls[-1][0] >= 1
    assert np.all(hs == 7) and np.all(failed == 7)


# ------------------------------------------------------------------- misuse


def test_a_bare_pointer_is_refused_by_cffi_and_behind_a_cast_by_the_library():
    signal, total = np.ones(100), FFI.new("double *")
    data = FFI.cast("double *", signal.ctypes.data)
    with pytest.raises(TypeError, match="trfb_view"):
        LIB.trfb_error_for_indexes(data, view(SEGMENTS), 1, total, FFI.NULL)
    status, message, details = called(
        LIB.trfb_error_for_indexes, FFI.cast("trfb_view *", data), view(SEGMENTS), 1, total
    )
    assert status == LIB.TRFB_STATUS_NOT_A_VIEW and message.startswith("x: ") and details.argument == 0


@pytest.mark.parametrize(("signal", "writable", "status", "words"), [
    (np.ones(100, np.float32), True, "DTYPE", "float32"),
    (np.ones(100), False, "READONLY_OUTPUT", "read-only"),
    (np.ones(99), True, "LENGTH", "99"),
], ids=["float32 for float64", "a read-only output", "lengths that do not agree"])  # fmt: skip
def test_misuse_is_a_status_and_a_sentence(signal, writable, status, words):
    x = np.ones(200)[::2]
    before = signal.copy()
    found, message, details = called(
        LIB.trfb_update_error, view(signal, writable), view(x), 0.0, view(SEGMENTS), 0.5, 1
    )
    assert found == getattr(LIB, f"TRFB_STATUS_{status}") == details.status
    assert words in message and re.match("y_error: |x: ", message), message
    np.testing.assert_array_equal(signal, before)

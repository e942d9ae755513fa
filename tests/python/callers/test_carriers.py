"""Whatever carries an array goes into the functions as it is, and what cannot be taken is refused with a sentence."""
import array
import ctypes

import numpy as np
import pandas as pd
import pytest
import trfboost
import xarray as xr

TIME = 100
SEGMENTS = np.array([[0, 60], [70, 100]])


class Interface:
    """Gives out its memory by `__array_interface__`."""

    def __init__(self, memory):
        self.memory = memory
        self.__array_interface__ = memory.__array_interface__


class Tensor:
    """Gives out its memory by `__dlpack__`, as tensors of other libraries do."""

    def __init__(self, memory, device=1):
        self.memory = memory
        self.device = device

    def __dlpack__(self, **how):
        return self.memory.__dlpack__(**how)

    def __dlpack_device__(self):
        return (self.device, 0)


class OldTensor(Tensor):
    """Knows the protocol of before versions, whose capsules say nothing of the right to write."""

    def __dlpack__(self, *, stream=None):
        return self.memory.__dlpack__()


CARRIERS = {
    "NumPy": lambda signal: signal,
    "memoryview": memoryview,
    "array.array": lambda signal: array.array("d", signal),
    "ctypes": lambda signal: (ctypes.c_double * signal.size)(*signal),
    "__array_interface__": Interface,
    "__dlpack__": Tensor,
    "__dlpack__ without version": OldTensor,
    "pandas.Series": pd.Series,
    "pandas.DataFrame": lambda signal: pd.DataFrame({"other": 0 * signal, "signal": signal})["signal"],
    "xarray.DataArray": lambda signal: xr.DataArray(signal, dims="time"),
}


def signal():
    """Not contiguous, and reversed."""
    return np.random.default_rng(0).normal(size=2 * TIME)[::-2]


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
def test_a_signal(carrier):
    expected = trfboost.error_for_indexes(signal().copy(), SEGMENTS, 2)
    assert expected > 0 and trfboost.error_for_indexes(carrier(signal()), SEGMENTS, 2) == expected


TABLES = {
    "memoryview": memoryview,
    "__array_interface__": Interface,
    "__dlpack__": Tensor,
    "pandas.DataFrame": lambda x: pd.DataFrame(x.T).T,
    "xarray.DataArray": lambda x: xr.DataArray(x.T, dims=("time", "band")).transpose("band", "time"),
}


@pytest.mark.parametrize("carrier", TABLES.values(), ids=TABLES)
def test_predictors(carrier):
    x = np.random.default_rng(1).normal(size=(TIME, 3)).T
    h = np.random.default_rng(2).normal(size=(3, 4))
    found, expected = np.zeros(TIME), np.zeros(TIME)
    trfboost.convolve(carrier(h), carrier(x), np.zeros(3), 0, SEGMENTS, found)
    trfboost.convolve(h.copy(), x.copy(), np.zeros(3), 0, SEGMENTS, expected)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("carrier", CARRIERS.values(), ids=CARRIERS)
def test_a_fit(carrier):
    x = np.random.default_rng(1).normal(size=(TIME, 2)).T
    split = [[0, 60]], [[70, 100]], SEGMENTS
    rest = np.zeros(2), *split, [0, 0], [3, 3], 0.05, 0.05, 1
    h, history = trfboost.boosting_fit(carrier(signal()), x, *rest)
    expected_h, expected = trfboost.boosting_fit(signal().copy(), x.copy(), *rest)
    assert len(expected) > 3 and np.array(history).tobytes() == np.array(expected).tobytes()
    assert h.tobytes() == expected_h.tobytes()


# An output is written where it lies: these give out their own memory, and the right to write.
WRITTEN = ["NumPy", "memoryview", "array.array", "ctypes", "__array_interface__", "xarray.DataArray"]


@pytest.mark.parametrize("name", WRITTEN)
def test_an_output_is_written_in_place(name):
    residual = CARRIERS[name](signal())
    trfboost.update_error(residual, np.ones(TIME), 0, SEGMENTS, 0.5, 0)
    expected = signal().copy()
    expected[:60] -= 0.5
    expected[70:] -= 0.5
    np.testing.assert_array_equal(np.asarray(residual), expected)


READONLY = {
    "NumPy": lambda signal: signal,
    "memoryview": memoryview,
    "__array_interface__": Interface,
    "__dlpack__": Tensor,
    "__dlpack__ without version": OldTensor,
    "pandas.Series": lambda signal: pd.Series(signal, copy=False),
    "xarray.DataArray": lambda signal: xr.DataArray(signal, dims="time"),
}


@pytest.mark.parametrize("name", READONLY)
def test_what_is_read_only_stays_so(name):
    memory = signal()
    # NumPy's own capsules without version are refused by NumPy for arrays that are read-only.
    memory.flags.writeable = name == "__dlpack__ without version"
    with pytest.raises(TypeError, match="^y_error: .*read-only") as caught:
        trfboost.update_error(READONLY[name](memory), np.ones(TIME), 0, SEGMENTS, 0.5, 0)
    assert caught.value.status == trfboost.Status.READONLY_OUTPUT
    np.testing.assert_array_equal(memory, signal())


@pytest.mark.parametrize("device", [2, 8, 10], ids=["CUDA", "Metal", "ROCm"])
def test_a_tensor_on_another_device_is_refused_with_a_sentence(device):
    """And not asked for its memory, whose address means nothing here."""

    class Elsewhere(Tensor):
        def __dlpack__(self, **how):
            raise AssertionError("asked for the memory")

    with pytest.raises(TypeError, match=f"^x: Elsewhere .* device {device} .*not on the CPU") as caught:
        trfboost.error_for_indexes(Elsewhere(signal(), device), SEGMENTS, 1)
    assert caught.value.argument == "x"


def test_an_output_without_memory_of_its_own_is_refused():
    """A table of two types has no array that is its memory: a copy would be written, and lost."""
    table = pd.DataFrame({"a": np.ones(3), "b": [1, 2, 3]}).T
    with pytest.raises(TypeError, match="^out: "):
        trfboost.convolve(np.ones((1, 1)), np.ones((1, 3)), [0], 0, [[0, 3]], table)


def test_float32_converts_as_an_input_only():
    residual = np.ones(TIME, np.float32)
    assert trfboost.error_for_indexes(pd.Series(residual), SEGMENTS, 1) == 90
    with pytest.raises(TypeError, match="^y_error: .*float32"):
        trfboost.update_error(xr.DataArray(residual), np.ones(TIME), 0, SEGMENTS, 0.5, 0)
    assert np.all(residual == 1)

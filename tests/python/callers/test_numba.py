"""The functions inside of `@njit` code: any layout, threads, caches, and what a wrong call says."""
import ctypes
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import trfboost
import trfboost.numba as core
from numba import njit, prange
from numba.core.errors import TypingError
from trfboost.numba import view

sys.path.append(str(Path(__file__).parents[1] / "differential"))
import definition  # noqa: E402
from problems import random_problem, scattered  # noqa: E402


@njit
def options(y_error, x, x_pads, x_active, indexes, i_start, i_start_by_x, i_stop_by_x, error, delta, new_error, new_sign):
    core.generate_options(
        y_error, x, x_pads, x_active, indexes, i_start, i_start_by_x, i_stop_by_x, error, delta, new_error, new_sign
    )


def expected_options(p):
    columns = int(p.i_stop_by_x.max() - p.i_start_by_x.min())
    new_error, new_sign = np.full((len(p.x), columns), -7.0), np.full((len(p.x), columns), 7, "i1")
    for i in range(len(p.x)):
        for lag in range(p.i_start_by_x[i], p.i_stop_by_x[i]):
            place = i, lag - p.i_start_by_x.min()
            new_error[place], new_sign[place] = definition.option(
                p.y[0], p.x[i], p.x_pads[i], p.split_train[0], p.error, p.delta, lag
            )
    return new_error, new_sign


def outputs(p):
    columns = int(p.i_stop_by_x.max() - p.i_start_by_x.min())
    return np.full((len(p.x), columns), -7.0), np.full((len(p.x), columns), 7, "i1")


def options_arguments(p):
    active = np.ones(len(p.x), "i1")
    return [p.y[0], p.x, p.x_pads, active, p.split_train[0], int(p.i_start_by_x.min()), p.i_start_by_x, p.i_stop_by_x,
            p.error, p.delta]


@pytest.mark.parametrize("seed", range(8))
def test_options_of_arrays_in_any_layout(seed):
    """What could not be called: slices of larger arrays, handed on by a nopython function."""
    problem = random_problem(seed)
    found = outputs(problem)
    options(*options_arguments(scattered(problem, seed)), *found)
    for ours, expected in zip(found, expected_options(problem)):
        assert ours.tobytes() == expected.tobytes()


def test_outputs_may_be_slices_too():
    problem = random_problem(3)
    n, columns = outputs(problem)[0].shape
    errors, signs = np.full((columns * 2, n), -7.0).T[::-1, ::2], np.full((n * 3, columns), 7, "i1")[::3]
    options(*options_arguments(problem), errors, signs)
    expected = expected_options(problem)
    np.testing.assert_array_equal(errors, expected[0])
    np.testing.assert_array_equal(signs, expected[1])


@njit
def everything(y, x, x_pads, train, validate, both, i_start_by_x, i_stop_by_x, delta, mindelta, error, limit):
    """All six functions on slices, as a user's own loop over signals would call them."""
    n_y, samples = y.shape
    n, columns = x.shape[0], i_stop_by_x.max() - i_start_by_x.min()
    hs, failed = np.zeros((train.shape[0], n_y, n, columns)), np.zeros((train.shape[0], n_y), np.int8)
    steps = np.zeros((train.shape[0], n_y), np.int64)
    core.boosting_runs(y, x, x_pads, train, validate, both, i_start_by_x, i_stop_by_x, delta, mindelta, error, limit,
                       2, hs, failed, steps)
    h, history = np.zeros((n, columns)), np.zeros((5000, 6))
    stop, entries, best = core.boosting_fit(y[0], x, x_pads, train[0], validate[0], both[0], i_start_by_x,
                                            i_stop_by_x, delta, mindelta, error, limit, h, history)
    prediction = np.zeros(samples)
    core.convolve(h, x, x_pads, i_start_by_x.min(), both[0], prediction)
    residual = y[0].copy()
    core.update_error(residual, x[0], x_pads[0], both[0], 0.5, 2)
    return hs, failed, steps, h, history[:entries], stop, best, prediction, core.error_for_indexes(residual, both[0], error)


@pytest.mark.parametrize("seed", range(4))
def test_all_functions_give_what_the_package_gives(seed):
    problem = random_problem(100 + seed, n_y=2, n_splits=2)
    hs, failed, steps, h, history, stop, best, prediction, error = everything(*scattered(problem, seed).arguments())
    expected_hs, expected_failed, expected_steps, _ = trfboost.boosting_runs(*problem.arguments(), 1, return_details=True)
    np.testing.assert_array_equal(hs, expected_hs)
    np.testing.assert_array_equal(failed, expected_failed)
    np.testing.assert_array_equal(steps, expected_steps)
    expected_h, expected_history, details = trfboost.boosting_fit(*problem.one(), return_details=True)
    np.testing.assert_array_equal(h, expected_h)
    np.testing.assert_array_equal(history, np.array(expected_history))
    assert (stop, len(history), best) == (details.stop, details.entries, details.best_step)
    expected = np.zeros_like(prediction)
    both = problem.split_train_and_validate[0]
    trfboost.convolve(h, problem.x, problem.x_pads, int(problem.i_start_by_x.min()), both, expected)
    np.testing.assert_array_equal(prediction, expected)
    residual = problem.y[0].copy()
    trfboost.update_error(residual, problem.x[0], problem.x_pads[0], both, 0.5, 2)
    assert error == trfboost.error_for_indexes(residual, both, problem.error)


SEGMENTS = np.array([[0, 10]])


@njit
def energy(x, indexes):
    return core.error_for_indexes(x, indexes, 2)


def test_a_read_only_array_is_an_input():
    x = np.arange(10.0)
    x.setflags(write=False)
    assert energy(x, SEGMENTS) == 285.0
    assert energy(np.broadcast_to(2.0, 10), SEGMENTS) == 40.0


@njit
def energy_of_a_temporary(indexes):
    total = 0.0
    for i in range(100):
        total += core.error_for_indexes(np.ones(3000)[::300] * i, indexes, 2)
        np.full(3000, np.nan)
    return total


def test_a_temporary_lives_until_the_call_is_over():
    assert energy_of_a_temporary(SEGMENTS) == 10.0 * sum(i * i for i in range(100))


@njit(parallel=True, nogil=True)
def in_parallel(ys, xs, indexes, delta):
    """Each iteration has a residual and views of its own. One residual for all would be a race."""
    errors = np.zeros(ys.shape[0])
    for i in prange(ys.shape[0]):
        residual = ys[i].copy()
        core.update_error(residual, xs[:, i], 0.5, indexes, delta, 3)
        errors[i] = core.error_for_indexes(residual[::-1], indexes, 1)
    return errors


def test_prange_gives_the_bits_of_a_loop_every_time():
    rng = np.random.default_rng(5)
    ys, xs, indexes = rng.normal(size=(64, 300)), rng.normal(size=(300, 64)), np.array([[0, 150], [150, 300]])
    residuals = ys.copy()
    for i, residual in enumerate(residuals):
        trfboost.update_error(residual, xs[:, i], 0.5, indexes, 0.1, 3)
    expected = np.array([trfboost.error_for_indexes(residual[::-1], indexes, 1) for residual in residuals])
    for _ in range(200):
        np.testing.assert_array_equal(in_parallel(ys, xs, indexes, 0.1), expected)


CACHED = """
    import sys
    import numpy as np
    from numba import njit
    from trfboost.numba import error_for_indexes

    @njit(cache=True)
    def inner(x, indexes):
        return error_for_indexes(x, indexes, 1)

    @njit(cache=True)
    def middle(x, indexes):
        return inner(x[::2], indexes) + 1

    @njit(cache=True)
    def outer(x, indexes):
        return middle(x[::-1], indexes) + 1

    print(outer(np.arange(12.0), np.array([[0, 6]])), sum(outer.stats.cache_hits.values()))
"""


def test_the_cache_works_in_other_processes_and_after_the_library_moved(tmp_path):
    script = tmp_path / "cached.py"
    script.write_text(textwrap.dedent(CACHED))

    def run(**variables):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), **variables}
        finished = subprocess.run([sys.executable, script], capture_output=True, text=True, env=environment)
        assert finished.returncode == 0, finished.stderr
        return finished.stdout.split()

    assert run() == ["38.0", "0"]
    assert run() == ["38.0", "1"]
    moved = tmp_path / "elsewhere" / "libtrfboost.so"
    moved.parent.mkdir()
    shutil.copy(trfboost.library_path(), moved)
    assert run(TRFBOOST_LIBRARY=str(moved)) == ["38.0", "1"]


def refused_when_compiled(*arguments):
    problem = random_problem(1)
    given = [*options_arguments(problem), *outputs(problem)]
    for index, value in arguments:
        given[index] = value
    with pytest.raises(TypingError) as caught:
        options(*given)
    return str(caught.value)


def test_what_types_show_is_an_error_of_the_compilation():
    problem = random_problem(1)
    assert "generate_options: x is array(float32" in refused_when_compiled((1, problem.x.astype("f4")))
    assert "generate_options: y_error is array(float64, 2d" in refused_when_compiled((0, problem.y))
    assert "generate_options: x_active is array(bool" in refused_when_compiled((3, np.ones(len(problem.x), bool)))
    assert "generate_options: delta is bool" in refused_when_compiled((9, True))
    assert "generate_options: error is float64" in refused_when_compiled((8, 1.0))
    read_only = outputs(problem)[0]
    read_only.setflags(write=False)
    assert "generate_options: new_error is read-only" in refused_when_compiled((10, read_only))
    # The bare address of the data, which is what this module makes unnecessary.
    assert "generate_options: x is int64" in refused_when_compiled((1, problem.x.ctypes.data))


@njit
def status_of(x, indexes):
    return core.error_for_indexes_status(x, indexes, error=1)


@njit
def caught(x, indexes):
    try:
        return core.error_for_indexes(x, indexes, 1)
    except Exception:  # Numba matches no other class
        return -1.0


def test_what_a_call_shows_is_an_exception_or_a_status():
    x, beyond = np.arange(10.0), np.array([[0, 11]])
    with pytest.raises(ValueError) as raised:
        energy(x, beyond)
    _, argument, status, axis = raised.value.args
    assert (argument, trfboost.Status(status), axis) == ("indexes", trfboost.Status.SEGMENT, 0)
    assert status_of(x, beyond)[0] == trfboost.Status.SEGMENT
    assert status_of(x, SEGMENTS) == (0, 45.0)
    assert caught(x, beyond) == -1.0

    problem = random_problem(1)
    given, found = options_arguments(problem), outputs(problem)
    with pytest.raises(ValueError) as raised:
        options(*given, found[0][:, :-1], found[1])
    assert raised.value.args[1:3] == ("new_sign", trfboost.Status.LENGTH)
    assert np.all(found[0] == -7) and np.all(found[1] == 7)
    given[8] = 3
    with pytest.raises(ValueError) as raised:
        options(*given, *found)
    assert raised.value.args[1:3] == ("error", trfboost.Status.VALUE)


@njit
def described(array):
    return view(array)


@njit
def checked(array, views, check):
    """A library of one's own that takes descriptors."""
    core.write_view(views, 1, array)
    address = views.ctypes.data + views.itemsize
    status = check(address, 0x6608, 1, 1, 0)
    return status + 0 * array.size


def test_a_descriptor_for_another_library():
    array = np.arange(24.0).reshape(2, 3, 4)[::-1, :, ::2]
    (found,) = described(array)
    expected = trfboost.View.of(array)
    assert (found["magic"], found["size_of"], found["version"]) == (expected.magic, expected.size, expected.version)
    assert (found["type"], found["rank"], found["addr"]) == (0x6608, 3, array.ctypes.data)
    assert tuple(found["dim"][:3]) == array.shape and tuple(found["step"][:3]) == array.strides
    assert found["bits"] == 0
    array.setflags(write=False)
    assert described(array)[0]["bits"] == 1

    library = ctypes.CDLL(trfboost.library_path())
    check = library.trfb_view_check
    check.argtypes = [ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p]
    check.restype = ctypes.c_int32
    views = np.empty(2, trfboost.VIEW_DTYPE)
    assert checked(np.zeros(5)[::2], views, check) == 0
    assert checked(np.zeros((5, 2)), views, check) == trfboost.Status.NDIM
    with pytest.raises(IndexError):
        checked(np.zeros(5), views[:1], check)
    with pytest.raises(TypingError, match="expected numbers"):
        described(np.array(["text"]))


def test_in_python_the_package_is_pointed_to():
    with pytest.raises(TypeError, match="in Python call trfboost.convolve"):
        core.convolve()

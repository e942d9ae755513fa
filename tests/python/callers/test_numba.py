"""The functions inside of `@njit` code: any layout, threads, caches, and what a wrong call says."""
import ctypes
import os
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import definition
import numpy as np
import pytest
import trfboost
import trfboost.numba as core
from numba import njit, prange, types
from numba.core.errors import TypingError
from problems import random_problem, scattered
from trfboost import lib
from trfboost.numba import view
from trfboost.numba._parameters import PARAMETERS, Array, Scalar


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
def temporary(i):
    """An array that nothing else keeps, in memory so large that it is gone when it is freed."""
    return (np.ones(300_000) * i)[::30_000]


@njit
def energy_of_a_temporary(indexes):
    """The call is the last use of a variable: Numba frees it right after, not at the block's end."""
    total = 0.0
    for i in range(100):
        signal = temporary(i)
        total += core.error_for_indexes(signal, indexes, 2)
        np.full(300_000, np.nan)
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


@njit(nogil=True)
def residual_error(y, x, indexes, delta):
    residual = y.copy()
    for _ in range(300):
        core.update_error(residual, x, 0.5, indexes, delta, 3)
    return core.error_for_indexes(residual, indexes, 2)


def test_threads_without_the_gil_do_not_disturb_each_other():
    rng = np.random.default_rng(6)
    ys, x, indexes = rng.normal(size=(64, 2000)), rng.normal(size=2000), np.array([[0, 2000]])
    expected = [residual_error(y, x, indexes, 1e-3) for y in ys]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda y: residual_error(y, x, indexes, 1e-3), ys)) == expected


@njit(parallel=True)
def runs_in_parallel(y, x, x_pads, train, validate, both, i_start_by_x, i_stop_by_x, delta, mindelta, error, limit, hs):
    for i in prange(hs.shape[0]):
        failed = np.zeros((train.shape[0], y.shape[0]), np.int8)
        core.boosting_runs(y, x, x_pads, train, validate, both, i_start_by_x, i_stop_by_x, delta, mindelta, error,
                           limit, 3, hs[i], failed, None, None)


def test_a_function_that_starts_threads_may_be_called_in_prange():
    problem = random_problem(100, n_y=2, n_splits=2)
    expected, _ = trfboost.boosting_runs(*problem.arguments(), 1)
    hs = np.full((8, *expected.shape), np.nan)
    runs_in_parallel(*problem.arguments(), hs)
    for found in hs:
        assert found.tobytes() == expected.tobytes()


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


def test_indexes_from_data_reach_nothing_outside_of_the_arrays():
    """Compiled code looks up what it is told to; here each such number is refused by name, and nothing is written."""
    problem = random_problem(1)
    samples, start, stop = problem.x.shape[1], problem.i_start_by_x, problem.i_stop_by_x
    beyond = {
        (4, "indexes"): [np.array([row]) for row in ([0, samples + 1], [-2, 5], [9, 8], [0, 2**62])],
        (6, "i_start_by_x"): [start - (np.arange(len(start)) == start.argmin())],
        (7, "i_stop_by_x"): [stop + (np.arange(len(stop)) == stop.argmax())],
    }
    for (index, name), values in beyond.items():
        for value in values:
            given, found = options_arguments(problem), outputs(problem)
            given[index] = value
            with pytest.raises(ValueError) as raised:
                options(*given, *found)
            status = trfboost.Status.SEGMENT if name == "indexes" else trfboost.Status.LAG
            assert raised.value.args[1:3] == (name, status)
            assert np.all(found[0] == -7) and np.all(found[1] == 7)


def test_a_number_out_of_range_is_not_cut_to_one_that_is_in_it():
    """2**32 + 1 has the lower half of 1, which would be a measure."""
    for error in (2**32 + 1, -(2**63), np.uint64(2**64 - 2**32 + 1)):
        problem = random_problem(1)
        given = options_arguments(problem)
        given[8] = error
        with pytest.raises(ValueError) as raised:
            options(*given, *outputs(problem))
        assert raised.value.args[1:3] == ("error", trfboost.Status.VALUE)
    residual = np.ones(4)
    update_at(residual, np.ones(4), np.array([[0, 4]]), np.uint64(2**64 - 1))  # no lag of -1
    assert np.array_equal(residual, np.full(4, 1 - 0.5 * 0.25))


@njit
def update_at(residual, x, indexes, shift):
    core.update_error(residual, x, 0.25, indexes, 0.5, shift)


C_TYPES = {types.int32: lib._INT32, types.int64: lib._INT64, types.float64: ctypes.c_double}


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_table_of_parameters_is_that_of_the_header(name):
    for ours, (theirs, c_type) in zip(PARAMETERS[name], lib._PARAMETERS[f"trfb_{name}"], strict=True):
        assert ours.name == theirs
        assert (type(ours) is Array) == (c_type is lib._Array)
        if type(ours) is Scalar:
            assert c_type is C_TYPES[ours.type]


def test_without_numba_the_import_says_what_to_install():
    code = "import sys; sys.modules['numba'] = None; import trfboost; import trfboost.numba"
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert finished.stderr.endswith("trfboost.numba needs Numba 0.60 or later: pip install 'numba>=0.60'\n")


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


@njit(parallel=True)
def describe_all(arrays, views):
    for i in prange(views.shape[0]):
        core.write_view(views, i, arrays[:, i])


def test_descriptors_written_in_prange_are_written():
    """Numba drops what a parallel loop writes to a record's field that is named like an array's attribute."""
    arrays, views = np.zeros((5, 100)), np.zeros(100, trfboost.VIEW_DTYPE)
    describe_all(arrays, views)
    assert np.array_equal(views["addr"], arrays.ctypes.data + 8 * np.arange(100))
    assert np.all(views["dim"][:, 0] == 5) and np.all(views["step"][:, 0] == 800) and np.all(views["rank"] == 1)


@njit
def total_of_temporaries(count, indexes, sum_up):
    """`sum_up` is trfb_error_for_indexes, as a library of one's own."""
    out = np.zeros(1)
    for i in range(count):
        signal = temporary(i)
        if core.call(sum_up, (signal, indexes, 1, out.ctypes.data, 0)) != 0:
            return np.nan
        np.full(300_000, np.nan)
    return out[0]


def test_a_library_of_ones_own_is_called_with_arrays():
    sum_up = ctypes.CDLL(trfboost.library_path()).trfb_error_for_indexes
    sum_up.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p]
    sum_up.restype = ctypes.c_int32
    assert total_of_temporaries(50, SEGMENTS, sum_up) == 490.0


by_name = types.ExternalFunction("trfb_view_check", types.int32(*[types.intp, *[types.int32] * 3, types.intp]))


@njit
def check_by_name(array):
    return core.call(by_name, (array, 0x6608, 1, 1, 0))


def test_a_function_of_ones_own_may_be_known_by_name():
    array = np.zeros(5)
    assert check_by_name(array[::-2]) == 0
    array.setflags(write=False)
    assert check_by_name(array) == trfboost.Status.READONLY_OUTPUT
    assert check_by_name(np.zeros(5, "f4")) == trfboost.Status.DTYPE
    with pytest.raises(TypingError, match="expected a tuple"):
        njit(lambda array: core.call(by_name, array))(array)
    with pytest.raises(TypingError, match="expected numbers"):
        check_by_name(np.array(["text"]))


def test_in_python_the_package_is_pointed_to():
    with pytest.raises(TypeError, match="in Python call trfboost.convolve"):
        core.convolve()

"""A Cython module, built against the installed package, calls the functions on typed memoryviews without
the GIL; misuse is refused, much of it when the module is compiled."""
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import scipy
import trfboost
from problems import random_problem, scattered

HERE = Path(__file__).parent

SETUP = """
    import numpy, os, trfboost
    from Cython.Build import cythonize
    from setuptools import Extension, setup

    extension = Extension(
        "through_cython",
        ["through_cython.pyx"],
        include_dirs=[trfboost.get_include(), numpy.get_include()],
        extra_objects=[trfboost.library_path()],
        runtime_library_dirs=[os.path.dirname(trfboost.library_path())],
        extra_compile_args=["-O0"],  # which compiles in half the time
    )
    setup(ext_modules=cythonize([extension], quiet=True), script_args=["--quiet", "build_ext", "--inplace"])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With the built module in it."""
    folder = tmp_path_factory.mktemp("cython")
    shutil.copy(HERE / "through_cython.pyx", folder)
    (folder / "setup.py").write_text(textwrap.dedent(SETUP))
    finished = subprocess.run([sys.executable, "setup.py"], cwd=folder, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return folder


@pytest.fixture(scope="module")
def caller(folder):
    sys.path.insert(0, str(folder))
    try:
        import through_cython
    finally:
        sys.path.remove(str(folder))
    return through_cython


@pytest.mark.parametrize("seed", range(4))
def test_all_functions_on_memoryviews_in_any_layout(caller, seed):
    plain = random_problem(200 + seed, n_y=2, n_splits=2)
    problem = scattered(plain, seed)
    n, columns = len(plain.x), int(plain.i_stop_by_x.max() - plain.i_start_by_x.min())
    hs, failed = np.zeros((2, 2, columns, n)).transpose(0, 1, 3, 2), np.zeros((2, 4), "i1")[:, ::2]
    caller.boosting_runs(*problem.arguments(), 2, hs, failed)
    expected_hs, expected_failed = trfboost.boosting_runs(*plain.arguments(), 1)
    np.testing.assert_array_equal(hs, expected_hs)
    np.testing.assert_array_equal(failed, expected_failed)

    h = np.zeros((n, columns * 2))[::-1, ::2]
    outcome = caller.boosting_fit(*problem.one(), h)
    expected_h, _, details = trfboost.boosting_fit(*plain.one(), return_details=True)
    np.testing.assert_array_equal(h, expected_h)
    assert outcome == (details.stop, details.entries, details.best_step)

    i_start, both = int(plain.i_start_by_x.min()), plain.split_train_and_validate[0]
    prediction, expected = np.zeros(plain.x.shape[1] * 2)[::2], np.zeros(plain.x.shape[1])
    caller.convolve(h, problem.x, problem.x_pads, i_start, both, prediction)
    trfboost.convolve(expected_h, plain.x, plain.x_pads, i_start, both, expected)
    np.testing.assert_array_equal(prediction, expected)

    found = np.full((n, columns), -7.0), np.full((n, columns), 7, "i1")
    expected = tuple(array.copy() for array in found)
    for function, p, arrays in ((caller.generate_options, problem, found), (trfboost.generate_options, plain, expected)):
        function(p.y[0], p.x, p.x_pads, np.ones(n, "i1"), p.split_train[0], i_start, p.i_start_by_x, p.i_stop_by_x,
                 p.error, p.delta, *arrays)
    for ours, theirs in zip(found, expected):
        np.testing.assert_array_equal(ours, theirs)

    residual, expected = problem.y[0].copy()[::-1], plain.y[0][::-1].copy()
    caller.update_error(residual, problem.x[0], 0.5, both, 0.25, 3)
    trfboost.update_error(expected, plain.x[0], 0.5, both, 0.25, 3)
    np.testing.assert_array_equal(residual, expected)
    assert caller.error_for_indexes(residual, both, 2) == trfboost.error_for_indexes(expected, both, 2)


def test_what_is_wrong_with_a_call_is_raised(caller):
    x, rows = np.ones(9), np.array([[0, 9]])
    with pytest.raises(ValueError, match="indexes"):
        caller.error_for_indexes(x, np.array([[0, 10]]), 1)
    with pytest.raises(ValueError, match="x: axis 0 has length 8"):
        caller.update_error(np.ones(9), np.ones(8), 0, rows, 1, 0)
    with pytest.raises(TypeError, match="x: not a trfb_view"):
        caller.of_a_bare_pointer(np.ones(40), rows)
    with pytest.raises(TypeError, match="y_error: read-only"):
        caller.written_although_readonly(np.ones(9), x, rows)
    with pytest.raises(ValueError, match="expected 'const double' but got 'float'"):
        caller.error_for_indexes(x.astype("f4"), rows, 1)
    with pytest.raises(ValueError, match="read-only"):
        caller.update_error(np.frombuffer(bytes(72)), x, 0, rows, 1, 0)


def test_the_exception_is_that_of_the_package(caller):
    with pytest.raises(trfboost.AbiValueError) as caught:
        caller.update_error(np.ones(9), np.ones(8), 0, np.array([[0, 9]]), 1, 0)
    error = caught.value
    assert (error.status, error.argument, error.axis) == (trfboost.Status.LENGTH, "x", 0)
    assert (error.expected, error.actual) == (9, 8)


def test_none_is_refused_where_it_would_pass_for_an_empty_array(caller):
    assert caller.error_for_indexes(np.zeros(0), np.zeros((0, 2), int), 1) == 0
    for x, rows, argument in ((None, np.zeros((0, 2), int), "x"), (np.ones(9), None, "indexes")):
        with pytest.raises(ValueError) as caught:
            caller.error_for_indexes(x, rows, 1)
        assert (caught.value.status, caught.value.argument) == (trfboost.Status.NULL_DATA, argument)


def test_views_say_what_the_arrays_are(caller):
    arrays = [
        np.zeros(5), np.zeros((2, 3)), np.zeros((2, 3)).T, np.arange(9)[::-2], np.zeros((4, 2), int),
        np.zeros((2, 3, 8), "i1")[:, ::-1, ::4], np.zeros((1, 2, 3, 4)),
    ]  # fmt: skip
    for array, found, readonly in zip(arrays, caller.descriptions(*arrays), (0, 0, 0, 0, 1, 0, 1), strict=True):
        code = ord(array.dtype.kind) << 8 | array.itemsize
        assert found == (code, array.ctypes.data, array.shape, array.strides, readonly)


def test_scipy_calls_a_callback_that_calls_the_library(caller):
    signal = np.random.default_rng(3).normal(size=60)
    function = scipy.LowLevelCallable.from_cython(caller, "error_of_window")
    found = scipy.ndimage.generic_filter(signal, function, size=9)
    expected = scipy.ndimage.generic_filter(signal, lambda window: trfboost.error_for_indexes(window, [[0, 9]], 1), 9)
    np.testing.assert_array_equal(found, expected)


REFUSED = {
    "view_of(y)": "Memoryview 'const double[:]' not conformable to memoryview 'double[:]'",
    "readonly_view_of(f)": "no suitable method found",
    "view_of(object())": "no suitable method found",
    "trfb_view_check(&x[0], 0, 0, 0, NULL)": "Cannot assign type 'double *' to 'const trfb_view *'",
}


def test_what_does_not_fit_does_not_compile(tmp_path):
    lines = ["from trfboost cimport readonly_view_of, trfb_view_check, view_of"]
    lines += ["def call(double[::1] x, const double[:] y, float[:] f):", *(f"    {call}" for call in REFUSED)]
    (tmp_path / "refused.pyx").write_text("\n".join(lines))
    done = subprocess.run([sys.executable, "-m", "cython", "-3", "refused.pyx"], cwd=tmp_path, capture_output=True,
                          text=True)
    assert done.returncode == 1
    for number, (call, sentence) in enumerate(REFUSED.items(), 3):
        assert any(f"refused.pyx:{number}:" in line and sentence in line for line in done.stderr.splitlines()), call


def test_one_library_is_loaded_whoever_comes_first(folder):
    """The module finds the library by its run path, and the package then finds that one."""
    program = """
        import sys
        sys.modules["trfboost"] = None                  # the module's own `import trfboost` is of no help here
        try:
            import through_cython
        except ImportError:
            pass
        mapped = lambda: {line.split(maxsplit=5)[5].strip() for line in open("/proc/self/maps") if "trfboost" in line}
        [first] = {path for path in mapped() if "through_cython" not in path}
        del sys.modules["trfboost"]
        import trfboost
        assert {path for path in mapped() if "libtrfboost" in path} == {first} == {trfboost.library_path()}
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

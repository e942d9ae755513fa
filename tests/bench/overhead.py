"""What a call costs that has next to nothing to do, from each language.

The problem is that of `abi/examples/call_overhead.rs`, which times the kernel and the functions of the
shared library from Rust.
"""
import ctypes
import subprocess
import time

import numpy as np

import trfboost
from trfboost import View, lib

#: The smallest problem.
ALL, TRAIN, VALIDATE = (np.array([row]) for row in ([0, 4], [0, 2], [2, 4]))
STACKED = [rows[None] for rows in (TRAIN, VALIDATE, ALL)]
Y, X, PADS, ACTIVE = np.zeros((1, 4)), np.ones((1, 4)), np.zeros(1), np.ones(1, np.int8)
START, STOP, DELTA, L1 = np.array([0]), np.array([1]), 0.1, 1
RESIDUAL, ERRORS, SIGNS = np.zeros(4), np.zeros((1, 1)), np.zeros((1, 1), np.int8)
FILTERS = ERRORS[None, None]
OUTPUTS = RESIDUAL, ERRORS, SIGNS, FILTERS
FIT = (Y[0], X, PADS, TRAIN, VALIDATE, ALL, START, STOP, DELTA, DELTA, L1, 0)
RUNS = (Y, X, PADS, *STACKED, START, STOP, DELTA, DELTA, L1, 0, 1)

#: Arguments of the functions in the header's order, but for what is not an array or a number.
ARGUMENTS = {
    'generate_options': (Y[0], X, PADS, ACTIVE, ALL, 0, START, STOP, L1, DELTA, ERRORS, SIGNS),
    'update_error': (RESIDUAL, X[0], 0.0, ALL, DELTA, 0),
    'error_for_indexes': (Y[0], ALL, L1),
    'boosting_fit': (*FIT, ERRORS),
    'boosting_runs': (*RUNS, FILTERS, SIGNS),
    'convolve': (ERRORS, X, PADS, 0, ALL, RESIDUAL),
}
#: What ctypes needs beyond these, before the error struct.
BEYOND = {
    'error_for_indexes': (ctypes.c_double(),),
    'boosting_fit': (None, None),
    'boosting_runs': (None, None, lib.trfb_boosting_runs.argtypes[-3](), None),
}
#: How the package's functions are called where outputs are results.
RESULTS = {'boosting_fit': FIT, 'boosting_runs': RUNS, 'convolve': (ERRORS, X, PADS, 0, ALL)}


def nanoseconds(effort, call):
    """Per call, the fewest of several rounds."""
    def seconds(calls):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        return time.perf_counter() - begin

    call()
    calls = max(1, min(100_000, int(effort.seconds / 10 / max(1e-7, seconds(3) / 3))))
    return min(seconds(calls) / calls for _ in range(max(3, effort.repeat))) * 1e9


def descriptor(array):
    return View.of(array, writable=any(array is output for output in OUTPUTS))


def by_ctypes(name, effort):
    """With descriptors that are ready, as in a loop."""
    function = getattr(lib, 'trfb_' + name)
    arguments = [descriptor(item) if isinstance(item, np.ndarray) else item for item in ARGUMENTS[name]]
    arguments += [*BEYOND.get(name, ()), None]
    return nanoseconds(effort, lambda: function(*arguments))


def by_package(name, effort):
    function = getattr(trfboost, name)
    arguments = RESULTS.get(name, ARGUMENTS[name])
    return nanoseconds(effort, lambda: function(*arguments))


def by_numba(name, effort):
    """A loop in compiled code; raising, and returning a status. None without Numba."""
    try:
        from numba import njit

        from trfboost import numba as functions
    except ModuleNotFoundError:
        return None
    arguments = ARGUMENTS[name]
    names = ', '.join(f'a{index}' for index in range(len(arguments)))
    found = []
    for form in (name, name + '_status'):
        scope = {'function': getattr(functions, form)}
        exec(f'def loop(calls, {names}):\n    for _ in range(calls):\n        function({names})\n', scope)
        loop, calls = njit(scope['loop']), 100
        loop(1, *arguments)
        found.append(nanoseconds(effort, lambda: loop(calls, *arguments)) / calls)
    return found


def overhead(report, program, library, effort):
    report.heading('Overhead', 'Nanoseconds per call on the smallest problem that every function takes: four samples, one predictor, '
                   'one lag, a signal of zeros, on which a fit ends after its first sweep. The kernel is called directly from Rust; '
                   'the C functions through the shared library, with descriptors that are ready; `trfboost.lib` is the same through '
                   'ctypes; the package takes arrays, as do the functions for Numba, which are called in a compiled loop.')
    report.columns('function', 'kernel, Rust', 'C function, Rust', '`trfboost.lib`', 'package', 'Numba, raising', 'Numba, status')
    lines = subprocess.run([program, library], check=True, capture_output=True, text=True).stdout.splitlines()
    for name, kernel, c in (line.split() for line in lines):
        numba = by_numba(name, effort) or ('-', '-')
        times = by_ctypes(name, effort), by_package(name, effort), *numba
        report.row(f'`{name}`', kernel, c, *(time if time == '-' else f'{time:.0f}' for time in times))

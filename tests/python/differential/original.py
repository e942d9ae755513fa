"""Eelbrain's own compiled core, in a process of its own: on some inputs it crashes, and a crash there
is a result here, not the end of the tests."""
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

import numpy as np

VERSION = "0.41.2"


class Crashed(Exception):
    """The process died."""


def _core():
    import eelbrain
    from eelbrain._trf import _boosting_opt

    assert eelbrain.__version__ == VERSION
    return _boosting_opt


def _boosting_fit(problem):
    y, x, *rest = problem.one()
    h, history = _core().boosting_fit(y, np.ascontiguousarray(x), *rest)
    rows = [[e.i_step, e.i_stim, e.i_time, e.delta, e.e_test, e.e_train] for e in history]
    return np.array(h), np.array(rows, dtype=float)


def _boosting_runs(problem, threads):
    y, x, *rest = problem.arguments()
    return _core().boosting_runs(y, np.ascontiguousarray(x), *rest, threads)


def _error_for_indexes(signal, indexes, error):
    return _core().error_for_indexes(signal, indexes, error)


def _convolve(h, x, x_pads, i_start, segments, samples):
    from eelbrain._ndvar._convolve import convolve_1d

    out = np.zeros(samples)
    convolve_1d(h, np.ascontiguousarray(x), x_pads, i_start, segments, out)
    return out


class Eelbrain:
    """Calls in the other process."""

    def __init__(self):
        self._pool = None

    def _call(self, function, *arguments):
        """A process may die late of what an earlier call did to its memory. So a call that dies in one
        that had others before gets a new one, in which a crash is its own."""
        while True:
            is_first = self._pool is None
            if is_first:
                self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            try:
                return self._pool.submit(function, *arguments).result()
            except BrokenProcessPool as error:
                self._pool = None
                if is_first:
                    raise Crashed from error

    def boosting_fit(self, problem):
        return self._call(_boosting_fit, problem)

    def boosting_runs(self, problem, threads):
        return self._call(_boosting_runs, problem, threads)

    def error_for_indexes(self, signal, indexes, error):
        return self._call(_error_for_indexes, signal, indexes, error)

    def convolve(self, *arguments):
        return self._call(_convolve, *arguments)

    def close(self):
        if self._pool is not None:
            self._pool.shutdown()

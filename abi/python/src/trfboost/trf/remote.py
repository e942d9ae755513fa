"""Fits made by other processes or machines.

Fits of different signals have nothing to do with each other, so the signals are dealt out in runs of rows, and
the results put together in order: the same bits as here. All that the rows share (predictors, splits,
lags) is sent once. How work gets to a machine is the business of those who know it: dask.distributed
(`dask`), which also outlives a worker that dies, and joblib (`joblib`) with any of its backends.

Each task uses one thread, since dask and joblib run as many tasks at once as there are processors.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arguments import integer
from ..errors import Status, refusal
from .fits import Engine, Fits, Problem, Progress, fit
from .predictors import Floats

_TASKS_PER_WORKER = 4
"""So that the slowest run of rows does not keep all others waiting; more would repeat the preparation of x."""

_ATTEMPTS = 3
"""How often rows are dealt out again when workers died with the data."""


def dask(client: Any, rows: int | None = None) -> Engine:
    """Fits on the workers of a `dask.distributed.Client`.

    Parameters
    ----------
    client : dask.distributed.Client
        Connected to a cluster whose workers have trfboost installed.
    rows : int, optional
        Signals per task. Default: four tasks for each thread of the cluster.
    """
    for method in ("submit", "scatter", "cancel", "nthreads"):
        if not hasattr(client, method):
            sentence = f"is {type(client).__name__}, expected a dask.distributed.Client"
            raise refusal(Status.DTYPE, "client", sentence)
    rows = _rows(rows)

    def run(problem: Problem, progress: Progress | None) -> Fits:
        runs = _runs(len(problem.y), rows, sum(client.nthreads().values()))
        watch = _Watch(problem, progress)
        done: dict[tuple[int, int], Fits] = {}
        for attempt in range(_ATTEMPTS):
            missing = [bounds for bounds in runs if bounds not in done]
            last = attempt == _ATTEMPTS - 1
            for bounds, part in _by_dask(client, problem, missing, last):
                done[bounds] = part
                watch.more(part)
        return Fits.together([done[bounds] for bounds in runs])

    return run


def joblib(n_jobs: int = -1, backend: str | None = None, rows: int | None = None) -> Engine:
    """Fits by `joblib.Parallel`: processes of this machine, or whatever backend is registered.

    Parameters
    ----------
    n_jobs : int
        Number of processes; -1: one for each processor.
    backend : str, optional
        Default: joblib's, or that of a `joblib.parallel_config` block.
    rows : int, optional
        Signals per task. Default: four tasks for each process.
    """
    try:
        import joblib as package
    except ModuleNotFoundError as error:
        raise ImportError("trfboost.trf.remote: joblib is not installed; pip install joblib") from error
    rows = _rows(rows)

    def run(problem: Problem, progress: Progress | None) -> Fits:
        parallel = package.Parallel(n_jobs=n_jobs, backend=backend, return_as="generator")
        runs = _runs(len(problem.y), rows, package.effective_n_jobs(n_jobs))
        shared = replace(problem, y=problem.y[:0])
        tasks = (package.delayed(_fit_rows)(shared, problem.y[start:stop]) for start, stop in runs)
        watch = _Watch(problem, progress)
        return Fits.together([watch.more(part) for part in parallel(tasks)])

    return run


def _fit_rows(shared: Problem, y: Floats) -> Fits:
    """What a worker does. Arrays that came over the wire lie anywhere in its buffer, aligned or not."""
    problem = replace(shared, y=y)
    arrived: dict[str, Any] = {name: value for name, value in vars(problem).items() if isinstance(value, np.ndarray)}
    aligned = {name: np.require(value, None, "A") for name, value in arrived.items()}
    return fit(replace(problem, **aligned), None, 1)


def _by_dask(
    client: Any, problem: Problem, runs: Sequence[tuple[int, int]], last: bool
) -> Iterable[tuple[tuple[int, int], Fits]]:
    """Results as they come. Unless it is the last attempt, those that were lost with their worker are left out."""
    if not runs:
        return
    distributed: Any = importlib.import_module("distributed")

    # On all workers: what one of them takes along when it dies, the others have.
    shared = client.scatter(replace(problem, y=problem.y[:0]), broadcast=True, hash=False)
    futures = {
        client.submit(_fit_rows, shared, problem.y[start:stop], pure=False): (start, stop) for start, stop in runs
    }
    try:
        for future in distributed.as_completed(futures):
            try:
                part = future.result()
            except (distributed.KilledWorker, distributed.client.FutureCancelledError):
                if last:
                    raise
                continue
            yield futures[future], part
    finally:
        client.cancel([*futures, shared])


class _Watch:
    """Tells how many fits are done, and stops when the answer says so."""

    def __init__(self, problem: Problem, progress: Progress | None) -> None:
        self._done, self._total, self._progress = 0, problem.n_fits, progress
        self._tell()

    def more(self, part: Fits) -> Fits:
        self._done += part.failed.size
        self._tell()
        return part

    def _tell(self) -> None:
        if self._progress is not None and self._progress(self._done, self._total):
            raise refusal(Status.CANCELLED, "progress", "asked to stop")


def _rows(rows: int | None) -> int | None:
    if rows is not None and integer("rows", rows, 32) < 1:
        raise refusal(Status.VALUE, "rows", f"is {rows}, expected at least 1")
    return rows


def _runs(n_y: int, rows: int | None, workers: int) -> list[tuple[int, int]]:
    """First signal of each task and one past its last."""
    size = rows or max(1, -(-n_y // max(1, _TASKS_PER_WORKER * workers)))
    return [(start, min(start + size, n_y)) for start in range(0, n_y, size)]

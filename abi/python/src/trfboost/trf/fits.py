"""All fits of an analysis, as a thing that can be handed on.

Fits are independent of each other, so that their number (signals times splits) may be divided in any way
and the results put together again: the bits are the same. A `Problem` holds arrays and numbers only; it can
be pickled, cut into `rows` of y, and sent to another machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import functions
from .lags import LagRange
from .predictors import Floats
from .recording import Recording
from .splits import Splits, packed


@dataclass(frozen=True)
class Problem:
    """The arguments of `boosting_runs`."""

    y: Floats
    x: Floats
    x_pads: Floats
    split_train: npt.NDArray[np.int64]
    split_validate: npt.NDArray[np.int64]
    split_train_and_validate: npt.NDArray[np.int64]
    i_start_by_x: npt.NDArray[np.int64]
    i_stop_by_x: npt.NDArray[np.int64]
    delta: float
    mindelta: float
    error: int
    selective_stopping: int

    @property
    def n_fits(self) -> int:
        return len(self.y) * len(self.split_train)

    def rows(self, start: int, stop: int) -> Problem:
        """The same for some of the signals."""
        return replace(self, y=self.y[start:stop])


@dataclass(frozen=True)
class Fits:
    """What `boosting_runs` returns."""

    h: Floats
    """[n_splits, n_y, n, L]"""
    failed: npt.NDArray[np.bool_]
    """[n_splits, n_y]"""
    steps: npt.NDArray[np.int64]
    """[n_splits, n_y]"""
    stop: npt.NDArray[np.int8]
    """[n_splits, n_y], numbers of `Stop`"""

    @classmethod
    def together(cls, parts: Sequence[Fits]) -> Fits:
        """The fits of all signals, from parts in their order."""
        columns = [(part.h, part.failed, part.steps, part.stop) for part in parts]
        return cls(*(np.concatenate(column, axis=1) for column in zip(*columns)))


Progress = Callable[[int, int], Any]
Engine = Callable[[Problem, "Progress | None"], Fits]
"""Whatever makes the fits of a problem and reports how many of all are done."""


def problem(
    recording: Recording,
    x_pads: Floats,
    lags: LagRange,
    splits: Splits,
    delta: float,
    mindelta: float | None,
    error: str,
    selective_stopping: int,
) -> Problem:
    """The fits for each signal of the recording and each split."""
    return Problem(
        recording.y,
        recording.x,
        x_pads,
        packed([split.train for split in splits.splits]),
        packed([split.validate for split in splits.splits]),
        packed([split.train_and_validate for split in splits.splits]),
        lags.start,
        lags.stop,
        delta,
        delta if mindelta is None else mindelta,
        {"l1": 1, "l2": 2}[error],
        selective_stopping,
    )


def fit(problem: Problem, progress: Progress | None = None, num_threads: int = 0) -> Fits:
    """Makes the fits in this process; num_threads 0: on all processors."""
    arguments = [getattr(problem, field.name) for field in fields(problem)]
    run: Any = functions.boosting_runs  # whose overloads no unpacked list fits
    return Fits(*run(*arguments, num_threads, progress=progress, return_details=True))

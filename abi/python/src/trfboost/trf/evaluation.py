"""The average filter, and how well it predicts.

Filters of the splits are averaged, failed ones left out. Without test sets the average is held against the data
that it was estimated on; with them, each test partition is predicted by the average of the splits that
did not see it, and the predictions of all partitions are judged together.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .. import functions
from .fits import Fits
from .predictors import Floats
from .recording import Recording
from .splits import Segments, Splits, merged


@dataclass(frozen=True)
class Metrics:
    """Of each signal [n_y], over the samples that were predicted."""

    l1_residual: Floats
    """Sum of absolute residuals."""
    l2_residual: Floats
    """Sum of squared residuals."""
    l1_total: Floats
    """Sum of absolute values of y."""
    l2_total: Floats
    """Sum of squares of y."""
    r: Floats
    """Correlation of y with its prediction; 0 where the prediction is constant."""
    r_rank: Floats
    """Spearman's rank correlation; 0 likewise."""


@dataclass(frozen=True)
class Average:
    """Filters and the segments that they predict."""

    h: Floats
    """[n_y, n, L]"""
    failed: npt.NDArray[np.bool_]
    """[n_y]: no split has a filter."""
    segments: Segments


def averages(fits: Fits, splits: Splits, trials: Segments) -> list[Average]:
    """One average for each test partition; without them one for all trials."""
    if not splits.test:
        return [_average(fits, np.arange(len(splits.splits)), trials)]
    found = []
    for i_test in splits.test_partitions:
        members = splits.of_test(i_test)
        segments = splits.splits[members[0]].test
        assert segments is not None
        found.append(_average(fits, np.array(members), segments))
    return found


def _average(fits: Fits, members: npt.NDArray[np.int64], segments: Segments) -> Average:
    h, failed = fits.h[members], fits.failed[members]
    none = np.asarray(failed.all(0))
    if failed.any():
        h[failed] = np.nan  # a copy, since the members are chosen by their numbers
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Mean of empty slice", RuntimeWarning)
        mean = np.nanmean(h, 0)
    mean[none] = 0
    return Average(mean, none, segments)


def evaluated_segments(averages: list[Average], trials: Segments, columns: int) -> Segments:
    """What the metrics are taken over, without the start of a continuous recording that lacks its past."""
    if len(averages) > 1:
        return merged(np.sort(np.vstack([average.segments for average in averages]), 0))
    segments = merged(averages[0].segments)
    if len(trials) == 1:
        segments = segments + np.array([[columns - 1, 0]])
        segments = segments[segments[:, 1] > segments[:, 0]]
    return segments


def predicted(averages: list[Average], row: int, x: Floats, x_pads: Floats, first_lag: int) -> Floats:
    """The prediction of one signal [T]; 0 outside of all segments."""
    out = np.zeros(x.shape[1])
    for average in averages:
        functions.convolve(average.h[row], x, x_pads, first_lag, average.segments, out)
    return out


def evaluate(
    recording: Recording, averages: list[Average], x_pads: Floats, first_lag: int, sets: list[Segments]
) -> list[Metrics]:
    """Metrics over each of the sets of segments."""
    found = np.empty((len(sets), len(Metrics.__dataclass_fields__), len(recording.y)))
    for row, y in enumerate(recording.y):
        prediction = predicted(averages, row, recording.x, x_pads, first_lag)
        residual = y - prediction
        for metrics, segments in zip(found, sets):
            metrics[:, row] = _metrics(y, prediction, residual, segments)
    return [Metrics(*metrics) for metrics in found]


def _metrics(y: Floats, prediction: Floats, residual: Floats, segments: Segments) -> tuple[float, ...]:
    total = functions.error_for_indexes
    seen, guessed = (np.concatenate([signal[start:stop] for start, stop in segments]) for signal in (y, prediction))
    return (
        total(residual, segments, 1),
        total(residual, segments, 2),
        total(y, segments, 1),
        total(y, segments, 2),
        _correlation(np.stack((seen, guessed))),
        _correlation(np.column_stack((_ranks(seen), _ranks(guessed))).T),
    )


def _correlation(pair: Floats) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        r = float(np.asarray(np.corrcoef(pair))[0, 1])
    return 0.0 if np.isnan(r) else r


def _ranks(values: Floats) -> Floats:
    """Ranks from 1; values that are equal share the mean of their ranks."""
    order = np.argsort(values)
    ordered = values[order]
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    sizes = np.diff(first, append=len(values))
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(first + (sizes + 1) / 2, sizes)
    return ranks

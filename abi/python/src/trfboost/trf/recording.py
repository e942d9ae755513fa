"""What was recorded, trial after trial on one time axis.

Trials come as a list of arrays, or as one array and where it is to be cut. Both become the same: signals
[n_y, T] and predictors [n, T] with the trials end to end, and a row of start and stop for each. What does
not fit together is told here, where it is still known how the user had it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import FLOAT64, INT64, converted
from ..errors import Status, refusal
from . import predictors
from .predictors import Floats, PredictorForm


@dataclass
class Recording:
    """Signals and predictors, C-contiguous."""

    y: Floats
    """[n_y, T]"""
    x: Floats
    """[n, T]"""
    segments: npt.NDArray[np.int64]
    """[trials, 2], start and stop, end to end from 0 to T."""
    many: bool
    """Whether y had an axis of signals."""
    form: PredictorForm


def read(y: Any, x: Any, trials: Any = None) -> Recording:
    """Brings y and x together. See `boosting` for what they may be."""
    y_trials = _trials_of_y(y)
    many = y_trials[0].ndim == 2
    x_trials = [predictors.matrix(part, name) for name, part in _trials_of_x(x, None if _single(y) else len(y_trials))]
    form = x_trials[0][1]
    rows = [np.concatenate(parts) if len(parts) > 1 else parts[0] for parts, _ in x_trials]
    for number, (y_trial, (_, trial_form)) in enumerate(zip(y_trials, x_trials)):
        trial = "" if _single(y) else f" in trial {number}"
        if (trial_form.names, trial_form.rows) != (form.names, form.rows):
            sentence = f"has predictors {described(trial_form)}{trial}, but {described(form)} in trial 0"
            raise refusal(Status.LENGTH, "x", sentence)
        if y_trial.shape[:-1] != y_trials[0].shape[:-1]:
            sentence = f"has shape {y_trial.shape}{trial}, but {y_trials[0].shape} in trial 0"
            raise refusal(Status.LENGTH, "y", sentence)
        _same_time(y_trial, rows[number], trial)
    signals = [np.atleast_2d(trial) for trial in y_trials]
    if trials is not None:
        if not _single(y):
            raise refusal(
                Status.VALUE, "trials", "is for one array of all trials, but y is a list of them; leave it out"
            )
        cuts = _boundaries(trials, signals[0].shape[1])
        signals = [signals[0][:, start:stop] for start, stop in cuts]
        rows = [rows[0][:, start:stop] for start, stop in cuts]
    lengths = np.array([trial.shape[1] for trial in signals], np.int64)
    stops = np.cumsum(lengths)
    recording = Recording(_joined(signals), _joined(rows), np.column_stack((stops - lengths, stops)), many, form)
    _finite("y", recording.y, recording.segments, [f"row {row}" for row in range(len(recording.y))] if many else [""])
    _finite("x", recording.x, recording.segments, form.row_names)
    return recording


def _single(y: Any) -> bool:
    """Whether y is one array, and not a list of trials: a list of numbers is one, too."""
    return not (isinstance(y, (list, tuple)) and len(y) > 0 and predictors.is_array(y[0]))


def _trials_of_y(y: Any) -> list[Floats]:
    single = _single(y)
    arrays = [converted("y" if single else f"y[{i}]", part, FLOAT64) for i, part in enumerate([y] if single else y)]
    for array in arrays:
        if array.ndim not in (1, 2):
            sentence = f"has {array.ndim} dimensions, expected [time] or [signal, time], or a list of trials of these"
            raise refusal(Status.NDIM, "y", sentence, 1, array.ndim)
        if array.shape[-1] == 0 or len(array) == 0:
            raise refusal(Status.LENGTH, "y", f"has shape {array.shape}: there is nothing to fit", 1, 0)
    return arrays


def _trials_of_x(x: Any, n_trials: int | None) -> list[tuple[str, Any]]:
    """x for each trial, with the name that an error calls it by; None: y is one array."""
    if n_trials is None:
        return [("x", x)]
    if isinstance(x, Mapping):
        for name, parts in x.items():
            _one_each(f"x[{name!r}]", parts, n_trials)
        return [(f"x, trial {i}", {name: parts[i] for name, parts in x.items()}) for i in range(n_trials)]
    _one_each("x", x, n_trials)
    return [(f"x[{i}]", part) for i, part in enumerate(x)]


def _one_each(name: str, parts: Any, n_trials: int) -> None:
    if not isinstance(parts, (list, tuple)):
        sentence = "is one array, but y is a list of trials; expected a list with an item for each trial"
        raise refusal(Status.LENGTH, name, sentence, n_trials, 1)
    if len(parts) != n_trials:
        sentence = f"has {len(parts)} items, but y has {n_trials} trials; several predictors go into a dict of lists"
        raise refusal(Status.LENGTH, name, sentence, n_trials, len(parts))


def _same_time(y: Floats, x: Floats, trial: str) -> None:
    """Refuses lengths that differ, and says which transposition would make them agree."""
    samples, found = y.shape[-1], x.shape[-1]
    if samples == found:
        if y.ndim == 2 and min(len(y), len(x)) > samples:
            sentence = f"has {len(y)} rows of {samples} samples{trial}, x {len(x)}; time is the last axis: use y.T, x.T"
            raise refusal(Status.LENGTH, "y", sentence, len(y), samples)
        return
    # Time is the longest axis; a transposition that makes it so is the remedy.
    if y.ndim == 2 and y.shape[0] == found > samples:
        raise refusal(Status.LENGTH, "y", f"has shape {y.shape}{trial}; time is the last axis: use y.T", found, samples)
    if x.shape[0] == samples > found:
        raise refusal(Status.LENGTH, "x", f"has shape {x.shape}{trial}; time is the last axis: use x.T", samples, found)
    if y.ndim == 2 and y.shape[0] == x.shape[0] > max(samples, found):
        sentence = f"has shape {y.shape}{trial}, and x {x.shape}; time is the last axis: use y.T and x.T"
        raise refusal(Status.LENGTH, "y", sentence, found, samples)
    remedy = "cut both to the same samples"
    if max(samples, found) >= 1.5 * min(samples, found):
        remedy = f"the ratio is {samples / found:.4g}: resample one to the rate of the other"
    raise refusal(Status.LENGTH, "x", f"has {found} samples{trial}, but y has {samples}; {remedy}", samples, found)


def _boundaries(trials: Any, samples: int) -> Sequence[tuple[int, int]]:
    """Rows of start and stop, from such rows or from the samples at which one trial ends and the next starts."""
    array = converted("trials", trials, INT64)
    rows = np.column_stack((array[:-1], array[1:])) if array.ndim == 1 else array
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) == 0:
        sentence = f"has shape {array.shape}, expected boundaries [0, ..., {samples}] or rows of start and stop"
        raise refusal(Status.LENGTH, "trials", sentence)
    start = 0
    for row, (first, stop) in enumerate(rows.tolist()):
        if not start <= first < stop <= samples:
            sentence = f"row {row} is {first} to {stop}, expected samples in order from {start} to {samples}"
            raise refusal(Status.SEGMENT, "trials", sentence, samples, stop)
        start = stop
    return [(int(first), int(stop)) for first, stop in rows]


def _joined(parts: list[Floats]) -> Floats:
    # Concatenation keeps the layout of its parts, and with it the order in which means are summed.
    return np.ascontiguousarray(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))


def _finite(argument: str, array: Floats, segments: npt.NDArray[np.int64], names: list[str]) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        sums = array.sum(1)  # one that is finite has finite terms, and needs no array of truth values
    for row, name, total in zip(array, names, sums):
        if not np.isfinite(total) and not np.isfinite(row).all():
            wrong = ~np.isfinite(row)
            sample = int(wrong.argmax())
            trial = int(np.searchsorted(segments[:, 1], sample, "right"))
            place = f"sample {sample - int(segments[trial, 0])}" + (f" of trial {trial}" if len(segments) > 1 else "")
            sentence = (
                f"{name + ': ' if name else ''}{row[sample]} at {place} ({int(wrong.sum())} such samples); interpolate "
                "them, or cut the recording into trials without them"
            )
            raise refusal(Status.NOT_FINITE, argument, sentence, 0, sample)


def described(form: PredictorForm) -> str:
    """Names of predictors, with their number of rows."""
    return ", ".join(name if rows is None else f"{name} [{rows}]" for name, rows in zip(form.names, form.rows))

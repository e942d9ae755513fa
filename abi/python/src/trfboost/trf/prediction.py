"""Signals predicted from predictors, in the units that y had.

The predictors go the way that those of the fit went: windows, the fit's mean and scale, filters. So the
prediction of the fitted data is the very one that the metrics were taken of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import Status, refusal
from . import basis as windows
from . import recording as recordings
from .evaluation import Average, predicted
from .predictors import is_array, matrix


def predict(result: Any, x: Any, trials: Any) -> Any:
    """See `BoostingResult.predict`."""
    listed = _is_trials(x, result)
    if isinstance(x, Mapping):
        x = _in_order(x, result.form.names)
    given = recordings.read(_no_signal(x, result, listed), x, trials)
    if (given.form.names, given.form.rows) != (result.form.names, result.form.rows):
        sentence = (
            f"has predictors {recordings.described(given.form)}, but the fit had {recordings.described(result.form)}"
        )
        if given.x.shape[1] == result.form.n_rows:
            sentence += "; time is the last axis: use x.T"
        raise refusal(Status.LENGTH, "x", sentence, result.form.n_rows, given.form.n_rows)
    rows, pads = given.x, np.zeros(given.form.n_rows)
    if (window := result.settings.window) is not None:
        rows = windows.smooth_predictors(rows, window)
    if result.scale is not None:
        rows = (rows - result.scale.x_mean[:, None]) / result.scale.x_scale[:, None]
        pads = result.scale.x_pads
    average = [Average(result.filters, result.failed.all(0), given.segments)]
    out = np.empty((len(result.filters), rows.shape[1]))
    for row, prediction in enumerate(out):
        prediction[:] = predicted(average, row, rows, pads, result.first_lag)
    if result.scale is not None:
        out *= result.scale.y_scale[:, None]
        out += result.scale.y_mean[:, None]
    out = out if result.many else out[0]
    return [out[..., start:stop] for start, stop in given.segments] if listed else out


def _in_order(x: Mapping[Any, Any], names: Sequence[str]) -> Mapping[Any, Any]:
    """The predictors in the order of the fit, if they are its predictors: a name says which is which."""
    by_name = {str(name): value for name, value in x.items()}
    return {name: by_name[name] for name in names} if set(by_name) == set(names) and len(by_name) == len(x) else x


def _is_trials(x: Any, result: Any) -> bool:
    """Whether x is a list of trials: where the fit had one array or a dict, a list cannot be anything else."""
    if isinstance(x, Mapping):
        return len(x) > 0 and all(
            isinstance(parts, (list, tuple)) and len(parts) and is_array(parts[0]) for parts in x.values()
        )
    if not isinstance(x, (list, tuple)) or len(x) == 0 or not (isinstance(x[0], Mapping) or is_array(x[0])):
        return False
    if result.form.kind == "list":
        return isinstance(x[0], (list, tuple)) and len(x[0]) > 0 and is_array(x[0][0])
    return True


def _no_signal(x: Any, result: Any, listed: bool) -> Any:
    """A signal of the length of x, of each trial if it is a list of them."""
    if not listed:
        samples = matrix(x)[0][0].shape[-1]
        if samples == 0:
            raise refusal(Status.LENGTH, "x", "has no samples: there is nothing to predict from", 1, 0)
        return np.zeros(samples)
    if isinstance(x, Mapping):
        return [np.zeros(np.shape(part)[-1]) for part in next(iter(x.values()))]
    return [np.zeros(matrix(part)[0][0].shape[-1]) for part in x]

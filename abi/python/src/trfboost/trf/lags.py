"""From seconds to lags in samples.

A filter from `tstart` to `tstop` has the lags from round(tstart * sfreq) up to, not including,
ceil(tstop * sfreq). 0.07 s at 100 Hz is 7 samples, but 0.07 / 0.01 is 7.000000000000001 in floating point,
and its ceiling 8, which is what Eelbrain's filter has. Here a product that is a whole number but for rounding
is that number. With `lags="eelbrain"` the filter gets Eelbrain's range, odd lag included.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..arguments import real
from ..errors import Status, refusal
from .predictors import PredictorForm

_ROUNDING = 1e-9  # relative; times come from decimal notation, products of which are right to 2^-52
_FARTHEST = 2**52  # samples; float64 counts single ones up to here

Way = Literal["exact", "eelbrain"]


@dataclass(frozen=True)
class LagRange:
    """First lag of each row of x and one past its last, in samples."""

    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]

    @property
    def first(self) -> int:
        """The lag of column 0 of the filters."""
        return int(self.start.min())

    @property
    def columns(self) -> int:
        """Number of lags of the filters."""
        return int(self.stop.max()) - self.first


def lag_range(tstart: Any, tstop: Any, sfreq: float, form: PredictorForm, way: Way) -> LagRange:
    """Lags of each row of x. tstart and tstop are numbers, or hold one for each predictor."""
    if way not in ("exact", "eelbrain"):
        raise refusal(Status.VALUE, "lags", f"is {way!r}, expected 'exact' or 'eelbrain'")
    starts, stops = _for_each("tstart", tstart, form), _for_each("tstop", tstop, form)
    for name, start, stop in zip(form.names, starts, stops):
        if not start < stop:
            raise refusal(Status.LAG, "tstop", f"is {stop} s for {name}, expected later than tstart = {start} s")
    convert = _exact if way == "exact" else _eelbrain
    samples = [convert(start, stop, sfreq) for start, stop in zip(form.by_row(starts), form.by_row(stops))]
    if any(first >= end for first, end in samples):
        sentence = f"less than a sample later than tstart; at {sfreq} Hz a sample is {1 / sfreq:.4g} s"
        raise refusal(Status.LAG, "tstop", sentence)
    if any(max(abs(first), abs(end)) > _FARTHEST for first, end in samples):
        raise refusal(Status.LAG, "tstop", f"or tstart is too many samples away at sfreq = {sfreq} Hz")
    return LagRange(*np.array(samples, np.int64).T)


def _for_each(name: str, value: Any, form: PredictorForm) -> Sequence[float]:
    if isinstance(value, dict):
        value = {str(key): time for key, time in value.items()}
        if set(value) != set(form.names):
            raise refusal(Status.LENGTH, name, f"has keys {list(value)}, but x has {list(form.names)}")
        value = [value[key] for key in form.names]
    times = list(value) if np.ndim(value) else [value] * len(form.names)
    if len(times) != len(form.names):
        sentence = f"has {len(times)} values for {len(form.names)} predictors; expected one number or one for each"
        raise refusal(Status.LENGTH, name, sentence, len(form.names), len(times))
    times = [real(name, time) for time in times]
    for time in times:
        if not math.isfinite(time) or abs(time) > 1e6:
            raise refusal(Status.VALUE, name, f"is {time}, expected seconds")
    return times


def _exact(tstart: float, tstop: float, sfreq: float) -> tuple[int, int]:
    return round(_whole(tstart * sfreq)), math.ceil(_whole(tstop * sfreq))


def _whole(samples: float) -> float:
    nearest = round(samples)
    return nearest if abs(samples - nearest) <= _ROUNDING * max(1.0, abs(samples)) else samples


def _eelbrain(tstart: float, tstop: float, sfreq: float) -> tuple[int, int]:
    tstep = 1 / sfreq
    return round(tstart / tstep), math.ceil(tstop / tstep)

"""Mean 0 and scale 1 for signals and predictors, so that one delta suits all of them.

The scale is what the error sums: the mean absolute value for l1, the root mean square for l2. A predictor that
is 0 outside of a trial is `-mean / scale` there, which is its pad.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..errors import Status, refusal
from .predictors import Floats
from .recording import Recording


@dataclass(frozen=True)
class Scale:
    """What was taken off and divided by, one number for each row."""

    y_mean: Floats
    y_scale: Floats
    x_mean: Floats
    x_scale: Floats

    @property
    def x_pads(self) -> Floats:
        """[n], what a predictor that is 0 has become."""
        return -self.x_mean / self.x_scale


def scaled(recording: Recording, error: str, in_place: bool) -> tuple[Recording, Scale]:
    """The recording with mean 0 and scale 1.

    Raises
    ------
    AbiValueError
        A signal or a predictor is constant, or its numbers cannot be squared. Nothing was changed then.
    """
    refuse_flat(recording)
    _refuse_extremes(recording)
    y, y_mean, y_scale = _standardized(recording.y, error, in_place)
    x, x_mean, x_scale = _standardized(recording.x, error, in_place)
    return replace(recording, y=y, x=x), Scale(y_mean, y_scale, x_mean, x_scale)


def refuse_flat(recording: Recording) -> None:
    """Refuses rows without any spread: no filter can be told from another with them."""
    flat = np.flatnonzero(recording.y.max(1) == recording.y.min(1))
    if flat.size:
        which = f"{_listed(flat)} constant" if recording.many else "is constant"
        sentence = f"{which}; leave it out (np.delete(y, {flat.tolist()}, axis=0)), or look at the recording"
        raise refusal(Status.VALUE, "y", sentence)
    flat = np.flatnonzero(recording.x.max(1) == recording.x.min(1))
    if flat.size:
        names = ", ".join(recording.form.row_names[row] for row in flat)
        raise refusal(Status.VALUE, "x", f"{names}: constant, which can predict nothing; leave it out")


_SMALLEST, _LARGEST = 1e-150, 1e150
"""Squares of numbers between these, and sums of them over any recording, are numbers of float64 other than 0."""


def _refuse_extremes(recording: Recording) -> None:
    for name, rows in (("y", recording.y), ("x", recording.x)):
        lowest, highest = rows.min(1), rows.max(1)
        large, spread = np.maximum(-lowest, highest), highest / 2 - lowest / 2
        for row in np.flatnonzero((large > _LARGEST) | (spread < _SMALLEST))[:1].tolist():
            sentence = (
                f"row {row} has values from {lowest[row]:.4g} to {highest[row]:.4g}, whose scale cannot be computed; "
                "use another unit, such that they are near 1"
            )
            raise refusal(Status.VALUE, name, sentence)


def _standardized(rows: Floats, error: str, in_place: bool) -> tuple[Floats, Floats, Floats]:
    """Rows with mean 0 and scale 1, the mean and the scale."""
    mean = rows.mean(1)
    centred = np.subtract(rows, mean[:, np.newaxis], out=rows if in_place else None)
    # Row by row, since all squares at once would take as much memory as the recording.
    means = [np.abs(row).mean() if error == "l1" else (row**2).mean() for row in centred]
    scale: Floats = np.array(means) if error == "l1" else np.array(means) ** 0.5
    centred /= scale[:, np.newaxis]
    return centred, mean, scale


def _listed(rows: npt.NDArray[np.int64]) -> str:
    numbers = ", ".join(map(str, rows.tolist()))
    return f"row {numbers} is" if len(rows) == 1 else f"rows {numbers} are"

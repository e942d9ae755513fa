"""Mean 0 and scale 1 for signals and predictors, so that one delta suits all of them.

The scale is what the error sums: the mean absolute value for l1, the root mean square for l2. A predictor that
is 0 outside of a trial is `-mean / scale` there, which is its pad.
"""

from __future__ import annotations

from dataclasses import dataclass

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
        A signal or a predictor is constant.
    """
    y, y_mean, y_scale = _standardized(recording.y, error, in_place)
    x, x_mean, x_scale = _standardized(recording.x, error, in_place)
    refuse_flat(recording, y_scale, x_scale)
    y /= y_scale[:, np.newaxis]
    x /= x_scale[:, np.newaxis]
    return Recording(y, x, recording.segments, recording.many, recording.form), Scale(y_mean, y_scale, x_mean, x_scale)


def refuse_flat(recording: Recording, y_spread: Floats, x_spread: Floats) -> None:
    """Refuses rows without any spread: no filter can be told from another with them."""
    flat = np.flatnonzero(y_spread == 0)
    if flat.size:
        which = f"row {_listed(flat)} is" if recording.many else "is"
        sentence = f"{which} constant; leave it out (np.delete(y, {flat.tolist()}, axis=0)), or look at the recording"
        raise refusal(Status.VALUE, "y", sentence)
    flat = np.flatnonzero(x_spread == 0)
    if flat.size:
        names = ", ".join(recording.form.row_names[row] for row in flat)
        raise refusal(Status.VALUE, "x", f"{names}: constant, which can predict nothing; leave it out")


def _standardized(rows: Floats, error: str, in_place: bool) -> tuple[Floats, Floats, Floats]:
    """Rows less their mean, the mean, and the scale: not divided yet."""
    mean = rows.mean(1)
    if in_place:
        rows -= mean[:, np.newaxis]
        centred = rows
    else:
        centred = rows - mean[:, np.newaxis]
    # Rows of one value can have a mean that differs from it by rounding; they are flat all the same.
    flat = rows.max(1) == rows.min(1) if not in_place else centred.max(1) == centred.min(1)
    scale: Floats = np.abs(centred).mean(-1) if error == "l1" else (centred**2).mean(-1) ** 0.5
    return centred, mean, np.where(flat, 0.0, scale)


def _listed(rows: npt.NDArray[np.int64]) -> str:
    return ", ".join(map(str, rows.tolist()))

"""Filters made of windows instead of impulses.

A filter that is a sum of windows, applied to x, is a sum of impulses applied to x convolved with the window. So
the predictors are smoothed before the fit, and the filter afterwards. The windows are SciPy's, and so is
the convolution, whose bits Eelbrain's results have.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import Status, refusal
from .predictors import Floats

_LONGEST = 10**7
"""Samples of a window: far more than any filter has, and few enough for memory."""


def window(basis: float, kind: Any, sfreq: float) -> Floats:
    """A window of `basis` seconds whose sum is 1."""
    signal = _scipy_signal()
    n = int(round(basis / (1 / sfreq)))  # not basis * sfreq, which rounds halves another way than Eelbrain
    if n <= 1:
        sentence = f"is {basis} s, which is {n} samples at {sfreq} Hz; expected at least two, or 0 for no basis"
        raise refusal(Status.VALUE, "basis", sentence)
    if n > _LONGEST:
        raise refusal(Status.VALUE, "basis", f"is {basis}, which is {n} samples at {sfreq} Hz; it is in seconds")
    try:
        shape: Floats = signal.get_window(kind, n, False)
    except (ValueError, TypeError) as error:
        sentence = f"is {kind!r}, expected a window of scipy.signal.get_window ({error})"
        raise refusal(Status.VALUE, "basis_window", sentence) from error
    total = float(shape.sum())
    if total == 0:
        sentence = f"{kind!r} is 0 at each of its {n} samples ({basis} s at {sfreq} Hz); use a longer basis"
        raise refusal(Status.VALUE, "basis_window", sentence)
    return np.asarray(shape / total)


def plain_kind(kind: Any) -> Any:
    """The name and parameters of a window in plain types, which files can hold and which are equal if they are."""
    if isinstance(kind, (np.ndarray, np.generic)):
        kind = kind.tolist()
    if isinstance(kind, (list, tuple)):
        return tuple(plain_kind(part) for part in kind)
    if kind is not None and not isinstance(kind, (str, int, float)):
        sentence = f"is {kind!r}, expected a window of scipy.signal.get_window: a name, a number, or a tuple of these"
        raise refusal(Status.DTYPE, "basis_window", sentence)
    return kind


def smooth_predictors(x: Floats, shape: Floats) -> Floats:
    """x [n, T], each row convolved with the window."""
    signal = _scipy_signal()
    out = np.empty_like(x)
    for row, smoothed in zip(x, out):
        smoothed[:] = signal.convolve(row, shape, "same")
    return out


def smooth_filters(h: Floats, shape: Floats) -> Floats:
    """h [..., L] convolved with the window: [..., L + len(window) - 1]. It begins `leads(window)` lags earlier."""
    smoothed: Floats = _scipy_signal().convolve(h, shape.reshape((1,) * (h.ndim - 1) + (-1,)), "full")
    return smoothed


def leads(shape: Floats) -> int:
    """By how many samples a filter begins earlier for its window."""
    return (len(shape) - 1) // 2


def _scipy_signal() -> Any:
    try:
        import scipy.signal
    except ModuleNotFoundError as error:
        raise ImportError("trfboost.boosting: basis needs SciPy; pip install scipy") from error
    return scipy.signal

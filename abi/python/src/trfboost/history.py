"""What a fit did, step by step, and why it stopped."""

from __future__ import annotations

import enum
from typing import Any, NamedTuple

import numpy as np


class Stop(enum.IntEnum):
    """Why a fit stopped: `enum trfb_stop` of the header."""

    NO_PREDICTOR_LEFT = 1
    """Selective stopping switched the last predictor off."""
    TEST_ERROR_RISES = 2
    """The validation error rose twice in a row, after step 10."""
    NO_IMPROVEMENT = 3
    """No option lowers the training error, and delta is at mindelta."""
    CIRCLES = 4
    """The best step is the opposite of the last."""


class HistoryEntry(NamedTuple):
    """One entry of a fit's history. The first stands for the filter of zeros."""

    i_step: int
    """The step, from 0; -1 for the first entry. Steps that selective stopping undid are missing."""
    i_stim: int
    """The predictor; -1 for the first entry and where delta was halved."""
    i_time: int
    """The column of the filter; -1 likewise."""
    delta: float
    """What was added to the filter there; 0 if nothing was."""
    e_test: float
    """Error over the validation segments; NaN in a last entry that ended the fit before it was computed."""
    e_train: float
    """Error over the training segments. Where nothing was added: that of the best option."""


class FitDetails(NamedTuple):
    """What `boosting_fit` says of the fit, on request."""

    stop: Stop
    """Why it stopped."""
    entries: int
    """Number of entries of the history."""
    best_step: int
    """i_step of the entry with the smallest validation error; -1: the fit failed and h is 0."""


# The library ends a fit after 999 999 steps, and the first entry is no step.
_MOST_ENTRIES = 1_000_000


def room() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Rows for the longest history that a fit can have.

    How many there will be is known after the fit, and to fit again for want of room would double the
    time. So there is always room for all: 48 MB of address space, of which the system provides the
    pages that are written, in ordinary fits one.
    """
    return np.empty((_MOST_ENTRIES, len(HistoryEntry._fields)))


def entries(rows: np.ndarray[Any, np.dtype[np.float64]]) -> list[HistoryEntry]:
    """The entries in rows that the library wrote. The integers are exact, being far below 2^53."""
    return [HistoryEntry(int(row[0]), int(row[1]), int(row[2]), *row[3:]) for row in rows.tolist()]

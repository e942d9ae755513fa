"""Recordings in files: NumPy's .npz with signals, predictors and a rate, under any names."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .refusal import Refusal


@dataclass
class Recording:
    """What `boosting` is given, as it was stored."""

    y: Any
    x: Any
    """An array, or a dict of them where predictors were named."""
    sfreq: float
    trials: Any
    model: Any


def read(
    path: Path, y: str, x: list[str] | None, sfreq: float | None, trials: str | None, model: str | None
) -> Recording:
    """Reads the named arrays of a file.

    Without names of predictors, x is the array `x`. Without a rate it is the array `sfreq`; without a name of
    trials, they are the array `trials`, if there is one.
    """
    arrays = _Arrays(path)
    predictors = {name: arrays.get(name, "--x") for name in x} if x else arrays.get("x", "--x")
    rate = arrays.number("sfreq", "--sfreq") if sfreq is None else sfreq
    if trials is None and "trials" in arrays.names:
        trials = "trials"
    return Recording(
        arrays.get(y, "--y"),
        predictors,
        rate,
        None if trials is None else arrays.get(trials, "--trials"),
        None if model is None else arrays.get(model, "--model").tolist(),
    )


class _Arrays:
    """The arrays of a file, which is read as far as they are asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.file = np.load(path, allow_pickle=False)
        except (ValueError, EOFError, zipfile.BadZipFile):
            self.file = None
        if not isinstance(self.file, np.lib.npyio.NpzFile):
            raise Refusal(f"{path} is no .npz file; numpy.savez(path, y=..., x=..., sfreq=...) writes one")
        self.names = self.file.files

    def get(self, name: str, option: str) -> Any:
        if name not in self.names:
            raise Refusal(f"{self.path} has no array {name}; name one with {option}: {', '.join(self.names)}")
        try:
            return self.file[name]
        except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
            raise Refusal(f"{self.path}: the array {name} cannot be read ({error})") from None

    def number(self, name: str, option: str) -> float:
        array = self.get(name, option)
        try:
            return float(array)
        except (TypeError, ValueError):
            raise Refusal(f"{self.path}: {name} is {array!r}, expected a number; give it with {option}") from None

"""How a recording is divided for training, validation and test.

One continuous recording is cut into partitions of equal length. Trials are dealt out to the partitions
like cards, trial i to partition `i % partitions`, within each category if there are any; if there are fewer
trials than partitions, each trial is cut into equal parts first. Each partition is the validation set once (with
test=1: once for each other partition that is the test set). Parts that lie side by side in one trial
are joined again, so that filters reach over a cut that only the division made. The scheme is Eelbrain's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arguments import integer, one_if_true
from ..errors import Status, refusal

Segments = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Segments [k, 2] for one fit of each signal."""

    train: Segments
    validate: Segments
    test: Segments | None
    """What filters of this split are tested on; None where there is no test set."""
    i_test: int
    """Number of the test partition; 0 where there is none."""

    @property
    def train_and_validate(self) -> Segments:
        return np.vstack((self.train, self.validate))


@dataclass(frozen=True)
class Splits:
    """All splits of a recording."""

    splits: tuple[Split, ...]
    partitions: int
    test: int
    parts: Segments
    """[k, 2]: what was dealt out, trials or parts of them."""

    @property
    def test_partitions(self) -> list[int]:
        """Numbers of the test partitions; none if nothing is set aside."""
        return sorted({split.i_test for split in self.splits}) if self.test else []

    def of_test(self, i_test: int) -> list[int]:
        """Numbers of the splits whose filters are tested on a partition."""
        return [number for number, split in enumerate(self.splits) if split.i_test == i_test]


def split(segments: Segments, partitions: Any, model: Any, validate: Any, test: Any) -> Splits:
    """Divides trials [k, 2]. Parameters as in `boosting`."""
    test = _number("test", one_if_true(test), (0, 1))
    validate = _number("validate", validate, (1,))
    if partitions is not None:
        partitions = integer("partitions", partitions, 32)
        if partitions <= validate + test:
            raise refusal(
                Status.VALUE, "partitions", f"is {partitions}, expected more than validate + test = {validate + test}"
            )
    cuts: Segments | None
    if len(segments) == 1:
        if model is not None:
            raise refusal(Status.VALUE, "model", "divides trials into categories, but there is one recording only")
        partitions = partitions or (2 + test + validate if test else 10)
        categories = [np.arange(partitions)]
        parts, cuts = _cut(segments, partitions)
    else:
        categories, partitions = _categories(len(segments), model, partitions)
        per_category = min(len(category) for category in categories)
        parts, cuts = _cut_trials(segments, partitions, model) if per_category < partitions else (segments, None)
        if cuts is not None:
            categories = [np.arange(len(parts))]
    if (parts[:, 0] >= parts[:, 1]).any():
        raise refusal(Status.VALUE, "partitions", f"is {partitions}, which leaves parts without a sample; use fewer")
    return Splits(_deal(parts, cuts, categories, partitions, test), partitions, test, parts)


def _number(name: str, value: Any, allowed: tuple[int, ...]) -> int:
    number = integer(name, value, 32)
    if number not in allowed:
        raise refusal(Status.VALUE, name, f"is {number}, expected {' or '.join(map(str, allowed))}")
    return number


def _categories(trials: int, model: Any, partitions: int | None) -> tuple[list[npt.NDArray[np.int64]], int]:
    """Numbers of the trials of each category, and the number of partitions."""
    if model is None:
        categories = [np.arange(trials)]
    else:
        if np.ndim(model) != 1 and not isinstance(model, str):
            raise refusal(Status.NDIM, "model", f"is {model!r}, expected a label for each of {trials} trials")
        labels = [str(label) for label in model]
        if len(labels) != trials:
            sentence = f"has {len(labels)} labels for {trials} trials; expected one for each"
            raise refusal(Status.LENGTH, "model", sentence, trials, len(labels))
        found = list(dict.fromkeys(labels))
        categories = [np.array([i for i, label in enumerate(labels) if label == name]) for name in found]
    sizes = {len(category) for category in categories}
    if partitions is not None:
        return categories, partitions
    if len(sizes) > 1 or min(sizes) < 3:
        sentence = (
            f"has to be given for {trials} trials"
            + (f" in categories of {sorted(sizes)}" if model is not None else "")
            + ": a multiple of their number cuts each into parts; fewer deals whole trials out"
        )
        raise refusal(Status.VALUE, "partitions", sentence)
    return categories, min(10, sizes.pop())


def _cut(segments: Segments, parts: int) -> tuple[Segments, Segments]:
    """Cuts each segment into so many equal parts; the parts and the samples cut at."""
    points = [np.round(np.linspace(start, stop, parts + 1)).astype(np.int64) for start, stop in segments]
    rows = [np.column_stack((row[:-1], row[1:])) for row in points]
    return np.vstack(rows), np.concatenate([row[1:-1] for row in points])


def _cut_trials(segments: Segments, partitions: int, model: Any) -> tuple[Segments, Segments]:
    if model is not None:
        sentence = f"is {partitions}, more than the trials of a category; expected fewer, or no model"
        raise refusal(Status.VALUE, "partitions", sentence)
    if partitions % len(segments):
        sentence = f"is {partitions}, expected at most the number of trials, {len(segments)}, or a multiple of it"
        raise refusal(Status.VALUE, "partitions", sentence, len(segments), partitions)
    return _cut(segments, partitions // len(segments))


def _deal(
    parts: Segments,
    cuts: Segments | None,
    categories: Sequence[npt.NDArray[np.int64]],
    partitions: int,
    test: int,
) -> tuple[Split, ...]:
    """A split for each pair of a test partition, if there are any, and another one for validation."""
    masks = np.zeros((partitions, len(parts)), bool)
    for partition, mask in enumerate(masks):
        for category in categories:
            mask[category[partition::partitions]] = True
    splits = []
    for i_test in range(partitions) if test else [None]:
        for i_validate in range(partitions):
            if i_validate == i_test:
                continue
            train = ~masks[i_validate] if i_test is None else ~(masks[i_validate] | masks[i_test])
            sets = [joined(parts[mask], cuts) for mask in (train, masks[i_validate])]
            tested = None if i_test is None else joined(parts[masks[i_test]], cuts)
            splits.append(Split(sets[0], sets[1], tested, i_test or 0))
    return tuple(splits)


def joined(segments: Segments, cuts: Segments | None) -> Segments:
    """Segments in order, with those joined that touch at one of the cuts; None: at none."""
    if cuts is None:
        return segments
    rows = [segments[0].tolist()]
    for start, stop in segments[1:].tolist():
        if start <= rows[-1][1] and start in cuts:
            rows[-1][1] = max(rows[-1][1], stop)
        else:
            rows.append([start, stop])
    return np.array(rows, np.int64)


def merged(segments: Segments) -> Segments:
    """Segments in order, with those joined that touch."""
    return joined(segments, segments[:, 0])


def packed(lists: Sequence[Segments]) -> npt.NDArray[np.int64]:
    """[n_splits, k, 2] for `boosting_runs`: rows of -1 end the shorter lists."""
    out = np.full((len(lists), max(map(len, lists)), 2), -1, np.int64)
    for rows, segments in zip(out, lists):
        rows[: len(segments)] = segments
    return out

"""Random estimation problems, the same for a seed everywhere.

They are small and nasty rather than like recordings: segments with gaps, negative and per-predictor
lags, pads, values rounded to a grid so that options tie exactly, and arrays laid out in any way.
"""
from dataclasses import dataclass, fields, replace

import numpy as np


@dataclass
class Problem:
    y: np.ndarray  # [n_y, T]
    x: np.ndarray  # [n, T]
    x_pads: np.ndarray
    split_train: np.ndarray  # [n_splits, k, 2]
    split_validate: np.ndarray
    split_train_and_validate: np.ndarray
    i_start_by_x: np.ndarray
    i_stop_by_x: np.ndarray
    delta: float
    mindelta: float
    error: int
    selective_stopping: int

    def arguments(self):
        """For `boosting_runs`, but for the number of threads."""
        return [getattr(self, field.name) for field in fields(self)]

    def one(self):
        """For `boosting_fit`: the first signal, the first split."""
        arguments = self.arguments()
        return [arguments[0][0], *arguments[1:3], *(splits[0] for splits in arguments[3:6]), *arguments[6:]]


def random_problem(seed, n_y=1, n_splits=1):
    rng = np.random.default_rng(seed)
    n, samples = int(rng.integers(1, 7)), int(rng.integers(150, 450))
    i_start_by_x = rng.integers(-8, 6, n)
    i_stop_by_x = i_start_by_x + rng.integers(1, 12, n)
    x = rng.normal(size=(n, samples))
    y = rng.normal(size=(n_y, samples)) * rng.choice([0.2, 0.6, 2.0])
    for predictor, lag in enumerate(i_start_by_x):
        y += rng.normal(size=(n_y, 1)) * np.roll(x[predictor], lag)
    if rng.random() < 0.5:  # ties
        x, y = np.round(x), np.round(y * 4) / 4
        x[:, ::50] = 1
    if n > 1 and rng.random() < 0.3:  # duplicates
        x[-1] = x[0]
    delta = float(rng.choice([0.005, 0.05, 0.1, 0.25]))
    lists = [random_split(rng, samples) for _ in range(n_splits)]
    return Problem(
        y, x, rng.normal(size=n) * (rng.random() < 0.5),
        *(stack(kind) for kind in zip(*lists)),
        i_start_by_x.astype("i8"), i_stop_by_x.astype("i8"),
        delta, delta / int(rng.choice([1, 1, 2, 4])), int(rng.integers(1, 3)), int(rng.integers(0, 4)),
    )


def random_split(rng, samples):
    """Train, validate and both. Each segment is longer than any lag, since Eelbrain reads outside of
    its arrays otherwise; shorter ones are for the definition to judge."""
    cuts = np.sort(rng.choice(np.arange(40, samples - 30, 30), size=3, replace=False))
    bounds = [0, *cuts.tolist(), samples]
    parts = [[start + int(rng.integers(0, 4)), stop - int(rng.integers(0, 4))] for start, stop in zip(bounds, bounds[1:])]
    held_out = int(rng.integers(1, 4))
    train = [part for index, part in enumerate(parts) if index != held_out]
    both = parts if rng.random() < 0.7 else [[0, samples]]
    return train, [parts[held_out]], both


def stack(lists):
    """Lists of several lengths in one array; rows of -1 end the short ones."""
    rows = max(map(len, lists))
    return np.array([list_ + [[-1, -1]] * (rows - len(list_)) for list_ in lists], dtype="i8")


def scattered(problem, seed):
    """The same numbers in other layouts: reversed, strided, transposed memory."""
    rng = np.random.default_rng(seed)

    def scatter(array):
        axes = rng.permutation(array.ndim)
        steps = [int(step) for step in rng.choice([-3, -2, -1, 1, 2], size=array.ndim)]
        memory = np.empty([abs(step) * length for step, length in zip(steps, array.shape)], array.dtype)
        memory = np.ascontiguousarray(memory.transpose(axes)).transpose(np.argsort(axes))
        view = memory[tuple(slice(None, None, step) for step in steps)]
        view[...] = array
        return view

    arrays = {field.name: scatter(getattr(problem, field.name)) for field in fields(problem)
              if isinstance(getattr(problem, field.name), np.ndarray)}
    return replace(problem, **arrays)

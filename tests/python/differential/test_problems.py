"""The random problems are of every kind that they are meant to be of: a generator that lost one would
leave all comparisons green."""
from collections import Counter

import numpy as np
import trfboost
from problems import random_problem, scattered
from test_bits import FITS, RUNS

# A kind, and how a problem of it is told.
KINDS = {
    "negative lags": lambda p: (p.i_start_by_x < 0).any(),
    "lags by predictor": lambda p: len(set(zip(p.i_start_by_x, p.i_stop_by_x))) > 1,
    "pads": lambda p: p.x_pads.any(),
    "values on a grid": lambda p: np.array_equal(p.x, np.round(p.x)),
    "a predictor twice": lambda p: len(p.x) > 1 and np.array_equal(p.x[0], p.x[-1]),
    "several segments": lambda p: len(p.split_train[0]) > 1,
    "gaps": lambda p: (p.split_train[0][1:, 0] > p.split_train[0][:-1, 1]).any(),
    "delta can be halved": lambda p: p.mindelta < p.delta,
}


def test_fits_are_of_every_kind_and_end_in_every_way():
    counts = Counter()
    for problem in map(random_problem, FITS):
        _, failed, _, stop = trfboost.boosting_runs(*problem.arguments(), 1, return_details=True)
        counts.update(kind for kind, is_of in KINDS.items() if is_of(problem))
        counts.update([
            ("predictors", len(problem.x)), ("error", problem.error), ("stopping", problem.selective_stopping),
            ("stop", int(stop[0, 0])), ("failed", int(failed[0, 0])),
        ])
    ranges = {"predictors": range(1, 7), "error": (1, 2), "stopping": range(4), "stop": range(1, 5), "failed": (0, 1)}
    expected = [*KINDS, *((name, value) for name, values in ranges.items() for value in values)]
    assert {kind: counts[kind] for kind in expected if counts[kind] < 20} == {}


def test_lists_of_several_splits_end_early():
    problems = [random_problem(10_000 + seed, n_splits=1 + seed % 3) for seed in RUNS]
    assert sum((problem.split_train_and_validate == -1).any() for problem in problems) > 20


def test_layouts_are_of_every_kind():
    views = [scattered(random_problem(seed), seed).x for seed in FITS]
    signs = Counter(tuple(np.sign(view.strides)) for view in views if min(view.shape) > 1)
    assert len(signs) == 4 and min(signs.values()) > 20
    assert sum(abs(view.strides[0]) < abs(view.strides[1]) for view in views if len(view) > 1) > 20
    assert sum(abs(view.strides[1]) > 8 * len(view) for view in views) > 20

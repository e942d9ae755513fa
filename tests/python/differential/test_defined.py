"""Inputs on which Eelbrain leaves its arrays or crashes: here the result is that of the definition."""
from dataclasses import replace

import definition
import numpy as np
import pytest
import trfboost
from comparison import rows, same_bits, same_history
from problems import random_problem


def with_short_segments(seed):
    """Validation and training segments shorter than lags, down to empty ones."""
    rng = np.random.default_rng(seed)
    problem = random_problem(30_000 + seed)
    samples = problem.x.shape[1]
    bounds = [0, 60, *np.sort(rng.integers(60, samples, 6)).tolist(), samples]
    parts = np.array([[start, stop] for start, stop in zip(bounds, bounds[1:])])
    train, validate = parts[[0, 2, 3, 5]], parts[[1, 4, 6]]
    return replace(problem, split_train=train[None], split_validate=validate[None], split_train_and_validate=parts[None])


@pytest.mark.parametrize("seed", range(60))
def test_segments_shorter_than_a_lag(compared, seed):
    problem = with_short_segments(seed)
    h, history = trfboost.boosting_fit(*problem.one())
    expected = definition.boosting_fit(problem)
    same = same_history(rows(history), expected.history) and same_bits(h, expected.h)
    compared["definition"] += same
    compared["differences"] += not same
    assert same

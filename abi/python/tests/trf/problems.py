"""A small recording that all tests of `boosting` share."""

import numpy as np

SFREQ = 100


def recording(samples=600, n_y=2, n=2, seed=0):
    """Signals [n_y, T] that follow predictors [n, T] after 30 ms."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, samples))
    y = rng.normal(size=(n_y, samples)) + 2
    y[:, 3:] += x[0, :-3]
    return y, x

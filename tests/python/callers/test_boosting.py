"""`trfboost.boosting` against `eelbrain.boosting` on the same arrays: filters to the bit, metrics to 1e-9."""

import eelbrain
import numpy as np
import pytest
from eelbrain import NDVar, UTS, Case, Scalar

import trfboost

SFREQ = 100


def arrays(seed, samples=900, n_y=2, n=3):
    """Predictors, and signals that follow them after 30 and 80 ms."""
    rng = np.random.default_rng(seed)
    x = rng.normal(1, 2, (n, samples))
    y = rng.normal(5, 1, (n_y, samples))
    y[:, 3:] += 0.6 * x[0, :-3] - 0.3 * x[-1, :-3]
    y[0, 8:] += 0.5 * x[1, :-8]
    return y, x


def original(y, x, cuts=None, names=None, **options):
    """Eelbrain's result. `cuts`: length of the trials, all of one length."""
    tstep = 1 / SFREQ

    def variable(rows, name):
        data, dims = rows, () if rows.ndim == 1 else (Scalar(f"{name}_row", np.arange(len(rows))),)
        if cuts is None:
            return NDVar(data, (*dims, UTS(0, tstep, rows.shape[-1])), name)
        data = rows.reshape((*rows.shape[:-1], -1, cuts))
        return NDVar(np.moveaxis(data, -2, 0), (Case, *dims, UTS(0, tstep, cuts)), name)

    xs = [variable(part, name) for name, part in x.items()] if isinstance(x, dict) else variable(x, "x")
    return eelbrain.boosting(variable(y, "y"), xs, **options)


CASES = {
    "l2": dict(tstart=0, tstop=0.12),
    "l1": dict(tstart=0, tstop=0.12, error="l1"),
    "negative lags": dict(tstart=-0.04, tstop=0.1),
    "unscaled": dict(tstart=0, tstop=0.12, scale_data=False, delta=0.02),
    "halving": dict(tstart=0, tstop=0.12, delta=0.1, mindelta=0.0125),
    "selective stopping": dict(tstart=0, tstop=0.12, selective_stopping=1),
    "selective stopping, l1, tested": dict(tstart=0, tstop=0.12, selective_stopping=2, error="l1", test=1),
    "tested": dict(tstart=0, tstop=0.12, test=1),
    "tested in five, each kept": dict(tstart=0, tstop=0.12, test=1, partitions=5, partition_results=True),
    "partitions": dict(tstart=0, tstop=0.12, partitions=4),
    "basis": dict(tstart=0, tstop=0.12, basis=0.05),
    "another basis, tested": dict(tstart=-0.02, tstop=0.12, basis=0.04, basis_window="hann", test=1, error="l1"),
}


def same(ours, theirs):
    """Every field that both have."""
    listed = isinstance(theirs.h, tuple)
    for name in ("h", "h_source", "h_scaled"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        pairs = zip(mine.values() if isinstance(mine, dict) else mine, other) if listed else [(mine, other)]
        for a, b in pairs:
            assert a.shape == b.x.shape and a.tobytes() == np.ascontiguousarray(b.x).tobytes(), name
    np.testing.assert_allclose(ours.h_time, theirs.h_time.times, rtol=0, atol=1e-9)
    for name in ("r", "r_rank", "residual"):
        other = getattr(theirs, name)
        np.testing.assert_allclose(getattr(ours, name), getattr(other, "x", other), rtol=1e-9, atol=1e-12, err_msg=name)
    if theirs.scale_data:
        other = theirs.proportion_explained
        np.testing.assert_allclose(ours.proportion_explained, getattr(other, "x", other), rtol=1e-9, atol=1e-12)
        assert np.array_equal(ours.scale.y_mean, np.atleast_1d(getattr(theirs.y_mean, "x", theirs.y_mean)))
        assert np.array_equal(ours.scale.y_scale, np.atleast_1d(getattr(theirs.y_scale, "x", theirs.y_scale)))
    assert ours.n_samples == theirs.n_samples
    assert np.array_equal(ours.failed.all(0), np.atleast_1d(theirs._isnan))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("trials", [None, 180], ids=["continuous", "trials"])
def test_every_field_is_that_of_eelbrain(name, trials):
    y, x = arrays(list(CASES).index(name))
    options = dict(CASES[name])
    expected = original(y, x, trials, **options)
    cuts = None if trials is None else np.arange(0, y.shape[1] + 1, trials)
    found = trfboost.boosting(y, x, SFREQ, trials=cuts, **options, lags="eelbrain")
    same(found, expected)
    for mine, other in zip(found.partition_results or [], expected.partition_results or [], strict=True):
        same(mine, other)
    if trials is not None:
        pieces = [np.split(rows, len(cuts) - 1, axis=1) for rows in (y, x)]
        same(trfboost.boosting(*pieces, SFREQ, **options, lags="eelbrain"), expected)


@pytest.mark.parametrize("name", ["l2", "l1", "tested", "basis"])
def test_named_predictors_with_lags_of_their_own(name):
    y, x = arrays(7)
    options = {**CASES[name], "tstart": [0, -0.03], "tstop": [0.1, 0.12]}
    named = {"envelope": x[0], "onsets": x[1:]}
    expected = original(y[0], named, **options)
    found = trfboost.boosting(y[0], named, SFREQ, **options, lags="eelbrain")
    assert list(found.h) == ["envelope", "onsets"] and isinstance(found.r, float)
    same(found, expected)
    listed = trfboost.boosting(y[0], [x[0], x[1:]], SFREQ, **options, lags="eelbrain")
    assert [h.tolist() for h in listed.h] == [h.tolist() for h in found.h.values()]


def test_categories_are_divided_evenly():
    y, x = arrays(3)
    labels = ["a", "b"] * 6
    expected = original(y, x, 75, tstart=0, tstop=0.1, model=eelbrain.Factor(labels), partitions=3, test=1)
    cuts = np.arange(0, 901, 75)
    found = trfboost.boosting(y, x, SFREQ, 0, 0.1, model=labels, partitions=3, test=1, trials=cuts, lags="eelbrain")
    same(found, expected)


def test_a_signal_that_nothing_predicts_fails_in_both():
    y, x = arrays(4)
    y[1] = np.random.default_rng(0).normal(size=y.shape[1])
    expected = original(y, x, tstart=0, tstop=0.12, delta=0.4)
    found = trfboost.boosting(y, x, SFREQ, 0, 0.12, delta=0.4, lags="eelbrain")
    same(found, expected)
    assert found.h_failed.tolist() == [False, True] and not found.h[1].any()
    assert [failure.row for failure in found.failures][-1] == 1 and "its filter is 0" in found.failures[-1].reason


def test_each_predictor_has_the_bits_of_its_own_smoothing():
    """SciPy sums one filter another way than a matrix of them."""
    y, x = arrays(5)
    options = dict(tstart=0, tstop=0.19, basis=0.055, basis_window="hann", delta=0.05, error="l1")
    for named in ({"envelope": x[0], "onsets": x[1:]}, {"envelope": x[0]}):
        for signals in (y[0], y):
            expected = original(signals, named, **options)
            same(trfboost.boosting(signals, named, SFREQ, **options, lags="eelbrain"), expected)

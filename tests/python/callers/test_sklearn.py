"""The estimator among those of scikit-learn."""

import doctest
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import trfboost
import trfboost.sklearn
from trfboost.sklearn import BoostingRegressor

RATE = 100
LAGS = dict(sfreq=RATE, tstart=0, tstop=0.1)

_DEPENDS_ON_TIME = "a prediction depends on the samples before it: order and neighbours matter"
_BEYOND = {
    "check_methods_sample_order_invariance": _DEPENDS_ON_TIME,
    "check_methods_subset_invariance": _DEPENDS_ON_TIME,
}


def not_meaningful(estimator):
    """Checks that rows which know nothing of each other would pass."""
    return _BEYOND if estimator.tstop > 1 else {}


@parametrize_with_checks(
    [BoostingRegressor(), BoostingRegressor(tstop=3), BoostingRegressor(error="l1", n_jobs=-1)],
    expected_failed_checks=not_meaningful,
    xfail_strict=True,
)
def test_the_conventions_are_kept(estimator, check):
    check(estimator)


def recording(samples=1200, signals=None, seed=0):
    """X [time, predictor]; y follows the second predictor after 50 ms."""
    rng = np.random.default_rng(seed)
    X = rng.normal(2, 3, (samples, 3))
    y = 4 + np.roll(X[:, 1], 5) + rng.normal(size=samples)
    if signals:
        y = np.column_stack([y * weight + rng.normal(size=samples) for weight in range(1, signals + 1)])
    return X, y


@pytest.mark.parametrize("signals", [None, 3])
def test_the_fit_is_that_of_boosting(signals):
    X, y = recording(signals=signals)
    model = BoostingRegressor(**LAGS, error="l1", selective_stopping=1).fit(X, y)
    expected = trfboost.boosting(y.T, X.T, **LAGS, error="l1", selective_stopping=1)
    assert np.array_equal(model.coef_, expected.h_scaled) and np.array_equal(model.lags_, expected.h_time)
    assert np.array_equal(model.predict(X), expected.predict(X.T).T)
    assert model.coef_.shape == ((3, 10) if signals is None else (3, 3, 10))
    assert model.score(X, y) > 0.7


def test_every_parameter_reaches_the_fit():
    X, y = recording()
    options = dict(delta=0.02, mindelta=0.01, error="l1", basis=0.06, basis_window="hann", selective_stopping=2)
    options |= dict(scale_data=False, partitions=6)
    model = BoostingRegressor(sfreq=50, tstart=[0, 0.02, 0], tstop=[0.1, 0.2, 0.06], **options).fit(X, y)
    rows = dict(zip("abc", X.T))
    expected = trfboost.boosting(y, rows, 50, [0, 0.02, 0], [0.1, 0.2, 0.06], **options)
    assert np.array_equal(model.coef_, np.stack(list(expected.h_scaled.values())))
    assert set(options) | {"sfreq", "tstart", "tstop", "n_jobs"} == set(model.get_params())


def test_cross_validation_and_grid_search_work():
    X, y = recording(signals=2)
    model = BoostingRegressor(**LAGS)
    with joblib.parallel_config(backend="threading"):
        scores = cross_val_score(model, X, y, cv=4, n_jobs=2)
    assert scores.shape == (4,) and scores.min() > 0.6
    train, test = next(KFold(4).split(X))
    expected = trfboost.boosting(y[train].T, X[train].T, **LAGS).predict(X[test].T).T
    assert np.array_equal(cross_val_predict(model, X, y, cv=4)[test], expected)
    search = GridSearchCV(make_pipeline(StandardScaler(), model), {"boostingregressor__tstop": [0.03, 0.1]}, cv=3)
    assert search.fit(X, y).best_params_ == {"boostingregressor__tstop": 0.1}


def test_trials_are_divided_with_their_rows():
    X, y = recording()
    labels = np.repeat(np.arange(6), 200)
    expected = trfboost.boosting(y, X.T, **LAGS, trials=np.arange(0, 1201, 200))
    model = BoostingRegressor(**LAGS).fit(X, y, trials=labels)
    assert np.array_equal(model.coef_, expected.h_scaled)
    assert np.array_equal(model.predict(X, trials=labels), expected.predict(X.T, trials=np.arange(0, 1201, 200)))
    scores = cross_val_score(model, X, y, groups=labels, cv=GroupKFold(3), params={"trials": labels})
    train, test = next(GroupKFold(3).split(X, y, labels))
    found = BoostingRegressor(**LAGS).fit(X[train], y[train], trials=labels[train])
    assert scores[0] == found.score(X[test], y[test]) and len(found.result_.splits.parts) == 4
    for call in (lambda wrong: model.fit(X, y, trials=wrong), lambda wrong: model.predict(X, trials=wrong)):
        with pytest.raises(ValueError, match=r"^trials: has shape \(5,\), expected a label for each of 1200 samples"):
            call(labels[:5])


def test_a_fold_without_an_event_or_with_a_silent_signal_is_fitted_all_the_same():
    X, y = recording(signals=2)
    X[:, 0] = 0
    y[:, 1] = 7
    with pytest.raises(trfboost.AbiValueError, match="constant"):
        trfboost.boosting(y.T, X.T, **LAGS)
    model = BoostingRegressor(**LAGS).fit(X, y)
    expected = trfboost.boosting(y[:, :1].T, X[:, 1:].T, **LAGS)
    assert np.array_equal(model.coef_[0, 1:], expected.h_scaled[0]) and not model.coef_[1].any()
    assert not model.coef_[0, 0].any() and (model.predict(X)[:, 1] == 7).all()
    nothing = BoostingRegressor(**LAGS).fit(X[:, :1], y)
    assert np.allclose(nothing.predict(X[:3, :1]), y.mean(0)) and nothing.result_ is None
    by_row = BoostingRegressor(sfreq=RATE, tstart=[0, 0.02, 0], tstop=[0.2, 0.1, 0.1]).fit(X, y)
    assert by_row.result_.h_time[[0, -1]].tolist() == [0, 0.09]


def test_columns_of_a_data_frame_name_the_predictors():
    X, y = recording()
    frame = pd.DataFrame(X, columns=["envelope", "onsets", "surprisal"])
    model = BoostingRegressor(**LAGS).fit(frame, y)
    assert model.feature_names_in_.tolist() == list(model.result_.h) == list(frame)
    assert np.array_equal(model.predict(frame), model.predict(frame))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"onsets": "words"}))


def test_a_refusal_is_the_sentence_of_boosting():
    X, y = recording()
    for options, sentence in [
        (dict(error="l3"), "^error: is 'l3', expected 'l1' or 'l2'"),
        (dict(tstart=0.2), "^tstop: is 0.1 s"),
        (dict(tstart=[0, 0]), "^tstart: has 2 values for 3 predictors"),
        (dict(partitions=400), "use fewer partitions, or fewer lags"),
    ]:
        with pytest.raises(trfboost.AbiValueError, match=sentence):
            BoostingRegressor(**{**LAGS, **options}).fit(X, y)


def test_clones_are_unfitted_and_pickles_predict():
    X, y = recording()
    model = BoostingRegressor(**LAGS).fit(X, y)
    assert not hasattr(clone(model), "coef_") and clone(model).get_params() == model.get_params()
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_the_examples_of_the_docstring_run():
    result = doctest.testmod(trfboost.sklearn)
    assert result.attempted > 0 and result.failed == 0

"""Boosting as an estimator of scikit-learn.

    from sklearn.model_selection import cross_val_score
    from trfboost.sklearn import BoostingRegressor

    model = BoostingRegressor(sfreq=100, tstart=0, tstop=0.5)
    cross_val_score(model, X, y, cv=5)                 # X [time, predictor], y [time] or [time, signal]

Rows of X are samples in time, as scikit-learn has it, and a prediction depends on the rows before it: shuffled
rows, as of `KFold(shuffle=True)`, mean nothing here. Where time leaps between two rows, say so with `trials`: labels
of the rows, which scikit-learn divides together with them.

    cross_val_score(model, X, y, groups=labels, cv=GroupKFold(5), params={"trials": labels})
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import trf
from .trf.predictors import Floats

try:
    from joblib import effective_n_jobs
    from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as _error:
    raise ImportError("trfboost.sklearn: needs scikit-learn 1.6 or later; pip install 'scikit-learn>=1.6'") from _error

__all__ = ["BoostingRegressor"]


class BoostingRegressor(MultiOutputMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Temporal response functions by boosting.

    Parameters
    ----------
    sfreq : float
        Samples per second.
    tstart, tstop : float, or a list with one for each predictor
        First lag, and end of the lags, in seconds. The default is lag 0 alone.
    scale_data, delta, mindelta, error, basis, basis_window, partitions, selective_stopping
        See `trfboost.boosting`. Partitions are those that take turns in saying when to stop. Their default is the
        number of trials if there are several, else what the lags leave room for; at least 2 and at most 10.
    n_jobs : int, optional
        Number of threads; None: 1, or what `joblib.parallel_config` says; -1: one per processor.

    Attributes
    ----------
    result_ : BoostingResult or None
        The fit, of the predictors and signals that are not constant; None if there is none of one of them.
    coef_ : float64 [n_predictors, n_lags] or [n_signals, n_predictors, n_lags]
        Filters, in units of y per unit of X; 0 for predictors that were constant.
    lags_ : float64 [n_lags]
        Lags in seconds.
    n_features_in_ : int
    feature_names_in_ : str [n_predictors]
        Only if X had names.

    Examples
    --------
    >>> import numpy as np
    >>> from trfboost.sklearn import BoostingRegressor
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> y = np.roll(X[:, 1], 5) + rng.normal(size=2000)
    >>> model = BoostingRegressor(sfreq=100, tstart=0, tstop=0.1).fit(X, y)
    >>> float(model.lags_[model.coef_[1].argmax()])
    0.05
    >>> bool(0.4 < model.score(X, y) < 0.6)
    True
    """

    def __init__(
        self,
        sfreq: float = 1.0,
        tstart: Any = 0.0,
        tstop: Any = 1.0,
        *,
        scale_data: bool = True,
        delta: float = 0.005,
        mindelta: float | None = None,
        error: str = "l2",
        basis: float = 0.0,
        basis_window: Any = "hamming",
        partitions: int | None = None,
        selective_stopping: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.sfreq = sfreq
        self.tstart = tstart
        self.tstop = tstop
        self.scale_data = scale_data
        self.delta = delta
        self.mindelta = mindelta
        self.error = error
        self.basis = basis
        self.basis_window = basis_window
        self.partitions = partitions
        self.selective_stopping = selective_stopping
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, trials: Any = None) -> BoostingRegressor:
        """Estimate the filters.

        Parameters
        ----------
        X : [n_samples, n_predictors]
        y : [n_samples] or [n_samples, n_signals]
        trials : [n_samples], optional
            A label for each row; a trial ends where the label changes.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, multi_output=True, y_numeric=True, ensure_min_samples=2)
        y = np.asarray(y, np.float64)
        signals = y[:, np.newaxis] if y.ndim == 1 else y
        self._many = y.ndim == 2
        # A fold of a cross-validation can lack a rare event, or a signal be silent there.
        self._varying = np.ptp(X, axis=0) > 0
        self._moving = np.ptp(signals, axis=0) > 0
        self._mean = signals.mean(0)
        bounds = _bounds(trials, len(X))
        self.result_ = None
        if self._varying.any() and self._moving.any():
            self.result_ = self._boosting(X, signals, bounds)
        self.lags_ = self.result_.h_time if self.result_ is not None else np.zeros(0)
        coefficients = np.zeros((signals.shape[1], X.shape[1], len(self.lags_)))
        if self.result_ is not None:
            coefficients[np.ix_(self._moving, self._varying)] = self.result_.all_filters(True)
        self.coef_ = coefficients if self._many else coefficients[0]
        return self

    def _boosting(self, X: Floats, signals: Floats, bounds: npt.NDArray[np.int64]) -> trf.BoostingResult:
        several = len(bounds) > 2
        partitions = self.partitions
        if partitions is None:
            span = np.max(self.tstop) - np.min(self.tstart)
            room = len(bounds) - 1 if several else int(len(X) / max(1.0, np.ceil(span * self.sfreq)))
            partitions = min(10, max(2, room))
        tstart, tstop = (self._of_varying(times) for times in (self.tstart, self.tstop))
        return trf.boosting(
            np.ascontiguousarray(signals[:, self._moving].T),
            self._predictors(X),
            self.sfreq,
            tstart,
            tstop,
            scale_data=self.scale_data,
            delta=self.delta,
            mindelta=self.mindelta,
            error=self.error,  # type: ignore[arg-type]
            basis=self.basis,
            basis_window=self.basis_window,
            partitions=partitions,
            selective_stopping=self.selective_stopping,
            trials=bounds if several else None,
            num_threads=effective_n_jobs(self.n_jobs),
            progress=False,
        )

    def _predictors(self, X: Floats) -> dict[str, Floats]:
        """Rows of predictors that vary, by their names."""
        names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(X.shape[1])])
        return {str(name): row for name, row, varies in zip(names, X.T, self._varying) if varies}

    def _of_varying(self, times: Any) -> Any:
        """Lag limits of the predictors that are fitted."""
        if np.ndim(times) == 0 or len(times) != self.n_features_in_:
            return times  # one for all, or wrong, as `boosting` will say
        return [time for time, varies in zip(times, self._varying) if varies]

    def predict(self, X: Any, trials: Any = None) -> Floats:
        """Predict the signals.

        Parameters
        ----------
        X : [n_samples, n_predictors]
        trials : [n_samples], optional
            As in `fit`.

        Returns
        -------
        [n_samples] or [n_samples, n_signals]
        """
        check_is_fitted(self, "coef_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        prediction = np.tile(self._mean, (len(X), 1))
        if self.result_ is not None:
            found = self.result_.predict(self._predictors(X), trials=_bounds(trials, len(X)))
            prediction[:, self._moving] = found.T
        return prediction if self._many else prediction[:, 0]


def _bounds(trials: Any, samples: int) -> npt.NDArray[np.int64]:
    """Where trials begin, and the number of samples."""
    if trials is None:
        return np.array([0, samples])
    labels = np.asarray(trials)
    if labels.shape != (samples,):
        raise ValueError(f"trials: has shape {labels.shape}, expected a label for each of {samples} samples")
    return np.array([0, *(np.flatnonzero(labels[1:] != labels[:-1]) + 1), samples])

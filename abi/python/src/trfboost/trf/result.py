"""What was estimated: filters, how well they predict, and why a filter is zero.

Arrays are kept with all axes (signals, rows of predictors, lags); the properties give them back in the form
that y and x had: no axis of signals if y had none, a list or dict of filters if x was one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import Status, refusal
from ..history import Stop
from . import basis as windows
from .evaluation import Average, Metrics
from .fits import Fits
from .lags import LagRange
from .predictors import Floats, PredictorForm
from .recording import Recording
from .scaling import Scale
from .splits import Splits


@dataclass(frozen=True)
class Settings:
    """The parameters of `boosting` that a fit and a prediction depend on."""

    sfreq: float
    scale_data: bool
    delta: float
    mindelta: float | None
    error: str
    basis: float
    basis_window: Any
    selective_stopping: int

    @property
    def window(self) -> Floats | None:
        """What filters are made of, with sum 1; None: impulses."""
        return windows.window(self.basis, self.basis_window, self.sfreq) if self.basis else None


class Timing(NamedTuple):
    """Seconds that the parts of an analysis took."""

    prepare: float
    fit: float
    evaluate: float


class Failure(NamedTuple):
    """A signal with fits that found nothing."""

    row: int
    """Row of y."""
    failed: int
    """Number of its fits in which no step lowered the validation error."""
    fits: int
    """Number of its fits; if all failed, its filter is 0."""
    steps: int
    """Most steps that one of the failed fits tried."""
    reason: str
    """A sentence."""


@dataclass(frozen=True, repr=False, eq=False)  # arrays have no single truth value
class BoostingResult:
    """Temporal response functions, with what is known of them.

    Units: filters `h` are of normalized data (with scale_data), `h_scaled` in units of y per unit of x.
    """

    settings: Settings
    form: PredictorForm
    many: bool
    """Whether y had an axis of signals."""
    first_lag: int
    """Lag of the first column of the filters, in samples."""
    filters: Floats
    """[n_y, n, L]: `h_source` with all axes."""
    scale: Scale | None
    metrics: Metrics
    n_samples: int
    splits: Splits
    failed: npt.NDArray[np.bool_]
    """[n_splits, n_y]: fits in which no step lowered the validation error."""
    steps: npt.NDArray[np.int64]
    """[n_splits, n_y]"""
    stop: npt.NDArray[np.int8]
    """[n_splits, n_y]: numbers of `trfboost.Stop`."""
    timing: Timing
    i_test: int | None = None
    """The test partition that this is the result of; None: all of them, or there are none."""
    partition_results: tuple[BoostingResult, ...] | None = None
    signal_names: tuple[str, ...] | None = None
    """What the rows of y are called, such as channels; None: they have numbers only."""

    @classmethod
    def of(
        cls,
        settings: Settings,
        recording: Recording,
        lags: LagRange,
        splits: Splits,
        scale: Scale | None,
        fits: Fits,
        averages: list[Average],
        metrics: list[Metrics],
        timing: Timing,
    ) -> BoostingResult:
        """Puts together what the stations of `boosting` found; metrics of partitions follow those of all."""
        filters = averages[0].h if len(averages) == 1 else np.mean([average.h for average in averages], 0)
        whole = cls(
            settings,
            recording.form,
            recording.many,
            lags.first,
            filters,
            scale,
            metrics[0],
            recording.y.shape[1],
            splits,
            fits.failed,
            fits.steps,
            fits.stop,
            timing,
        )
        if len(metrics) == 1:
            return whole
        partitions = []
        for i_test, average, of_partition in zip(splits.test_partitions, averages, metrics[1:]):
            members = splits.of_test(i_test)
            partitions.append(
                replace(
                    whole,
                    filters=average.h,
                    metrics=of_partition,
                    splits=replace(splits, splits=tuple(splits.splits[i] for i in members)),
                    failed=fits.failed[members],
                    steps=fits.steps[members],
                    stop=fits.stop[members],
                    i_test=i_test,
                )
            )
        return replace(whole, partition_results=tuple(partitions))

    # ------------------------------------------------------------------ signals

    @property
    def signals(self) -> list[str]:
        """Names of the rows of y; their numbers where they have none."""
        return list(self.signal_names or map(str, range(len(self.filters))))

    def with_signal_names(self, names: Sequence[str]) -> BoostingResult:
        """The same result with names for the rows of y, which plots, `failures` and xarray then show."""
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise refusal(Status.DTYPE, "names", f"is {names!r}, expected a string for each signal")
        if len(names) != len(self.filters) or len(set(names)) != len(names):
            sentence = f"has {len(names)} names, expected a different one for each of {len(self.filters)} signals"
            raise refusal(Status.LENGTH, "names", sentence, len(self.filters), len(names))
        of_partitions = self.partition_results
        if of_partitions is not None:
            of_partitions = tuple(partition.with_signal_names(names) for partition in of_partitions)
        return replace(self, signal_names=tuple(map(str, names)), partition_results=of_partitions)

    # ------------------------------------------------------------------ filters

    @property
    def h(self) -> Any:
        """Filters of normalized data: [..., L], signals first if y had them; a list or dict if x was one."""
        return self._given_back(self._smoothed)

    @property
    def h_scaled(self) -> Any:
        """Filters in units of y per unit of x."""
        return self._given_back(self.all_filters(True))

    def all_filters(self, scaled: bool) -> Floats:
        """`h`, or `h_scaled`, with all axes: [n_y, n, L]; n are the rows of all predictors, one after the other."""
        if self.scale is None or not scaled:
            return self._smoothed
        return self._smoothed * (self.scale.y_scale[:, None] / self.scale.x_scale)[:, :, None]

    @property
    def h_source(self) -> Any:
        """Filters before the windows of the basis; without a basis the same as `h`."""
        return self._given_back(self.filters)

    @property
    def h_time(self) -> Floats:
        """Lags of `h` in seconds, [L]."""
        window, first, columns = self.settings.window, self.first_lag, self.filters.shape[-1]
        if window is not None:
            first, columns = first - windows.leads(window), columns + len(window) - 1
        return (first + np.arange(columns)) / self.settings.sfreq

    @property
    def h_failed(self) -> Any:
        """Whether all fits of a signal failed, so that its filter is 0."""
        return self._by_signal(np.asarray(self.failed.all(0)))

    @property
    def _smoothed(self) -> Floats:
        window = self.settings.window
        if window is None:
            return self.filters
        smoothed = np.empty((*self.filters.shape[:-1], self.filters.shape[-1] + len(window) - 1))
        signals: Any = ... if self.many else 0
        for part, out in zip(self.form.parts(self.filters, 1), self.form.parts(smoothed, 1)):
            # SciPy chooses how to sum by the shape, so that the bits are those of the shape that is given back.
            out[signals] = windows.smooth_filters(part[signals], window)
        return smoothed

    def _given_back(self, filters: Floats) -> Any:
        return self.form.given_back(filters, 1, lambda part: part if self.many else part[0])

    def _by_signal(self, values: npt.NDArray[Any]) -> Any:
        return values if self.many else values[0].item()

    # ------------------------------------------------------------------ metrics

    @property
    def r(self) -> Any:
        """Correlation of y with its prediction, of each signal."""
        return self._by_signal(self.metrics.r)

    @property
    def r_rank(self) -> Any:
        """Spearman's rank correlation of y with its prediction, of each signal."""
        return self._by_signal(self.metrics.r_rank)

    @property
    def residual(self) -> Any:
        """What the error sums (absolute values for l1, squares for l2) over the residual, of each signal."""
        return self._by_signal(self._residual)

    @property
    def proportion_explained(self) -> Any:
        """1 - residual / variability, of each signal.

        The variability of scaled data is their number of samples, as in Eelbrain; else the error of y itself.
        """
        total = getattr(self.metrics, f"{self.settings.error}_total")
        return self._by_signal(1 - self._residual / (self.n_samples if self.settings.scale_data else total))

    @property
    def _residual(self) -> Floats:
        residual: Floats = getattr(self.metrics, f"{self.settings.error}_residual")
        return residual

    @property
    def failures(self) -> list[Failure]:
        """Signals with fits that failed, and why: what to look at if a filter is zero."""
        found = []
        for row in np.flatnonzero(self.failed.any(0)).tolist():
            failed = self.failed[:, row]
            why = sorted({Stop(int(stop)).name.lower().replace("_", " ") for stop in self.stop[failed, row]})
            sentence = (
                f"signal {self.signals[row]}: {int(failed.sum())} of {len(failed)} fits failed"
                + (", its filter is 0" if failed.all() else "")
                + ": no step on the training data lowered the error of the validation data "
                + f"(stopped by: {', '.join(why)}); the predictors do not predict it, or delta is too large"
            )
            steps = int(self.steps[failed, row].max())
            found.append(Failure(row, int(failed.sum()), len(failed), steps, sentence))
        return found

    # -------------------------------------------------------------- what users do

    def predict(self, x: Any, trials: Any = None) -> Any:
        """Predict the signals from predictors, in units of y.

        Parameters
        ----------
        x : as in `boosting`
            The same predictors, of any length; a list of trials (or dict of such lists) gives a list.
        trials : optional
            As in `boosting`.

        Returns
        -------
        array [T] or [n_y, T], or a list of them
        """
        from .prediction import predict

        return predict(self, x, trials)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to an .npz file. `trfboost.trf.storage` has the format; `trfboost.load` reads it."""
        from .storage import save

        save(self, path)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` with a filter for each predictor, and the metrics. Needs xarray."""
        from .labelled import to_xarray

        return to_xarray(self)

    def plot(self, **options: Any) -> Any:
        """Filters of each predictor and correlations, as a Matplotlib figure. See `trfboost.trf.plotting.plot`."""
        from .plotting import plot

        return plot(self, **options)

    def __repr__(self) -> str:
        return f"<BoostingResult: {'; '.join(f'{name} {value}' for name, value in self.summary())}>"

    def _repr_html_(self) -> str:
        from .notebook import html

        return html(self)

    def summary(self) -> list[tuple[str, str]]:
        """What `repr` shows: pairs of name and text."""
        settings, times = self.settings, self.h_time
        signals = f"{len(self.filters)} signals" if self.many else "1 signal"
        r = self.metrics.r
        correlation = f"{r[0]:.3f}" if len(r) == 1 else f"{r.mean():.3f} ({r.min():.3f} to {r.max():.3f})"
        rows = [
            ("fit of", f"{signals} with {', '.join(self.form.row_names[:6])}{', ...' if self.form.n_rows > 6 else ''}"),
            ("lags", f"{times[0]:.3g} to {times[-1]:.3g} s at {settings.sfreq:g} Hz"),
            ("error", f"{settings.error}, delta {settings.delta:g}"),
            ("r", correlation + (" (cross-validated)" if self.splits.test else " (of the data fitted)")),
            ("took", ", ".join(f"{name} {seconds:.2g} s" for name, seconds in self.timing._asdict().items())),
        ]
        if self.failed.any():
            zero = int(self.failed.all(0).sum())
            fits = f"{int(self.failed.sum())} of {self.failed.size} fits"
            rows.append(("failed", f"{fits}; {zero} filters are 0 (see failures)"))
        return rows

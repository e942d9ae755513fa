"""`boosting`: the stations of an analysis in their order."""

from __future__ import annotations

import functools
import math
import time
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from ..arguments import integer, one_if_true, real
from ..errors import Status, refusal
from . import bar, evaluation, fits, remote, scaling
from . import basis as windows
from . import recording as recordings
from .lags import LagRange, Way, lag_range
from .recording import Recording
from .result import BoostingResult, Settings, Timing
from .splits import Splits, merged, split


def boosting(
    y: Any,
    x: Any,
    sfreq: float,
    tstart: Any,
    tstop: Any,
    scale_data: bool | Literal["inplace"] = True,
    delta: float = 0.005,
    mindelta: float | None = None,
    error: Literal["l1", "l2"] = "l2",
    basis: float = 0,
    basis_window: Any = "hamming",
    partitions: int | None = None,
    model: Any = None,
    validate: int = 1,
    test: int = 0,
    selective_stopping: int = 0,
    partition_results: bool = False,
    *,
    trials: Any = None,
    lags: Way = "exact",
    num_threads: int = 0,
    progress: Any = None,
    client: Any = None,
    engine: fits.Engine | None = None,
) -> BoostingResult:
    """Estimate temporal response functions by boosting.

    Parameters
    ----------
    y : array [T] or [n_y, T], or a list of such arrays
        Signals to predict, each by itself; time is the last axis. A list holds trials, which may differ in
        length.
    x : array [T] or [n, T], or a dict or list of such arrays
        Predictors at the rate of y. If y is a list of trials, then either a list with x of each trial or a
        dict with a list of trials for each predictor.
    sfreq : float
        Samples per second.
    tstart, tstop : float, or a list or dict with one for each predictor
        First lag of the filters, and end of the lags, in seconds. Lags > 0: the signal follows the predictor.
    scale_data : bool or 'inplace'
        Take the mean off and divide by the scale, which is the mean absolute value for l1 and the root mean
        square for l2. 'inplace' does so in the caller's arrays, to save the memory of a copy: C-contiguous, float64,
        apart from each other. They stay scaled, also if the fit is cancelled.
    delta : float
        Step of the filters.
    mindelta : float, optional
        If no step lowers the training error, delta is halved down to this. Default: delta.
    error : {'l2', 'l1'}
        Sum of squares or of absolute values.
    basis : float
        Length in seconds of the windows that filters are made of; 0: impulses. Needs SciPy.
    basis_window : str, float or tuple
        Window, see `scipy.signal.get_window`.
    partitions : int, optional
        Number of parts that take turns as validation (and test) set. Default for a continuous recording: 10, or
        4 with test=1; for trials: as many as trials, at most 10. See `trfboost.trf.splits`.
    model : sequence of str, optional
        A category for each trial; trials of each are dealt out evenly.
    validate : {1}
        Number of partitions for validation.
    test : {0, 1}
        1: each partition is the test set in turn, and the metrics say how well it is predicted by filters that
        did not see it. 0: the metrics are those of the fit to all data.
    selective_stopping : int
        0: a fit stops when the validation error rises. m > 0: a predictor that made it rise m times is switched
        off, and the fit goes on until all are.
    partition_results : bool
        Keep a result for each test partition. Needs test=1.
    trials : int [k + 1] or [k, 2], optional
        Where one y and x of all trials are to be cut: boundaries in samples from 0 to T, or rows of start and stop,
        between which samples are left out.
    lags : {'exact', 'eelbrain'}
        'exact': 0.07 s at 100 Hz is 7 samples. 'eelbrain': 8, as in Eelbrain. See `trfboost.trf.lags`.
    num_threads : int
        0: one per processor. Results do not depend on it.
    progress : bool or callable, optional
        None: a bar in terminals and notebooks if it takes longer than a second. True and False: always or never.
        A callable gets the number of fits done and of all, and cancels by returning True.
    client : dask.distributed.Client, optional
        Makes the fits on the workers of a cluster, see `trfboost.trf.remote`. The results are the same.
    engine : callable, optional
        Makes the fits in another way: `trfboost.trf.remote.joblib()`, or see `trfboost.trf.fits.Engine`.

    Returns
    -------
    BoostingResult

    Raises
    ------
    AbiTypeError
        An array or a number of a type that does not convert to what is expected exactly.
    AbiValueError
        Shapes or lengths that do not agree; NaN and infinity; a constant signal or predictor; lags longer than a
        trial or a part of it; parameters out of range. The sentence says what to do.
    Cancelled, KeyboardInterrupt
        By progress, by Ctrl-C.

    Notes
    -----
    Method: David, Mesgarani & Shamma (2007), doi 10.1080/09548980701609235. Filters are those of
    `eelbrain.boosting` 0.41.2 to the bit (with lags='eelbrain' where the ranges differ); metrics agree to
    1e-9, since Eelbrain's convolution sums in another order. Where predictions are equal, as between the events of
    a sparse predictor, that order leaves Eelbrain's apart in the last bit, and `r_rank` can differ more: here, equal
    predictions share a rank. `h_time` has the lags of the samples, also where tstart lies between two of them and
    Eelbrain's times begin at tstart. A vector dimension of y is not known here.

    Examples
    --------
    >>> import numpy as np, trfboost
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=2000)
    >>> y = np.roll(x, 5) + rng.normal(size=2000)              # the response comes 50 ms later
    >>> result = trfboost.boosting(y, x, sfreq=100, tstart=0, tstop=0.1, test=1)
    >>> float(result.h_time[result.h.argmax()])
    0.05
    >>> bool(0.6 < result.r < 0.8)
    True
    """
    started = time.perf_counter()
    settings = _settings(
        sfreq, scale_data, delta, mindelta, error, basis, basis_window, selective_stopping, partition_results, test
    )
    recording = recordings.read(y, x, trials)
    in_place = _in_place(scale_data, recording, y, x)
    divided = split(recording.segments, partitions, model, validate, test)
    lag = lag_range(tstart, tstop, settings.sfreq, recording.form, lags)
    _refuse_short(lag, divided, recording, settings.sfreq)
    recording, scale = prepared(recording, settings, in_place)
    pads = np.zeros(len(recording.x)) if scale is None else scale.x_pads
    problem = fits.problem(
        recording, pads, lag, divided, settings.delta, settings.mindelta, settings.error, settings.selective_stopping
    )
    ready = time.perf_counter()
    run = _engine(num_threads, client, engine)
    with bar.shown(progress, problem.n_fits) as report:
        done = run(problem, report)
    fitted = time.perf_counter()
    averages = evaluation.averages(done, divided, recording.segments)
    sets = [evaluation.evaluated_segments(averages, recording.segments, lag.columns)]
    if partition_results:
        sets += [merged(average.segments) for average in averages]
    metrics = evaluation.evaluate(recording, averages, pads, lag.first, sets)
    timing = Timing(ready - started, fitted - ready, time.perf_counter() - fitted)
    return BoostingResult.of(settings, recording, lag, divided, scale, done, averages, metrics, timing)


def _engine(num_threads: Any, client: Any, engine: fits.Engine | None) -> fits.Engine:
    if client is not None and engine is not None:
        raise refusal(Status.VALUE, "client", "and engine both say where to fit; give one of them")
    if client is not None:
        return remote.dask(client)
    if engine is not None and not callable(engine):
        raise refusal(Status.DTYPE, "engine", f"is {engine!r}, expected a callable; see trfboost.trf.fits.Engine")
    return engine or functools.partial(fits.fit, num_threads=integer("num_threads", num_threads, 32))


def prepared(recording: Recording, settings: Settings, in_place: bool) -> tuple[Recording, scaling.Scale | None]:
    """The recording as the fits see it: windows over the predictors, then mean 0 and scale 1."""
    if (window := settings.window) is not None:
        recording = replace(recording, x=windows.smooth_predictors(recording.x, window))
    if settings.scale_data:
        return scaling.scaled(recording, settings.error, in_place)
    scaling.refuse_flat(recording)
    return recording, None


def _settings(
    sfreq: Any,
    scale_data: Any,
    delta: Any,
    mindelta: Any,
    error: Any,
    basis: Any,
    basis_window: Any,
    selective_stopping: Any,
    partition_results: Any,
    test: Any,
) -> Settings:
    sfreq, delta, basis = _positive("sfreq", sfreq), _positive("delta", delta), real("basis", basis)
    mindelta = None if mindelta is None else _positive("mindelta", mindelta)
    if not (math.isfinite(basis) and basis >= 0):
        raise refusal(Status.VALUE, "basis", f"is {basis}, expected seconds, or 0 for impulses")
    if not isinstance(error, str) or error not in ("l1", "l2"):
        raise refusal(Status.VALUE, "error", f"is {error!r}, expected 'l1' or 'l2'")
    if np.ndim(scale_data) or scale_data not in (True, False, "inplace"):
        raise refusal(Status.VALUE, "scale_data", f"is {scale_data!r}, expected True, False or 'inplace'")
    stopping = integer("selective_stopping", one_if_true(selective_stopping), 32)
    if stopping < 0:
        raise refusal(Status.VALUE, "selective_stopping", f"is {stopping}, expected 0 or the number of rises")
    if partition_results and not test:
        raise refusal(Status.VALUE, "partition_results", "is True, but there are no test partitions; use test=1")
    return Settings(sfreq, bool(scale_data), delta, mindelta, error, basis, windows.plain_kind(basis_window), stopping)


def _positive(name: str, value: Any) -> float:
    number = real(name, value)
    if not (math.isfinite(number) and number > 0):
        raise refusal(Status.VALUE, name, f"is {number}, expected a number > 0")
    return number


def _in_place(scale_data: Any, given: Recording, y: Any, x: Any) -> bool:
    """Whether to scale in the caller's arrays; refused if what was read is not in them."""
    if scale_data != "inplace":
        return False
    for name, array, value in (("y", given.y, y), ("x", given.x, x)):
        if not (isinstance(value, np.ndarray) and np.shares_memory(array, value) and array.flags.writeable):
            sentence = "cannot be scaled in place; expected one C-contiguous float64 array that can be written"
            raise refusal(Status.VALUE, name, sentence)
    if np.shares_memory(given.y, given.x):
        raise refusal(Status.VALUE, "x", "overlaps y, and would be scaled in place twice; expected memory of its own")
    return True


def _refuse_short(lag: LagRange, divided: Splits, recording: Recording, sfreq: float) -> None:
    """Refuses lags that a part is too short for, as Eelbrain does: its first samples would have no past at all."""
    for name, segments in (("trial", recording.segments), ("part", divided.parts)):
        lengths = np.diff(segments, axis=1)[:, 0]
        shortest = int(lengths.argmin())
        if lengths[shortest] < lag.columns:
            remedy = "leave it out, or use fewer lags" if name == "trial" else "use fewer partitions, or fewer lags"
            remedy += "; tstart and tstop are in seconds"
            sentence = (
                f"the filter has {lag.columns} lags, but {name} {shortest} has {lengths[shortest]} samples "
                f"({lengths[shortest] / sfreq:.4g} s); {remedy}"
            )
            raise refusal(Status.LAG, "tstop", sentence, int(lengths[shortest]), lag.columns)

"""The library's functions for NumPy arrays.

Names of lengths: `T` samples, `n` predictors, `L` columns of a filter (one per lag), `k` rows of a
segment list. A segment list is int64 `[k, 2]` with rows of start and stop, `0 <= start <= stop <= T`; a
row whose start is -1 ends it. Lags are in samples: lag s pairs sample t of the signal with sample
t - s of the predictor, and what lies outside of the segment counts as the predictor's pad.

Inputs may be anything that holds numbers: arrays of any strides, lists, objects with the buffer
protocol, pandas and xarray. Those of another dtype are converted if that is exact: bool, float16,
float32 and integers up to 2^53 for float64; integers that fit for int64; bool for int8. Outputs have to be
writable arrays of the very dtype, share no memory with another argument, and hold what they held
before if the call raises an exception.
"""

from __future__ import annotations

import ctypes
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from . import history, lib
from .arguments import FLOAT64, INT8, INT64, integer, read, real, written
from .errors import Status, refusal
from .history import FitDetails, HistoryEntry, Stop
from .progress import Progress, Watch
from .view import View

Array: TypeAlias = npt.ArrayLike
Floats: TypeAlias = npt.NDArray[np.float64]


def generate_options(
    y_error: Array,
    x: Array,
    x_pads: Array,
    x_active: Array,
    indexes: Array,
    i_start: int,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    error: int,
    delta: float,
    new_error: Floats,
    new_sign: npt.NDArray[np.int8],
) -> None:
    """Error of adding or subtracting delta at each lag of each predictor.

    For each active predictor i and each lag s with `i_start_by_x[i] <= s < i_stop_by_x[i]`, column
    `s - i_start` of row i receives the smaller of the errors of `y_error - delta * x` and
    `y_error + delta * x`, x being shifted by s. Other cells are not touched.

    Parameters
    ----------
    y_error : float64 [T]
        Residual.
    x : float64 [n, T]
        Predictors.
    x_pads : float64 [n]
        Value of each predictor outside of a segment.
    x_active : int8 or bool [n]
        0: the predictor is not used.
    indexes : int64 [k, 2]
        Segments over which errors are summed.
    i_start : int
        Lag of column 0.
    i_start_by_x, i_stop_by_x : int64 [n]
        First lag of each predictor, and one past its last, in samples.
    error : {1, 2}
        1: sum of absolute values, 2: sum of squares.
    delta : float
        Size of the step, > 0, in the unit of y_error per unit of x.
    new_error : float64 [n, L]
        Output: the smaller error.
    new_sign : int8 [n, L]
        Output: -1 where only subtracting the step from the filter makes that error, else 1.

    Raises
    ------
    AbiTypeError
        Wrong dtype, or an output that cannot be written.
    AbiValueError
        Shapes that do not agree; an output that overlaps itself or another argument; a segment
        outside of `0..T`; a lag without a column; error or delta out of range.

    Notes
    -----
    Eelbrain 0.41.2 computes the same inside of its compiled module, for segments longer than the lags.

    Examples
    --------
    >>> import numpy as np, trfboost
    >>> new_error, new_sign = np.zeros((1, 2)), np.zeros((1, 2), np.int8)
    >>> trfboost.generate_options(
    ...     [0, 0, 0, 1, 0, 0], [[0, 0, 1, 0, 0, 0]], [0], [True], [[0, 6]], 0, [0], [2], 2, 0.5, new_error, new_sign
    ... )
    >>> new_error
    array([[1.25, 0.25]])
    """
    lib.trfb_generate_options(
        read("y_error", y_error, FLOAT64),
        read("x", x, FLOAT64),
        read("x_pads", x_pads, FLOAT64),
        read("x_active", x_active, INT8),
        read("indexes", indexes, INT64),
        integer("i_start", i_start, 64),
        read("i_start_by_x", i_start_by_x, INT64),
        read("i_stop_by_x", i_stop_by_x, INT64),
        integer("error", error, 32),
        real("delta", delta),
        written("new_error", new_error),
        written("new_sign", new_sign),
        None,
    )


def update_error(y_error: Floats, x: Array, x_pad: float, indexes: Array, delta: float, shift: int) -> None:
    """Take delta times the shifted predictor off the residual, in place.

    Parameters
    ----------
    y_error : float64 [T]
        Input and output: the residual. Samples in no segment stay as they are.
    x : float64 [T]
        One predictor.
    x_pad : float
        Its value outside of a segment.
    indexes : int64 [k, 2]
        Segments; a sample in two of them is updated twice.
    delta : float
        Size of the step, of any sign, in the unit of y_error per unit of x.
    shift : int
        Lag in samples.

    Raises
    ------
    AbiTypeError
        Wrong dtype, or y_error cannot be written.
    AbiValueError
        Shapes that do not agree; y_error overlaps itself or another argument; a segment outside of
        `0..T`; delta is not finite.

    Notes
    -----
    As Eelbrain 0.41.2, for segments longer than the lag.
    """
    lib.trfb_update_error(
        written("y_error", y_error),
        read("x", x, FLOAT64),
        real("x_pad", x_pad),
        read("indexes", indexes, INT64),
        real("delta", delta),
        integer("shift", shift, 64),
        None,
    )


def error_for_indexes(x: Array, indexes: Array, error: int) -> float:
    """Error of a signal over segments.

    Parameters
    ----------
    x : float64 [T]
        Usually the residual.
    indexes : int64 [k, 2]
        Segments.
    error : {1, 2}
        1: sum of absolute values, 2: sum of squares.

    Returns
    -------
    float
        The sum, run up in the order of the segments; 0 if there is no sample.

    Raises
    ------
    AbiTypeError
        Wrong dtype.
    AbiValueError
        Wrong shape; a segment outside of `0..T`; error is neither 1 nor 2.

    Notes
    -----
    As Eelbrain 0.41.2.

    Examples
    --------
    >>> import trfboost
    >>> trfboost.error_for_indexes([1, -2, 3, -4], [[0, 2], [3, 4]], 1)
    7.0
    """
    total = ctypes.c_double()
    lib.trfb_error_for_indexes(
        read("x", x, FLOAT64), read("indexes", indexes, INT64), integer("error", error, 32), total, None
    )
    return total.value


@overload
def boosting_fit(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = ...,
    *,
    progress: Progress | None = ...,
    return_details: Literal[False] = ...,
) -> tuple[Floats, list[HistoryEntry]]: ...
@overload
def boosting_fit(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = ...,
    *,
    progress: Progress | None = ...,
    return_details: Literal[True],
) -> tuple[Floats, list[HistoryEntry], FitDetails]: ...
def boosting_fit(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = 0,
    *,
    progress: Progress | None = None,
    return_details: bool = False,
) -> Any:
    """Estimate one filter by coordinate descent with early stopping.

    Parameters
    ----------
    y : float64 [T]
        Signal to predict.
    x : float64 [n, T]
        Predictors.
    x_pads : float64 [n]
        Value of each predictor outside of a segment.
    split_train : int64 [k, 2]
        Segments on which steps are chosen.
    split_validate : int64 [m, 2]
        Segments that say when to stop.
    split_train_and_validate : int64 [j, 2]
        Segments in which the residual is kept up to date, usually those of both.
    i_start_by_x, i_stop_by_x : int64 [n]
        First lag of each predictor, and one past its last, in samples.
    delta : float
        Size of a step, > 0, in the unit of y per unit of x.
    mindelta : float
        Delta is halved down to this, > 0, before the fit gives up.
    error : {1, 2}
        1: sum of absolute values, 2: sum of squares.
    selective_stopping : int
        0: stop when the validation error rises. m > 0: switch a predictor off when it made it rise m times.
    progress : callable, optional
        Called several times a second with the number of steps so far and 0. None, False and 0 go on; True
        and other integers cancel. What it raises comes out of this call.
    return_details : bool
        Also return why the fit stopped.

    Returns
    -------
    h : float64 [n, L]
        The filter; column 0 is lag `min(i_start_by_x)`, and `L = max(i_stop_by_x) - min(i_start_by_x)`. All 0
        if the fit failed, that is if no step made the validation error smaller.
    history : list of HistoryEntry
        `i_step, i_stim, i_time, delta, e_test, e_train` of each step, the first standing for the zeros.
    details : FitDetails
        Only with return_details: `stop`, `entries`, `best_step`.

    Raises
    ------
    AbiTypeError
        Wrong dtype.
    AbiValueError
        Shapes that do not agree; a segment outside of `0..T`; a lag range that ends before it starts;
        no predictor with a lag; error, delta, mindelta or selective_stopping out of range; NaN or infinity in
        x_pads, or in y or x inside a segment; errors that overflow; a fit that takes 999 999 steps.
    Cancelled
        The progress callable asked for it.
    KeyboardInterrupt
        Ctrl-C, at once.

    Notes
    -----
    Filter and history are those of Eelbrain 0.41.2 to the bit, where that is defined: it reads outside of
    its arrays if a segment is shorter than a lag, and crashes on numbers that overflow. Of failed
    fits it leaves steps in h, which its callers mask.
    """
    arrays = _fit_arrays(y, x, x_pads, split_train, split_validate, split_train_and_validate, i_start_by_x, i_stop_by_x)
    scalars = _fit_scalars(delta, mindelta, error, selective_stopping)
    h = _filters("h", (), arrays)
    rows = history.room()
    result = lib.FitResult()

    def call(callback: Any, user: int | None) -> None:
        result.progress, result.user = callback, user
        lib.trfb_boosting_fit(*arrays, *scalars, written("h", h), written("history", rows), result, None)

    Watch(progress, 0).call(call)
    entries = history.entries(rows[: result.entries])
    if return_details:
        return h, entries, FitDetails(Stop(result.stop), result.entries, result.best_step)
    return h, entries


@overload
def boosting_runs(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = ...,
    num_threads: int = ...,
    *,
    progress: Progress | None = ...,
    return_details: Literal[False] = ...,
) -> tuple[Floats, npt.NDArray[np.bool_]]: ...
@overload
def boosting_runs(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = ...,
    num_threads: int = ...,
    *,
    progress: Progress | None = ...,
    return_details: Literal[True],
) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.int8]]: ...
def boosting_runs(
    y: Array,
    x: Array,
    x_pads: Array,
    split_train: Array,
    split_validate: Array,
    split_train_and_validate: Array,
    i_start_by_x: Array,
    i_stop_by_x: Array,
    delta: float,
    mindelta: float,
    error: int,
    selective_stopping: int = 0,
    num_threads: int = 0,
    *,
    progress: Progress | None = None,
    return_details: bool = False,
) -> Any:
    """Estimate one filter for each split and each signal, on several threads.

    The result is the same to the bit for any number of threads. The GIL is released meanwhile.

    Parameters
    ----------
    y : float64 [n_y, T]
        Signals to predict.
    x, x_pads, i_start_by_x, i_stop_by_x, delta, mindelta, error, selective_stopping
        As in `boosting_fit`.
    split_train, split_validate, split_train_and_validate : int64 [n_splits, k, 2]
        A segment list for each split; short ones end with a row of -1.
    num_threads : int
        0: one per processor.
    progress : callable, optional
        Called with the number of fits done and of all fits: before the first, after each, and several
        times a second in between, on the thread that made this call. None, False and 0 go on; True and
        other integers cancel. What it raises comes out of this call.
    return_details : bool
        Also return steps and stop reasons.

    Returns
    -------
    hs : float64 [n_splits, n_y, n, L]
        The filters, all 0 where the fit failed.
    failed : bool [n_splits, n_y]
        Whether no step made the validation error smaller than the filter of zeros.
    steps : int64 [n_splits, n_y]
        Only with return_details: entries of the history after the first.
    stop : int8 [n_splits, n_y]
        Only with return_details: why the fit stopped, a number of `Stop`.

    Raises
    ------
    AbiTypeError, AbiValueError, Cancelled, KeyboardInterrupt
        As `boosting_fit`. If several fits fail with an error, it is that of the first, in order of y.
    AbiMemoryError
        The filters do not fit into memory.
    AbiRuntimeError
        A thread could not be started.

    Notes
    -----
    As Eelbrain 0.41.2, which takes C-contiguous x only; see `boosting_fit`. Filters of failed fits are 0 here.
    """
    arrays = _fit_arrays(y, x, x_pads, split_train, split_validate, split_train_and_validate, i_start_by_x, i_stop_by_x)
    scalars = _fit_scalars(delta, mindelta, error, selective_stopping)
    threads = integer("num_threads", num_threads, 32)
    n_y, n_splits = _length(arrays[0], 2), _length(arrays[3], 3)
    hs = _filters("hs", (n_splits, n_y), arrays)
    failed = np.empty((n_splits, n_y), INT8)
    steps = np.empty((n_splits, n_y), INT64)
    stop = np.empty((n_splits, n_y), INT8)
    outputs = [
        written(name, array) for name, array in [("hs", hs), ("failed", failed), ("steps", steps), ("stop", stop)]
    ]

    def call(callback: Any, user: int | None) -> None:
        lib.trfb_boosting_runs(*arrays, *scalars, threads, *outputs, callback, user, None)

    Watch(progress, n_splits * n_y).call(call)
    hs_failed = failed.view(np.bool_)
    return (hs, hs_failed, steps, stop) if return_details else (hs, hs_failed)


def convolve(h: Array, x: Array, x_pads: Array, i_start: int, segments: Array, out: Floats | None = None) -> Floats:
    """Predict a signal: the sum over predictors and columns of h times the shifted predictor.

    Parameters
    ----------
    h : float64 [n, L]
        Filter.
    x : float64 [n, T]
        Predictors.
    x_pads : float64 [n]
        Value of each predictor outside of a segment.
    i_start : int
        Lag of column 0, in samples.
    segments : int64 [k, 2]
        Each is predicted on its own; where two overlap, the later one stands.
    out : float64 [T], optional
        Output. Samples in no segment are not touched. Default: a new array of zeros.

    Returns
    -------
    float64 [T]
        `out`, in the unit of y.

    Raises
    ------
    AbiTypeError
        Wrong dtype, or out cannot be written.
    AbiValueError
        Shapes that do not agree; out overlaps itself or another argument; a segment outside of
        `0..T`; lags that do not fit 64 bits.

    Notes
    -----
    Eelbrain's convolution to 1e-12 relative.
    """
    x_view = read("x", x, FLOAT64)
    if out is None:
        out = np.zeros(x_view.shape[1] if x_view.ndim == 2 else 0)
    lib.trfb_convolve(
        read("h", h, FLOAT64),
        x_view,
        read("x_pads", x_pads, FLOAT64),
        integer("i_start", i_start, 64),
        read("segments", segments, INT64),
        written("out", out),
        None,
    )
    return out


_FIT_ARRAYS = (
    ("y", FLOAT64),
    ("x", FLOAT64),
    ("x_pads", FLOAT64),
    ("split_train", INT64),
    ("split_validate", INT64),
    ("split_train_and_validate", INT64),
    ("i_start_by_x", INT64),
    ("i_stop_by_x", INT64),
)


def _fit_arrays(*values: Array) -> list[View]:
    return [read(name, value, dtype) for (name, dtype), value in zip(_FIT_ARRAYS, values)]


def _fit_scalars(delta: float, mindelta: float, error: int, selective_stopping: int) -> tuple[float, float, int, int]:
    return (
        real("delta", delta),
        real("mindelta", mindelta),
        integer("error", error, 32),
        integer("selective_stopping", selective_stopping, 32),
    )


def _length(view: View, ndim: int) -> int:
    """The first length of an argument; if its dimensions are wrong, the library will say so."""
    return max(view.shape[0], 0) if view.ndim == ndim else 0


def _filters(name: str, outer: tuple[int, ...], arrays: list[View]) -> Floats:
    """An array for the filters: [*outer, n, L].

    If the lags are no lags, it has no columns, and the library will say what is wrong with them.
    """
    first, stop = arrays[-2].array, arrays[-1].array
    lags = first.ndim == stop.ndim == 1 and first.size and stop.size
    columns = max(int(stop.max()) - int(first.min()), 0) if lags else 0
    shape = (*outer, _length(arrays[1], 2), columns)
    try:
        return np.empty(shape)
    except (MemoryError, ValueError):
        sentence = f"an array of shape {shape}, as the lags ask for, does not fit into memory"
        raise refusal(Status.OUT_OF_MEMORY, name, sentence) from None

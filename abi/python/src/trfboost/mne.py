"""Recordings of MNE: fit them, and look at the results with their channels.

    import trfboost.mne

    result = trfboost.mne.boosting(raw, {"envelope": envelope}, tstart=0, tstop=0.5, test=1)
    trfboost.mne.plot(result, raw)                     # topographies
    trf = trfboost.mne.evoked(result, raw)["envelope"]  # mne.EvokedArray: everything that MNE draws

What comes back is a plain `BoostingResult`, with the channels as `signal_names`. Sensor positions stay
where they are, in the recording's info, and the functions that draw ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import trf
from .errors import Status, refusal
from .trf.plotting import chosen
from .trf.predictors import Floats
from .trf.result import BoostingResult

try:
    import mne
    import scipy.signal  # which MNE needs too
except ModuleNotFoundError as _error:
    raise ImportError("trfboost.mne: needs MNE; pip install mne") from _error

__all__ = ["boosting", "evoked", "plot"]

_MOST_PICTURES = 6  # rows of a figure with topographies
_LOWEST_PEAK = 0.1  # of the highest: what is below is noise that a filter of many zeros has here and there


def boosting(
    y: Any,
    x: Any,
    tstart: Any,
    tstop: Any,
    *,
    picks: Any = None,
    reject_by_annotation: bool = True,
    **options: Any,
) -> BoostingResult:
    """Estimate temporal response functions of the channels of a recording.

    Parameters
    ----------
    y : mne.io.Raw or mne.Epochs
        Recording. Epochs are trials. So are the pieces of a Raw between its bad spans and at its boundaries.
    x : str, list of str, Raw, Epochs, array, or a dict or list of these
        Predictors at the rate of y. Names stand for channels of y itself, such as a recorded envelope. A Raw
        or Epochs as x is a predictor for each channel; in a dict or list it is one predictor with a row for each
        channel. Arrays are [T] or [n, T], and for Epochs [n_epochs, T] or [n_epochs, n, T].
    tstart, tstop
        Lags in seconds, see `trfboost.boosting`.
    picks : optional
        Channels of y, see `mne.io.Raw.pick`. Default: data channels that are not marked as bad.
    reject_by_annotation : bool
        Leave out what annotations that begin with "bad" cover, and let no filter reach over it.
    **options
        All others of `trfboost.boosting`. sfreq and trials are the recording's.

    Returns
    -------
    BoostingResult
        Signals are the channels. Scaled filters are in MNE's units (V, T) per unit of x.

    Raises
    ------
    AbiTypeError
        y is neither Raw nor Epochs.
    AbiValueError
        Rates, lengths or numbers of epochs that disagree; no such channel; and all that `trfboost.boosting` raises.
    """
    if not isinstance(y, (mne.io.BaseRaw, mne.BaseEpochs)):
        sentence = f"is {type(y).__name__}, expected mne.io.Raw or mne.Epochs; arrays go to trfboost.boosting"
        raise refusal(Status.DTYPE, "y", sentence)
    for name in ("sfreq", "trials"):
        if name in options:
            raise refusal(Status.VALUE, name, "is the recording's; leave it out")
    predictors, used = _predictors(x, y)
    names = [name for name in _picked(y.info, picks) if name not in used]
    if not names:
        raise refusal(Status.LENGTH, "picks", "leaves no channel to fit; name some, such as picks='eeg'", 1, 0)
    if isinstance(y, mne.io.BaseRaw):
        options["trials"] = _pieces(y) if reject_by_annotation else None
    result = trf.boosting(_data(y, names), predictors, float(y.info["sfreq"]), tstart, tstop, **options)
    return result.with_signal_names(names)


def evoked(result: BoostingResult, info: Any, scaled: bool = True) -> Any:
    """Response functions as `mne.EvokedArray`, in the form that x had.

    Parameters
    ----------
    result : BoostingResult
        Of `trfboost.mne.boosting`.
    info : mne.Info, or Raw, Epochs or Evoked
        Has the channels of the result.
    scaled : bool
        `h_scaled` (MNE's units per unit of x) or `h`.

    Returns
    -------
    EvokedArray, or a dict or list of them
        A predictor with several rows has a list of them.
    """
    channels = _info_of(result, info)
    made = iter(_evokeds(result, channels, scaled))
    parts = [next(made) if rows is None else [next(made) for _ in range(rows)] for rows in result.form.rows]
    if result.form.kind == "array":
        return parts[0]
    return dict(zip(result.form.names, parts)) if result.form.kind == "dict" else parts


def plot(
    result: BoostingResult,
    info: Any,
    *,
    predictors: Any = None,
    times: Any = 3,
    ch_type: str | None = None,
    scaled: bool = True,
) -> Any:
    """Draw a butterfly of each predictor with topographies, and the topography of the correlations.

    Parameters
    ----------
    result : BoostingResult
        Of `trfboost.mne.boosting`.
    info : mne.Info, or Raw, Epochs or Evoked
        Has the channels of the result, with their positions.
    predictors : str or sequence of str, optional
        Names of rows of predictors, as in `result.form.row_names`; default: all.
    times : int or sequence of float
        Lags in seconds of the topographies; a number: at most so many peaks of the root mean square over channels.
    ch_type : str, optional
        Type of the channels to show; needed if there are several.
    scaled : bool
        `h_scaled` or `h`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    from .trf.plotting import _pyplot

    channels = _info_of(result, info)
    shown = _of_type(channels, ch_type)
    rows = chosen("predictors", predictors, result.form.row_names)
    if len(rows) > _MOST_PICTURES:
        sentence = f"are {len(rows)} rows, expected at most {_MOST_PICTURES}; name some of result.form.row_names"
        raise refusal(Status.LENGTH, "predictors", sentence, _MOST_PICTURES, len(rows))
    evokeds = [_evokeds(result, channels, scaled)[row].pick(shown, verbose=False) for row in rows]
    at = [_peaks(evoked, times) if np.ndim(times) == 0 else np.asarray(times, float) for evoked in evokeds]
    columns = max(map(len, at))
    size = 3.4 + 1.5 * (columns + 1), 2.2 * len(rows)
    figure = _pyplot().figure(figsize=size, layout="constrained")
    axes = figure.subplots(len(rows), columns + 2, squeeze=False, width_ratios=[2.4, *[1] * (columns + 1)])
    for panels, trf_of_row, lags in zip(axes, evokeds, at):
        _draw(panels, trf_of_row, lags, scaled)
    _draw_correlations(axes[0, -1], result, evokeds[0].info)
    return figure


# ------------------------------------------------------------------------- reading


def _picked(info: mne.Info, picks: Any) -> list[str]:
    """Names of channels. MNE resolves them, on a recording of a single sample."""
    sample = mne.io.RawArray(np.zeros((len(info["ch_names"]), 1)), info, verbose=False)
    try:
        chosen_names = sample.pick("data" if picks is None else picks, exclude="bads", verbose=False).ch_names
    except ValueError as error:
        raise refusal(Status.VALUE, "picks", f"do not fit the recording: {error}") from error
    return list(chosen_names)


def _data(recording: Any, names: list[str]) -> Any:
    """[channels, T] of a Raw; for Epochs a list of them."""
    if isinstance(recording, mne.io.BaseRaw):
        return recording.get_data(picks=names)
    return list(recording.get_data(picks=names))


def _predictors(x: Any, y: Any) -> tuple[Any, set[str]]:
    """x as `trfboost.boosting` takes it, and the channels of y in it."""
    names = [x] if isinstance(x, str) else list(x) if isinstance(x, (list, tuple)) else []
    if names and all(isinstance(name, str) for name in names):
        missing = [name for name in names if name not in y.ch_names]
        if missing:
            raise refusal(Status.VALUE, "x", f"names {', '.join(missing)}, which y has no channel of")
        return _by_trial({name: _rows(y, [name]) for name in names}, y), set(names)
    if isinstance(x, (mne.io.BaseRaw, mne.BaseEpochs)):
        _same_kind("x", x, y)
        return _by_trial({name: _rows(x, [name]) for name in x.ch_names}, y), set()
    if isinstance(x, Mapping):
        return _by_trial({name: _values(f"x[{name!r}]", value, y) for name, value in x.items()}, y), set()
    if isinstance(x, (list, tuple)) and any(isinstance(value, (mne.io.BaseRaw, mne.BaseEpochs)) for value in x):
        values = [_values(f"x[{i}]", value, y) for i, value in enumerate(x)]
        return (values if isinstance(y, mne.io.BaseRaw) else [list(trial) for trial in zip(*values)]), set()
    return _values("x", x, y), set()


def _rows(recording: Any, names: list[str]) -> Any:
    """A single channel, without the axis of channels."""
    data = _data(recording, names)
    return [trial[0] for trial in data] if isinstance(data, list) else data[0]


def _values(argument: str, value: Any, y: Any) -> Any:
    """One predictor; for Epochs a list with its trials."""
    if isinstance(value, (mne.io.BaseRaw, mne.BaseEpochs)):
        _same_kind(argument, value, y)
        return _data(value, list(value.ch_names))
    if isinstance(y, mne.io.BaseRaw):
        return value
    trials = list(value)
    if len(trials) != len(y):
        sentence = f"has {len(trials)} trials, but y has {len(y)} epochs; if some were dropped, use x[epochs.selection]"
        raise refusal(Status.LENGTH, argument, sentence, len(y), len(trials))
    return trials


def _by_trial(predictors: dict[str, Any], y: Any) -> dict[str, Any]:
    for name, value in predictors.items():
        if isinstance(y, mne.BaseEpochs) and len(value) != len(y):
            sentence = f"has {len(value)} epochs, but y has {len(y)}; x[epochs.selection] has those that were kept"
            raise refusal(Status.LENGTH, f"x[{name!r}]", sentence, len(y), len(value))
    return predictors


def _same_kind(argument: str, x: Any, y: Any) -> None:
    if isinstance(x, mne.io.BaseRaw) != isinstance(y, mne.io.BaseRaw):
        sentence = f"is {type(x).__name__}, but y is {type(y).__name__}; expected the same kind of recording"
        raise refusal(Status.DTYPE, argument, sentence)
    rates = float(x.info["sfreq"]), float(y.info["sfreq"])
    if rates[0] != rates[1]:
        sentence = f"has {rates[0]:g} Hz, but y has {rates[1]:g} Hz; resample one: x.copy().resample({rates[1]:g})"
        raise refusal(Status.VALUE, argument, sentence)


def _first_channel(raw: Any, reject_by_annotation: str | None) -> Floats:
    row: Floats = raw.get_data(picks=[0], reject_by_annotation=reject_by_annotation, verbose=False)[0]
    return row


def _pieces(raw: Any) -> Any:
    """Rows of start and stop between bad spans, cut at boundaries of joined recordings; None: one piece."""
    samples = raw.n_times
    # MNE says itself which samples are bad: by NaN, where there was none before.
    marked, plain = (np.isnan(_first_channel(raw, way)) for way in ("NaN", None))
    kept = plain | ~marked
    cuts = {0, samples}
    for annotation in raw.annotations:
        if annotation["description"].upper().endswith("BOUNDARY"):
            # Onsets count from the beginning of the measurement, of which raw can be a part.
            start = round((annotation["onset"] - raw.first_time) * raw.info["sfreq"])
            cuts.update({start} if 0 < start < samples else ())
    edges = np.flatnonzero(np.diff(kept)) + 1
    bounds = sorted(cuts.union(edges.tolist()))
    pieces = [(start, stop) for start, stop in zip(bounds, bounds[1:]) if kept[start]]
    if not pieces:
        sentence = "is covered by bad annotations; use reject_by_annotation=False to fit it all the same"
        raise refusal(Status.LENGTH, "y", sentence, 1, 0)
    return None if pieces == [(0, samples)] else np.array(pieces)


# ------------------------------------------------------------------------- showing


def _info_of(result: BoostingResult, info: Any) -> mne.Info:
    """The info of the result's channels."""
    info = getattr(info, "info", info)
    if not isinstance(info, mne.Info):
        raise refusal(Status.DTYPE, "info", f"is {type(info).__name__}, expected mne.Info or a recording that has one")
    missing = [name for name in result.signals if name not in info["ch_names"]]
    if missing:
        sentence = f"has no channel {', '.join(missing[:5])}; expected that of the recording that was fitted"
        raise refusal(Status.VALUE, "info", sentence)
    channels = mne.pick_info(info, [info["ch_names"].index(name) for name in result.signals])
    if channels["sfreq"] != result.settings.sfreq:
        sentence = f"has {channels['sfreq']:g} Hz, but the fit was made at {result.settings.sfreq:g} Hz"
        raise refusal(Status.VALUE, "info", sentence)
    return channels


def _evokeds(result: BoostingResult, info: mne.Info, scaled: bool) -> list[Any]:
    """One for each row of all predictors."""
    start = float(result.h_time[0])
    filters = np.moveaxis(result.all_filters(scaled), 1, 0)
    return [mne.EvokedArray(h, info, start, name, verbose=False) for name, h in zip(result.form.row_names, filters)]


def _of_type(info: mne.Info, ch_type: str | None) -> list[str]:
    """Names of the channels to show, which have positions."""
    types = info.get_channel_types()
    found = list(dict.fromkeys(types))
    if ch_type is None and len(found) > 1:
        raise refusal(Status.VALUE, "ch_type", f"has to be one of {', '.join(found)}: the result has several")
    if ch_type is not None and ch_type not in found:
        raise refusal(Status.VALUE, "ch_type", f"is {ch_type!r}, expected one of {', '.join(found)}")
    numbers = [i for i, kind in enumerate(types) if kind == (ch_type or found[0])]
    places = np.array([info["chs"][i]["loc"][:3] for i in numbers])
    if not np.isfinite(places).all() or not places.any(1).all():
        sentence = "has channels without a position; give it some with raw.set_montage(...), or use result.plot()"
        raise refusal(Status.VALUE, "info", sentence)
    return [info["ch_names"][i] for i in numbers]


def _peaks(evoked: Any, count: Any) -> Floats:
    """Lags of the highest peaks of the root mean square over channels."""
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
        raise refusal(Status.VALUE, "times", f"is {count!r}, expected a number of topographies or lags in seconds")
    power = np.sqrt((evoked.data**2).mean(0))
    peaks, _ = scipy.signal.find_peaks(np.concatenate(([-1], power, [-1])), height=_LOWEST_PEAK * power.max())
    highest = peaks[np.argsort(-power[peaks - 1], kind="stable")][:count] - 1
    lags: Floats = evoked.times[np.sort(highest)]
    return lags


def _draw(panels: Any, evoked: Any, lags: Floats, scaled: bool) -> None:
    butterfly = panels[0]
    kinds = evoked.get_channel_types(unique=True)
    labels = {} if scaled else {"units": dict.fromkeys(kinds, "normalized"), "scalings": dict.fromkeys(kinds, 1)}
    quiet: dict[str, Any] = {"show": False, "time_unit": "s"}
    evoked.plot(axes=butterfly, spatial_colors=True, selectable=False, verbose=False, **labels, **quiet)
    for text in [text for text in butterfly.texts if "ave" in text.get_text()]:
        text.remove()  # the number of averages, of which there are none
    unit = butterfly.get_ylabel()
    butterfly.set(title=evoked.comment, xlabel="Lag (s)", ylabel=f"{unit} per unit" if scaled else unit)
    evoked.plot_topomap(lags, axes=list(panels[1 : 1 + len(lags)]), colorbar=False, contours=0, **quiet)
    for unused in panels[1 + len(lags) :]:
        unused.set_axis_off()


def _draw_correlations(panel: Any, result: BoostingResult, info: mne.Info) -> None:
    r = result.metrics.r[[result.signals.index(name) for name in info["ch_names"]]]
    image, _ = mne.viz.plot_topomap(
        r, info, axes=panel, show=False, contours=0, cmap="Reds", vlim=(0, max(float(r.max()), 1e-9))
    )
    panel.set_title("r (cross-validated)" if result.splits.test else "r (of the data fitted)", fontsize="small")
    panel.figure.colorbar(image, ax=panel, shrink=0.6)

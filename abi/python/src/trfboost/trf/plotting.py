"""Pictures of results, with Matplotlib.

One panel for each predictor: a line for each signal (a butterfly) or for each row of the predictor, an image where
a predictor has more rows than lines can be told apart. Where signals times rows are too many lines, the root mean
square over the signals is shown: their mean is 0 in any recording with an average reference. A last panel has
the correlations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..errors import Status, refusal
from .predictors import Floats

_MOST_LINES = 8  # that colours tell apart
_MOST_COLUMNS = 4  # of panels, before they go on in a second row
_PANEL = 3.2, 2.8  # inches

Kind = Literal["lines", "image"]


def plot(
    result: Any,
    *,
    predictors: str | Sequence[str] | None = None,
    signals: Any = None,
    kind: Kind | None = None,
    scaled: bool = False,
    figure: Any = None,
) -> Any:
    """Draw filters and correlations.

    Parameters
    ----------
    result : BoostingResult
    predictors : str or sequence of str, optional
        Names of the predictors to show; default: all.
    signals : int, str or sequence of them, optional
        Rows of y to show, by number or name; default: all.
    kind : {'lines', 'image'}, optional
        Default: an image for predictors with more than eight rows, else lines.
    scaled : bool
        Draw `h_scaled` (units of y per unit of x) instead of `h`.
    figure : matplotlib.figure.Figure or SubFigure, optional
        Where to draw; default: a new figure of pyplot.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    AbiValueError
        The result has no such predictor or signal; no such kind.
    ImportError
        Matplotlib is not installed.
    """
    pyplot = _pyplot()
    if kind not in (None, "lines", "image"):
        raise refusal(Status.VALUE, "kind", f"is {kind!r}, expected 'lines', 'image' or None")
    numbers = chosen("signals", signals, result.signals)
    panels = _panels(result, chosen("predictors", predictors, result.form.names), numbers, scaled)
    n_axes = len(panels) + (len(numbers) > 1)
    columns = min(n_axes, _MOST_COLUMNS)
    rows = -(-n_axes // columns)
    if figure is None:
        figure = pyplot.figure(figsize=(_PANEL[0] * columns, _PANEL[1] * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    _draw(figure, axes, panels, result.h_time, kind, scaled)
    note = "cross-validated" if result.splits.test else "of the data fitted"
    r = result.metrics.r[numbers]
    if len(numbers) > 1:
        _correlations(axes[len(panels)], r, [result.signals[row] for row in numbers], note)
    else:
        figure.suptitle(f"r = {r[0]:.3f} ({note})")
    for unused in axes[n_axes:]:
        unused.remove()
    return figure


@dataclass(frozen=True)
class _Panel:
    """What is shown of one predictor."""

    title: str
    values: Floats
    """[k, L]"""
    names: list[str]
    """Of the k lines or rows of the image."""
    of: str
    """What the k are: signals, or rows of the predictor."""
    signed: bool
    """False: a root mean square."""

    def is_image(self, kind: Kind | None) -> bool:
        return kind == "image" if kind else self.of == "Row" and len(self.values) > _MOST_LINES


def _panels(result: Any, predictors: list[int], signals: list[int], scaled: bool) -> list[_Panel]:
    filters = result.all_filters(scaled)[signals]
    parts = result.form.parts(filters, 1)
    panels = []
    for number in predictors:
        title, h = result.form.names[number], parts[number]
        rows = [str(row) for row in range(h.shape[1])] if h.ndim == 3 else [""]
        h = h.reshape(len(signals), len(rows), h.shape[-1])
        if len(rows) == 1:
            panels.append(_Panel(title, h[:, 0], [result.signals[row] for row in signals], "Signal", True))
        elif len(signals) == 1:
            panels.append(_Panel(title, h[0], rows, "Row", True))
        elif len(signals) * len(rows) <= _MOST_LINES:
            names = [f"{result.signals[signal]}, {row}" for signal in signals for row in rows]
            panels.append(_Panel(title, h.reshape(-1, h.shape[-1]), names, "Signal, row", True))
        else:
            panels.append(_Panel(f"{title} (RMS of signals)", np.sqrt((h**2).mean(0)), rows, "Row", False))
    return panels


def _draw(figure: Any, axes: Any, panels: list[_Panel], times: Floats, kind: Kind | None, scaled: bool) -> None:
    lines = [panel for panel in panels if not panel.is_image(kind)]
    limit = max((float(np.abs(panel.values).max()) for panel in lines), default=0.0)
    unlabelled = True
    for ax, panel in zip(axes, panels):
        ax.set(title=panel.title, xlabel="Lag (s)")
        if panel.is_image(kind):
            _image(figure, ax, panel, times)
            continue
        _lines(ax, panel, times)
        if not scaled and limit:  # normalized responses compare with each other
            ax.set_ylim(-1.05 * limit, 1.05 * limit)
        if unlabelled:
            ax.set_ylabel("Response (y per x)" if scaled else "Response (normalized)")
            unlabelled = False


def _lines(ax: Any, panel: _Panel, times: Floats) -> None:
    few = len(panel.values) <= _MOST_LINES
    ax.axhline(0, color="0.8", linewidth=0.8, zorder=0)
    marker = "o" if len(times) == 1 else None
    drawn = ax.plot(times, panel.values.T, linewidth=1.4 if few else 0.7, alpha=1 if few else 0.8, marker=marker)
    if few and len(panel.values) > 1:
        ax.legend(drawn, panel.names, title=panel.of, fontsize="x-small", title_fontsize="x-small")


def _image(figure: Any, ax: Any, panel: _Panel, times: Floats) -> None:
    step = times[1] - times[0] if len(times) > 1 else 1.0
    limit = float(np.abs(panel.values).max()) or 1.0
    image = ax.imshow(
        panel.values,
        origin="lower",
        aspect="auto",
        extent=(times[0] - step / 2, times[-1] + step / 2, -0.5, len(panel.values) - 0.5),
        cmap="RdBu_r" if panel.signed else "magma_r",
        vmin=-limit if panel.signed else 0,
        vmax=limit,
        interpolation="none",
    )
    figure.colorbar(image, ax=ax)
    ax.set_ylabel(panel.of)
    if len(panel.names) <= _MOST_LINES:
        ax.set_yticks(range(len(panel.names)), panel.names)


def _correlations(ax: Any, r: Floats, names: list[str], note: str) -> None:
    ax.bar(np.arange(len(r)), r, width=0.8, color="0.4")
    ax.axhline(0, color="0.8", linewidth=0.8)
    ax.set(title=f"Correlation\n({note})", xlabel="Signal", ylabel="r")
    if len(names) <= _MOST_LINES:
        ax.set_xticks(range(len(names)), names, rotation=90 if max(map(len, names)) > 3 else 0)


def chosen(argument: str, wanted: Any, names: Sequence[str]) -> list[int]:
    """Numbers of what is wanted, by number or name; None: all."""
    if wanted is None:
        return list(range(len(names)))
    numbers = []
    for item in [wanted] if isinstance(wanted, str) or np.ndim(wanted) == 0 else wanted:
        if isinstance(item, str) and item in names:
            numbers.append(list(names).index(item))
        elif not isinstance(item, str) and -len(names) <= item < len(names):
            numbers.append(int(item) % len(names))
        else:
            shown = ", ".join(names[:_MOST_LINES]) + (", ..." if len(names) > _MOST_LINES else "")
            raise refusal(Status.VALUE, argument, f"has {item!r}, expected some of the {len(names)} there are: {shown}")
    if not numbers:
        raise refusal(Status.LENGTH, argument, "is empty; None stands for all", 1, 0)
    return numbers


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        raise ImportError("BoostingResult.plot: needs Matplotlib; pip install matplotlib") from error
    return pyplot

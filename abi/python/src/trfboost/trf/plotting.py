"""Pictures of results, with Matplotlib.

One panel for each predictor: lines over the lags while there are few, an image where a predictor has many rows,
all signals as a butterfly. Beside them the correlations of the signals.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_MOST_LINES = 8  # of the rows of a predictor, before they become an image


def plot(result: Any, *, figure: Any = None, scaled: bool = False) -> Any:
    """Draw filters and correlations.

    Parameters
    ----------
    result : BoostingResult
    figure : matplotlib.figure.Figure, optional
        Where to draw; default: a new figure from pyplot.
    scaled : bool
        Draw `h_scaled` instead of `h`.

    Returns
    -------
    matplotlib.figure.Figure
    """
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        raise ImportError("BoostingResult.plot: needs Matplotlib; pip install matplotlib") from error
    filters = result._smoothed
    if scaled and result.scale is not None:
        filters = filters * (result.scale.y_scale[:, None] / result.scale.x_scale)[:, :, None]
    parts = result.form.parts(filters, 1)
    panels = len(parts) + result.many
    if figure is None:
        figure = pyplot.figure(figsize=(3.2 * panels, 3), layout="constrained")
    axes = np.atleast_1d(figure.subplots(1, panels, squeeze=False)[0])
    lines = [h for h in parts if not _is_image(h)]
    limit = max((float(np.abs(h).max()) for h in lines), default=0.0) or 1.0
    for panel, name, h in zip(axes, result.form.names, parts):
        _filters(figure, panel, result.h_time, h)
        if not _is_image(h):
            panel.set_ylim(-1.05 * limit, 1.05 * limit)
        panel.set(title=name, xlabel="Lag (s)")
    axes[0].set_ylabel(axes[0].get_ylabel() or ("Response" if scaled else "Response (normalized)"))
    if result.many:
        _correlations(axes[-1], result.r, "Correlation" + (" (cross-validated)" if result.splits.test else ""))
    return figure


def _is_image(h: Any) -> bool:
    """[n_y, rows, L] with many rows; [n_y, L] never."""
    return bool(h.ndim == 3 and h.shape[1] > _MOST_LINES)


def _filters(figure: Any, panel: Any, times: Any, h: Any) -> None:
    if _is_image(h):
        mean = h.mean(0)  # over the signals: each has its own in `h`
        step = times[1] - times[0] if len(times) > 1 else 1.0
        extent = (times[0] - step / 2, times[-1] + step / 2, -0.5, len(mean) - 0.5)
        limit = float(np.abs(mean).max()) or 1.0
        colours = dict(cmap="RdBu_r", vmin=-limit, vmax=limit)
        image = panel.imshow(mean, origin="lower", aspect="auto", extent=extent, interpolation="none", **colours)
        figure.colorbar(image, ax=panel)
        panel.set_ylabel("Row" + (" (mean over signals)" if len(h) > 1 else ""))
        return
    many = h.reshape(-1, h.shape[-1])
    panel.axhline(0, color="0.8", linewidth=0.8)
    panel.plot(times, many.T, linewidth=1.2 if len(many) <= _MOST_LINES else 0.6)


def _correlations(panel: Any, r: Any, title: str) -> None:
    panel.bar(np.arange(len(r)), r, width=0.8, color="0.4")
    panel.axhline(0, color="0.8", linewidth=0.8)
    panel.set(title=title, xlabel="Signal", ylabel="r")

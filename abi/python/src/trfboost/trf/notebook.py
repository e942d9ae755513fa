"""What a notebook shows of a result: its summary, and a row with a small curve for each predictor.

Colours are those of the page (`currentColor`), so that it is readable in dark notebooks too, and names are escaped:
they come from the user's data.
"""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from .predictors import Floats

_MOST_ROWS = 20  # of predictors and of failures; a notebook keeps every output
_WIDTH, _HEIGHT = 140, 26  # of a curve, in pixels
_LEFT = "style='text-align:left'"


def html(result: Any) -> str:
    """The result as HTML."""
    summary = "".join(
        f"<tr><th {_LEFT}>{escape(name)}</th><td {_LEFT}>{escape(text)}</td></tr>" for name, text in result.summary()
    )
    return f"<div><strong>BoostingResult</strong><table>{summary}</table>{_predictors(result)}{_failures(result)}</div>"


def _predictors(result: Any) -> str:
    times = result.h_time
    head = "".join(f"<th {_LEFT}>{title}</th>" for title in ("predictor", "rows", "largest response", "RMS over lags"))
    body = ""
    parts = result.form.parts(result.all_filters(False), 1)
    for name, rows, h in list(zip(result.form.names, result.form.rows, parts))[:_MOST_ROWS]:
        lags = np.moveaxis(h, -1, 0).reshape(len(times), -1)
        lag, column = np.unravel_index(np.abs(lags).argmax(), lags.shape)
        peak = f"{lags[lag, column]:.3g} at {times[lag]:.3g} s" if lags.any() else "0 everywhere"
        cells = (escape(name), "1" if rows is None else str(rows), peak, _curve(np.sqrt((lags**2).mean(1))))
        body += "<tr>" + "".join(f"<td {_LEFT}>{cell}</td>" for cell in cells) + "</tr>"
    more = len(parts) - _MOST_ROWS
    body += f"<tr><td colspan='4' {_LEFT}>and {more} more</td></tr>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _curve(values: Floats) -> str:
    """A line from 0 (bottom) to the largest value (top)."""
    across = np.linspace(1, _WIDTH - 1, len(values)) if len(values) > 1 else np.array([_WIDTH / 2])
    down = _HEIGHT - 1 - (_HEIGHT - 2) * values / (values.max() or 1)
    points = " ".join(f"{x:.0f},{y:.0f}" for x, y in zip(across, down))
    return (
        f"<svg width='{_WIDTH}' height='{_HEIGHT}' role='img' aria-label='response over lags'>"
        f"<polyline points='{points}' fill='none' stroke='currentColor'/></svg>"
    )


def _failures(result: Any) -> str:
    failures = result.failures
    if not failures:
        return ""
    listed = "".join(f"<li>{escape(failure.reason)}</li>" for failure in failures[:_MOST_ROWS])
    more = len(failures) - _MOST_ROWS
    listed += f"<li>and {more} more</li>" if more > 0 else ""
    return f"<details><summary>Signals with failed fits: {len(failures)}</summary><ul>{listed}</ul></details>"

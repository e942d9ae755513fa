"""Results as xarray datasets, with names and times on their axes."""

from __future__ import annotations

from typing import Any


def to_xarray(result: Any) -> Any:
    """See `BoostingResult.to_xarray`."""
    try:
        import xarray
    except ModuleNotFoundError as error:
        raise ImportError("BoostingResult.to_xarray: needs xarray; pip install xarray") from error
    signal = ["signal"] if result.many else []
    filters = result.form.given_back(result._smoothed, 1, lambda part: part if result.many else part[0])
    parts = [filters] if result.form.kind == "array" else filters.values() if result.form.kind == "dict" else filters
    variables: dict[str, Any] = {}
    for name, rows, h in zip(result.form.names, result.form.rows, parts):
        variables[f"h_{name}"] = ([*signal, *([] if rows is None else [f"{name}_row"]), "lag"], h)
    for name in ("r", "r_rank", "proportion_explained", "residual"):
        variables[name] = (signal, getattr(result, name))
    variables["failed"] = (signal, result.h_failed)  # without the h_, which is that of a predictor's filter
    settings = result.settings
    attributes = {"sfreq": settings.sfreq, "error": settings.error, "delta": settings.delta, "basis": settings.basis}
    coordinates: dict[str, Any] = {"lag": ("lag", result.h_time, {"units": "s"})}
    if result.many and result.signal_names is not None:
        coordinates["signal"] = list(result.signal_names)
    return xarray.Dataset(variables, coordinates, attributes)

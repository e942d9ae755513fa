"""Eelbrain, unchanged, with this package's core.

    import trfboost.eelbrain

    trfboost.eelbrain.install()

From then on `eelbrain.boosting(...)` fits with `trfboost.boosting_runs` and gives the same
`BoostingResult`, to the bit. It does not matter whether Eelbrain was imported before; if not, `install`
imports it, since its version has to be looked at. `uninstall` puts back what was there, and the context
manager `installed` does so at its end:

    with trfboost.eelbrain.installed():
        result = eelbrain.boosting(y, x, 0, 0.5)

What is replaced are the functions of Eelbrain's compiled module, and the names that its other modules
bound to one of them when they were imported. The number of threads is Eelbrain's
(`eelbrain.configure(n_workers=...)`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import functions

__all__ = ["install", "installed", "uninstall"]

_SERIES = "0.41"
"""The series of Eelbrain whose compiled module has the functions below, with these parameters."""

_REPLACED = {
    "eelbrain._trf._boosting_opt": ("boosting_fit", "boosting_runs", "error_for_indexes"),
    "eelbrain._trf._fit_metrics": ("error_for_indexes",),
    "eelbrain._ndvar.ndvar": ("error_for_indexes",),
}
"""Modules, and the names in them that stand for functions of the compiled module."""

_originals: dict[tuple[str, str], Any] = {}
"""What was in the place of what is installed; empty if nothing is."""


def install() -> None:
    """Have Eelbrain fit with this package.

    A second call changes nothing.

    Raises
    ------
    ImportError
        Eelbrain is not installed, or is of a series whose core is another.
    """
    _check_version()
    places = [(module, name) for module, names in _REPLACED.items() for name in names]
    found = {(module, name): getattr(importlib.import_module(module), name, None) for module, name in places}
    missing = [f"{module}.{name}" for (module, name), function in found.items() if function is None]
    if missing:
        raise ImportError(f"trfboost.eelbrain: this Eelbrain has no {', '.join(missing)}; expected version {_SERIES}")
    for (module, name), function in found.items():
        ours = getattr(functions, name)
        if function is not ours:
            _originals[module, name] = function
            setattr(importlib.import_module(module), name, ours)


def uninstall() -> None:
    """Put back what `install` replaced. Without an installation nothing happens."""
    while _originals:
        (module, name), function = _originals.popitem()
        setattr(importlib.import_module(module), name, function)


@contextmanager
def installed() -> Iterator[None]:
    """Install for the time of a `with` block; inside of another installation, do nothing."""
    if _originals:
        yield
        return
    install()
    try:
        yield
    finally:
        uninstall()


def _check_version() -> None:
    try:
        eelbrain = importlib.import_module("eelbrain")
    except ModuleNotFoundError as error:
        if error.name != "eelbrain":
            raise
        sentence = f"trfboost.eelbrain: Eelbrain is not installed; pip install 'eelbrain=={_SERIES}.*'"
        raise ImportError(sentence) from error
    version = eelbrain.__version__
    if version.split(".")[:2] != _SERIES.split("."):
        raise ImportError(
            f"trfboost.eelbrain: Eelbrain is of version {version}, expected {_SERIES}, whose results are known to be "
            f"the same to the bit; pip install 'eelbrain=={_SERIES}.*'"
        )

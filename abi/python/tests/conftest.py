"""The tests run against the installed package, as users have it."""

import os
from pathlib import Path

import trfboost

SOURCE = Path(__file__).parents[1] / "src"


def pytest_report_header():
    return f"trfboost {trfboost.__version__}: {trfboost.library_path()}"


def pytest_sessionstart():
    installed = Path(trfboost.__file__).resolve()
    if SOURCE in installed.parents and not os.environ.get("TRFBOOST_TEST_EDITABLE"):
        raise SystemExit(f"trfboost was imported from {SOURCE}; install a wheel to test")

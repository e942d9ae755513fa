"""A bar on the screen while fits run.

It appears when somebody can see it (a terminal or a notebook) and the fits take more than a second. tqdm
draws it, if it is installed; else a line is rewritten on stderr.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import Status, refusal

_PATIENCE = 1.0  # seconds before anything is shown
Report = Callable[[int, int], Any]


@contextmanager
def shown(progress: Any, n_fits: int) -> Iterator[Report | None]:
    """What to call with the number of fits done and of all. None: nobody wants to know."""
    if callable(progress):
        yield progress
        return
    if progress not in (None, True, False):
        sentence = f"is {progress!r}, expected True, False, None or a callable of (done, total)"
        raise refusal(Status.DTYPE, "progress", sentence)
    wanted = _watched() if progress is None else progress
    if not wanted:
        yield None
        return
    bar = _tqdm(n_fits) or _Line(n_fits)
    try:
        yield lambda done, total: bar.update(done - bar.n)
    finally:
        bar.close()


def _watched() -> bool:
    shell = sys.modules.get("IPython")
    notebook = shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
    return notebook or (sys.stderr is not None and sys.stderr.isatty())


def _tqdm(n_fits: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ModuleNotFoundError:
        return None
    return tqdm(total=n_fits, desc="boosting", unit="fit", delay=_PATIENCE, dynamic_ncols=True)


class _Line:
    """What of tqdm is needed here."""

    def __init__(self, total: int) -> None:
        self.n, self._total, self._start, self._drawn = 0, total, time.monotonic(), False

    def update(self, more: int) -> None:
        self.n += more
        elapsed = time.monotonic() - self._start
        if elapsed > _PATIENCE and (more or not self._drawn):
            left = f", {elapsed / self.n * (self._total - self.n):.0f} s left" if self.n else ""
            print(f"\rboosting: {self.n} of {self._total} fits{left}   ", end="", file=sys.stderr, flush=True)
            self._drawn = True

    def close(self) -> None:
        if self._drawn:
            print(file=sys.stderr)

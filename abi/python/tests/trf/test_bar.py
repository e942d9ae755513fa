"""What is seen of long work: a bar, a plain line, or nothing; and how it is ended."""

import contextlib
import importlib.util
import io
import re
import signal
import sys
import threading

import problems
import pytest

import trfboost
from trfboost.trf import bar

FIT = dict(sfreq=problems.SFREQ, tstart=0, tstop=0.1)


class Terminal(io.StringIO):
    watched = True

    def isatty(self):
        return self.watched


def seen(patience=-1.0, watched=True, error=None, **options):
    """What a fit leaves on stderr. With this patience nobody waits a second."""
    screen = Terminal()
    screen.watched = watched
    expected = contextlib.nullcontext() if error is None else pytest.raises(error)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stderr(screen), expected:
        patch.setattr(bar, "_PATIENCE", patience)
        trfboost.boosting(*options.pop("recording", problems.recording()), **FIT, **options)
    return screen.getvalue()


@pytest.fixture
def without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)


def test_without_tqdm_a_line_counts_the_fits(without_tqdm):
    assert re.search(r"\rboosting: 20 of 20 fits, 0 s left +\n$", seen())


@pytest.mark.skipif(not importlib.util.find_spec("tqdm"), reason="tqdm is not installed")
def test_with_tqdm_its_bar_counts_the_fits():
    assert re.search("boosting: 100%.* 20/20 ", seen(patience=0))


def test_nothing_is_shown_where_nobody_looks_or_nobody_waits(without_tqdm):
    assert seen(progress=False) == seen(watched=False) == seen(patience=1e9) == ""
    assert "20 of 20" in seen(watched=False, progress=True)


def test_the_line_ends_when_the_fits_end_early(without_tqdm):
    def engine(problem, progress):
        progress(1, problem.n_fits)
        raise RuntimeError("the cluster is gone")

    assert re.search(r"boosting: 1 of 20 fits.*\n$", seen(engine=engine, error=RuntimeError))


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_ctrl_c_ends_the_fits_in_their_midst(without_tqdm):
    recording = problems.recording(samples=20_000, n_y=100, n=8)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        shown = seen(recording=recording, error=KeyboardInterrupt, delta=0.0002)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    counts = [int(count) for count in re.findall(r"boosting: (\d+) of 1000 fits", shown)]
    assert max(counts, default=0) < 1000


def test_the_result_says_what_took_the_time():
    timing = trfboost.boosting(*problems.recording(), **FIT).timing
    assert timing._fields == ("prepare", "fit", "evaluate") and min(timing) > 0

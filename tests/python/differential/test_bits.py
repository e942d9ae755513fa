"""The same bits as Eelbrain: filters and whole histories of random fits, and of a recording."""
from pathlib import Path

import definition
import numpy as np
import pytest
import trfboost
from comparison import failed, first_difference, rows, same_bits, same_filter, same_history
from original import Crashed
from problems import Problem, random_problem, scattered

FITS = range(600)
RUNS = range(120)
CONVOLUTIONS = range(60)
ERRORS = range(30)
SPEECH = Path(__file__).parents[2] / "data" / "speech_small.npz"


def record(compared, same, by, message):
    compared[by] += same
    compared["differences"] += not same
    assert same, message


@pytest.mark.parametrize("seed", FITS)
def test_a_fit(eelbrain, compared, seed):
    problem = random_problem(seed)
    h, history = trfboost.boosting_fit(*scattered(problem, seed).one())
    history = rows(history)
    theirs = unless_crashed(eelbrain.boosting_fit, problem)
    if theirs and same_history(history, theirs[1]):
        same = same_filter(h, theirs[0], failed(history))
        record(compared, same, "eelbrain", f"filter of seed {seed}")
        return
    expected = definition.boosting_fit(problem)
    if not expected.leaves_arrays:
        difference = first_difference(history, theirs[1]) if theirs else "Eelbrain crashed where it should not"
        record(compared, False, "eelbrain", f"seed {seed}: {difference}")
    same = same_history(history, expected.history) and same_bits(h, expected.h)
    record(compared, same, "definition", f"seed {seed}: {first_difference(history, expected.history)}")


def unless_crashed(call, *arguments):
    """What Eelbrain returns, or None. Whether it may crash is for the definition to say."""
    try:
        return call(*arguments)
    except Crashed:
        return None


@pytest.mark.parametrize("seed", RUNS)
def test_runs(eelbrain, compared, seed):
    problem = random_problem(10_000 + seed, n_y=1 + seed % 4, n_splits=1 + seed % 3)
    threads = 1 + seed % 3
    hs, hs_failed = trfboost.boosting_runs(*scattered(problem, seed).arguments(), threads)
    theirs = unless_crashed(eelbrain.boosting_runs, problem, threads)
    may_crash = False
    for place in np.ndindex(*hs.shape[:2]):
        h, fails = hs[place], bool(hs_failed[place])
        if theirs and fails == theirs[1][place] and same_filter(h, theirs[0][place], fails):
            record(compared, True, "eelbrain", "")
            continue
        expected = definition.boosting_fit(problem, i_y=place[1], i_split=place[0])
        may_crash |= expected.leaves_arrays
        assert theirs is None or expected.leaves_arrays, f"seed {seed}, split and signal {place}"
        same = fails == expected.failed and same_bits(h, expected.h)
        record(compared, same, "definition", f"seed {seed}, split and signal {place}")
    assert theirs or may_crash, f"seed {seed}: Eelbrain crashed where it should not"


@pytest.mark.parametrize("seed", range(0, 600, 15))
def test_the_definition_is_eelbrains(eelbrain, seed):
    """The referee of the cases that Eelbrain cannot judge agrees with it where it can."""
    problem = random_problem(seed)
    expected = definition.boosting_fit(problem)
    if not expected.leaves_arrays:
        their_h, their_history = eelbrain.boosting_fit(problem)
        assert same_history(expected.history, their_history)
        assert same_filter(expected.h, their_h, expected.failed)


@pytest.mark.parametrize("seed", CONVOLUTIONS)
def test_a_prediction(eelbrain, seed):
    problem = random_problem(20_000 + seed)
    rng = np.random.default_rng(seed)
    h = rng.normal(size=(len(problem.x), int(rng.integers(1, 20))))
    i_start, segments, samples = int(rng.integers(-15, 15)), problem.split_train_and_validate[0], problem.x.shape[1]
    segments = segments[(segments[:, 1] - segments[:, 0]) > 40]
    ours = np.zeros(samples)
    in_memory = scattered(problem, seed)
    trfboost.convolve(h[::-1].copy()[::-1], in_memory.x, in_memory.x_pads, i_start, segments, ours)
    theirs = eelbrain.convolve(h, problem.x, problem.x_pads, i_start, segments, samples)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", ERRORS)
def test_an_error(eelbrain, seed):
    problem = random_problem(40_000 + seed)
    in_memory = scattered(problem, seed)
    for lists in ("split_train", "split_validate", "split_train_and_validate"):
        ours = trfboost.error_for_indexes(in_memory.y[0], getattr(in_memory, lists)[0], problem.error)
        assert ours == eelbrain.error_for_indexes(problem.y[0], getattr(problem, lists)[0], problem.error)


@pytest.mark.parametrize(("error", "selective_stopping"), [(1, 0), (2, 0), (1, 1)])
def test_a_recording(eelbrain, compared, error, selective_stopping):
    """Two stories of speech to train on, one to validate: whole histories of hundreds of steps."""
    problem = recording(error, selective_stopping)
    h, history = trfboost.boosting_fit(*problem.one())
    their_h, their_history = eelbrain.boosting_fit(problem)
    assert len(history) > 50
    assert same_history(rows(history), their_history), first_difference(rows(history), their_history)
    record(compared, same_filter(h, their_h, failed(rows(history))), "eelbrain", "recording")


def recording(error, selective_stopping):
    data = np.load(SPEECH)
    x, y = (scaled(data[name].astype("f8")) for name in ("spectrogram", "response"))
    x, y = x[::2], y[:1]
    trials = data["trials"]
    stack = [part[np.newaxis] for part in (trials[:2], trials[2:], trials)]
    lags = np.zeros(len(x), "i8"), np.full(len(x), 20)
    return Problem(y, x, x.mean(1), *stack, *lags, 0.005, 0.005, error, selective_stopping)


def scaled(rows):
    rows = rows - rows.mean(1, keepdims=True)
    return rows / np.abs(rows).mean(1, keepdims=True)

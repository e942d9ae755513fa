"""The same bits as Eelbrain: filters and whole histories of random fits, and of a recording."""
from pathlib import Path

import definition
import judged
import numpy as np
import pytest
import trfboost
from comparison import failed, first_difference, rows, same_filter, same_history
from problems import Problem, random_problem, scattered

FITS = range(600)
RUNS = range(120)
CONVOLUTIONS = range(60)
ERRORS = range(30)
SPEECH = Path(__file__).parents[2] / "data" / "speech_small.npz"


def record(compared, verdict):
    compared[verdict.by] += not verdict.difference
    compared["differences"] += bool(verdict.difference)
    assert not verdict.difference, verdict.difference


@pytest.mark.parametrize("seed", FITS)
def test_a_fit(eelbrain, compared, seed):
    record(compared, judged.fit(eelbrain, random_problem(seed), seed))


@pytest.mark.parametrize("seed", RUNS)
def test_runs(eelbrain, compared, seed):
    problem = random_problem(10_000 + seed, n_y=1 + seed % 4, n_splits=1 + seed % 3)
    for verdict in judged.runs(eelbrain, problem, seed, threads=1 + seed % 3):
        record(compared, verdict)


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
    same = same_filter(h, their_h, failed(rows(history)))
    record(compared, judged.Verdict("eelbrain", "" if same else "the filter of the recording"))


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

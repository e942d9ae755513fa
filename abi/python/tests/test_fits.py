"""Filters, histories and what is said of them."""

import math

import calls
import numpy as np
import oracle
import pytest

import trfboost
from trfboost import FitDetails, HistoryEntry, Stop


def replay(arguments, history, best_step):
    """The filter that a history leads to."""
    first = min(arguments["i_start_by_x"])
    h = np.zeros((len(arguments["x"]), max(arguments["i_stop_by_x"]) - first))
    for entry in history:
        if entry.i_stim >= 0:
            h[entry.i_stim, entry.i_time] += entry.delta
    for entry in reversed(history):
        if entry.i_step > best_step and entry.i_stim >= 0:
            h[entry.i_stim, entry.i_time] -= entry.delta
    return h


@pytest.mark.parametrize("error", [1, 2])
@pytest.mark.parametrize("selective_stopping", [0, 1, 2])
def test_a_filter_is_what_its_history_says(error, selective_stopping):
    arguments = calls.valid("boosting_fit") | {"error": error, "selective_stopping": selective_stopping}
    h, history, details = trfboost.boosting_fit(**arguments, return_details=True)
    assert isinstance(details, FitDetails) and details.entries == len(history) > 5
    assert all(type(entry) is HistoryEntry and type(entry.i_step) is int for entry in history)
    assert history[0][:4] == (-1, -1, -1, 0.0)
    assert history[0].e_train == oracle.error_for_indexes(arguments["y"], arguments["split_train"], error)
    best = min((entry for entry in history if not math.isnan(entry.e_test)), key=lambda entry: entry.e_test)
    assert details.best_step == best.i_step
    assert h.tobytes() == replay(arguments, history, best.i_step).tobytes()
    assert abs(h[0, 3] - 0.7) < 0.2 and abs(h[2, 5] + 0.4) < 0.2  # lags 1 and 3, from -2


def test_selective_stopping_is_optional_and_0():
    arguments = calls.valid("boosting_fit")
    expected = calls.call("boosting_fit", dict(arguments))
    del arguments["selective_stopping"]
    assert calls.call("boosting_fit", arguments) == expected


@pytest.mark.parametrize("num_threads", [0, 1, 2, 3])
def test_runs_are_the_fits(num_threads):
    arguments = calls.valid("boosting_runs") | {"num_threads": num_threads}
    hs, failed, steps, stop = trfboost.boosting_runs(**arguments, return_details=True)
    assert (hs.dtype, failed.dtype, steps.dtype, stop.dtype) == (float, bool, np.int64, np.int8)
    del arguments["num_threads"]
    splits = [name for name in arguments if name.startswith("split")]
    for split, signal in np.ndindex(2, 2):
        one = arguments | {"y": arguments["y"][signal]} | {name: arguments[name][split] for name in splits}
        h, history, details = trfboost.boosting_fit(**one, return_details=True)
        assert hs[split, signal].tobytes() == h.tobytes()
        assert failed[split, signal] == (details.best_step == -1)
        assert (steps[split, signal], stop[split, signal]) == (len(history) - 1, details.stop)


def test_a_signal_that_the_predictors_do_not_explain():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(1, 100)), rng.normal(size=100)
    y[60:] = -x[0, 60:]  # what helps in training harms in validation
    y[:60] = x[0, :60]
    split = [[0, 60]], [[60, 100]], [[0, 100]]
    h, history, details = trfboost.boosting_fit(y, x, [0], *split, [0], [2], 0.1, 0.1, 1, return_details=True)
    assert not h.any() and details.best_step == -1 and details.stop in Stop and details.entries == len(history)


def test_a_flat_signal_fails_alone():
    arguments = calls.valid("boosting_runs")
    rows = np.stack([arguments["y"][0], np.zeros(120), arguments["y"][1]])
    hs, failed = trfboost.boosting_runs(**arguments | {"y": rows})
    others, flags = trfboost.boosting_runs(**arguments)
    assert failed[:, 1].all() and not hs[:, 1].any()
    assert hs[:, ::2].tobytes() == others.tobytes() and np.array_equal(failed[:, ::2], flags)


def test_failed_filters_can_be_masked_as_eelbrain_does():
    arguments = calls.valid("boosting_runs")
    hs, failed = trfboost.boosting_runs(**arguments | {"y": arguments["y"] * [[1], [0]]})
    hs[failed] = np.nan
    assert np.isnan(hs[:, 1]).all() and not np.isnan(hs[:, 0]).any()


def test_a_segment_shorter_than_the_lags():
    rng = np.random.default_rng(1)
    samples = 11 * 100 + 5
    x, y = rng.normal(size=(2, samples)), rng.normal(size=samples)
    trials = [[start, start + 100] for start in range(0, 1100, 100)] + [[1100, samples]]
    arguments = [trials, 0, [2, 2], [7, 7], 1, 0.5]
    results = []
    for implementation in (trfboost.generate_options, oracle.generate_options):
        new_error, new_sign = np.zeros((2, 7)), np.zeros((2, 7), np.int8)
        implementation(y, x, [0.5, 0], [1, 1], *arguments, new_error, new_sign)
        results.append(new_error.tobytes() + new_sign.tobytes())
    assert results[0] == results[1]
    split = trials[:8] + trials[-1:], trials[8:11], trials
    h, _ = trfboost.boosting_fit(y, x, [0.5, 0], *split, [2, 2], [7, 7], 0.05, 0.05, 1)
    assert h.shape == (2, 5)


EMPTY = [
    ({"y": np.zeros((0, 120))}, (2, 0, 3, 7)),
    (
        {name: np.zeros((0, 1, 2), int) for name in ("split_train", "split_validate", "split_train_and_validate")},
        (0, 2, 3, 7),
    ),
]


@pytest.mark.parametrize(("changes", "shape"), EMPTY)
def test_no_signals_or_no_splits_give_no_filters(changes, shape):
    hs, failed, steps, stop = trfboost.boosting_runs(**calls.valid("boosting_runs") | changes, return_details=True)
    assert hs.shape == shape and failed.shape == steps.shape == stop.shape == shape[:2]


def test_a_long_history_loses_nothing():
    """Steps so small that there are tens of thousands."""
    arguments = calls.valid("boosting_fit") | {"delta": 2e-5, "mindelta": 1e-5}
    _, history, details = trfboost.boosting_fit(**arguments, return_details=True)
    assert len(history) == details.entries > 20_000
    assert [entry.i_step for entry in history] == list(range(-1, len(history) - 1))


def test_a_fit_that_does_not_end_is_an_error():
    x = np.zeros((2, 20))
    x[1, ::3] = 1  # an option of the zeros ties for ever
    with pytest.raises(trfboost.AbiValueError, match="^delta: .*all 0") as caught:
        trfboost.boosting_fit(x[1], x, [0, 0], [[0, 10]], [[10, 20]], [[0, 20]], [0, 0], [1, 1], 0.25, 0.25, 1)
    assert caught.value.status is trfboost.Status.TOO_MANY_STEPS

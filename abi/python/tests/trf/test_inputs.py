"""What a user may give, and what is said of what does not fit."""

import numpy as np
import problems
import pytest

import trfboost
from trfboost import AbiTypeError, AbiValueError

FIT = dict(sfreq=problems.SFREQ, tstart=0, tstop=0.1)


def fit(y, x, **options):
    return trfboost.boosting(y, x, **{**FIT, **options})


def test_forms_of_x_give_the_same_filters():
    y, x = problems.recording()
    h = fit(y, x).h
    assert h.shape == (2, 2, 10)
    by_name = fit(y, {"first": x[0], "rest": x[1:]}).h
    assert np.array_equal(by_name["first"], h[:, 0]) and np.array_equal(by_name["rest"], h[:, 1:])
    listed = fit(y, [x[0], x[1]]).h
    assert np.array_equal(listed[0], h[:, 0]) and np.array_equal(listed[1], h[:, 1])
    one = fit(y[0], x)
    assert np.array_equal(one.h, h[0]) and isinstance(one.r, float)
    assert fit(y[0], x[0]).h.shape == (10,)


def test_layouts_and_dtypes_do_not_matter():
    y, x = problems.recording()
    y, x = np.float32(y), np.float32(x)
    h = fit(np.float64(y), np.float64(x)).h
    padded = np.zeros((1200, 6), np.float32)
    padded[::2, 1:3] = x.T
    assert np.array_equal(fit(np.asfortranarray(y), padded[::2, 1:3].T).h, h)
    assert np.array_equal(fit(y.tolist()[0], x.tolist()[0]).h, fit(y[0], x[0]).h)


def test_the_layout_of_trials_does_not_matter():
    y, x = problems.recording()
    cuts = [0, 150, 300, 450, 600]
    expected = fit(y, x, trials=cuts)
    found = fit(np.asfortranarray(y), np.asfortranarray(x), trials=cuts)
    assert np.array_equal(found.h, expected.h) and np.array_equal(found.h_scaled, expected.h_scaled)
    assert np.array_equal(found.scale.x_mean, expected.scale.x_mean)


def test_a_window_of_zeros_is_refused():
    pytest.importorskip("scipy", reason="windows are SciPy's")
    with pytest.raises(
        AbiValueError, match="^basis_window: 'hann' is 0 at each of its 2 samples .*; use a longer basis"
    ):
        fit(*problems.recording(), basis=0.02, basis_window="hann")


def test_trials_as_lists_as_boundaries_and_as_rows_are_the_same():
    y, x = problems.recording()
    pieces = np.split(y, 4, axis=1), np.split(x, 4, axis=1)
    h = fit(*map(list, pieces)).h
    assert np.array_equal(fit(y, x, trials=[0, 150, 300, 450, 600]).h, h)
    assert np.array_equal(fit(y, x, trials=[[0, 150], [150, 300], [300, 450], [450, 600]]).h, h)
    by_name = {"a": [part[0] for part in pieces[1]], "b": [part[1] for part in pieces[1]]}
    assert np.array_equal(fit(list(pieces[0]), by_name).h["a"], h[:, 0])
    assert not np.array_equal(fit(y, x).h, h)
    # Samples between rows are as if they had never been recorded.
    gap = np.full((2, 7), np.nan)
    with_gap = [np.concatenate((rows[:, :300], gap, rows[:, 300:]), axis=1) for rows in (y, x)]
    rows = [[0, 150], [150, 300], [307, 457], [457, 607]]
    assert np.array_equal(fit(np.nan_to_num(with_gap[0]), np.nan_to_num(with_gap[1]), trials=rows).h, h)
    assert np.array_equal(fit(*with_gap, trials=rows).h, h)


def test_trials_may_differ_in_length():
    y, x = problems.recording()
    cuts = [0, 150, 270, 450, 600]
    pieces = [[rows[:, a:b] for a, b in zip(cuts, cuts[1:])] for rows in (y, x)]
    assert np.array_equal(fit(*pieces).h, fit(y, x, trials=cuts).h)


@pytest.mark.parametrize("sfreq", [10, 64, 100, 128, 250, 1000])
def test_a_time_that_is_a_whole_number_of_samples_is_that_number(sfreq):
    y, x = problems.recording(2000, 1, 1)
    for n in (1, 7, 29, 57, 58, 70):
        result = fit(y, x, sfreq=sfreq, tstart=-n / sfreq, tstop=n / sfreq, partitions=2)
        assert result.first_lag == -n and result.h.shape[-1] == 2 * n
        assert result.h_time[0] == -n / sfreq and result.h_time[n] == 0


def test_eelbrain_has_a_lag_more_at_70_ms():
    y, x = problems.recording()
    assert fit(y, x, tstop=0.07).h.shape[-1] == 7
    assert fit(y, x, tstop=0.07, lags="eelbrain").h.shape[-1] == 8
    assert fit(y, x, tstop=0.071).h.shape[-1] == 8


def test_scaling_in_place_writes_into_the_arrays_and_gives_the_same():
    y, x = problems.recording()
    h = fit(y, x).h
    again = y.copy(), x.copy()
    assert np.array_equal(fit(*again, scale_data="inplace").h, h)
    assert abs(again[0].mean()) < 1e-12 and abs((again[1] ** 2).mean() - 1) < 1e-12
    assert np.array_equal(y, problems.recording()[0])
    with pytest.raises(AbiValueError, match="^x: cannot be scaled in place"):
        fit(y.copy(), np.asfortranarray(x), scale_data="inplace")


def changed(index, value, which):
    def change(y, x):
        (y if which == "y" else x)[index] = value
        return y, x

    return change


REFUSED = {
    "NaN in y": (changed((1, 17), np.nan, "y"), {}, "y: row 1: nan at sample 17 .*interpolate"),
    "infinity in x": (changed((0, 5), np.inf, "x"), {}, r"x: x\[0\]: inf at sample 5"),
    "NaN in a trial": (changed((1, 317), np.nan, "y"), dict(trials=[0, 150, 300, 600]), "sample 17 of trial 2"),
    "flat signal": (changed(1, 0.1, "y"), {}, "y: row 1 is constant; leave .* out"),
    "flat signal, unscaled": (changed(1, 0.1, "y"), dict(scale_data=False), "y: row 1 is constant"),
    "flat predictor": (changed(0, 3.0, "x"), {}, r"x: x\[0\]: constant"),
    "y transposed": (lambda y, x: (y.T, x), {}, r"y: has shape \(600, 2\); time is the last axis: use y.T"),
    "x transposed": (lambda y, x: (y, x.T), {}, r"x: has shape \(600, 2\); .* use x.T"),
    "both transposed": (lambda y, x: (y.T, x.T), {}, "y: has 600 rows of 2 samples.*use y.T, x.T"),
    "lengths": (lambda y, x: (y, x[:, :-1]), {}, "x: has 599 samples, but y has 600; cut both"),
    "rates": (lambda y, x: (y, np.repeat(x, 2, 1)), {}, "x: has 1200 samples, .* the ratio is 0.5: resample"),
    "lengths of predictors": (lambda y, x: (y, {"a": x[0], "b": x[1, 1:]}), {}, "x: b has 599 samples, but a has 600"),
    "three dimensions": (lambda y, x: (y[None], x), {}, "y: has 3 dimensions"),
    "no predictor": (lambda y, x: (y, x[:0]), {}, "x: holds no predictor"),
    "an empty list": (lambda y, x: (y, []), {}, "x: holds no predictor"),
    "flat signals": (lambda y, x: (y * 0, x), {}, "y: rows 0, 1 are constant"),
    "large": (lambda y, x: (y * 1e200, x), {}, "y: row 0 has values from .*e.200 .* use another unit"),
    "small": (lambda y, x: (y, x * 1e-200), dict(error="l1"), "x: row 0 has values from .*e-200 .* use another unit"),
    "large on both sides": (changed((1, slice(0, 2)), [-1e308, 1e308], "y"), {}, "y: row 1 has values from -1e.308"),
    "milliseconds": (lambda y, x: (y, x), dict(tstop=100), "10000 lags, .*; tstart and tstop are in seconds"),
    "nothing": (lambda y, x: (y[:, :0], x[:, :0]), {}, "y: has shape .* nothing to fit"),
    "trials of x missing": (lambda y, x: ([y, y], x), {}, "x: is one array, but y is a list of trials"),
    "number of trials": (lambda y, x: ([y] * 3, [x] * 2), {}, "x: has 2 items, but y has 3 trials"),
    "trial lengths": (lambda y, x: ([y] * 3, [x, x, x[:, 1:]]), {}, "x: has 599 samples in trial 2, but y has 600"),
    "both kinds of trials": (lambda y, x: ([y] * 3, [x] * 3), dict(trials=[0, 600]), "trials: is for one array"),
    "boundaries": (lambda y, x: (y, x), dict(trials=[0, 300, 200]), "trials: row 1 is 300 to 200"),
    "boundaries beyond": (lambda y, x: (y, x), dict(trials=[0, 601]), "trials: row 0 is 0 to 601"),
    "long filter": (lambda y, x: (y, x), dict(tstop=0.7), "tstop: the filter has 70 lags, but part 0 has 60 samples"),
    "short trial": (lambda y, x: (y, x), dict(trials=[0, 8, 300, 600]), "10 lags, but trial 0 has 8 samples"),
    "no lag": (lambda y, x: (y, x), dict(tstart=0.1), "tstop: is 0.1 s for x, expected later"),
    "less than a sample": (lambda y, x: (y, x), dict(tstart=-0.005, tstop=0), "tstop: less than a sample"),
    "lags for each": (lambda y, x: (y, x), dict(tstart=[0, 0]), "tstart: has 2 values for 1 predictors"),
    "lag names": (lambda y, x: (y, {"a": x}), dict(tstart={"b": 0}), "tstart: has keys"),
    "way of lags": (lambda y, x: (y, x), dict(lags="odd"), "lags: is 'odd'"),
    "rate": (lambda y, x: (y, x), dict(sfreq=0), "sfreq: is 0.0, expected a number > 0"),
    "delta": (lambda y, x: (y, x), dict(delta=-1), "delta: is -1.0"),
    "error": (lambda y, x: (y, x), dict(error="l3"), "error: is 'l3'"),
    "partitions": (lambda y, x: (y, x), dict(partitions=1), "partitions: is 1, expected more than"),
    "partitions of trials": (
        lambda y, x: (y, x),
        dict(partitions=5, trials=[0, 200, 400, 600]),
        "partitions: is 5, expected at most",
    ),
    "two trials": (lambda y, x: (y, x), dict(trials=[0, 300, 600]), "partitions: has to be given for 2 trials"),
    "validate": (lambda y, x: (y, x), dict(validate=2), "validate: is 2, expected 1"),
    "test": (lambda y, x: (y, x), dict(test=2), "test: is 2, expected 0 or 1"),
    "categories": (lambda y, x: (y, x), dict(trials=[0, 200, 400, 600], model=["a"]), "model: has 1 labels for 3"),
    "category without trials": (lambda y, x: (y, x), dict(model=["a"]), "model: divides trials"),
    "partition results": (lambda y, x: (y, x), dict(partition_results=True), "partition_results: .* use test=1"),
    "selective stopping": (lambda y, x: (y, x), dict(selective_stopping=-1), "selective_stopping: is -1"),
    "scale": (lambda y, x: (y, x), dict(scale_data="in place"), "scale_data: is 'in place'"),
    "basis": (lambda y, x: (y, x), dict(basis=-1), "basis: is -1.0"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_told_with_a_remedy(name):
    change, options, sentence = REFUSED[name]
    with pytest.raises(AbiValueError, match=sentence) as caught:
        fit(*change(*problems.recording()), **options)
    assert str(caught.value).startswith(f"{caught.value.argument}")


@pytest.mark.parametrize(
    "options, argument",
    [(dict(delta="small"), "delta"), (dict(partitions=2.5), "partitions"), (dict(progress=3), "progress")],
)
def test_what_has_the_wrong_type_is_a_type_error(options, argument):
    with pytest.raises(AbiTypeError, match=f"^{argument}: "):
        fit(*problems.recording(), **options)


def test_what_is_refused_is_not_scaled_in_place():
    for change in (changed(1, 3.0, "y"), changed(0, 3.0, "x"), changed((0, 5), 1e200, "x")):
        y, x = change(*problems.recording())
        before = y.copy(), x.copy()
        with pytest.raises(AbiValueError):
            fit(y, x, scale_data="inplace")
        assert np.array_equal(y, before[0]) and np.array_equal(x, before[1])


def test_selective_stopping_is_a_number_of_rises():
    y, x = problems.recording()
    assert np.array_equal(fit(y, x, selective_stopping=True).h, fit(y, x, selective_stopping=1).h)
    with pytest.raises(AbiTypeError, match="^selective_stopping: is 1.5"):
        fit(y, x, selective_stopping=1.5)


def test_true_is_one_where_eelbrain_takes_both():
    y, x = problems.recording()
    assert np.array_equal(fit(y, x, test=True).r, fit(y, x, test=1).r)
    assert np.array_equal(fit(y, x, test=False).h, fit(y, x).h)


def test_a_window_that_scipy_does_not_know_is_refused():
    pytest.importorskip("scipy", reason="windows are SciPy's")
    with pytest.raises(AbiValueError, match="^basis_window: is 'odd', expected a window of scipy.signal.get_window"):
        fit(*problems.recording(), basis=0.05, basis_window="odd")


def test_a_masked_or_complex_signal_is_refused():
    y, x = problems.recording()
    with pytest.raises(AbiValueError, match="^y: .*mask"):
        fit(np.ma.masked_greater(y, 3), x)
    with pytest.raises(AbiTypeError, match="^y: dtype is complex128"):
        fit(y + 0j, x)


@pytest.mark.parametrize(
    "options, message",
    [
        (dict(sfreq=1e300), "^tstop: or tstart is too many samples away at sfreq = 1e.300 Hz"),
        (dict(error=np.array(["l1", "l2"])), "^error: is array"),
        (dict(scale_data=np.array([1, 2])), "^scale_data: is array"),
        (dict(engine=1), "^engine: is 1, expected a callable"),
        (dict(model=5, trials=[0, 200, 400, 600]), "^model: is 5, expected a label for each of 3 trials"),
    ],
)
def test_what_is_no_parameter_is_refused_by_its_name(options, message):
    with pytest.raises((AbiValueError, AbiTypeError), match=message):
        fit(*problems.recording(), **options)


def test_a_window_longer_than_any_memory_is_refused():
    pytest.importorskip("scipy", reason="windows are SciPy's")
    with pytest.raises(AbiValueError, match="^basis: is 1000000000.0, which is 100000000000 samples .*in seconds"):
        fit(*problems.recording(), basis=1e9)


def test_keys_that_are_no_strings_are_names_throughout():
    y, x = problems.recording()
    found = fit(y, {1: x[0], 2: x[1]}, tstart={1: 0, 2: 0.02}, tstop={2: 0.1, 1: 0.1})
    assert list(found.h) == ["1", "2"] and not found.h["2"][:, :2].any()
    with pytest.raises(AbiValueError, match="^x: has keys 1 and '1', which are one name"):
        fit(y, {1: x[0], "1": x[1]})


def test_any_mapping_of_trials_is_one_of_predictors():
    import types

    y, x = problems.recording()
    parts = {"a": np.split(x[0], 3), "b": np.split(x[1], 3)}
    signals = np.split(y, 3, axis=1)
    expected = fit(signals, parts)
    found = fit(signals, types.MappingProxyType(parts))
    assert all(np.array_equal(found.h[name], expected.h[name]) for name in parts)


def test_what_overlaps_is_not_scaled_in_place_twice():
    both = np.vstack(problems.recording())
    before = both.copy()
    with pytest.raises(AbiValueError, match="^x: overlaps y"):
        fit(both[:3], both[2:], scale_data="inplace")
    assert np.array_equal(both, before)
    fit(both[:2], both[2:], scale_data="inplace")
    assert np.abs(both.mean(1)).max() < 1e-12


def test_infinity_is_told_without_a_warning():
    y, x = problems.recording()
    y[0, 5], y[0, 6] = np.inf, -np.inf
    with np.errstate(all="raise"), pytest.raises(AbiValueError, match=r"^y: row 0: inf at sample 5 \(2 such"):
        fit(y, x)

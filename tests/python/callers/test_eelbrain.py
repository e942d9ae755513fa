"""`eelbrain.boosting` with our core gives the same result as with its own, bit for bit."""
import subprocess
import sys

import eelbrain
import numpy as np
import pytest
import trfboost
import trfboost.eelbrain
from comparison import same_bits
from eelbrain._trf import _boosting, _boosting_opt, _fit_metrics

NOT_COMPARED = {"t_run", "execution_context"}
"""Times and the machine."""


def noise(seed, *dims):
    rng = np.random.default_rng(seed)
    return eelbrain.NDVar(rng.normal(size=[len(dim) for dim in dims]), dims)


def filtered(x, lag, noise_level=0.5, seed=9):
    """A signal that follows a predictor."""
    y = noise(seed, x.time) * noise_level
    y.x[lag:] += x.x[..., :len(x.time) - lag].reshape(-1, len(x.time) - lag).sum(0)
    return y


TIME = eelbrain.UTS(0, 0.01, 900)
FREQUENCY = eelbrain.Scalar("frequency", [100, 200, 400])
SENSOR = eelbrain.Sensor([(0, 0, 1), (0, 1, 0), (1, 0, 0)], ["A", "B", "C"])
X = noise(1, TIME)
BANDS = noise(2, FREQUENCY, TIME)
Y = filtered(X, 3) + filtered(BANDS, 5)
SENSORS = noise(3, SENSOR, TIME)
SENSORS.x[1] += Y.x
VECTOR = noise(4, eelbrain.Space("RAS"), TIME)
VECTOR.x += Y.x


def with_cases(values, n=6):
    """As trials of equal length."""
    length = len(TIME) // n
    shape = values.x.shape[:-1]
    cut = np.moveaxis(values.x[..., :n * length].reshape(*shape, n, length), -2, 0)
    return eelbrain.NDVar(cut, (eelbrain.Case, *values.dims[:-1], eelbrain.UTS(0, 0.01, length)))


CALLS = {
    "l1": (Y, X, 0, 0.1, {}),
    "l2": (Y, X, 0, 0.1, {"error": "l2"}),
    "several predictors": (Y, [X, BANDS], -0.02, 0.12, {}),
    "ranges of lags": (Y, [X, BANDS], [0, -0.03], [0.1, 0.06], {}),
    "basis": (Y, X, 0, 0.1, {"basis": 0.05}),
    "partitions": (Y, X, 0, 0.1, {"partitions": 5}),
    "test": (Y, [X, BANDS], 0, 0.1, {"partitions": 4, "test": 1}),
    "partition results": (Y, X, 0, 0.1, {"partitions": 4, "test": 1, "partition_results": True}),
    "selective stopping": (Y, [X, BANDS], 0, 0.1, {"selective_stopping": 1}),
    "patient selective stopping": (Y, [X, BANDS], 0, 0.1, {"selective_stopping": 2, "error": "l2"}),
    "step sizes": (Y, X, 0, 0.1, {"delta": 0.05, "mindelta": 0.0125}),
    "unscaled": (Y, X, 0, 0.1, {"scale_data": False, "delta": 0.05}),
    "sensors, two of which are noise": (SENSORS, X, 0, 0.1, {}),
    "a vector": (VECTOR, X, 0, 0.1, {"partitions": 4}),
    "trials": (with_cases(Y), with_cases(BANDS), 0, 0.1, {"partitions": 3}),
    "debug": (Y, X, 0, 0.1, {"debug": True}),
}


def differences(ours, theirs, path="result"):
    """Where two results differ in a bit."""
    if isinstance(ours, eelbrain.NDVar):
        assert ours.dims == theirs.dims, path
        ours, theirs = ours.x, theirs.x
    if isinstance(ours, (list, tuple)):
        assert len(ours) == len(theirs), path
        return [found for i, pair in enumerate(zip(ours, theirs)) for found in differences(*pair, f"{path}[{i}]")]
    if isinstance(ours, eelbrain.BoostingResult):
        names = sorted(set(vars(theirs)) - NOT_COMPARED)
        assert names == sorted(set(vars(ours)) - NOT_COMPARED)
        return [found for name in names for found in differences(vars(ours)[name], vars(theirs)[name], f"{path}.{name}")]
    if isinstance(ours, (np.ndarray, float, np.generic)):
        return [] if same_bits(ours, theirs) else [path]
    if isinstance(ours, (str, int, type(None), dict, bool)):
        return [] if ours == theirs else [path]
    return []  # dimensions and the fit of debug=True, which holds what is compared already


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_a_result_is_the_same(name):
    y, x, tstart, tstop, options = CALLS[name]
    theirs = eelbrain.boosting(y, x, tstart, tstop, **options)
    with trfboost.eelbrain.installed():
        ours = eelbrain.boosting(y, x, tstart, tstop, **options)
    assert differences(ours, theirs) == []
    for attribute in ["h", "r", "proportion_explained"] if options.get("scale_data", True) else ["h", "r"]:
        assert differences(getattr(ours, attribute), getattr(theirs, attribute)) == []


@pytest.mark.filterwarnings("ignore")
def test_our_core_is_what_runs(monkeypatch):
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return boosting_runs(*arguments)

    boosting_runs = trfboost.functions.boosting_runs
    monkeypatch.setattr(trfboost.functions, "boosting_runs", counted)
    with trfboost.eelbrain.installed():
        eelbrain.boosting(Y, X, 0, 0.1)
    assert len(calls) == 1
    eelbrain.boosting(Y, X, 0, 0.1)
    assert len(calls) == 1


def test_what_was_there_comes_back():
    places = [(_boosting_opt, name) for name in ("boosting_fit", "boosting_runs", "error_for_indexes")]
    places += [(_fit_metrics, "error_for_indexes")]
    before = [getattr(*place) for place in places]
    trfboost.eelbrain.install()
    trfboost.eelbrain.install()
    assert [getattr(*place) for place in places] != before
    assert _boosting.opt.boosting_runs is trfboost.boosting_runs
    with trfboost.eelbrain.installed():
        pass
    assert _boosting.opt.boosting_runs is trfboost.boosting_runs, "the outer installation stays"
    trfboost.eelbrain.uninstall()
    trfboost.eelbrain.uninstall()
    assert [getattr(*place) for place in places] == before


def test_another_version_is_refused(monkeypatch):
    monkeypatch.setattr(eelbrain, "__version__", "0.40.3")
    with pytest.raises(ImportError, match=r"0\.40\.3, expected 0\.41"):
        trfboost.eelbrain.install()
    assert _boosting_opt.boosting_runs is not trfboost.boosting_runs


def test_it_can_be_installed_before_eelbrain_is_imported_or_without_it():
    code = """
import sys, trfboost.eelbrain
assert "eelbrain" not in sys.modules
trfboost.eelbrain.install()
import eelbrain, trfboost
assert eelbrain._trf._boosting.opt.boosting_runs is trfboost.boosting_runs
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == ""
    code = """
import sys
sys.modules["eelbrain"] = None
import trfboost.eelbrain
trfboost.eelbrain.install()
"""
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Eelbrain is not installed; pip install" in finished.stderr


def test_a_wrong_call_names_the_argument():
    """What misuse of the installed functions looks like."""
    with trfboost.eelbrain.installed(), pytest.raises(ValueError, match="error: is 3, expected 1"):
        _boosting_opt.error_for_indexes(np.zeros(4), np.array([[0, 2]]), 3)

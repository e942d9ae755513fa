"""`trfboost fit`: the result of `boosting` in a file, and refusals as one sentence without a traceback."""

import inspect

import numpy as np
import pytest

import trfboost
from trfboost import command


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two channels that follow two predictors; three trials."""
    rng = np.random.default_rng(3)
    envelope, bands = rng.normal(size=900), rng.normal(size=(2, 900))
    y = np.stack([np.roll(envelope, 3), np.roll(bands[1], 5)]) + 0.3 * rng.normal(size=(2, 900))
    arrays = {"y": y, "x": envelope, "envelope": envelope, "bands": bands, "sfreq": 100.0}
    np.savez(tmp_path / "s01.npz", **arrays, trials=[0, 300, 600, 900], kind=["a", "b", "a"])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def expected(folder, x, *, trials="trials", **options):
    data = np.load(folder / "s01.npz")
    options["trials"] = None if trials is None else data[trials]
    predictors = {name: data[name] for name in x} if isinstance(x, list) else data[x]
    sfreq, tstop = options.pop("sfreq", 100.0), options.pop("tstop", 0.1)
    return trfboost.boosting(data["y"], predictors, sfreq, 0, tstop, **options)


def fit(*words):
    return command.main(["fit", "s01.npz", "--tstart", "0", *words])


def same(ours, theirs):
    assert len(ours.splits.splits) == len(theirs.splits.splits)
    return ours.filters.tobytes() == theirs.filters.tobytes() and ours.metrics.r.tobytes() == theirs.metrics.r.tobytes()


CALLS = {
    "as it is": ([], {"x": "x"}),
    "named predictors": (["--x", "bands", "--x", "envelope"], {"x": ["bands", "envelope"]}),
    "method": (
        ["--error", "l1", "--delta", "0.02", "--mindelta", "0.005", "--selective-stopping", "1", "--no-scale-data"],
        {"x": "x", "error": "l1", "delta": 0.02, "mindelta": 0.005, "selective_stopping": 1, "scale_data": False},
    ),
    "basis": (["--basis", "0.05", "--basis-window", "hann"], {"x": "x", "basis": 0.05, "basis_window": "hann"}),
    "cross-validation": (
        ["--test", "--partitions", "3", "--partition-results", "--lags", "eelbrain", "--threads", "1"],
        {"x": "x", "test": 1, "partitions": 3, "partition_results": True, "lags": "eelbrain"},
    ),
    "rate": (["--sfreq", "50"], {"x": "x", "sfreq": 50.0}),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_file_holds_the_result_of_boosting(name, folder, capsys):
    if name == "basis":
        pytest.importorskip("scipy")
    words, options = CALLS[name]
    assert fit("--tstop", "0.1", *words) == 0
    captured = capsys.readouterr()
    assert captured.out == "" and "took" in captured.err and "s01-trf.npz" in captured.err
    theirs = expected(folder, **options)
    ours = trfboost.load("s01-trf.npz")
    assert same(ours, theirs) and ours.settings == theirs.settings and ours.form == theirs.form
    assert (ours.partition_results is None) == (theirs.partition_results is None)


def test_lags_can_differ_between_predictors(folder):
    assert fit("--tstop", "0.1", "0.05", "--x", "bands", "--x", "envelope", "-o", "out.npz", "-q") == 0
    theirs = expected(folder, ["bands", "envelope"], tstop={"bands": 0.1, "envelope": 0.05})
    assert same(trfboost.load("out.npz"), theirs)


def test_quiet_is_quiet(folder, capsys):
    assert fit("--tstop", "0.1", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_every_parameter_of_boosting_has_an_option():
    options = vars(command._parser().parse_args(["fit", "a.npz", "--tstart", "0", "--tstop", "1"]))
    no_text = {"engine": "is no text", "client": "is no text"}
    elsewhere = {**no_text, "scale_data": "no_scale_data", "num_threads": "threads"}
    parameters = set(inspect.signature(trfboost.boosting).parameters) - set(elsewhere)
    assert parameters <= set(options) and {"no_scale_data", "threads"} <= set(options)


def broken(folder):
    (folder / "text.npz").write_text("no archive")
    np.save(folder / "one.npy", np.zeros(3))
    (folder / "one.npy").rename(folder / "one.npz")
    np.savez(folder / "objects.npz", y=np.array([None, 1]), x=np.zeros(2), sfreq=1)
    np.savez(folder / "rate.npz", y=np.zeros(2), x=np.zeros(2), sfreq=[1, 2])


# The command line after the name of a file, and what stderr says.
REFUSED = {
    "absent.npz": ([], "absent.npz: No such file or directory"),
    "text.npz": ([], "text.npz is no .npz file"),
    "one.npz": ([], "one.npz is no .npz file"),
    "objects.npz": ([], "objects.npz: the array y cannot be read"),
    "rate.npz": ([], "rate.npz: sfreq is array([1, 2]), expected a number"),
    "s01.npz --y": (["--y", "eeg"], "s01.npz has no array eeg; name one with --y: y, x, envelope"),
    "s01.npz --x": (["--x", "eeg"], "s01.npz has no array eeg; name one with --x"),
    "s01.npz --tstop": (["--tstop", "0.1", "0.2"], "--tstop has 2 numbers for 1 predictors"),
    "s01.npz --output": (["--output", "nowhere/out.npz"], "nowhere is no folder"),
    "s01.npz --delta": (["--delta", "-1"], "delta: is -1.0, expected a number > 0"),
    "s01.npz lags": (["--tstop", "100"], "tstop: the filter has 10000 lags"),
    "s01.npz text": (["--x", "kind"], "x"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_one_sentence_and_no_file(name, folder, capsys):
    broken(folder)
    before = set(folder.iterdir())
    words, sentence = REFUSED[name]
    line = ["fit", name.split()[0], "--tstart", "0", *([] if "--tstop" in words else ["--tstop", "0.1"]), *words]
    assert command.main(line) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(f"trfboost: {sentence}") and captured.err.count("\n") == 1
    assert set(folder.iterdir()) == before


def test_ctrl_c_is_130_and_no_file(folder, capsys, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(trfboost, "boosting", interrupted)
    assert fit("--tstop", "0.1") == 130
    assert capsys.readouterr().err == "trfboost: interrupted\n" and not (folder / "s01-trf.npz").exists()


def test_a_defect_keeps_its_traceback(folder, monkeypatch):
    monkeypatch.setattr(trfboost, "boosting", lambda *arguments, **options: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fit("--tstop", "0.1")

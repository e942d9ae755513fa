"""What a result gives: predictions, files, labels, pictures, reasons."""

import importlib.util
import json
import os

import numpy as np
import problems
import pytest

import trfboost

FIT = dict(sfreq=problems.SFREQ, tstart=-0.02, tstop=0.1)


@pytest.fixture(scope="module")
def result():
    return trfboost.boosting(*problems.recording(), **FIT, test=1, partition_results=True)


def test_the_filter_is_found(result):
    lags = result.h_time[np.abs(result.h[0, 0]).argmax()]
    assert lags == 0.03 and abs(result.h_scaled[0, 0].sum() - 1) < 0.2
    assert (result.r > 0.5).all() and (result.proportion_explained > 0.2).all()


def test_the_prediction_of_the_fitted_data_is_what_was_judged():
    y, x = problems.recording()
    for options in ({}, dict(scale_data=False), dict(error="l1")):
        result = trfboost.boosting(y, x, **FIT, trials=[0, 200, 400, 600], **options)
        parts = result.predict([x[:, :200], x[:, 200:400], x[:, 400:]])
        whole = result.predict(x, trials=[0, 200, 400, 600])
        assert np.array_equal(np.concatenate(parts, axis=1), whole)
        for row in range(2):
            assert np.corrcoef(y[row], whole[row])[0, 1] == pytest.approx(result.r[row], rel=1e-9)
    assert np.abs(whole - y).mean() < np.abs(y - y.mean()).mean()


def test_predictions_have_the_form_of_the_signals():
    y, x = problems.recording()
    one = trfboost.boosting(y[0], {"a": x[0], "b": x[1]}, **FIT)
    assert one.predict({"a": x[0], "b": x[1]}).shape == (600,)
    listed = one.predict({"a": [x[0], x[0, :50]], "b": [x[1], x[1, :50]]})
    assert [part.shape for part in listed] == [(600,), (50,)]
    with pytest.raises(trfboost.AbiValueError, match="^x: has predictors"):
        one.predict({"a": x[0]})
    with pytest.raises(trfboost.AbiValueError, match="^x: holds no predictor"):
        one.predict([])
    rows = trfboost.boosting(y, x, **FIT)
    with pytest.raises(trfboost.AbiValueError, match=r"^x: has predictors x \[600\], .* had x \[2\]; .* use x.T"):
        rows.predict(x.T)


def test_results_are_equal_to_themselves_only(result):
    assert result == result and result != result.partition_results[0]
    assert len({result, result, *result.partition_results}) == 5


def test_partition_results_are_those_of_the_partitions(result):
    assert [part.i_test for part in result.partition_results] == [0, 1, 2, 3]
    mean = np.mean([part.h for part in result.partition_results], 0)
    assert np.array_equal(mean, result.h)
    y, x = problems.recording()
    held_out = result.partition_results[1]
    start, stop = held_out.splits.splits[0].test[0]
    assert held_out.failed.shape == (3, 2) and (start, stop) == (150, 300)
    prediction = held_out.predict(x[:, start:stop])
    assert np.corrcoef(y[0, start:stop], prediction[0])[0, 1] == pytest.approx(held_out.r[0], rel=1e-9)


def test_what_is_saved_is_what_is_loaded(result, tmp_path):
    path = tmp_path / "résultat of a fit"
    result.save(path)
    loaded = trfboost.load(path)
    assert np.array_equal(loaded.h, result.h) and loaded.settings == result.settings
    assert loaded.timing == result.timing and loaded.form == result.form
    assert np.array_equal(loaded.predict(problems.recording()[1]), result.predict(problems.recording()[1]))
    for part, saved in zip(loaded.partition_results, result.partition_results, strict=True):
        assert np.array_equal(part.r, saved.r) and np.array_equal(part.h, saved.h)
    assert np.array_equal(loaded.splits.splits[2].train, result.splits.splits[2].train)
    assert loaded.splits.splits[0].i_test == 0 and repr(loaded) == repr(result)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    unscaled = trfboost.boosting(*problems.recording(), **FIT, scale_data=False)
    unscaled.save(path)
    assert trfboost.load(path).scale is None and trfboost.load(path).partition_results is None


def rewritten(path, **changes):
    """The file with another header."""
    with np.load(path) as file:
        content = {name: file[name] for name in file.files}
    header = json.loads(str(content["header"]))
    header.update(changes)
    content["header"] = np.array(json.dumps(header))
    with open(path, "wb") as file:
        np.savez(file, **content)


def test_files_of_other_formats_are_refused_and_additions_left_alone(result, tmp_path):
    path = tmp_path / "result.npz"
    result.save(path)
    rewritten(path, format_version=2, trfboost="9.0")
    with pytest.raises(ValueError, match=r"format 2, written by trfboost 9.0; .*--upgrade"):
        trfboost.load(path)
    with np.load(path) as file:
        content = json.loads(str(file["header"]))["content"]
    rewritten(path, format_version=1, content={**content, "mood": "good"})
    assert np.array_equal(trfboost.load(path).h, result.h)
    rewritten(path, format="another")
    with pytest.raises(ValueError, match="holds another"):
        trfboost.load(path)
    path.write_bytes(b"not a file of arrays")
    with pytest.raises(ValueError, match="is no result of trfboost"):
        trfboost.load(path)
    with pytest.raises(FileNotFoundError):
        trfboost.load(tmp_path / "missing.npz")


def test_what_cannot_be_written_leaves_what_was_there(result, tmp_path, monkeypatch):
    path = tmp_path / "result.npz"
    path.write_text("before")

    def full(*arguments, **options):
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="no space left"):
        result.save(path)
    assert path.read_text() == "before" and [file.name for file in tmp_path.iterdir()] == ["result.npz"]


def test_the_summary_says_what_was_fitted(result):
    text = repr(result)
    for part in ("2 signals with x[0], x[1]", "-0.02 to 0.09 s at 100 Hz", "l2, delta 0.005", "cross-valid", "fit "):
        assert part in text
    assert "<strong>BoostingResult</strong>" in result._repr_html_()


def test_the_reason_for_a_filter_of_zeros_is_given():
    y, x = problems.recording()
    y[1] = np.random.default_rng(5).normal(size=y.shape[1])
    result = trfboost.boosting(y, x, **FIT, delta=0.5)
    failure = result.failures[-1]
    assert failure.row == 1 and failure.failed == failure.fits == 10 and not result.h[1].any()
    assert "its filter is 0" in failure.reason and "stopped by" in failure.reason
    assert result.h_failed.tolist() == [False, True] and result.r[1] == 0 and "filters are 0" in repr(result)
    assert not trfboost.boosting(*problems.recording(), **FIT).failures


def test_progress_is_called_and_cancels():
    seen = []
    y, x = problems.recording()
    trfboost.boosting(y, x, **FIT, progress=lambda done, total: seen.append((done, total)))
    assert seen[0] == (0, 20) and seen[-1] == (20, 20)
    with pytest.raises(trfboost.Cancelled):
        trfboost.boosting(y, x, **FIT, progress=lambda done, total: True)


def test_fits_can_be_made_elsewhere_in_parts():
    from trfboost.trf import fits

    def engine(problem, progress):
        return fits.Fits.together([fits.fit(problem.rows(row, row + 1)) for row in range(len(problem.y))])

    y, x = problems.recording()
    assert np.array_equal(trfboost.boosting(y, x, **FIT, engine=engine).h, trfboost.boosting(y, x, **FIT).h)


@pytest.mark.skipif(not importlib.util.find_spec("xarray"), reason="xarray is not installed")
def test_labels_for_xarray(result):
    data = result.to_xarray()
    assert data.h_x.dims == ("signal", "x_row", "lag") and data.lag.values.tolist() == result.h_time.tolist()
    assert np.array_equal(data.h_x, result.h) and data.r.dims == ("signal",)
    one = trfboost.boosting(problems.recording()[0][0], {"a": problems.recording()[1][0]}, **FIT).to_xarray()
    assert one.h_a.dims == ("lag",) and one.r.dims == ()
    y, x = problems.recording()
    named = trfboost.boosting(y, {"failed": x}, **FIT).to_xarray()
    assert named.h_failed.dims == ("signal", "failed_row", "lag") and named.failed.dtype == bool


def test_a_dict_of_predictors_may_have_any_order():
    y, x = problems.recording()
    result = trfboost.boosting(y, {"a": x[0], "b": x[1]}, **FIT)
    expected = result.predict({"a": x[0], "b": x[1]})
    assert np.array_equal(result.predict({"b": x[1], "a": x[0]}), expected)
    parts = result.predict({"b": [x[1]], "a": [x[0]]})
    assert np.array_equal(parts[0], expected)


def test_nothing_to_predict_from_is_told_of_x():
    y, x = problems.recording()
    with pytest.raises(trfboost.AbiValueError, match="^x: has no samples"):
        trfboost.boosting(y, x, **FIT).predict(x[:, :0])


def test_equal_values_share_the_mean_of_their_ranks():
    from trfboost.trf.evaluation import _ranks

    assert _ranks(np.array([3.0, 1, 3, 0, 3, 1, -0.0])).tolist() == [6, 3.5, 6, 1.5, 6, 3.5, 1.5]


@pytest.mark.parametrize(
    "window",
    [["kaiser", np.int64(6)], ("kaiser", np.float32(6)), ("general_cosine", np.array([1, 0.5])), np.float32(6)],
)
def test_windows_of_any_types_are_saved(window, tmp_path):
    pytest.importorskip("scipy", reason="windows are SciPy's")
    result = trfboost.boosting(*problems.recording(), **FIT, basis=0.05, basis_window=window)
    result.save(tmp_path / "result")
    loaded = trfboost.load(tmp_path / "result")
    assert loaded.settings == result.settings and np.array_equal(loaded.h, result.h)


def test_a_window_that_no_file_holds_is_refused_before_the_fit():
    with pytest.raises(trfboost.AbiTypeError, match="^basis_window: is b'hann', expected a window"):
        trfboost.boosting(*problems.recording(), **FIT, basis_window=b"hann")


def test_damaged_files_are_told(result, tmp_path):
    path = tmp_path / "result.npz"
    result.save(os.fsencode(path))
    whole = path.read_bytes()
    for content in (b"", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is no result of trfboost"):
            trfboost.load(path)
    for changes in (dict(content={}), dict(content=None), dict(content=[])):
        path.write_bytes(whole)
        rewritten(path, **changes)
        with pytest.raises(ValueError, match="is a damaged result of trfboost"):
            trfboost.load(path)


def test_trials_of_predictors_of_different_dimensions_are_predicted():
    y, x = problems.recording()
    result = trfboost.boosting(y[0], [x[0], x], **FIT)
    parts = result.predict([[x[0], x], [x[0, :50], x[:, :50]]])
    assert np.array_equal(parts[0], result.predict([x[0], x])) and parts[1].shape == (50,)
    with pytest.raises(trfboost.AbiValueError, match="^x"):
        result.predict([[]])

"""Recordings of MNE in, results with their channels out."""

import matplotlib
import mne
import numpy as np
import pytest
from matplotlib import pyplot

import trfboost
import trfboost.mne

matplotlib.use("agg")
mne.set_log_level("ERROR")
RATE, SAMPLES = 100, 3000
LAGS = dict(tstart=0, tstop=0.2)
PLACES = {
    "Left": (-0.08, 0, 0),
    "Right": (0.08, 0, 0),
    "Front": (0, 0.07, 0.02),
    "Back": (0, -0.08, 0),
    "Top": (0, 0, 0.08),
}
CHANNELS = list(PLACES)


def recording(seed=0, places=True):
    """EEG that follows an envelope (misc channel) after 80 ms, with opposite signs left and right; one bad channel."""
    rng = np.random.default_rng(seed)
    envelope = rng.normal(size=SAMPLES)
    weights = np.array([1, -1, 0.5, 0.5, 0.2])[:, np.newaxis]
    eeg = 1e-5 * (weights * np.roll(envelope, 8) + 0.5 * rng.normal(size=(5, SAMPLES)))
    info = mne.create_info([*CHANNELS, "Envelope"], RATE, ["eeg"] * 5 + ["misc"])
    raw = mne.io.RawArray(np.vstack((eeg, envelope)), info)
    if places:
        raw.set_montage(mne.channels.make_dig_montage(PLACES, coord_frame="head"))
    raw.info["bads"] = ["Top"]
    return raw


@pytest.fixture
def raw():
    return recording()


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def plain(raw, channels=CHANNELS[:4], **options):
    """What arrays give."""
    x = raw.get_data(picks="Envelope")[0]
    return trfboost.boosting(raw.get_data(picks=channels), {"Envelope": x}, RATE, **LAGS, **options)


def test_a_recording_is_fitted_as_its_arrays_are_without_bad_channels(raw):
    result = trfboost.mne.boosting(raw, "Envelope", **LAGS, test=1)
    assert result.signals == ["Left", "Right", "Front", "Back"]
    assert np.array_equal(result.h["Envelope"], plain(raw, test=1).h["Envelope"])
    assert np.array_equal(result.r, plain(raw, test=1).r)
    assert result.h_scaled["Envelope"][0, 8] == pytest.approx(1e-5, rel=0.1)


def test_channels_can_be_picked_as_in_mne(raw):
    pick = lambda picks: trfboost.mne.boosting(raw, ["Envelope"], **LAGS, picks=picks).signals  # noqa: E731
    assert pick(["Top", "Left"]) == ["Top", "Left"]
    assert pick("eeg") == CHANNELS[:4] and pick("all") == CHANNELS[:4]
    with pytest.raises(trfboost.AbiValueError, match="^picks: do not fit the recording: .*Oz"):
        pick(["Oz"])
    with pytest.raises(trfboost.AbiValueError, match="^picks: leaves no channel to fit"):
        pick(["Envelope"])


def test_predictors_may_be_recordings_arrays_and_channels(raw):
    expected = plain(raw).h["Envelope"]
    sounds = raw.copy().pick("misc")
    array = sounds.get_data()
    named = trfboost.mne.boosting(raw, sounds, **LAGS)
    assert list(named.h) == ["Envelope"] and np.array_equal(named.h["Envelope"], expected)
    rows = trfboost.mne.boosting(raw, {"sound": sounds}, **LAGS)
    assert rows.form.rows == (1,) and np.array_equal(rows.h["sound"][:, 0], expected)
    assert np.array_equal(trfboost.mne.boosting(raw, array[0], **LAGS).h, expected)
    assert np.array_equal(trfboost.mne.boosting(raw, {"e": array[0]}, **LAGS).h["e"], expected)
    listed = trfboost.mne.boosting(raw, [sounds, array[0] ** 2], **LAGS)
    again = trfboost.boosting(raw.get_data(picks=CHANNELS[:4]), [array, array[0] ** 2], RATE, **LAGS)
    assert [h.tolist() for h in listed.h] == [h.tolist() for h in again.h]


def test_bad_spans_are_left_out_and_filters_end_at_boundaries(raw):
    joined = mne.concatenate_raws([raw, recording(1)])
    joined.set_annotations(joined.annotations + mne.Annotations([4.2, 9], [1.5, 2], ["bad blink", "speech"]))
    result = trfboost.mne.boosting(joined, "Envelope", **LAGS, partitions=3)
    pieces = [[0, 420], [570, SAMPLES], [SAMPLES, 2 * SAMPLES]]
    assert np.diff(result.splits.parts).ravel().tolist() == [420, SAMPLES - 570, SAMPLES]
    assert np.array_equal(result.h["Envelope"], plain(joined, trials=pieces, partitions=3).h["Envelope"])
    kept = joined.get_data(picks=[0], reject_by_annotation="omit").shape[1]
    assert sum(stop - start for start, stop in pieces) == kept
    whole = trfboost.mne.boosting(joined, "Envelope", **LAGS, reject_by_annotation=False)
    assert whole.splits.parts[-1].tolist() == [5400, 6000] and len(whole.splits.parts) == 10


def test_bad_spans_of_a_part_of_a_measurement_are_where_they_were_marked(raw):
    raw.set_meas_date(0)
    raw.set_annotations(mne.Annotations([12.0], [1.0], ["BAD"], orig_time=raw.info["meas_date"]))
    part = raw.copy().crop(10, 29.99)
    result = trfboost.mne.boosting(part, "Envelope", **LAGS, partitions=4)
    expected = plain(part, trials=[[0, 200], [300, 2000]], partitions=4)
    assert np.array_equal(result.h["Envelope"], expected.h["Envelope"])
    boundary = mne.concatenate_raws([part.copy().set_annotations(None), part.copy().set_annotations(None)])
    again = trfboost.mne.boosting(boundary, "Envelope", **LAGS, partitions=2)
    assert again.splits.parts.tolist() == [[0, 2000], [2000, 4000]]


def test_nan_in_the_data_is_reported_and_not_taken_for_a_bad_span(raw):
    raw._data[0, 7] = np.nan
    with pytest.raises(trfboost.AbiValueError, match="^y: row 0: nan at sample 7"):
        trfboost.mne.boosting(raw, "Envelope", **LAGS)


def test_epochs_are_trials(raw):
    epochs = mne.make_fixed_length_epochs(raw, 3, preload=True)
    data, sound = epochs.get_data(picks=CHANNELS[:4]), epochs.get_data(picks="Envelope")
    expected = trfboost.boosting(list(data), {"Envelope": list(sound[:, 0])}, RATE, **LAGS, test=1)
    result = trfboost.mne.boosting(epochs, "Envelope", **LAGS, test=1)
    assert np.array_equal(result.h["Envelope"], expected.h["Envelope"]) and len(result.splits.parts) == 10
    forms = {
        "array": (sound, lambda h: h[:, 0]),
        "one row": (sound[:, 0], lambda h: h),
        "dict": ({"a": sound[:, 0]}, lambda h: h["a"]),
        "epochs": (epochs.copy().pick("misc"), lambda h: h["Envelope"]),
        "dict of epochs": ({"a": epochs.copy().pick("misc")}, lambda h: h["a"][:, 0]),
        "list of epochs": ([epochs.copy().pick("misc")], lambda h: h[0][:, 0]),
    }
    for name, (x, only) in forms.items():
        found = trfboost.mne.boosting(epochs, x, **LAGS, test=1)
        assert np.array_equal(only(found.h), expected.h["Envelope"]), name


def test_what_does_not_fit_together_is_refused_with_a_remedy(raw):
    epochs = mne.make_fixed_length_epochs(raw, 3, preload=True)
    slow = raw.copy().pick("misc").resample(50)
    cases = [
        (raw, slow, r"^x: has 50 Hz, but y has 100 Hz; resample one: x\.copy\(\)\.resample\(100\)"),
        (raw, {"a": slow}, r"^x\['a'\]: has 50 Hz"),
        (raw, "Sound", "^x: names Sound, which y has no channel of"),
        (epochs, epochs.get_data()[:9], r"^x: has 9 trials, but y has 10 epochs; .*x\[epochs\.selection\]"),
        (epochs, epochs.copy().pick("misc")[:9], "has 9 epochs, but y has 10"),
        (epochs, raw.copy().pick("misc"), "^x: is RawArray, but y is EpochsArray|^x: is RawArray, but y is Epochs"),
        (raw, raw.get_data(picks="misc")[:, :-1], "^x: has 2999 samples, but y has 3000"),
        (raw.get_data(), "Envelope", "^y: is ndarray, expected mne.io.Raw or mne.Epochs"),
    ]
    for y, x, sentence in cases:
        with pytest.raises(trfboost.AbiError, match=sentence):
            trfboost.mne.boosting(y, x, **LAGS)
    for name in ("sfreq", "trials"):
        with pytest.raises(trfboost.AbiValueError, match=f"^{name}: is the recording's"):
            trfboost.mne.boosting(raw, "Envelope", **LAGS, **{name: 100})
    raw.set_annotations(mne.Annotations([0], [SAMPLES / RATE], ["BAD_all"]))
    with pytest.raises(trfboost.AbiValueError, match="^y: is covered by bad annotations"):
        trfboost.mne.boosting(raw, "Envelope", **LAGS)


def test_filters_become_evoked_responses(raw):
    result = trfboost.mne.boosting(raw, "Envelope", tstart=-0.05, tstop=0.2)
    evoked = trfboost.mne.evoked(result, raw)["Envelope"]
    assert evoked.ch_names == result.signals and evoked.comment == "Envelope" and evoked.info["sfreq"] == RATE
    assert np.array_equal(evoked.data, result.h_scaled["Envelope"])
    assert np.allclose(evoked.times, result.h_time, rtol=0, atol=1e-12)
    assert evoked.get_peak()[1] == pytest.approx(0.08)
    normalized = trfboost.mne.evoked(result, raw.info, scaled=False)["Envelope"]
    assert np.array_equal(normalized.data, result.h["Envelope"])
    sound = raw.get_data(picks="misc")
    listed = trfboost.mne.boosting(raw, [sound[0], np.vstack((sound, sound**2))], **LAGS)
    single, several = trfboost.mne.evoked(listed, raw)
    assert np.array_equal(single.data, listed.h_scaled[0])
    assert np.array_equal(several[1].data, listed.h_scaled[1][:, 1]) and several[1].comment == "x1[1]"
    array = trfboost.mne.boosting(raw, sound[0], **LAGS)
    assert np.array_equal(trfboost.mne.evoked(array, raw).data, array.h_scaled)


def test_a_saved_result_finds_its_channels_again(raw, tmp_path):
    trfboost.mne.boosting(raw, "Envelope", **LAGS).save(tmp_path / "result.npz")
    loaded = trfboost.load(tmp_path / "result.npz")
    reordered = raw.copy().reorder_channels(CHANNELS[::-1] + ["Envelope"])
    evoked = trfboost.mne.evoked(loaded, reordered)["Envelope"]
    assert evoked.ch_names == CHANNELS[:4] and np.array_equal(evoked.data, loaded.h_scaled["Envelope"])
    with pytest.raises(trfboost.AbiValueError, match="^info: has no channel Left, Back; expected that of"):
        trfboost.mne.evoked(loaded, raw.copy().drop_channels(["Left", "Back"]))
    with pytest.raises(trfboost.AbiValueError, match="^info: has 50 Hz, but the fit was made at 100 Hz"):
        trfboost.mne.evoked(loaded, raw.copy().resample(50))
    with pytest.raises(trfboost.AbiTypeError, match="^info: is list"):
        trfboost.mne.evoked(loaded, CHANNELS)


def maps(figure):
    """Panels with a topography."""
    return [ax for ax in figure.axes if ax.images]


def test_topographies_are_at_the_peak_and_those_of_the_correlations(raw):
    result = trfboost.mne.boosting(raw, "Envelope", **LAGS, test=1)
    figure = trfboost.mne.plot(result, raw)
    peak, correlations = maps(figure)  # noise makes no peaks
    assert (figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()) == ("Lag (s)", "µV per unit")
    assert not any("ave" in text.get_text() for text in figure.axes[0].texts)
    assert np.abs(figure.axes[0].get_ylim()).max() == pytest.approx(10, rel=0.3)
    assert figure.axes[0].get_title() == "Envelope" and "0.08" in peak.get_title()
    assert correlations.get_title() == "r (cross-validated)"
    field = np.asarray(peak.images[0].get_array())
    middle = field.shape[0] // 2
    assert field[middle, 5] > 0 > field[middle, -6]  # left and right
    at = trfboost.mne.plot(result, raw, times=[0.05, 0.08, 0.12], predictors="Envelope")
    assert [ax.get_title()[:4] for ax in maps(at)[:3]] == ["0.05", "0.08", "0.12"]
    normalized = trfboost.mne.plot(result, raw, times=1, scaled=False).axes[0]
    assert normalized.get_ylabel() == "normalized" and 0.5 < np.abs(normalized.get_ylim()).max() < 1.2


def test_what_cannot_be_drawn_is_refused_with_a_remedy(raw):
    result = trfboost.mne.boosting(raw, "Envelope", **LAGS)
    cases = [
        (dict(info=recording(places=False)), "^info: has channels without a position; .*set_montage"),
        (dict(info=raw, predictors="Sound"), "^predictors: has 'Sound', expected some of the 1 there are: Envelope"),
        (dict(info=raw, ch_type="mag"), "^ch_type: is 'mag', expected one of eeg"),
        (dict(info=raw, times=0), "^times: is 0, expected a number of topographies"),
    ]
    for options, sentence in cases:
        with pytest.raises(trfboost.AbiValueError, match=sentence):
            trfboost.mne.plot(result, **options)
    sound = np.random.default_rng(0).normal(size=(7, SAMPLES))
    with pytest.raises(trfboost.AbiValueError, match="^predictors: are 7 rows, expected at most 6"):
        trfboost.mne.plot(trfboost.mne.boosting(raw, sound, **LAGS), raw)
    mixed = raw.copy().set_channel_types({"Back": "eog"})
    both = trfboost.mne.boosting(mixed, "Envelope", **LAGS, picks=["eeg", "eog"])
    with pytest.raises(trfboost.AbiValueError, match="^ch_type: has to be one of eeg, eog"):
        trfboost.mne.plot(both, mixed)
    assert len(maps(trfboost.mne.plot(both, mixed, ch_type="eeg", times=2))) >= 2

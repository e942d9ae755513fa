"""What pictures and notebooks show of a result. The panels are read back from the figure."""

import html.parser
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

import trfboost

matplotlib.use("agg")
FIT = dict(sfreq=100, tstart=0, tstop=0.1)
BANDS = 12
NAMES = ["Fz", "Cz", "Pz"]


@pytest.fixture(scope="module")
def result():
    """Three signals that follow an envelope after 30 ms, and a band after 60 ms; the third with the sign reversed."""
    rng = np.random.default_rng(0)
    x = {"envelope": rng.normal(size=900), "bands": rng.normal(size=(BANDS, 900))}
    y = np.roll(x["envelope"], 3) + np.roll(x["bands"][5], 6) + 0.5 * rng.normal(size=(3, 900))
    y[2] *= -1
    return trfboost.boosting(y, x, **FIT, test=1).with_signal_names(NAMES)


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


def curves(ax):
    """The lines over lags, without the one at 0."""
    return np.array([line.get_ydata() for line in ax.lines if len(line.get_xdata()) == 10])


def test_predictors_have_panels_and_correlations_one_more(result):
    figure = result.plot()
    envelope, bands, correlations = figure.axes[:3]
    assert [ax.get_title() for ax in figure.axes[:3]] == [
        "envelope",
        "bands (RMS of signals)",
        "Correlation\n(cross-validated)",
    ]
    assert np.array_equal(curves(envelope), result.h["envelope"])
    assert np.array_equal(envelope.lines[1].get_xdata(), result.h_time)
    assert [text.get_text() for text in envelope.get_legend().get_texts()] == NAMES
    assert [bar.get_height() for bar in correlations.patches] == result.r.tolist()
    assert [label.get_text() for label in correlations.get_xticklabels()] == NAMES
    assert envelope.get_ylabel() == "Response (normalized)" and envelope.get_xlabel() == "Lag (s)"
    assert not bands.lines


def test_signals_of_opposite_signs_do_not_cancel_in_the_image(result):
    image = result.plot().axes[1].images[0]
    assert np.allclose(image.get_array(), np.sqrt((result.h["bands"] ** 2).mean(0)))
    row, lag = np.unravel_index(image.get_array().argmax(), image.get_array().shape)
    assert (row, result.h_time[lag]) == (5, 0.06)
    assert image.get_extent() == pytest.approx([-0.005, 0.095, -0.5, BANDS - 0.5])


def test_one_signal_keeps_its_signs_and_has_its_correlation_above(result):
    figure = result.plot(signals="Pz", scaled=True)
    image = figure.axes[1].images[0]
    assert np.array_equal(image.get_array(), result.h_scaled["bands"][2]) and image.get_array().min() < -0.8
    assert image.norm.vmin == -image.norm.vmax
    assert np.array_equal(curves(figure.axes[0]), [result.h_scaled["envelope"][2]])
    assert figure.get_suptitle() == f"r = {result.r[2]:.3f} (cross-validated)"
    assert figure.axes[0].get_ylabel() == "Response (y per x)"


def test_what_is_shown_can_be_chosen(result):
    figure = result.plot(predictors="envelope", signals=["Cz", -1])
    assert len(figure.axes) == 2
    assert np.array_equal(curves(figure.axes[0]), result.h["envelope"][1:])
    assert [label.get_text() for label in figure.axes[1].get_xticklabels()] == ["Cz", "Pz"]
    image = result.plot(predictors=["envelope"], kind="image").axes[0]
    assert np.array_equal(image.images[0].get_array(), result.h["envelope"])
    assert [label.get_text() for label in image.get_yticklabels()] == NAMES
    lines = result.plot(predictors=["bands"], signals=0, kind="lines").axes[0]
    assert np.array_equal(curves(lines), result.h["bands"][0])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (dict(signals="Oz"), "^signals: has 'Oz', expected some of the 3 there are: Fz, Cz, Pz"),
        (dict(signals=3), "^signals: has 3, expected some of the 3"),
        (dict(predictors=["bands", "onsets"]), "^predictors: has 'onsets', expected some of the 2"),
        (dict(predictors=[]), "^predictors: is empty"),
        (dict(kind="movie"), "^kind: is 'movie', expected 'lines', 'image'"),
    ],
)
def test_what_does_not_exist_is_refused_before_there_is_a_figure(result, options, sentence):
    with pytest.raises(trfboost.AbiValueError, match=sentence):
        result.plot(**options)
    assert not pyplot.get_fignums()


def test_few_signals_and_rows_are_lines_with_signs(result):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(2, 600))
    few = trfboost.boosting(np.roll(x, 2, axis=1) + rng.normal(size=x.shape), x, **FIT)
    ax = few.plot().axes[0]
    assert np.array_equal(curves(ax), few.h.reshape(4, -1))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0, 0", "0, 1", "1, 0", "1, 1"]


def test_many_signals_are_a_butterfly_and_many_predictors_fill_rows():
    rng = np.random.default_rng(2)
    x = {f"p{i}": rng.normal(size=400) for i in range(6)}
    y = np.roll(x["p0"], 1) + rng.normal(size=(20, 400))
    figure = trfboost.boosting(y, x, **FIT).plot()
    assert len(figure.axes) == 7 and len(curves(figure.axes[0])) == 20 and figure.axes[0].get_legend() is None
    assert len({ax.get_position().y0 > 0.5 for ax in figure.axes}) == 2
    limits = {ax.get_ylim() for ax in figure.axes[:6]}
    assert len(limits) == 1  # normalized responses compare with each other


def test_a_filter_of_one_lag_and_a_filter_of_zeros_can_be_drawn():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=400), rng.normal(size=400)
    figure = trfboost.boosting(x + y, x, 100, 0, 0.01).plot()
    assert figure.axes[0].lines[-1].get_marker() == "o"
    zero = trfboost.boosting(y, x, **FIT, delta=0.6)
    assert not zero.h.any()
    zero.plot().canvas.draw()
    zero.plot(kind="image").canvas.draw()
    assert "0 everywhere" in zero._repr_html_()


def test_a_figure_of_ones_own_is_drawn_into(result):
    figure = pyplot.figure()
    left, right = figure.subfigures(1, 2)
    assert result.plot(figure=right, predictors="envelope") is right
    assert len(right.axes) == 2 and not left.axes


def test_without_matplotlib_the_remedy_is_named(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        result.plot()


class Elements(html.parser.HTMLParser):
    """Texts of a page, and whether what is opened is closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_a_notebook_shows_the_summary_and_the_largest_response_of_each_predictor(result):
    page = Elements(result._repr_html_())
    assert not page.open
    for name, text in result.summary():
        assert name in page.texts and text in page.texts
    peak = result.h["bands"].reshape(-1, 10)
    largest = peak.flat[np.abs(peak).argmax()]
    assert f"{largest:.3g} at 0.06 s" in page.texts and str(BANDS) in page.texts
    assert result._repr_html_().count("<polyline") == 2


def test_names_cannot_break_the_page():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2, 400))
    y = np.stack((np.roll(x[0], 1), rng.normal(size=400)))
    fit = trfboost.boosting(y, {"<b>&": x[0], "</table>": x[1]}, **FIT, delta=0.5)
    page = Elements(fit.with_signal_names(["<i>", "A1</details>"])._repr_html_())
    assert not page.open
    assert "<b>&" in page.texts and any("signal A1</details>: 10 of 10 fits failed" in text for text in page.texts)


def test_signals_have_names_everywhere(result, tmp_path):
    assert result.signals == NAMES
    assert result.to_xarray().signal.values.tolist() == NAMES
    result.save(tmp_path / "result.npz")
    assert trfboost.load(tmp_path / "result.npz").signal_names == tuple(NAMES)
    rng = np.random.default_rng(5)
    x = rng.normal(size=400)
    parts = trfboost.boosting(x + rng.normal(size=(2, 400)), x, **FIT, test=1, partition_results=True)
    assert parts.signals == ["0", "1"] and parts.signal_names is None
    assert parts.with_signal_names(["a", "b"]).partition_results[2].signals == ["a", "b"]


@pytest.mark.parametrize(
    ("names", "error", "sentence"),
    [
        (["a", "b"], trfboost.AbiValueError, "^names: has 2 names, expected a different one for each of 3 signals"),
        (["a", "b", "a"], trfboost.AbiValueError, "^names: has 3 names, expected a different one"),
        ("abc", trfboost.AbiTypeError, "^names: is 'abc', expected a string for each signal"),
        ([1, 2, 3], trfboost.AbiTypeError, "^names: is .*, expected a string for each signal"),
    ],
)
def test_names_that_do_not_fit_are_refused(result, names, error, sentence):
    with pytest.raises(error, match=sentence):
        result.with_signal_names(names)

"""Decision curves, precision-recall curves and bands show what the metrics say."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

import naive
import roctopus as rt
from roctopus.datasets import load_screening
from roctopus.display import BandDisplay, NetBenefitDisplay, PrecisionRecallDisplay
from roctopus.inference import curve_band, difference_band

SCREENING = load_screening()
Y, MODELS = SCREENING.y_true, SCREENING.predictions
TWO = {name: MODELS[name] for name in ("forest", "boosting")}


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def line_labelled(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


def test_decision_curves_are_net_benefits_with_simultaneous_bands():
    display = NetBenefitDisplay.from_predictions(Y, TWO, low=0.02, high=0.3)
    t, value = line_labelled(display.ax_, "forest")
    expected = [naive.net_benefit(Y, TWO["forest"], threshold_probability=each) for each in t[::20]]
    np.testing.assert_allclose(value[::20], expected)
    _, everyone = line_labelled(display.ax_, "treat all")
    np.testing.assert_allclose(everyone, Y.mean() - t / (1 - t) * (1 - Y.mean()))
    band = curve_band(rt.net_benefit, Y, TWO["forest"], along={"threshold_probability": t})
    np.testing.assert_array_equal(display.bands_["forest"].lower, band.lower)
    frame = display.frame("pandas")
    assert list(frame.columns) == [
        "model",
        "threshold_probability",
        "net_benefit",
        "lower",
        "upper",
    ]
    assert set(frame["model"]) == set(TWO)
    shaded = [to_hex(each.get_facecolor()[0]) for each in display.ax_.collections]
    assert len(set(shaded)) == 2
    assert not display.plot(bands=False).ax_.collections


def test_differences_have_paired_bands_and_a_title_that_says_where_they_are_clear():
    display = NetBenefitDisplay.from_predictions(Y, TWO, versus="boosting", low=0.02, high=0.3)
    t, value = line_labelled(display.ax_, "forest")
    along = {"threshold_probability": t}
    band = difference_band(rt.net_benefit, Y, TWO["forest"], TWO["boosting"], along=along)
    np.testing.assert_allclose(value, band.value)
    title = display.ax_.get_title(loc="left")
    clear = [each for each in band.regions() if each.answer != "undecided"]
    assert ("clearly" in title) == bool(clear)
    everyone = display.plot(versus="treat all", low=0.02, high=0.3)
    _, value = line_labelled(everyone.ax_, "boosting")
    expected = [
        naive.net_benefit(Y, TWO["boosting"], threshold_probability=x)
        - naive.net_benefit(Y, np.ones(len(Y)), threshold_probability=x)
        for x in t
    ]
    np.testing.assert_allclose(value, expected)
    with pytest.raises(rt.InputError, match="'versus'"):
        display.plot(versus="nobody")
    with pytest.raises(rt.InputError, match="must be a probability of at least 0"):
        display.plot(low=-0.1, high=0.5)


def test_weights_prevalence_and_labels_reach_the_metric():
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(Y))
    given = {"sample_weight": weight, "prevalence": 0.02}
    display = NetBenefitDisplay.from_predictions(Y, TWO["forest"], low=0.01, high=0.2, **given)
    t, value = line_labelled(display.ax_, "model")
    expected = rt.net_benefit(Y, TWO["forest"], threshold_probability=t[50], **given)
    assert value[50] == pytest.approx(expected)
    text = np.where(Y == 1, "ill", "well")
    labelled = NetBenefitDisplay.from_predictions(
        text, TWO["forest"], pos_label="ill", low=0.01, high=0.2, **given
    )
    np.testing.assert_allclose(line_labelled(labelled.ax_, "model")[1], value)


def test_a_model_that_is_of_no_use_is_said_to_be():
    worst = NetBenefitDisplay.from_predictions(Y, 1.0 - TWO["forest"], low=0.2, high=0.6)
    assert worst.ax_.get_title(loc="left") == "No model is better than treating all or none"
    good = NetBenefitDisplay.from_predictions(Y, TWO["forest"], low=0.02, high=0.3)
    assert "beats treating all or none between" in good.ax_.get_title(loc="left")


def test_precision_and_recall():
    display = PrecisionRecallDisplay.from_predictions(Y, MODELS["forest"], name="forest")
    average = rt.probability.average_precision(Y, MODELS["forest"])
    x, y = line_labelled(display.ax_, f"forest (average precision {average:.3f})")
    curve = rt.probability.precision_recall_curve(Y, MODELS["forest"])
    np.testing.assert_array_equal(x, curve.recall)
    np.testing.assert_array_equal(y, curve.precision)
    assert list(display.frame("pandas").columns) == ["model", "recall", "precision", "threshold"]


def test_bands_are_plotted():
    t = np.linspace(0.02, 0.3, 15)
    along = {"threshold_probability": t}
    band = difference_band(rt.net_benefit, Y, TWO["forest"], TWO["boosting"], along=along)
    _, ax = plt.subplots()
    display = band.plot(ax=ax, name="forest minus boosting", curve_kwargs={"color": "red"})
    assert isinstance(display, BandDisplay)
    x, y = line_labelled(ax, "forest minus boosting (95 % band)")
    np.testing.assert_array_equal(x, t)
    np.testing.assert_array_equal(y, band.value)
    outer = ax.collections[0].get_datalim(ax.transData)
    assert outer.y0 == pytest.approx(band.lower.min())
    assert outer.y1 == pytest.approx(band.upper.max())
    said = ax.get_title(loc="left")
    assert said.startswith(("Clearly", "Nowhere clearly"))
    assert display.frame("pandas").equals(band.frame("pandas"))
    second = band.plot(ax=ax, name="again")
    assert second.ax_ is ax
    assert len(ax.get_legend().get_texts()) == 2

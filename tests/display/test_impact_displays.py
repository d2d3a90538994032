"""Pictures of impact: they show what the curves say."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus import display
from roctopus import impact as arm

rng = np.random.default_rng(0)
VALUE = rng.gamma(2.0, 0.5, 80)
MODELS = {f"<{k}>$": VALUE + (0.3 + 0.4 * k) * rng.normal(size=80) for k in range(2)}
CURVES = {name: rt.impact_curve(s, arm.value_times_price(VALUE)) for name, s in MODELS.items()}


def test_curves_with_trivial_line_and_second_axis():
    shown = display.ImpactDisplay(CURVES).plot(context=1.0)
    texts = [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    assert texts[-1] == "trivial"
    assert shown.ax_.get_xlabel() == "θ = price / cost"
    second = shown.ax_.child_axes[0]
    assert second.get_xlabel() == "break-even value 1/θ"
    low, high = shown.ax_.get_xlim()
    assert 0.0 <= low < 1.0 < high < 20.0
    frame = shown.frame("pandas")
    assert list(frame.columns) == ["model", "theta", "value"]
    shown.figure_.canvas.draw()


def test_gain():
    shown = display.ImpactGainDisplay(CURVES).plot(low=0.3, high=3.0)
    assert shown.ax_.get_ylim()[1] >= max(c.gain.at(1.0) for c in CURVES.values())
    line = shown.ax_.lines[0]
    x, y = line.get_xdata(), line.get_ydata()
    np.testing.assert_allclose(y, CURVES["<0>$"].gain.at(x), atol=1e-12)
    dotted = next(line for line in shown.ax_.lines if len(set(line.get_xdata())) == 1)
    switch = float(dotted.get_xdata()[0])  # where accepting all is worth as much as rejecting all
    assert rt.value_times_price(VALUE).at(switch).sum() == pytest.approx(0.0, abs=1e-9)
    shown.figure_.canvas.draw()


def test_lines_of_thresholds_lie_below_the_curve():
    shown = display.ThresholdLinesDisplay.from_predictions(VALUE, MODELS["<0>$"])
    assert len(shown.lines) == 4
    grid = np.linspace(0.1, 4.0, 30)
    for line in shown.lines.values():
        assert np.all(line.at(grid) <= shown.curve.at(grid) + 1e-12)
    shown.figure_.canvas.draw()


def test_profile():
    shown = display.ImpactProfileDisplay.from_predictions(VALUE, MODELS["<0>$"], theta=1.2)
    profile = shown.profiles["model"]
    frame = shown.frame("pandas")
    assert frame["impact"].max() == pytest.approx(profile.best_impact)
    assert frame.loc[frame["impact"].idxmax(), "threshold"] == profile.best_threshold
    shown.figure_.canvas.draw()


def test_estimators_and_refusals():
    rng = np.random.default_rng(1)
    X = np.column_stack([VALUE, rng.normal(size=80)])
    model = LinearRegression().fit(X, VALUE)
    shown = display.ImpactDisplay.from_estimator(
        model, X, VALUE, utility=arm.value_minus_cutoff, normalize=True
    )
    assert shown.ax_.get_xlabel() == "θ = cutoff"
    with pytest.raises(rt.InputError, match="must come from impact_curve"):
        display.ImpactDisplay({"a": arm.oracle_curve(arm.value_times_price(VALUE))})

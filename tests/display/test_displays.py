"""Pictures show what they say; names from data are plain text."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus import regression as arm
from roctopus.display import (
    AsymmetryCostDisplay,
    ErrorDensityDisplay,
    LossComponentDisplay,
    MurphyDisplay,
    RECDisplay,
    RROCDisplay,
    UROCDisplay,
    regression_overview,
)

rng = np.random.default_rng(0)
Y = rng.normal(size=200)
MODELS = {"narrow": Y + rng.normal(size=200), "skewed": Y + rng.exponential(size=200)}


def line_labelled(ax, label):
    (line,) = [line for line in ax.lines if line.get_label() == label]
    return line


def test_rroc_curve_is_drawn_with_its_rays():
    display = RROCDisplay.from_predictions(Y, MODELS["narrow"], name="narrow")
    line = line_labelled(display.ax_, "narrow")
    curve = rt.rroc_curve(Y, MODELS["narrow"])
    x, y = line.get_data()
    np.testing.assert_array_equal(x[1:-1], curve.over)
    np.testing.assert_array_equal(y[1:-1], curve.under)
    assert (x[0], y[-1]) == (0, 0)
    assert y[0] <= curve.under[0]
    assert x[-1] >= curve.over[-1]
    assert len(display.frame("pandas")) == 200


def test_hull_isometric_and_hybrid():
    curves = {name: rt.rroc_curve(Y, p, normalize=True) for name, p in MODELS.items()}
    hull = rt.rroc_hull(curves)
    hybrid = hull.hybrid(over=0.4)
    display = RROCDisplay(curves).plot(hull=True, asymmetry=0.8, hybrid=hybrid, title="all")
    ax = display.ax_
    isometric = hull.isometric(0.8)
    x, y = line_labelled(ax, "equal loss at α = 0.8").get_data()
    np.testing.assert_allclose(y, isometric.slope * np.asarray(x) + isometric.intercept)
    x, _ = line_labelled(ax, "convex hull").get_data()
    np.testing.assert_array_equal(x[1:-1], hull.over)
    assert isometric.model in ax.texts[0].get_text()
    assert ax.get_xlabel() == "mean over-estimation (OVER)"
    hybrid_label = (
        f"hybrid {100 * (1 - hybrid.weight):.0f}\u00a0% / {100 * hybrid.weight:.0f}\u00a0%"
    )
    assert line_labelled(ax, hybrid_label).get_data() == ([hybrid.over], [hybrid.under])


def test_points_and_vertical_isometric():
    points = {name: rt.rroc_point(Y, p) for name, p in MODELS.items()}
    display = RROCDisplay(points).plot(asymmetry=0.0, hull=True)
    assert len(display.frame("pandas")) == 2
    assert display.ax_.texts[0].get_text().endswith("no shift")


def test_cost_curves_with_bands():
    curves = {name: rt.asymmetry_cost_curve(Y, p) for name, p in MODELS.items()}
    display = AsymmetryCostDisplay(curves).plot(asymmetry=0.7)
    x, y = line_labelled(display.ax_, "skewed").get_data()
    np.testing.assert_allclose(y, curves["skewed"].at(x))
    bands = [c for c in display.ax_.collections if c.get_paths()]
    assert len(bands) >= len(display.envelope.regions)
    assert set(display.frame("pandas").columns) == {"model", "asymmetry", "value"}
    assert display.ax_.get_ylabel().startswith("mean loss")
    totals = {"narrow": rt.rroc_curve(Y, MODELS["narrow"]).cost_curve()}
    assert AsymmetryCostDisplay(totals).plot().ax_.get_ylabel().startswith("total loss")


def test_steps_are_drawn_upright():
    display = RECDisplay.from_predictions(Y, MODELS["narrow"], name="narrow", bands=False)
    x, y = line_labelled(display.ax_, "narrow").get_data()
    assert np.all(np.diff(x) >= 0)
    assert np.all(np.diff(y) >= 0)
    curve = arm.rec_curve(Y, MODELS["narrow"])
    np.testing.assert_allclose(y[1::2], y[0::2])  # every tread is level
    np.testing.assert_allclose(y[0:-1:2], curve.at(x[0:-1:2]))
    assert len(display.frame("pandas")) >= 200


def test_murphy_of_two_models_with_bands():
    curves = {name: arm.murphy_curve(Y, p, functional="expectile") for name, p in MODELS.items()}
    display = MurphyDisplay(curves).plot(context=0.1)
    x, y = line_labelled(display.ax_, "skewed").get_data()
    inner = slice(1, -1, 2)
    middle = (np.asarray(x)[inner] + np.asarray(x)[1:][inner]) / 2
    assert np.isfinite(y).all()
    assert len(middle) > 100
    one = MurphyDisplay.from_predictions(Y, MODELS["narrow"], level=0.9)
    assert one.ax_.get_ylabel() == "elementary quantile loss at level 0.9"


def test_densities_and_uroc():
    density = ErrorDensityDisplay.from_predictions(Y, MODELS["narrow"], name="narrow")
    x, y = line_labelled(density.ax_, "narrow").get_data()
    assert np.trapezoid(y, x) == pytest.approx(1.0, abs=0.02)
    assert len(density.frame("polars")) == 200
    with pytest.raises(rt.InputError, match="All errors of model 'same' are equal"):
        ErrorDensityDisplay({"same": np.ones(5)}).plot()
    uroc = UROCDisplay.from_predictions(Y, MODELS["narrow"])
    cpa = arm.coefficient_of_predictive_ability(Y, MODELS["narrow"])
    assert f"(area {cpa:.3f})" in uroc.ax_.get_legend().get_texts()[0].get_text()
    assert len(uroc.frame("pandas")) == 1001


def test_component_sums_with_their_isometric():
    loss = rt.QuadQuad(0.8)
    paths = {name: arm.loss_component_path(Y, p, loss=loss) for name, p in MODELS.items()}
    display = LossComponentDisplay(paths).plot(title="quad-quad")
    x, y = line_labelled(display.ax_, "equal loss").get_data()
    best = min(path.isometric.loss for path in paths.values())
    assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(0.25)
    assert -y[0] * loss.under_cost == pytest.approx(best)
    assert set(display.frame("pandas")["model"]) == set(MODELS)
    vertical = LossComponentDisplay.from_predictions(Y, MODELS["narrow"], loss=rt.QuadQuad(0.0))
    assert vertical.figure_ is not None
    with pytest.raises(rt.InputError, match="'loss' is missing"):
        LossComponentDisplay.from_predictions(Y, MODELS["narrow"])
    other = arm.loss_component_path(Y, MODELS["narrow"], loss=rt.regression.LinEx(1.0))
    with pytest.raises(rt.InputError, match="All paths must be for the same loss"):
        LossComponentDisplay({"a": other, "b": paths["narrow"]})


def test_overview_has_four_panels_and_paths_are_drawn():
    figure = regression_overview(Y, MODELS, asymmetry=0.7)
    assert len(figure.axes) == 4
    figure.canvas.draw()
    rule = rt.ConstantShift().fit(Y, MODELS["narrow"])
    path = arm.feasible_rroc_path(rule, Y, MODELS["narrow"])
    curve = rt.rroc_curve(Y, MODELS["narrow"], normalize=True)
    display = RROCDisplay({"narrow": curve}).plot(paths={"rule": path})
    x, _ = line_labelled(display.ax_, "rule").get_data()
    assert len(x) == 99


def test_from_estimator_and_given_axes():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": Y, "b": rng.normal(size=200)})
    model = LinearRegression().fit(X, MODELS["narrow"])
    _, axes = plt.subplots(1, 2)
    rroc = RROCDisplay.from_estimator(model, X, MODELS["narrow"], ax=axes[0])
    cost = AsymmetryCostDisplay.from_estimator(model, X, MODELS["narrow"], ax=axes[1], name="ols")
    assert rroc.ax_ is axes[0]
    assert rroc.figure_ is cost.figure_
    assert line_labelled(axes[0], "LinearRegression")
    assert line_labelled(axes[1], "ols")


@pytest.mark.parametrize("name", ["$x_i$ costs $5", "_hidden", "a\\b", "50% <b>", ""])
def test_names_are_plain_text(name):
    curves = {name: rt.rroc_curve(Y, MODELS["narrow"])}
    display = RROCDisplay(curves).plot(asymmetry=0.8)
    display.figure_.canvas.draw()
    (first, *_) = display.ax_.get_legend().get_texts()
    shown = first.get_text().replace(r"\$", "$").replace("\u200b", "")
    assert shown == name


def test_large_curves_are_thinned_unseen():
    rng = np.random.default_rng(1)
    y = rng.normal(size=100_000)
    display = RROCDisplay({"big": rt.rroc_curve(np.zeros(100_000), y)}).plot(hull=True)
    x, height = line_labelled(display.ax_, "big").get_data()
    assert len(x) < 6000
    curve = rt.rroc_curve(np.zeros(100_000), y)
    shown = curve.over < display.ax_.get_xlim()[1]
    drawn = np.interp(curve.over[shown], x, height)
    off = np.abs(drawn - curve.under[shown])
    inside = curve.under[shown] > display.ax_.get_ylim()[0]
    assert off[inside].max() < 1e-3 * np.ptp(display.ax_.get_ylim())


def test_bare_curve_is_refused():
    with pytest.raises(rt.InputError, match="must be a mapping"):
        RROCDisplay(rt.rroc_curve(Y, MODELS["narrow"]))


def test_missing_matplotlib_names_the_extra():
    code = """
import sys
sys.modules["matplotlib"] = None
from roctopus import MissingDependencyError
from roctopus.display import RROCDisplay
try:
    RROCDisplay.from_predictions([1.0, 2.0], [2.0, 1.0])
except MissingDependencyError as error:
    print(error)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == (
        "A picture needs matplotlib, which is not installed. "
        'Install it with: pip install "roctopus[plot]"'
    )

"""Pictures show what they say; names from data are plain text."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.display import AsymmetryCostDisplay, RROCDisplay

rng = np.random.default_rng(0)
Y = rng.normal(size=200)
MODELS = {"narrow": Y + rng.normal(size=200), "skewed": Y + rng.exponential(size=200)}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


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
    hybrid_label = f"hybrid {1 - hybrid.weight:.0%} / {hybrid.weight:.0%}"
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
    assert set(display.frame("pandas").columns) == {"model", "asymmetry", "loss"}


def test_from_estimator_and_given_axes():
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

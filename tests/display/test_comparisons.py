"""Pictures of comparisons are drawn by what arms say of themselves."""

from dataclasses import replace

import matplotlib
import numpy as np
import pytest

import roctopus as rt
from roctopus.arms import known_arms
from roctopus.display.comparison import ComparisonDisplay
from roctopus.display.pictures import DRAWN, draw_pictures
from roctopus.impact import value_times_price
from roctopus.regression.problem import RegressionProblem

matplotlib.use("Agg")

RNG = np.random.default_rng(0)
Y = RNG.gamma(3.0, 10.0, 120)
MODELS = {"near": Y + RNG.normal(-3, 6, 120), "$far_": Y + RNG.normal(0, 9, 120)}
CHANCES = {name: 1.0 / (1.0 + np.exp(-(each - 30.0) / 8.0)) for name, each in MODELS.items()}
ASKED = {
    "regression": (rt.compare(Y, MODELS, arm="regression"), {"under_cost": 4, "over_cost": 1}, 0.8),
    "cutoff": (rt.compare(Y, MODELS, arm="cutoff"), {"cutoff": 30.0}, 30.0),
    "ordinal": (rt.compare(np.digitize(Y, [20, 35]), MODELS, arm="ordinal"), {"cost": 5.0}, 5.0),
    "probability": (
        rt.compare((Y > 30) * 1.0, CHANCES, arm="probability"),
        {"cost_proportion": 0.3},
        0.3,
    ),
    "impact": (
        rt.compare(Y, MODELS, arm="impact", utility=value_times_price, at_most=60),
        {"theta": 0.05},
        0.05,
    ),
}
AXES = {
    "regression": ("asymmetry α (weight of under-estimates)", "mean loss, costs 2α and 2(1 − α)"),
    "cutoff": ("cutoff", "share of wrong decisions"),
    "ordinal": ("cost of class 2", "mean cost of grades"),
    "probability": ("cost proportion c (the false positive's part)", "mean cost, 2c and 2(1 − c)"),
    "impact": ("θ = price / cost", "mean impact (value·θ − 1)"),
}


@pytest.mark.parametrize("arm", ASKED)
def test_every_arm_names_its_axes_and_marks_its_context(arm):
    comparison, words, context = ASKED[arm]
    display = comparison.plot(**words)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == AXES[arm]
    marks = [line.get_xdata()[0] for line in display.ax_.lines if line.get_marker() == "o"]
    assert marks == pytest.approx([context] * 2)
    same = comparison.plot(context=context)
    assert len(same.ax_.lines) == len(display.ax_.lines)
    assert len(comparison.plot().ax_.lines) < len(display.ax_.lines)
    display.figure_.canvas.draw()


def test_what_an_arm_adds_is_drawn():
    notes = {text.get_text() for text in ASKED["cutoff"][0].plot().ax_.texts}
    assert "median" in notes
    impact = ASKED["impact"][0].plot().ax_
    assert "trivial" in {text.get_text() for text in impact.get_legend().get_texts()}
    assert [child.get_xlabel() for child in impact.child_axes] == ["break-even value 1/θ"]
    low, high = impact.get_xlim()
    assert 0.0 < low < 0.05 < high < 5.0


def test_an_arm_that_says_nothing_gets_the_words_of_its_curves():
    class Silent(RegressionProblem):
        context_kind = "price"

        def axis_labels(self):
            return None

    problem = Silent(Y)
    curves = {
        name: replace(problem.curve(p), context="heat", outcome="harm")
        for name, p in MODELS.items()
    }
    display = ComparisonDisplay(problem, curves).plot(context=0.5)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("heat", "harm")


@pytest.mark.parametrize("arm", ASKED)
def test_pictures_are_drawn_by_their_kind(arm):
    comparison, words, _ = ASKED[arm]
    found = draw_pictures(comparison, *comparison.aim(None, None, None, dict(words)))
    assert list(found) == list(known_arms()[arm].pictures)
    for display in found.values():
        data = display.picture
        ax = display.plot().ax_
        assert ax.get_title(loc="left") == data["title"]
        assert ax.get_xlabel().startswith(data["x"])
        display.figure_.canvas.draw()
    assert {display.picture["kind"] for display in found.values()} <= set(DRAWN)
    display.picture = {**data, "kind": "sculpture"}
    with pytest.raises(rt.InputError, match=r"one of the kinds 'tradeoff'.*got 'sculpture'"):
        display.plot()


@pytest.mark.parametrize("arm", ASKED)
def test_pictures_for_ranges_and_distributions_mark_no_single_context(arm):
    comparison, _, context = ASKED[arm]
    ends = (0.9 * context, 1.1 * context)
    for aim in ((ends, None, None, {}), (None, None, rt.Uniform(*ends), {})):
        for display in draw_pictures(comparison, *comparison.aim(*aim)).values():
            display.plot().figure_.canvas.draw()
            assert display.marked == (aim[0] is None and arm != "cutoff")


def test_the_line_of_equal_loss_touches_the_model_decided_for():
    comparison, words, _ = ASKED["regression"]
    decision = comparison.decide(**words)
    (display,) = draw_pictures(comparison, *comparison.aim(None, None, None, dict(words))).values()
    assert display.chosen == decision.model
    view = display.picture["views"][0]
    point = view["points"][display.models.index(display.chosen)]
    at = display.position
    slope = display.picture["slope"][at]
    assert slope == pytest.approx(1 / 4)
    level = point["y"][at] - slope * point["x"][at]
    for curve in view["curves"]:
        assert np.all(curve["y"] - slope * curve["x"] <= level + 1e-9)


def test_of_many_models_those_best_somewhere_are_drawn():
    rng = np.random.default_rng(1)
    many = {f"m{k}": Y + rng.normal(0, 5 + k, 120) for k in range(12)}
    comparison = rt.compare(Y, many, arm="regression")
    display = comparison.plot()
    assert len(display.curves) <= 8
    assert "more models are not shown" in display.ax_.get_title(loc="left")
    (picture,) = draw_pictures(
        comparison, *comparison.aim(None, None, None, {"asymmetry": 0.5})
    ).values()
    assert picture.chosen in picture.models
    picture.plot()

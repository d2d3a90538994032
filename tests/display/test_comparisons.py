"""Pictures of comparisons are drawn by what arms say of themselves."""

import re
from dataclasses import replace

import matplotlib
import matplotlib.pyplot
import numpy as np
import pytest
from matplotlib.text import Text

import roctopus as rt
from roctopus.arms import known_arms
from roctopus.concepts.sentences import error_of
from roctopus.concepts.wording import sized
from roctopus.display.comparison import ComparisonDisplay
from roctopus.display.context import say_winners
from roctopus.display.dots import Dot, DotsDisplay
from roctopus.display.labels import keep_apart
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
    "probability": (
        "cost proportion c (false alarm's share of both costs)",
        "mean cost, 2c and 2(1 − c)",
    ),
    "impact": ("θ = price / cost", "mean impact (value·θ − 1)"),
}
WHERE = {
    "regression": "At 4:1",
    "cutoff": "Around cutoff 30",
    "ordinal": "At cost 5",
    "probability": "At cost proportion 0.3",
    "impact": "At theta 0.05",
}
ALONG = {
    "regression": "cost of an under-estimate : cost of an over-estimate",
    "cutoff": "cutoff (averages over 4 % of the axis)",
    "ordinal": "cost of an error where the truth is grade 2",
    "probability": "cost of a false alarm : cost of a miss",
    "impact": "θ = price / cost",
}


def marks_of(ax):
    return [line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"]


@pytest.mark.parametrize("arm", ASKED)
def test_every_arm_names_its_axes_and_marks_its_context(arm):
    comparison, words, context = ASKED[arm]
    display = comparison.plot(kind="cost", **words)
    labels = display.ax_.get_xlabel(), display.ax_.get_ylabel()
    if arm == "regression":
        assert labels == (AXES[arm][0], "cost per case (sum of both costs: 5)")
    else:
        assert labels == AXES[arm]
    assert marks_of(display.ax_) == pytest.approx([context] * 2)
    same = comparison.plot(kind="cost", context=context)
    assert len(same.ax_.lines) == len(display.ax_.lines)
    assert len(comparison.plot(kind="cost").ax_.lines) < len(display.ax_.lines)
    display.figure_.canvas.draw()


@pytest.mark.parametrize("arm", ASKED)
def test_the_first_picture_shows_how_much_worse_each_choice_is(arm):
    comparison, words, context = ASKED[arm]
    display = comparison.plot(**words)
    ax = display.ax_
    assert ax.get_xlabel() == ALONG[arm]
    title = re.sub(r"\s+", " ", ax.get_title(loc="left"))
    assert title.startswith(
        f"{WHERE[arm]}, near {'earns most' if arm == 'impact' else 'costs least'}"
    )
    assert [text.get_text() for text in ax.texts].count(WHERE[arm].partition(" ")[2]) == 1
    assert marks_of(ax) == pytest.approx([context] * len(marks_of(ax)))
    low, high = ax.get_xlim()
    assert low <= context <= high
    frame = display.frame(backend="pandas")
    problem, _ = comparison.aim(None, None, None, dict(words))
    sign = 1.0 if problem.sense == "loss" else -1.0
    assert (sign * frame[frame["model"].isin(MODELS)]["excess"] >= -1e-9).all()
    if display.averaged:
        return
    at = frame.columns[1]
    values = {name: rows.set_index(at)["value"] for name, rows in frame.groupby("model")}
    contexts = values["near"].index.to_numpy()
    curves = comparison.curves_of(problem)
    best = sign * np.min([sign * np.asarray(c.at(contexts)) for c in curves.values()], axis=0)
    for name, curve in curves.items():
        rows = frame[frame["model"] == name]
        assert rows["value"].to_numpy() == pytest.approx(np.asarray(curve.at(contexts)))
        gap = rows["value"].to_numpy() - best
        told = 100 * gap / best if display.choices.relative else gap
        assert rows["excess"].to_numpy() == pytest.approx(told, abs=1e-9)
    display.figure_.canvas.draw()


@pytest.mark.parametrize("arm", ASKED)
def test_beside_the_models_stand_raw_predictions_and_no_model(arm):
    comparison, words, _ = ASKED[arm]
    problem, _ = comparison.aim(None, None, None, dict(words))
    display = comparison.plot(**words)
    choices, share = display.choices, float(np.mean(Y > 30))
    for at in () if display.averaged else (0, -1):
        x = float(choices.contexts[at])
        for name, values in choices.plain.items():
            raw = np.mean(problem.of_model(name).untuned(comparison.predictions[name], x, x))
            assert values[at] == pytest.approx(raw)
        constant = {
            "regression": lambda x=x: problem.curve(np.full(120, 7.0)).at(x),
            "ordinal": lambda x=x: problem.curve(np.zeros(120)).at(x),
            "probability": lambda x=x: 2 * min(x * (1 - share), (1 - x) * share),
            "impact": lambda x=x: max(0.5 * float(np.mean(problem.utility.at(x))), 0.0),
        }[arm]
        assert choices.constants["no model"][at] == pytest.approx(constant())
    labels = {text.get_text().removesuffix(" ↑").removesuffix(" ↓") for text in display.ax_.texts}
    assert {"near", "no model"} <= labels


def test_costs_that_were_asked_for_are_drawn():
    grades = np.digitize(Y, [20, 35])
    comparison = rt.compare(grades, MODELS, arm="ordinal")
    asked = {"costs": [1.0, 8.0, 3.0]}
    problem, _ = comparison.aim(None, None, None, dict(asked))
    for kind in ("excess", "cost"):
        frame = comparison.plot(kind=kind, **asked).frame(backend="pandas")
        rows = frame[frame["model"] == "near"]
        curve = problem.curve(MODELS["near"])
        assert rows["value"].to_numpy() == pytest.approx(curve.at(rows.iloc[:, 1].to_numpy()))
    (picture,) = draw_pictures(comparison, *comparison.aim(None, None, None, asked)).values()
    assert picture.knob.chosen == pytest.approx(comparison.decide(**asked).knob)


def test_two_costs_are_laid_out_by_their_ratio_and_reach_what_was_asked():
    comparison = ASKED["regression"][0]
    ax = comparison.plot().ax_
    assert [text.get_text() for text in ax.get_xticklabels()] == [
        "1:20",
        "1:5",
        "equal",
        "5:1",
        "20:1",
    ]
    assert ax.get_xlim() == pytest.approx((1 / 21, 20 / 21))
    far = comparison.plot(under_cost=300, over_cost=1)
    assert far.ax_.get_xlim()[1] > 300 / 301
    assert "100:1" in [text.get_text() for text in far.ax_.get_xticklabels()]
    assert "300:1" in {text.get_text() for text in far.ax_.texts}
    assert comparison.plot(cost_ratio=(2, 8)).ax_.get_xlim() == pytest.approx((2 / 3, 8 / 9))
    assert comparison.plot(low=0.0, high=0.5).ax_.get_xlim()[1] == pytest.approx(0.5)
    assert comparison.plot(asymmetry=1.0).ax_.get_xlim()[1] < 1.0


@pytest.mark.parametrize("far", [1e308, -1e308, 1.7e308])
@pytest.mark.parametrize("kind", ["excess", "cost"])
def test_a_context_too_far_for_a_picture_is_named(kind, far):
    comparison = ASKED["cutoff"][0]
    with pytest.raises(
        rt.InputError, match=r"cannot be shown\. .* values between -1e\+150 and 1e\+150"
    ):
        comparison.plot(kind=kind, cutoff=far)
    with pytest.raises(rt.InputError, match="show only values between"):
        comparison.plot(kind=kind, **{"low" if far < 0 else "high": far})


def test_where_the_best_is_zero_differences_are_absolute():
    comparison = ASKED["impact"][0]
    wide = comparison.plot(low=0.001, high=0.2)
    assert not wide.choices.relative
    assert wide.ax_.get_ylabel() == "gain per case, minus that of the best model"
    near = comparison.plot(low=0.05, high=0.2)
    assert near.choices.relative
    assert near.ax_.get_ylabel() == "gain per case, relative to the best model"


def test_names_at_the_ends_of_lines_stand_apart():
    for wanted in ([0.5, 0.5, 0.5], [-3.0, 0.0, 0.01, 7.0, 0.99], [0.2, 0.8]):
        found = np.sort(keep_apart(np.array(wanted), 0.05))
        assert np.all(np.diff(found) >= 0.05 - 1e-12)
        assert found.min() >= -1e-12
        assert found.max() <= 1.0 + 1e-12
    assert keep_apart(np.array([0.2, 0.8]), 0.05) == pytest.approx([0.2, 0.8])


def test_axes_of_other_figures_get_a_legend():
    _, ax = matplotlib.pyplot.subplots()
    ASKED["regression"][0].plot(ax=ax, bands=False, title="mine")
    assert "near" in {text.get_text() for text in ax.get_legend().get_texts()}
    assert ax.get_title(loc="left") == "mine"
    with pytest.raises(rt.InputError, match="kind"):
        ASKED["regression"][0].plot(kind="sculpture")


@pytest.mark.parametrize("arm", ASKED)
def test_the_second_picture_is_the_answer(arm):
    comparison, words, context = ASKED[arm]
    answer = comparison.answer(**words)
    display = comparison.plot(kind="choices", **words)
    frame = display.frame(backend="pandas")
    assert frame["model"].tolist() == [row.name for row in answer.rows]
    assert frame["value"].to_numpy() == pytest.approx([row.value for row in answer.rows])
    told = {text.get_text() for text in display.ax_.texts}
    best = answer.rows[0]
    assert sized(best.value, error_of(best.low, best.high)) in told
    outcome = "gain" if arm == "impact" else "cost"
    key = "\n● tuned   ○ predictions as they are" if any(r.raw for r in answer.rows) else ""
    assert display.ax_.get_xlabel() == f"expected {outcome} per case, with 95 % intervals{key}"
    extreme = "highest" if arm == "impact" else "lowest"
    found = re.sub(r"\s+", " ", display.ax_.get_title(loc="left"))
    assert found.startswith(f"{best.name} has the {extreme} expected {outcome} per case, ")
    if arm != "regression":  # there the costs say in which unit
        same = comparison.plot(kind="choices", context=context).frame(backend="pandas")
        assert same["value"].to_numpy() == pytest.approx(frame["value"].to_numpy())
    display.figure_.canvas.draw()


def test_raw_predictions_are_those_of_the_model_that_is_advised():
    comparison, words, _ = ASKED["regression"]
    answer = comparison.answer(**words)
    assert list(comparison.plot(**words).choices.plain) == [answer.rows[0].name]


def test_dots_stand_for_choices_and_far_ones_are_written():
    rows = [
        Dot("near", 6.26, 5.7, 6.8, 8.7),
        Dot("$far_", 7.6, 7.0, 8.2, 61.1),
        Dot("no model", 23.07, 22.0, 24.1, None, True),
    ]
    display = DotsDisplay(rows, list(MODELS), outcome="cost per case").plot()
    ax = display.ax_
    assert [text.get_text() for text in ax.get_yticklabels()] == ["near", r"\$far_", "no model"]
    told = {text.get_text() for text in ax.texts}
    assert {"6.26", "7.60", "23.07", "61.10 →", "→"} <= told
    assert display.frame(backend="pandas")["value"].tolist() == [6.26, 7.6, 23.07]
    display.figure_.canvas.draw()


def test_what_an_arm_adds_is_drawn():
    notes = {text.get_text() for text in ASKED["cutoff"][0].plot(kind="cost").ax_.texts}
    assert "median" in notes
    impact = ASKED["impact"][0].plot(kind="cost").ax_
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
    with pytest.raises(rt.InputError, match=r"must be one of 'tradeoff'.*but is 'sculpture'"):
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
    assert len(display.models) <= 8
    assert "more models are not shown" in display.ax_.get_title(loc="left")
    (picture,) = draw_pictures(
        comparison, *comparison.aim(None, None, None, {"asymmetry": 0.5})
    ).values()
    assert picture.chosen in picture.models
    picture.plot()


MARKED = [
    ("regression", {"asymmetry": 0.8}, 0.8, "asymmetry 0.8"),
    ("regression", {"under_cost": 4, "over_cost": 1}, 0.8, "4:1"),
    ("regression", {"cost_ratio": 0.25}, 0.2, "1:4"),
    ("cutoff", {"cutoff": 30.0}, 30.0, "cutoff 30"),
    ("ordinal", {"cost": 5.0}, 5.0, "cost 5"),
    ("probability", {"cost_proportion": 0.3}, 0.3, "cost proportion 0.3"),
    (
        "probability",
        {"threshold_probability": 0.3},
        0.3,
        "threshold probability 0.3",
    ),
    ("probability", {"false_negative_cost": 3, "false_positive_cost": 1}, 0.25, "1:3"),
    ("impact", {"theta": 0.05}, 0.05, "theta 0.05"),
]


@pytest.mark.parametrize(("arm", "words", "context", "said"), MARKED)
@pytest.mark.parametrize("kind", ["excess", "cost"])
def test_what_was_asked_is_marked_in_the_users_words(arm, words, context, said, kind):
    display = ASKED[arm][0].plot(kind=kind, **words)
    assert marks_of(display.ax_) == pytest.approx([context] * 2)
    assert said in {text.get_text() for text in display.ax_.texts}
    assert said in re.sub(r"\s+", " ", display.ax_.get_title(loc="left"))


def test_titles_say_who_is_best_where():
    comparison = ASKED["probability"][0]
    title = comparison.plot(kind="cost").ax_.get_title(loc="left")
    assert title == "near is best everywhere shown"
    title = comparison.plot().ax_.get_title(loc="left")
    assert title == "near costs least everywhere shown"
    assert comparison.plot(title="mine").ax_.get_title(loc="left") == "mine"
    assert comparison.plot(title="").ax_.get_title(loc="left") == ""
    alone = rt.compare(Y, {"near": MODELS["near"]}, arm="regression").plot()
    assert alone.ax_.get_title(loc="left").startswith("How much more each choice costs")


def test_borders_between_the_best_are_told_or_the_largest_part():
    two = [(0.0, 0.4, "a"), (0.4, 0.9, "b"), (0.9, 1.0, "a")]
    assert say_winners(two) == "a is best up to 0.4, b up to 0.9, a beyond"
    many = [(k / 10, (k + 1) / 10, "ab"[k % 3 == 0]) for k in range(10)]
    assert say_winners(many) == "a is best over 60\u00a0% of what is shown"


def test_a_kind_that_there_is_not():
    with pytest.raises(rt.InputError, match="'kind' must be 'excess', 'choices' or 'cost'"):
        ASKED["regression"][0].plot(kind="rroc")


@pytest.mark.parametrize("kind", ["excess", "choices", "cost"])
def test_pictures_of_comparisons_take_what_displays_take(kind):
    comparison = ASKED["regression"][0]
    asked = {"under_cost": 4, "over_cost": 1}
    style = {"curve_kwargs": [{"color": "red"}, {"color": "blue"}], "name": ["A", "B"]}
    display = comparison.plot(kind=kind, **asked, **style)
    assert {"red", "blue"} <= {line.get_color() for line in display.ax_.lines}
    told = [*display.ax_.texts, *display.ax_.get_yticklabels()]
    told += display.ax_.get_legend().get_texts() if display.ax_.get_legend() else []
    assert {"A", "B"} <= {text.get_text().removesuffix(" ↑") for text in told}
    assert comparison.plot(kind=kind, legend=False, **asked).ax_.get_legend() is None
    with pytest.raises(rt.InputError, match=r"curve_kwargs=\{'color': \.\.\.\}"):
        comparison.plot(kind=kind, color="red")


def test_no_text_ends_outside_of_the_picture_beside_long_names():
    names = ("as many as allowed of those who asked", "a model with a long and telling name")
    models = {name: Y + shift for name, shift in zip(names, (0.1, 2.0), strict=True)}
    comparison = rt.compare(Y, models, arm="regression")
    for kind in ("choices", "excess"):
        figure = comparison.plot(kind=kind, under_cost=4, over_cost=1).figure_
        figure.canvas.draw()
        for text in figure.findobj(Text):
            if text.get_visible() and text.get_text():
                assert text.get_window_extent().x1 <= figure.bbox.x1, (kind, text.get_text())


def test_what_costs_many_times_as_much_is_told_as_that():
    rng = np.random.default_rng(0)
    models = {"near": Y + 0.01 * rng.normal(size=len(Y)), "far": Y + 10 * rng.normal(size=len(Y))}
    comparison = rt.compare(Y, models, arm="regression")
    title = comparison.plot(under_cost=4, over_cost=1).ax_.get_title(loc="left")
    assert re.search(r"far costs [\d,.]+ times as much", re.sub(r"\s+", " ", title)), title


def test_a_cost_of_a_class_is_marked_as_a_cost():
    costs = {"costs": [1, 2, 3]}
    title = ASKED["ordinal"][0].plot(**costs).ax_.get_title(loc="left")
    assert re.match(r"(At|Around) cost 3, ", title), title


def test_axes_that_are_no_subplot_are_drawn_on():
    figure = matplotlib.pyplot.figure()
    ax = figure.add_axes((0.1, 0.1, 0.8, 0.8))
    assert ASKED["regression"][0].plot(kind="choices", ax=ax, asymmetry=0.8).ax_ is ax

"""Thresholds of least cost against all vectors of thresholds; costs that move; labels."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus import ordinal as arm
from strategies import graded_cases

pytestmark = pytest.mark.filterwarnings("ignore:The volume .* is below that of a random ranking")


def losses_for(classes):
    apart = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes)))
    asked = [("zero-one", (apart > 0) * 1.0), ("absolute", apart), ("squared", apart**2)]
    lopsided = np.where(np.tri(classes, k=-1) > 0, 3.0 * apart, apart + 0.5 * (apart > 0))
    return [*asked, (lopsided, lopsided)]


def brute_force(case, matrix, thresholds):
    """The total cost of a vector of thresholds, case by case."""
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    grade = [sum(t <= s for t in thresholds) for s in case.y_pred]
    rows = zip(case.y_true, grade, weight, strict=True)
    return sum(w * matrix[int(k), g] for k, g, w in rows)


@given(case=graded_cases(max_size=10, offset=False), data=st.data())
def test_no_vector_of_thresholds_is_cheaper(case, data):
    classes = int(case.y_true.max()) + 1
    loss, matrix = data.draw(st.sampled_from(losses_for(classes)))
    costs = data.draw(st.lists(st.integers(0, 4), min_size=classes, max_size=classes).map(np.array))
    matrix = costs[:, None] * matrix
    found = rt.ordinal_thresholds(
        case.y_true, case.y_pred, costs=costs, loss=loss, sample_weight=case.sample_weight
    )
    places = np.append(np.unique(case.y_pred), np.inf)
    cheapest = min(
        brute_force(case, matrix, cuts)
        for cuts in itertools.combinations_with_replacement(places, classes - 1)
    )
    assert found.cost == pytest.approx(cheapest, abs=1e-9)
    assert brute_force(case, matrix, found.thresholds) == pytest.approx(cheapest, abs=1e-9)
    assert np.all(found.thresholds[1:] >= found.thresholds[:-1])
    # Any setting within the interval of one threshold is as good, the others kept.
    for k in range(classes - 1):
        assert found.low[k] <= found.thresholds[k] <= found.high[k]
        for end in (found.high[k], np.nextafter(found.low[k], np.inf)):
            moved = found.thresholds.copy()
            moved[k] = end
            if np.all(moved[1:] >= moved[:-1]):
                assert brute_force(case, matrix, moved) == pytest.approx(cheapest, abs=1e-9)


def test_thirty_cases_and_five_classes():
    rng = np.random.default_rng(0)
    y = np.concatenate([np.arange(5), rng.integers(0, 5, 25)])
    score = np.round(y + 1.5 * rng.normal(size=30), 0)
    places = np.append(np.unique(score), np.inf)
    for loss, matrix in losses_for(5):
        found = rt.ordinal_thresholds(y, score, loss=loss)
        grades = np.arange(5)
        cheapest = np.inf
        for cuts in itertools.combinations_with_replacement(places, 4):
            given_grade = np.searchsorted(cuts, score, side="right")
            cheapest = min(cheapest, matrix[y, grades[given_grade]].sum())
        assert found.cost == pytest.approx(cheapest)


def test_priors_are_weights_of_classes():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], [60, 30, 10])
    score = y + rng.normal(size=100)
    priors = np.array([0.2, 0.3, 0.5])
    weight = (priors / np.array([0.6, 0.3, 0.1]))[y]
    found = rt.ordinal_thresholds(y, score, priors=priors, normalize=True)
    same = rt.ordinal_thresholds(y, score, sample_weight=weight, normalize=True)
    np.testing.assert_allclose(found.thresholds, same.thresholds)
    assert found.cost == pytest.approx(same.cost)
    plain = rt.ordinal_thresholds(y, score)
    assert np.all(found.thresholds < plain.thresholds)  # high classes are expected more often
    assert plain.cost == pytest.approx(100 * rt.ordinal_thresholds(y, score, normalize=True).cost)


@pytest.mark.parametrize("skew", [{"priors": [1e-12, 1]}, {"costs": [1, 1e12]}])
def test_a_dear_class_does_not_drown_a_cheap_one(skew):
    y, score = np.repeat([0, 1], 1000), np.arange(2000.0)
    found = rt.ordinal_thresholds(y, score, **skew)
    assert (found.low[0], found.high[0]) == (999, 1000)
    assert found.cost == 0.0
    overlap = np.concatenate([np.arange(50), np.arange(48, 98)]).astype(float)
    y = np.repeat([0, 1], 50)
    found = rt.ordinal_thresholds(y, overlap, costs=[1, 1e12])
    grades = arm.grade_scores(overlap, found.thresholds)
    assert np.sum((grades != y) * np.where(y == 0, 1, 1e12)) == found.cost == 2
    curve = arm.ordinal_cost_curve(
        np.repeat([0, 1], 1000), np.arange(2000.0), moving=1, low=0, high=2e10
    )
    assert 999 < curve.knob_at(1e10)[0] <= 1000


def test_a_class_that_is_never_worth_choosing_gets_infinite_thresholds():
    found = rt.ordinal_thresholds([0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0], costs=[1.0, 0.0])
    assert found.cost == 0.0
    assert found.high[0] == np.inf
    assert found.grade([0.0, 9.0]) == [0, 0]
    none = rt.ordinal_thresholds([0, 1], [2.0, 1.0], costs=[3.0, 1.0])
    assert none.thresholds.tolist() == [np.inf]


@given(case=graded_cases(max_size=9, offset=False), data=st.data())
def test_cost_curve_is_the_least_cost_everywhere(case, data):
    classes = int(case.y_true.max()) + 1
    moving = data.draw(st.integers(0, classes - 1))
    options = {"loss": data.draw(st.sampled_from(["zero-one", "absolute", "squared"]))}
    weight = {"sample_weight": case.sample_weight}
    curve = arm.ordinal_cost_curve(*case[:2], moving=moving, low=0.0, high=5.0, **options, **weight)
    for cost in [*np.linspace(0, 5, 11), *curve.function.knots]:
        costs = np.ones(classes)
        costs[moving] = cost
        best = rt.ordinal_thresholds(*case[:2], costs=costs, normalize=True, **options, **weight)
        assert curve.at(cost) == pytest.approx(best.cost, abs=1e-9)
    middle = 0.5 * (curve.function.knots[1:] + curve.function.knots[:-1])
    for cost in middle:
        costs = np.ones(classes)
        costs[moving] = cost
        cuts = curve.knob_at(cost)
        confusion = arm.ordinal_confusion(*case[:2], thresholds=cuts, **weight)
        assert confusion.cost(options["loss"], costs) == pytest.approx(curve.at(cost), abs=1e-9)
    slopes = (curve.function.end - curve.function.start) / np.diff(curve.function.knots)
    assert np.all(np.diff(slopes) <= 1e-9)  # concave: every piece is needed, none is missed


def test_cost_curves_of_models_have_an_envelope_with_vector_knobs():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, 150)
    models = {"a": y + rng.normal(size=150), "b": y * (1 + 0.5 * rng.random(150))}
    curves = {
        name: arm.ordinal_cost_curve(y, score, moving=2, low=0.2, high=8)
        for name, score in models.items()
    }
    best = rt.envelope(curves)
    assert best.knob_at(3.0).shape == (2,)
    assert best.at(3.0) == min(curve.at(3.0) for curve in curves.values())
    frame = curves["a"].frame("pandas")
    assert {"threshold_1", "threshold_2", "cost_of_class_2_from"} <= set(frame.columns)


def test_confusion_and_labels():
    y, score = ["low", "low", "mid", "high"], [0.1, 0.6, 0.5, 0.9]
    order = ["low", "mid", "high"]
    found = arm.ordinal_confusion(y, score, thresholds=[0.4, 0.8], labels=order)
    assert found.counts.tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert found.accuracy == 0.75
    assert found.mean_absolute_error == 0.25
    assert found.cost("zero-one", [4.0, 1.0, 1.0]) == 1.0
    assert found.frame("pandas").columns.tolist() == [
        "class", "graded low", "graded mid", "graded high",
    ]  # fmt: skip
    thresholds = rt.ordinal_thresholds(y, score, labels=order)
    assert thresholds.grade([0.0, 0.7, 0.95]) == ["low", "mid", "high"]
    assert "3 classes" in repr(thresholds)


def test_ranking_and_labels_can_disagree_in_one_table():
    """The paper's point: the best ranking need not give the best labels."""
    y = np.repeat([0, 1, 2], [80, 10, 10])
    rng = np.random.default_rng(3)
    ranks_well = y + 0.9 * rng.normal(size=100)
    labels_well = np.where(y == 0, rng.random(100), np.where(rng.random(100) < 0.5, y, 0.5))
    table = arm.ordinal_table(
        pd.Series(y), {"ranking": ranks_well, "labels": labels_well}, loss="zero-one"
    ).set_index("model")
    assert table.loc["ranking", "volume"] > table.loc["labels", "volume"]
    assert table.loc["ranking", "accuracy"] < table.loc["labels", "accuracy"]
    assert np.all(table["volume_low"] < table["volume"])
    assert np.all(table["volume"] < table["volume_high"])
    given = arm.ordinal_table(
        y, {"ranking": ranks_well}, thresholds={"ranking": [0.5, 1.5]}, backend="pandas"
    )
    confusion = arm.ordinal_confusion(y, ranks_well, thresholds=[0.5, 1.5])
    assert given["accuracy"][0] == confusion.accuracy
    both = {"ranking": ranks_well, "labels": labels_well}
    with pytest.raises(rt.InputError, match="the model 'labels', but 'thresholds' does not"):
        arm.ordinal_table(y, both, thresholds={"ranking": [0.5, 1.5]})
    with pytest.raises(
        rt.InputError, match="contains the model 'other', which is missing from 'scores'"
    ):
        arm.ordinal_table(y, both, thresholds={"other": [0.5, 1.5]})
    assert given["thresholds"][0] == "given"
    perfect = arm.ordinal_table([1, 2, 3], {"a": [1, 2, 3]}, backend="pandas")
    assert perfect["volume"][0] == 1.0
    assert np.isnan(perfect["volume_low"][0])


def test_scores_from_probabilities():
    probabilities = np.array([[0.5, 0.3, 0.2], [0.1, 0.3, 0.6], [0.2, 0.6, 0.2]])
    expected = arm.score_from_probabilities(probabilities, method="expected")
    np.testing.assert_allclose(expected, [0.7, 1.5, 1.0])
    median = arm.score_from_probabilities(probabilities, method="median")
    assert median.tolist() == [0, 2, 1]
    single = np.array([[0.45, 0.05, 0.5]], dtype=np.float32)
    assert arm.score_from_probabilities(single, method="median").tolist() == [1]
    above = arm.score_from_probabilities(probabilities, method="above", above=0)
    np.testing.assert_allclose(above, [0.5, 0.9, 0.8])
    for call, sentence in (
        (lambda: arm.score_from_probabilities([0.5, 0.5], method="median"), "a row per case"),
        (
            lambda: arm.score_from_probabilities([[0.5, 0.6]], method="median"),
            "must add up to 1, but row 0 (counted from 0) does not",
        ),
        (
            lambda: arm.score_from_probabilities(probabilities, method="above"),
            "the argument 'above' is missing",
        ),
        (
            lambda: arm.score_from_probabilities(probabilities, method="above", above=2),
            "'above' must be the position of a class",
        ),
        (lambda: arm.score_from_probabilities(probabilities, method="mode"), "but is 'mode'"),
        (lambda: arm.score_from_probabilities([["a", "b"]], method="median"), "of numbers"),
        (
            lambda: arm.score_from_probabilities(probabilities, method="median", above=1),
            "'above' can only be used with method='above'",
        ),
    ):
        with pytest.raises(rt.InputError) as caught:
            call()
        assert sentence in str(caught.value)

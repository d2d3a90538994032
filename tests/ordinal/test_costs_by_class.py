"""Costs by class: a mapping from labels says the same as a list in order."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.deploy import OrdinalThresholdClassifier

LABELS = ["low", "mid", "top"]
COSTS = {"top": 5.0, "low": 1.0, "mid": 2.0}  # in any order


def graded(n=120):
    rng = np.random.default_rng(0)
    code = rng.integers(0, 3, n)
    return np.array(LABELS)[code], code + rng.normal(0.0, 0.7, n)


def compared(**options):
    y, score = graded()
    return rt.compare(y, {"a": score, "b": score**2}, arm="ordinal", labels=LABELS, **options)


def test_decisions_tables_and_checks():
    by_class, in_order = compared().decide(costs=COSTS), compared().decide(costs=[1, 2, 5])
    assert by_class == in_order
    assert by_class.context["costs"] == [1.0, 2.0, 5.0]
    assert rt.Decision.from_json(by_class.to_json()) == by_class
    tables = [
        compared().table(costs=costs, measures="all", backend="pandas")
        for costs in (COSTS, [1, 2, 5])
    ]
    assert tables[0].equals(tables[1])
    y, score = graded(90)
    later = rt.compare(y, {"a": score, "b": score**2}, arm="ordinal", labels=LABELS)
    assert later.judge(by_class).value == later.judge(in_order).value


def test_costs_of_a_comparison():
    asked = {"between": (1.0, 4.0)}
    first, second = (compared(costs=costs).decide(**asked) for costs in (COSTS, [1, 2, 5]))
    assert first == second


def test_thresholds_and_estimators():
    y, score = graded()
    found = [
        rt.ordinal_thresholds(y, score, labels=LABELS, costs=costs).thresholds
        for costs in (COSTS, [1, 2, 5])
    ]
    assert found[0].tolist() == found[1].tolist()
    made = OrdinalThresholdClassifier(LinearRegression(), labels=LABELS, costs=COSTS)
    made.fit(score[:, None], y)
    other = OrdinalThresholdClassifier(LinearRegression(), labels=LABELS, costs=[1, 2, 5])
    other.fit(score[:, None], y)
    assert made.thresholds_.tolist() == other.thresholds_.tolist()
    again = {"low": 9.0, "mid": 1.0, "top": 1.0}
    assert (
        made.predict(score[:, None], costs=again) == made.predict(score[:, None], [9, 1, 1])
    ).all()


def test_numbers_are_labels_too():
    y, score = graded()
    code = np.searchsorted(LABELS, y) + 3
    comparison = rt.compare(code, {"a": score}, arm="ordinal")
    assert comparison.decide(costs={3: 1, 4: 2, 5: 5}) == comparison.decide(costs=[1, 2, 5])


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"low": 1, "mid": 2}, "'costs' has no cost for the class 'top'."),
        (
            {**COSTS, "huge": 3},
            "'costs' has a cost for 'huge', which is not a class. The classes are 'low', 'mid', "
            "'top'.",
        ),
        (
            {**COSTS, "low": -1},
            "All numbers in 'costs' must be zero or more, but one of them is",
        ),
        ({**COSTS, "low": "much"}, "'costs' must contain numbers"),
    ],
)
def test_what_is_wrong_is_said(costs, sentence):
    for ask in (lambda: compared().decide(costs=costs), lambda: compared(costs=costs)):
        with pytest.raises(rt.InputError) as told:
            ask()
        assert sentence in str(told.value)


def test_costs_that_are_none_are_named():
    comparison = rt.compare([0, 1, 2, 1], {"a": [0.1, 0.7, 1.9, 1.2]}, arm="ordinal")
    with pytest.raises(
        rt.InputError, match="'costs' must contain one number per class, but is None"
    ):
        comparison.plot(costs=None)

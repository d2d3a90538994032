"""Bad input gets a sentence; good input of any kind is understood."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_val_score

import roctopus as rt
from roctopus import impact as arm

PRICE = arm.value_times_price([0.2, 0.5, 1.1])
CURVE = rt.impact_curve([1, 2, 3], PRICE)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: rt.impact_curve([1, 2], PRICE), "'utility' has 3 values and 'y_score' has 2"),
        (
            lambda: arm.impact([1.0, 2.0], [1, 2], utility=PRICE, theta=1),
            "must have the same number of cases, but have 3 and 2.",
        ),
        (
            lambda: arm.LinearUtility([1.0, 2.0], [1.0]),
            "but 'slope' has 2 values and 'intercept' has 1 value.",
        ),
        (lambda: arm.LinearUtility([1.0, np.nan], 0.0), "'slope' has missing values (NaN) in row"),
        (lambda: arm.LinearUtility([1.0], np.inf), "'intercept' must be a finite number"),
        (lambda: arm.LinearUtility(1.0, 2.0), "must contain one number per case"),
        (
            lambda: rt.impact_curve([1.0, np.nan, 2.0], PRICE),
            "'y_score' has missing values (NaN) in row 1",
        ),
        (
            lambda: rt.impact_curve([1, 2, 3], rt.value_times_price),
            "'utility' must be a LinearUtility, but is the function value_times_price. Call",
        ),
        (
            lambda: arm.impact([1.0], [1.0], utility="price", theta=1),
            "from 'y_true', such as value_times_price, but is of type str.",
        ),
        (
            lambda: arm.impact([1.0], [1.0], utility=rt.value_times_price, theta=-1),
            "'theta' must be at least 0, but is -1.",
        ),
        (
            lambda: arm.impact([1.0], [1.0], utility=rt.value_times_price, theta=np.nan),
            "'theta' must be a finite number",
        ),
        (lambda: CURVE.at(-0.5), "'theta' must be at least 0, but is -0.5."),
        (lambda: CURVE.restrict(3.0, 1.0), "must go from a lower to a higher number"),
        (lambda: CURVE.area(), "The area from 0 to inf is infinite. Set 'low' and 'high' to"),
        (lambda: CURVE.area(2.0, 1.0), "must go from a lower to a higher number"),
        (
            lambda: CURVE.expect(rt.Normal(0.0, 1.0)),
            "defined from 0 to inf, but 50 % of the distribution lies outside",
        ),
        (
            lambda: rt.impact_curve([1, 2, 3], PRICE, at_most=4),
            "'at_most' must be between 0 and the number of cases (3), but is 4.",
        ),
        (
            lambda: rt.impact_curve([1, 2, 3], PRICE, at_least=-1),
            "'at_least' must be between 0 and the number of cases (3), but is -1.",
        ),
        (
            lambda: rt.impact_curve([1, 2, 3], PRICE, at_least=2, at_most=1),
            "'at_least' (2) must not exceed 'at_most' (1).",
        ),
        (
            lambda: rt.impact_curve([1, 1, 3], PRICE, at_least=2, at_most=2),
            "No threshold accepts between 2 and 2 of the 3 cases, because cases with equal scores",
        ),
        (lambda: arm.net_benefit_utility(["yes", "no"]), "if it is 'yes', add pos_label='yes'"),
        (
            lambda: arm.net_benefit_utility([-1, 1, -1]),
            "but contains -1. See rows 0 and 2 (counted from 0). If 'y_true' contains other",
        ),
        (
            lambda: arm.net_benefit_utility([0, 1], prevalence=1.0),
            "'prevalence' must be greater than 0 and less than 1",
        ),
        (lambda: arm.net_benefit_utility([1, 1], prevalence=0.1), "but all labels in"),
        (lambda: arm.net_benefit_utility([0.2, 1], prevalence=0.1), "but one of them is 0.2."),
        (
            lambda: arm.matrix_utility([0, 1], fixed=arm.CostMatrix(false_positive=[1.0])),
            "'y_true' has 2 cases, but 'false_positive' has 1 value.",
        ),
        (lambda: arm.h_measure([1, 1], [0.1, 0.2]), "'y_true' has only one class (1)"),
        (
            lambda: arm.h_measure([0.3, 1], [0.1, 0.2]),
            "'y_true' must contain only the labels 0 and 1, but contains 0.3.",
        ),
        (
            lambda: arm.impact_profile([1, 2, 3], 5.0, theta=1),
            "or a function, but is of type float. The function must return one value per case",
        ),
        (
            lambda: arm.rociv_curve([1, 2], arm.value_minus_cutoff([3.0, 4.0]), theta=1),
            "The curve divides by the sum of all costs, which is 0 if 'theta' is 1",
        ),
        (
            lambda: arm.action_thresholds([1, 2, 3], {"only": PRICE}, theta=1),
            "'utilities' must contain at least two actions, but contains 1.",
        ),
        (
            lambda: arm.action_curve([1, 2, 3], {"a": PRICE, "b": PRICE}, low=2, high=1),
            "The range of 'theta' must go from a lower to a higher number",
        ),
        (
            lambda: arm.plug_in_curve(rt.value_times_price, PRICE),
            "'predicted' must be a LinearUtility, but is of type function.",
        ),
        (
            lambda: arm.plug_in_curve(arm.value_times_price([1.0]), PRICE),
            "'predicted' has 1 value and 'utility' has 3 values.",
        ),
    ],
)  # fmt: skip
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call()
    assert sentence in str(caught.value)


def test_a_constant_curve_is_said_to_be_one():
    with pytest.warns(rt.RoctopusWarning, match="All slopes of the utility are zero"):
        curve = rt.impact_curve([1, 2, 3], arm.LinearUtility(0.0, [1.0, -2.0, 3.0]))
    assert curve.at([-5.0, 0.0, 7.0]).tolist() == [3.0, 3.0, 3.0]
    assert curve.knob_at(0.0) == 3.0


@pytest.mark.parametrize(
    ("matrix", "word"),
    [({"false_negative": 5.0}, "Accepting"), ({"false_positive": 5.0}, "Rejecting")],
)
def test_costs_that_leave_nothing_to_decide(matrix, word):
    with pytest.warns(rt.RoctopusWarning, match=f"{word} is at least as good as"):
        arm.matrix_utility([0, 1, 1], fixed=arm.CostMatrix(**matrix))


def test_columns_of_any_library():
    y, score, weight = [0.2, 0.5, 1.1, 0.4], [1.0, 3.0, 2.0, 2.0], [1.0, 2.0, 0.0, 1.0]
    plain = rt.impact_curve(score, arm.value_times_price(y), sample_weight=weight)
    for library in (np.array, pd.Series, pl.Series):
        curve = rt.impact_curve(
            library(score), arm.value_times_price(library(y)), sample_weight=library(weight)
        )
        assert curve.at(2.0) == plain.at(2.0)
    frame = rt.impact_curve(pl.Series(score), arm.value_times_price(y)).frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == [
        "theta_from", "theta_to", "value_from", "value_to", "threshold", "accepted",
    ]  # fmt: skip
    booleans = arm.net_benefit_utility(pd.Series([True, False]))
    assert booleans.intercept.tolist() == [1.0, 0.0]


def test_scorer_in_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = 3.0 + X[:, 0] + rng.normal(size=120)
    scorer = make_scorer(arm.impact, utility=rt.value_minus_cutoff, theta=3.0, normalize=True)
    scores = cross_val_score(LinearRegression(), X, y, scoring=scorer, cv=4)
    assert np.all(scores > 0.1)
    labels = (y > 3).astype(int)
    prior = make_scorer(
        arm.impact,
        utility=partial(arm.net_benefit_utility, prevalence=0.1),
        theta=0.3,
        normalize=True,
    )
    assert np.all(cross_val_score(LinearRegression(), X, labels, scoring=prior, cv=4) > 0)


def test_one_case_and_equal_scores():
    curve = rt.impact_curve([5.0], arm.value_minus_cutoff([2.0]))
    assert curve.at([1.0, 2.0, 3.0]).tolist() == [1.0, 0.0, 0.0]
    assert curve.knob_at(2.0) == np.inf  # at a tie fewer are accepted
    equal = rt.impact_curve([1, 1, 1], arm.value_minus_cutoff([2.0, 4.0, 9.0]))
    assert equal.at([4.0, 5.0, 6.0]).tolist() == pytest.approx([3.0, 0.0, 0.0])


def test_parts_of_a_curve():
    part = CURVE.restrict(1.0, 3.0)
    assert part.domain == (1.0, 3.0)
    assert part.accepted_at(2.0) == CURVE.accepted_at(2.0)
    assert part.gain.at(2.5) == pytest.approx(CURVE.gain.at(2.5))
    known = CURVE.sampled([1.0, 2.0])
    assert known.accepted_at(2.0) == CURVE.accepted_at(2.0)
    assert known.gain.at(2.0) == pytest.approx(CURVE.gain.at(2.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "tuned" in repr(CURVE)
    assert repr(PRICE) == "LinearUtility(3 cases; impact (value·θ − 1) over θ = price / cost)"

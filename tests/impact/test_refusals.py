"""Bad curves, utilities and prices get a sentence that names them."""

import numpy as np
import pandas as pd
import pytest

import roctopus as rt
from roctopus import display
from roctopus import impact as arm


def test_decision_curves_name_what_is_wrong():
    for y, p, sentence in [
        ([1, 0], [1.3, 0.5], "'y_prob' must be between 0 and 1, but is 1.3 in row 0"),
        ([1, 0], [np.nan, 0.5], "'y_prob' has missing values"),
        ([1, 0, 1], [0.1, 0.5], "'y_true' has 3 values and 'y_prob' has 2 values"),
        ([0.3, 0.2], [1, 0], "Check that 'y_true' and 'y_prob' have not been swapped."),
        (pd.Series([1, 0]), pd.Series([0.1, 0.5], index=[1, 0]), "in different orders"),
    ]:
        with pytest.raises(rt.InputError) as caught:
            arm.decision_curve(y, p)
        assert sentence in str(caught.value)
    value, score = pd.Series([1.0, 2.0]), pd.Series([0.1, 0.5], index=[1, 0])
    with pytest.raises(rt.InputError, match="'utility' and 'y_score' have the same index labels"):
        rt.impact_curve(score, arm.value_times_price(value))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda u: rt.impact_summary([1, 2], u, theta=-1.0),
            "'theta' must be at least 0, but is -1.",
        ),
        (lambda u: arm.impact_profile([1, 2], u, theta=-1.0), "'theta' must be at least 0"),
        (
            lambda u: rt.impact_curve([1, 2], u).follow([1, 2], arm.value_minus_cutoff([1, 2])),
            "The curve shows the impact (value·θ − 1), but 'utility' gives the impact (value − θ)",
        ),
        (
            lambda u: arm.plug_in_curve(arm.value_minus_cutoff([1, 2]), u),
            "must be made by the same function",
        ),
        (lambda u: arm.matrix_utility([0, 1], fixed=[[0, 1], [1, 0]]), "'fixed' must be a CostMat"),
        (
            lambda u: arm.LinearUtility([1.0], 0.0, "price"),
            "'scale' must be a scale such as UtilityScale",
        ),
        (lambda u: arm.UtilityScale(low=3, high=1), "'low' must be less than 'high'"),
        (lambda u: arm.impact_map([1, 2], u, second="x", values=[1]), "must be a function"),
        (lambda u: rt.impact_curve([1, 2], u).restrict(-3, 1), "'theta' must be at least 0"),
        (
            lambda u: rt.impact_curve([1, 2], lambda y: u),
            "'utility' must be a LinearUtility, but is",
        ),
        (
            lambda u: arm.action_thresholds([1, 2], {"a": u, "b": u}, theta=1).choose([np.nan]),
            "'y_score' has missing values",
        ),
        (
            lambda u: display.ImpactDisplay.from_predictions([1, 2], [1, 2], utility="price"),
            "'utility' must be a LinearUtility, but is of type str",
        ),
        (
            lambda u: display.ImpactProfileDisplay({"a": rt.impact_curve([1, 2], u)}),
            "must come from impact_profile",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call(arm.value_times_price([1.0, 2.0]))
    assert sentence in str(caught.value)

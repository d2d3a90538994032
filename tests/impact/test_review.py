"""What an independent review found, each as a test."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats
import torch

import roctopus as rt
from roctopus import display
from roctopus import impact as arm


@pytest.mark.parametrize("seed", range(200))
def test_action_curves_come_to_an_end(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    actions = {"reject": arm.LinearUtility(np.zeros(n), 0.0)}
    for k in range(int(rng.integers(1, 3))):
        line = (rng.normal(size=n).round(1), round(float(rng.normal()), 1))
        actions[f"action {k}"] = arm.LinearUtility(*line)
    curve = arm.action_curve(rng.integers(0, 5, n), actions, low=-3.0, high=3.0)
    assert len(curve.function) <= 3 * n + 3


def test_one_line_against_nothing():
    actions = {"reject": arm.LinearUtility([0.0], 0.0), "accept": arm.LinearUtility([-0.3], 0.7)}
    curve = arm.action_curve([0.0], actions, low=-3.0, high=3.0)
    assert curve.function.knots.tolist() == pytest.approx([-3.0, 7 / 3, 3.0])


@pytest.mark.parametrize(
    ("mean", "limits"),
    [(10.0, {"at_most": 200}), (2.0, {"at_most": 200}), (-10.0, {"at_least": 200})],
)
def test_standard_errors_under_a_binding_capacity(mean, limits):
    rng = np.random.default_rng(0)
    values, errors = [], []
    for _ in range(300):
        x = rng.normal(size=400)
        y = mean + x + rng.normal(size=400)
        found = rt.estimate(
            arm.impact, y, x, utility=arm.value_minus_cutoff, theta=0.0, normalize=True, **limits
        )
        values.append(found.value)
        errors.append(found.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)


@pytest.mark.parametrize(
    ("grade", "score", "options"),
    [
        ([0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4], {"low": 0.0, "high": 3.0}),
        ([0.5], [1.0], {}),
        ([0.1, 0.5, 0.8], [1, 1, 1], {}),
        ([0.1, 0.5, 0.8], [-0.1, -0.5, -0.8], {}),
        ([-0.1, -0.5, -0.8], [1, 2, 3], {}),
    ],
)
def test_pictures_that_reach_theta_zero(grade, score, options, tmp_path):
    for kind in (display.ImpactDisplay, display.ImpactGainDisplay, display.ThresholdLinesDisplay):
        shown = kind.from_predictions(grade, score, **options)
        shown.figure_.savefig(tmp_path / "picture.png")


def test_the_range_shown_is_where_there_is_something_to_choose():
    rng = np.random.default_rng(0)
    value = rng.normal(0.3, 1.0, 200)
    curve = rt.impact_curve(value + rng.normal(size=200), arm.value_minus_cutoff(value))
    low, high = display.ImpactDisplay({"a": curve}).context_range()
    knots = curve.function.knots[1:-1]
    assert low <= np.quantile(knots, 0.1)
    assert high >= np.quantile(knots, 0.9)


def test_thresholds_followed_without_knots_and_at_knots():
    flat = rt.impact_curve([1, 2], arm.LinearUtility([1.0, -1.0], [1.0, 2.0]), threshold=-np.inf)
    there = flat.follow([1, 2], arm.LinearUtility([1.0, 2.0], [1.0, 2.0]))
    assert there.at(0.5) == 4.5
    curve = rt.impact_curve([2], arm.value_times_price([0.5]))
    assert curve.knob_at(2.0) == np.inf
    assert curve.follow([5], arm.value_times_price([3.0])).at(2.0) == 0.0
    assert curve.gain.knob_at(2.0) == np.inf
    assert rt.envelope({"a": curve}).knob_at(2.0) == np.inf


def test_sampled_curves():
    whole = rt.impact_curve([3, 2, 1], arm.value_minus_cutoff([3.0, 1.0, 2.0]))
    part = whole.sampled([0.0, 1.0, 2.0, 3.0]).restrict(0.4, 2.2)
    assert len(part.frame("pandas")) == len(part.accepted) == 2
    with pytest.raises(rt.InputError, match="this curve is sampled"):
        whole.sampled([0.0]).follow([1, 2, 3], arm.value_minus_cutoff([3.0, 1.0, 2.0]))
    with pytest.raises(rt.InputError, match="is known at 1 values"):
        whole.sampled([0.0]).accepted_at(0.5)


@pytest.mark.parametrize("outlier", [-1e12, -1e15, -1e16])
def test_an_outlier_far_down_changes_nothing(outlier):
    y, score = [1, 1, 1, outlier], [4, 3, 2, 1]
    value = arm.impact(y, score, utility=arm.value_minus_cutoff, theta=0.0)
    assert value == 3.0


def test_makers_are_given_the_weights():
    maker = partial(arm.net_benefit, prevalence=0.2)
    context = {"utility": maker, "theta": 0.1, "normalize": True}
    weighted = arm.impact([1, 0, 1], [0.3, 0.2, 0.1], sample_weight=[2, 1, 1], **context)
    repeated = arm.impact([1, 1, 0, 1], [0.3, 0.3, 0.2, 0.1], **context)
    assert weighted == pytest.approx(repeated)
    absent = arm.impact([1, 0, 1], [0.3, 0.2, 0.1], sample_weight=[1, 1, 0], **context)
    assert absent == pytest.approx(arm.impact([1, 0], [0.3, 0.2], **context))


def test_decision_curves_name_what_is_wrong():
    for y, p, sentence in [
        ([1, 0], [1.3, 0.5], "'y_prob' must hold labels 0 and 1 (or probabilities)"),
        ([1, 0], [np.nan, 0.5], "'y_prob' has missing values"),
        ([1, 0, 1], [0.1, 0.5], "'y_true' has 3, 'y_prob' has 2"),
        ([0.3, 0.2], [1, 0], "Is it 'y_prob' that was given first?"),
        (pd.Series([1, 0]), pd.Series([0.1, 0.5], index=[1, 0]), "in another order"),
    ]:
        with pytest.raises(rt.InputError) as caught:
            arm.decision_curve(y, p)
        assert sentence in str(caught.value)
    value, score = pd.Series([1.0, 2.0]), pd.Series([0.1, 0.5], index=[1, 0])
    with pytest.raises(rt.InputError, match="'utility' and 'y_score' have the same index labels"):
        rt.impact_curve(score, arm.value_times_price(value))


def test_columns_of_torch_and_frames_of_polars():
    value, score = torch.tensor([0.2, 0.9, 0.5]), torch.tensor([1.0, 3.0, 2.0])
    curve = rt.impact_curve(score, arm.value_times_price(value), sample_weight=torch.ones(3))
    assert curve.at(2.0) == pytest.approx(0.8, rel=1e-6)
    assert rt.impact_summary(score, arm.value_times_price(value), theta=2.0).threshold == 3.0
    assert arm.LinearUtility([1.0, 2.0], np.array(3.0)).intercept.tolist() == [3.0, 3.0]
    column = pl.Series([1, 0, 1])
    assert isinstance(arm.oracle_curve(arm.net_benefit(column)).frame(), pl.DataFrame)


def test_actions_far_from_zero_and_at_ties():
    rng = np.random.default_rng(0)
    y = np.round(rng.normal(size=500) * 4096) / 4096
    score = y + rng.normal(size=500)
    found = []
    for offset in (0.0, 2.0**40):
        actions = {
            "no": arm.LinearUtility(np.zeros(500), 0.0),
            "yes": arm.value_minus_cutoff(y + offset),
        }
        found.append(arm.action_thresholds(score, actions, theta=0.125 + offset).impact)
    assert found[1] == pytest.approx(found[0], rel=1e-12)
    tied = {"r": arm.LinearUtility([0, 0], 0.0), "a": arm.LinearUtility([1, 1], -1.0)}
    assert arm.action_thresholds([1, 2], tied, theta=1.0).thresholds.tolist() == [np.inf]


@pytest.mark.parametrize("law", [scipy.stats.cauchy(), scipy.stats.pareto(0.9)])
def test_distributions_without_a_mean(law):
    with pytest.raises(rt.InputError, match="has no finite mean"):
        arm.expected_impact([1, 2], [1, 2], utility=arm.value_minus_cutoff, distribution=law)


def test_capacity_and_ties():
    curve = rt.impact_curve([1, 1, 2], arm.value_times_price([1, 2, 3]), at_most=2)
    assert curve.gain.at(10.0) >= 0.0
    with pytest.raises(rt.InputError, match="Give 'threshold' or a capacity, not both"):
        rt.impact_curve([1, 2], arm.value_times_price([1, 2]), threshold=1.0, at_most=1)


def test_a_utility_does_not_change_behind_ones_back():
    column = np.array([1.0, 2.0, 3.0])
    utility = arm.LinearUtility(column, -1.0)
    column[0] = 100.0
    assert utility.slope.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda u: rt.impact_summary([1, 2], u, theta=-1.0),
            "'theta' must be between 0 and inf, got -1.",
        ),
        (lambda u: arm.impact_profile([1, 2], u, theta=-1.0), "'theta' must be between 0 and inf"),
        (
            lambda u: rt.impact_curve([1, 2], u).follow([1, 2], arm.value_minus_cutoff([1, 2])),
            "The utility is another one",
        ),
        (lambda u: arm.plug_in_curve(arm.value_minus_cutoff([1, 2]), u), "are of two kinds"),
        (lambda u: arm.matrix_utility([0, 1], fixed=[[0, 1], [1, 0]]), "'fixed' must be a CostMat"),
        (lambda u: arm.LinearUtility([1.0], 0.0, "price"), "'scale' must be a UtilityScale"),
        (lambda u: arm.UtilityScale(low=3, high=1), "must have its low end below its high end"),
        (lambda u: arm.impact_map([1, 2], u, second="x", values=[1]), "must be a function"),
        (lambda u: rt.impact_curve([1, 2], u).restrict(-3, 1), "'theta' must be between 0 and inf"),
        (lambda u: rt.impact_curve([1, 2], lambda y: u), "'utility' must be a LinearUtility, got"),
        (
            lambda u: arm.action_thresholds([1, 2], {"a": u, "b": u}, theta=1).choose([np.nan]),
            "'y_score' has missing values",
        ),
        (
            lambda u: display.ImpactDisplay.from_predictions([1, 2], [1, 2], utility="price"),
            "'utility' must be a LinearUtility, got str",
        ),
        (
            lambda u: display.ImpactProfileDisplay({"a": rt.impact_curve([1, 2], u)}),
            "must be what impact_profile returns",
        ),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError) as caught:
        call(arm.value_times_price([1.0, 2.0]))
    assert sentence in str(caught.value)


def test_scores_of_another_kind_are_ranked_and_never_believed():
    rng = np.random.default_rng(0)
    ill = rng.integers(0, 2, 200)
    score = 3.0 * ill + rng.normal(size=200)  # not within 0 and 1
    found = rt.compare(ill, {"score": score}, arm="impact", utility=rt.net_benefit)
    decision = found.decide(theta=0.25)
    everyone = ill.mean() - 0.25 * (1 - ill.mean())
    assert decision.untuned_value == pytest.approx(everyone)
    assert decision.value > everyone
    as_probability = rt.compare(
        ill, {"score": 1 / (1 + np.exp(-score))}, arm="impact", utility=rt.net_benefit
    ).decide(theta=0.25)
    assert as_probability.in_sample == pytest.approx(decision.in_sample)

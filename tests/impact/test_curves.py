"""Impact curves: followed thresholds, samples, outliers, heavy tails, scores of any kind."""

import numpy as np
import pytest
import scipy.stats

import roctopus as rt
from roctopus import impact as arm


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
    with pytest.raises(rt.InputError, match="only known at some values of θ"):
        whole.sampled([0.0]).follow([1, 2, 3], arm.value_minus_cutoff([3.0, 1.0, 2.0]))
    with pytest.raises(rt.InputError, match="is only known at 1 value of"):
        whole.sampled([0.0]).accepted_at(0.5)


@pytest.mark.parametrize("outlier", [-1e12, -1e15, -1e16])
def test_an_outlier_far_down_changes_nothing(outlier):
    y, score = [1, 1, 1, outlier], [4, 3, 2, 1]
    value = arm.impact(y, score, utility=arm.value_minus_cutoff, theta=0.0)
    assert value == 3.0


@pytest.mark.parametrize("distribution", [scipy.stats.cauchy(), scipy.stats.pareto(0.9)])
def test_distributions_without_a_mean(distribution):
    with pytest.raises(rt.InputError, match="has no finite mean"):
        arm.expected_impact(
            [1, 2], [1, 2], utility=arm.value_minus_cutoff, distribution=distribution
        )


def test_scores_of_another_kind_are_ranked_and_never_used_as_they_are():
    rng = np.random.default_rng(0)
    ill = rng.integers(0, 2, 200)
    score = 3.0 * ill + rng.normal(size=200)  # not within 0 and 1
    found = rt.compare(ill, {"score": score}, arm="impact", utility=rt.net_benefit_utility)
    decision = found.decide(theta=0.25)
    everyone = ill.mean() - 0.25 * (1 - ill.mean())
    assert decision.raw is None
    assert decision.value > everyone
    as_probability = rt.compare(
        ill, {"score": 1 / (1 + np.exp(-score))}, arm="impact", utility=rt.net_benefit_utility
    ).decide(theta=0.25)
    assert as_probability.in_sample == pytest.approx(decision.in_sample)

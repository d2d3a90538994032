"""Net benefit at a threshold probability: one point of the decision curve, and its error."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

import roctopus as rt
from roctopus import impact, probability
from roctopus.deploy import scorer
from strategies import probability_cases

thresholds = st.sampled_from([0.0, 0.125, 0.2, 0.5, 0.875, 0.99])


def odds(t):
    return t / (1 - t)


@given(case=probability_cases(), t=thresholds)
def test_is_a_point_of_the_decision_curve(case, t):
    given = {"sample_weight": case.sample_weight}
    value = rt.net_benefit(*case[:2], threshold_probability=t, **given)
    if t > 0:  # at 0 both curves are limits from inside, which reject probabilities of 0
        curve = impact.decision_curve(*case[:2], **given)
        assert value == pytest.approx(curve.at(odds(t)), abs=1e-10)
        loss = probability.brier_curve(*case[:2], **given).at(t)
        weight = case.sample_weight
        share = np.average(case.y_true, weights=weight)
        assert value == pytest.approx(share - loss / (2 * (1 - t)), abs=1e-10)


@given(case=probability_cases(), t=thresholds)
def test_everyone_and_no_one(case, t):
    given = {"sample_weight": case.sample_weight, "threshold_probability": t}
    share = np.average(case.y_true, weights=case.sample_weight)
    size = len(case.y_true)
    everyone = rt.net_benefit(case.y_true, np.ones(size), **given)
    assert everyone == pytest.approx(share - odds(t) * (1 - share), abs=1e-10)
    if t > 0:
        assert rt.net_benefit(case.y_true, np.zeros(size), **given) == 0.0


@given(case=probability_cases(), t=thresholds, prevalence=st.sampled_from([0.01, 0.3, 0.9]))
def test_another_prevalence_is_another_weighting(case, t, prevalence):
    weight = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    share = np.average(case.y_true, weights=weight)
    factor = np.where(case.y_true == 1, prevalence / share, (1 - prevalence) / (1 - share))
    plain = rt.net_benefit(*case[:2], threshold_probability=t, sample_weight=weight * factor)
    found = rt.net_benefit(
        *case[:2], threshold_probability=t, prevalence=prevalence, sample_weight=weight
    )
    assert found == pytest.approx(plain, abs=1e-9)


def test_error_is_that_of_a_mean_by_hand():
    rng = np.random.default_rng(3)
    y, p = rng.integers(0, 2, 300), rng.random(300)
    gained = np.where(p >= 0.3, np.where(y == 1, 1.0, -3 / 7), 0.0)
    found = rt.estimate("net_benefit", y, p, threshold_probability=0.3)
    assert found.value == pytest.approx(gained.mean())
    assert found.standard_error == pytest.approx(gained.std(ddof=1) / np.sqrt(300))


def test_more_is_better_in_cross_validation():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 400)
    good, bad = y + rng.normal(size=400), rng.normal(size=400)
    judge = scorer("net_benefit", threshold_probability=0.3)
    means = [
        cross_val_score(LogisticRegression(), x[:, None], y, scoring=judge).mean()
        for x in (good, bad)
    ]
    assert means[0] > means[1] + 0.02


@pytest.mark.parametrize("t", [-0.1, 1.0, 1.2])
def test_a_threshold_that_is_no_probability(t):
    with pytest.raises(rt.InputError, match="'threshold_probability' must be at least 0 and less"):
        rt.net_benefit([0, 1], [0.2, 0.8], threshold_probability=t)


def test_the_metric_is_no_utility():
    sentence = "net_benefit is a metric. Use net_benefit_utility."
    with pytest.raises(rt.InputError, match=sentence):
        rt.impact_curve([0.2, 0.8], rt.net_benefit)
    with pytest.raises(rt.InputError, match=sentence):
        rt.compare([0, 1], {"a": [0.2, 0.8]}, arm="impact", utility=rt.net_benefit)

"""Impact curves are other people's curves, too."""

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

import roctopus as rt
from roctopus import impact as arm
from roctopus import probability

rng = np.random.default_rng(0)
N = 300
P = rng.beta(1.2, 2.5, N)
Y = (rng.random(N) < P**1.4).astype(float)  # not calibrated


def net_benefit_at(y, p, t):
    accepted = p >= t
    return np.mean(accepted * y) - np.mean(accepted * (1 - y)) * t / (1 - t)


def test_decision_curves():
    curve = arm.decision_curve(Y, P)
    best = rt.impact_curve(P, arm.net_benefit_utility(Y), normalize=True)
    for t in [*np.linspace(0.01, 0.97, 40), *P[:20]]:
        theta = t / (1 - t)
        want = net_benefit_at(Y, P, t)
        if t not in P:
            assert curve.at(theta) == pytest.approx(want, abs=1e-12)
        assert best.at(theta) >= curve.at(theta) - 1e-12


def test_the_gap_is_miscalibration():
    isotonic = IsotonicRegression(out_of_bounds="clip").fit_transform(P, Y)
    best = rt.impact_curve(P, arm.net_benefit_utility(Y), normalize=True)
    curve = arm.decision_curve(Y, isotonic)
    odds = np.geomspace(0.01, 20, 200)
    np.testing.assert_allclose(curve.at(odds), best.at(odds), atol=1e-12)
    assert np.max(best.at(odds) - arm.decision_curve(Y, P).at(odds)) > 0.01


def test_case_control():
    prevalence = 0.07
    weight = np.where(Y == 1, prevalence / Y.mean(), (1 - prevalence) / (1 - Y.mean()))
    corrected = rt.impact_curve(
        P, arm.net_benefit_utility(Y, prevalence=prevalence), normalize=True
    )
    weighted = rt.impact_curve(P, arm.net_benefit_utility(Y), normalize=True, sample_weight=weight)
    odds = np.geomspace(0.01, 20, 100)
    np.testing.assert_allclose(corrected.at(odds), weighted.at(odds), rtol=1e-10, atol=1e-14)
    share = arm.net_benefit_utility(Y, prevalence=prevalence).intercept.mean()
    assert share == pytest.approx(prevalence, rel=1e-12)


def test_h_measure_is_the_skill_of_labels():
    ratio = Y.mean() / (1 - Y.mean())

    def label_minus_cost(y):
        return arm.LinearUtility(-1.0, y, arm.UtilityScale(low=0.0, high=1.0))

    distribution = rt.Beta(2, 1 + 1 / ratio)
    skill = arm.impact_skill(Y, P, utility=label_minus_cost, distribution=distribution)
    assert arm.h_measure(Y, P) == pytest.approx(skill, rel=1e-12)
    assert arm.h_measure(Y, Y + 0.1 * P) == 1.0


def test_rociv():
    rng = np.random.default_rng(1)
    theta = 0.8
    value = rng.normal(1.0, 1.0, 100)
    score = value + rng.normal(size=100)
    utility = arm.value_times_price(value)
    curve = arm.rociv_curve(score, utility, theta=theta)
    worth = utility.at(theta)
    gains, costs = worth[worth > 0].sum(), -worth[worth < 0].sum()
    reached = gains * curve.true_positive_rate - costs * curve.false_positive_rate
    assert reached.max() == pytest.approx(rt.impact_curve(score, utility).at(theta), rel=1e-12)
    # With one cost for all cases it is the plain ROC curve.
    equal = arm.rociv_curve(P, arm.LinearUtility(0.0, 2.0 * Y - 1.0), theta=0.0)
    assert equal.area == pytest.approx(probability.roc_auc(Y, P), rel=1e-12)


def test_drummond_and_holte():
    """Normalised expected cost = PC − I(PC) with a = 1/n of the class, b = 0 or −1/n₀."""
    positives, negatives = Y.sum(), (1 - Y).sum()
    slope = np.where(Y == 1, 1 / positives, 1 / negatives)
    intercept = np.where(Y == 1, 0.0, -1 / negatives)
    curve = rt.impact_curve(P, arm.LinearUtility(slope, intercept))
    costs = probability.cost_curve(Y, P, prevalence=0.5)
    for c in np.linspace(0, 1, 21):
        # Their probability cost is that of a false negative: 1 − c of ours.
        assert 1 - c - curve.at(1 - c) == pytest.approx(costs.at(c), abs=1e-12)


def test_any_utility_at_one_price():
    """A utility that is not linear in θ has no curve, but a profile."""
    rng = np.random.default_rng(1)
    value = rng.gamma(2.0, 1.0, 60)
    score = value + rng.normal(size=60)
    profile = arm.impact_profile(score, lambda theta: np.sqrt(value * theta) - 1.0, theta=0.5)
    worth = np.sqrt(value * 0.5) - 1.0
    assert profile.best_impact == pytest.approx(
        max(worth[score >= cut].sum() for cut in [np.inf, *score])
    )


def test_matrices():
    rng = np.random.default_rng(1)
    fp, fn = rng.uniform(1, 3, N), rng.uniform(2, 9, N)
    utility = arm.matrix_utility(
        Y,
        fixed=arm.CostMatrix(false_positive=fp),
        per_theta=arm.CostMatrix(false_negative=fn),
    )
    theta = 0.7
    for cut in (0.2, 0.5):
        accepted = cut <= P
        cost = np.sum(accepted * (1 - Y) * fp) + theta * np.sum(~accepted * Y * fn)
        rejecting = theta * np.sum(Y * fn)
        gained = rt.impact_curve(P, utility, threshold=cut).at(theta)
        assert gained == pytest.approx(rejecting - cost, rel=1e-12)
    accept, reject = (
        arm.LinearUtility(-theta_part, -fixed_part)
        for theta_part, fixed_part in (
            (np.zeros(N), (1 - Y) * fp),
            (Y * fn, np.zeros(N)),
        )
    )
    both = accept - reject
    np.testing.assert_allclose(both.slope, utility.slope)
    np.testing.assert_allclose(both.intercept, utility.intercept)


def test_paired_difference():
    rng = np.random.default_rng(1)
    value = rng.normal(size=400)
    scores = {"a": value + 0.5 * rng.normal(size=400), "b": value + 2.0 * rng.normal(size=400)}
    found = {
        name: rt.estimate(
            arm.impact, value, s, utility=arm.value_minus_cutoff, theta=0.3, normalize=True
        )
        for name, s in scores.items()
    }
    gap = found["a"] - found["b"]
    assert gap.value > 0
    assert gap.pvalue < 0.01
    assert gap.standard_error < found["a"].standard_error + found["b"].standard_error

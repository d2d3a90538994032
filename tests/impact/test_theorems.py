"""Impact curves against the plain definition, and what must hold for all of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
import roctopus as rt
from roctopus import impact as arm
from strategies import values, weights


class Offers(NamedTuple):
    score: np.ndarray
    slope: np.ndarray
    intercept: np.ndarray
    weight: np.ndarray | None

    @property
    def utility(self):
        return arm.LinearUtility(self.slope, self.intercept)

    def worth(self, theta):
        return (self.slope * theta + self.intercept) * self.mass

    @property
    def mass(self):
        return np.ones(len(self.score)) if self.weight is None else self.weight

    def brute_force(self, theta):
        cuts = [np.inf, *self.score]
        return max(float(self.worth(theta)[self.score >= cut].sum()) for cut in cuts)

    def size(self, theta):
        """What rounding is relative to."""
        return float(
            np.sum(np.abs(self.slope * theta) * self.mass + np.abs(self.intercept) * self.mass)
        )


@st.composite
def offers(draw, max_size=10):
    """Scores that tie, slopes and intercepts of any sign (zeros too), weights."""
    size = draw(st.integers(1, max_size))
    element = values(draw(st.booleans()))
    sign = draw(st.sampled_from(["mixed", "up", "down"]))
    score, slope, intercept = (
        np.array(draw(st.lists(element, min_size=size, max_size=size))) for _ in range(3)
    )
    # A knot a million θ away costs six digits here; that slopes as good as none break nothing is
    # tested below.
    slope = np.where(np.abs(slope) < 1e-3, 0.0, slope)
    slope = {"mixed": slope, "up": np.abs(slope), "down": -np.abs(slope)}[sign]
    assume(slope.any())
    return Offers(score, slope, intercept, draw(weights(size)))


def curve_of(case, **options):
    return rt.impact_curve(case.score, case.utility, sample_weight=case.weight, **options)


def thetas(curve):
    """Knots, points between and beyond them."""
    inner = curve.function.knots[np.isfinite(curve.function.knots)]
    if not len(inner):
        inner = np.array([0.0])
    middle = 0.5 * (inner[1:] + inner[:-1])
    return np.concatenate([inner, middle, [inner[0] - 3.7, inner[-1] + 3.7, 0.0, 0.37]])


@given(offers())
def test_curve_is_the_best_of_all_thresholds(case):
    assume(case.slope[case.mass > 0].any())
    curve = curve_of(case)
    for theta in thetas(curve).tolist():
        best = case.brute_force(theta)
        assert curve.at(theta) == pytest.approx(best, rel=1e-12, abs=1e-12 * case.size(theta))
        # The threshold reaches it, and accepts the share it says.
        cut = curve.knob_at(theta)
        accepted = case.score >= cut
        reached = float(case.worth(theta)[accepted].sum())
        assert reached == pytest.approx(best, rel=1e-9, abs=1e-9 * case.size(theta))
        share = case.mass[accepted].sum() / case.mass.sum()
        assert curve.accepted_at(theta) == pytest.approx(share, abs=1e-12)


@given(offers())
def test_curve_is_convex_and_beats_the_trivial_decisions(case):
    assume(case.slope[case.mass > 0].any())
    curve = curve_of(case)
    at = np.sort(thetas(curve))
    height = curve.at(at)
    slack = 1e-11 * (1 + np.abs(height).max() + case.size(np.abs(at).max()))
    for j in range(1, len(at) - 1):
        if at[j + 1] > at[j - 1]:
            share = (at[j] - at[j - 1]) / (at[j + 1] - at[j - 1])
            assert height[j] <= (1 - share) * height[j - 1] + share * height[j + 1] + slack
    everything = np.array([case.worth(theta).sum() for theta in at])
    assert np.all(height >= np.maximum(everything, 0.0) - slack)
    np.testing.assert_allclose(
        curve.gain.at(at), height - np.maximum(everything, 0.0), rtol=0, atol=slack
    )


@given(offers())
def test_oracle_and_plug_in(case):
    assume(case.slope[case.mass > 0].any())
    curve = curve_of(case)
    at = thetas(curve)
    oracle = arm.oracle_curve(case.utility, sample_weight=case.weight)
    for theta in at.tolist():
        slack = 1e-11 * (1 + case.size(theta))
        worth = case.worth(theta)
        assert oracle.at(theta) == pytest.approx(np.maximum(worth, 0).sum(), abs=slack)
        assert oracle.at(theta) >= curve.at(theta) - slack
    predicted = arm.LinearUtility(case.slope + 0.25 * case.score, case.intercept - 0.5)
    rule = arm.plug_in_curve(predicted, case.utility, sample_weight=case.weight)
    for theta in (at + 0.001234567).tolist():  # off the jumps
        worth = predicted.slope * theta + predicted.intercept
        assume(np.all(np.abs(worth) > 1e-9))
        total = case.worth(theta)[worth >= 0].sum()
        assert rule.at(theta) == pytest.approx(total, abs=1e-10 * (1 + case.size(theta)))


@given(offers())
def test_profile_and_summary(case):
    theta = 0.61
    profile = arm.impact_profile(case.score, case.utility, theta=theta, sample_weight=case.weight)
    for cut in [*case.score.tolist(), *(case.score + 0.1).tolist(), -1e9, 1e9]:
        total = float(case.worth(theta)[case.score >= cut].sum())
        assert profile.at(cut) == pytest.approx(total, abs=1e-10 * (1 + case.size(theta)))
    best = case.brute_force(theta)
    slack = 1e-10 * (1 + case.size(theta))
    assert profile.best_impact == pytest.approx(best, abs=slack)
    accepted = case.score >= profile.best_threshold
    assert case.worth(theta)[accepted].sum() == pytest.approx(best, abs=slack)
    found = rt.impact_summary(case.score, case.utility, theta=theta, sample_weight=case.weight)
    assert found.impact == pytest.approx(best, abs=slack)
    assert found.trivial == pytest.approx(max(0.0, case.worth(theta).sum()), abs=slack)
    assert found.oracle == pytest.approx(np.maximum(case.worth(theta), 0).sum(), abs=slack)
    assert found.regret == pytest.approx(found.oracle - best, abs=slack)


@given(offers(), st.data())
def test_capacity(case, data):
    assume(case.slope[case.mass > 0].any())
    total = float(case.mass.sum())
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, 10)] * 2)))
    limits = {"at_least": 0.1 * low * total, "at_most": 0.1 * high * total}
    cuts = [np.inf, *case.score]
    sums = {cut: case.mass[case.score >= cut].sum() for cut in cuts}
    allowed = [
        cut for cut in cuts if limits["at_least"] - 1e-9 <= sums[cut] <= limits["at_most"] + 1e-9
    ]
    if not allowed:
        with pytest.raises(rt.InputError, match="No threshold accepts between"):
            curve_of(case, **limits)
        return
    curve = curve_of(case, **limits)
    for theta in (-1.3, 0.0, 0.7, 2.5):
        best = max(float(case.worth(theta)[case.score >= cut].sum()) for cut in allowed)
        assert curve.at(theta) == pytest.approx(best, abs=1e-10 * (1 + case.size(theta)))
        everything = case.worth(theta).sum()
        shares = [sums[cut] / total for cut in allowed]  # as many at random as a threshold may
        trivial = max(min(shares) * everything, max(shares) * everything)
        assert curve.trivial.at(theta) == pytest.approx(trivial, abs=1e-10 * (1 + case.size(theta)))


@given(offers(), offers())
def test_thresholds_on_other_data(case, other):
    assume(case.slope[case.mass > 0].any())
    curve = curve_of(case, normalize=True)
    there = curve.follow(other.score, other.utility, sample_weight=other.weight)
    knots = curve.function.knots
    inner = knots[np.isfinite(knots)]
    middle = 0.5 * (inner[1:] + inner[:-1])
    for theta in [*middle.tolist(), float(knots[1] - 2.0), float(knots[-2] + 2.0)]:
        if not np.isfinite(theta):
            continue
        accepted = other.score >= curve.knob_at(theta)
        mean = float(other.worth(theta)[accepted].sum()) / other.mass.sum()
        assert there.at(theta) == pytest.approx(mean, abs=1e-9 * (1 + other.size(theta)))


@given(offers(), st.integers(0, 99))
def test_expectations_are_those_of_the_curve(case, seed):
    assume(case.slope[case.mass > 0].any())
    curve = curve_of(case)
    draws = np.random.default_rng(seed).normal(size=5)
    distribution = rt.Empirical(draws)
    assert curve.expect(distribution) == pytest.approx(
        np.mean(curve.at(draws)), abs=1e-10 * (1 + case.size(4.0))
    )
    low, high = -1.0, 2.0
    grid = np.linspace(low, high, 20001)
    assert curve.expect(rt.Uniform(low, high)) == pytest.approx(
        np.trapezoid(curve.at(grid), grid) / 3.0, abs=1e-6 * (1 + case.size(2.0))
    )
    assert curve.area(low, high) == pytest.approx(3 * curve.expect(rt.Uniform(low, high)))


@given(offers(), offers())
def test_dominance_between_models(case, other):
    assume(case.slope[case.mass > 0].any())
    second = case._replace(score=np.resize(other.score, len(case.score)))
    curves = {"a": curve_of(case), "b": curve_of(second)}
    best = rt.envelope(curves)
    for theta in np.concatenate([thetas(curves["a"]), thetas(curves["b"])]).tolist():
        top = max(curve.at(theta) for curve in curves.values())
        assert best.at(theta) == pytest.approx(top, rel=1e-11, abs=1e-11 * (1 + case.size(theta)))
        assert curves[best.best_at(theta)].at(theta) == pytest.approx(
            top, abs=1e-9 * (1 + case.size(theta))
        )


def test_four_hundred_random_samples():
    """Larger ones, with θ on a fine grid: 1e-12 relative."""
    rng = np.random.default_rng(0)
    grid = np.linspace(-3.0, 3.0, 61)
    for number in range(400):
        n = int(rng.integers(1, 60))
        score = rng.integers(0, rng.integers(2, 60), n).astype(float)
        slope, intercept = rng.normal(size=n), rng.normal(size=n)
        slope = [slope, np.abs(slope), -np.abs(slope)][number % 3]
        weight = None if number % 2 else rng.uniform(0.1, 3.0, n)
        case = Offers(score, slope, intercept, weight)
        found = curve_of(case).at(grid)
        want = [case.brute_force(theta) for theta in grid]
        size = np.array([case.size(theta) for theta in grid])
        assert np.max(np.abs(found - want) / size) <= 1e-12


@pytest.mark.parametrize("offset", [1e6, 1e12])
def test_values_far_from_zero(offset):
    rng = np.random.default_rng(0)
    y = np.round(rng.normal(size=50), 2)
    score = y + rng.normal(size=50)
    near = rt.impact_curve(score, arm.value_minus_cutoff(y))
    far = rt.impact_curve(score, arm.value_minus_cutoff(y + offset))
    exact = (y + offset) - offset  # what is left of the digits
    for theta in np.linspace(-2, 2, 17).tolist():
        at = (theta + offset) - offset
        best = max(float((exact - at)[score >= cut].sum()) for cut in [np.inf, *score])
        # No more than if θ were moved by its last digit: 50 cases have slopes up to 50.
        last_digit = 50 * np.spacing(offset)
        assert far.at(theta + offset) == pytest.approx(best, rel=1e-12, abs=last_digit)
    assert near.at(0.0) == pytest.approx(far.at(offset), rel=1e-3)


def test_weight_two_is_the_row_twice():
    rng = np.random.default_rng(1)
    n = 30
    score, slope, intercept = rng.integers(0, 9, n), rng.normal(size=n), rng.normal(size=n)
    counts = rng.integers(0, 4, n)
    weighted = rt.impact_curve(score, arm.LinearUtility(slope, intercept), sample_weight=counts)
    repeated = rt.impact_curve(
        np.repeat(score, counts),
        arm.LinearUtility(np.repeat(slope, counts), np.repeat(intercept, counts)),
    )
    np.testing.assert_allclose(
        weighted.function.knots[1:-1], repeated.function.knots[1:-1], rtol=1e-9
    )
    np.testing.assert_array_equal(weighted.knob, repeated.knob)


def test_two_prices_and_metrics_agree():
    rng = np.random.default_rng(2)
    copper, gold = rng.gamma(2.0, 0.3, 80), rng.exponential(0.2, 80)
    score = copper + gold + 0.3 * rng.normal(size=80)
    made = arm.impact_map(
        score,
        lambda price: arm.LinearUtility(copper, gold * price - 1.0),
        second="price of gold",
        values=[0.0, 1.0, 4.0],
    )
    for price in (0.0, 1.0, 4.0):
        worth = copper * 1.7 + gold * price - 1.0
        best = max(worth[score >= cut].sum() for cut in [np.inf, *score])
        assert made.at(1.7, price) == pytest.approx(best, rel=1e-12)
    curve = rt.impact_curve(score, arm.value_times_price(copper))
    for theta in (0.5, 1.7, 3.0):
        value = arm.impact(copper, score, utility=arm.value_times_price, theta=theta)
        assert value == pytest.approx(curve.at(theta), rel=1e-12)
        gain = arm.impact_gain(copper, score, utility=arm.value_times_price, theta=theta)
        assert gain == pytest.approx(curve.gain.at(theta), rel=1e-9, abs=1e-12)


@given(offers(max_size=7), st.integers(2, 4), st.integers(0, 999))
def test_ordered_actions(case, count, seed):
    """All monotone assignments of actions to the distinct scores."""
    rng = np.random.default_rng(seed)
    n = len(case.score)
    lines = {f"action {k}": (rng.normal(size=n), rng.normal(size=n)) for k in range(count)}
    utilities = {name: arm.LinearUtility(*line) for name, line in lines.items()}
    curve = arm.action_curve(case.score, utilities, low=-2.0, high=2.0, sample_weight=case.weight)
    levels = np.unique(case.score[case.mass > 0])
    cuts = [*levels.tolist(), np.inf]
    import itertools

    for theta in (-2.0, -0.7, 0.0, 1.3, 2.0):
        totals = []
        for borders in itertools.combinations_with_replacement(cuts, count - 1):
            action = np.searchsorted(np.array(borders), case.score, side="right")
            worth = np.array([a * theta + b for a, b in lines.values()])
            totals.append(float(np.sum(worth[action, np.arange(n)] * case.mass)))
        found = arm.action_thresholds(case.score, utilities, theta=theta, sample_weight=case.weight)
        assert found.impact == pytest.approx(max(totals), abs=1e-10)
        assert curve.at(theta) == pytest.approx(max(totals), abs=1e-10)
        chosen = [list(utilities).index(name) for name in found.choose(case.score)]
        reached = sum(
            (lines[f"action {k}"][0][i] * theta + lines[f"action {k}"][1][i]) * case.mass[i]
            for i, k in enumerate(chosen)
        )
        assert reached == pytest.approx(max(totals), abs=1e-10)


def test_naive_capacity_metric():
    y, score = [1.0, 5.0, 2.0, 4.0, 3.0], [1.0, 4.0, 3.0, 5.0, 2.0]
    for limits in ({"at_most": 2}, {"at_least": 4}, {"at_least": 3, "at_most": 3}):
        context = {"utility": arm.value_minus_cutoff, "theta": 2.9, **limits}
        assert arm.impact(y, score, **context) == pytest.approx(naive.impact(y, score, **context))


@pytest.mark.parametrize("tiny", [5e-324, 2e-311, 1e-200])
def test_slopes_as_good_as_none(tiny):
    utility = arm.LinearUtility([0.0, tiny], [1.0, -0.5])
    curve = rt.impact_curve([1.0, 2.0], utility)
    assert curve.at(0.3) == 0.5
    assert arm.oracle_curve(utility).at(0.3) == 1.0
    assert rt.impact_summary([1.0, 2.0], utility, theta=0.3).impact == 0.5

"""Skewness of a mean, cases that carry its variance, and intervals that follow."""

import math

import numpy as np
import pytest
from benchmarks.heavy_tails import KINDS, run
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus.concepts.dependence import Dependence
from roctopus.concepts.tails import FARTHEST, Tails

shapes = st.builds(
    Tails, st.floats(-1.0, 1.0), st.floats(1.0, 50.0), st.sampled_from([4.0, 60.0, 1e6])
)
quantiles = st.floats(0.5, 13.0)


def test_shape_by_hand():
    terms = np.array([-1.0, -1.0, -1.0, 3.0])
    found = Tails.of(terms, 4.0)
    assert found.skewness == pytest.approx(24.0 / 12.0**1.5)
    assert found.carriers == pytest.approx(144.0 / 84.0)
    assert Tails.of(1e300 * terms, 4.0) == pytest.approx(found)
    assert Tails.of(np.zeros(4), 4.0) == (0.0, 4.0, 4.0)
    assert Tails.of(np.array([np.inf, 1.0]), 2.0) == (0.0, 2.0, 2.0)


@given(shapes, quantiles)
def test_the_longer_side_is_that_of_the_tail(shape, quantile):
    low, high = shape.quantiles(quantile)
    assert low < 0.0 < high
    assert max(-low, high) <= FARTHEST * quantile * (1.0 + 1e-12)
    if abs(shape.skewness) > 1e-3:
        assert (-low > high) == (shape.skewness > 0.0)
    if not shape.heavy:
        assert high - low == pytest.approx(2.0 * quantile)
    mirrored = shape._replace(skewness=-shape.skewness).quantiles(quantile)
    assert mirrored == pytest.approx((-high, -low))


def test_skewness_moves_both_ends_as_edgeworth_says():
    """At first order by a(1 + 2x²)/6."""
    low, high = Tails(1e-3, 50.0, 60.0).quantiles(1.96)
    moved = 1e-3 * (1.0 + 2.0 * 1.96**2) / 6.0
    assert (low, high) == pytest.approx((-1.96 - moved, 1.96 - moved), abs=1e-5)


def test_no_skewness_is_students_interval():
    assert Tails(0.0, 50.0, 60.0).quantiles(2.0) == (-2.0, 2.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_few_cases_carry_a_variance(sign):
    rng = np.random.default_rng(5)
    outcomes = sign * np.r_[rng.normal(size=97), 80.0, 90.0, 100.0]
    with pytest.warns(rt.RoctopusWarning, match=r"About 3\.1 of 100 cases carry the variance"):
        low, high = _mean(outcomes).confidence_interval()
    plain = _mean(outcomes).confidence_interval(method="plain")
    assert high - low > plain.high - plain.low
    longer, shorter = sorted([high - outcomes.mean(), outcomes.mean() - low], reverse=True)
    assert longer > 1.3 * shorter
    assert (high - outcomes.mean() > outcomes.mean() - low) == (sign > 0)


def test_few_clusters_carry_a_variance():
    sums = np.repeat(np.r_[np.full(40, -1.0), 40.0], 2)
    clusters = Dependence(np.repeat(np.arange(41), 2))
    with pytest.warns(rt.RoctopusWarning, match="of 41 clusters carry the variance"):
        rt.Estimate(5.0, sums, dependence=clusters).confidence_interval()


def _mean(outcomes):
    return rt.Estimate(float(outcomes.mean()), outcomes - outcomes.mean())


def test_the_headline_is_longer_above_and_the_record_warns():
    rng = np.random.default_rng(0)
    p = rng.normal(size=200)
    heavy = rt.compare(p + rng.lognormal(0, 1.5, 200), {"m": p}, arm="regression")
    found = heavy.decide(asymmetry=0.8, models_only=True)
    assert sum("as with a heavy tail" in note for note in found.warnings) == 1
    assert found.high - found.value > 1.2 * (found.value - found.low) > 0.0
    light = rt.compare(p + rng.normal(size=200), {"m": p}, arm="regression")
    found = light.decide(asymmetry=0.8, models_only=True)
    assert found.warnings == ()
    assert found.high - found.value > found.value - found.low > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_true_costs_are_those_of_many_errors(kind):
    errors = KINDS[kind](60)
    drawn = errors.draw(np.random.default_rng(1), 2_000_000)
    for shift in (-1.5, 0.4, 2.0):
        away = drawn - shift
        losses = 2.0 * np.where(away > 0.0, 0.8 * away, -0.2 * away)
        error = losses.std() / math.sqrt(len(losses))
        assert errors.cost(shift) == pytest.approx(losses.mean(), abs=5.0 * error)


@pytest.mark.parametrize(
    ("kind", "size", "least"),
    [("normal", 200, 0.93), ("lognormal, σ = 1", 60, 0.90), ("lognormal, σ = 1", 200, 0.92)],
)
def test_intervals_hold_the_cost(kind, size, least):
    samples = 100
    means = run((kind, size), samples)[2]
    assert means[0] >= least - 2.0 * math.sqrt(least * (1.0 - least) / samples)
    if kind == "normal":
        assert means[3] <= 1.01
        assert means[4] <= 0.05

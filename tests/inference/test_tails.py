"""Skewness of a mean, long tails, and intervals that follow."""

import math

import numpy as np
import pytest
from benchmarks.heavy_tails import KINDS, run
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

import roctopus as rt
from roctopus.concepts.dependence import Dependence
from roctopus.concepts.tails import FARTHEST, Tails

shapes = st.builds(
    Tails,
    st.floats(-1.0, 1.0),
    st.floats(1.0, 50.0),
    st.floats(0.5, 3.0) | st.just(math.inf),
    st.booleans(),
    st.sampled_from([4.0, 60.0, 1e6]),
)
LIGHT = Tails(0.0, 50.0, 1.0, False, 60.0)
quantiles = st.floats(0.5, 13.0)


def test_shape_by_hand():
    terms = np.array([-1.0, -1.0, -1.0, 3.0])
    found = Tails.of(terms, 4.0)
    assert found.skewness == pytest.approx(24.0 / 12.0**1.5)
    assert found.carriers == pytest.approx(144.0 / 84.0)
    assert Tails.of(1e300 * terms, 4.0) == pytest.approx(found)
    assert Tails.of(np.zeros(4), 4.0) == (0.0, 4.0, 1.0, True, 4.0)
    assert Tails.of(np.array([np.inf, 1.0]), 2.0) == (0.0, 2.0, 1.0, True, 2.0)


def test_lift_is_the_distance_of_the_mean_over_that_of_most_cases():
    terms = np.array([0.0, 1.0, 2.0, 2.5, 3.0, 27.5]) - 6.0
    assert Tails.of(terms, 6.0).lift == pytest.approx(6.0 / 2.5)
    assert Tails.of(-terms, 6.0).lift == pytest.approx(6.0 / 2.5)
    assert Tails.of(np.array([-1.0, -1.0, -1.0, 3.0]), 4.0).lift == math.inf


def test_costs_of_right_and_wrong_have_no_tail():
    """Two misses that cost 20 are skewed, but nothing costs more; a tail is another matter."""
    costs = np.r_[np.zeros(40), np.ones(18), 20.0, 20.0]
    found = _mean(costs)
    assert found.tails.heavy
    assert found.heavy_tail is None
    costs[40:] = 20.0 * np.exp(-0.3 * np.arange(20))
    assert "comes from about 3.7 of 60 cases, " in _mean(costs).heavy_tail


def test_symmetric_tails_keep_students_interval():
    """A single outlier makes a sample look skewed; most of its cases show that it is not."""
    quantiles = (np.arange(60) + 0.5) / 60
    values = np.r_[student.ppf(quantiles, 2.5), 25.0]
    assert Tails.of(values - values.mean(), 61.0).skewness > 0.5
    assert _mean(values).confidence_interval() == _mean(values).confidence_interval(method="plain")


def test_rows_of_weight_0_have_no_part_in_the_shape():
    rng = np.random.default_rng(0)
    values = rng.lognormal(0.0, 1.5, 80)
    some = rt.Estimate(1.0, values - 1.0, np.ones(80))
    more = rt.Estimate(1.0, np.r_[values - 1.0, np.ones(50)], np.r_[np.ones(80), np.zeros(50)])
    assert some.tails == more.tails


@pytest.mark.parametrize("kind", ["weights", "clusters"])
def test_unequal_weights_do_not_hide_a_tail(kind):
    """Beside a large weight times a small cost, the mean is not far from the near end."""
    rng = np.random.default_rng(1)
    costs, times = rng.lognormal(0.0, 1.5, 400), rng.integers(1, 6, 400)
    wrong = (rng.random(400) < 0.3).astype(float)

    def mean(values):
        if kind == "weights":
            centred = values - np.average(values, weights=times)
            return rt.Estimate(1.0, centred, times.astype(float))
        rows = np.repeat(values, times)
        about = Dependence(np.repeat(np.arange(400), times))
        return rt.Estimate(1.0, rows - rows.mean(), dependence=about)

    assert mean(costs).tails.lift == pytest.approx(_mean(costs).tails.lift, rel=0.2)
    assert mean(costs).tails.heavy
    assert mean(costs).heavy_tail is not None
    twenty = np.where(np.arange(400) < 6, 20.0, wrong)
    assert mean(twenty).tails.stepped
    assert mean(twenty).heavy_tail is None


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
    low, high = LIGHT._replace(skewness=1e-3).quantiles(1.96)
    moved = 1e-3 * (1.0 + 2.0 * 1.96**2) / 6.0
    assert (low, high) == pytest.approx((-1.96 - moved, 1.96 - moved), abs=1e-5)


def test_no_skewness_is_students_interval():
    assert LIGHT.quantiles(2.0) == (-2.0, 2.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_few_cases_carry_a_variance(sign):
    rng = np.random.default_rng(5)
    outcomes = sign * np.r_[rng.normal(size=97), 80.0, 90.0, 100.0]
    with pytest.warns(rt.RoctopusWarning, match=r"variance .* about 3\.1 of 100 cases,"):
        low, high = _mean(outcomes).confidence_interval()
    plain = _mean(outcomes).confidence_interval(method="plain")
    assert high - low > plain.high - plain.low
    longer, shorter = sorted([high - outcomes.mean(), outcomes.mean() - low], reverse=True)
    assert longer > 1.3 * shorter
    assert (high - outcomes.mean() > outcomes.mean() - low) == (sign > 0)


def test_few_clusters_carry_a_variance():
    sums = np.repeat(np.r_[np.linspace(-2.0, 0.0, 40), 40.0], 2)
    clusters = Dependence(np.repeat(np.arange(41), 2))
    with pytest.warns(rt.RoctopusWarning, match="variance .* about .* of 41 clusters,"):
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

"""Expected errors against numerical integration, real distributions and each other."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

import naive
import roctopus as rt
from roctopus import cutoff as arm
from strategies import cases

rng = np.random.default_rng(4)
Y = rng.gamma(2.0, 4.0, 60)
P = Y + rng.normal(0, 2, 60)
W = rng.uniform(0.5, 2, 60)

DISTRIBUTIONS = {
    "beta": (rt.Beta(2, 4, 2.0, 15.0), stats.beta(2, 4, 2.0, 13.0)),
    "beta with other exponents": (rt.Beta(1.7, 3.3, 2.0, 15.0), stats.beta(1.7, 3.3, 2.0, 13.0)),
    "uniform": (rt.Uniform(3.0, 9.0), stats.uniform(3.0, 6.0)),
    "normal": (rt.Normal(8.0, 3.0), stats.norm(8.0, 3.0)),
    "frozen t": (stats.t(4, 8.0, 2.0), stats.t(4, 8.0, 2.0)),
    "gamma": (rt.Gamma(3.0, 2.0), stats.gamma(3.0, scale=2.0)),
    "lognormal": (rt.LogNormal(2.0, 0.4), stats.lognorm(0.4, scale=np.exp(2.0))),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("costs", [(1.0, 1.0), (3.0, 0.5)])
def test_continuous_distributions_against_quadrature(name, costs):
    distribution, density = DISTRIBUTIONS[name]
    options = {
        "false_positive_cost": costs[0],
        "false_negative_cost": costs[1],
        "sample_weight": W,
    }
    knots = np.unique(np.concatenate([Y, P]))
    total = 0.0
    for left, right in itertools.pairwise(knots):
        height = naive.cutoff_error(Y, P, cutoff=0.5 * (left + right), **options)
        total += height * quad(density.pdf, left, right, epsabs=1e-13)[0]
    value = rt.expected_cutoff_error(Y, P, distribution=distribution, **options)
    assert value == pytest.approx(total, abs=1e-9)
    curve = rt.cutoff_error_curve(Y, P, **options)
    assert curve.expect(distribution) == pytest.approx(value, rel=1e-11)
    assert curve.over_quantiles(distribution).area() == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize("name", ["normal", "beta", "gamma"])
def test_high_resolution_sampling_of_cutoffs(name):
    distribution, density = DISTRIBUTIONS[name]
    cutoffs = density.ppf((np.arange(200_000) + 0.5) / 200_000)
    fine = np.mean(rt.cutoff_error_curve(Y, P).at(cutoffs))
    assert rt.expected_cutoff_error(Y, P, distribution=distribution) == pytest.approx(
        fine, abs=1e-5
    )


def test_poisson_cutoffs():
    whole, rough = np.round(Y), np.round(P)  # cutoffs meet truths and predictions exactly
    distribution = stats.poisson(7.0)
    points = np.arange(0, 200)
    slow = sum(distribution.pmf(k) * naive.cutoff_error(whole, rough, cutoff=k) for k in points)
    assert rt.expected_cutoff_error(whole, rough, distribution=distribution) == pytest.approx(
        slow, rel=1e-12
    )
    assert rt.cutoff_error_curve(whole, rough).expect(distribution) == pytest.approx(
        slow, rel=1e-12
    )


@given(case=cases(), cutoffs=st.lists(st.integers(-8, 8).map(lambda k: k / 4), min_size=1))
def test_a_sample_of_real_cutoffs(case, cutoffs):
    distribution = rt.Empirical(cutoffs)
    weight = {"sample_weight": case.sample_weight}
    w = np.ones(len(case.y_true)) if case.sample_weight is None else case.sample_weight
    slow = np.mean(
        [naive.cutoff_error(case.y_true, case.y_pred, cutoff=c, sample_weight=w) for c in cutoffs]
    )
    curve = rt.cutoff_error_curve(case.y_true, case.y_pred, **weight)
    if slow > 0:
        value = rt.expected_cutoff_error(
            case.y_true, case.y_pred, distribution=distribution, **weight
        )
        assert value == pytest.approx(slow, abs=1e-12)
        assert curve.expect(distribution) == pytest.approx(slow, abs=1e-12)


def test_table_5_regions():
    low, high = arm.cutoff_region((9.0, 46.6), 0.2, 0.6)
    assert (low, high) == pytest.approx((16.52, 31.56))
    distribution = rt.Beta(1, 1, low, high)
    area = rt.expected_cutoff_error(Y, P, distribution=distribution, normalize=False)
    assert area == pytest.approx(rt.clipped_mean_absolute_error(Y, P, low=low, high=high))


def test_unnormalised_needs_a_bounded_range():
    for distribution in (stats.uniform(3, 6), rt.Uniform(3, 9)):
        value = rt.expected_cutoff_error(Y, P, distribution=distribution, normalize=False)
        assert value == pytest.approx(rt.clipped_mean_absolute_error(Y, P, low=3, high=9))
    cut = rt.Truncated(rt.Beta(1, 1, 0, 9), 3, np.inf)
    value = rt.expected_cutoff_error(Y, P, distribution=cut, normalize=False)
    assert value == pytest.approx(rt.clipped_mean_absolute_error(Y, P, low=3, high=9))
    for distribution in (
        rt.Normal(5, 1),
        stats.norm(5, 1),
        rt.Output(),
        rt.PointMass(5),
        stats.poisson(5),
    ):
        with pytest.raises(rt.InputError, match="is discrete or unbounded"):
            rt.expected_cutoff_error(Y, P, distribution=distribution, normalize=False)


def test_far_offsets_change_nothing():
    whole, rough = np.round(4 * Y) / 4, np.round(4 * P) / 4
    far = 1e12
    for measure, near_args, far_args in (
        (rt.output_cutoff_area, {}, {}),
        (rt.uniform_cutoff_area, {}, {}),
        (rt.clipped_mean_absolute_error, {"low": 3, "high": 9}, {"low": far + 3, "high": far + 9}),
        (rt.cutoff_error, {"cutoff": 5.25}, {"cutoff": far + 5.25}),
        (
            rt.expected_cutoff_error,
            {"distribution": rt.Uniform(3, 9)},
            {"distribution": rt.Uniform(far + 3, far + 9)},
        ),
    ):
        moved = measure(whole + far, rough + far, **far_args)
        assert moved == pytest.approx(measure(whole, rough, **near_args), rel=1e-13)


def test_expected_loss_of_independent_cutoffs_and_proportions():
    """E over both contexts is the value at the mean proportion, as the docstring says."""
    distribution, proportions = rt.Normal(8, 3), rt.Beta(2, 3)
    grid = stats.beta(2, 3).ppf((np.arange(400) + 0.5) / 400)
    found = arm.cutoff_cost_map(Y, P, proportions=np.unique(grid))
    mean = 2 / 5
    direct = rt.expected_cutoff_error(
        Y,
        P,
        distribution=distribution,
        false_positive_cost=2 - 2 * mean,
        false_negative_cost=2 * mean,
    )
    assert np.mean(found.expect(distribution)) == pytest.approx(direct, rel=1e-3)
    assert proportions.a / (proportions.a + proportions.b) == mean


def test_intervals_of_differences_cover():
    """Paired differences of A_OCE and of row cutoffs: nominal 95 %, 300 samples of 200."""

    def draw(size, generator):
        y = generator.normal(size=size)
        a = y + generator.normal(size=size)
        b = y + 0.9 * generator.normal(size=size) + 0.1
        cutoffs = y + generator.normal(size=size)  # they follow the cases
        return y, a, b, cutoffs

    def differences(y, a, b, cutoffs):
        areas = [rt.estimate(rt.output_cutoff_area, y, p) for p in (a, b)]
        return areas[0] - areas[1], arm.row_cutoff_error(y, a, cutoffs=cutoffs).difference

    generator = np.random.default_rng(7)
    truths = [d.value for d in differences(*draw(400_000, generator))]
    covered = np.zeros(2)
    for _ in range(300):
        for k, difference in enumerate(differences(*draw(200, generator))):
            low, high = difference.confidence_interval()
            covered[k] += low <= truths[k] <= high
    assert np.all(covered / 300 > 0.905)
    assert np.all(covered / 300 < 0.985)

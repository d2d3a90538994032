"""Means of piecewise curves under distributions, against quadrature and direct sums."""

import itertools
import statistics

import numpy as np
import pytest
import scipy.stats as st
from scipy.integrate import quad

import roctopus as rt
from roctopus.concepts.given_distributions import as_distribution
from roctopus.core.piecewise import Piecewise

JUMPY = Piecewise(
    np.array([-np.inf, 0.25, 0.5, 1.5, 3.0, np.inf]),
    np.array([2.0, 0.0, 1.0, -1.0, 4.0]),
    np.array([2.0, 3.0, 1.0, 2.0, 4.0]),
    "left",
    (0.0, 0.5),
)
STEPS = Piecewise.steps([-np.inf, 0.0, 1.0, 2.0, 5.0, np.inf], [0.0, 1.0, 3.0, 2.0, 0.5], "left")

PAIRS = [
    (rt.Uniform(0.1, 2.7), st.uniform(0.1, 2.6)),
    (rt.Beta(2, 4, low=0.2, high=2.6), st.beta(2, 4, 0.2, 2.4)),
    (rt.Beta(0.5, 0.7, low=-1, high=4), st.beta(0.5, 0.7, -1, 5)),
    (rt.Normal(0.6, 1.3), st.norm(0.6, 1.3)),
    (rt.Exponential(0.8), st.expon(scale=0.8)),
    (rt.Gamma(2.5, 0.7), st.gamma(2.5, scale=0.7)),
    (rt.LogNormal(-0.3, 0.6), st.lognorm(0.6, scale=np.exp(-0.3))),
]
IDS = [str(ours) for ours, _ in PAIRS]


def by_quadrature(f, distribution):
    knots = [distribution.ppf(1e-13), *f.knots[1:-1], distribution.isf(1e-13)]
    knots = sorted({min(max(k, knots[0]), knots[-1]) for k in knots})
    pieces = itertools.pairwise(knots)

    def integrand(x, piece):
        return float(f._value(np.asarray(x), piece)) * distribution.pdf(x)

    return sum(
        quad(integrand, a, b, args=(f.piece_of((a + b) / 2),), limit=400, epsabs=1e-13)[0]
        for a, b in pieces
    )


@pytest.mark.parametrize("f", [JUMPY, STEPS], ids=["lines", "steps"])
@pytest.mark.parametrize(("ours", "scipys"), PAIRS, ids=IDS)
def test_closed_forms_equal_quadrature_and_scipy(f, ours, scipys):
    expected = by_quadrature(f, scipys)
    assert f.expect(ours) == pytest.approx(expected, rel=1e-8)
    assert f.expect(as_distribution(scipys)) == pytest.approx(f.expect(ours), rel=1e-9)


@pytest.mark.parametrize(("ours", "scipys"), PAIRS, ids=IDS)
def test_cdf_equals_scipys(ours, scipys):
    x = np.linspace(-2, 6, 81)
    np.testing.assert_allclose(ours.cdf(x), scipys.cdf(x), atol=1e-14)


@pytest.mark.parametrize("distribution", [st.poisson(1.7), st.binom(5, 0.4), st.randint(0, 4)])
def test_discrete_scipy_distributions_are_summed(distribution):
    points = np.arange(60)
    expected = np.sum(distribution.pmf(points) * JUMPY.at(points))
    assert JUMPY.expect(as_distribution(distribution)) == pytest.approx(expected, rel=1e-12)
    left = np.sum(distribution.pmf(points) * STEPS.at(points))
    assert STEPS.expect(as_distribution(distribution)) == pytest.approx(left, rel=1e-12)


def test_atoms_on_knots_follow_the_continuity():
    for continuity, value in (("left", 1.0), ("right", 3.0)):
        f = Piecewise.steps([-np.inf, 0.0, 1.0, np.inf], [0.0, 1.0, 3.0], continuity)
        assert f.expect(rt.PointMass(1.0)) == value


def test_weighted_empirical():
    values, weights = [0.1, 0.6, 0.6, 2.0], [1.0, 2.0, 0.0, 1.0]
    expected = np.average(JUMPY.at(values), weights=weights)
    assert JUMPY.expect(rt.Empirical(values, weights)) == pytest.approx(expected, rel=1e-14)
    assert JUMPY.expect(rt.Empirical(values)) == pytest.approx(np.mean(JUMPY.at(values)))


def test_a_new_style_or_homemade_distribution_needs_only_a_cdf():
    class Triangle:
        def cdf(self, x):
            return np.clip(np.asarray(x), 0, 1) ** 2

    expected = quad(lambda x: float(JUMPY.at(x)) * 2 * x, 0, 1, points=[0.25, 0.5])[0]
    assert JUMPY.expect(as_distribution(Triangle())) == pytest.approx(expected, rel=1e-9)


def test_a_million_pieces_under_a_beta():
    rng = np.random.default_rng(0)
    y = np.sin(np.linspace(0, 9, 10**6 + 1)) + rng.normal(0, 1e-3, 10**6 + 1)
    f = Piecewise.through(np.linspace(0, 1, 10**6 + 1), y)
    sample = st.beta(2, 4).ppf((np.arange(200_000) + 0.5) / 200_000)
    assert f.expect(rt.Beta(2, 4)) == pytest.approx(np.mean(f.at(sample)), abs=2e-5)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: rt.Uniform(1, 1), r"Uniform\(low, high\) must go from a lower to a higher number"),
        (lambda: rt.Uniform(0, np.inf), "'high' must be a finite number"),
        (lambda: rt.Beta(0, 1), "'a' must be positive"),
        (lambda: rt.Beta(1, 1, low=2, high=1), "go from a lower to a higher number"),
        (lambda: rt.Normal(0, -1), "'sd' must be positive"),
        (lambda: rt.Exponential(0), "'mean' must be positive"),
        (lambda: rt.Gamma(1, np.nan), "'scale' must be a finite number"),
        (lambda: rt.LogNormal("a", 1), "'log_mean' must be a number"),
        (lambda: rt.Empirical([]), "must contain at least one case, but are empty"),
        (lambda: rt.Empirical([0.1, np.nan]), r"'values' has missing values \(NaN\) in row 1"),
        (lambda: rt.Empirical([0.1], [-1]), "'weights' is negative in row 0"),
        (lambda: as_distribution(0.5), r"frozen scipy.stats distribution\), but is of type float"),
    ],
)
def test_bad_parameters_get_a_sentence(make, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        make()


PLUS = Piecewise(np.array([-np.inf, 0.0, np.inf]), np.zeros(2), np.zeros(2), tails=(0.0, 1.0))


@pytest.mark.parametrize(
    ("distribution", "mean"),
    [
        (st.norm(5e4, 20), 5e4),
        (st.uniform(1e4, 1), 10000.5),
        (st.gamma(3, scale=1e5), 3e5),
        (statistics.NormalDist(100, 1), 100.0),
    ],
)
def test_distributions_far_out_on_a_tail(distribution, mean):
    assert PLUS.expect(as_distribution(distribution)) == pytest.approx(mean, rel=1e-9)


def test_scipys_new_distributions_where_they_exist():
    line = Piecewise.through([0.0, 1.0], [0.0, 1.0])
    if hasattr(st, "make_distribution"):
        distribution = st.make_distribution(st.beta)(a=2.0, b=3.0)
        assert line.expect(as_distribution(distribution)) == pytest.approx(0.4, rel=1e-9)
    distribution = st.rv_discrete(values=([2, 7], [0.5, 0.5]))
    assert PLUS.expect(as_distribution(distribution)) == pytest.approx(4.5)
    with pytest.raises(
        rt.InputError,
        match=r"not one unit apart. Pass the points and their probabilities as Empirical",
    ):
        as_distribution(st.rv_discrete(values=([0.2, 0.7], [0.5, 0.5])))


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e12])
def test_an_offset_costs_no_digits(offset):
    ramp = Piecewise.through([offset, offset + 1.0], [0.0, 1.0])
    assert ramp.expect(rt.Beta(2, 3, offset, offset + 1.0)) == pytest.approx(0.4, rel=1e-12)
    assert ramp.expect(rt.Uniform(offset, offset + 1.0)) == pytest.approx(0.5, rel=1e-12)
    clipped = Piecewise(
        np.array([-np.inf, offset, offset + 1.0, np.inf]),
        np.array([0.0, 0.0, 1.0]),
        np.array([0.0, 1.0, 1.0]),
    )
    near = Piecewise(np.append(clipped.knots[:1], [0.0, 1.0, np.inf]), clipped.start, clipped.end)
    expected = near.expect(rt.Normal(0.0, 1.0))
    assert clipped.expect(rt.Normal(offset, 1.0)) == pytest.approx(expected, rel=1e-12)


def test_a_wild_lognormal_is_no_nan():
    ramp = Piecewise(
        np.array([-np.inf, 1.0, 2.0, np.inf]), np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0])
    )
    assert 0.49 < ramp.expect(rt.LogNormal(0.0, 40.0)) < 0.5

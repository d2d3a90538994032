"""Evaluate, combine, integrate and average piecewise functions against their definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import naive
from roctopus import InputError, Normal, PointMass, Uniform
from roctopus.core.piecewise import Piecewise

height = st.integers(-6, 6).map(float)


@st.composite
def functions(draw, low=0.0, high=4.0, continuity=None, steps=None):
    inner = draw(st.lists(st.integers(1, 15).map(lambda k: k / 4), max_size=6, unique=True))
    knots = np.array([low, *sorted(inner), high])
    size = len(knots) - 1
    heights = st.lists(height, min_size=size, max_size=size).map(np.array)
    continuity = continuity or draw(st.sampled_from(["left", "right"]))
    if steps if steps is not None else draw(st.booleans()):
        return Piecewise.steps(knots, draw(heights), continuity)
    return Piecewise(knots, draw(heights), draw(heights), continuity)


def scan(f, x):
    return naive.piecewise_at(f.knots, f.start, f.end, x, f.continuity)


GRID = np.arange(33) / 8


@given(f=functions())
def test_at_knots_and_between(f):
    for x in GRID:
        assert float(f.at(x)) == pytest.approx(scan(f, x), abs=1e-12)
    np.testing.assert_array_equal(f.at(f.knots[0]), f.start[0])
    np.testing.assert_array_equal(f.at(f.knots[-1]), f.end[-1])


@given(f=functions(continuity="left"), g=functions(continuity="left"), factor=height)
def test_subtract_and_scale(f, g, factor):
    expected_f = np.array([scan(f, x) for x in GRID])
    expected_g = np.array([scan(g, x) for x in GRID])
    np.testing.assert_allclose(f.subtract(g).at(GRID), expected_f - expected_g, atol=1e-12)
    np.testing.assert_allclose(f.scale(factor).at(GRID), factor * expected_f, atol=1e-12)


@given(f=functions(), a=st.integers(0, 31), width=st.integers(1, 32))
def test_integrate_any_part(f, a, width):
    low, high = a / 8, min(a + width, 32) / 8
    # Exact by the midpoint rule on cells that hold no knot inside.
    edges = np.unique(np.concatenate([[low, high], f.knots[(f.knots > low) & (f.knots < high)]]))
    middle = 0.5 * (edges[1:] + edges[:-1])
    expected = sum(scan(f, x) * w for x, w in zip(middle, np.diff(edges), strict=True))
    assert f.integrate(low, high) == pytest.approx(expected, abs=1e-10)
    assert f.restrict(low, high).integrate() == pytest.approx(expected, abs=1e-10)
    inside = GRID[(low < GRID) & (high > GRID)]
    np.testing.assert_allclose(f.restrict(low, high).at(inside), f.at(inside), atol=1e-12)


@given(f=functions(), x=st.integers(0, 32))
def test_mean_under_a_point_mass_is_the_value(f, x):
    assert f.expect(PointMass(x / 8)) == pytest.approx(scan(f, x / 8), abs=1e-12)


@given(f=functions())
def test_mean_under_a_uniform_is_the_area(f):
    assert f.expect(Uniform(0, 4)) == pytest.approx(f.integrate() / 4, abs=1e-12)


def whole_line(start_slope=-0.5, end_slope=2.0):
    knots = np.array([-np.inf, 0.0, 1.0, np.inf])
    return Piecewise(
        knots,
        np.array([3.0, 1.0, 4.0]),
        np.array([3.0, 2.0, 4.0]),
        "left",
        (start_slope, end_slope),
    )


def test_tails_run_on_for_ever():
    f = whole_line()
    np.testing.assert_allclose(
        f.at([-2.0, 0.0, 0.5, 1.0, 1.5, 11.0]), [4.0, 3.0, 1.5, 2.0, 5.0, 24.0]
    )
    g = f.subtract(whole_line(0.0, 1.0))
    np.testing.assert_allclose(g.at([-2.0, 0.5, 3.0]), [1.0, 0.0, 2.0])
    cut = f.restrict(-2.0, 3.0)
    np.testing.assert_allclose(cut.at([-2.0, -1.0, 2.0, 3.0]), [4.0, 3.5, 6.0, 8.0])
    left = f.restrict(-np.inf, -1.0)
    np.testing.assert_allclose(left.at([-3.0, -1.0]), [4.5, 3.5])


def test_mean_with_tails_by_quadrature():
    f, distribution = whole_line(), Normal(0.3, 1.2)

    def density(x):
        return np.exp(-0.5 * ((x - 0.3) / 1.2) ** 2) / (1.2 * np.sqrt(2 * np.pi))

    parts = [(-15.0, 0.0), (0.0, 1.0), (1.0, 15.0)]
    expected = sum(quad(lambda x: float(f.at(x)) * density(x), a, b)[0] for a, b in parts)
    assert f.expect(distribution) == pytest.approx(expected, rel=1e-9)


def test_constant_on_the_whole_line():
    f = Piecewise.steps([-np.inf, np.inf], [2.0])
    assert float(f.at(1e300)) == 2.0
    assert f.expect(Normal(0, 1)) == 2.0


def test_a_zero_tail_has_no_area():
    f = Piecewise.steps([-np.inf, 0.0, 2.0, np.inf], [0.0, 3.0, 0.0], "left")
    assert f.integrate() == 6.0
    with pytest.raises(InputError, match="The area from -inf to inf is infinite"):
        whole_line().integrate()


def test_refusals():
    f = Piecewise.through([0.0, 1.0], [0.0, 1.0])
    with pytest.raises(InputError, match=r"'x' must be between 0 and 1, but is 1.5"):
        f.at([0.5, 1.5])
    with pytest.raises(InputError, match="but is nan"):
        f.at(np.nan)
    with pytest.raises(InputError, match="different ranges: 0 to 1 and 0 to 2"):
        f.subtract(Piecewise.through([0.0, 2.0], [0.0, 1.0]))
    with pytest.raises(InputError, match="go from a lower to a higher number"):
        f.integrate(0.7, 0.2)
    with pytest.raises(InputError, match="from 0 to 1, but 50 % of the distribution lies outside"):
        f.expect(Uniform(0, 2))
    left, right = (Piecewise.steps([0, 1, 2], [0, 1], side) for side in ("left", "right"))
    with pytest.raises(InputError, match="continuous from the left and the other from the right"):
        left.subtract(right)


def test_a_million_pieces_need_no_loop():
    rng = np.random.default_rng(0)
    f = Piecewise.through(np.linspace(0, 1, 10**6 + 1), rng.normal(size=10**6 + 1))
    assert f.subtract(f.scale(-1.0)).integrate() == pytest.approx(2 * f.integrate(), rel=1e-9)


@pytest.mark.parametrize("far", [1e8, 1e12, 3.4e15])
def test_expectations_near_one_end_of_a_long_piece(far):
    """Lines as good as parallel meet far away: the values there must not drown those near by."""
    function = Piecewise(np.array([-far, 4.5]), np.array([0.3 * (4.5 + far)]), np.array([0.0]))
    assert function.expect(Uniform(-1.0, 2.0)) == pytest.approx(0.3 * 4.0, rel=1e-14)
    mirror = Piecewise(np.array([-4.5, far]), np.array([0.0]), np.array([0.3 * (4.5 + far)]))
    assert mirror.expect(Uniform(-1.0, 2.0)) == pytest.approx(0.3 * 5.0, rel=1e-14)

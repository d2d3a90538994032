"""Counts of open intervals: by definition, at every end and between, merged or not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roctopus import InputError
from roctopus.core.arrays import FEW, in_order
from roctopus.core.intervals import Intervals, OpenMass
from roctopus.core.piecewise import Piecewise

ends = st.one_of(st.integers(-4, 4).map(float), st.sampled_from([-np.inf, np.inf]))


@st.composite
def groups(draw):
    found = []
    for _ in range(draw(st.integers(1, 2))):
        pairs = draw(st.lists(st.tuples(ends, ends), max_size=8))
        low, high = (np.array([f(p) for p in pairs], dtype=float) for f in (min, max))
        mass = (
            np.array(draw(st.lists(st.integers(1, 5), min_size=len(low), max_size=len(low)))) / 10
        )
        found.append((draw(st.sampled_from([0.0, 1.0, 2.5])), low, high, mass))
    return found


@given(given_groups=groups(), continuity=st.sampled_from(["left", "right"]), weighted=st.booleans())
def test_by_definition(given_groups, continuity, weighted):
    function = OpenMass(
        [(h, Intervals.between(a, b, m if weighted else None)) for h, a, b, m in given_groups],
        4.0,
        continuity,
    )
    points = np.arange(-10, 11) / 2
    slow = np.zeros(len(points))
    for height, low, high, mass in given_groups:
        for a, b, m in zip(low, high, mass, strict=True):
            inside = (
                (a < points) & (points <= b)
                if continuity == "left"
                else (a <= points) & (points < b)
            )
            slow += height * inside * (m if weighted else 1.0) / 4.0
    np.testing.assert_allclose(function.at(points), slow, atol=1e-12)
    np.testing.assert_array_equal(Piecewise.at(function, points), function.at(points))
    assert np.all(np.diff(function.knots) > 0)
    assert function.is_steps
    assert function.domain == (-np.inf, np.inf)
    assert len(function.start) == len(function.knots) - 1


def test_nan_is_refused():
    function = OpenMass([(1.0, Intervals.between(np.zeros(1), np.ones(1), None))], 1.0, "left")
    with pytest.raises(InputError, match="'cutoff' must be a number, but is NaN"):
        function.at([0.0, np.nan], "cutoff")


def test_many_points_in_any_order():
    x = np.random.default_rng(0).normal(size=FEW + 1)
    seen = []

    def double(points):
        seen.append(np.all(np.diff(points) >= 0))
        return 2 * points

    np.testing.assert_array_equal(in_order(double, x), 2 * x)
    np.testing.assert_array_equal(in_order(double, np.sort(x)), 2 * np.sort(x))
    assert seen == [True, True]

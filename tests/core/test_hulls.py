"""Hulls and line envelopes against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roctopus.core import hulls
from roctopus.core.hulls import envelope_function, line_envelope, upper_hull

points = st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=1, max_size=15)


def is_below(p, a, b):
    return (b[0] - a[0]) * (p[1] - a[1]) <= (b[1] - a[1]) * (p[0] - a[0])


@given(points=points)
def test_hull_is_the_least_concave_cover(points):
    x, y = (np.array(axis, dtype=float) for axis in zip(*points, strict=True))
    index = upper_hull(x, y)
    hull = list(zip(x[index], y[index], strict=True))
    assert hull[0] == max((p for p in points if p[0] == x.min()), key=lambda p: p[1])
    assert hull[-1] == max((p for p in points if p[0] == x.max()), key=lambda p: p[1])
    for a, b in itertools.pairwise(hull):
        assert a[0] < b[0]
        assert all(is_below(p, a, b) for p in points)
    for a, b, c in zip(hull[:-2], hull[1:-1], hull[2:], strict=True):
        assert not is_below(b, a, c)  # every vertex is a corner


@given(lines=points)
def test_line_envelope_is_the_maximum(lines):
    slope, intercept = (np.array(axis, dtype=float) for axis in zip(*lines, strict=True))
    index, meet = line_envelope(slope, intercept)
    assert np.all(np.diff(meet) > -1e-12)
    for x in np.linspace(-15, 15, 101) + 1 / 9:
        line = index[np.searchsorted(meet, x)]
        assert np.isclose(slope[line] * x + intercept[line], np.max(slope * x + intercept))


def test_extreme_numbers():
    x = np.array([0.0, 1e200, 2e200, 1e-320])
    y = np.array([0.0, 3e250, 4e250, 0.0])
    assert upper_hull(x, y).tolist() == [0, 1, 2]
    assert upper_hull(np.zeros(3), np.array([1.0, 3.0, 3.0])).tolist() == [1]


@pytest.mark.parametrize("kind", ["walk", "ties", "concave", "down"])
def test_many_points_are_pruned_without_loss(kind):
    rng = np.random.default_rng(0)
    n = 30_000
    step = {
        "walk": lambda: rng.normal(size=n),
        "ties": lambda: rng.integers(0, 3, n).astype(float),
        "concave": lambda: np.full(n, 1.0),
        "down": lambda: -rng.exponential(size=n),
    }[kind]()
    x = np.cumsum(step)
    y = np.cumsum(np.linspace(1, -1, n) + (0 if kind == "concave" else rng.normal(size=n)))
    if kind == "ties":
        y = np.round(y)
    found = hulls.upper_hull(x, y)
    np.testing.assert_array_equal(found, hulls._hull(x, y))
    assert (len(found) > 0.9 * n) == (kind == "concave")


@given(
    points=points,
    ends=st.sampled_from([(-np.inf, np.inf), (0.0, np.inf), (-np.inf, 1.5), (-2.0, 3.0)]),
    origin=st.sampled_from([0.0, 2.5, -1.0]),
)
def test_envelope_as_a_function(points, ends, origin):
    slope, intercept = (np.array(axis, dtype=float) for axis in zip(*points, strict=True))
    function, line = envelope_function(slope, intercept, *ends, origin)
    assert len(line) == len(function)
    assert function.domain == ends
    assert not function.jumps
    for x in np.linspace(max(ends[0], -9.0), min(ends[1], 9.0), 37).tolist():
        height = float(np.max(slope * (x - origin) + intercept))
        assert function.at(x) == pytest.approx(height, abs=1e-12)
        own = line[function.piece_of(x)]
        assert slope[own] * (x - origin) + intercept[own] == pytest.approx(height, abs=1e-9)

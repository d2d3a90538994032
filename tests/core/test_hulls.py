"""Hulls and line envelopes against brute force."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from roctopus.core.hulls import line_envelope, upper_hull

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

"""Upper hulls of points and upper envelopes of lines, in compiled linear time after a sort."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

__all__ = ["line_envelope", "upper_hull"]


def upper_hull(x: Floats, y: Floats) -> Index:
    """Return the indices of the vertices of the upper convex hull, by increasing x.

    Points on a straight edge between two vertices are left out; of equal points the first is taken.
    The hull of a path is the least concave function above it: its slopes are the decreasing
    isotonic regression of the path's slopes, weighted by their widths.
    """
    from scipy.optimize import isotonic_regression

    x, y = _scaled(x), _scaled(y)
    order: Index = np.lexsort((-y, x))
    order = order[np.append(True, np.diff(x[order]) > 0)]  # the highest point at each x
    if len(order) < 3:
        return order
    width, rise = np.diff(x[order]), np.diff(y[order])
    with np.errstate(over="ignore"):
        slope = np.clip(rise / width, -1e300, 1e300)
    corners: Index = isotonic_regression(slope, weights=width, increasing=False).blocks
    return order[corners]


def line_envelope(slope: Floats, intercept: Floats) -> tuple[Index, Floats]:
    """Return which lines make the upper envelope max(slope·x + intercept), and where they meet.

    The lines come by increasing x (so by increasing slope): line ``index[j]`` is highest between
    ``meet[j-1]`` and ``meet[j]``. Lines are points of the dual plane, so this is an upper hull.
    """
    index = upper_hull(slope, intercept)
    meet = -np.diff(intercept[index]) / np.diff(slope[index])
    return index, meet


def _scaled(values: Floats) -> Floats:
    """Bring the largest value near 1 by a power of two: exact, and products stay in range."""
    largest = float(np.max(np.abs(values)))
    return np.ldexp(values, -int(np.frexp(largest)[1])) if largest > 0 else values

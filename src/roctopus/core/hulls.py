"""Upper hulls of points and upper envelopes of lines, in compiled linear time after a sort.

Points on a device are thinned there: along a ranking of 10⁸ cases a few thousand remain.
"""

from __future__ import annotations

import math
from typing import Any

import array_api_compat
import numpy as np

from roctopus.core.arrays import Array, Floats, on_device_of, to_numpy
from roctopus.core.piecewise import Index, Piecewise

FEW = 20_000
"""Up to so many points it does not pay to look at some of them first."""
LOOK, SPARSE = 1 << 14, 64
"""About so many are looked at first, one in so many at most."""


def upper_hull(x: Floats, y: Floats) -> Index:
    """Return the indices of the vertices of the upper convex hull, by increasing x.

    Points on a straight edge between two vertices are left out; of equal points the first is taken.
    The hull of a path is the least concave function above it: its slopes are the decreasing
    isotonic regression of the path's slopes, weighted by their widths.
    """
    x, y = _scaled(x), _scaled(y)
    if len(x) <= FEW:
        return _hull(x, y)
    kept = hull_candidates(x, y, xp=array_api_compat.array_namespace(x))
    return _hull(x, y) if kept is None else kept[_hull(x[kept], y[kept])]


def hull_candidates(x: Array, y: Array, *, xp: Any) -> Array | None:
    """Return the positions, in order, of the points that may be vertices; None for all.

    A point below the hull of some of the points is not on the hull of all. Some are taken at equal
    steps at first, then those that rise highest among their neighbours, and the rest are compared
    with their hull, as long as it helps: sums along a ranking hug their hull, but few are on it.
    The points stay on their device.
    """
    kept = some = None
    while x.shape[0] > FEW:
        if some is None:
            step = max(x.shape[0] // LOOK, SPARSE)
            some = xp.arange(0, x.shape[0], step, device=array_api_compat.device(x))
        hull = _hull_of(some, x, y, xp)
        if hull is None:
            break
        rise = _above(x, y, *hull, xp)
        (inside,) = xp.nonzero(rise >= 0.0)
        if 2 * inside.shape[0] > x.shape[0]:
            break
        x, y, rise = (xp.take(each, inside) for each in (x, y, rise))
        kept = inside if kept is None else xp.take(kept, inside)
        some = _highest_of_blocks(rise, xp)
    return kept


def _highest_of_blocks(rise: Array, xp: Any) -> Array:
    """Return the position of the highest point in each block of neighbours."""
    width = max(rise.shape[0] // LOOK, 1)
    count = rise.shape[0] // width
    highest = xp.argmax(xp.reshape(rise[: count * width], (count, width)), axis=1)
    return highest + width * xp.arange(count, device=array_api_compat.device(rise))


def _hull_of(some: Array, x: Array, y: Array, xp: Any) -> tuple[Floats, Floats, float] | None:
    """Return the hull of some of the points, and how far rounding may reach; None if flat."""
    ends = xp.stack([xp.argmin(x), xp.argmax(x)])
    some = xp.concat([some, xp.astype(ends, some.dtype)])
    some_x, some_y = (to_numpy(xp.take(each, some)) for each in (x, y))
    hull = _hull(_scaled(some_x), _scaled(some_y))
    if len(hull) < 2:
        return None
    knots, heights = some_x[hull], some_y[hull]
    with np.errstate(over="ignore"):
        steep = np.diff(heights) / np.diff(knots)
    if not np.isfinite(steep).all():
        return None
    return knots, heights, 1e-9 * float(np.max(np.abs(some_y)))


def _above(x: Array, y: Array, knots: Floats, heights: Floats, rounding: float, xp: Any) -> Array:
    """Return how far points are above a hull that spans all x, rounding in their favour."""
    heights = heights - rounding
    if isinstance(x, np.ndarray):
        return y - np.interp(x, knots, heights)
    slope = np.diff(heights) / np.diff(knots)
    table = [on_device_of(x, each, xp=xp) for each in (knots[:-1], heights[:-1], slope)]
    piece = xp.searchsorted(table[0][1:], x, side="right")
    start, height, rise = (xp.take(each, piece) for each in table)
    return y - ((x - start) * rise + height)


def _hull(x: Floats, y: Floats) -> Index:
    from scipy.optimize import isotonic_regression

    order = _highest_by_x(x, y)
    if len(order) < 3:
        return order
    width, rise = np.diff(x[order]), np.diff(y[order])
    with np.errstate(over="ignore"):
        slope = np.clip(rise / width, -1e300, 1e300)
    corners: Index = isotonic_regression(slope, weights=width, increasing=False).blocks
    return order[corners]


def _highest_by_x(x: Floats, y: Floats) -> Index:
    """Return the points by increasing x, the highest at each x, the first of equal ones."""
    if np.all(x[1:] <= x[:-1]):  # sums along a ranking often come in order, up or down
        return _highest_by_x(-x, y)[::-1] if x[0] > x[-1] else np.array([np.argmax(y)])
    order: Index = np.arange(len(x))
    if not np.all(x[1:] >= x[:-1]):
        order = np.argsort(x, kind="stable")
        x, y = x[order], y[order]
    first = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    if len(first) == len(x):
        return order
    top = np.repeat(np.maximum.reduceat(y, first), np.diff(first, append=len(x)))
    highest = np.flatnonzero(y == top)
    first_of_equal = np.append(True, x[highest[1:]] != x[highest[:-1]])
    return np.asarray(order[highest[first_of_equal]])


def line_envelope(slope: Floats, intercept: Floats) -> tuple[Index, Floats]:
    """Return which lines make the upper envelope max(slope·x + intercept), and where they meet.

    The lines come by increasing x (so by increasing slope): line ``index[j]`` is highest between
    ``meet[j-1]`` and ``meet[j]``. Lines are points of the dual plane, so this is an upper hull.
    """
    index = upper_hull(slope, intercept)
    with np.errstate(over="ignore"):  # lines as good as parallel meet at infinity
        meet = -np.diff(intercept[index]) / np.diff(slope[index])
    return index, meet


def envelope_function(
    slope: Floats, intercept: Floats, low: float, high: float, origin: float = 0.0
) -> tuple[Piecewise, Index]:
    """Return max(slope·(x − origin) + intercept) on [low, high], and the line of each piece.

    The ends may be infinite. At a knot its two lines are equal up to rounding: the higher of them
    is the height, so that nothing jumps.
    """
    index, meet = line_envelope(slope, intercept)
    meet = np.maximum.accumulate(meet + origin)
    first, last = int(np.searchsorted(meet, low, "right")), int(np.searchsorted(meet, high, "left"))
    inner, lines = meet[first:last], index[first : last + 1]
    if len(inner):  # meetings that round to one point are one
        apart = inner[1:] > inner[:-1]
        lines = lines[np.concatenate([[True], apart, [True]])]
        inner = inner[np.append(True, apart)]
    elif math.isinf(low) and math.isinf(high) and slope[lines[0]] != 0.0:
        inner, lines = np.array([origin]), np.repeat(lines, 2)  # a tail hangs on a knot

    def height(line: Any, x: Any) -> Any:
        return slope[line] * (x - origin) + intercept[line]

    at = np.maximum(height(lines[:-1], inner), height(lines[1:], inner))
    # Beyond the outer finite knots a piece has its value there.
    known = [height(line, x) for line, x in ((lines[0], low), (lines[-1], high)) if abs(x) < np.inf]
    known += [*at[:1], intercept[lines[0]]]
    begin = known[0] if math.isfinite(low) or not len(at) else at[0]
    finish = height(lines[-1], high) if math.isfinite(high) else at[-1] if len(at) else begin
    return Piecewise(
        np.concatenate([[low], inner, [high]]),
        np.append(begin, at),
        np.append(at, finish),
        tails=(
            float(slope[lines[0]]) if math.isinf(low) else 0.0,
            float(slope[lines[-1]]) if math.isinf(high) else 0.0,
        ),
    ), lines


def _scaled(values: Floats) -> Floats:
    """Bring extreme values near 1 by a power of two: exact, and products stay in range."""
    largest = float(np.max(np.abs(values)))
    if largest == 0.0 or 1e-100 < largest < 1e100:
        return values
    return np.ldexp(values, -int(np.frexp(largest)[1]))

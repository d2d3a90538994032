"""Leave out points that cannot be on an upper hull, on the device they are on.

The hull itself is found in numpy: along a ranking of 10⁸ cases a few thousand points remain.
"""

from __future__ import annotations

from typing import Any

import array_api_compat
import numpy as np

from roctopus.core.arrays import Array, Floats, on_device_of, to_numpy
from roctopus.core.hulls import upper_hull

__all__ = ["hull_candidates"]

FEW = 1 << 16
"""So many points are no trouble for numpy."""
LOOK = 1 << 14
"""About so many are looked at first."""


def hull_candidates(x: Array, y: Array, *, xp: Any) -> Array | None:
    """Return the positions, in order, of the points that may be vertices; None for all.

    A point below the hull of some of the points is not on the hull of all. Some are taken at equal
    steps at first, then those that rise highest among their neighbours, and the rest are compared
    with their hull, as long as it helps.
    """
    kept = some = None
    while x.shape[0] > FEW:
        if some is None:
            step = x.shape[0] // LOOK
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
    """Return the hull of some of the points, and how far rounding may reach."""
    ends = xp.stack([xp.argmin(x), xp.argmax(x)])
    some = xp.concat([some, xp.astype(ends, some.dtype)])
    some_x, some_y = (to_numpy(xp.take(each, some)) for each in (x, y))
    hull = upper_hull(some_x, some_y)
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
    slope = np.diff(heights) / np.diff(knots)
    table = [on_device_of(x, each, xp=xp) for each in (knots[:-1], heights[:-1] - rounding, slope)]
    piece = xp.searchsorted(table[0][1:], x, side="right")
    start, height, rise = (xp.take(each, piece) for each in table)
    return y - ((x - start) * rise + height)

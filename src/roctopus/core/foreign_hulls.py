"""Leave out points that cannot be on an upper hull, on the device they are on.

The hull itself is found in numpy: along a ranking of 10⁸ cases a few thousand points remain.
"""

from __future__ import annotations

from typing import Any

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
    steps and the rest are compared with their hull, again and again, as long as it helps.
    """
    kept = None
    while x.shape[0] > FEW:
        hull = _hull_of_some(x, y, xp)
        if hull is None:
            break
        (inside,) = xp.nonzero(_not_below(x, y, *hull, xp))
        if 2 * inside.shape[0] > x.shape[0]:
            break
        x, y = xp.take(x, inside), xp.take(y, inside)
        kept = inside if kept is None else xp.take(kept, inside)
    return kept


def _hull_of_some(x: Array, y: Array, xp: Any) -> tuple[Floats, Floats, float] | None:
    """Return the hull of some of the points, and how far rounding may reach."""
    step = x.shape[0] // LOOK
    some = (to_numpy(xp.concat([each[::step], each[-1:]])) for each in (x, y))
    some_x, some_y = some
    hull = upper_hull(some_x, some_y)
    if len(hull) < 2:
        return None
    return some_x[hull], some_y[hull], 1e-9 * float(np.max(np.abs(some_y)))


def _not_below(
    x: Array, y: Array, knots: Floats, heights: Floats, rounding: float, xp: Any
) -> Array:
    with np.errstate(over="ignore"):
        rise = np.diff(heights) / np.diff(knots)
    if not np.isfinite(rise).all():
        return xp.ones_like(x, dtype=xp.bool)
    table = [on_device_of(x, each, xp=xp) for each in (knots[:-1], heights[:-1] - rounding, rise)]
    piece = xp.searchsorted(table[0][1:], x, side="right")
    start, height, slope = (xp.take(each, piece) for each in table)
    bound = (x - start) * slope + height
    return (y >= bound) | (x < float(knots[0])) | (x > float(knots[-1]))

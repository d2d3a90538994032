"""Cut a sorted list into consecutive parts, one per label in order, at the least cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index


def cheapest_cuts(cost: Floats, *, highest: bool = False) -> Index:
    """Return the positions of the cuts of least cost, the lowest or highest of equally good ones.

    Row h of ``cost`` holds what all items below each position cost under label h. Along the list
    the label can only rise. The best way to reach label h at a position is a running minimum over
    where it was entered: O(n·r) in all.
    """
    reached = cost[0]
    entered = []
    for under_label in cost[1:]:
        entered.append(reached - under_label)
        reached = under_label + np.minimum.accumulate(entered[-1])
    positions = np.empty(len(entered), dtype=np.intp)
    end = cost.shape[1] - 1
    for h in range(len(entered) - 1, -1, -1):
        reachable = entered[h][: end + 1]
        end = end - int(np.argmin(reachable[::-1])) if highest else int(np.argmin(reachable))
        positions[h] = end
    return positions


class CutLine(NamedTuple):
    """What certain cuts cost, as a line over a context."""

    cuts: Index
    intercept: float
    slope: float


def trace_lowest_lines(
    solve: Callable[[float], CutLine], low: float, high: float
) -> tuple[Floats, list[CutLine]]:
    """Find all lines of the lower envelope: where two of them meet, a third may lie below.

    ``solve`` gives the lowest line at one context. Returned are the knots, and a line per piece.
    """
    pieces = [solve(low)]
    knots = [low]
    waiting = [(high, solve(high))]
    while waiting:
        end, right = waiting[-1]
        left = pieces[-1]
        rise = left.slope - right.slope
        meet = (right.intercept - left.intercept) / rise if rise else end
        if not rise or not knots[-1] < meet < end:
            if meet <= knots[-1] and rise:
                pieces[-1] = right  # the left one is best at a point only
            waiting.pop()
            continue
        between = solve(meet)
        height = left.intercept + left.slope * meet
        # Heights may cancel to nothing: rounding is that of their terms.
        rounding = 1e-12 * max(
            abs(line.slope * meet) + abs(line.intercept) for line in (left, right)
        )
        new = left.slope != between.slope != right.slope
        if new and between.intercept + between.slope * meet < height - rounding:
            waiting.append((meet, between))
        else:
            knots.append(meet)
            pieces.append(right)
            waiting.pop()
    return np.array([*knots, high]), pieces

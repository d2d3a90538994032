"""Lower and upper envelopes of many piecewise functions, with exact crossings and owners."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.cells import Cells, lowest_cells
from roctopus.core.piecewise import Index, Piecewise, check_compatible, level_tails

RANGES = 4096
"""At most so many ranges in which contenders are separated from the rest by crude bounds."""

PIECES_PER_RANGE = 256
"""Below this many pieces a range is not worth its own look."""


@dataclass(frozen=True, eq=False)
class PiecewiseEnvelope:
    """The best of several functions; cell j is piece ``piece[j]`` of function ``owner[j]``."""

    function: Piecewise
    owner: Index
    piece: Index

    def gather(self, columns: Sequence[Floats]) -> Floats:
        """Pick a value per cell from columns that hold one value per piece of each function."""
        picked = np.empty((len(self.owner), *columns[0].shape[1:]))
        for number, column in enumerate(columns):
            mine = self._cells_of(number)
            picked[mine] = column[self.piece[mine]]
        return picked

    def _cells_of(self, number: int) -> Index | slice:
        cells = np.flatnonzero(self.owner == number)
        if len(cells) and cells[-1] - cells[0] + 1 == len(cells):
            return slice(int(cells[0]), int(cells[-1]) + 1)
        return cells


def upper_envelope(functions: Sequence[Piecewise], tie_tolerance: float = 0.0) -> PiecewiseEnvelope:
    """Return the largest of the functions everywhere; ties as in ``lower_envelope``."""
    flipped = lower_envelope([f.scale(-1.0) for f in functions], tie_tolerance)
    return PiecewiseEnvelope(flipped.function.scale(-1.0), flipped.owner, flipped.piece)


def lower_envelope(functions: Sequence[Piecewise], tie_tolerance: float = 0.0) -> PiecewiseEnvelope:
    """Return the smallest of the functions everywhere; where several are equal, the first of them.

    Values whose relative difference is at most ``tie_tolerance`` count as equal, so that two
    functions that differ by rounding only do not take turns a thousand times.

    Ranges where crude bounds leave one contender are settled at once. Elsewhere the contenders'
    knots are merged and every cell between neighbouring knots gets its owner.
    """
    continuity = check_compatible(functions)
    extended = _with_knots_beyond_tail_crossings(functions)
    cells = Cells.joined(
        [
            block
            for low, high, contenders in _contested_ranges(extended, tie_tolerance)
            for block in _settle(extended, low, high, contenders, tie_tolerance)
        ]
    )
    if extended is not functions:
        cells = _without_added_knots(cells, functions, extended)
    function = Piecewise(
        np.append(cells.left, functions[0].knots[-1]),
        cells.start,
        cells.start if all(f.is_steps for f in functions) else cells.end,
        continuity,
        (functions[cells.owner[0]].tails[0], functions[cells.owner[-1]].tails[1]),
    )
    return PiecewiseEnvelope(function, cells.owner, cells.piece)


def _contested_ranges(
    functions: Sequence[Piecewise], tie_tolerance: float
) -> Iterator[tuple[float, float, list[int]]]:
    """Cut the domain into ranges, each with the functions that may be lowest somewhere in it."""
    step = max(PIECES_PER_RANGE, sum(len(f) for f in functions) // RANGES)
    edges = np.unique(np.concatenate([f.knots[::step] for f in functions]))
    edges = np.append(edges[edges < functions[0].knots[-1]], functions[0].knots[-1])
    lows, highs = np.transpose([_bounds(f, edges) for f in functions], (1, 0, 2))
    reached = highs.min(axis=0)
    contends = lows <= (reached + tie_tolerance * np.abs(reached) if tie_tolerance else reached)
    changes = np.flatnonzero((contends[:, 1:] != contends[:, :-1]).any(axis=0)) + 1
    borders = [0, *changes.tolist(), len(edges) - 1]
    for first, last in itertools.pairwise(borders):
        contenders = np.flatnonzero(contends[:, first]).tolist()
        yield float(edges[first]), float(edges[last]), contenders


def _bounds(f: Piecewise, edges: Floats) -> tuple[Floats, Floats]:
    """Return a lower and an upper bound of the function between neighbouring edges."""
    first = np.searchsorted(f.knots[1:-1], edges[:-1], side="right")
    last = np.searchsorted(f.knots[1:-1], edges[1:], side="left")
    low, high = np.minimum(f.start, f.end), np.maximum(f.start, f.end)
    lowest = np.minimum(np.minimum.reduceat(low, first), low[last])
    highest = np.maximum(np.maximum.reduceat(high, first), high[last])
    if any(f.tails):  # a sloped tail has no bound
        unbounded = np.isinf(edges[:-1]) | np.isinf(edges[1:])
        lowest[unbounded], highest[unbounded] = -np.inf, np.inf
    return lowest, highest


def _settle(
    functions: Sequence[Piecewise],
    low: float,
    high: float,
    contenders: list[int],
    tie_tolerance: float,
) -> Iterator[Cells]:
    """Find the owners in one range among its contenders."""
    parts = [functions[number].restrict(low, high) for number in contenders]
    offsets = [functions[number].pieces_within(low, high).start for number in contenders]
    if len(parts) == 1:
        part = parts[0]
        piece = np.arange(len(part)) + offsets[0]
        yield Cells(part.knots[:-1], part.start, part.end, np.full(len(part), contenders[0]), piece)
        return
    names, shift = np.asarray(contenders), np.asarray(offsets)
    for cells in lowest_cells(parts, tie_tolerance):
        piece = cells.piece + shift[cells.owner]
        yield Cells(cells.left, cells.start, cells.end, names[cells.owner], piece)


def _with_knots_beyond_tail_crossings(functions: Sequence[Piecewise]) -> Sequence[Piecewise]:
    """Give all functions knots so far out that sloped tails no longer cross beyond them."""
    if not any(slope for f in functions for slope in f.tails):
        return functions
    low, high = functions[0].domain
    inner = np.concatenate([f.knots[np.isfinite(f.knots)] for f in functions])
    extra = []
    for side, end, edge in ((0, low, np.min), (1, high, np.max)):
        slope = np.array([f.tails[side] for f in functions])
        if math.isinf(end) and slope.any():
            knot = float(edge(inner)) if len(inner) else 0.0
            value = np.array([_on_tail(f, side, knot) for f in functions])
            gap, turn = np.subtract.outer(value, value), -np.subtract.outer(slope, slope)
            with np.errstate(divide="ignore", invalid="ignore"):
                crossing = knot + np.where(turn != 0, gap / turn, 0.0)
            reach = float(edge(crossing))
            extra.append(reach + (1.0 + abs(reach)) * (1.0 if side else -1.0))
    return [f.with_knots(np.array(extra)) for f in functions] if extra else functions


def _on_tail(f: Piecewise, side: int, x: float) -> float:
    """Return the value of a function's tail, continued to x: at its knot the function may jump."""
    knot, value = (f.knots[1], f.end[0]) if side == 0 else (f.knots[-2], f.start[-1])
    return float(value + f.tails[side] * (x - knot)) if math.isfinite(knot) else float(value)


def _without_added_knots(
    cells: Cells, functions: Sequence[Piecewise], extended: Sequence[Piecewise]
) -> Cells:
    """Return to the pieces before knots were added, joining what these knots had cut."""
    piece = cells.piece.copy()
    for number, (f, longer) in enumerate(zip(functions, extended, strict=True)):
        original = np.searchsorted(f.knots[1:-1], longer.knots[:-1], side="right")
        mine = cells.owner == number
        piece[mine] = original[piece[mine]]
    cells = Cells(cells.left, cells.start.copy(), cells.end.copy(), cells.owner, piece).merged()
    level_tails(functions[0].knots, cells.start, cells.end)
    return cells

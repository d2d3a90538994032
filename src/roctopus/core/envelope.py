"""Lower and upper envelopes of many piecewise functions, with exact crossings and owners."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index, Piecewise, check_compatible

__all__ = ["PiecewiseEnvelope", "lower_envelope", "upper_envelope"]

BLOCK = 1 << 16
"""Cells worked on at a time: few enough to stay in the processor's cache."""

RANGES = 4096
"""At most so many ranges in which contenders are told from the rest by crude bounds."""

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
        picked = np.empty(len(self.owner))
        for number, column in enumerate(columns):
            mine = self._cells_of(number)
            picked[mine] = column[self.piece[mine]]
        return picked

    def _cells_of(self, number: int) -> Index | slice:
        cells = np.flatnonzero(self.owner == number)
        if len(cells) and cells[-1] - cells[0] + 1 == len(cells):
            return slice(int(cells[0]), int(cells[-1]) + 1)
        return cells


@dataclass(frozen=True, eq=False)
class _Cells:
    """Neighbouring cells with the limits, the owner and the owner's piece in each."""

    left: Floats
    start: Floats
    end: Floats
    owner: Index
    piece: Index

    @staticmethod
    def joined(blocks: Sequence[_Cells]) -> _Cells:
        """Lay blocks side by side."""
        columns = (
            np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(_Cells)
        )
        return _Cells(*columns).merged()

    def merged(self) -> _Cells:
        """Join neighbours that are parts of one piece of one function."""
        new = (self.owner[1:] != self.owner[:-1]) | (self.piece[1:] != self.piece[:-1])
        if new.all():
            return self
        first, last = np.append(True, new), np.append(new, True)
        return _Cells(
            self.left[first],
            self.start[first],
            self.end[last],
            self.owner[first],
            self.piece[first],
        )


def upper_envelope(functions: Sequence[Piecewise], tie_tolerance: float = 0.0) -> PiecewiseEnvelope:
    """Return the largest of the functions everywhere; ties as in ``lower_envelope``."""
    flipped = lower_envelope([f.scale(-1.0) for f in functions], tie_tolerance)
    return PiecewiseEnvelope(flipped.function.scale(-1.0), flipped.owner, flipped.piece)


def lower_envelope(functions: Sequence[Piecewise], tie_tolerance: float = 0.0) -> PiecewiseEnvelope:
    """Return the smallest of the functions everywhere; where several are equal, the first of them.

    Values whose relative difference is at most ``tie_tolerance`` count as equal, so that two
    functions that differ by rounding only do not take turns a thousand times.

    Ranges where crude bounds leave one contender are settled at once. Elsewhere the contenders'
    knots are merged; on a cell between neighbouring knots all are lines, and one that is lowest at
    both ends owns the cell. Where the two ends disagree, lines cross inside and the cell is split
    there.
    """
    check_compatible(functions)
    extended = _with_knots_beyond_tail_crossings(functions)
    cells = _Cells.joined(
        [
            block
            for low, high, contenders in _contested_ranges(extended)
            for block in _settle(extended, low, high, contenders, tie_tolerance)
        ]
    )
    if extended is not functions:
        cells = _without_added_knots(cells, functions, extended)
    function = Piecewise(
        np.append(cells.left, functions[0].knots[-1]),
        cells.start,
        cells.end,
        functions[0].continuity,
        (functions[cells.owner[0]].tails[0], functions[cells.owner[-1]].tails[1]),
    )
    return PiecewiseEnvelope(function, cells.owner, cells.piece)


def _contested_ranges(functions: Sequence[Piecewise]) -> Iterator[tuple[float, float, list[int]]]:
    """Cut the domain into ranges, each with the functions that may be lowest somewhere in it."""
    step = max(PIECES_PER_RANGE, sum(len(f) for f in functions) // RANGES)
    edges = np.unique(np.concatenate([f.knots[::step] for f in functions]))
    edges = np.append(edges[edges < functions[0].knots[-1]], functions[0].knots[-1])
    lows, highs = np.transpose([_bounds(f, edges) for f in functions], (1, 0, 2))
    contends = lows <= highs.min(axis=0)
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
) -> Iterator[_Cells]:
    """Find the owners in one range among its contenders."""
    parts = [functions[number].restrict(low, high) for number in contenders]
    offsets = [
        int(np.searchsorted(functions[number].knots[1:-1], low, side="right"))
        for number in contenders
    ]
    if len(parts) == 1:
        part = parts[0]
        piece = np.arange(len(part)) + offsets[0]
        yield _Cells(
            part.knots[:-1], part.start, part.end, np.full(len(part), contenders[0]), piece
        )
        return
    names, shift = np.asarray(contenders), np.asarray(offsets)
    for left, right, pieces in _blocks(parts):
        cells = _lowest(parts, left, right, pieces, tie_tolerance)
        piece = cells.piece + shift[cells.owner]
        yield _Cells(cells.left, cells.start, cells.end, names[cells.owner], piece)


def _lowest(
    functions: Sequence[Piecewise],
    left: Floats,
    right: Floats,
    pieces: list[Index | slice],
    tie_tolerance: float,
) -> _Cells:
    """Find the owner of every cell of one block."""
    limits = [f.limits(left, right, piece) for f, piece in zip(functions, pieces, strict=True)]
    start, end = (limit.copy() for limit in limits[0])
    owner_at_start = np.zeros(len(left), dtype=np.intp)
    owner_at_end = owner_at_start.copy()
    for number, (low, high) in enumerate(limits[1:], start=1):
        for best, value, owner in ((start, low, owner_at_start), (end, high, owner_at_end)):
            lower = value < (best - tie_tolerance * np.abs(best) if tie_tolerance else best)
            owner[lower] = number
            np.copyto(best, value, where=lower)
    split = np.flatnonzero(owner_at_start != owner_at_end)
    owner = owner_at_start
    if len(split):
        within = _split_crossed(
            left[split], right[split], [(s[split], e[split]) for s, e in limits], tie_tolerance
        )
        parent, left_new, start_new, end_new, owner_new = within
        counts = np.ones(len(left), dtype=np.intp)
        counts[split] = np.bincount(parent, minlength=len(split))
        target = np.repeat(np.isin(np.arange(len(left)), split), counts)
        cell = np.repeat(np.arange(len(left)), counts)
        left, start, end, owner = left[cell], start[cell], end[cell], owner[cell]
        left[target], start[target], end[target], owner[target] = (
            left_new, start_new, end_new, owner_new,
        )  # fmt: skip
    else:
        cell = np.arange(len(left))
    piece = np.empty(len(left), dtype=np.intp)
    for number, own in enumerate(pieces):
        mine = owner == number
        index = cell[mine]
        piece[mine] = index + own.start if isinstance(own, slice) else own[index]
    return _Cells(left, start, end, owner, piece).merged()


def _split_crossed(
    left: Floats, right: Floats, limits: list[tuple[Floats, Floats]], tie_tolerance: float
) -> tuple[Index, Floats, Floats, Floats, Index]:
    """Split cells at the crossings of the lines in them, taking in one function after another.

    Returns, in order: the cell each part comes from, its left end, its limits, its owner.
    """
    parent = np.arange(len(left))
    owner = np.zeros(len(left), dtype=np.intp)
    # Parts are kept by the share of their cell they begin and end at: exact at the cell's ends.
    begin, stop = np.zeros(len(left)), np.ones(len(left))
    start, end = limits[0]
    for number, (low, high) in enumerate(limits[1:], start=1):
        rise = (high - low)[parent]
        other_start = np.where(begin == 0.0, low[parent], low[parent] + rise * begin)
        other_end = np.where(stop == 1.0, high[parent], low[parent] + rise * stop)
        lead = _difference(start, other_start, tie_tolerance)
        lead_end = _difference(end, other_end, tie_tolerance)
        crosses = ((lead > 0) & (lead_end < 0)) | ((lead < 0) & (lead_end > 0))
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(crosses, lead / (lead - lead_end), 0.0)
        middle = begin + share * (stop - begin)
        inside = crosses & (middle > begin) & (middle < stop)
        wins_first = np.where(inside, lead > 0, (lead > 0) | (lead_end > 0))
        height = start + share * (end - start)
        parts = 1 + inside
        part = np.repeat(np.arange(len(parent)), parts)
        second = np.append(False, part[1:] == part[:-1])
        first_of_two = np.append(part[1:] == part[:-1], False)
        wins = wins_first[part] ^ second
        owner = np.where(wins, number, owner[part])
        start, end = (
            np.where(second, height[part], np.where(wins, other_start[part], start[part])),
            np.where(first_of_two, height[part], np.where(wins, other_end[part], end[part])),
        )
        begin, stop = (
            np.where(second, middle[part], begin[part]),
            np.where(first_of_two, middle[part], stop[part]),
        )
        parent = parent[part]
    return parent, left[parent] + begin * (right - left)[parent], start, end, owner


def _difference(a: Floats, b: Floats, tie_tolerance: float) -> Floats:
    gap = a - b
    return np.where(np.abs(gap) <= tie_tolerance * np.abs(a), 0.0, gap)


def _blocks(
    functions: Sequence[Piecewise],
) -> Iterator[tuple[Floats, Floats, list[Index | slice]]]:
    """Yield blocks of cells of the common refinement, with the piece of every function in each."""
    knots = functions[0].knots
    if all(len(f.knots) == len(knots) and np.array_equal(f.knots, knots) for f in functions[1:]):
        for low in range(0, len(knots) - 1, BLOCK):
            own = slice(low, min(low + BLOCK, len(knots) - 1))
            right = knots[own.start + 1 : own.stop + 1]
            yield knots[own], right, [own for _ in functions]
        return
    union = np.concatenate([f.knots for f in functions])
    sizes = [len(f.knots) for f in functions]
    source = np.repeat(np.arange(len(functions), dtype=np.int16), sizes)
    order = np.argsort(union, kind="stable")  # finds the sorted runs and merges them
    union, source = union[order], source[order]
    del order
    seen = np.zeros(len(functions), dtype=np.intp)
    end = len(union) - int(np.count_nonzero(union == union[-1]))
    for low in range(0, end, BLOCK):
        high = min(low + BLOCK, end)
        left, right = union[low:high], union[low + 1 : high + 1]
        cell = left != right
        pieces: list[Index | slice] = []
        for number in range(len(functions)):
            # Counting the knots of a function passed so far names its piece.
            count = np.cumsum(source[low:high] == number, dtype=np.intp) + seen[number]
            seen[number] = count[-1]
            pieces.append(count[cell] - 1)
        if cell.any():
            yield left[cell], right[cell], pieces


def _with_knots_beyond_tail_crossings(functions: Sequence[Piecewise]) -> Sequence[Piecewise]:
    """Give all functions knots so far out that sloped tails cross no more beyond them."""
    if not any(slope for f in functions for slope in f.tails):
        return functions
    low, high = functions[0].domain
    inner = np.concatenate([f.knots[np.isfinite(f.knots)] for f in functions])
    extra = []
    for side, end, edge in ((0, low, np.min), (1, high, np.max)):
        slope = np.array([f.tails[side] for f in functions])
        if math.isinf(end) and slope.any():
            knot = float(edge(inner)) if len(inner) else 0.0
            value = np.array([float(f.at(knot)) for f in functions])
            gap, turn = np.subtract.outer(value, value), -np.subtract.outer(slope, slope)
            with np.errstate(divide="ignore", invalid="ignore"):
                crossing = knot + np.where(turn != 0, gap / turn, 0.0)
            reach = float(edge(crossing))
            extra.append(reach + (1.0 + abs(reach)) * (1.0 if side else -1.0))
    return [f.with_knots(np.array(extra)) for f in functions] if extra else functions


def _without_added_knots(
    cells: _Cells, functions: Sequence[Piecewise], extended: Sequence[Piecewise]
) -> _Cells:
    """Return to the pieces before knots were added, joining what these knots had cut."""
    piece = cells.piece.copy()
    for number, (f, longer) in enumerate(zip(functions, extended, strict=True)):
        original = np.searchsorted(f.knots[1:-1], longer.knots[:-1], side="right")
        mine = cells.owner == number
        piece[mine] = original[piece[mine]]
    cells = _Cells(cells.left, cells.start.copy(), cells.end.copy(), cells.owner, piece).merged()
    low, high = functions[0].domain
    if math.isinf(low):
        cells.start[0] = cells.end[0]
    if math.isinf(high):
        cells.end[-1] = cells.start[-1]
    return cells

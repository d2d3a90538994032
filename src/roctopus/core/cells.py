"""Cells between neighbouring knots of several piecewise functions, and who is lowest in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index, Piecewise

BLOCK = 1 << 16
"""Cells worked on at a time: few enough to stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Neighbouring cells with the limits, the owner and the owner's piece in each."""

    left: Floats
    start: Floats
    end: Floats
    owner: Index
    piece: Index

    @staticmethod
    def joined(blocks: Sequence[Cells]) -> Cells:
        """Lay blocks side by side."""
        columns = (
            np.concatenate([getattr(block, field.name) for block in blocks])
            for field in fields(Cells)
        )
        return Cells(*columns).merged()

    def merged(self) -> Cells:
        """Join neighbours that are parts of one piece of one function."""
        new = (self.owner[1:] != self.owner[:-1]) | (self.piece[1:] != self.piece[:-1])
        if new.all():
            return self
        first, last = np.append(True, new), np.append(new, True)
        return Cells(
            self.left[first],
            self.start[first],
            self.end[last],
            self.owner[first],
            self.piece[first],
        )


def lowest_cells(functions: Sequence[Piecewise], tie_tolerance: float) -> Iterator[Cells]:
    """Yield blocks of neighbouring cells with the lowest function in each.

    All functions are lines in a cell. One that is lowest at both ends owns the cell; where the two
    ends disagree, lines cross inside and the cell is split there.
    """
    for left, right, pieces in _blocks(functions):
        yield _lowest(functions, left, right, pieces, tie_tolerance)


def _lowest(
    functions: Sequence[Piecewise],
    left: Floats,
    right: Floats,
    pieces: list[Index | slice],
    tie_tolerance: float,
) -> Cells:
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
    return Cells(left, start, end, owner, piece).merged()


def _split_crossed(
    left: Floats, right: Floats, limits: list[tuple[Floats, Floats]], tie_tolerance: float
) -> tuple[Index, Floats, Floats, Floats, Index]:
    """Split cells at the crossings of the lines in them, taking in one function after another.

    Returns, in order: the cell each part comes from, its left end, its limits, its owner.
    """
    parent = np.arange(len(left))
    owner = np.zeros(len(left), dtype=np.intp)
    # An unbounded cell has equal limits at both ends: nothing rises and nothing crosses in it.
    width = np.where(np.isfinite(right - left), right - left, 1.0)
    begin, stop = left, right
    start, end = limits[0]
    for number, (low, high) in enumerate(limits[1:], start=1):
        rise = ((high - low) / width)[parent]
        other_start = low[parent] + rise * (begin - left[parent])
        other_end = high[parent] - rise * (right[parent] - stop)
        lead = _difference(start, other_start, tie_tolerance)
        lead_end = _difference(end, other_end, tie_tolerance)
        crosses = ((lead > 0) & (lead_end < 0)) | ((lead < 0) & (lead_end > 0))
        share = np.where(crosses, lead, 0.0) / np.where(crosses, lead - lead_end, 1.0)
        middle = np.where(crosses, begin + share * np.where(crosses, stop - begin, 0.0), begin)
        inside = crosses & (middle > begin) & (middle < stop)
        # A crossing that rounding puts on an end of the part leaves all of it to the other end.
        decides_at_start = crosses & (middle > begin)
        wins_first = np.where(decides_at_start, lead > 0, ((lead > 0) & ~crosses) | (lead_end > 0))
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
    return parent, begin, start, end, owner


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

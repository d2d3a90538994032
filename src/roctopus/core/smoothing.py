"""Pairs of scores compared through segments of a width: the kernel under smoothed ROC areas.

A positive x and a negative y whose segments of width d overlap are in order with probability
1 − ½(1 − δ/d)² for 0 < δ = x − y < d, and ½(1 − |δ|/d)² for −d < δ ≤ 0. Sums over a sliding window
come from running sums; these are kept in coordinates local to blocks of a few d, so that narrow
windows cost no digits but those of the scores themselves: eps·|score|/d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores, chain_share
from roctopus.core.piecewise import Index

CHUNK = 1 << 13
"""Positives compared at a time."""
BLOCK = 4.0
"""Widths in a block: more cost digits (eps·BLOCK²), fewer cost time."""


class WindowSums:
    """Running sums of masses and of powers of scores, local to blocks of a few widths."""

    def __init__(self, scores: ClassScores, width: float) -> None:
        self.width, self.origin = width, float(scores.score[0])
        position = (scores.score - self.origin) / width
        self.block = np.floor(position / BLOCK)
        position -= BLOCK * self.block
        power = scores.mass
        self.sums = [np.append(0.0, np.cumsum(power))]
        for _ in range(2):
            power = power * position
            self.sums.append(np.append(0.0, np.cumsum(power)))
        self.first: Index | None = None
        if self.block[-1] < len(self.block):  # few blocks: a table instead of a search
            self.first = np.searchsorted(self.block, np.arange(self.block[-1] + 2.0))

    def starts_of(self, blocks: Floats) -> Index:
        """Return where the first score in each block, or after it, stands."""
        if self.first is None:
            return np.searchsorted(self.block, blocks)
        return self.first.take(np.clip(blocks, 0.0, len(self.first) - 1.0).astype(np.intp))

    def moments(self, start: Floats, low: Index, high: Index) -> tuple[Floats, Floats, Floats]:
        """Return Σm, Σm·t and Σm·t² with t = (score − start)/width over the scores low to high.

        All of them lie within one width above ``start``: in its block or in the next.
        """
        position = (start - self.origin) / self.width
        block = np.floor(position / BLOCK)
        shift = BLOCK * block - position
        edge = self.starts_of(block + 1.0)
        np.clip(edge, low, high, out=edge)
        found = self._within_block(shift, low, edge)
        if not np.array_equal(edge, high):
            shift += BLOCK
            for total, further in zip(found, self._within_block(shift, edge, high), strict=True):
                total += further
        return found

    def _within_block(
        self, shift: Floats, low: Index, high: Index
    ) -> tuple[Floats, Floats, Floats]:
        """Return the moments of t = local score + shift over the scores low to high."""
        zeroth, first, second = (run.take(high) - run.take(low) for run in self.sums)
        moved = shift * zeroth
        linear = first + moved
        first += linear
        first *= shift
        second += first  # Σ(u + s)² = Σu² + s(Σu + (Σu + sΣ1))
        return zeroth, linear, second


@dataclass(frozen=True)
class SmoothedParts:
    """The area at a width in two parts, one falling and one rising with the width."""

    falling: float
    """From pairs in the right order: 1 each, less the more their segments overlap."""
    rising: float
    """From tied pairs and pairs in the wrong order: up to ½ each as segments overlap."""

    @property
    def area(self) -> float:
        """Their sum."""
        return self.falling + self.rising


@dataclass(frozen=True)
class PairAreas(SmoothedParts):
    """The area at one width d, and the parts it is made of.

    As long as no further pair starts to overlap, Area is ``constant + linear/d + square/d²``.
    """

    constant: float
    linear: float
    square: float


def _with_overlap(x: Floats, mass: Floats, negatives: ClassScores, sums: WindowSums) -> Floats:
    """Return sums over pairs of some positives: those in order, and moments of overlaps.

    The moments Σ1, Σt, Σt² are of t = 1 − δ/d for y in (x − d, x), then of t = −δ/d for y in
    [x, x + d).
    """
    y, width = negatives.score, sums.width
    below = np.searchsorted(y, x)
    up_to = below + (y.take(below, mode="clip") == x)  # scores of a class are distinct
    start = np.minimum(np.searchsorted(y, x - width, side="right"), below)
    stop = np.maximum(np.searchsorted(y, x + width), up_to)  # ties overlap always
    right = sums.moments(x - width, start, below)
    wrong = sums.moments(x, below, stop)
    values = (sums.sums[0].take(below), *right, *wrong)
    return np.array([np.sum(mass * each) for each in values])


def pair_areas(positives: ClassScores, negatives: ClassScores, width: float) -> PairAreas:
    """Return the area for uniform segments of a width d ≥ 0, in O(n) after sorting."""
    pairs = positives.total * negatives.total
    if width == 0.0:
        area = chain_share((negatives, positives), "average")
        ordered = chain_share((negatives, positives), "strict")
        return PairAreas(ordered, area - ordered, area, 0.0, 0.0)
    width = min(width, 1e100)  # beyond, all is ½ and squares overflow
    sums = WindowSums(negatives, width)
    found = np.zeros(7)
    for begin in range(0, len(positives.score), CHUNK):  # what is at hand stays in the cache
        some = slice(begin, begin + CHUNK)
        found += _with_overlap(positives.score[some], positives.mass[some], negatives, sums)
    ordered, *moments = (found / pairs).tolist()
    right, wrong = moments[:3], moments[3:]
    falling = ordered - 0.5 * right[2]
    rising = 0.5 * (wrong[0] - 2.0 * wrong[1] + wrong[2])
    return PairAreas(
        max(falling, 0.0),
        max(rising, 0.0),
        ordered - 0.5 * right[0] + 0.5 * wrong[0],
        width * (right[0] - right[1] - wrong[1]),
        -0.5 * width**2 * (right[0] - 2.0 * right[1] + right[2] - wrong[2]),
    )

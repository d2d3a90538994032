"""Pairs of scores compared through segments of a width: the kernel under smoothed ROC areas.

A positive x and a negative y whose segments of width d overlap are in order with probability
1 − ½(1 − δ/d)² for 0 < δ = x − y < d, and ½(1 − |δ|/d)² for −d < δ ≤ 0. Sums over a sliding window
come from running sums; these are kept in coordinates local to blocks of width d, so that narrow
windows cost no digits but those of the scores themselves: eps·|score|/d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores
from roctopus.core.piecewise import Index

__all__ = ["PairAreas", "WindowSums", "pair_areas"]


class WindowSums:
    """Running sums of masses and of powers of scores, local to blocks of one width."""

    def __init__(self, scores: ClassScores, width: float) -> None:
        self.score, self.width, self.origin = scores.score, width, float(scores.score[0])
        position = (self.score - self.origin) / width
        self.block = np.floor(position)
        local = position - self.block
        powers = (scores.mass, scores.mass * local, scores.mass * local * local)
        self.sums = [np.append(0.0, np.cumsum(power)) for power in powers]

    def moments(self, start: Floats, low: Index, high: Index) -> tuple[Floats, Floats, Floats]:
        """Return Σm, Σm·t and Σm·t² with t = (score − start)/width over the scores low to high.

        All of them lie within one width above ``start``: in its block or in the next two.
        """
        position = (start - self.origin) / self.width
        first = np.floor(position)
        shift = first - position  # t = local + shift + number of blocks passed
        passed = [run.take(low) for run in self.sums]
        zeroth, linear, square = (np.zeros(len(start)) for _ in range(3))
        for offset in range(3):
            edge = high
            if offset < 2:
                edge = np.searchsorted(self.block, first + (offset + 1.0))
                np.clip(edge, low, high, out=edge)
            reached = [run.take(edge) for run in self.sums]
            mass, part, other = (
                after - before for after, before in zip(reached, passed, strict=True)
            )
            zeroth += mass
            mass *= shift
            linear += part
            linear += mass
            part *= 2.0
            part += mass
            part *= shift
            square += other
            square += part
            if offset == 2 or np.array_equal(edge, high):
                break
            passed, low = reached, edge
            shift += 1.0
        return zeroth, linear, square


@dataclass(frozen=True)
class PairAreas:
    """The area at one width d, and the parts it is made of.

    As long as no further pair starts to overlap, Area is ``constant + linear/d + square/d²``.
    """

    falling: float
    """From pairs in the right order: 1 each, less the more their segments overlap."""
    rising: float
    """From tied pairs and pairs in the wrong order: up to ½ each as segments overlap."""
    constant: float
    linear: float
    square: float

    @property
    def area(self) -> float:
        """Area(d)."""
        return self.falling + self.rising


def pair_areas(positives: ClassScores, negatives: ClassScores, width: float) -> PairAreas:
    """Return the area for uniform segments of a width d ≥ 0, in O(n) after sorting."""
    x, y, mass = positives.score, negatives.score, positives.mass
    pairs = positives.total * negatives.total
    running = np.append(0.0, np.cumsum(negatives.mass))
    below = np.searchsorted(y, x, side="left")
    up_to = np.searchsorted(y, x, side="right")
    ordered = float(np.sum(mass * running[below])) / pairs
    if width == 0.0:
        tied = 0.5 * float(np.sum(mass * (running[up_to] - running[below]))) / pairs
        return PairAreas(ordered, tied, ordered + tied, 0.0, 0.0)
    width = min(width, 1e100)  # beyond, all is ½ and squares overflow
    sums = WindowSums(negatives, width)
    start = np.minimum(np.searchsorted(y, x - width, side="right"), below)
    stop = np.maximum(np.searchsorted(y, x + width, side="left"), up_to)  # ties overlap always
    # Means over pairs: t = 1 − δ/d for y in (x − d, x), and t = −δ/d for y in [x, x + d).
    right = [float(np.sum(mass * m)) / pairs for m in sums.moments(x - width, start, below)]
    wrong = [float(np.sum(mass * m)) / pairs for m in sums.moments(x, below, stop)]
    falling = ordered - 0.5 * right[2]
    rising = 0.5 * (wrong[0] - 2.0 * wrong[1] + wrong[2])
    return PairAreas(
        max(falling, 0.0),
        max(rising, 0.0),
        ordered - 0.5 * right[0] + 0.5 * wrong[0],
        width * (right[0] - right[1] - wrong[1]),
        -0.5 * width**2 * (right[0] - 2.0 * right[1] + right[2] - wrong[2]),
    )

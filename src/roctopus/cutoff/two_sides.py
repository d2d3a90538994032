"""Bounds of the two parts of an expected cost, false positives and false negatives, by margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index
from roctopus.cutoff.cumulative import Cumulative

BUCKETS, LEVELS, PER_BUCKET = 1 << 15, 64, 8
CHUNK = 1 << 20


class Sides(Protocol):
    """Bounds the two parts at some margins."""

    def sides(self, margins: Floats) -> tuple[Floats, Floats]:
        """Return what false positives cost at least from each margin on, and the others before."""


@dataclass(frozen=True, eq=False)
class MovedCases:
    """Cases with finite predictions, each with the share of cutoffs below its true value."""

    prediction: Floats
    """Increasing."""
    below: Floats
    mass: Floats
    costs: tuple[float, float]
    cutoffs: Cumulative

    def sides(self, margins: Floats) -> tuple[Floats, Floats]:
        """Sum up cases."""
        rising, falling = np.empty((2, len(margins)))
        step = max(1, CHUNK // len(self.prediction))
        for k in range(0, len(margins), step):
            raised = margins[k : k + step, None] + self.prediction[None, :]
            over = np.maximum(self.cutoffs.at_least(raised) - self.below, 0.0)
            under = np.maximum(self.below - self.cutoffs.at_most(raised), 0.0)
            rising[k : k + step] = self.costs[0] * (over @ self.mass)
            falling[k : k + step] = self.costs[1] * (under @ self.mass)
        return rising, falling

    def most(self, margin: float) -> float:
        """Return an upper bound of what a margin costs."""
        low, high = self.cutoffs.around(self.prediction + margin)
        cost = self.costs[0] * np.maximum(high - self.below, 0.0)
        cost += self.costs[1] * np.maximum(self.below - low, 0.0)
        return float(self.mass @ cost)


@dataclass(frozen=True, eq=False)
class MovedBuckets:
    """Neighbours by prediction, with how much of their mass lies below each of some shares."""

    first: Floats
    last: Floats
    levels: Floats
    """Shares of cutoffs, increasing from 0 to 1."""
    held: Floats
    """The mass of a bucket below each level, and all of it; one bucket after another."""
    reached: Floats
    """That mass times the shares of its truths."""
    whole: Floats
    total: Floats
    """Both of all of the bucket."""
    costs: tuple[float, float]
    cutoffs: Cumulative

    @staticmethod
    def of(cases: MovedCases) -> MovedBuckets:
        """Sum up buckets of equally many cases."""
        size = len(cases.prediction)
        count = min(BUCKETS, max(1, size // PER_BUCKET))
        edges = np.unique(np.linspace(0, size, count + 1).astype(np.intp))
        some = np.sort(cases.below[:: max(1, size // (64 * LEVELS))])
        typical = some[np.linspace(0, len(some) - 1, LEVELS).astype(np.intp)]
        levels = np.union1d(np.linspace(0.0, 1.0, LEVELS + 1), typical)
        bucket = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        cell = bucket * (len(levels) + 1) + np.searchsorted(levels, cases.below, side="right")
        counted = (len(edges) - 1) * (len(levels) + 1)
        sums = (np.bincount(cell, each, counted) for each in (cases.mass, cases.mass * cases.below))
        held, reached = (
            np.cumsum(each.reshape(-1, len(levels) + 1), axis=1, dtype=np.float64) for each in sums
        )
        return MovedBuckets(
            cases.prediction[edges[:-1]],
            cases.prediction[edges[1:] - 1],
            levels,
            held.ravel(),
            reached.ravel(),
            held[:, -1],
            reached[:, -1],
            cases.costs,
            cases.cutoffs,
        )

    def sides(self, margins: Floats) -> tuple[Floats, Floats]:
        """Bound buckets by tangents to what they cost together, which is convex."""
        rising, falling = np.empty((2, len(margins)))
        for k, margin in enumerate(margins.tolist()):
            rising[k] = self._over(self.cutoffs.at_least(self.first + margin)).sum()
            falling[k] = self._under(self.cutoffs.at_most(self.last + margin)).sum()
        return self.costs[0] * rising, self.costs[1] * falling

    def _around(self, share: Floats) -> Index:
        """Return where the level below each bucket's share is stored; the one above comes next."""
        width = len(self.levels) + 1
        level = np.searchsorted(self.levels, share, side="right") - 1
        np.minimum(level, len(self.levels) - 2, out=level)
        return level + np.arange(0, width * len(share), width)

    def _over(self, share: Floats) -> Floats:
        """Return what lies between truths and a share above them, at least."""
        below = self._around(share)
        left, right = (
            share * self.held.take(at) - self.reached.take(at) for at in (below, below + 1)
        )
        return np.maximum(left, right)

    def _under(self, share: Floats) -> Floats:
        """Return what lies between a share and truths above it, at least."""
        below = self._around(share)
        left, right = (
            (self.total - self.reached.take(at)) - share * (self.whole - self.held.take(at))
            for at in (below, below + 1)
        )
        return np.maximum(left, right)

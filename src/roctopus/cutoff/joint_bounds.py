"""Lower bounds of the cost of any margin, from joint masses.

A case of a cell costs C_FP at least where even the largest truth of the cell is below the cutoff
and the smallest raised prediction reaches it, and C_FN at least in the mirrored case. The first
part rises in the margin and the second falls, as for single cases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.turns import Turns, stretches
from roctopus.cutoff.cumulative import Cumulative, Stepped, Unrounded, reach
from roctopus.cutoff.joint_masses import JointCells

CLOSE, FIRST, PARTS, MOST_CELLS, MOST_CUTOFFS = 1e-3, 64, 4, 1 << 14, 65


def least_worst(
    cells: JointCells, costs: tuple[float, float], cutoffs: Floats, handicaps: Floats
) -> float:
    """Return a lower bound of the worst cost over some cutoffs, less handicaps, at any margin."""
    turns = [_turns(cells, costs, float(c)) for c in cutoffs]
    total = float(cells.mass.sum())
    found = stretches(turns, lambda v: np.max(v / total - handicaps[:, None], axis=0))
    return float(np.min(found.value))


def _turns(cells: JointCells, costs: tuple[float, float], cutoff: float) -> Turns:
    """Return a lower bound of what margins cost at a cutoff."""
    mass, prediction, truth = cells
    # A bucket ends before the next one begins; where the largest truth is its end, it holds it.
    ends = truth[1:]
    below = np.where(ends < truth[-1], ends <= cutoff, ends < cutoff)
    negative, positive = mass @ below, mass @ (truth[:-1] >= cutoff)
    at = cutoff - np.concatenate([prediction[:-1], prediction[1:]])
    rises = np.arange(len(at)) < len(negative)
    return Turns.of(at, rises, costs, np.concatenate([negative, positive]))


def least_expected(
    cells: JointCells, costs: tuple[float, float], distribution: Continuous | Discrete
) -> float:
    """Return a lower bound of the expected cost over a distribution of cutoffs at any margin."""
    if not np.isfinite(cells.prediction).any():
        return 0.0
    sides = _Sides.of(cells, costs, distribution)
    edges = np.linspace(*_ends(cells.prediction, distribution), FIRST + 1)
    rising, before, at = sides.parts(edges)
    best = float(np.min(rising + at))
    bound = np.append(before[0], np.append(rising[:-1] + before[1:], rising[-1]))
    least = min(best, float(bound[0]), float(bound[-1]))
    low, high, bound = edges[:-1], edges[1:], bound[1:-1]
    while True:
        kept = bound < (1.0 - CLOSE) * min(best, least)
        low, high, bound = low[kept], high[kept], bound[kept]
        if not len(low) or len(low) > MOST_CELLS or np.any(high - low <= 1e-12 * np.abs(high)):
            return float(np.min([(1.0 - CLOSE) * min(best, least), *bound]))
        points = np.linspace(low, high, PARTS + 1)
        rising, before, at = (each.reshape(points.shape) for each in sides.parts(points.ravel()))
        best = min(best, float(np.min(rising + at)))
        bound = (rising[:-1] + before[1:]).ravel()
        low, high = points[:-1].ravel(), points[1:].ravel()


def _ends(prediction: Floats, distribution: Continuous | Discrete) -> tuple[float, float]:
    """Return margins beyond which all finite predictions get one answer, up to rare cutoffs."""
    finite = prediction[np.isfinite(prediction)]
    if isinstance(distribution, Discrete):
        cutoffs = float(distribution.support.min()), float(distribution.support.max())
    else:
        cutoffs = reach(distribution)
    beyond = 0.5 * (cutoffs[1] - cutoffs[0] + float(finite[-1] - finite[0])) or 1.0
    return cutoffs[0] - float(finite[-1]) - beyond, cutoffs[1] - float(finite[0]) + beyond


@dataclass(frozen=True, eq=False)
class _Sides:
    """The two parts of the least expected cost; sums over truths are looked up."""

    cells: JointCells
    costs: tuple[float, float]
    cutoffs: Cumulative
    ends: tuple[Floats, Floats]
    """The share of cutoffs up to the smallest truth of each column, and to the largest."""
    held: Floats
    reached: tuple[Floats, Floats]
    """Running masses of each row, and these times the shares."""

    @staticmethod
    def of(
        cells: JointCells, costs: tuple[float, float], distribution: Continuous | Discrete
    ) -> _Sides:
        """Sum up the rows."""
        exact: Cumulative = (
            Stepped.of(distribution)
            if isinstance(distribution, Discrete)
            else Unrounded(distribution)
        )
        mass = cells.mass / cells.mass.sum()
        shares = exact.at_least(cells.truth)
        ends = shares[:-1], shares[1:]
        first, second = (_running(mass * each) for each in ends)
        return _Sides(cells, costs, exact, ends, _running(mass), (first, second))

    def parts(self, margins: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the rising part from each margin on, the falling one before it, and at it."""
        lower, upper = self.cells.prediction[:-1], self.cells.prediction[1:]
        found = np.empty((3, len(margins)))
        for k, margin in enumerate(margins.tolist()):
            found[0, k] = self._over(self.cutoffs.at_least(lower + margin))
            found[1, k] = self._under(self.cutoffs.at_most(upper + margin))
            found[2, k] = self._under(self.cutoffs.at_least(upper + margin))
        return found[0], found[1], found[2]

    def _over(self, share: Floats) -> float:
        """Return what lies between the largest truths of cells and a share above them."""
        row, at = np.arange(len(share)), np.searchsorted(self.ends[1], share)
        return self.costs[0] * float(np.sum(share * self.held[row, at] - self.reached[1][row, at]))

    def _under(self, share: Floats) -> float:
        """Return what lies between a share and the smallest truths of cells above it."""
        row, at = np.arange(len(share)), np.searchsorted(self.ends[0], share)
        above = self.reached[0][:, -1] - self.reached[0][row, at]
        return self.costs[1] * float(
            np.sum(above - share * (self.held[:, -1] - self.held[row, at]))
        )


def _running(mass: Floats) -> Floats:
    return np.concatenate([np.zeros((len(mass), 1)), np.cumsum(mass, axis=1)], axis=1)

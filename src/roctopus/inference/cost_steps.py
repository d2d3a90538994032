"""Costs that are steps of a setting: the best thresholds of many parts of the cases at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.orders import order_of
from roctopus.inference.folds import Rows
from roctopus.inference.policies import sign_of

AT_ONCE = 1 << 13
"""So many rows are looked at together: what they need stays near the processor."""


class CostSteps(NamedTuple):
    """What cases cost on either side of the setting at which each of them turns."""

    at: Floats
    """The settings at which cases turn, in order."""
    cost: Floats
    """What cases cost, a line per label: the first if all settings are above them."""
    rank: NDArray[np.int32]
    """The place of each case in that order."""

    @staticmethod
    def of(problem: Problem, turning: Floats, context: float, count: int) -> CostSteps:
        """Return the steps of a problem whose setting is so many numbers."""
        beyond, nothing = np.repeat([-np.inf, np.inf], count), np.zeros(len(turning))
        weight = sign_of(problem) * (1.0 if problem.weight is None else problem.weight)
        cost = [
            weight * problem.outcomes(nothing, beyond[count - k : 2 * count - k], context)
            for k in range(count + 1)
        ]
        order = order_of(turning)
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order))
        return CostSteps(turning[order], np.array(cost).take(order, axis=1), rank)

    def best(self, rows: Rows) -> Floats:
        """Return the settings of least cost for lines of rows, a line each.

        They lie midway between two cases; beyond all cases they are infinite.
        """
        if len(rows) > 1 and rows.size > AT_ONCE:
            return np.concatenate([self.best(some) for some in np.array_split(rows, 2)])
        ranked = np.sort(self.rank.take(rows), axis=1)
        at = np.full((len(rows), rows.shape[1] + 2), np.inf)
        at[:, 0], at[:, 1:-1] = -np.inf, self.at.take(ranked)
        below = np.zeros((len(self.cost), len(rows), rows.shape[1] + 1))
        np.cumsum(self.cost.take(ranked, axis=1), axis=2, out=below[:, :, 1:])
        cuts = _cheapest_cuts(below, at[:, 1:] > at[:, :-1])
        line = np.arange(len(rows))[:, None]
        return np.asarray(0.5 * at[line, cuts] + 0.5 * at[line, cuts + 1])


def _cheapest_cuts(below: Floats, parted: NDArray[np.bool_]) -> Rows:
    """Return where labels rise at the least cost: ``core.monotone_cuts`` for many lists at once.

    ``below`` holds what all cases below each position cost under each label, for each list;
    ``parted`` at which positions cases can be told apart.
    """
    reached, entered = below[0], []
    for under_label in below[1:]:
        entered.append(np.where(parted, reached - under_label, np.inf))
        if len(entered) < len(below) - 1:
            reached = under_label + np.minimum.accumulate(entered[-1], axis=1)
    cuts = [entered[-1].argmin(axis=1)]
    position = np.arange(below.shape[2])
    for each in entered[-2::-1]:
        reachable = position <= cuts[0][:, None]
        cuts.insert(0, np.where(reachable, each, np.inf).argmin(axis=1))
    return np.stack(cuts, axis=1)

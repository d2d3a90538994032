"""The masses of the classes along the scores, and the thresholds of least cost on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats
from roctopus.core.checks import read_finite
from roctopus.core.errors import InputError
from roctopus.core.orders import order_of
from roctopus.ordinal.grades import Grades


@dataclass(frozen=True, eq=False)
class Profile:
    """The mass of every class below each possible position of a threshold."""

    scores: Floats
    """The distinct scores, increasing; position j lies just below score j."""
    below: Floats
    """A row per class: its mass below each position; the last column holds all."""
    labels: tuple[Any, ...]

    @staticmethod
    def of(grades: Grades, priors: Any = None) -> Profile:
        """Sort the scores and cumulate the mass of each class."""
        grades.refuse_empty()
        order = order_of(grades.score)
        ordered = grades.score[order]
        last = np.append(ordered[1:] != ordered[:-1], True)
        codes, weight = grades.codes.astype(np.int16)[order], grades.sample.weight
        mass = None if weight is None else weight[order]
        below = np.zeros((len(grades.labels), int(np.count_nonzero(last)) + 1))
        for number, row in enumerate(below):
            mine = codes == number
            row[1:] = np.cumsum(mine if mass is None else np.where(mine, mass, 0.0))[last]
        if priors is not None:
            below *= _prior_weights(priors, below[:, -1])[:, None]
        return Profile(ordered[last], below, grades.labels)

    def costs_below(self, loss: Floats) -> Floats:
        """Return C_h(t), what all cases below position t (column) cost as grade h (row)."""
        return np.asarray(loss.T @ self.below)

    def confusion(self, positions: NDArray[np.intp]) -> Floats:
        """Return the mass of every true class (row) that gets every grade (column)."""
        ends = np.concatenate([[0], positions, [len(self.scores)]])
        return np.diff(self.below[:, ends], axis=1)

    def cost(self, positions: NDArray[np.intp], loss: Floats) -> float:
        """Return the total cost of a vector of positions."""
        return float(np.sum(self.confusion(positions) * loss))

    def between(self, low: int, high: int) -> tuple[float, float, float]:
        """Return the thresholds from position low to high: low end, high end, and the middle."""
        first = float(self.scores[low - 1]) if low > 0 else -np.inf
        last = float(self.scores[high]) if high < len(self.scores) else np.inf
        if np.isinf(first) and np.isinf(last):  # it does not matter at all
            middle = 0.5 * float(self.scores[0]) + 0.5 * float(self.scores[-1])
        else:  # infinite if one end is: no score, however far out, changes sides
            middle = 0.5 * first + 0.5 * last
        # Between neighbouring doubles there is no middle; the low end itself is out of bounds.
        return first, last, last if middle == first and np.isfinite(first) else middle

    def settings(self, positions: NDArray[np.intp], loss: Floats) -> tuple[Floats, Floats, Floats]:
        """Return ends and middle of each threshold's equally good values, the others fixed.

        The cost is a sum of one term per threshold, so each can be treated alone.
        """
        ends = np.concatenate([[0], positions, [len(self.scores)]])
        found = []
        for h, position in enumerate(positions.tolist(), start=1):
            gain = loss[:, h - 1] - loss[:, h]
            low = self._reach(gain, position, int(ends[h - 1]))
            high = self._reach(gain, position, int(ends[h + 1]))
            found.append(self.between(low, high))
        first, last, middle = np.array(found).T
        return first, last, middle

    def _reach(self, gain: Floats, position: int, limit: int) -> int:
        """Return how far a threshold can move towards a limit without changing the cost.

        Moves are judged by the cases they pass, not by totals: a class with small costs must not be
        lost in the rounding of one with large costs.
        """
        step = 1 if limit > position else -1
        reached, width = position, 64
        while reached != limit:
            stop = reached + step * min(width, abs(limit - reached))
            ahead = np.arange(reached + step, stop + step, step)
            passed = self.below[:, ahead] - self.below[:, [position]]
            change, size = gain @ passed, np.abs(gain) @ np.abs(passed)
            other = np.flatnonzero(np.abs(change) > 1e-12 * size)
            if len(other):
                return reached + step * int(other[0])
            reached, width = stop, 2 * width
        return reached


def _prior_weights(priors: Any, mass: Floats) -> Floats:
    given = read_finite(priors, "priors")
    if len(given) != len(mass):
        raise InputError(
            f"'priors' must contain one number for each of the {len(mass)} classes, but contains "
            f"{len(given)}."
        )
    if np.any(given < 0) or not given.sum() > 0:
        raise InputError(
            "All numbers in 'priors' must be zero or more, and at least one must be positive."
        )
    return np.asarray(given / given.sum() * mass.sum() / mass)

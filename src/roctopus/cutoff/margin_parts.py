"""The best margins of many parts of the cases at once: all share one order of the cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.problem import Knob
from roctopus.core.arrays import Floats
from roctopus.core.turns import ROUNDING, last_of_ties


class MarginParts(NamedTuple):
    """Cases with finite predictions, and the weight of each in several parts."""

    below: NDArray[np.bool_]
    prediction: Floats
    cutoff: float
    costs: tuple[float, float]
    mass: Floats
    """One row per part."""

    @staticmethod
    def of(
        truth: Floats,
        prediction: Floats,
        cutoff: float,
        costs: tuple[float, float],
        weight: Floats | None,
        parts: Sequence[NDArray[np.intp]],
    ) -> MarginParts:
        """Count cases; ``parts`` are the numbers of the cases in each of them."""
        mass = np.array([np.bincount(rows, minlength=len(truth)) for rows in parts], np.float64)
        mass = mass if weight is None else mass * weight
        return MarginParts(truth < cutoff, prediction, cutoff, costs, mass)

    def tune(self) -> list[tuple[Knob, float] | None]:
        """Return the best margin of each part, and its mean cost there.

        None where the best one is beyond all cases, and where rounding keeps it from giving what
        it should.
        """
        at = self.cutoff - self.prediction
        order = np.argsort(at)
        at = at[order]
        last = last_of_ties(at)
        total, value = self.mass.sum(axis=1), self._values(order)
        if not last.all():
            at, value = at[last], value[:, np.append(True, last)]
        value /= total[:, None]
        start, end = np.append(-np.inf, at), np.append(at, np.inf)
        least, size = value.min(axis=1), max(self.costs)
        low, high = _nearest(value <= least[:, None] + ROUNDING * size, start, end)
        with np.errstate(invalid="ignore"):
            middle = np.where((low <= 0.0) & (high > 0.0), 0.0, 0.5 * low + 0.5 * high)
        done = np.isfinite(middle)
        losses = self._losses(np.where(done, middle, 0.0)) / total
        done &= losses <= least + 1e-12 * size
        columns = zip(*(each.tolist() for each in (middle, low, high, losses, done)), strict=True)
        return [(Knob.at(*knob), loss) if known else None for *knob, loss, known in columns]

    def _values(self, order: NDArray[np.intp]) -> Floats:
        """Return the cost if the first 0, 1, … cases say yes, one row per part."""
        change = np.where(self.below, self.costs[0], -self.costs[1])
        value = np.empty((len(self.mass), len(order) + 1))
        value[:, 0] = self.costs[1] * (self.mass @ ~self.below)
        value[:, 1:] = (self.mass * change).take(order, axis=1)
        return np.cumsum(value, axis=1, out=value)

    def _losses(self, margins: Floats) -> Floats:
        """Return the true cost of a margin in each part."""
        said = self.prediction + margins[:, None] >= self.cutoff
        over, under = said & self.below, ~(said | self.below)
        masses = (np.einsum("ij,ij->i", self.mass, each) for each in (over, under))
        return np.asarray(sum(c * each for c, each in zip(self.costs, masses, strict=True)))


def _nearest(best: NDArray[np.bool_], start: Floats, end: Floats) -> tuple[Floats, Floats]:
    """Return the range of equally good margins that holds 0, or is the nearest to it, by line."""
    among = np.zeros((len(best), best.shape[1] + 2), dtype=np.bool_)
    among[:, 1:-1] = best
    flips = np.flatnonzero(among[:, 1:] != among[:, :-1])  # where a range begins, where it ends, …
    line, place = np.divmod(flips.reshape(-1, 2), among.shape[1] - 1)
    line, low, high = line[:, 0], start[place[:, 0]], end[place[:, 1] - 1]
    distance = np.where(low > 0.0, low, np.where(high <= 0.0, -high, -1.0))
    order = np.lexsort((distance, line))
    nearest = order[np.searchsorted(line, np.arange(len(best)))]
    return low[nearest], high[nearest]

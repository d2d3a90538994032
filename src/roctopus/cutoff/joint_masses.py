"""Masses per bucket of the prediction and bucket of the truth: what margins cost, up to bounds."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from roctopus.concepts.streams import Batch, Small
from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts

MOST = 512
"""Largest number of buckets per side: neighbours of a finer grid are merged."""


class JointCells(NamedTuple):
    """Joint masses, with the ends between which predictions and truths of each bucket lie."""

    mass: Floats
    """A row per bucket of the prediction, a column per bucket of the truth."""
    prediction: Floats
    truth: Floats
    """Bucket k lies between the edges k and k + 1, both included."""


class JointMasses:
    """The mass of each pair of buckets, by part of the rows."""

    def __init__(self, buckets: Buckets) -> None:
        self.buckets = buckets
        self.factor = -(-buckets.count // MOST)
        self.size = -(-buckets.count // self.factor)
        self.masses = np.zeros((PARTS, self.size, self.size))
        self.predictions, self.truths = [np.inf, -np.inf], [np.inf, -np.inf]

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""
        place = batch.buckets_of(prediction, self.buckets) // self.factor
        place *= self.size
        place += batch.buckets_of(batch.truth, self.buckets) // self.factor
        place += batch.parts_times(self.size**2)
        # A batch may have fewer rows than there are cells: these are added one by one.
        np.add.at(self.masses.reshape(-1), place, 1.0 if batch.weight is None else batch.weight)
        self._reach(batch.ends_of(prediction), batch.ends_of(batch.truth))

    def merge(self, other: Self) -> None:
        """Add the masses of another part of the rows."""
        self.masses += other.masses
        self._reach(other.predictions, other.truths)

    def _reach(self, *found: list[float] | tuple[float, float]) -> None:
        for ends, (low, high) in zip((self.predictions, self.truths), found, strict=True):
            ends[:] = min(ends[0], low), max(ends[1], high)

    @property
    def borders(self) -> Floats:
        """The smallest number of each bucket from the second on."""
        return self.buckets.borders[self.factor - 1 :: self.factor]

    def cells(self, parts: RowParts | None = None) -> JointCells:
        """Return the masses of all rows, or of some parts, with the edges of buckets."""
        mass = of_parts(self.masses, parts)
        first, second = (
            np.concatenate([[low], np.clip(self.borders, low, high), [high]])
            for low, high in (self.predictions, self.truths)
        )
        return JointCells(mass, first, second)

    def sample(self, parts: RowParts | None = None) -> Small:
        """Return a case per cell, in its middle: margins are tuned on these."""
        mass, *edges = self.cells(parts)
        row, column = np.nonzero(mass)
        with np.errstate(invalid="ignore"):
            prediction, truth = (0.5 * each[1:] + 0.5 * each[:-1] for each in edges)
        # Of a bucket that reaches from one infinite end to the other nothing is known.
        prediction = np.where(np.isnan(prediction), 0.0, prediction)
        return Small(truth[column], prediction[row], mass[row, column], row)

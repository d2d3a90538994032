"""Probabilities of two classes beyond memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.ranked_grid import RankedGrid
from roctopus.concepts.streams import Batch, Bounded
from roctopus.core.arrays import Floats
from roctopus.core.moments import dot
from roctopus.core.piecewise import Index


class ProbabilityGrid(RankedGrid):
    """Class masses per bucket of the probability, and exact sums for the Brier score and pAUC."""

    share: ClassVar[str] = "roc_auc"

    def __init__(self, truth: NDArray[Any], prediction: Floats, count: int, options: Any) -> None:
        super().__init__(truth, prediction, count, options)
        self.sums: dict[float, Floats] = {}

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Take a batch in."""
        super().update(batch, prediction)
        classes, code = self._codes(batch)
        weight = batch.weight
        first = prediction if weight is None else prediction * weight
        ones = np.broadcast_to(1.0, prediction.shape) if weight is None else weight
        everything = np.array([dot(ones, None), dot(first, None), dot(first, prediction)])
        masks = batch.once(code, "masks", lambda: _masks(code, len(classes)))
        rest = everything
        for label, mine in zip(classes.tolist(), masks, strict=True):
            if mine is not None:
                score = prediction * mine
                sums = np.array([dot(mine, ones), dot(score, ones), dot(score, first)])
                rest = rest - sums
                self._add({label: sums})
        largest = next(n for n, mine in enumerate(masks) if mine is None)
        self._add({classes.tolist()[largest]: rest})

    def _add(self, sums: Mapping[float, Floats]) -> None:
        for label, values in sums.items():
            self.sums[label] = self.sums.get(label, 0.0) + values

    def merge(self, other: Self) -> None:
        """Take in what another grid has seen."""
        super().merge(other)
        self._add(other.sums)

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return bounds of the AUC, and exactly the Brier score and the probabilistic AUC."""
        negative, positive = (self.sums[label] for label in sorted(self.sums))
        misses = positive[0] - 2.0 * positive[1] + positive[2] + negative[2]
        means = [each[1] / each[0] for each in (negative, positive)]
        return {
            **super().scalars(options),
            "brier_score": Bounded.exactly(float(misses / (positive[0] + negative[0]))),
            "probabilistic_auc": Bounded.exactly(float(0.5 * (means[1] - means[0] + 1.0))),
        }


def _masks(code: Index, classes: int) -> list[Floats | None]:
    """Return which rows are of each class; None for the largest, which is what others leave."""
    largest = int(np.argmax(np.bincount(code, minlength=classes)))
    return [
        None if number == largest else (code == number).astype(np.float64)
        for number in range(classes)
    ]

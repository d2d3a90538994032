"""Cases of two classes with a probability (or a score) each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence
from roctopus.core.arrays import Floats, is_text
from roctopus.core.chains import ClassScores
from roctopus.core.errors import InputError, arg
from roctopus.core.sample import Sample, read_sample


@dataclass(frozen=True, eq=False)
class TwoClasses:
    """The cases that count, in numpy, with their class and score."""

    sample: Sample
    positive: NDArray[np.bool_]

    @property
    def score(self) -> Floats:
        """The probabilities or scores."""
        scores: Floats = self.sample.y_pred
        return scores

    def part(self, positive: bool) -> tuple[Floats, Floats | None]:
        """Return the scores of one class and their weights."""
        mine = self.positive if positive else ~self.positive
        weight = self.sample.weight
        return np.compress(mine, self.score), None if weight is None else np.compress(mine, weight)

    @cached_property
    def positives(self) -> ClassScores:
        """The sorted scores of the positive class."""
        return ClassScores.of(*self.part(True))

    @cached_property
    def negatives(self) -> ClassScores:
        """The sorted scores of the negative class."""
        return ClassScores.of(*self.part(False))

    def take(self, rows: NDArray[np.intp]) -> TwoClasses:
        """Return a resample: the cases at the given positions, which may repeat."""
        weight = self.sample.weight
        sample = replace(
            self.sample,
            y_true=self.sample.y_true[rows],
            y_pred=self.score[rows],
            weight=None if weight is None else weight[rows],
            kept=None,
        )
        return TwoClasses(sample, self.positive[rows])

    def mean(self, values: Floats, positive: bool) -> float:
        """Return the weighted mean of one value per case within a class."""
        mine = self.positive if positive else ~self.positive
        weight = self.sample.weight
        return float(np.average(values[mine], weights=None if weight is None else weight[mine]))

    @cached_property
    def prevalence(self) -> float:
        """The share of the positives' weight."""
        return self.sample.mean(self.positive.astype(np.float64))

    def influence(self, values: Floats) -> Influence:
        """Lay influence values out over the rows as given; the two classes are strata."""
        return Influence.of(self.sample, values, self.positive.astype(np.intp))


def read_two_classes(
    y_true: Any,
    y_score: Any,
    sample_weight: Any = None,
    *,
    probabilities: bool = True,
    name: str | None = None,
) -> TwoClasses:
    """Check and read cases; the larger of two labels is the positive class.

    With ``probabilities`` the scores must lie between 0 and 1.
    """
    name = name or ("y_prob" if probabilities else "y_score")
    if is_text(y_true):
        raise InputError(
            f"{arg('y_true')} must hold two classes as numbers. For other labels say which one is "
            "positive, as in y_true == 'yes'."
        )
    sample = read_sample(y_true, y_score, sample_weight, names=("y_true", name)).to_numpy()
    if probabilities:
        outside = (sample.y_pred < 0.0) | (sample.y_pred > 1.0)
        if outside.any():
            rows = sample.name_rows(outside)
            rounding = np.abs(sample.y_pred - np.clip(sample.y_pred, 0.0, 1.0)).max() < 1e-6
            raise InputError(
                f"'y_prob' must be between 0 and 1, but is not in {rows}. "
                + (
                    "It is rounding: clip it first, as in np.clip(y_prob, 0, 1)."
                    if rounding
                    else "For scores use what needs a ranking only, such as roc_auc."
                )
            )
    low, high = float(sample.y_true.min()), float(sample.y_true.max())
    positive = sample.y_true == high
    if low == high:
        raise InputError(f"{arg('y_true')} has one class only, {low:g}. Two are needed.")
    if not (low.is_integer() and high.is_integer()):
        raise InputError(
            f"{arg('y_true')} must hold two classes, such as 0 and 1, but has values from {low:g} "
            f"to {high:g}. Is it {arg(name)} that was given first?"
        )
    others = ~positive & (sample.y_true != low)
    if others.any():
        third = float(sample.y_true[others][0])
        rows = sample.name_rows(sample.y_true == third)
        raise InputError(
            f"{arg('y_true')} must have two classes, but beside {low:g} and {high:g} there is "
            f"{third:g} in {rows}. For ordered classes see roctopus.ordinal."
        )
    return TwoClasses(sample, positive)


read_scores = partial(read_two_classes, probabilities=False)
"""Read classes and scores of any scale, of which only the ranking matters."""

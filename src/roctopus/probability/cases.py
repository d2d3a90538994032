"""Cases of two classes with a probability (or a score) each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence
from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores
from roctopus.core.errors import InputError
from roctopus.core.labels import Classes, number_labels, read_labelled_sample, split_classes
from roctopus.core.sample import Sample

ROUNDING = 1e-6
"""Probabilities that are so little outside 0 to 1 are meant to be inside."""


@dataclass(frozen=True, eq=False)
class TwoClasses:
    """The cases that count, in numpy, with their class and score."""

    sample: Sample
    positive: NDArray[np.bool_]
    classes: Classes = (0, 1)
    """The negative and the positive class."""

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
        return TwoClasses(sample, self.positive[rows], self.classes)

    def mean(self, values: Floats, positive: bool) -> float:
        """Return the weighted mean of one value per case within a class."""
        mine = self.positive if positive else ~self.positive
        weight = self.sample.weight
        return float(np.average(values[mine], weights=None if weight is None else weight[mine]))

    def count(self, positive: bool) -> float:
        """Return how many cases without weights would say as much about a class."""
        scores, weight = self.part(positive)
        return float(len(scores) if weight is None else weight.sum() ** 2 / np.sum(weight**2))

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
    pos_label: Any = None,
    probabilities: bool = True,
    name: str | None = None,
) -> TwoClasses:
    """Check and read cases; of two numbers the larger is positive unless ``pos_label`` is given.

    With ``probabilities`` the scores must lie between 0 and 1.
    """
    name = name or ("y_prob" if probabilities else "y_score")
    labels = number_labels(y_true)
    sample = read_labelled_sample(y_true, labels.column, y_score, sample_weight, name).to_numpy()
    numbered = labels._replace(column=sample.y_true)
    positive, classes = split_classes(numbered, pos_label, "y_true", sample.name_rows, name)
    if probabilities:
        _refuse_scores(sample)
    return TwoClasses(sample, positive, classes)


read_scores = partial(read_two_classes, probabilities=False)
"""Read classes and scores of any scale, of which only the ranking matters."""


def _refuse_scores(sample: Sample) -> None:
    """Raise an error for scores that are not probabilities."""
    low, high = float(sample.y_pred.min()), float(sample.y_pred.max())
    if low >= 0.0 and high <= 1.0:
        return
    rows = sample.name_rows((sample.y_pred < 0.0) | (sample.y_pred > 1.0))
    raise InputError(
        "'y_prob' must be between 0 and 1, but is "
        + (
            f"slightly outside this range in {rows}, because of rounding. Clip 'y_prob' first, as "
            "in np.clip(y_prob, 0, 1)."
            if max(-low, high - 1.0) < ROUNDING
            else f"outside this range in {rows}. If it contains scores, use a measure "
            "that only needs a ranking, such as roc_auc."
        )
    )

"""Ranking measures of pairs: how often a higher class has the higher score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.tradeoff_curve import ROCCurve
from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores, Ties
from roctopus.core.checks import check_choice
from roctopus.ordinal.grades import (
    Grades,
    check_ties,
    class_variance,
    read_graded_rows,
    read_grades,
)

Average: TypeAlias = Literal["pairs", "classes", "consecutive"]
AVERAGES: tuple[Average, ...] = get_args(Average)


def _share_below(of: ClassScores, scores: Floats, credit: float) -> Floats:
    """Return the share of a class below each score; ties get their credit."""
    running = np.append(0.0, np.cumsum(of.mass))
    at = np.searchsorted(of.score, scores, side="left")
    tied = np.append(of.score, np.nan)[at] == scores  # scores of a class are distinct
    left = running[at]
    if not tied.any():
        return np.asarray(left / of.total)
    return np.asarray((left + credit * (running[at + tied] - left)) / of.total)


@dataclass(frozen=True, eq=False)
class Placements:
    """For every class and score, the share of each other class on its right side."""

    classes: tuple[ClassScores, ...]
    credit: float

    @staticmethod
    def of(grades: Grades, ties: Ties) -> Placements:
        """Compare all classes of a sample."""
        return Placements(grades.classes, 0.5 if ties == "average" else 0.0)

    def share(self, m: int, k: int) -> Floats:
        """Return, at each score of class m, the part of class k that is ranked correctly."""
        mine, other = self.classes[m], self.classes[k]
        if k < m:
            return _share_below(other, mine.score, self.credit)
        return 1.0 - _share_below(other, mine.score, 1.0 - self.credit)

    @cached_property
    def shares(self) -> tuple[tuple[Floats, ...], ...]:
        """All shares: ``shares[m][k]``."""
        numbers = range(len(self.classes))
        return tuple(
            tuple(self.share(m, k) if k != m else np.empty(0) for k in numbers) for m in numbers
        )

    @cached_property
    def area(self) -> Floats:
        """The matrix A_kl of the classes' AUCs, above the diagonal; 0 elsewhere."""
        count = len(self.classes)
        area = np.zeros((count, count))
        for m, mine in enumerate(self.classes):
            for k in range(m):
                area[k, m] = float(np.sum(mine.mass * self.share(m, k))) / mine.total
        return area

    @cached_property
    def mass(self) -> Floats:
        """The mass of each class."""
        return np.array([each.total for each in self.classes])

    @property
    def pairs(self) -> Floats:
        """The weight of each pair of classes, above the diagonal."""
        return np.triu(np.outer(self.mass, self.mass), 1)

    def value(self, average: Average) -> float:
        """Return one of the three averages of the areas."""
        if average == "pairs":
            return float(np.sum(self.pairs * self.area) / np.sum(self.pairs))
        count = len(self.mass)
        if average == "classes":
            return float(np.sum(self.area) / (count * (count - 1) / 2))
        return float(np.mean([self.split(s) for s in range(1, count)]))

    def split(self, s: int) -> float:
        """Return the AUC of the classes from s on against those before."""
        weight = self.pairs[:s, s:]
        return float(np.sum(weight * self.area[:s, s:]) / np.sum(weight))

    def influence(self, average: Average) -> list[Floats]:
        """Return the influence values at every class and score."""
        make = {
            "pairs": self._of_pairs,
            "classes": self._of_classes,
            "consecutive": self._of_splits,
        }[average]
        return [make(m) for m in range(len(self.mass))]

    def _of_pairs(self, m: int) -> Floats:
        """[(N_i − 2N) − U(D_i − 2D)]/D: a ratio of two pair sums."""
        total, value = self.mass.sum(), self.value("pairs")
        possible = np.sum(self.pairs) / total**2
        partners = sum(self.mass[k] * self.shares[m][k] for k in range(len(self.mass)) if k != m)
        own = (total - self.mass[m]) / total
        # 2N − U·2D vanishes, since U = N/D.
        return np.asarray((partners / total - value * own) / possible)

    def _of_classes(self, m: int) -> Floats:
        count = len(self.mass)
        total = sum(
            self.shares[m][k] - self.area[min(k, m), max(k, m)] for k in range(count) if k != m
        )
        scale = self.mass.sum() / self.mass[m] / (count * (count - 1) / 2)
        return np.asarray(total * scale)

    def _of_splits(self, m: int) -> Floats:
        count = len(self.mass)
        total = np.zeros(len(self.classes[m].score))
        for s in range(1, count):
            others = range(s, count) if m < s else range(s)
            mine = range(s) if m < s else range(s, count)
            weight = self.mass[list(others)].sum()
            placed = sum(self.mass[k] * self.shares[m][k] for k in others) / weight
            share = self.mass[list(mine)].sum() / self.mass.sum()
            total += (placed - self.split(s)) / share
        return np.asarray(total / (count - 1))


def _influence(grades: Grades, average: Average, ties: Ties) -> Influence:
    values = grades.per_case(Placements.of(grades, ties).influence(average))
    if average == "classes":  # every class counts alike, so class sizes are as if by design
        return grades.influence(values)
    return Influence.of(grades.sample, values)


@metric(arm="ordinal", read=read_graded_rows, influence=_influence, sense="gain", scale="logit")
def pairwise_ranking_accuracy(
    y_true: Any,
    y_score: Any,
    *,
    average: Average = "pairs",
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> float:
    """Return how often the case of the higher class has the higher score.

    It is ½ for a random ranking (less with strict ties), 1 for a perfect one, and the AUC for two
    classes. ``volume_under_surface`` is stricter: it counts whole sequences in order.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    average : {"pairs", "classes", "consecutive"}, default "pairs"
        "pairs" is U_pairs, the share of all pairs of different classes (equation 16), in which
        large classes dominate; "classes" is U_ovo, the mean of the AUCs of all pairs of classes
        (17); "consecutive" is U_cons, the mean AUC of "above class k" over k (18).
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share of pairs in order, from 0 to 1.

    Examples
    --------
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9]
    >>> pairwise_ranking_accuracy(y_true, y_score)
    0.875
    >>> round(pairwise_ranking_accuracy(y_true, y_score, average="classes"), 4)
    0.9167
    """
    check_ties(ties)
    check_choice(average, "average", *AVERAGES)
    grades = read_grades(y_true, y_score, sample_weight, labels)
    return Placements.of(grades, ties).value(average)


@dataclass(frozen=True, eq=False)
class ClassPairAUC:
    """The AUC of every pair of classes.

    ``class_pair_auc`` makes it.

    Parameters
    ----------
    labels : tuple
        Classes from the lowest to the highest.
    matrix : array of shape (r, r)
        AUC of class k against class l for k < l; NaN on and below the diagonal.
    standard_error : array of shape (r, r)
        DeLong's standard error of each entry; NaN if a class has one case.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> found = class_pair_auc([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> found.frame("pandas").round(3)
       lower_class  higher_class   auc  standard_error
    0            1             2  0.75           0.354
    1            1             3  1.00             NaN
    2            2             3  1.00             NaN
    """

    labels: tuple[Any, ...]
    matrix: Floats
    standard_error: Floats
    backend: str | None = None

    def frame(self, backend: str | None = None) -> Any:
        """Return the AUCs as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            One row per pair of classes.
        """
        low, high = np.triu_indices(len(self.labels), 1)
        columns = {
            "lower_class": [self.labels[k] for k in low],
            "higher_class": [self.labels[k] for k in high],
            "auc": self.matrix[low, high],
            "standard_error": self.standard_error[low, high],
        }
        return make_frame(columns, self.backend, backend)


def class_pair_auc(
    y_true: Any,
    y_score: Any,
    *,
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> ClassPairAUC:
    """Return the AUC A_kl of every pair of classes k < l, with DeLong's standard errors.

    It shows which neighbouring classes the model confuses.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    ties : {"average", "strict"}, default "average"
        Whether tied scores of different classes get the credit of a random order (1/t! for t of
        them, as in scikit-learn's AUC), or none (equation 8 of the paper).
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ClassPairAUC
        A matrix of AUCs and one of standard errors.

    Examples
    --------
    >>> found = class_pair_auc([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> float(found.matrix[0, 1]), float(found.matrix[1, 2])
    (0.75, 1.0)
    """
    check_ties(ties)
    grades = read_grades(y_true, y_score, sample_weight, labels)
    placed = Placements.of(grades, ties)
    count = len(grades.labels)
    area, error = (np.full((count, count), np.nan) for _ in range(2))
    for k in range(count):
        for m in range(k + 1, count):
            area[k, m] = placed.area[k, m]
            parts = [
                class_variance(grades.classes[a], placed.shares[a][b] - placed.area[k, m])
                for a, b in ((k, m), (m, k))
            ]
            error[k, m] = math.sqrt(sum(parts))
    return ClassPairAUC(grades.labels, area, error, grades.sample.backend)


def pairwise_roc_curves(
    y_true: Any,
    y_score: Any,
    *,
    consecutive: bool = False,
    labels: Any = None,
    sample_weight: Any = None,
) -> dict[tuple[Any, Any], ROCCurve]:
    """Return the ROC curve of every pair of classes.

    Parameters
    ----------
    y_true : array of shape (n,)
        Ordered class of each case: numbers, an ordered categorical (pandas, polars ``Enum``), or
        any labels whose order ``labels`` gives.
    y_score : array of shape (n,)
        Score of each case, which should increase with the class; grades are fine, too.
    consecutive : bool, default False
        Whether to return the curves of "up to class k" against "above class k" instead.
    labels : sequence, optional
        Classes from the lowest to the highest; needed for text that is not an ordered categorical.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    dict of tuple to ROCCurve
        Curves by pair (lower class, higher class); with ``consecutive`` by the two classes at the
        cut.

    Examples
    --------
    >>> curves = pairwise_roc_curves([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> {pair: curve.area for pair, curve in curves.items()}
    {(1, 2): 0.75, (1, 3): 1.0, (2, 3): 1.0}
    """
    grades = read_grades(y_true, y_score, sample_weight, labels)
    names, classes, backend = grades.labels, grades.classes, grades.sample.backend
    if not consecutive:
        return {
            (names[k], names[m]): ROCCurve.between(classes[k], classes[m], backend)
            for k in range(len(names))
            for m in range(k + 1, len(names))
        }
    weight = grades.sample.weight
    curves = {}
    for s in range(1, len(names)):
        sides = (grades.codes < s, grades.codes >= s)
        low, high = (
            ClassScores.of(grades.score[side], None if weight is None else weight[side])
            for side in sides
        )
        curves[names[s - 1], names[s]] = ROCCurve.between(low, high, backend)
    return curves

"""Ranking measures of pairs: how often a higher class has the higher score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.roc import ROCCurve
from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores, Ties
from roctopus.core.errors import InputError
from roctopus.ordinal.grades import Grades, check_ties, class_variance, read_grades

__all__ = [
    "ClassPairAUC",
    "JonckheereTest",
    "class_pair_auc",
    "jonckheere_test",
    "pairwise_ranking_accuracy",
    "pairwise_roc_curves",
    "runs_backwards",
]

Average: TypeAlias = Literal["pairs", "classes", "consecutive"]
AVERAGES: tuple[Average, ...] = get_args(Average)


def _share_below(of: ClassScores, scores: Floats, credit: float) -> Floats:
    """Return the share of a class below each score; ties get their credit."""
    running = np.append(0.0, np.cumsum(of.mass))
    left = running[np.searchsorted(of.score, scores, side="left")]
    right = running[np.searchsorted(of.score, scores, side="right")]
    return np.asarray((left + credit * (right - left)) / of.total)


@dataclass(frozen=True, eq=False)
class _Placements:
    """For every class and score, the share of each other class on its right side."""

    classes: tuple[ClassScores, ...]
    credit: float

    @staticmethod
    def of(grades: Grades, ties: Ties) -> _Placements:
        return _Placements(grades.classes, 0.5 if ties == "average" else 0.0)

    def share(self, m: int, k: int) -> Floats:
        """Return, at each score of class m, the part of class k that is ranked rightly."""
        mine, other = self.classes[m], self.classes[k]
        if k < m:
            return _share_below(other, mine.score, self.credit)
        return 1.0 - _share_below(other, mine.score, 1.0 - self.credit)

    @cached_property
    def shares(self) -> tuple[tuple[Floats, ...], ...]:
        """All of them: ``shares[m][k]``."""
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


def _check_average(average: Any) -> None:
    if average not in AVERAGES:
        raise InputError(f"'average' must be 'pairs', 'classes' or 'consecutive', got {average!r}.")


def _influence(
    y_true: Any,
    y_score: Any,
    *,
    average: Average = "pairs",
    labels: Any = None,
    ties: Ties = "average",
    sample_weight: Any = None,
) -> Influence:
    grades = read_grades(y_true, y_score, sample_weight, labels, rows_matter=True)
    values = grades.per_case(_Placements.of(grades, ties).influence(average))
    if average == "classes":  # every class counts alike, so class sizes are as if by design
        return grades.influence(values)
    return Influence.of(grades.sample, values)


@metric(arm="ordinal", influence=_influence, sense="gain")
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

    ``average="pairs"`` is U_pairs, the share of all pairs of different classes (equation 16), which
    large classes dominate; ``"classes"`` is U_ovo, the mean of the AUCs of all pairs of classes
    (17); ``"consecutive"`` is U_cons, the mean AUC of "above class k" over k (18). All are ½ for a
    random ranking (less with strict ties) and the AUC for two classes. Labels, ties and weights are
    as in ``volume_under_surface``, which asks for whole sequences to be right.

    Examples
    --------
    >>> y_true, y_score = [1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9]
    >>> pairwise_ranking_accuracy(y_true, y_score)
    0.875
    >>> round(pairwise_ranking_accuracy(y_true, y_score, average="classes"), 4)
    0.9167
    """
    check_ties(ties)
    _check_average(average)
    grades = read_grades(y_true, y_score, sample_weight, labels)
    return _Placements.of(grades, ties).value(average)


@dataclass(frozen=True, eq=False)
class ClassPairAUC:
    """The AUC of every pair of classes."""

    labels: tuple[Any, ...]
    matrix: Floats
    """A_kl for k < l; NaN on and below the diagonal."""
    standard_error: Floats
    """DeLong's, of each entry; NaN where a class has one case."""
    backend: str | None = None

    def frame(self, backend: str | None = None) -> Any:
        """Return one row per pair of classes."""
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

    Examples
    --------
    >>> found = class_pair_auc([1, 1, 2, 2, 3], [0.1, 0.5, 0.4, 0.7, 0.9])
    >>> float(found.matrix[0, 1]), float(found.matrix[1, 2])
    (0.75, 1.0)
    """
    check_ties(ties)
    grades = read_grades(y_true, y_score, sample_weight, labels)
    placed = _Placements.of(grades, ties)
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


@dataclass(frozen=True)
class JonckheereTest:
    """The Jonckheere–Terpstra test of no trend against increasing scores."""

    statistic: float
    """The number of pairs of cases in order; ties count one half."""
    expected: float
    """Its mean if scores do not depend on the class."""
    standard_deviation: float
    pvalue: float
    """One-sided: small if scores increase with the class."""


def jonckheere_test(y_true: Any, y_score: Any, *, labels: Any = None) -> JonckheereTest:
    """Test whether scores increase with the class, by the number of pairs in order.

    The statistic is U_pairs times the number of pairs. The p-value is a normal approximation that
    allows for ties; do not lean on it with fewer than five cases in a class.

    Examples
    --------
    >>> found = jonckheere_test([1, 1, 1, 2, 2, 2, 3, 3, 3], [2, 4, 1, 3, 6, 5, 8, 7, 9])
    >>> found.statistic, round(found.pvalue, 4)
    (26.0, 0.0027)
    """
    from scipy.special import ndtr

    grades = read_grades(y_true, y_score, None, labels)
    placed = _Placements.of(grades, "average")
    statistic, expected = float(np.sum(placed.pairs * placed.area)), float(np.sum(placed.pairs)) / 2
    spread = _spread_without_trend(grades)
    pvalue = float(ndtr((expected - statistic) / spread)) if spread > 0.0 else 1.0
    return JonckheereTest(statistic, expected, spread, pvalue)


def _spread_without_trend(grades: Grades) -> float:
    """Return the standard deviation of the number of pairs in order if scores tell nothing."""
    sizes = np.array([each.cases for each in grades.classes], dtype=np.float64)
    ties = np.unique(grades.score, return_counts=True)[1].astype(np.float64)
    n = float(sizes.sum())

    def cubic(m: Floats | float) -> Any:
        return m * (m - 1.0) * (2.0 * m + 5.0)

    variance = (cubic(n) - np.sum(cubic(sizes)) - np.sum(cubic(ties))) / 72.0
    if n > 2:
        triples = [np.sum(m * (m - 1.0) * (m - 2.0)) for m in (sizes, ties)]
        variance += triples[0] * triples[1] / (36.0 * n * (n - 1.0) * (n - 2.0))
    doubles = [np.sum(m * (m - 1.0)) for m in (sizes, ties)]
    variance += doubles[0] * doubles[1] / (8.0 * n * (n - 1.0))
    # Of the size of rounding where all scores are tied.
    return math.sqrt(variance) if variance > 1e-12 * cubic(n) else 0.0


def runs_backwards(grades: Grades) -> bool:
    """Tell whether scores fall with the class, beyond three standard deviations of chance."""
    placed = _Placements.of(grades, "average")
    sizes = np.array([each.cases for each in grades.classes], dtype=np.float64)
    pairs = float(np.sum(np.triu(np.outer(sizes, sizes), 1)))
    return (0.5 - placed.value("pairs")) * pairs > 3.0 * _spread_without_trend(grades)


def pairwise_roc_curves(
    y_true: Any,
    y_score: Any,
    *,
    consecutive: bool = False,
    labels: Any = None,
    sample_weight: Any = None,
) -> dict[tuple[Any, Any], ROCCurve]:
    """Return the ROC curve of every pair of classes, keyed by (lower, higher).

    With ``consecutive=True`` they are the curves of "up to class k" against "above class k", keyed
    by the two classes at the cut.

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

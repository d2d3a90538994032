"""For every case, the share of each other class on its right side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores, Ties
from roctopus.ordinal.grades import Grades

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

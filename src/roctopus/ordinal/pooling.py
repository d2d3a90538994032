"""Grades with too few cases to tune their thresholds are merged with a neighbour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.wording import listed, say_counts
from roctopus.core.arrays import Floats
from roctopus.ordinal.thresholds import ordinal_thresholds


@dataclass(frozen=True, eq=False)
class GradePool:
    """Groups of neighbouring grades; thresholds within a group move along with its ends."""

    group: NDArray[np.intp]
    """The group of each grade, counted from the lowest."""
    counts: NDArray[np.intp]
    knob: Floats

    @staticmethod
    def of(counts: NDArray[np.intp], least: int, knob: Floats) -> GradePool | None:
        """Merge the rarest group with its rarer neighbour until all are large enough.

        None if all grades would become one, or none is rare.
        """
        groups = [[k] for k in range(len(counts))]
        while True:
            sizes = [int(counts[each].sum()) for each in groups]
            at = int(np.argmin(sizes))
            if sizes[at] >= least:
                break
            if len(groups) == 2:
                return None
            beside = [k for k in (at - 1, at + 1) if 0 <= k < len(groups)]
            low, high = sorted((at, min(beside, key=lambda k: sizes[k])))
            groups[low : high + 1] = [groups[low] + groups[high]]
        if len(groups) == len(counts):
            return None
        number = [k for k, each in enumerate(groups) for _ in each]
        return GradePool(np.array(number, dtype=np.intp), counts, knob)

    def say(self, labels: tuple[Any, ...], least: int) -> str:
        """Say which grades are merged, and how rare they are."""
        grades = range(len(labels))
        groups = [[k for k in grades if self.group[k] == g] for g in np.unique(self.group)]
        names = [listed([str(labels[k]) for k in each]) for each in groups if len(each) > 1]
        rare = {str(labels[k]): int(self.counts[k]) for k in grades if self.counts[k] < least}
        return (
            f"To check the thresholds, grades {'; grades '.join(names)} were taken together: "
            f"{say_counts(rare, 'of')}."
        )

    def tune(
        self, codes: NDArray[np.intp], prediction: Floats, matrix: Floats, weight: Floats | None
    ) -> tuple[Floats, Floats, Floats]:
        """Return the best thresholds between groups; those within a group move with them."""
        sizes = np.bincount(codes, weight, len(self.group))
        count = int(self.group[-1]) + 1
        member = self.group == np.arange(count)[:, None]
        share = member * sizes
        share = share / share.sum(axis=1, keepdims=True)
        usual = np.argmax(member * (self.counts + 1.0), axis=1)  # the grade that a group stands for
        found = ordinal_thresholds(
            self.group[codes],
            prediction,
            loss=share @ matrix[:, usual],
            labels=list(range(count)),
            sample_weight=weight,
        )
        return self._all(found.thresholds), self._all(found.low), self._all(found.high)

    def _all(self, between: Floats) -> Floats:
        """Return thresholds between all grades: those within a group move with its ends."""
        ends, border = np.array([-np.inf, *between, np.inf]), np.diff(self.group) > 0
        old = np.array([-np.inf, *self.knob[border], np.inf])
        known = np.isfinite(ends) & np.isfinite(old)
        moves = np.where(known, np.where(known, ends, 0.0) - np.where(known, old, 0.0), 0.0)
        below = self.group[:-1]
        ways = np.maximum(known[below] * 1 + known[below + 1], 1)
        along = self.knob + (moves[below] + moves[below + 1]) / ways
        return np.where(border, ends[below + 1], np.clip(along, ends[below], ends[below + 1]))

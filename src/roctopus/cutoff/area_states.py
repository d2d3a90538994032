"""A_OCE beyond memory, from sorted ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.streams import Columns
from roctopus.cutoff.cases import ErrorCosts


class OutputArea:
    """A_OCE from sorted ends: Σσ·F(p) − Σσ·F(y), σ = ±weight·cost by the sign of the error.

    F is the share of truths at or below a value. True values and predictions are records of one
    column, so rows need not be matched again.
    """

    def __init__(
        self, truth: str, prediction: str, weight: str | None, costs: ErrorCosts, total: float
    ) -> None:
        self.arguments = truth, prediction, weight, costs, total
        self.below, self.area, self.pull = 0.0, 0.0, 0.0

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return one record per true value, and one per prediction that is not exact."""
        truth, prediction, weight, *_ = self.arguments
        y, p = batch[truth], batch[prediction]
        sign = np.sign(p - y, where=p != y, out=np.zeros(len(y))).astype(np.int8)
        wrong = sign != 0
        found = {
            "key": np.concatenate([y, p[wrong]]) + 0.0,
            "sign": np.concatenate([-sign, sign[wrong]]),
            "is_truth": np.arange(len(y) + int(np.count_nonzero(wrong))) < len(y),
        }
        if weight is not None:
            found["mass"] = np.concatenate([batch[weight], batch[weight][wrong]])
        return found

    def advance(self, records: Mapping[str, Any]) -> None:
        """Add each record's pull times the share of true values up to it; ties count together."""
        *_, costs, total = self.arguments
        truth, sign = records["is_truth"], records["sign"]
        over, under = costs.false_positive / total, costs.false_negative / total
        # What a prediction gains, its truth loses: of an over-estimate its truth is pulled down.
        pull = np.where(np.where(truth, -sign, sign) > 0, over, under) * sign
        mass = truth / total
        if "mass" in records:
            mass, pull = mass * records["mass"], pull * records["mass"]
        key = records["key"]
        begin = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        if len(begin) < len(key):
            mass, pull = (np.add.reduceat(each, begin) for each in (mass, pull))
        reached = np.cumsum(mass)
        self.area += float(np.sum((self.below + reached) * pull))
        self.below += float(reached[-1])
        self.pull += float(pull.sum())

    def lifted(self) -> Self:
        """Return an empty state."""
        return type(self)(*self.arguments)

    def merge(self, right: Self) -> None:
        """Merge the state of a range of larger keys, adding the share below it."""
        self.area += right.area + self.below * right.pull
        self.below += right.below
        self.pull += right.pull

    @property
    def value(self) -> float:
        """The area."""
        return max(self.area, 0.0)

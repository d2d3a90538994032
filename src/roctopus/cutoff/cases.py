"""Cases to be decided at a cutoff: true values, predictions, and the cost of wrong decisions.

A case is positive where its value is at least the cutoff. Truth and prediction disagree at the
cutoffs c with low < c ≤ high, low and high being the smaller and the larger of the two: a false
positive where the prediction is the larger one, a false negative where the truth is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_magnitude, check_not_negative
from roctopus.core.errors import InputError, arg
from roctopus.core.intervals import Intervals
from roctopus.core.sample import Sample, read_sample


@dataclass(frozen=True)
class ErrorCosts:
    """What a false positive and a false negative cost."""

    false_positive: float = 1.0
    false_negative: float = 1.0

    def __post_init__(self) -> None:
        check_not_negative(self.false_positive, "false_positive_cost")
        check_not_negative(self.false_negative, "false_negative_cost")
        check_magnitude([self.false_positive, self.false_negative], "The costs have values")
        if not (self.false_positive or self.false_negative):
            raise InputError(
                f"{arg('false_positive_cost')} and {arg('false_negative_cost')} are both zero, so "
                "no decision is worse than another. At least one of them must be positive."
            )


@dataclass(frozen=True, eq=False)
class CutoffCases:
    """The cases that count, with the costs of wrong decisions on them.

    The columns are in numpy, unless they were asked for on their device.
    """

    sample: Sample
    costs: ErrorCosts

    @property
    def y_true(self) -> Floats:
        """The truths."""
        truths: Floats = self.sample.y_true
        return truths

    @property
    def y_pred(self) -> Floats:
        """The predictions, which may be infinite."""
        predictions: Floats = self.sample.y_pred
        return predictions

    def cost(self) -> Floats:
        """Return what each case costs at the cutoffs between its truth and its prediction."""
        fp, fn = self.costs.false_positive, self.costs.false_negative
        return np.where(self.y_pred > self.y_true, fp, fn)

    def losses_at(self, cutoff: Floats | float) -> Floats:
        """Return the cost of each case at a cutoff, or each at its own."""
        fp, fn = self.costs.false_positive, self.costs.false_negative
        truth, decision = self.y_true >= cutoff, self.y_pred >= cutoff
        return np.where(truth == decision, 0.0, np.where(decision, fp, fn))

    def intervals(self) -> tuple[Intervals, Intervals]:
        """Return the cutoffs with a false positive and those with a false negative."""
        return Intervals.of_errors(self.sample, +1), Intervals.of_errors(self.sample, -1)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest of all truths and predictions: no error lies outside."""
        return (
            float(min(self.y_true.min(), self.y_pred.min())),
            float(max(self.y_true.max(), self.y_pred.max())),
        )


def read_cases(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    *,
    anywhere: bool = False,
) -> CutoffCases:
    """Check and read cases; predictions may be infinite, which means "always" and "never".

    With ``anywhere`` they stay in the library and on the device they came in.
    """
    costs = ErrorCosts(false_positive_cost, false_negative_cost)
    sample = read_sample(y_true, y_pred, sample_weight, infinite_predictions=True)
    return CutoffCases(sample if anywhere else sample.to_numpy(), costs)

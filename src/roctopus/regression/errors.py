"""Errors of a sample: prediction minus truth, so that over-estimates are positive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.core.arrays import Array
from roctopus.core.checks import check_finite
from roctopus.core.running_sums import TwoSidedSums, two_sided_sums
from roctopus.core.sample import Sample, read_sample


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of the cases that count, in the library the data came in."""

    sample: Sample
    values: Array

    @property
    def xp(self) -> Any:
        """The array namespace."""
        return self.sample.xp

    def sums_over_shifts(self, multiplier: Array | None = None) -> TwoSidedSums:
        """Return OVER (excess) and −UNDER (shortfall) at every shift that corrects some error.

        A shift s moves case i by s·k_i: its error is corrected at −e_i/k_i and changes at rate k_i.
        """
        weight = self.sample.weight
        if multiplier is None:
            return two_sided_sums(0.0 - self.values, weight, xp=self.xp)
        mass = multiplier if weight is None else multiplier * weight
        return two_sided_sums((0.0 - self.values) / multiplier, mass, xp=self.xp)


def read_errors(y_true: Any, y_pred: Any, sample_weight: Any = None) -> Errors:
    """Check the sample and return its errors."""
    sample = read_sample(y_true, y_pred, sample_weight)
    with np.errstate(over="ignore"):
        values = (sample.y_pred - sample.y_true) + 0.0  # −0.0 becomes +0.0
        if not math.isfinite(float(sample.xp.sum(values))):
            check_finite(sample.per_row(values), "y_pred - y_true")
    return Errors(sample, values)

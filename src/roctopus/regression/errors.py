"""Errors of a sample, over-estimates positive, and the quantiles that are their best shifts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.core.arrays import Array, Floats, to_numpy
from roctopus.core.errors import InputError
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
            wrong = ~np.isfinite(to_numpy(values))
            if wrong.any():
                raise InputError(
                    "The difference between 'y_true' and 'y_pred' is too large for a "
                    f"floating-point number in {sample.name_rows(wrong)}. Divide both arrays by "
                    "the same constant, such as 1e100."
                )
    return Errors(sample, values)


@dataclass(frozen=True)
class OptimalShift:
    """All best shifts, and the one to use.

    Every shift from ``low`` to ``high`` has the same, smallest loss. The ends may be infinite, if
    one kind of error costs nothing.

    Parameters
    ----------
    low : float
        Smallest of the best shifts.
    high : float
        Largest of the best shifts.

    Attributes
    ----------
    chosen : float
        The best shift that changes the predictions least.

    Examples
    --------
    >>> from roctopus.regression import OptimalShift
    >>> OptimalShift(low=1.5, high=2.0).chosen
    1.5
    """

    low: float
    high: float
    chosen: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "chosen", min(max(0.0, self.low), self.high))


def optimal_interval(
    shifts: Floats, mass: Floats, asymmetry: float, *, relative_rounding: float
) -> OptimalShift:
    """Return the α-quantile set of sorted distinct shifts with cumulative masses.

    The loss falls until the mass of corrected errors reaches α and rises after. Where it *is* α (up
    to the rounding of the masses), the loss is flat up to the next shift.
    """
    if asymmetry == 0.0:
        return OptimalShift(-math.inf, float(shifts[0]))
    if asymmetry == 1.0:
        return OptimalShift(float(shifts[-1]), math.inf)
    level = asymmetry * mass[-1]
    above = min(int(np.searchsorted(mass, level)), len(mass) - 1)
    for first in (above - 1, above):
        if 0 <= first < len(mass) - 1:
            # Rounding is forgiven up to a quarter of a neighbouring case: more is a difference.
            before = mass[first - 1] if first else 0.0
            step = min(mass[first] - before, mass[first + 1] - mass[first])
            slack = min(relative_rounding * mass[-1], 0.25 * step)
            if abs(mass[first] - level) <= slack:
                return OptimalShift(float(shifts[first]), float(shifts[first + 1]))
    return OptimalShift(float(shifts[above]), float(shifts[above]))


def rounding_of_masses(sample: Sample) -> float:
    """Return how far off, relatively, a cumulative mass may be: counts are exact, sums drift."""
    return 8.0 * float(np.finfo(np.float64).eps) * (1 if sample.weight is None else sample.size)

"""The distribution of a sample's own true values, as one of contexts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_number
from roctopus.core.errors import InputError, arg


@dataclass(frozen=True)
class Output:
    """Contexts are distributed as the true values of the sample, all of them or those in a region.

    It suits cutoffs that are values of the same kind as the output: supply meets demand, a change
    is compared with the last value, everyone asks who is above them. Both ends of the region are
    included. For the values of another sample use ``Empirical(values)``.
    """

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        low, high = self.ends
        if not low <= high:
            raise InputError(
                f"The region of cutoffs must have its low end below its high end, got {low} and "
                f"{high}."
            )

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the region, infinite where there is no bound."""
        return (
            -np.inf if self.low is None else check_number(self.low, "low"),
            np.inf if self.high is None else check_number(self.high, "high"),
        )

    def within(self, y_true: Floats) -> Any:
        """Return which truths lie in the region."""
        low, high = self.ends
        inside = (y_true >= low) & (y_true <= high)
        if not inside.any():
            self.refuse(float(y_true.min()), float(y_true.max()))
        return inside

    def refuse(self, lowest: float, highest: float) -> NoReturn:
        """Refuse truths of which none lies in the region, from their range."""
        low, high = self.ends
        raise InputError(
            f"No case of {arg('y_true')} lies between {low:g} and {high:g}: the region holds no "
            f"cutoffs. The truths run from {lowest:g} to {highest:g}."
        )

    def distribution(self, y_true: Floats, weight: Floats | None) -> Empirical:
        """Return the distribution of the truths of a sample."""
        inside = self.within(y_true)
        return Empirical(y_true[inside], None if weight is None else weight[inside])

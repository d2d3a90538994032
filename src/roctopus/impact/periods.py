"""A capacity per period: a number of cases per average day."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import read_groups
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_not_negative
from roctopus.core.errors import InputError, arg

SLACK = 1e-9


class PerPeriod(NamedTuple):
    """The period of each case, and how many cases are accepted in an average period."""

    code: NDArray[np.intp]
    at_least: float | None
    at_most: float | None

    def take(self, rows: NDArray[np.intp]) -> PerPeriod:
        """Return the periods of some cases."""
        return self._replace(code=self.code[rows])

    def limits(self, weight: Floats | None) -> tuple[float | None, float | None]:
        """Return the least and the largest number of cases to accept; whole without weights."""
        counted = self.code if weight is None else self.code[weight > 0.0]
        total = float(len(counted)) if weight is None else float(weight.sum())
        many = len(np.unique(counted))
        low, high = self.at_least, self.at_most
        if low is not None:
            low = min(low * many, total)
            low = math.ceil(low - SLACK) if weight is None else low
        if high is not None:
            high = min(high * many, total)
            high = math.floor(high + SLACK) if weight is None else high
        return low, high

    def say(self, accepted: NDArray[np.bool_], weight: Floats | None) -> str:
        """Say how many cases an average period accepts, and how many periods exceed the limit."""
        mass = accepted * (1.0 if weight is None else weight)
        present = np.unique(self.code if weight is None else self.code[weight > 0.0])
        found = np.bincount(self.code, mass)[present]
        text = f"The threshold accepts {found.mean():.4g} cases in an average period"
        if self.at_most is None:
            return f"{text}; at least {self.at_least:g} are required."
        above = found > self.at_most + SLACK
        text += f", within the capacity of {self.at_most:g}; it exceeds that"
        text += f" in {above.sum()} of {len(found)} periods"
        if above.any():
            text += f" ({100.0 * above.mean():.0f} %), with up to {found.max():g} cases"
        return f"{text}, on the data used for tuning."


def read_periods(per: Any, size: int, at_least: Any, at_most: Any) -> PerPeriod | None:
    """Read the periods of the cases, and a capacity for each; None if there are no periods."""
    if per is None:
        return None
    if at_least is None and at_most is None:
        raise InputError(
            f"{arg('per')} sets the periods of a capacity, but the capacity is missing. Add "
            f"{arg('at_most')} or {arg('at_least')}."
        )
    limits = [
        None if limit is None else check_not_negative(limit, name)
        for name, limit in (("at_least", at_least), ("at_most", at_most))
    ]
    low, high = limits
    if low is not None and high is not None and low > high:
        raise InputError(
            f"{arg('at_least')} ({low:g}) must not exceed {arg('at_most')} ({high:g})."
        )
    code, labels = read_groups(per, size, "per")
    if len(labels) == size:
        shown = ", ".join(map(repr, labels[:3])) + (", …" if size > 3 else "")
        raise InputError(
            f"All values in {arg('per')} are different ({shown}), so every period has only one "
            "case. Use the period itself, such as the date without the time of day."
        )
    return PerPeriod(code, low, high)

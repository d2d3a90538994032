"""Sums of squared means: what chance adds to them, and which intervals follow."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roctopus.concepts.dependence import Codes, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats


class Squares(NamedTuple):
    """Means of groups of cases, whose squares a value adds up.

    Each square is too large by the variance of its mean. The value is the sum without that noise.
    """

    noise: float
    """What was subtracted, for independent cases."""
    values: Floats
    """The influence value of each row on the mean of its group; 0 for rows that do not count."""
    group: Codes
    """The group of each row."""

    def noise_under(self, dependence: Dependence, weight: Floats | None) -> float:
        """Return the noise of cases that depend on each other."""
        if dependence.independent:
            return self.noise
        of_cases, of_units = (
            math.fsum(
                Estimate(
                    0.0, np.where(self.group == group, self.values, 0.0), weight, dependence=each
                ).standard_error
                ** 2
                for group in np.unique(self.group)
            )
            for each in (Dependence(), dependence)
        )
        return self.noise * of_units / of_cases if of_cases > 0.0 else self.noise

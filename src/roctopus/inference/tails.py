"""How heavy the tail of a pilot is, and how well it determines a variance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats

NORMAL_KURTOSIS = 3.0
TAIL = 4.0
"""Excess kurtosis of the population over that of a pilot: samples rarely hold the far tail, least
where their variance is too small. Chosen by simulation (``benchmarks/sample_sizes.py``)."""


class Tail(NamedTuple):
    """The kurtosis of what units add, and the degrees of freedom of its variance."""

    kurtosis: float
    freedom: float


def read_tail(pilot: Estimate, units: float) -> Tail:
    """Return how heavy the tail of a pilot of so many units is."""
    if pilot.condensed is not None:  # no row per case: there are many of them
        return Tail(NORMAL_KURTOSIS, units - 1.0)
    sizes: Floats = np.abs(pilot.terms) / np.max(np.abs(pilot.terms))
    carriers = float(np.sum(sizes**2)) ** 2 / float(np.sum(sizes**4))
    kurtosis = units / carriers * (units + 1.0) / (units - 1.0)  # unbiased for normal values
    # No tail is left to see where ranks or rates bound it, or where the largest value repeats.
    seen = is_bounded(pilot) or np.count_nonzero(sizes > 1.0 - 1e-9) > 1
    excess = 0.0 if seen else (TAIL - 1.0) * max(kurtosis - NORMAL_KURTOSIS, 0.0)
    return Tail(kurtosis, 2.0 * (units - 1.0) / max(kurtosis + excess - 1.0, 1e-6))


def is_bounded(pilot: Estimate) -> bool:
    """Return whether single cases cannot matter much: for rates, ranks and their differences."""
    return pilot.scale == "logit" or pilot.strata is not None

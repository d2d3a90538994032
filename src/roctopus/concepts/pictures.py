"""What pictures of an arm have in common: how much of the data they may tell."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

POINTS = 400
"""So many points draw a curve."""
Knobs: TypeAlias = list[list[Floats]]
"""Per model an array for each number of a setting, with a value per context."""


def cases_that_count(problem: Problem) -> int:
    """Return how many cases there are; of unequal weights, how many of the heaviest."""
    if problem.weight is None:
        return len(problem)
    return int(problem.weight.sum() / problem.weight.max() + 1e-9)


def thin(mass: Floats, least: float, most: int) -> Index:
    """Return positions along running masses such that ``least`` or more lie between neighbours."""
    total = float(mass[-1])
    steps = int(min(most, max(total // least, 1.0)))
    at = np.searchsorted(mass, np.linspace(0.0, total, steps + 1))
    return np.unique(np.clip(at, 0, len(mass) - 1))

"""What pictures of an arm have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Index

POINTS = 400
"""Number of points that draw a curve."""
Knobs: TypeAlias = list[list[Floats]]
"""Per model an array for each number of a setting, with a value per context."""
Drawn: TypeAlias = Mapping[str, tuple[Any, Floats]]
"""What is drawn for each model: its problem and its predictions, or those of a small sample."""


def thin(mass: Floats, most: int) -> Index:
    """Return at most so many positions, at about equal steps of running masses."""
    at = np.searchsorted(mass, np.linspace(0.0, float(mass[-1]), most + 1))
    return np.unique(np.clip(at, 0, len(mass) - 1))

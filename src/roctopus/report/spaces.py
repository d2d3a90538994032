"""The picture beside the curves, as the page stores it."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.pictures import Knobs
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.report.packing import pack


def make_space(
    problem: Problem, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return the picture of an arm; ``knobs`` are those shown, per model and context."""
    make = next(iter(find_arm(problem.arm).pictures.values()))
    picture = make(problem, predictions, contexts, knobs, max(least, 1))
    return {name: _packed(value) for name, value in picture.items()}


def _packed(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return pack(value)
    if isinstance(value, dict):
        return {name: _packed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_packed(each) for each in value]
    return value

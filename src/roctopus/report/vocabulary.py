"""The words of the page: those of the arm, and of the problem."""

from __future__ import annotations

from typing import Any

from roctopus.arms import find_arm
from roctopus.concepts.problem import Problem


def vocabulary(problem: Problem, unit: str) -> dict[str, Any]:
    """Return the words for one comparison; all of it is text, and shown as text."""
    return {
        **find_arm(problem.arm).words,
        "knob": problem.knob_name,
        "outcome": problem.outcome,
        "sense": problem.sense,
        "unit": unit,
        **problem.vocabulary(),
    }

"""What is shown of a comparison, and what settings may be told of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.comparison import Comparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.inference.aims import Aim
from roctopus.report.contexts import shown_range
from roctopus.report.privacy import cover


@dataclass(frozen=True, eq=False)
class Subject:
    """A comparison, with the problem in the user's unit and what is shown first."""

    comparison: Comparison
    problem: Problem
    aim: Aim
    curves: dict[str, ContextCurve]
    best: Envelope
    least: int
    """Cases that every stored number covers; 0 means exact."""

    @property
    def first(self) -> float:
        """The context shown first."""
        low, high = shown_range(self.problem, self.aim, self.least)
        middle = self.aim.middle
        return float(np.clip(middle, low, high)) if np.isfinite(middle) else 0.5 * (low + high)

    def made_of(self, name: str) -> Floats:
        """Return what knobs are made of, sorted: corrections of a shift, scores of a threshold."""
        values = self.problem.knob_values(self.comparison.predictions[name])
        return np.sort(values[np.isfinite(values)])

    def shareable(self, knobs: Floats, name: str) -> Floats:
        """Return settings as they may be told: exact, or as means of several cases."""
        return cover(knobs, self.made_of(name), self.least) if self.least else knobs

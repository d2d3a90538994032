"""One margin for more and more cutoffs: margins that cannot be best are dropped for good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from roctopus.concepts.problem import Knob
from roctopus.core.arrays import Floats
from roctopus.core.turns import Combine, Stretches, Turns, rounding_of, stretches
from roctopus.cutoff.margins import best_margin


@dataclass
class MarginTuner:
    """Finds the margin whose worst cost over some cutoffs is least.

    Cutoffs are only added, so the worst cost over them only grows. A margin that was once worse
    than what another gives over a whole range is dropped for good.
    """

    turns_at: Callable[[float], Turns]
    means_at: Callable[[float, Floats], Floats]
    """The mean cost of a margin at some cutoffs."""
    prediction: Floats
    total: float
    size: float
    """Largest cost of a wrong answer."""
    _known: dict[float, Turns] = field(default_factory=dict)
    _left: Stretches | None = None
    _joined: set[float] = field(default_factory=set)

    def __call__(self, contexts: Floats, handicaps: Floats, most: float = np.inf) -> Knob:
        """Return the margin; some margin is known to cost at most ``most`` at its worst."""
        cutoffs = contexts.tolist()
        for c in cutoffs:
            if c not in self._known:
                self._known[c] = self.turns_at(c)
        near = rounding_of(self.prediction, contexts) if len(cutoffs) > 1 else 0.0
        return best_margin(
            [self._known[c] for c in cutoffs],
            self._combine(handicaps),
            lambda margin: float(np.max(self.means_at(margin, contexts) - handicaps)),
            self.size,
            near,
            self._ranges(cutoffs, handicaps, most + 1e-12 * self.size),
        )

    def _combine(self, handicaps: Floats) -> Combine:
        return lambda values: np.max(values / self.total - handicaps[:, None], axis=0)

    def _ranges(self, cutoffs: list[float], handicaps: Floats, most: float) -> Stretches | None:
        """Return the ranges of margins that can still be best, or None if all can."""
        if not np.isfinite(most):
            return None
        if self._left is None:
            turns = [self._known[c] for c in cutoffs]
            self._left = stretches(turns, self._combine(handicaps), most)
        else:
            for k, c in enumerate(cutoffs):
                if c not in self._joined:
                    combine = self._combine(handicaps[k : k + 1])
                    self._left = self._left.split(self._known[c], combine, most)
        self._joined.update(cutoffs)
        return self._left if len(self._left.start) else None

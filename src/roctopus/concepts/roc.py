"""ROC curves of two classes, shared by the arms that rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.arrays import Array
from roctopus.core.chains import ClassScores


@dataclass(frozen=True, eq=False, repr=False)
class ROCCurve(TradeoffCurve):
    """The rates of both classes that are accepted, by increasing threshold.

    Accepted means score ≥ threshold. The first vertex accepts all, the last (threshold +inf) none.
    """

    names: ClassVar[tuple[str, str, str]] = (
        "false_positive_rate", "true_positive_rate", "threshold",
    )  # fmt: skip

    @staticmethod
    def between(
        negative: ClassScores, positive: ClassScores, backend: str | None = None
    ) -> ROCCurve:
        """Return the curve of two classes given by their sorted scores."""
        threshold = np.append(np.union1d(negative.score, positive.score), np.inf)
        accepted = []
        for each in (negative, positive):
            running = np.append(0.0, np.cumsum(each.mass))
            below = running[np.searchsorted(each.score, threshold)]
            accepted.append((running[-1] - below) / running[-1])
        return ROCCurve(accepted[0], accepted[1], threshold, backend)

    @property
    def false_positive_rate(self) -> Array:
        """The share of the lower class that is accepted."""
        return self.x

    @property
    def true_positive_rate(self) -> Array:
        """The share of the higher class that is accepted."""
        return self.y

    @property
    def threshold(self) -> Array:
        """The threshold of each vertex."""
        return self.knob

    @property
    def area(self) -> float:
        """The area under the curve; ties count one half."""
        return float(0.0 - np.trapezoid(self.y, self.x))  # never −0

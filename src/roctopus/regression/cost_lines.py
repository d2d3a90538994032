"""The dual of RROC space: a point is a line over the asymmetry, a hull is a lower envelope."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Piecewise


@dataclass(frozen=True, eq=False)
class CostLines:
    """Points of RROC space by increasing shift, each best up to an asymmetry of its own."""

    over: Floats
    under: Floats
    shift: Floats
    until: Floats
    """Each point is best from the previous point's ``until`` (0 for the first) to its own."""
    rest: Floats
    """1 − ``until``, without the cancellation."""

    def curve(
        self, *, normalized: bool, backend: str | None, total_weight: float = 1.0
    ) -> ContextCurve:
        """Return the loss 2(1 − α)·OVER − 2α·UNDER of the best point as a function of α.

        Neighbouring lines meet at their common α, so the values there make the whole curve. Lines
        of totals become means when divided by their ``total_weight``.
        """
        alpha, loss = np.empty(len(self.over) + 1), np.empty(len(self.over) + 1)
        alpha[0], loss[0] = 0.0, self.over[0]
        alpha[1:] = self.until
        np.multiply(self.rest, self.over, out=loss[1:])
        loss[1:] -= self.until * self.under
        loss *= 2.0 / total_weight
        function = Piecewise.through(alpha, loss)
        return cost_context_curve(function, self.shift, normalized=normalized, backend=backend)


def cost_context_curve(
    function: Piecewise,
    shift: Floats | None,
    *,
    normalized: bool,
    backend: str | None,
    exact: bool = True,
) -> ContextCurve:
    """Name a loss over asymmetry; means and totals have different names, so they never mix."""
    return ContextCurve(
        function,
        "asymmetry",
        f"{'mean' if normalized else 'total'} asymmetric absolute error",
        "loss",
        shift,
        "shift" if shift is not None else None,
        exact,
        backend=backend,
    )

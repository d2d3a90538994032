"""Curves over a context, with a band that says who is best where."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.piecewise import Piecewise
from roctopus.display.base import ModelDisplay
from roctopus.display.style import INK, LEGEND, Looks, finish_axes, new_axes, safe_text

__all__ = ["ContextCurveDisplay", "outline"]

MOST_PIECES = 2000
"""Longer curves are drawn at so many even contexts: no one sees the difference."""


def outline(function: Piecewise, low: float, high: float) -> tuple[Floats, Floats]:
    """Return points to draw a function by, jumps upright."""
    part = function.restrict(low, high)
    if len(part) > MOST_PIECES:
        x = np.linspace(low, high, MOST_PIECES)
        return x, part.at(x)
    x = np.column_stack([part.knots[:-1], part.knots[1:]]).ravel()
    return x, np.column_stack([part.start, part.end]).ravel()


class ContextCurveDisplay(ModelDisplay):
    """Draw several models' curves over a context, and who is best where."""

    x_label: ClassVar[str | None] = None
    y_label: ClassVar[str | None] = None

    def __init__(self, curves: Mapping[str, ContextCurve]) -> None:
        self.curves: dict[str, ContextCurve] = check_mapping(curves, "curves", "context curves")
        self.envelope: Envelope = envelope(self.curves)

    def context_range(self) -> tuple[float, float]:
        """Return the contexts to show: all, or where unbounded those between the outer knots."""
        low, high = self.envelope.curve.domain
        knots = np.concatenate([curve.function.knots for curve in self.curves.values()])
        inner = knots[np.isfinite(knots)]
        first, last = (float(inner.min()), float(inner.max())) if len(inner) else (0.0, 1.0)
        margin = 0.04 * (last - first) or 1.0
        return (
            first - margin if math.isinf(low) else low,
            last + margin if math.isinf(high) else high,
        )

    def plot(
        self,
        *,
        ax: Any | None = None,
        context: float | None = None,
        bands: bool = True,
        title: str | None = None,
    ) -> Self:
        """Draw the curves; ``context`` marks the values there, ``bands`` show who is best where."""
        ax = new_axes(ax)
        looks = Looks(self.curves)
        low, high = self.context_range()
        top = 0.0
        for name, curve in self.curves.items():
            x, y = outline(curve.function, low, high)
            top = max(top, float(np.max(y)))
            ax.plot(x, y, label=safe_text(name), **looks.line(name))
            if context is not None:
                colour = looks.colour(name)
                ax.plot(context, curve.at(context), "o", color=colour, markersize=7, zorder=5)
        top = 1.06 * top or 1.0
        if bands:
            self._draw_bands(ax, looks, low, high, 0.022 * top)
        if context is not None:
            ax.axvline(context, color=INK, linewidth=1.2)
        ax.set_xlim(low, high)
        ax.set_ylim(-0.03 * top if bands else 0.0, top)
        first = next(iter(self.curves.values()))
        finish_axes(
            ax, title=title, x=self.x_label or first.context, y=self.y_label or first.outcome
        )
        ax.legend(**LEGEND)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_bands(self, ax: Any, looks: Looks, low: float, high: float, height: float) -> None:
        for start, stop, model in self.envelope.regions:
            left, right = max(start, low), min(stop, high)
            if left < right:
                colour = looks.colour(model)
                ax.axvspan(left, right, color=colour, alpha=0.07, linewidth=0)
                ax.fill_between([left, right], -height, 0, color=colour, linewidth=0)

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: the finite knots of every curve with its model."""
        context = self.envelope.curve.context
        finite = {
            name: curve.function.knots[np.isfinite(curve.function.knots)]
            for name, curve in self.curves.items()
        }
        columns = {
            "model": [name for name, knots in finite.items() for _ in knots],
            context: np.concatenate(list(finite.values())),
            "value": np.concatenate([self.curves[name].at(k) for name, k in finite.items()]),
        }
        return make_frame(columns, self.envelope.curve.backend, backend)

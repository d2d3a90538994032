"""Curves over a context, with a band that says who is best where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.frames import column_name
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.piecewise import Piecewise
from roctopus.display.axes import check_shown
from roctopus.display.base import Display, frame_of
from roctopus.display.style import ABOVE_STRIP, INK, MUTED, Looks, new_axes, safe_text

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


def usual_range(curves: Mapping[str, ContextCurve]) -> tuple[float, float]:
    """Return the contexts to show: where curves tell something, with a little room around it."""
    ends = [curve.telling_range() for curve in curves.values()]
    first, last = min(low for low, _ in ends), max(high for _, high in ends)
    low, high = next(iter(curves.values())).domain
    margin = 0.04 * (last - first) or 1.0
    return max(first - margin, low), min(last + margin, high)


def quantile_of(outputs: Empirical, share: float) -> float:
    """Return the truth below which a share of the truths lies."""
    order = np.argsort(outputs.support)
    at = np.searchsorted(np.cumsum(outputs.probability[order]), share - 1e-12)
    return float(outputs.support[order][int(at)])


def draw_second_axis(ax: Any, reading: Callable[[Floats], tuple[str, Floats] | None]) -> None:
    """Read the ticks another way along the top, if there is one.

    On a scale of its own, a reading such as 1/θ would crowd them at one end.
    """
    low, high = ax.get_xlim()
    ticks = np.array([tick for tick in ax.get_xticks() if low <= tick <= high], dtype=np.float64)
    second = reading(ticks)
    if second is None:
        return
    label, values = second
    top = ax.secondary_xaxis("top")
    told = [f"{v:.3g}" if np.isfinite(v) else "∞" for v in values.tolist()]
    top.set_xticks(ticks.tolist(), told)
    top.set_xlabel(safe_text(label), color=MUTED, fontsize=9)
    top.tick_params(colors=MUTED, labelsize=9)
    top.spines["top"].set_visible(False)


class ContextCurveDisplay(Display):
    """Draw several models' curves over a context, and who is best where."""

    x_label: str | None = None
    y_label: str | None = None
    legend_place: Mapping[str, Any] = ABOVE_STRIP

    def __init__(self, curves: Mapping[str, ContextCurve]) -> None:
        self.curves: dict[str, ContextCurve] = check_mapping(curves, "curves", "context curves")
        self.envelope: Envelope = envelope(self.curves)

    def context_range(self) -> tuple[float, float]:
        """Return the contexts to show: all, or where unbounded those that tell something."""
        return usual_range(self.curves)

    def shown(
        self, low: float | None, high: float | None, context: float | None
    ) -> tuple[float, float]:
        """Return the ends of the x-axis, as asked for or as is usual."""
        first, last = self.context_range()
        ends = first if low is None else float(low), last if high is None else float(high)
        check_shown(*ends, None if context is None else float(self.position(np.array(context))))
        return ends

    def points(self, curve: ContextCurve, low: float, high: float) -> tuple[Floats, Floats]:
        """Return the points to draw a curve by: its outline, or its known values."""
        if curve.known is None:
            return outline(curve.function, low, high)
        return self.position(curve.known), curve.function.start

    def position(self, context: Floats) -> Floats:
        """Return where a context lies on the x-axis."""
        return context

    def plot(
        self,
        *,
        ax: Any | None = None,
        context: float | None = None,
        bands: bool = True,
        low: float | None = None,
        high: float | None = None,
        title: str | None = None,
    ) -> Self:
        """Draw the curves; ``context`` marks the values there, ``bands`` show who is best where.

        ``low`` and ``high`` limit the contexts that are shown.
        """
        ax = new_axes(ax, len(self.curves))
        looks = Looks(self.curves)
        low, high = self.shown(low, high, context)
        top = bottom = 0.0
        for name, curve in self.curves.items():
            x, y = self.points(curve, low, high)
            top, bottom = max(top, float(np.max(y))), min(bottom, float(np.min(y)))
            dots = {"marker": "o", "markersize": 3.5} if curve.known is not None else {}
            ax.plot(x, y, label=safe_text(name), **looks.line(name), **dots)
            if context is not None:
                at, colour = float(self.position(np.array(context))), looks.colour(name)
                ax.plot(at, curve.at(context), "o", color=colour, markersize=7, zorder=5)
        height = top - bottom or 1.0
        top, bottom = top + 0.06 * height, bottom and bottom - 0.03 * height
        bands = bands and len(self.curves) > 1
        if bands:
            self._draw_bands(ax, looks, (low, high), (bottom - 0.022 * height, bottom))
        if context is not None:
            ax.axvline(float(self.position(np.array(context))), color=INK, linewidth=1.2)
        ax.set(xlim=(low, high), ylim=(bottom - 0.03 * height if bands else bottom, top))
        first = next(iter(self.curves.values()))
        for name, function in first.baselines.items():
            style = {"color": MUTED, "linewidth": 1.2, "linestyle": (0, (4, 3))}
            ax.plot(*outline(function, low, high), label=name, **style)
        words = {"x": self.x_label or first.context, "y": self.y_label or first.outcome}
        return self._drawn(ax, title=title, **words, legend=self.legend_place)

    def _draw_bands(
        self, ax: Any, looks: Looks, shown: tuple[float, float], level: tuple[float, float]
    ) -> None:
        for start, stop, model in self.envelope.regions:
            ends = self.position(np.array([start, stop]))
            left, right = max(float(ends[0]), shown[0]), min(float(ends[1]), shown[1])
            if left < right:
                colour = looks.colour(model)
                ax.axvspan(left, right, color=colour, alpha=0.07, linewidth=0)
                ax.fill_between([left, right], *level, color=colour, linewidth=0)

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: finite knots or known contexts of every curve with its model."""
        context = column_name(self.envelope.curve.context)
        parts = {}
        for name, curve in self.curves.items():
            knots = curve.function.knots
            x = knots[np.isfinite(knots)] if curve.known is None else curve.known
            parts[name] = {context: x, "value": curve.at(x)}
        return frame_of(parts, self.envelope.curve.backend, backend)

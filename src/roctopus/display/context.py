"""Curves over a context, with a band that says who is best where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, Unpack

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
from roctopus.display.drawing import Appearance, Pen, beside_of, drawing
from roctopus.display.legends import ABOVE_STRIP
from roctopus.display.marks import mark_context
from roctopus.display.style import (
    Theme,
    mark_size,
    safe_text,
    text_size,
)
from roctopus.display.writing import say_share

MOST_PIECES = 2000
"""Longer curves are drawn at so many even contexts: no one sees the difference."""
VISIBLE = 0.02
"""A difference of this share of the largest one can just be seen."""
MOST_TOLD = 3
"""A title says who is best where for up to so many regions."""


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
    first, last = _where_models_matter(curves, first, last)
    low, high = next(iter(curves.values())).domain
    margin = 0.04 * (last - first) or 1.0
    return max(first - margin, low), min(last + margin, high)


def _where_models_matter(
    curves: Mapping[str, ContextCurve], low: float, high: float
) -> tuple[float, float]:
    """Return the part of a range in which some model differs visibly from deciding without one."""
    baselines = list(next(iter(curves.values())).baselines.values())
    if not baselines:
        return low, high
    knots = np.concatenate([curve.function.knots for curve in curves.values()])
    x = np.union1d(np.linspace(low, high, 101), knots[(knots >= low) & (knots <= high)])
    best = np.max([each.at(x) for each in baselines], axis=0)
    gap = np.max([np.abs(curve.at(x) - best) for curve in curves.values()], axis=0)
    seen = x[gap >= VISIBLE * gap.max()]
    return float(seen[0]), float(seen[-1])


def quantile_of(outputs: Empirical, share: float) -> float:
    """Return the truth below which a share of the truths lies."""
    order = np.argsort(outputs.support)
    at = np.searchsorted(np.cumsum(outputs.probability[order]), share - 1e-12)
    return float(outputs.support[order][int(at)])


def say_winners(
    regions: Sequence[tuple[float, float, str]],
    is_best: str = "is best",
    say: Callable[[float], str] = "{:.3g}".format,
    place: Callable[[float], float] = float,
) -> str:
    """Return who is best where, or over most of an axis on which contexts have a place."""
    first, last = regions[0], regions[-1]
    if len(regions) == 1:
        return f"{first[2]} {is_best} everywhere shown"
    if len(regions) <= MOST_TOLD:
        between = "".join(f", {name} up to {say(high)}" for _, high, name in regions[1:-1])
        return f"{first[2]} {is_best} up to {say(first[1])}{between}, {last[2]} beyond"
    won: dict[str, float] = {}
    for low, high, name in regions:
        won[name] = won.get(name, 0.0) + place(high) - place(low)
    leader = max(won, key=lambda name: won[name])
    return f"{leader} {is_best} over {say_share(won[leader] / sum(won.values()))} of what is shown"


def draw_second_axis(ax: Any, reading: Callable[[Floats], tuple[str, Floats] | None]) -> None:
    """Read the ticks another way along the top, if there is one and the top is free.

    On a scale of its own, a reading such as 1/θ would crowd them at one end.
    """
    low, high = ax.get_xlim()
    ticks = np.array([tick for tick in ax.get_xticks() if low <= tick <= high], dtype=np.float64)
    second = reading(ticks)
    for child in list(ax.child_axes):
        child.remove()
    if second is None:
        return
    label, values = second
    top, muted = ax.secondary_xaxis("top"), Theme.of(ax).muted
    told = [f"{v:.3g}" if np.isfinite(v) else "∞" for v in values.tolist()]
    top.set_xticks(ticks.tolist(), told)
    top.set_xlabel(safe_text(label), color=muted, fontsize=text_size(0.9))
    top.tick_params(colors=muted, labelsize=text_size(0.9))
    top.spines["top"].set_visible(False)


class ContextCurveDisplay(Display):
    """Draw several models' curves over a context, and who is best where."""

    x_label: str | None = None
    y_label: str | None = None
    legend_place: Mapping[str, Any] = ABOVE_STRIP
    ENTRIES: ClassVar[str | None] = "curves"
    VARIANTS: ClassVar[tuple[str, str] | None] = None
    """How the names of two curves of one model end, if they share a colour."""

    def __init__(self, curves: Mapping[str, ContextCurve]) -> None:
        self.curves: dict[str, ContextCurve] = check_mapping(curves, "curves", "context curves")
        self.envelope: Envelope = envelope(self.curves)

    def context_range(self) -> tuple[float, float]:
        """Return the contexts to show: all, or a telling part of an unbounded range.

        Returns
        -------
        tuple of float
            Ends of the x-axis.
        """
        return usual_range(self.curves)

    def _shown(
        self, low: float | None, high: float | None, context: float | None
    ) -> tuple[float, float]:
        """Return the ends of the x-axis, as asked for or as is usual."""
        first, last = self.context_range()
        ends = first if low is None else float(low), last if high is None else float(high)
        check_shown(*ends, None if context is None else float(self._position(np.array(context))))
        return ends

    def _points(self, curve: ContextCurve, low: float, high: float) -> tuple[Floats, Floats]:
        """Return the points to draw a curve by: its outline, or its known values."""
        if curve.known is None:
            return outline(curve.function, low, high)
        return self._position(curve.known), curve.function.start

    def _position(self, context: Floats) -> Floats:
        """Return where a context lies on the x-axis."""
        return context

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        context: float | None = None,
        bands: bool = True,
        low: float | None = None,
        high: float | None = None,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the curves."""
        pen = Pen.on(ax, self._groups, look, beside=beside_of(self._groups.values(), self.VARIANTS))
        ends = self._shown(low, high, context)
        bands = bands and len(self.curves) > 1 and pen.fresh and not pen.folded
        self._behind(pen, ends)
        top = bottom = 0.0
        for name, curve in self.curves.items():
            x, y = self._points(curve, *ends)
            top, bottom = max(top, float(np.max(y))), min(bottom, float(np.min(y)))
            dots: dict[str, Any] = (
                {"marker": "o", "markersize": mark_size(3.5)} if curve.known is not None else {}
            )
            pen.ax.plot(x, y, **pen.line(name, **dots))
        height = top - bottom or 1.0
        top, bottom = top + 0.06 * height, bottom and bottom - 0.03 * height
        if bands:
            self._draw_bands(pen, ends, (bottom - 0.022 * height, bottom))
        pen.limits(ends, (bottom - 0.03 * height if bands else bottom, top))
        if context is not None:
            self._mark(pen, context)
        first = next(iter(self.curves.values()))
        for name, function in first.baselines.items():
            pen.ax.plot(*outline(function, *ends), label=name, **pen.theme.baseline())
        words = self.x_label or first.context, self.y_label or first.outcome
        pen.finish(self._finding(pen, ends, context), *words, self.legend_place)
        return self._drawn(pen)

    def _behind(self, pen: Pen, ends: tuple[float, float]) -> None:
        """Draw what lies behind the curves."""

    def _mark(self, pen: Pen, context: float) -> None:
        """Mark a context, and what the models give there."""
        at = float(self._position(np.array(context)))
        for name, curve in self.curves.items():
            pen.ax.plot(
                at, curve.at(context), "o", zorder=5, **pen.dot(name, markersize=mark_size(7))
            )
        mark_context(pen.ax, at, self._say(context))

    def _say(self, context: float) -> str:
        """Return the words that mark a context."""
        return f"{self.envelope.curve.context.replace('_', ' ')} {context:.4g}"

    def _regions(self, pen: Pen, ends: tuple[float, float]) -> list[tuple[float, float, str]]:
        """Return who is best where, of what is shown."""
        found = []
        for start, stop, model in self.envelope.regions:
            place = self._position(np.array([start, stop]))
            low, high = max(float(place[0]), ends[0]), min(float(place[1]), ends[1])
            if low < high:
                found.append((low, high, model))
        return found

    def _finding(self, pen: Pen, ends: tuple[float, float], context: float | None) -> str | None:
        """Return the title: who is best here, or where."""
        if pen.folded or len(self.curves) == 1:
            return None
        if context is not None:
            best = self._model(pen, self.envelope.best_at(context))
            return f"{best} is best at {self._say(context)}"
        regions = self._regions(pen, ends)
        return say_winners([(low, high, self._model(pen, name)) for low, high, name in regions])

    def _model(self, pen: Pen, curve: Any) -> str:
        """Return which model a curve is of: one of two curves has an ending to its name."""
        ending = f", {self.VARIANTS[0]}" if self.VARIANTS else ""
        return pen.told(str(curve)).removesuffix(ending)

    def _draw_bands(self, pen: Pen, ends: tuple[float, float], level: tuple[float, float]) -> None:
        for low, high, model in self._regions(pen, ends):
            colour = pen.colour(model)
            pen.ax.axvspan(low, high, color=colour, alpha=0.07, linewidth=0)
            pen.ax.fill_between([low, high], *level, color=colour, linewidth=0)

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn: finite knots or known contexts of every curve with its model."""
        context = column_name(self.envelope.curve.context)
        parts = {}
        for name, curve in self.curves.items():
            knots = curve.function.knots
            x = knots[np.isfinite(knots)] if curve.known is None else curve.known
            parts[name] = {context: x, "value": curve.at(x)}
        return frame_of(parts, self.envelope.curve.backend, backend)

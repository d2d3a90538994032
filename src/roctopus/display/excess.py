"""How much worse each choice is than the best one, as contexts change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, Unpack

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.frames import column_name
from roctopus.core.arrays import Floats
from roctopus.display.axes import ContextAxis
from roctopus.display.base import Display, frame_of
from roctopus.display.choices import STEPS, WINDOW, Choices
from roctopus.display.context import say_winners
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.labels import EndLabel, label_ends
from roctopus.display.legends import draw_legend
from roctopus.display.marks import mark_context
from roctopus.display.style import (
    BROKEN,
    finish_axes,
    line_width,
    mark_size,
    new_figure,
)
from roctopus.display.writing import say_number

SIZE = (8.4, 5.2)


def say_excess(value: float, reach: float, unit: str) -> str:
    """Return a difference from the best as a tick says it."""
    if abs(value) <= 1e-9 * reach:
        return "best"
    return f"{value:+g}{unit}".replace("-", "−")


class ExcessDisplay(Display):
    """Draw how much worse each choice is than the best tuned model, as contexts change.

    Curves are those on the data used for tuning. A dashed line is a model whose predictions are
    used as they are, a dotted grey one the best decision without a model.
    """

    def __init__(
        self,
        axis: ContextAxis,
        choices: Choices,
        backend: str | None = None,
        *,
        said: str | None = None,
    ) -> None:
        self.axis, self.choices, self.backend = axis, choices.smoothed(), backend
        self.averaged = choices.window > 1
        self.said = said
        """The context that is marked, in the user's words."""

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are drawn."""
        return tuple(self.choices.models)

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        context: float | None = None,
        bands: bool = True,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the lines."""
        ax = new_figure(SIZE).add_subplot() if ax is None else ax
        self.pen = pen = Pen.on(ax, {name: name for name in self.models}, look)
        self.ax_, self.figure_ = pen.ax, pen.ax.figure
        contexts = self.choices.contexts
        self.axis.draw(pen.ax, float(contexts[0]), float(contexts[-1]))
        asked = pen.look["title"]
        title = self._finding(context) if asked is None and pen.fresh else asked
        finish_axes(pen.ax, title=title, x=self._x, y=self._y)
        reach = self.choices.reach(context)
        self._limit(reach, bands=bands and len(self.models) > 1 and pen.fresh)
        lines = [self._line(*each) for each in self._lines()]
        if pen.look["legend_kwargs"] is not None:
            draw_legend(pen.ax, **pen.look["legend_kwargs"])
        elif pen.look["legend"]:
            label_ends(pen.ax, lines)
        if context is not None:
            self._mark(context, reach)
        return self

    def _finding(self, context: float | None) -> str:
        """Return the title: who is best here, and by how much, or who is best where."""
        best = "earns most" if self.choices.gain else "costs least"
        if len(self.models) == 1:
            return self._say_question()
        if context is None:
            told = [(low, high, self.pen.told(name)) for low, high, name in self.choices.owners()]
            return say_winners(told, best, self.axis.say, self.axis.place)
        gaps = {name: self._at(values, context) for name, values in self.choices.models.items()}
        first, second = sorted(gaps, key=lambda name: abs(gaps[name]))[:2]
        where = f"{'Around' if self.averaged else 'At'} {self._said(context)}"
        rival = f"{self.pen.told(second)} {self._say_gap(abs(gaps[second]))}"
        return f"{where}, {self.pen.told(first)} {best} on these data; {rival}"

    def _say_gap(self, gap: float) -> str:
        unit = "\u00a0%" if self.choices.relative else ""
        if self.choices.gain:
            return f"earns {gap:.2g}{unit} less"
        if self.choices.relative and gap >= 100.0:
            return f"costs {say_number(float(f'{1.0 + gap / 100.0:.2g}'))} times as much"
        return f"costs {gap:.2g}{unit} more"

    def _said(self, context: float) -> str:
        return self.said or self.axis.say(context)

    def _at(self, values: Floats, context: float) -> float:
        """Return by how much values differ from the best at a context."""
        return float(np.interp(context, self.choices.contexts, self.choices.excess(values)))

    def _say_question(self) -> str:
        problem = self.axis.problem
        word = find_arm(problem.arm).words["context"]
        moves = (
            "costs change" if problem.context_kind in ("share", "cost") else f"the {word} changes"
        )
        worse = "less each choice earns" if self.choices.gain else "more each choice costs"
        return f"How much {worse} than the best, as {moves}"

    @property
    def _x(self) -> str:
        share = f"{100.0 * WINDOW / STEPS:.0f} %"
        return self.axis.label + (f" (averages over {share} of the axis)" if self.averaged else "")

    @property
    def _y(self) -> str:
        outcome = "gain" if self.choices.gain else "cost"
        if self.choices.relative:
            return f"{outcome} per case, relative to the best model"
        return f"{outcome} per case, minus that of the best model"

    @property
    def _side(self) -> float:
        """Where worse choices lie: above zero, or below it."""
        return -1.0 if self.choices.gain else 1.0

    def _limit(self, reach: float, *, bands: bool) -> None:
        """Set the ends of the upright axis, its ticks, and the strip of who is best where."""
        ax, side = self.ax_, self._side
        strip = (-0.022 * reach * side, -0.05 * reach * side)
        ax.axhline(0.0, color=self.pen.theme.grid, linewidth=line_width(0.7), zorder=1)
        if bands:
            for low, high, model in self.choices.owners():
                ax.fill_between([low, high], *strip, color=self.pen.colour(model), linewidth=0)
        ends = (strip[1] if bands else strip[0], side * reach)
        self.pen.limits(y=(min(ends), max(ends)))
        unit = " %" if self.choices.relative else ""
        ax.yaxis.set_major_formatter(lambda at, _: say_excess(at, reach, unit))

    def _lines(self) -> list[tuple[str, Floats, dict[str, Any]]]:
        """Return labels, values and looks, the most important last: that is drawn on top."""
        pen = self.pen
        found: list[tuple[str, Floats, dict[str, Any]]] = []
        for name, values in self.choices.constants.items():
            found.append((name, values, pen.theme.baseline(linestyle=(0, (1, 2)))))
        for name, values in self.choices.plain.items():
            dashed = {"linestyle": BROKEN, "linewidth": line_width(0.85)}
            label = f"{pen.told(name)}, as it is"
            found.append((label, values, {"color": pen.colour(name), **dashed}))
        for name, values in self.choices.models.items():
            line = pen.line(name) | {"label": None, "linestyle": "-"}
            found.append((pen.told(name), values, line))
        return found

    def _line(self, name: str, values: Floats, style: Mapping[str, Any]) -> EndLabel:
        excess = self.choices.excess(values)
        dots = {"marker": ".", "markersize": mark_size(5)} if self.choices.dotted else {}
        self.ax_.plot(self.choices.contexts, excess, **{**style, **dots, "label": name})
        return EndLabel(name, float(excess[-1]), style["color"])

    def _mark(self, context: float, reach: float) -> None:
        """Mark the context that was asked for, and the models there."""
        mark_context(self.ax_, context, self._said(context), low=self.choices.gain)
        for name, values in self.choices.models.items():
            at = self._at(values, context)
            if abs(at) <= reach:
                self.ax_.plot(
                    context, at, "o", **self.pen.dot(name, markersize=mark_size(6.5), zorder=5)
                )

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn, for every choice: contexts, values, and differences."""
        context = column_name(self.axis.problem.context)
        found = {**self.choices.constants}
        found |= {f"{name}, as it is": values for name, values in self.choices.plain.items()}
        found |= self.choices.models
        parts = {
            name: {
                context: self.choices.contexts,
                "value": values,
                "excess": self.choices.excess(values),
            }
            for name, values in found.items()
        }
        return frame_of(parts, self.backend, backend)

"""What each choice is expected to give: a dot per choice, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self, Unpack

from roctopus.comparison.answers import Answer
from roctopus.concepts.sentences import error_of
from roctopus.concepts.wording import sized
from roctopus.display.base import Display, frame_of
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.style import (
    line_width,
    mark_size,
    new_figure,
    safe_text,
    text_size,
    wrap_names,
)

ROOM = 3.0
"""The axis reaches so many times as far as the models with their intervals do."""


class Dot(NamedTuple):
    """One choice: its expected value on new data, and that of the raw predictions."""

    name: str
    value: float
    low: float
    high: float
    raw: float | None = None
    baseline: bool = False
    """Whether it is a decision without a model."""

    def say(self, value: float) -> str:
        """Return a value with the digits that the uncertainty allows."""
        return sized(value, error_of(self.low, self.high))


class DotsDisplay(Display):
    """Draw expected values with their 95 % intervals, best first.

    A full dot is a tuned model, an open one the same model with its predictions as they are, a
    grey one a decision without a model.
    """

    def __init__(
        self,
        rows: Sequence[Dot],
        models: Sequence[str],
        *,
        outcome: str,
        ranked: str = "lowest",
        backend: str | None = None,
    ) -> None:
        self.rows, self.outcome, self.backend = tuple(rows), outcome, backend
        self.ranked = ranked
        self.models = tuple(models)

    @staticmethod
    def of(answer: Answer, models: Sequence[str], backend: str | None = None) -> DotsDisplay:
        """Return the picture of an answer; models have the colours of other pictures."""
        rows = [
            Dot(row.name, row.value, row.low, row.high, row.raw, row.baseline)
            for row in answer.rows
        ]
        worst = answer.decision.criterion == "worst"
        outcome = f"{'worst-case' if worst else 'expected'} {answer.value_name} per case"
        ranked = "highest" if answer.decision.sense == "gain" else "lowest"
        return DotsDisplay(rows, models, outcome=outcome, ranked=ranked, backend=backend)

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw the dots; values beyond the axis are written at its end."""
        height = 1.3 + 0.42 * len(self.rows)
        ax = new_figure((8.4, max(height, 2.6))).add_subplot() if ax is None else ax
        self.pen = pen = Pen.on(ax, {name: name for name in self.models}, {**look, "legend": False})
        low, high = self._ends()
        first = 0 if pen.fresh else len(ax.get_yticks())
        names = [] if pen.fresh else [each.get_text() for each in ax.get_yticklabels()]
        names += [self._told(row) for row in self.rows]
        pen.limits((low, high))
        ax.set_ylim(len(names) - 0.4, -0.6)
        ax.set_yticks(range(len(names)), wrap_names(ax, names))
        pen.finish(self._finding(), self._key, "")
        ax.grid(visible=False, axis="y")
        ax.tick_params(axis="y", length=0)
        for place, row in enumerate(self.rows, first):
            self._draw(place, row)
        return self._drawn(pen)

    def _told(self, row: Dot) -> str:
        return safe_text(row.name) if row.baseline else self.pen.told(row.name)

    def _finding(self) -> str | None:
        """Return the title: the first model, and what it is expected to give."""
        models = [row for row in self.rows if not row.baseline]
        if not models:
            return None
        best = models[0]
        ends = f"{best.say(best.low)}\u00a0to\u00a0{best.say(best.high)}"
        ranked = f" has the {self.ranked} " if len(models) > 1 else ": "
        return f"{self._told(best)}{ranked}{self.outcome}, {best.say(best.value)} ({ends})"

    @property
    def _key(self) -> str:
        """What stands along the axis, with what the dots are."""
        raw = any(row.raw is not None for row in self.rows)
        shown = f"{self.outcome}, with 95 % intervals"
        return f"{shown}\n● tuned   ○ predictions as they are" if raw else shown

    def _ends(self) -> tuple[float, float]:
        """Return the ends of the axis: models are to be told apart, others may lie beyond."""
        models = [row for row in self.rows if not row.baseline] or list(self.rows)
        low, high = min(row.low for row in models), max(row.high for row in models)
        width = (high - low) or abs(high) or 1.0
        values = [row.value for row in self.rows]
        values += [row.raw for row in self.rows if row.raw is not None]
        near = [x for x in values if low - ROOM * width <= x <= high + ROOM * width]
        for row in self.rows:
            if row.value in near:
                near += [row.low, row.high]
        first, last = min([low, *near]), max([high, *near])
        return first - 0.05 * (last - first), last + 0.05 * (last - first)

    def _draw(self, place: int, row: Dot) -> None:
        ax, theme = self.pen.ax, self.pen.theme
        colour = self._colour(row)
        bar = {"linestyle": "-", "linewidth": mark_size(6), "solid_capstyle": "round"}
        ax.plot([row.low, row.high], [place, place], color=colour, alpha=0.3, **bar)
        if row.raw is not None:
            link = {
                "color": colour,
                "linewidth": line_width(0.75),
                "linestyle": (0, (1, 2)),
                "zorder": 2,
            }
            ax.plot([row.value, row.raw], [place, place], **link)
            self._dot(place, row, row.raw, full=False)
        self._dot(place, row, row.value, full=True)
        ax.annotate(
            row.say(row.value), (1.0, place), (6, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", fontsize=text_size(0.9), annotation_clip=False,
            color=theme.muted if row.baseline else theme.ink,
        )  # fmt: skip

    def _dot(self, place: int, row: Dot, value: float, *, full: bool) -> None:
        """Draw a dot, or, beyond the axis, an arrow at its end."""
        ax, (first, last) = self.pen.ax, self.pen.ax.get_xlim()
        colour = self._colour(row)
        if first <= value <= last:
            face = colour if full else self.pen.theme.face
            style = {
                "markerfacecolor": face,
                "markeredgecolor": colour,
                "markeredgewidth": line_width(1.1),
            }
            ax.plot(value, place, "o", markersize=mark_size(8), zorder=4, **style)
            return
        right = value > last
        told = "" if full else row.say(value)  # the value of a full dot stands beside the axis
        text = f"{told} →" if right else f"← {told}"
        end, side = (last, "right") if right else (first, "left")
        ax.text(
            end, place, text.strip(), ha=side, va="center", fontsize=text_size(0.9), color=colour
        )

    def _colour(self, row: Dot) -> Any:
        return self.pen.theme.muted if row.baseline else self.pen.colour(row.name)

    def frame(self, backend: str | None = None) -> Any:
        """Return what is drawn, a row per choice."""
        parts = {
            row.name: {
                key: [float("nan") if value is None else value]
                for key, value in row._asdict().items()
                if key != "name"
            }
            for row in self.rows
        }
        return frame_of(parts, self.backend, backend)

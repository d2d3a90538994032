"""The pictures that an arm brings as data, drawn by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, Unpack

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison import Comparison
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.concepts.arm import Picture
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Knob, Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.display.base import Display, frame_of
from roctopus.display.comparison import shown_models
from roctopus.display.context import usual_range
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.histograms import draw_classes
from roctopus.display.legends import draw_legend
from roctopus.display.maps import borders_between, draw_winners
from roctopus.display.style import (
    BROKEN,
    draw_diagonal,
    line_width,
    mark_size,
    safe_text,
)
from roctopus.inference.aims import Aim

FEW = 50
"""Up to so many points a curve is shown whole; of longer ones the far ends are cut off."""
BEYOND = 1.25
"""Of a share that is limited so many times the limit is shown."""
CONTEXTS = 33
"""So many contexts are shown besides the one in question."""


@dataclass(eq=False)
class PictureDisplay(Display):
    """Draw a picture of models in one context, by the kind that its data name."""

    picture: Picture
    models: Sequence[str]
    context: float
    """The context in question, or one that stands for several."""
    position: int
    """Where it stands among the contexts of the picture."""
    chosen: str
    """The model that is decided for."""
    knob: Knob
    """Its setting, with the range of settings that are equally good."""
    marked: bool = True
    """Whether one context is in question: that is marked, then."""

    @drawing
    def plot(self, ax: Any | None = None, **look: Unpack[Appearance]) -> Self:
        """Draw it; the title is the picture's own by default."""
        data = self.picture
        if data["kind"] not in DRAWN:
            kinds = ", ".join(map(repr, DRAWN))
            raise InputError(f"A picture's kind must be one of {kinds}, but is {data['kind']!r}.")
        classes = [str(each) for each in data.get("classes", ())]
        self.pen = Pen.on(ax, {name: name for name in classes or self.models}, look)
        self.pen.finish(data["title"], data["x"], data.get("y", ""))
        self.ax_, self.figure_ = self.pen.ax, self.pen.ax.figure
        place = DRAWN[data["kind"]](self)
        if place is not None and self.pen.look["legend"]:
            draw_legend(self.ax_, place, **(self.pen.look["legend_kwargs"] or {}))
        return self

    def frame(self, backend: str | None = None) -> Any:
        """Return the curves that are drawn; of other kinds of pictures, their numbers."""
        found = self.picture
        curves = found["views"][0]["curves"] if "views" in found else found.get("curves")
        if curves is None:
            kept = {key: [str(value)] for key, value in found.items()}
            return frame_of({"picture": kept}, None, backend)
        keys = [key for key, value in curves[0].items() if np.ndim(value) == 1 and key != "at"]
        parts = {
            name: {key: np.asarray(curve[key]) for key in keys}
            for name, curve in zip(self.models, curves, strict=True)
        }
        return frame_of(parts, None, backend)

    def _dot(self, name: str, x: float, y: float) -> None:
        """Mark a model in the context: full if it is the one decided for."""
        open_dot = {"markerfacecolor": self.pen.theme.face, "markersize": mark_size(6)}
        full = {"markersize": mark_size(8)} if name == self.chosen else open_dot
        self.ax_.plot(x, y, "o", **self.pen.dot(name, zorder=5) | full)

    def _tradeoff(self) -> Mapping[str, Any]:
        ax, view = self.ax_, self.picture["views"][0]
        curves = dict(zip(self.models, view["curves"], strict=True))
        for name, curve in curves.items():
            ax.plot(curve["x"], curve["y"], **self.pen.line(name))
        if self.picture.get("diagonal"):
            draw_diagonal(ax)
        else:
            ax.set(xlim=_reach(curves, "x"), ylim=_reach(curves, "y"))
        if view["points"] is not None and self.marked:
            points = dict(zip(self.models, view["points"], strict=True))
            at = {
                name: (float(p["x"][self.position]), float(p["y"][self.position]))
                for name, p in points.items()
            }
            for name in sorted(at, key=lambda each: each == self.chosen):
                self._dot(name, *at[name])
            slope = float(self.picture["slope"][self.position])
            line = {"color": self.pen.theme.ink, "linewidth": line_width(0.8), "zorder": 3}
            line["linestyle"] = BROKEN
            ax.axline(at[self.chosen], slope=slope, label="equally good", **line)
        return {}

    def _profile(self) -> Mapping[str, Any]:
        ax, (least, most) = self.ax_, self.picture["limits"]
        last, seen = min(1.0, BEYOND * most), [0.0]
        for name, curve in zip(self.models, self.picture["curves"], strict=True):
            y = curve["slope"] * self.context + curve["intercept"]
            ax.plot(curve["x"], y, **self.pen.line(name))
            seen += y[np.asarray(curve["x"]) <= last].tolist()
            if self.marked:
                at = float(curve["at"][self.position])
                self._dot(name, at, float(np.interp(at, curve["x"], y)))
        for low, high in ((0.0, least), (most, 1.0)):
            if low < high:
                ax.axvspan(low, high, color=self.pen.theme.ink, alpha=0.08, linewidth=0)
        ax.axhline(0.0, **self.pen.theme.baseline(zorder=1))
        room = 0.05 * (max(seen) - min(seen)) or 1.0
        ax.set(xlim=(0.0, last), ylim=(min(seen) - room, max(seen) + room))
        return {}

    def _map(self) -> Mapping[str, Any]:
        ax, data, ink = self.ax_, self.picture, self.pen.theme.ink
        owner = np.asarray(data["owner"])
        draw_winners(self.pen, data["edges"], borders_between(data["values"]), owner, self.models)
        ax.axhline(data["here"], color=ink, linewidth=line_width(0.8), linestyle=BROKEN)
        if self.marked:
            ax.axvline(self.context, color=ink, linewidth=line_width(0.8))
            ax.plot(self.context, data["here"], "o", color=ink, markersize=mark_size(7))
        return {}

    def _distributions(self) -> None:
        shape = self.picture["models"][list(self.models).index(self.chosen)]
        shapes = list(zip(shape["edges"], shape["density"], strict=True))
        classes = [str(each) for each in self.picture["classes"]]
        draw_classes(self.ax_, self.pen.looks, classes, shapes, zip(*self.knob, strict=True))
        self.ax_.set_xlabel(f"{self.picture['x']} of {safe_text(self.chosen)}")


DRAWN: dict[str, Callable[[PictureDisplay], Mapping[str, Any] | None]] = {
    "tradeoff": PictureDisplay._tradeoff,
    "profile": PictureDisplay._profile,
    "map": PictureDisplay._map,
    "distributions": PictureDisplay._distributions,
}


def _reach(curves: dict[str, Any], axis: str) -> tuple[float, float]:
    """Return how far an axis reaches: from zero to where most of the points are."""
    values = [np.asarray(curve[axis], dtype=np.float64) for curve in curves.values()]
    far = max(
        float(np.quantile(np.abs(each), 1.0 if len(each) <= FEW else 0.85)) for each in values
    )
    far = 1.05 * far or 1.0
    low, high = min(each.min() for each in values), max(each.max() for each in values)
    return (-far if low < 0.0 else -0.015 * far, far if high > 0.0 else 0.015 * far)


def _settings(
    problem: Problem, curve: ContextCurve, prediction: Floats, contexts: Floats
) -> Floats:
    """Return the best setting in each context, a row each."""
    if curve.knob is not None and curve.known is None:
        return np.array(curve.knob_at(contexts)).reshape(len(contexts), -1)
    found = [problem.tune(prediction, np.array([x]), np.zeros(1)).chosen for x in contexts]
    return np.array(found).reshape(len(contexts), -1)


def draw_pictures(comparison: Comparison, problem: Problem, aim: Aim) -> dict[str, PictureDisplay]:
    """Return the pictures of the arm by name, ready to be plotted, for what was asked."""
    learned, honest = comparison.learned(problem, aim)
    cases = problem.inner if isinstance(problem, OwnContexts) else problem
    best = comparison.envelope_of(cases)
    chosen, models = honest.ranked[0], list(shown_models(comparison.models, best))
    if chosen not in models:
        models[-1] = chosen
    curves = {name: best.curves[best.names.index(name)] for name in models}
    low, high = usual_range(curves)
    known = bool(np.isfinite(aim.middle))
    here = float(np.clip(aim.middle if known else 0.5 * (low + high), low, high))
    contexts = np.union1d(np.linspace(low, high, CONTEXTS), [here])
    position = int(np.searchsorted(contexts, here))
    predictions = {name: comparison.predictions[name] for name in models}
    knobs = []
    for name, prediction in predictions.items():
        settings = _settings(cases, curves[name], prediction, contexts)
        settings[position] = learned.knobs[name].chosen
        knobs.append(list(settings.T))
    asked = here, position, chosen, learned.knobs[chosen], known and not aim.ranged
    drawn = {name: (cases, prediction) for name, prediction in predictions.items()}
    return {
        name: PictureDisplay(make(drawn, contexts, knobs), models, *asked)
        for name, make in find_arm(problem.arm).pictures.items()
    }

"""How every display is drawn: on the axes it is given, in the next colours, with one legend."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypedDict, TypeVar

from roctopus.core.errors import InputError
from roctopus.display.legends import draw_legend, new_axes
from roctopus.display.style import Looks, Theme, finish_axes, line_width, safe_text

P = ParamSpec("P")
D = TypeVar("D")


class Appearance(TypedDict, total=False):
    """What ``plot`` of every display takes."""

    name: str | Sequence[str] | None
    curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
    title: str | None
    legend: bool
    legend_kwargs: Mapping[str, Any] | None


DEFAULTS: Appearance = {
    "name": None,
    "curve_kwargs": None,
    "title": None,
    "legend": True,
    "legend_kwargs": None,
}
STYLES = ("curve_kwargs", "legend_kwargs")
"""What ``set_style`` keeps for later drawings."""


def drawing(plot: Callable[P, D]) -> Callable[P, D]:
    """Make a method ``plot`` keep the display's style, and say which arguments there are."""

    @wraps(plot)
    def call(*args: P.args, **options: P.kwargs) -> D:
        display: Any = args[0]
        known = arguments_of(type(display))
        for wrong in [each for each in options if each not in known]:
            raise InputError(say_unknown(type(display).__name__, wrong, known))
        return plot(*args, **{**display._settings, **options})

    signature = inspect.signature(plot)
    own = [each for each in signature.parameters.values() if each.name != "look"]
    if len(own) < len(signature.parameters):  # ``**look``: written out
        vars(call)["__signature__"] = signature.replace(parameters=own + _parameters(DEFAULTS))
    return call


def _parameters(defaults: Mapping[str, Any]) -> list[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(name, kind, default=value) for name, value in defaults.items()]


def inherit_arguments(display: type) -> None:
    """Write out what ``plot`` of a display hands on to the class above as ``**options``."""
    plot = vars(display)["plot"]
    signature = inspect.signature(plot)
    own = dict(signature.parameters)
    if own.pop("options", None) is None:
        return
    above = next(vars(each)["plot"] for each in display.__mro__[1:] if "plot" in vars(each))
    defaults = {
        name: each.default
        for name, each in inspect.signature(above).parameters.items()
        if name not in own
    }
    plot.__signature__ = signature.replace(parameters=[*own.values(), *_parameters(defaults)])


def arguments_of(display: Any) -> list[str]:
    """Return what ``plot`` of a display takes."""
    return [name for name in inspect.signature(display.plot).parameters if name != "self"]


def is_of_lines(word: str) -> bool:
    """Return whether it is a property of matplotlib's lines, such as a colour."""
    from matplotlib.lines import Line2D

    return hasattr(Line2D, f"set_{word}")


def say_unknown(display: str, wrong: str, known: Sequence[str]) -> str:
    """Return what is wrong with an argument that ``plot`` does not have."""
    if is_of_lines(wrong) and "curve_kwargs" in known:
        return (
            f"{display} has no argument '{wrong}'. Pass options for lines as 'curve_kwargs', "
            f"for example curve_kwargs={{'{wrong}': ...}}."
        )
    return f"{display} has no argument '{wrong}'. Its arguments: {', '.join(known)}."


def beside_of(names: Iterable[str], variants: tuple[str, str] | None) -> dict[str, str]:
    """Return which lines have the colour of another one of the same model.

    Their names end in the two words given: the second one has the colour of the first.
    """
    if variants is None:
        return {}
    known = dict.fromkeys(names)
    pairs = {}
    for name in known:
        stem, _, kind = name.rpartition(", ")
        first = f"{stem}, {variants[0]}"
        if kind.startswith(variants[1]) and first in known:
            pairs[name] = first
    return pairs


class Pen:
    """Axes that are drawn on: what they hold already, their theme, and how each model looks."""

    def __init__(
        self,
        ax: Any,
        groups: Mapping[str, str],
        look: Appearance,
        fresh: bool,
        beside: Mapping[str, str],
    ) -> None:
        self.ax, self.fresh, self.beside = ax, fresh, beside
        self.look: dict[str, Any] = {**DEFAULTS, **look}
        self.theme = Theme.of(ax)
        self._groups = groups
        names = list(dict.fromkeys(groups.values()))
        styles = self._styles(names)
        self.folded = len(names) < len(groups)
        self.label_of = self._labels(names)
        self.looks = Looks(names, ax, styles, beside)
        self._listed: set[str] = set()
        self._ends = None if fresh else (ax.get_xlim(), ax.get_ylim())

    @staticmethod
    def on(
        ax: Any | None,
        groups: Mapping[str, str],
        look: Appearance,
        entries: int = 0,
        beside: Mapping[str, str] | None = None,
    ) -> Pen:
        """Return a pen for given axes, or for new ones with room for a legend.

        ``beside`` are lines that have the colour of another one, such as the same model's.
        """
        found = new_axes(ax, entries or len(set(groups.values())))
        return Pen(found, groups, look, not found.has_data(), beside or {})

    def _styles(self, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        given = self.look["curve_kwargs"]
        if given is None or isinstance(given, Mapping):
            return dict.fromkeys(names, given or {})
        if len(given) != len(names):
            raise InputError(
                f"'curve_kwargs' is a list of length {len(given)}, but there are {len(names)} "
                "models. Use a single dictionary for all models, or one dictionary per model."
            )
        return dict(zip(names, given, strict=True))

    def _labels(self, names: Sequence[str]) -> dict[str, str]:
        given = self.look["name"]
        if given is None:
            return {name: safe_text(name) for name in names}
        told = [given] if isinstance(given, str) else list(given)
        if len(told) != len(names):
            raise InputError(
                f"'name' must contain one name per model ({len(names)} in all), but contains "
                f"{len(told)}."
            )
        return dict(zip(names, map(safe_text, told), strict=True))

    def colour(self, name: str) -> Any:
        """Return the colour of a model."""
        return self.looks.colour(self._groups[name])

    def told(self, name: str) -> str:
        """Return what the picture calls a model."""
        return self.label_of[self._groups[name]]

    def line(self, name: str, more: str = "", **style: Any) -> dict[str, Any]:
        """Return the arguments of a model's line; folds of a model share one label."""
        group = self._groups[name]
        look = style | self.looks.line(group)
        if self.folded:
            look = {"alpha": 0.5, **look}
        if "label" not in look:
            first = group not in self._listed
            self._listed.add(group)
            count = sum(each == group for each in self._groups.values())
            more = f" ({count} folds)" if count > 1 else more
            look["label"] = self.label_of[group] + more if first else "_another fold"
        return look

    def dot(self, name: str, **style: Any) -> dict[str, Any]:
        """Return the arguments of a mark in a model's colour."""
        return {"color": self.colour(name), "markersize": 4.0 * line_width(1.0), **style}

    def limits(
        self, x: tuple[float, float] | None = None, y: tuple[float, float] | None = None
    ) -> None:
        """Set what is shown, and go on showing what was shown before."""
        for which, ends in enumerate((x, y)):
            if ends is None:
                continue
            if self._ends is not None:
                before = self._ends[which]
                ends = min(ends[0], before[0]), max(ends[1], before[1])
            (self.ax.set_xlim, self.ax.set_ylim)[which](*ends)

    def finish(
        self, finding: str | None, x: str, y: str, place: Mapping[str, Any] | None = None
    ) -> None:
        """Write titles and the legend; ``finding`` is the title by default."""
        title = self.look["title"]
        if title is None and self.fresh:
            title = finding
        finish_axes(self.ax, title=title, x=x, y=y)
        if self.look["legend"]:
            draw_legend(self.ax, place, **(self.look["legend_kwargs"] or {}))


def say_largest(pen: Pen, values: Mapping[str, float], what: str) -> str | None:
    """Return a title: which of several models has the largest value."""
    if pen.folded:
        return None
    best = max(values, key=lambda name: values[name])
    told = f"has the largest {what}," if len(values) > 1 else f"has {what}"
    return f"{pen.told(best)} {told} {values[best]:.3f}"

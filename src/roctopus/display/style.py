"""How our pictures look: themes, lines, axes; and how names from data get into them unharmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import MissingDependencyError

LONG = 5
"""Legends with more entries stand beside the picture."""
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 2)))
"""Lines differ in dashes, too: on paper without colours, and where one covers another."""
BROKEN: Any = (0, (4, 3))
"""The dashes of what is no model: baselines, diagonals, zero."""
USUAL_SIZE = (6.4, 4.8)
"""matplotlib's own figure size: ours grow and shrink with what the user has set in its place."""
Colour: TypeAlias = tuple[float, float, float]


def settings() -> Any:
    """Return matplotlib's settings."""
    try:
        import matplotlib
    except ImportError:
        install = 'pip install "roctopus[plot]"'
        raise MissingDependencyError("A picture", "matplotlib", install) from None
    return matplotlib.rcParams


def text_size(share: float) -> float:
    """Return a size of letters, as a share of the usual one."""
    return share * float(settings()["font.size"])


def line_width(share: float) -> float:
    """Return a width of lines, as a share of the usual one."""
    return share * float(settings()["lines.linewidth"])


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two: ``share`` of the first."""
    red, green, blue = (share * a + (1.0 - share) * b for a, b in zip(first, second, strict=True))
    return red, green, blue


@dataclass(frozen=True)
class Theme:
    """The colours of everything but models: those of the axes, light or dark."""

    face: Colour
    """Behind everything."""
    ink: Colour
    """Of titles and marks."""

    @staticmethod
    def of(ax: Any) -> Theme:
        """Return what suits some axes."""
        from matplotlib.colors import to_rgb, to_rgba

        ink = to_rgb(ax.title.get_color())
        for face in (ax.get_facecolor(), ax.figure.get_facecolor()):
            if to_rgba(face)[3] > 0.0:
                return Theme(to_rgb(face), ink)
        return Theme((1.0, 1.0, 1.0) if sum(ink) < 1.5 else (0.0, 0.0, 0.0), ink)

    @property
    def muted(self) -> Colour:
        """Of labels and baselines."""
        return mix(self.ink, self.face, 0.64)

    @property
    def pale(self) -> Colour:
        """Of what is hardly to be seen, such as diagonals."""
        return mix(self.ink, self.face, 0.25)

    @property
    def grid(self) -> Colour:
        """Of grids and frames."""
        return mix(self.ink, self.face, 0.12)

    def baseline(self, **style: Any) -> dict[str, Any]:
        """Return the look of a line that stands for no model."""
        line = {"color": self.muted, "linewidth": line_width(0.8), "linestyle": BROKEN}
        return line | style


class Looks:
    """One colour and one kind of line per model: the next ones of the axes' cycle."""

    def __init__(
        self, names: Iterable[str], ax: Any, styles: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        self._line = {name: _next_look(ax, (styles or {}).get(name, {})) for name in names}

    def colour(self, name: str) -> Any:
        """Return the model's colour."""
        return self._line[name]["color"]

    def line(self, name: str) -> dict[str, Any]:
        """Return the arguments of the model's line."""
        return dict(self._line[name])


def _next_look(ax: Any, style: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the next line on some axes looks, with what the user wants of it.

    A line without points takes the next place of the cycle, as any other would.
    """
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.colors import to_rgb
    from matplotlib.lines import Line2D

    own = normalize_kwargs(dict(style), Line2D)
    (probe,) = ax.plot([], [], **{key: own[key] for key in ("color", "linestyle") if key in own})
    probe.remove()
    look = {"color": probe.get_color(), "linewidth": line_width(1.2)}
    cycle = settings()["axes.prop_cycle"].by_key()
    if "linestyle" in cycle:
        look["linestyle"] = probe.get_linestyle()
    else:
        colours = [to_rgb(each) for each in cycle.get("color", ())]
        colour = to_rgb(look["color"])
        place = colours.index(colour) if colour in colours else 0
        look["linestyle"] = DASHES[place % len(DASHES)]
    return look | own


def new_figure(size: tuple[float, float]) -> Any:
    """Return an empty figure; its size grows and shrinks with matplotlib's ``figure.figsize``."""
    wanted = settings()["figure.figsize"]
    from matplotlib import pyplot as plt

    scale = [each / usual for each, usual in zip(wanted, USUAL_SIZE, strict=True)]
    width = scale[0] * min(size[0], USUAL_SIZE[0]) if scale[0] < 1.0 else scale[0] * size[0]
    return plt.figure(figsize=(width, scale[1] * size[1]), layout="constrained")


def new_axes(ax: Any | None, entries: int = 0) -> Any:
    """Return the given axes, or new ones with room for so many entries of the legend."""
    if ax is not None:
        return ax
    return new_figure((8.8 if entries > LONG else 6.4, 5.2)).add_subplot()


def finish_axes(ax: Any, *, title: str | None, x: str, y: str) -> None:
    """Write titles and calm the frame."""
    theme = Theme.of(ax)
    ax.set_xlabel(x, color=theme.muted)
    ax.set_ylabel(y, color=theme.muted)
    if title:
        size = text_size(1.1)
        ax.set_title(title, color=theme.ink, fontsize=size, fontweight="bold", loc="left")
    ax.grid(color=theme.grid, linewidth=line_width(0.55))
    ax.set_axisbelow(True)
    ax.tick_params(colors=theme.muted, labelsize=text_size(0.9))
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.grid)


ABOVE_STRIP = {"loc": "best", "bbox_to_anchor": (0.0, 0.05, 1.0, 0.95)}
"""The emptiest place for a legend, but not on the strip that says who is best where."""
UNDER_ARCH = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.05)}
"""Where a legend covers nothing if curves rise from zero and fall back to it."""
BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}


def draw_legend(ax: Any, place: Mapping[str, Any] | None = None, **style: Any) -> None:
    """Write the one legend of some axes; a long one stands beside the picture.

    What is there twice, such as a baseline that two displays draw, is listed once.
    """
    listed: dict[Any, tuple[Any, str]] = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        looks = getattr(handle, "get_color", handle.__hash__)()
        listed.setdefault((label, str(looks)), (handle, label))
    if not listed:
        return
    theme = Theme.of(ax)
    look = {
        "fontsize": text_size(0.9),
        "framealpha": 0.85,
        "edgecolor": "none",
        "fancybox": False,
        "facecolor": theme.face,
        "labelcolor": theme.ink,
    }
    where = BESIDE if len(listed) > LONG else place or {}
    handles, labels = zip(*listed.values(), strict=True)
    ax.legend(handles, labels, **{**look, **where, **style})


def note_line(ax: Any, x: float, text: str, **style: Any) -> None:
    """Draw an upright line with a few words at its top."""
    line = Theme.of(ax).baseline(linestyle=(0, (1.5, 2.5)), zorder=1) | style
    ax.axvline(x, **line)
    ax.annotate(
        text, (x, 1.0), (3, -2), xycoords=("data", "axes fraction"),
        textcoords="offset points", va="top", color=line["color"], fontsize=text_size(0.8),
    )  # fmt: skip


def draw_diagonal(ax: Any) -> None:
    """Draw the square of two shares, with the line on which they are equal."""
    ax.plot([0, 1], [0, 1], **Theme.of(ax).baseline(zorder=1))
    ax.set(xlim=(0, 1), ylim=(0, 1.01))


def draw_equal_loss(ax: Any, line: tuple[float, float], x: float, reach: float, label: str) -> None:
    """Draw a line by its slope and intercept from zero on, or, where it is upright, at x."""
    slope, intercept = line
    ink = Theme.of(ax).ink
    style = {"color": ink, "linewidth": line_width(0.9), "linestyle": (0, (5, 3)), "label": label}
    if np.isinf(slope):
        ax.axvline(x, **style)
    else:
        ax.plot([0.0, reach], [intercept, slope * reach + intercept], **style)


def draw_classes(
    ax: Any,
    looks: Looks,
    names: Sequence[str],
    shapes: Sequence[tuple[Floats, Floats]],
    cuts: Iterable[Any],
) -> None:
    """Draw a histogram per class, one above the other, and thresholds with equally good ones.

    A shape is the edges and the heights of bars, a cut a threshold with the ends of its range.
    """
    ink = Theme.of(ax).ink
    for row, (name, (edges, height)) in enumerate(zip(names, shapes, strict=True)):
        top = row + 0.86 * np.repeat(height, 2) / max(float(height.max()), 1e-300)
        colour = {"color": looks.colour(name), "alpha": 0.75, "linewidth": 0}
        ax.fill_between(np.repeat(edges, 2)[1:-1], row, top, label=safe_text(name), **colour)
    low = min(float(edges[0]) for edges, _ in shapes)
    high = max(float(edges[-1]) for edges, _ in shapes)
    for cut, start, stop in cuts:
        ax.axvspan(max(start, low), min(stop, high), color=ink, alpha=0.10, linewidth=0)
        if low <= cut <= high:
            solid = {"linewidth": line_width(0.9), "linestyle": "-", "zorder": 2}
            note_line(ax, cut, f"{cut:.3g}", color=ink, **solid)
    ax.set(xlim=(low, high), ylim=(0, len(names) + 0.05))
    ax.set_yticks(np.arange(len(names)) + 0.4, list(map(safe_text, names)))
    ax.grid(visible=False)


def safe_text(name: str) -> str:
    """Make a name plain text: no formulas in dollar signs, not hidden by a leading underscore."""
    plain = name.replace("$", r"\$")
    return "\u200b" + plain if plain.startswith("_") or not plain else plain


def thin(x: Floats, y: Floats, most: int = 1500) -> tuple[Floats, Floats]:
    """Leave out points no one can see: keep some evenly along the curve and along each axis."""
    if len(x) <= 2 * most:
        return x, y
    share = np.linspace(0.0, 1.0, most)
    along = np.round(share * (len(x) - 1)).astype(np.intp)
    across = np.searchsorted(x, x[0] + share * (x[-1] - x[0]))
    up = np.searchsorted(y, y[0] + share * (y[-1] - y[0])) if y[-1] > y[0] else along
    keep = np.unique(np.clip(np.concatenate([along, across, up]), 0, len(x) - 1))
    return x[keep], y[keep]

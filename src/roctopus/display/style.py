"""How our pictures look: themes, lines, axes; and how names from data get into them unharmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import MissingDependencyError
from roctopus.display.writing import fit, wrap

DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 2)))
"""Lines differ in dashes, too: on paper without colours, and where one covers another."""
BROKEN: Any = (0, (4, 3))
"""The dashes of what is no model: baselines, diagonals, zero."""
USUAL_SIZE = (6.4, 4.8)
"""matplotlib's own figure size: another one is the user's wish."""
SHEET = 9.0
"""Wider figures hold several pictures."""
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


def mark_size(points: float) -> float:
    """Return the size of a mark: so many points where matplotlib's own marks have 6."""
    return points * float(settings()["lines.markersize"]) / 6.0


def is_narrow(figure: Any | None = None) -> bool:
    """Return whether a figure, or a new one, is as narrow as a journal's column."""
    width = settings()["figure.figsize"][0] if figure is None else figure.get_figwidth()
    return 72.0 * float(width) < text_size(40.0)


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
        self,
        names: Iterable[str],
        ax: Any,
        styles: Mapping[str, Mapping[str, Any]],
        beside: Mapping[str, str],
    ) -> None:
        self._line: dict[str, dict[str, Any]] = {}
        for name in names:
            if beside.get(name) in self._line:
                thin = {"linestyle": (0, (1, 1)), "linewidth": line_width(0.8)}
                self._line[name] = self._line[beside[name]] | thin | _own(styles[name])
            else:
                self._line[name] = _next_look(ax, styles[name])

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
    own = _own(style)
    (probe,) = ax.plot([], [], **{key: own[key] for key in ("color", "linestyle") if key in own})
    probe.remove()
    look = {"color": probe.get_color(), "linewidth": line_width(1.2)}
    look["linestyle"] = _dashes(probe)
    return look | own


def _own(style: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the user wants of a line, by the full names of its properties."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return dict(normalize_kwargs(dict(style), Line2D))


def _dashes(line: Any) -> Any:
    """Return the dashes that go with a line's colour: those of the user's cycle, or ours."""
    from matplotlib.colors import to_rgb

    cycle = list(settings()["axes.prop_cycle"])
    mine = [to_rgb(each.get("color", "k")) == to_rgb(line.get_color()) for each in cycle]
    if not any("linestyle" in each for each in cycle):
        return DASHES[mine.index(True) % len(DASHES) if True in mine else 0]
    known = [each["linestyle"] for each, same in zip(cycle, mine, strict=True) if same]
    return known[0] if len(known) == 1 else line.get_linestyle()


def new_figure(size: tuple[float, float]) -> Any:
    """Return an empty figure.

    It is as wide as the user has set by matplotlib's ``figure.figsize``, and as much higher or
    lower, where sheets keep their shape. If that is the usual size, it has the size that suits it.
    """
    width, height = settings()["figure.figsize"]
    from matplotlib import pyplot as plt

    across = size[0] if width == USUAL_SIZE[0] else width
    share = across / size[0] if size[0] > SHEET else height / USUAL_SIZE[1]
    return plt.figure(figsize=(across, size[1] * share), layout="constrained")


def finish_axes(ax: Any, *, title: str | None, x: str, y: str) -> None:
    """Write titles and calm the frame."""
    theme = Theme.of(ax)
    # Axes get a little larger than that once a layout engine places them.
    width, height = (72.0 * each for each in inches_of(ax))
    fit(ax.set_xlabel(x, color=theme.muted), 1.1 * width)
    fit(ax.set_ylabel(y, color=theme.muted), 1.2 * height)
    if title:
        bold = {"color": theme.ink, "fontsize": text_size(1.1), "fontweight": "bold"}
        room = width * (1.0 if is_narrow(ax.figure.figure) else 1.12)
        fit(ax.set_title(title, loc="left", **bold), room - _taken_by_names(ax))
    ax.grid(color=theme.grid, linewidth=line_width(0.55))
    ax.set_axisbelow(True)
    ax.tick_params(colors=theme.muted, labelsize=text_size(0.9))
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.grid)


def _taken_by_names(ax: Any) -> float:
    """Return by how many points names beside axes are wider than the space that is left of them."""
    spec = ax.get_subplotspec()
    if ax.name == "3d" or not (spec is None or spec.is_first_col()):
        return 0.0
    scale = 72.0 / ax.figure.figure.dpi
    widest = max((each.get_window_extent().width for each in ax.get_yticklabels()), default=0.0)
    left: float = ax.get_position().x0 * ax.figure.figure.bbox.width
    return max(0.0, float(scale * (widest - left)))


def inches_of(ax: Any) -> tuple[float, float]:
    """Return the width and the height of axes as matplotlib first places them."""
    figure, place = ax.figure.figure, ax.get_position()
    return place.width * figure.get_figwidth(), place.height * figure.get_figheight()


def wrap_names(ax: Any, names: Iterable[str]) -> list[str]:
    """Return names that stand beside axes, in lines that leave room for the picture."""
    return [wrap(name, 72.0 * 0.4 * inches_of(ax)[0], text_size(0.9)) for name in names]


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

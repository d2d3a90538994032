"""How our pictures look: colours, lines, axes; and how names from data get into them unharmed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.errors import MissingDependencyError

INK, MUTED, GRID = "#1f2430", "#5f6675", "#e3e5ea"
LEGEND = {"fontsize": 9, "framealpha": 0.85, "edgecolor": "none", "fancybox": False}
LONG = 5
"""Legends with more entries stand beside the picture."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31")
"""Okabe and Ito's palette, told apart by colour-blind readers; lines differ in dashes too."""
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 2)))


class Looks:
    """One colour and one kind of line per model, the same in every picture of the same models."""

    def __init__(self, names: Iterable[str]) -> None:
        self._position = {name: position for position, name in enumerate(names)}

    def colour(self, name: str) -> str:
        """Return the model's colour."""
        return COLOURS[self._position[name] % len(COLOURS)]

    def line(self, name: str) -> dict[str, Any]:
        """Return the arguments of the model's line."""
        dashes = DASHES[self._position[name] % len(DASHES)]
        return {"color": self.colour(name), "linestyle": dashes, "linewidth": 1.8}


def new_figure(size: tuple[float, float]) -> Any:
    """Return an empty figure."""
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        install = 'pip install "roctopus[plot]"'
        raise MissingDependencyError("A picture", "matplotlib", install) from None
    return plt.figure(figsize=size, layout="constrained")


def new_axes(ax: Any | None, entries: int = 0) -> Any:
    """Return the given axes, or new ones with room for so many entries of the legend."""
    return ax or new_figure((8.8 if entries > LONG else 6.4, 5.2)).add_subplot()


def finish_axes(ax: Any, *, title: str | None, x: str, y: str) -> None:
    """Write titles and calm the frame."""
    ax.set_xlabel(x, color=MUTED)
    ax.set_ylabel(y, color=MUTED)
    if title:
        ax.set_title(title, color=INK, fontsize=11, fontweight="bold", loc="left")
    ax.grid(color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(colors=MUTED, labelsize=9)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(GRID)


ABOVE_STRIP = {"loc": "best", "bbox_to_anchor": (0.0, 0.05, 1.0, 0.95)}
"""The emptiest place for a legend, but not on the strip that says who is best where."""
UNDER_ARCH = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.05)}
"""Where a legend covers nothing if curves rise from zero and fall back to it."""


def draw_legend(ax: Any, place: Mapping[str, Any] | None = None) -> None:
    """Write the legend, by default at the emptiest place; a long one stands beside the picture."""
    beside = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
    long = len(ax.get_legend_handles_labels()[0]) > LONG
    ax.legend(**LEGEND, **(beside if long else place or {}))


def note_line(ax: Any, x: float, text: str, **style: Any) -> None:
    """Draw an upright line with a few words at its top."""
    line = {"color": MUTED, "linewidth": 1.2, "linestyle": (0, (1.5, 2.5)), "zorder": 1} | style
    ax.axvline(x, **line)
    ax.annotate(
        text, (x, 1.0), (3, -2), xycoords=("data", "axes fraction"),
        textcoords="offset points", va="top", color=line["color"], fontsize=8,
    )  # fmt: skip


def draw_diagonal(ax: Any) -> None:
    """Draw the square of two shares, with the line on which they are equal."""
    ax.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    ax.set(xlim=(0, 1), ylim=(0, 1.01))


def draw_equal_loss(ax: Any, line: tuple[float, float], x: float, reach: float, label: str) -> None:
    """Draw a line by its slope and intercept from zero on, or, where it is upright, at x."""
    slope, intercept = line
    style = {"color": INK, "linewidth": 1.4, "linestyle": (0, (5, 3)), "label": label}
    if np.isinf(slope):
        ax.axvline(x, **style)
    else:
        ax.plot([0.0, reach], [intercept, slope * reach + intercept], **style)


def draw_classes(
    ax: Any, names: Sequence[str], shapes: Sequence[tuple[Floats, Floats]], cuts: Iterable[Any]
) -> None:
    """Draw a histogram per class, one above the other, and thresholds with equally good ones.

    A shape is the edges and the heights of bars, a cut a threshold with the ends of its range.
    """
    looks = Looks(names)
    for row, (name, (edges, height)) in enumerate(zip(names, shapes, strict=True)):
        top = row + 0.86 * np.repeat(height, 2) / max(float(height.max()), 1e-300)
        colour = {"color": looks.colour(name), "alpha": 0.75, "linewidth": 0}
        ax.fill_between(np.repeat(edges, 2)[1:-1], row, top, label=safe_text(name), **colour)
    low = min(float(edges[0]) for edges, _ in shapes)
    high = max(float(edges[-1]) for edges, _ in shapes)
    for cut, start, stop in cuts:
        ax.axvspan(max(start, low), min(stop, high), color=INK, alpha=0.10, linewidth=0)
        if low <= cut <= high:
            note_line(ax, cut, f"{cut:.3g}", color=INK, linewidth=1.4, linestyle="-", zorder=2)
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

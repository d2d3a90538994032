"""How figures of the papers look: lines, axes and legends on white paper."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib import pyplot as plt

INK, MUTED, GRID = "#1f2430", "#5f6675", "#e3e5ea"
LEGEND = {"fontsize": 9, "framealpha": 0.85, "edgecolor": "none", "fancybox": False}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31")
"""Okabe and Ito's palette, and two more: colour-blind readers can tell them apart."""
DASHES: tuple[Any, ...] = ("-", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 2)))


class Looks:
    """One colour and one kind of line per name."""

    def __init__(self, names: Iterable[str]) -> None:
        self._place = {name: place for place, name in enumerate(names)}

    def colour(self, name: str) -> str:
        """Return the colour of a name."""
        return COLOURS[self._place[name] % len(COLOURS)]

    def line(self, name: str) -> dict[str, Any]:
        """Return the arguments of the line of a name."""
        dashes = DASHES[self._place[name] % len(DASHES)]
        return {"color": self.colour(name), "linestyle": dashes, "linewidth": 1.8}


def new_figure(size: tuple[float, float]) -> Any:
    """Return an empty figure."""
    return plt.figure(figsize=size, layout="constrained")


def new_axes() -> Any:
    """Return empty axes in a figure of their own."""
    return new_figure((6.4, 5.2)).add_subplot()


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


def draw_legend(ax: Any) -> None:
    """Write the legend at the emptiest place."""
    ax.legend(**LEGEND)

"""Two contexts at once: the best loss, and who reaches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, Unpack

import numpy as np

from roctopus.concepts.context_map import ContextMap, map_envelopes
from roctopus.concepts.frames import column_name, make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.display.axes import check_shown
from roctopus.display.base import Display
from roctopus.display.drawing import Appearance, Pen, drawing
from roctopus.display.legends import BESIDE
from roctopus.display.style import mark_size, text_size
from roctopus.display.writing import say_share

CELLS = 400
"""Contexts of the first kind in the picture."""


def borders_between(values: Floats) -> Floats:
    """Return the borders of rows, halfway between values of the second context."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])


def draw_winners(
    pen: Pen, edges: Floats, borders: Floats, owner: Any, models: Sequence[str]
) -> None:
    """Draw who is best in which cell."""
    from matplotlib.colors import ListedColormap

    colours = [pen.colour(name) for name in models]
    shades = {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": len(colours) - 0.5}
    pen.ax.pcolormesh(edges, borders, owner, alpha=0.85, rasterized=True, **shades)
    seen = [name for position, name in enumerate(models) if (owner == position).any()]
    for name in seen:
        square = {"linestyle": "none", "marker": "s", "markersize": mark_size(9)}
        pen.ax.plot([], [], color=pen.colour(name), label=pen.told(name), **square)
    pen.ax.grid(visible=False)


class ContextMapDisplay(Display):
    """Draw the best outcome over two contexts, and which model reaches it where.

    Parameters
    ----------
    maps : mapping from name to ContextMap
        Maps of the models, such as ``cutoff_cost_map`` returns.

    Attributes
    ----------
    ax_ : matplotlib axes
        Where the picture was drawn; there after ``plot``.
    figure_ : matplotlib figure
        Figure of these axes.

    Examples
    --------
    >>> from roctopus.cutoff import cutoff_cost_map
    >>> from roctopus.display import ContextMapDisplay
    >>> y_true, low, high = [3.0, 5.0, 8.0], [2.0, 5.5, 6.0], [3.5, 5.2, 9.5]
    >>> maps = {name: cutoff_cost_map(y_true, p) for name, p in {"a": low, "b": high}.items()}
    >>> display = ContextMapDisplay(maps).plot()
    >>> display.ax_.get_ylabel()
    'cost proportion'
    """

    def __init__(self, maps: Mapping[str, ContextMap]) -> None:
        self.maps: dict[str, ContextMap] = check_mapping(maps, "maps", "context maps")
        self.envelopes = map_envelopes(self.maps)
        first = next(iter(self.maps.values()))
        self.second, self.values = first.second, first.values
        self.context = first.curves[0].context

    def context_range(self) -> tuple[float, float]:
        """Return the first contexts to show: those in which most of the knots lie.

        Returns
        -------
        tuple of float
            Ends of the x-axis.
        """
        low, high = self.envelopes[0].curve.domain
        knots = [curve.function.knots for each in self.maps.values() for curve in each.curves[:1]]
        inner = np.concatenate(knots)
        inner = inner[np.isfinite(inner)]
        first, last = np.quantile(inner, [0.005, 0.995]).tolist() if len(inner) else (0.0, 1.0)
        if first == last:
            first, last = first - 1.0, last + 1.0
        return max(first, low), min(last, high)

    def grid(self, edges: Floats) -> tuple[Floats, Any]:
        """Return the best values and the position of the best model in the middle of each cell.

        Parameters
        ----------
        edges : array
            Borders of the cells along the first context.

        Returns
        -------
        tuple of arrays
            Best values and positions of models, a row per value of the second context.
        """
        x = 0.5 * (edges[1:] + edges[:-1])
        best = np.array([each.curve.at(x) for each in self.envelopes])
        owner = np.array([each.owner[each.curve.piece_of(x)] for each in self.envelopes])
        return best, owner

    @drawing
    def plot(
        self,
        ax: Any | None = None,
        *,
        winner: bool = True,
        low: float | None = None,
        high: float | None = None,
        **look: Unpack[Appearance],
    ) -> Self:
        """Draw the map.

        Parameters
        ----------
        winner : bool, default True
            Whether to draw which model is best where, instead of the best value as shades.
        """
        pen = Pen.on(ax, {name: name for name in self.maps}, look)
        first, last = self.context_range()
        start, stop = first if low is None else low, last if high is None else high
        check_shown(start, stop)
        edges = np.linspace(start, stop, CELLS + 1)
        best, owner = self.grid(edges)
        borders = borders_between(self.values)
        finding = None
        if winner:
            draw_winners(pen, edges, borders, owner, list(self.maps))
            finding = self._finding(pen, owner)
        else:
            shades = pen.ax.pcolormesh(edges, borders, best, cmap="cividis", rasterized=True)
            bar = pen.ax.figure.colorbar(shades, ax=pen.ax)
            outcome = "cost" if self.envelopes[0].curve.sense == "loss" else "gain"
            whose = " of the best model" if len(self.maps) > 1 else ""
            bar.set_label(outcome + whose, color=pen.theme.muted)
            bar.ax.tick_params(colors=pen.theme.muted, labelsize=text_size(0.9))
            bar.outline.set_visible(False)
        pen.finish(finding, self.context, self.second, BESIDE)
        pen.ax.grid(visible=False)
        return self._drawn(pen)

    def _finding(self, pen: Pen, owner: Any) -> str | None:
        """Return the title: who has the largest part of the map."""
        shares = [float(np.mean(owner == place)) for place in range(len(self.maps))]
        largest = int(np.argmax(shares))
        if len(shares) == 1:
            return None
        told = pen.told(list(self.maps)[largest])
        share = shares[largest]
        return (
            f"{told} is best everywhere shown"
            if share == 1.0
            else (f"{told} is best in {say_share(share)} of the map")
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the regions by value of the second context."""
        rows = [
            (value, *region)
            for value, each in zip(self.values, self.envelopes, strict=True)
            for region in each.regions
        ]
        context = column_name(self.context)
        names = (column_name(self.second), f"{context}_from", f"{context}_to", "model")
        columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
        return make_frame(columns, self.envelopes[0].curve.backend, backend)

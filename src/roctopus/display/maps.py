"""Two contexts at once: the best loss, and who reaches it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from roctopus.concepts.context_map import ContextMap, map_envelopes
from roctopus.concepts.frames import column_name, make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.display.axes import check_shown
from roctopus.display.base import Display
from roctopus.display.style import INK, LEGEND, Looks, new_axes, safe_text

CELLS = 400
"""Contexts of the first kind in the picture."""


def borders_between(values: Floats) -> Floats:
    """Return the borders of rows, halfway between values of the second context."""
    if len(values) == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middle = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - middle[0]], middle, [2 * values[-1] - middle[-1]]])


def draw_winners(
    ax: Any, edges: Floats, borders: Floats, owner: Any, models: Sequence[str]
) -> None:
    """Draw who is best in which cell."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    looks = Looks(models)
    colours = [looks.colour(name) for name in models]
    shades = {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": len(colours) - 0.5}
    ax.pcolormesh(edges, borders, owner, alpha=0.85, rasterized=True, **shades)
    seen = [name for position, name in enumerate(models) if (owner == position).any()]
    handles = [Patch(color=looks.colour(name), label=safe_text(name)) for name in seen]
    ax.legend(handles=handles, **LEGEND)
    ax.grid(visible=False)


class ContextMapDisplay(Display):
    """Draw the best outcome over two contexts, and which model reaches it where.

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
        """Return the first contexts to show: those in which most of the knots lie."""
        low, high = self.envelopes[0].curve.domain
        knots = [curve.function.knots for each in self.maps.values() for curve in each.curves[:1]]
        inner = np.concatenate(knots)
        inner = inner[np.isfinite(inner)]
        first, last = np.quantile(inner, [0.005, 0.995]).tolist() if len(inner) else (0.0, 1.0)
        if first == last:
            first, last = first - 1.0, last + 1.0
        return max(first, low), min(last, high)

    def grid(self, edges: Floats) -> tuple[Floats, Any]:
        """Return the best values and the position of the best model in the middle of each cell."""
        x = 0.5 * (edges[1:] + edges[:-1])
        best = np.array([each.curve.at(x) for each in self.envelopes])
        owner = np.array([each.owner[each.curve.piece_of(x)] for each in self.envelopes])
        return best, owner

    def plot(
        self,
        *,
        winner: bool = True,
        low: float | None = None,
        high: float | None = None,
        ax: Any | None = None,
        title: str | None = None,
    ) -> Self:
        """Draw who is best where (``winner=True``), or the best value as shades."""
        ax = new_axes(ax)
        first, last = self.context_range()
        start, stop = first if low is None else low, last if high is None else high
        check_shown(start, stop)
        edges = np.linspace(start, stop, CELLS + 1)
        best, owner = self.grid(edges)
        if winner:
            draw_winners(ax, edges, borders_between(self.values), owner, list(self.maps))
        else:
            shades = ax.pcolormesh(
                edges, borders_between(self.values), best, cmap="cividis", rasterized=True
            )
            bar = ax.figure.colorbar(shades, ax=ax)
            bar.set_label("best value" if len(self.maps) > 1 else "value", color=INK)
            bar.outline.set_visible(False)
        self._drawn(ax, title=title, x=self.context, y=self.second)
        ax.grid(visible=False)
        return self

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

"""Scores by class: a histogram each, one above the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.marks import note_line
from roctopus.display.style import Looks, Theme, line_width, safe_text

ROOM = 0.25
"""For the words above the uppermost histogram, as a share of its height."""


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
    low = min(float(edges[0]) for edges, _ in shapes)
    high = max(float(edges[-1]) for edges, _ in shapes)
    ax.set(xlim=(low, high), ylim=(0, len(names) + ROOM))
    for row, (name, (edges, height)) in enumerate(zip(names, shapes, strict=True)):
        top = row + 0.86 * np.repeat(height, 2) / max(float(height.max()), 1e-300)
        colour = {"color": looks.colour(name), "alpha": 0.75, "linewidth": 0}
        ax.fill_between(np.repeat(edges, 2)[1:-1], row, top, label=safe_text(name), **colour)
    for cut, start, stop in cuts:
        ax.axvspan(max(start, low), min(stop, high), color=ink, alpha=0.10, linewidth=0)
        if low <= cut <= high:
            solid: dict[str, Any] = {"linewidth": line_width(0.9), "linestyle": "-", "zorder": 2}
            note_line(ax, cut, f"{cut:.3g}", color=ink, **solid)
    ax.set_yticks(np.arange(len(names)) + 0.4, list(map(safe_text, names)))
    ax.grid(visible=False)

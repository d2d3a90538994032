"""Names at the ends of lines, apart from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.display.legends import draw_legend
from roctopus.display.style import text_size

SIZE = 0.9
"""Of the letters, as a share of the usual size."""


class EndLabel(NamedTuple):
    """The name of a line, where the line ends, and its colour."""

    text: str
    y: float
    colour: Any


def keep_apart(wanted: Floats, gap: float) -> Floats:
    """Return places within 0 and 1 as near to those wanted as can be, at least ``gap`` apart."""
    order = np.argsort(wanted, kind="stable")
    places = np.clip(wanted[order], 0.0, 1.0)
    runs: list[tuple[float, int]] = []  # the middle of a run of neighbours, and their number
    for place in places.tolist():
        runs.append((place, 1))
        while len(runs) > 1 and runs[-1][0] - runs[-2][0] < gap * (runs[-1][1] + runs[-2][1]) / 2:
            (middle, count), (before, others) = runs.pop(), runs.pop()
            joined = (middle * count + before * others) / (count + others)
            half = gap * (count + others - 1) / 2
            runs.append((float(np.clip(joined, half, max(1.0 - half, half))), count + others))
    spread = [m + gap * (np.arange(count) - (count - 1) / 2) for m, count in runs]
    found = np.empty(len(wanted))
    found[order] = np.concatenate(spread)
    return found


def label_ends(ax: Any, labels: Sequence[EndLabel]) -> None:
    """Write names beside the ends of lines, or a legend where there is no room for them."""
    figure = ax.figure
    height = ax.get_position().height * figure.get_figheight() * 72.0
    gap = 1.3 * text_size(SIZE) / height
    if figure.get_layout_engine() is None or gap * (len(labels) - 1) > 1.0:
        draw_legend(ax)
        return
    low, high = ax.get_ylim()
    shares = np.array([(each.y - low) / (high - low) for each in labels])
    for each, share, place in zip(labels, shares, keep_apart(shares, gap), strict=True):
        away = "" if 0.0 <= share <= 1.0 else " ↑" if share > 1.0 else " ↓"
        line = {"arrowstyle": "-", "color": each.colour, "linewidth": 0.6, "alpha": 0.6}
        ends = {"shrinkA": 0, "shrinkB": 0, "relpos": (0.0, 0.5)}
        ax.annotate(
            each.text + away, (1.0, min(max(share, 0.0), 1.0)), (1.025, place),
            xycoords="axes fraction", textcoords="axes fraction", va="center", ha="left",
            color=each.colour, fontsize=text_size(SIZE), annotation_clip=False,
            arrowprops=None if away else line | ends,
        )  # fmt: skip

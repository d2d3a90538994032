"""Contexts that are marked: an upright line with words."""

from __future__ import annotations

from typing import Any

from roctopus.display.style import Theme, inches_of, line_width, text_size

NEAR = 0.12
"""Closer to the right end of the axis than this share of it, words stand on the left."""


def note_line(ax: Any, x: float, text: str, *, beside: float | None = None, **style: Any) -> None:
    """Draw an upright line with a few words at its top: away from a mark, and lower than that."""
    line = Theme.of(ax).baseline(linestyle=(0, (1.5, 2.5)), zorder=1) | style
    ax.axvline(x, **line)
    left = share_at(ax, x) > 1.0 - NEAR if beside is None else x < beside
    side, away = ("right", -3) if left else ("left", 3)
    ax.annotate(
        text, (x, 1.0 if beside is None else 0.92), (away, -2), ha=side, va="top",
        xycoords=("data", "axes fraction"), textcoords="offset points", color=line["color"],
        fontsize=text_size(0.8),
    )  # fmt: skip


def mark_context(ax: Any, x: float, text: str, *, low: bool = False) -> None:
    """Draw an upright line at a context, and say at its top (or low) which one it is.

    The ends of the axis must be set: the words stand between them.
    """
    theme = Theme.of(ax)
    ax.axvline(x, color=theme.ink, linewidth=line_width(0.8), zorder=2.5)
    x = min(max(x, ax.get_xlim()[0]), ax.get_xlim()[1])  # no scale is infinite there
    box = {"boxstyle": "round,pad=0.25", "facecolor": theme.ink, "edgecolor": "none"}
    height, level = (0.015, "bottom") if low else (0.985, "top")
    told = ax.text(
        x, height, text, transform=ax.get_xaxis_transform(), ha="center", va=level, bbox=box,
        color=theme.face, fontsize=text_size(0.85), fontweight="bold", zorder=6,
    )  # fmt: skip
    wide = float(told.get_window_extent().width) / ax.figure.figure.dpi
    share, half = share_at(ax, x), 0.5 * wide / inches_of(ax)[0]
    told.set_ha("left" if share < half else "right" if share > 1.0 - half else "center")


def share_at(ax: Any, x: float) -> float:
    """Return how far along the axis a value lies, as a share."""
    low, high = ax.get_xlim()
    first, at, last = ax.xaxis.get_transform().transform([low, x, high])
    return float((at - first) / (last - first))

"""Where legends stand: inside the picture, beside it, or below it in a narrow figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roctopus.display.style import Theme, inches_of, is_narrow, new_figure, text_size
from roctopus.display.writing import wrap

LONG = 5
"""Legends with more entries stand beside the picture."""
ABOVE_STRIP = {"loc": "best", "bbox_to_anchor": (0.0, 0.05, 1.0, 0.95)}
"""The emptiest place for a legend, but not on the strip that says who is best where."""
UNDER_ARCH = {"loc": "lower center", "bbox_to_anchor": (0.5, 0.05)}
"""Where a legend covers nothing if curves rise from zero and fall back to it."""
BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}


def _below(ax: Any, labels: Sequence[str]) -> dict[str, Any]:
    """Return where a legend stands below the axes of a narrow figure, in columns that fit."""
    width, height = (72.0 * each for each in inches_of(ax))
    longest = text_size(0.9) * (4.0 + 0.55 * max(len(each) for each in labels))
    columns = max(1, int(1.15 * width / longest))
    at = (0.5, -text_size(4.2) / height)
    return {"loc": "upper center", "bbox_to_anchor": at, "ncols": columns, "columnspacing": 1.0}


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
    handles, labels = zip(*listed.values(), strict=True)
    where = BESIDE if len(listed) > LONG else place or {}
    width = 72.0 * inches_of(ax)[0]
    if where is BESIDE and is_narrow(ax.figure.figure):
        where = _below(ax, labels)
    room = 0.5 * width if where is BESIDE else width - text_size(3.5)
    told = [wrap(each, room, text_size(0.9)) for each in labels]
    ax.legend(handles, told, **{**look, **where, **style})


def new_axes(ax: Any | None, entries: int = 0) -> Any:
    """Return the given axes, or new ones with room for so many entries of the legend."""
    if ax is not None:
        return ax
    figure = new_figure((8.8 if entries > LONG else 6.4, 5.2))
    if entries > LONG and is_narrow(figure):
        figure.set_figheight(figure.get_figheight() + text_size(0.8 * entries) / 72.0)
    return figure.add_subplot()

"""Several axes in the place of one, as scikit-learn's partial dependence has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from roctopus.core.errors import InputError
from roctopus.display.style import new_figure

MADE: WeakKeyDictionary[Any, list[ref[Any]]] = WeakKeyDictionary()
"""The axes beside each other, by each of them and by the one in whose place they stand: a second
model finds those of the first."""


def grid_in(
    ax: Any | None,
    rows: int,
    columns: int,
    size: tuple[float, float],
    *,
    heights: Sequence[float] | None = None,
    **sharing: Any,
) -> Any:
    """Return an array of axes: on a new figure, in the place of the given one, or those given."""
    shape = {"height_ratios": heights, "squeeze": False, **sharing}
    if ax is None:
        return _remember(new_figure(size).subplots(rows, columns, **shape))
    if isinstance(ax, (np.ndarray, list, tuple)):
        given = np.array(ax, dtype=object)
        if given.size != rows * columns:
            raise InputError(
                f"'ax' must be one axes object or an array of {rows * columns}, but contains "
                f"{given.size}."
            )
        return given.reshape(rows, columns)
    known = np.array([each() for each in MADE.get(ax, [])], dtype=object)
    if known.size == rows * columns:
        return known.reshape(rows, columns)
    place = ax.get_subplotspec()
    if place is None:
        raise InputError(
            "This picture consists of several axes, which cannot be placed in this 'ax'. Use an "
            "'ax' from plt.subplots, or leave it out."
        )
    ax.set_axis_off()
    return _remember(ax.figure.add_subfigure(place).subplots(rows, columns, **shape), ax)


def _remember(found: Any, *others: Any) -> Any:
    """Return axes, and keep which ones they are."""
    for each in (*found.flat, *others):
        MADE[each] = [ref(one) for one in found.flat]
    return found

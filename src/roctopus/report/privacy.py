"""What may be told of data without telling the rows: every stored number covers several cases."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats

__all__ = ["round_to_cover", "spread_apart", "thin"]


def spread_apart(wanted: Floats, others: Floats, apart: float) -> Floats:
    """Return contexts no closer than ``apart``: those wanted first, in order, then the others."""
    kept: list[float] = []
    for each in wanted.tolist():
        if all(abs(each - x) >= apart for x in kept):
            kept.append(each)
    firm = np.sort(np.array(kept))
    if len(firm):
        right = np.clip(np.searchsorted(firm, others), 0, len(firm) - 1)
        left = np.maximum(right - 1, 0)
        gap = np.minimum(np.abs(others - firm[right]), np.abs(others - firm[left]))
        others = others[gap >= 0.5 * apart]
    return np.unique(np.concatenate([firm, others]))


def thin(mass: Floats, least: float, most: int) -> Floats:
    """Return positions along running masses such that ``least`` or more lie between neighbours."""
    total = float(mass[-1])
    steps = int(min(most, max(total // least, 1.0)))
    at = np.searchsorted(mass, np.linspace(0.0, total, steps + 1))
    return np.unique(np.clip(at, 0, len(mass) - 1))


def round_to_cover(knobs: Floats, values: Floats, least: int) -> Floats:
    """Round knobs so that each stands for ``least`` cases or more: as many round to the same.

    ``values`` are what knobs are made of, errors or scores, one per case and sorted. The steps are
    1, 2, 5, 10, ...: the finest that covers enough.
    """
    shape = np.shape(knobs)
    rounded = np.array(knobs, dtype=np.float64).ravel()
    if len(values) == 0:
        return rounded.reshape(shape)
    finite = np.isfinite(rounded)
    open_ones = finite.copy()
    span = max(float(values[-1] - values[0]), float(np.max(np.abs(values))), 1e-300)
    exponent = int(np.floor(np.log10(span))) - 12
    steps = [m * 10.0**e for e in range(exponent, exponent + 15) for m in (1.0, 2.0, 5.0)]
    for step in steps:
        if not open_ones.any():
            break
        near = np.round(rounded[open_ones] / step)
        low, high = (near - 0.5) * step, (near + 0.5) * step
        inside = np.searchsorted(values, high, "right") - np.searchsorted(values, low, "left")
        enough = inside >= min(least, len(values))
        where = np.flatnonzero(open_ones)[enough]
        # A decimal that reads well: 0.3, not 0.30000000000000004.
        digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
        rounded[where] = np.round(near[enough] * step, digits)
        open_ones[where] = False
    return rounded.reshape(shape)

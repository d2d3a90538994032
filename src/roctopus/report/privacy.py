"""Numbers that each cover several cases. Differences between them can still reveal a row."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats


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
        others = others[gap >= apart]
    return np.unique(np.concatenate([firm, others]))


def cover(knobs: Floats, values: Floats, least: int) -> Floats:
    """Return for each knob the mean of ``least`` neighbouring cases that lies nearest to it.

    ``values`` are what knobs are made of, errors or scores, one per case and sorted.
    """
    wanted = np.array(knobs, dtype=np.float64)
    flat = wanted.ravel()
    count = min(least, len(values))
    centre = float(values[len(values) // 2])
    running = np.concatenate([[0.0], np.cumsum(values - centre)])
    means = centre + (running[count:] - running[:-count]) / count  # of all runs of neighbours
    finite = np.isfinite(flat)
    right = np.clip(np.searchsorted(means, flat[finite]), 0, len(means) - 1)
    left = np.maximum(right - 1, 0)
    nearer = np.abs(means[left] - flat[finite]) <= np.abs(means[right] - flat[finite])
    flat[finite] = np.where(nearer, means[left], means[right])
    return flat.reshape(wanted.shape)

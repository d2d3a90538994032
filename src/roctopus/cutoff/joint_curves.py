"""Tuned margins by cutoff, from joint masses: the best threshold at a border, with bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.buckets import RowParts
from roctopus.core.piecewise import Index
from roctopus.cutoff.joint_masses import JointMasses


class Tuned(NamedTuple):
    """What the best threshold between buckets gives at some cutoffs, and bounds of the best."""

    threshold: Floats
    over: Floats
    under: Floats
    """The masses of both kinds of errors, in the middle where there are bounds."""
    lower: Floats
    upper: Floats


def tuned_bounds(
    joint: JointMasses, costs: tuple[float, float], parts: RowParts | None
) -> tuple[Tuned, Tuned]:
    """Return all this at the borders of buckets of the truth, and inside these buckets.

    At the first border no truth lies below the cutoff, and at the last none above.
    """
    cells = joint.cells(parts)
    below = np.concatenate([np.zeros((joint.size, 1)), np.cumsum(cells.mass, axis=1)], axis=1)
    above = below[:, -1:] - below
    above[:, -1] = 0.0
    places = joint.borders
    finite = (np.isfinite(joint.predictions[0]), np.isfinite(joint.predictions[1]))
    ends = _beyond(joint)
    thresholds = np.concatenate([[ends[0]], places, [ends[1]]])
    found = []
    for certain, possible in (
        ((below, above), (below, above)),
        ((below[:, :-1], above[:, 1:]), (below[:, 1:], above[:, :-1])),
    ):
        found.append(_best(certain, possible, costs, finite, thresholds))
    return found[0], found[1]


def _beyond(joint: JointMasses) -> tuple[float, float]:
    """Return thresholds below and above all finite predictions."""
    low, high = joint.predictions
    places = joint.borders
    low = low if np.isfinite(low) else float(places[0])
    high = high if np.isfinite(high) else float(places[-1])
    step = max(high - low, 1e-6 * max(abs(low), abs(high))) or 1.0
    return low - step, high + step


def _best(
    certain: tuple[Floats, Floats],
    possible: tuple[Floats, Floats],
    costs: tuple[float, float],
    finite: tuple[bool, bool],
    thresholds: Floats,
) -> Tuned:
    """Return the best threshold for masses that are negative and positive, surely or perhaps."""
    over, under = _sums(*possible)
    sure_over, sure_under = _sums(*certain)
    cost = costs[0] * over + costs[1] * under
    # Infinite predictions lie on the same side of all thresholds.
    cost[0], cost[-1] = (
        each if known else np.inf for each, known in zip((cost[0], cost[-1]), finite, strict=True)
    )
    at: Index = np.argmin(cost, axis=0)
    column = np.arange(cost.shape[1])
    # A threshold inside a bucket may part its classes.
    inside = costs[0] * sure_over[1:] + costs[1] * sure_under[:-1]
    return Tuned(
        thresholds[at],
        0.5 * (over + sure_over)[at, column],
        0.5 * (under + sure_under)[at, column],
        np.min(inside, axis=0),
        cost[at, column],
    )


def _sums(negative: Floats, positive: Floats) -> tuple[Floats, Floats]:
    """Return the mass of negatives from each bucket on, and of positives before it."""
    none = np.zeros((1, negative.shape[1]))
    from_here = np.concatenate([np.cumsum(negative[::-1], axis=0)[::-1], none])
    before = np.concatenate([none, np.cumsum(positive, axis=0)])
    return from_here, before

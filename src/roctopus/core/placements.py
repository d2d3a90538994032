"""AUC placements: for every case, the share of the other class on its right side.

They give the AUC (their mean), its influence values and DeLong's covariance at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roctopus.core.arrays import Floats

__all__ = ["Placements", "placements"]


@dataclass(frozen=True, eq=False)
class Placements:
    """Shares of the other class, one per case, in the given order."""

    positive: Floats
    """For each positive, the share of negatives scored below it (ties count one half)."""
    negative: Floats
    """For each negative, the share of positives scored above it (ties count one half)."""
    auc: float


def placements(
    positive: Floats,
    negative: Floats,
    *,
    positive_weight: Floats | None = None,
    negative_weight: Floats | None = None,
    ties: Literal["average", "strict"] = "average",
) -> Placements:
    """Compare every positive score with every negative one, in O(n log n).

    ``ties="strict"`` counts a tie as wrong. Weights are positive.
    """
    tie_credit = 0.5 if ties == "average" else 0.0
    below = _share_below(negative, negative_weight, positive, tie_credit)
    not_above = _share_below(positive, positive_weight, negative, 1.0 - tie_credit)
    auc = float(np.average(below, weights=positive_weight))
    return Placements(below, 1.0 - not_above, auc)


def _share_below(
    reference: Floats, weight: Floats | None, scores: Floats, tie_credit: float
) -> Floats:
    """Return the weighted share of the reference below each score; ties get their credit."""
    order = np.argsort(reference)
    ordered = reference[order]
    steps = np.ones(len(reference)) if weight is None else weight[order]
    mass = np.concatenate([[0.0], np.cumsum(steps)])
    visit = np.argsort(scores)  # sorted needles keep the binary searches in the cache
    left = mass[np.searchsorted(ordered, scores[visit], side="left")]
    right = mass[np.searchsorted(ordered, scores[visit], side="right")]
    share = np.empty(len(scores))
    share[visit] = (left + tie_credit * (right - left)) / mass[-1]
    return share

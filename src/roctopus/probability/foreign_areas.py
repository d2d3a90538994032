"""The AUC of arrays of other libraries, which stay on their device."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.core.arrays import is_foreign, sort_with_order
from roctopus.core.chains import share_of_sorted
from roctopus.core.sample import read_sample

__all__ = ["auc_of_foreign"]


def auc_of_foreign(y_true: Any, y_score: Any, sample_weight: Any = None) -> float | None:
    """Return the AUC; None for what is not on a device, or has not two whole numbers as classes.

    What is wrong then is said by ``read_two_classes``.
    """
    if not is_foreign(y_true):
        return None
    sample = read_sample(y_true, y_score, sample_weight, names=("y_true", "y_score"))
    xp, weight = sample.xp, sample.weight
    low, high = float(xp.min(sample.y_true)), float(xp.max(sample.y_true))
    positive = sample.y_true == high
    fits = low < high and low.is_integer() and high.is_integer()
    if not fits or not bool(xp.all(positive | (sample.y_true == low))):
        return None
    score, order = sort_with_order(sample.y_pred, xp=xp)
    code = xp.take(xp.astype(positive, xp.int8), order)
    if weight is None:
        above = float(xp.count_nonzero(positive))
        totals = np.array([sample.size - above, above])
    else:
        parts = (xp.sum(xp.where(mine, weight, 0.0)) for mine in (~positive, positive))
        totals = np.array([float(part) for part in parts])
        weight = xp.take(weight, order)
    return share_of_sorted(score, code, weight, totals, "average", xp=xp)

"""The AUC of arrays of other libraries, which stay on their device."""

from __future__ import annotations

from typing import Any

from roctopus.core.arrays import is_foreign, sort_with_order
from roctopus.core.chain_steps import share_of_parts
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
    masks = (sample.y_true == low, positive)
    parts = [sample.y_pred[mask] for mask in masks]
    if weight is None:
        return share_of_parts([xp.sort(p, stable=False) for p in parts], None, "average", xp=xp)
    ordered = [sort_with_order(part, xp=xp) for part in parts]
    pairs = zip(masks, ordered, strict=True)
    masses = [xp.take(weight[mask], order) for mask, (_, order) in pairs]
    return share_of_parts([score for score, _ in ordered], masses, "average", xp=xp)

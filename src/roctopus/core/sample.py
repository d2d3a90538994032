"""A checked sample: truths and predictions of the same cases, with weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.core.arrays import (
    Array,
    Floats,
    frame_backend,
    read_array,
    shared_namespace,
    to_numpy,
)
from roctopus.core.checks import check_finite, check_same_length, check_weights

__all__ = ["Sample", "read_sample"]


@dataclass(frozen=True, eq=False)
class Sample:
    """Truths, predictions and weights of the cases that count.

    Rows of weight zero are absent: they are dropped here once, so no formula below meets them.
    """

    xp: Any
    y_true: Array
    y_pred: Array
    weight: Array | None
    kept: Array | None
    """Mask over the given rows; None if all count."""
    backend: str | None
    """The dataframe library of the user's columns."""

    @cached_property
    def size(self) -> int:
        """The number of cases that count."""
        return int(self.y_true.shape[0])

    @cached_property
    def total_weight(self) -> float:
        """The total weight; the number of cases where no weights are given."""
        return float(self.size) if self.weight is None else float(self.xp.sum(self.weight))

    def total(self, values: Array) -> float:
        """Weighted sum of one value per case."""
        if self.weight is None:
            return float(self.xp.sum(values))
        return float(self.xp.vecdot(values, self.weight))

    def mean(self, values: Array) -> float:
        """Weighted mean of one value per case."""
        return self.total(values) / self.total_weight

    def per_row(self, values: Array) -> Floats:
        """Lay one value per case out over the rows as given: 0 where a row is absent."""
        counted = to_numpy(values)
        if self.kept is None:
            return counted
        kept = to_numpy(self.kept) > 0
        rows = np.zeros(len(kept))
        rows[kept] = counted
        return rows

    @property
    def row_weights(self) -> Floats | None:
        """The weights over the rows as given."""
        return None if self.weight is None else self.per_row(self.weight)


def read_sample(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    names: tuple[str, str] = ("y_true", "y_pred"),
) -> Sample:
    """Check and read truths, predictions and weights; all must be finite."""
    first, second = names
    arrays = {first: read_array(y_true, first), second: read_array(y_pred, second)}
    if sample_weight is not None:
        arrays["sample_weight"] = read_array(sample_weight, "sample_weight")
    xp = shared_namespace(**arrays)
    check_same_length(**arrays)
    for name in names:
        check_finite(arrays[name], name)
    weight = arrays.get("sample_weight")
    truth, prediction, kept = arrays[first], arrays[second], None
    if weight is not None:
        check_weights(weight)
        if float(xp.min(weight)) == 0.0:
            positive = weight > 0
            truth, prediction, weight = truth[positive], prediction[positive], weight[positive]
            kept = xp.astype(positive, xp.float64)
    backend = frame_backend(y_pred) or frame_backend(y_true)
    return Sample(xp, truth, prediction, weight, kept, backend)

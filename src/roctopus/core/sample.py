"""A checked sample: truths and predictions of the same cases, with weights."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from roctopus.core.arrays import (
    Array,
    Floats,
    as_series,
    frame_backend,
    read_array,
    shared_namespace,
    to_numpy,
)
from roctopus.core.checks import (
    check_finite,
    check_no_nan,
    check_same_length,
    check_weights,
    name_rows,
)
from roctopus.core.errors import InputError, arg


@dataclass(frozen=True, eq=False)
class Sample:
    """Truths, predictions and weights of the cases that count.

    Rows of weight zero are absent: they are dropped here once, so no formula below meets them. They
    must still hold numbers: a NaN is refused wherever it stands.
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

    def mean_and_deviations(self, values: Array) -> tuple[float, Array]:
        """Return the weighted mean of one value per case and the deviations from it.

        Values are taken about one of them first: far from zero, a mean in one pass would cost
        digits.
        """
        origin = values[0 if self.weight is None else int(self.xp.argmax(self.weight))]
        shifted = values - origin
        centre = self.mean(shifted)
        return float(origin) + centre, shifted - centre

    def to_numpy(self) -> Sample:
        """Return the same sample in numpy, for work that an array library need not do itself."""
        if isinstance(self.y_true, np.ndarray):
            return self
        columns = (self.y_true, self.y_pred, self.weight, self.kept)
        y_true, y_pred, weight, kept = (None if c is None else to_numpy(c) for c in columns)
        xp = shared_namespace(y_true=y_true)
        return Sample(xp, y_true, y_pred, weight, kept, self.backend)

    def per_row(self, values: Array) -> Floats:
        """Lay one value per case out over the rows as given: 0 where a row is absent."""
        counted = to_numpy(values)
        if self.kept is None:
            return counted
        kept = to_numpy(self.kept) > 0
        rows = np.zeros(len(kept), dtype=counted.dtype)
        rows[kept] = counted
        return rows

    def name_rows(self, cases: Array) -> str:
        """Name the rows as given of some of the cases that count, for an error."""
        return name_rows(self.per_row(cases))

    @property
    def row_weights(self) -> Floats | None:
        """The weights over the rows as given."""
        return None if self.weight is None else self.per_row(self.weight).copy()


def read_sample(
    y_true: Any,
    y_pred: Any,
    sample_weight: Any = None,
    *,
    names: tuple[str, str] = ("y_true", "y_pred"),
    infinite_predictions: bool = False,
) -> Sample:
    """Check and read truths, predictions and weights; all finite, or all but the predictions."""
    first, second = names
    check_row_order(**{first: y_true, second: y_pred, "sample_weight": sample_weight})
    arrays = {first: read_array(y_true, first), second: read_array(y_pred, second)}
    if sample_weight is not None:
        arrays["sample_weight"] = read_array(sample_weight, "sample_weight")
    xp = shared_namespace(**arrays)
    check_same_length(**arrays)
    check_finite(arrays[first], first)
    (check_no_nan if infinite_predictions else check_finite)(arrays[second], second)
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


def _index(series: Any) -> Any | None:
    import narwhals as nw

    return nw.maybe_get_index(series)


def check_row_order(**columns: Any) -> None:
    """Raise an error if pandas columns share index labels, but not row by row.

    Rows are paired by position, as everywhere in scikit-learn. Where labels are the same in another
    order, or some of them are shared, that would be a silent mistake; columns that share none are
    paired, and so are those without an index.
    """
    seen: list[tuple[str, Any]] = []
    for name, column in columns.items():
        series = as_series(column)
        index = None if series is None else _index(series)
        if index is None or any(index.equals(other) for _, other in seen):
            continue
        for other_name, other in seen:
            _refuse_shared(other_name, other, name, index)
        seen.append((name, index))


def _refuse_shared(first: str, index: Any, second: str, other: Any) -> None:
    if len(index) != len(other) or not other.isin(index).any():
        return
    shared = (Counter(index) & Counter(other)).total()
    known = second.isidentifier() and first.isidentifier()
    if shared == len(index):
        hint = f", as in {second}.loc[{first}.index]" if known else ""
        raise InputError(
            f"{arg(first)} and {arg(second)} have the same index labels in different orders, but "
            f"rows are paired by position. Put them in the same order first{hint}."
        )
    both = f"{first}.index.intersection({second}.index)" if known else "the labels that both have"
    raise InputError(
        f"{arg(first)} and {arg(second)} share only {shared:,} of {len(index):,} index labels, but "
        f"rows are paired by position. To pair rows by label, use .loc[{both}] on both. To pair "
        "them by position, use .to_numpy() on both."
    )

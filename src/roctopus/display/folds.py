"""The folds of a cross-validation: an estimator each, and the cases it was tested on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.estimators import trained_folds
from roctopus.comparison.folding import check_splits, count_rows, take_table
from roctopus.core.errors import InputError
from roctopus.inference.folds import Rows


class Fold(NamedTuple):
    """One fold."""

    estimator: Any
    """Trained on the other folds."""
    test: Rows
    """The rows it was tested on."""
    X: Any
    """What it predicts them from."""
    weight: dict[str, Any]
    """``sample_weight`` of these rows, if there are weights."""


def read_folds(cv_results: Mapping[str, Any], X: Any, y: Any, sample_weight: Any) -> list[Fold]:
    """Return the folds of what ``cross_validate`` returned."""
    fitted, splits = trained_folds("model", cv_results)
    size = count_rows(X)
    if len(y) != size:
        raise InputError(
            f"'X' and 'y' must have the same number of rows, but have {size} and {len(y)}."
        )
    weight = None if sample_weight is None else np.asarray(sample_weight)
    return [
        Fold(
            estimator,
            test,
            take_table(estimator, X, test, train),
            {} if weight is None else {"sample_weight": weight[test]},
        )
        for estimator, (train, test) in zip(
            fitted, check_splits(splits, size, None, None), strict=True
        )
    ]

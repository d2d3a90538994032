"""Regression models and retraining procedures in one table (Table 4 of the paper)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from roctopus.concepts.frames import make_frame
from roctopus.concepts.given_distributions import Distribution, Output
from roctopus.core.arrays import frame_backend
from roctopus.core.checks import check_mapping
from roctopus.core.correlations import correlations
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import CutoffCases, read_cases
from roctopus.cutoff.curves import CutoffErrorCurve, curve_of


def cutoff_table(
    y_true: Any,
    models: Mapping[str, Any],
    *,
    distribution: Distribution | None = None,
    low: float | None = None,
    high: float | None = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
    backend: str | None = None,
) -> Any:
    """Return a dataframe with one row per model, as in Table 4 of the paper.

    Columns are the expected error (if a ``distribution`` is given), the areas under the UCE curve
    and the OCE curve and, for regression models, the mean absolute and squared error, the variance
    and bias of the error, and three correlations (only without weights). A value that a procedure
    does not have is NaN.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    models : mapping of str to array or CutoffErrorCurve
        Predictions of regression models, or curves made by ``retraining_curve`` with the same true
        values and costs.
    distribution : Distribution, optional
        How likely each cutoff is; adds the expected error.
    low, high : float, optional
        Cutoffs between which both areas are taken. By default the UCE area is over the range of all
        true values and finite predictions.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    backend : {"pandas", "polars", "pyarrow"}, optional
        Library of the dataframe that is returned. By default the one your data came in.

    Returns
    -------
    dataframe
        One row per model.

    Examples
    --------
    >>> from roctopus import retraining_curve
    >>> y_true = [3, 5, 6, 8, 11, 12]
    >>> labels = {4: [1, 1, 1, 1, 1, 1], 10: [0, 0, 0, 0, 1, 1]}
    >>> models = {"line": [9, 4, 7, 10, 16, 13]}
    >>> models["trees"] = retraining_curve(y_true, labels, interpolate="nearest")
    >>> frame = cutoff_table(y_true, models, low=4, high=10, backend="pandas")
    >>> frame[["model", "approach", "uniform_area", "bias"]]
       model    approach  uniform_area      bias
    0   line   reframing           1.5  2.333333
    1  trees  retraining           0.5       NaN
    """
    named = check_mapping(models, "models", "predictions or curves")
    weights = (sample_weight, false_positive_cost, false_negative_cost)
    cases = {
        name: read_cases(y_true, each, *weights)
        for name, each in named.items()
        if not isinstance(each, CutoffErrorCurve)
    }
    truths = read_cases(y_true, y_true, *weights)
    ends = [end for each in (truths, *cases.values()) for end in each.range if math.isfinite(end)]
    start, stop = Output(low, high).ends
    start, stop = min(ends) if low is None else start, max(ends) if high is None else stop
    known = curve_of(truths)
    rows = []
    for name, each in named.items():
        curve = each if isinstance(each, CutoffErrorCurve) else curve_of(cases[name])
        _check_curve(curve, known, name)
        everywhere = curve.known is None
        row: dict[str, Any] = {
            "model": name,
            "approach": "reframing" if everywhere and curve.exact else "retraining",
        }
        if distribution is not None:
            row["expected_error"] = _expected(curve, distribution)
        row["uniform_area"] = math.nan
        if everywhere:
            row["uniform_area"] = curve.area(start, stop) if start < stop else 0.0
        row["output_area"] = _expected(curve, Output(low, high))
        rows.append(row | (_error_measures(cases[name]) if name in cases else {}))
    columns = list(dict.fromkeys(column for row in rows for column in row))
    table = {column: [row.get(column, math.nan) for row in rows] for column in columns}
    return make_frame(table, frame_backend(y_true), backend)


def _check_curve(curve: CutoffErrorCurve, known: CutoffErrorCurve, name: str) -> None:
    """Raise an error for a curve with other costs or true values than the table's."""
    if curve.outcome != known.outcome:
        raise InputError(
            f"The curve of {name!r} shows the {curve.outcome}, but the table shows the "
            f"{known.outcome}. Use the same costs for the curve and the table."
        )
    if curve.outputs is None or known.outputs is None:
        return
    mine, theirs = ((each.support, each.probability) for each in (curve.outputs, known.outputs))
    if not all(map(np.array_equal, mine, theirs)):
        raise InputError(
            f"The curve of {name!r} and the table have different true values or weights. Use the "
            "same cases for the curve and the table."
        )


def _expected(curve: CutoffErrorCurve, distribution: Distribution) -> float:
    """Return the expected error; NaN if the curve is not known at the cutoffs it needs."""
    try:
        return curve.expect(distribution)
    except InputError:
        if curve.known is None:
            raise
        return math.nan


def _error_measures(cases: CutoffCases) -> dict[str, float]:
    sample = cases.sample
    if np.isinf(cases.y_pred).any():
        return {"mean_absolute_error": math.inf, "mean_squared_error": math.inf}
    bias, deviations = sample.mean_and_deviations(cases.y_pred - cases.y_true)
    variance = sample.mean(deviations**2)
    measures = {
        "mean_absolute_error": sample.mean(np.abs(cases.y_pred - cases.y_true)),
        "mean_squared_error": variance + bias * bias,
        "error_variance": variance,
        "bias": bias,
    }
    if sample.weight is None:
        measures |= correlations(cases.y_true, cases.y_pred)._asdict()
    return measures

"""The curve of a procedure that trains a classifier for each cutoff, from its labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_scalar, check_unit, read_finite, say_wrong
from roctopus.core.errors import InputError, arg
from roctopus.core.piecewise import Piecewise
from roctopus.core.sample import Sample, check_row_order, read_sample
from roctopus.cutoff.cases import ErrorCosts
from roctopus.cutoff.curves import CutoffErrorCurve, outcome_name


def retraining_curve(
    y_true: Any,
    labels: Any,
    *,
    cutoffs: Any = None,
    interpolate: Literal["nearest"] | None = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> CutoffErrorCurve:
    """Return Q(c) of a procedure that trains a classifier for each cutoff ("retraining").

    The curve is known at the cutoffs that were tried; other cutoffs raise an error, unless you
    interpolate. An ``envelope`` of such a curve with those of regression models compares all of
    them at these cutoffs.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    labels : mapping of float to array of shape (n,), or array of shape (n, k)
        Predicted labels by cutoff, 1 or True for "at least the cutoff". A matrix has one column per
        cutoff.
    cutoffs : array of shape (k,), optional
        Cutoffs of the matrix's columns, in any order.
    interpolate : {"nearest"}, optional
        Use the value of the nearest cutoff between those that were tried (the smaller of two
        equally near).
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    CutoffErrorCurve
        The mean cost per case at the cutoffs that were tried.

    Examples
    --------
    >>> labels = {4.0: [0, 1, 1, 1], 8.5: [0, 0, 1, 1]}
    >>> curve = retraining_curve([3, 5, 8, 9], labels)
    >>> curve.at(8.5)
    0.25
    """
    named = _read_columns(labels, cutoffs, "labels")
    costs = ErrorCosts(false_positive_cost, false_negative_cost)
    points = np.array(sorted(named))
    rates = []
    for cutoff in points.tolist():
        name = f"labels at cutoff {cutoff:g}"
        sample = read_sample(
            y_true, named[cutoff], sample_weight, names=("y_true", name)
        ).to_numpy()
        _check_labels(sample, name)
        rates.append(_rates(sample, cutoff))
    shares = np.array(rates).T
    whole = (-np.inf, np.inf)
    false_positives, false_negatives = (
        Piecewise.nearest(points, part, "left", whole) for part in shares
    )
    error = costs.false_positive * shares[0] + costs.false_negative * shares[1]
    curve = CutoffErrorCurve(
        function=Piecewise.nearest(points, error, "left", whole),
        context="cutoff",
        outcome=outcome_name(costs),
        false_positives=false_positives,
        false_negatives=false_negatives,
        outputs=Empirical(sample.y_true, sample.weight),
        backend=sample.backend,
        known=points,
    )
    if interpolate is None:
        return curve
    if interpolate != "nearest":
        raise InputError(f"'interpolate' must be 'nearest' or None, but is {interpolate!r}.")
    return curve.nearest()


def soft_retraining_curve(
    y_true: Any,
    probabilities: Any,
    *,
    cutoffs: Any = None,
    threshold: float | None = None,
    interpolate: Literal["nearest"] | None = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> CutoffErrorCurve:
    """Return Q(c) of a procedure that gives, for each cutoff, probabilities of being above it.

    It is ``retraining_curve`` for classifiers that return probabilities: a case is called positive
    if its probability is at least ``threshold``.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    probabilities : mapping of float to array of shape (n,), or array of shape (n, k)
        Probabilities of "at least the cutoff", by cutoff. A matrix has one column per cutoff.
    cutoffs : array of shape (k,), optional
        Cutoffs of the matrix's columns, in any order.
    threshold : float, optional
        Smallest probability that is called positive. By default C_FP/(C_FP + C_FN), the best one if
        the probabilities are right.
    interpolate : {"nearest"}, optional
        Use the value of the nearest cutoff between those that were tried (the smaller of two
        equally near).
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    CutoffErrorCurve
        The mean cost per case at the cutoffs that were tried.

    Examples
    --------
    >>> probabilities = {4.0: [0.3, 0.6, 0.9, 0.9], 8.5: [0.0, 0.2, 0.4, 0.7]}
    >>> soft_retraining_curve([3, 5, 8, 9], probabilities).at(8.5)
    0.0
    """
    named = _read_columns(probabilities, cutoffs, "probabilities")
    costs = ErrorCosts(false_positive_cost, false_negative_cost)
    if threshold is None:
        threshold = costs.false_positive / (costs.false_positive + costs.false_negative)
    least = check_unit(threshold, "threshold")
    labels = {}
    for cutoff, column in named.items():
        name = f"probabilities at cutoff {cutoff:g}"
        check_row_order(**{"y_true": y_true, name: column})
        values = read_finite(column, name)
        strange = (values < 0.0) | (values > 1.0)
        if strange.any():
            raise InputError(
                f"{arg(name)} must be between 0 and 1, but {say_wrong(values, strange)}."
            )
        labels[cutoff] = (values >= least).astype(np.float64)
    return retraining_curve(
        y_true,
        labels,
        interpolate=interpolate,
        false_positive_cost=false_positive_cost,
        false_negative_cost=false_negative_cost,
        sample_weight=sample_weight,
    )


def _read_columns(table: Any, cutoffs: Any, name: str) -> dict[float, Any]:
    """Return one column per cutoff; raise an error for a cutoff that occurs twice."""
    import narwhals as nw

    if isinstance(table, Mapping):
        if cutoffs is not None:
            raise InputError(
                f"'cutoffs' is not needed, because the keys of {arg(name)} are the cutoffs. Leave "
                "out 'cutoffs'."
            )
        keys, columns = list(table), list(table.values())
    else:
        try:
            matrix, frame = np.asarray(table), nw.from_native(table, pass_through=True)
        except ValueError:
            raise InputError(
                f"{arg(name)} cannot be read as a matrix, because its rows have different lengths."
            ) from None
        if matrix.ndim != 2:
            raise InputError(
                f"{arg(name)} must be a mapping of cutoffs to {name}, or a matrix with one column "
                f"per cutoff, but is of type {type(table).__name__} and shape {matrix.shape}."
            )
        if cutoffs is None:
            raise InputError(
                f"{arg(name)} is a matrix, so the cutoff of each column is needed. Pass these "
                "cutoffs as 'cutoffs'."
            )
        keys, columns = to_numpy(read_array(cutoffs, "cutoffs")).tolist(), list(matrix.T)
        if isinstance(frame, nw.DataFrame):  # whose columns may know their rows
            columns = [column.to_native() for column in frame.iter_columns()]
        if len(keys) != len(columns):
            raise InputError(
                f"{arg(name)} has {len(columns)} {'column' if len(columns) == 1 else 'columns'}, "
                f"but 'cutoffs' has {len(keys)} {'value' if len(keys) == 1 else 'values'}. Use "
                "one cutoff per column."
            )
    if not keys:
        raise InputError(f"{arg(name)} is empty. Add at least one cutoff.")
    named = {check_scalar(key, "cutoff"): column for key, column in zip(keys, columns, strict=True)}
    if len(named) < len(keys):
        twice = next(key for key in named if [float(k) for k in keys].count(key) > 1)
        raise InputError(
            f"Several columns of {arg(name)} have the same cutoff ({twice:g}). Use a different "
            "cutoff for each column."
        )
    return named


def _check_labels(sample: Sample, name: str) -> None:
    values = sample.per_row(sample.y_pred)
    strange = ~np.isin(values, (0.0, 1.0))
    if strange.any():
        told = say_wrong(values, strange, "has other values")
        raise InputError(
            f"{arg(name)} must be 0 or 1 (1 for values of at least the cutoff), but {told}. For "
            "probabilities, use soft_retraining_curve."
        )


def _rates(sample: Sample, cutoff: float) -> tuple[float, float]:
    truth, decision = sample.y_true >= cutoff, sample.y_pred > 0.0
    shares = (decision & ~truth, ~decision & truth)
    false_positives, false_negatives = (sample.mean(s.astype(np.float64)) for s in shares)
    return false_positives, false_negatives

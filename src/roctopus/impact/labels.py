"""Utilities of two classes: net benefit and cost matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.core.arrays import Floats, is_single, read_array, to_numpy
from roctopus.core.checks import (
    check_same_length,
    check_scalar,
    check_share,
    check_weights,
    name_rows,
    read_finite,
    say_wrong,
)
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.labels import number_labels
from roctopus.impact.utilities import LinearUtility, SecondAxis, UtilityScale


def _probability(odds: Floats) -> Floats:
    return np.asarray(odds, dtype=np.float64) / (1.0 + np.asarray(odds, dtype=np.float64))


def _odds(probability: Floats) -> Floats:
    share = np.asarray(probability, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return share / (1.0 - share)


NET_BENEFIT = UtilityScale(
    "θ = odds of the threshold probability",
    "net benefit",
    0.0,
    second=SecondAxis("threshold probability", _probability, _odds, "threshold_probability"),
    gained="1 if it is positive but loses θ if it is not",
)


def net_benefit_utility(
    y_true: Any,
    *,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> LinearUtility:
    """Return the utility of decision curves: 1 for a positive, −θ for a negative.

    θ = t/(1 − t) are the odds of the threshold probability t: a false positive costs θ times what a
    true positive gains. For the net benefit of one model at one threshold probability use
    ``roctopus.net_benefit``.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels 0 and 1, or booleans; with ``pos_label`` any two classes. Probabilities are allowed,
        too: the result is then the utility that a model expects, which ``plug_in_curve`` needs.
    prevalence : float, optional
        Share of positives in use, if the sample's own share means nothing, as in a case-control
        study. ``sample_weight`` matters only with it.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    LinearUtility
        The value of accepting each case, as a line over θ.

    Notes
    -----
    The mean impact (``normalize=True``) is at least the net benefit of accepting where the
    probability is t or more, and equal to it for probabilities calibrated on the same cases.

    Examples
    --------
    >>> net_benefit_utility([1, 0, 1]).at(0.25).tolist()
    [1.0, -0.25, 1.0]
    """
    label = read_shares(y_true, pos_label=pos_label)
    factor = _class_factors(label, prevalence, sample_weight)
    scale = NET_BENEFIT if prevalence is None else replace(NET_BENEFIT, gained="")
    return LinearUtility((label - 1.0) * factor, label * factor, scale, y_true)


@dataclass(frozen=True, eq=False)
class CostMatrix:
    """What the four outcomes of a decision cost; gains are negative.

    Each is one number for all cases, or an array with one number per case.

    Parameters
    ----------
    true_positive : float or array of shape (n,), default 0
        Cost of accepting a positive.
    false_positive : float or array of shape (n,), default 0
        Cost of accepting a negative.
    false_negative : float or array of shape (n,), default 0
        Cost of rejecting a positive.
    true_negative : float or array of shape (n,), default 0
        Cost of rejecting a negative.

    Examples
    --------
    >>> import numpy as np
    >>> offer = CostMatrix(true_positive=-190, false_positive=11)
    >>> offer.accept_less_reject(np.array([1.0, 0.0])).tolist()
    [-190.0, 11.0]
    """

    true_positive: Any = 0.0
    false_positive: Any = 0.0
    false_negative: Any = 0.0
    true_negative: Any = 0.0

    def accept_less_reject(self, label: Floats) -> Floats:
        """Return the cost of accepting each case minus that of rejecting it.

        Parameters
        ----------
        label : array of shape (n,)
            Labels 0 and 1, or probabilities.

        Returns
        -------
        array of shape (n,)
            The difference of each case.
        """
        parts = {
            name: _cost(getattr(self, name), name, len(label))
            for name in ("true_positive", "false_positive", "false_negative", "true_negative")
        }
        positive = parts["true_positive"] - parts["false_negative"]
        negative = parts["false_positive"] - parts["true_negative"]
        return np.asarray(label * positive + (1.0 - label) * negative)


def matrix_utility(
    y_true: Any,
    *,
    fixed: CostMatrix | None = None,
    per_theta: CostMatrix | None = None,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> LinearUtility:
    """Return the utility of a cost matrix: fixed + θ × per_theta, as accepting minus rejecting.

    Parameters
    ----------
    y_true : array of shape (n,)
        Labels 0 and 1, or booleans; with ``pos_label`` any two classes. Probabilities are allowed,
        too: the result is then the utility that a model expects, which ``plug_in_curve`` needs.
    fixed : CostMatrix, optional
        Cost of each outcome that does not depend on θ.
    per_theta : CostMatrix, optional
        Cost of each outcome per unit of θ.
    prevalence : float, optional
        Share of positives in use, if the sample's own share means nothing, as in a case-control
        study. ``sample_weight`` matters only with it.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    LinearUtility
        The value of accepting each case, as a line over θ.

    Examples
    --------
    A customer worth 200 is about to leave or not. An offer costs 10, is taken by those who stay
    anyway, and keeps a share θ of those who would leave. Contacting costs 1:

    >>> utility = matrix_utility(
    ...     [1, 0, 0],
    ...     fixed=CostMatrix(true_positive=1, false_positive=11),
    ...     per_theta=CostMatrix(true_positive=-190),
    ... )
    >>> utility.at(0.3).tolist()
    [56.0, -11.0, -11.0]
    """
    for name, matrix in (("fixed", fixed), ("per_theta", per_theta)):
        if matrix is not None and not isinstance(matrix, CostMatrix):
            raise InputError(
                f"{arg(name)} must be a CostMatrix, but is of type {type(matrix).__name__}."
            )
    label = read_shares(y_true, pos_label=pos_label)
    factor = _class_factors(label, prevalence, sample_weight)
    slope, intercept = (
        np.zeros(len(label)) if matrix is None else -matrix.accept_less_reject(label) * factor
        for matrix in (per_theta, fixed)
    )
    for what, other, sign in (("Accepting", "rejecting", 1.0), ("Rejecting", "accepting", -1.0)):
        if np.all(sign * slope >= 0.0) and np.all(sign * intercept >= 0.0):
            warn(
                f"{what} is at least as good as {other} for every case and every θ ≥ 0, so there "
                "is nothing to decide with these costs. Write gains as negative costs."
            )
            break
    return LinearUtility(slope, intercept, UtilityScale("θ", "impact", 0.0), y_true)


def read_shares(y_true: Any, name: str = "y_true", pos_label: Any = None) -> Floats:
    """Return labels as 0 and 1, or probabilities as they are."""
    labels = number_labels(y_true, name)
    if labels.text or pos_label is not None:
        return labels.read(name, pos_label).values
    values = read_finite(labels.column, name)
    outside = (values < 0.0) | (values > 1.0)
    if outside.any():
        if name != "y_true":
            raise InputError(
                f"{arg(name)} must be between 0 and 1, but {say_wrong(values, outside)}."
            )
        raise InputError(
            f"{arg(name)} must contain the labels 0 and 1, or probabilities, but contains "
            f"{values[outside][0]:g}. See {name_rows(outside)}. If 'y_true' contains other labels, "
            f"name the positive one with {arg('pos_label')}."
        )
    return values


def _class_factors(label: Floats, prevalence: float | None, sample_weight: Any) -> Any:
    """Return a factor for each case, so that positives have the given share."""
    if prevalence is None:
        return 1.0
    wanted = check_share(prevalence, "prevalence")
    weight = np.ones(len(label))
    if sample_weight is not None:
        weight = to_numpy(read_array(sample_weight, "sample_weight"))
        check_same_length(y_true=label, sample_weight=weight)
        check_weights(weight)
    others = label[(label != 0.0) & (label != 1.0)]
    if len(others):
        raise InputError(
            f"With {arg('prevalence')}, all values in {arg('y_true')} must be 0 or 1, but one of "
            f"them is {others[0]:g}. Leave out {arg('prevalence')}, or use labels instead of "
            "probabilities."
        )
    share = float(np.sum(weight * label) / np.sum(weight))
    if share in (0.0, 1.0):
        raise InputError(
            f"{arg('prevalence')} can only be used if {arg('y_true')} contains both classes, but "
            f"all labels in {arg('y_true')} are {share:g}."
        )
    return np.where(label == 1.0, wanted / share, (1.0 - wanted) / (1.0 - share))


def _cost(value: Any, name: str, size: int) -> Any:
    if is_single(value):
        return check_scalar(value, name)
    column = read_finite(value, name)
    if len(column) != size:
        raise InputError(
            f"{arg('y_true')} has {size} {'case' if size == 1 else 'cases'}, but {arg(name)} has "
            f"{len(column)} {'value' if len(column) == 1 else 'values'}. Use a single number, or "
            "one value per case."
        )
    return column

"""Models that ignore the features of a case, and the skill of a model beyond them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.concepts.given_distributions import Distribution, Output
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import read_some
from roctopus.core.errors import InputError
from roctopus.cutoff.cases import CutoffCases, read_cases
from roctopus.cutoff.expected import expected_of, influence_of_expected


def trivial_predictions(y_true: Any, *, y_train: Any) -> dict[str, Floats]:
    """Return the predictions of the eight trivial models of Table 2, by name.

    Constant classifiers that use the cutoff are constant predictions, too, so all eight have exact
    curves: always positive is +inf, always negative is −inf, and the majority class at each cutoff
    is the training median. "worst" is wrong on purpose, by the true value: it shows how bad a
    regression model can be.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    y_train : array of shape (k,)
        True values of the training cases.

    Returns
    -------
    dict of str to array of shape (n,)
        Predictions by model.

    Notes
    -----
    Between the two middle values of an even number of training cases, both classes are equally
    frequent. The majority then changes at their midpoint, the median.

    Examples
    --------
    >>> trivial = trivial_predictions([1.0, 5.0], y_train=[1.0, 2.0, 6.0])
    >>> {name: values.tolist() for name, values in trivial.items()}
    {'maximum': [inf, inf], 'minimum': [-inf, -inf], 'mean': [3.0, 3.0], 'median': [2.0, 2.0],
    'worst': [inf, -inf], 'always positive': [inf, inf], 'always negative': [-inf, -inf],
    'majority class': [2.0, 2.0]}
    """
    truths, train = read_some(y_true, "y_true"), read_some(y_train, "y_train")
    median = float(np.median(train))
    constants: dict[str, Any] = {
        "maximum": np.inf,
        "minimum": -np.inf,
        "mean": float(np.mean(train)),
        "median": median,
        "worst": np.where(truths < median, np.inf, -np.inf),
        "always positive": np.inf,
        "always negative": -np.inf,
        "majority class": median,
    }
    return {name: np.full(truths.shape, value) for name, value in constants.items()}


def _with_constant(cases: CutoffCases, y_train: Any) -> CutoffCases:
    """Return the same cases, predicted by the best constant for their costs."""
    costs = cases.costs
    level = costs.false_negative / (costs.false_positive + costs.false_negative)
    constant = np.full(cases.sample.size, np.quantile(read_some(y_train, "y_train"), level))
    return replace(cases, sample=replace(cases.sample, y_pred=constant))


def _influence(cases: CutoffCases, y_train: Any, distribution: Distribution | None) -> Influence:
    distribution = Output() if distribution is None else distribution
    baseline = _with_constant(cases, y_train)
    error, reference = expected_of(cases, distribution), expected_of(baseline, distribution)
    own, its = (influence_of_expected(each, distribution) for each in (cases, baseline))
    return own._replace(values=-(own.values - error / reference * its.values) / reference)


@metric(arm="cutoff", read=read_cases, influence=_influence, sense="gain")
def cutoff_skill(
    y_true: Any,
    y_pred: Any,
    *,
    y_train: Any,
    distribution: Distribution | None = None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return 1 − L/L₀, the share of a constant model's expected error that a model saves.

    1 is perfect, 0 is no better than the constant, negative is worse.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    y_train : array of shape (k,)
        True values of the training cases, from which the constant is taken: the median, which is
        the majority class at every cutoff; with unequal costs the quantile at level C_FN/(C_FP +
        C_FN).
    distribution : Distribution, optional
        How likely each cutoff is; by default ``Output()``.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The skill, at most 1.

    Examples
    --------
    >>> y_true, y_pred = [3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]
    >>> round(cutoff_skill(y_true, y_pred, y_train=[4, 7, 9]), 6)
    0.444444
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    distribution = Output() if distribution is None else distribution
    error = expected_of(cases, distribution)
    reference = expected_of(_with_constant(cases, y_train), distribution)
    if reference == 0.0:
        raise InputError(
            "The skill is not defined here: it is the improvement over a constant prediction, "
            "which already makes no error on 'y_true' under this distribution of cutoffs."
        )
    return 1.0 - error / reference

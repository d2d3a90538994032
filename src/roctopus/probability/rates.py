"""The two rates of a threshold: the points of ROC and pROC curves, with their uncertainty."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_scalar
from roctopus.probability.cases import TwoClasses, read_scores
from roctopus.probability.smoothed import check_width


def _accepted(scores: Floats, threshold: Any, width: Any) -> Floats:
    """Return the part of each score's segment that lies at or above the threshold."""
    cut, d = check_scalar(threshold, "threshold"), check_width(width)
    if d == 0.0:
        return (scores >= cut).astype(np.float64)
    return np.clip((scores - cut) / d + 0.5, 0.0, 1.0)


def _influence(cases: TwoClasses, threshold: float, width: float, positive: bool) -> Influence:
    mine = cases.positive if positive else ~cases.positive
    share = cases.prevalence if positive else 1.0 - cases.prevalence
    part = _accepted(cases.score, threshold, width)
    rate = cases.mean(part, positive)
    found = cases.influence(np.where(mine, (part - rate) / share, 0.0))
    return found._replace(of_class=int(positive))


@metric(
    arm="probability",
    read=read_scores,
    influence=partial(_influence, positive=True),
    sense="gain",
    scale="logit",
    ranks=True,
)
def true_positive_rate(
    y_true: Any,
    y_score: Any,
    *,
    threshold: float,
    width: float = 0.0,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the share of positives at or above a threshold: sensitivity or recall.

    With a ``width`` it is the height of a point of a pROC curve: every score is a segment.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    threshold : float
        The threshold.
    width : float, default 0.0
        Width of the uniform segment that each score stands for, of which the part at or above the
        threshold counts; 0 for plain scores.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share, between 0 and 1.

    See Also
    --------
    false_positive_rate : The other rate.
    sensitivity_at_specificity : The rate at a given specificity, instead of a threshold.

    Notes
    -----
    The standard error is the one for a share of positives; their number is treated as
    fixed. Intervals are made on the logit scale.

    Examples
    --------
    >>> from roctopus.probability import true_positive_rate
    >>> y_true, y_score = [1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2]
    >>> true_positive_rate(y_true, y_score, threshold=0.6)
    0.5
    >>> round(true_positive_rate(y_true, y_score, threshold=0.6, width=0.4), 4)
    0.625
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return cases.mean(_accepted(cases.score, threshold, width), True)


@metric(
    arm="probability",
    read=read_scores,
    influence=partial(_influence, positive=False),
    scale="logit",
    ranks=True,
)
def false_positive_rate(
    y_true: Any,
    y_score: Any,
    *,
    threshold: float,
    width: float = 0.0,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the share of negatives at or above a threshold: 1 − specificity.

    With a ``width`` it is the abscissa of a point of a pROC curve: every score is a segment.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    threshold : float
        The threshold.
    width : float, default 0.0
        Width of the uniform segment that each score stands for, of which the part at or above the
        threshold counts; 0 for plain scores.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share, between 0 and 1.

    See Also
    --------
    true_positive_rate : The other rate.
    specificity_at_sensitivity : One minus the rate at a given sensitivity.

    Notes
    -----
    The standard error is the one for a share of negatives; their number is treated as
    fixed. Intervals are made on the logit scale.

    Examples
    --------
    >>> from roctopus.probability import false_positive_rate
    >>> y_true, y_score = [1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2]
    >>> false_positive_rate(y_true, y_score, threshold=0.6)
    0.5
    >>> false_positive_rate(y_true, y_score, threshold=0.6, width=0.4)
    0.25
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return cases.mean(_accepted(cases.score, threshold, width), False)

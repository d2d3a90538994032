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
    """Return the share of positives at or above a threshold.

    With a ``width`` every score is a uniform segment of that width, and its part above the
    threshold counts: the height of a pROC curve.

    Examples
    --------
    >>> from roctopus.probability import true_positive_rate
    >>> true_positive_rate([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], threshold=0.6)
    0.5
    >>> round(true_positive_rate([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], threshold=0.6, width=0.4), 4)
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
    """Return the share of negatives at or above a threshold; ``width`` as in the other rate.

    Examples
    --------
    >>> from roctopus.probability import false_positive_rate
    >>> false_positive_rate([1, 0, 1, 0], [0.9, 0.6, 0.5, 0.2], threshold=0.6)
    0.5
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return cases.mean(_accepted(cases.score, threshold, width), False)

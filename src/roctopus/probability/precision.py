"""Precision and recall: their curve, and average precision with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence, metric
from roctopus.concepts.tradeoff_curve import TradeoffCurve
from roctopus.core.arrays import Array, Floats
from roctopus.probability.cases import TwoClasses, read_scores


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecallCurve(TradeoffCurve):
    """Recall and precision of the cases at or above a threshold, by increasing threshold.

    ``precision_recall_curve`` makes it. The first vertex accepts all cases, so its precision is the
    prevalence. The last one (threshold +inf) accepts none: its recall is 0 and its precision is set
    to 1. Between two vertices there is no threshold, so the curve is a step function: it is drawn
    with the precision of the vertex that has the larger recall.

    Parameters
    ----------
    x, y : array of shape (vertices,)
        Recall and precision at each vertex.
    knob : array of shape (vertices,)
        Threshold of each vertex, increasing.
    backend : str or None, default None
        Dataframe library that the data came in.

    Examples
    --------
    >>> from roctopus.probability import precision_recall_curve
    >>> curve = precision_recall_curve([1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.2, 0.1])
    >>> curve.recall.tolist()
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.0]
    >>> curve.prevalence, round(curve.area, 6)
    (0.4, 0.833333)
    """

    names: ClassVar[tuple[str, str, str]] = ("recall", "precision", "threshold")

    @property
    def recall(self) -> Array:
        """The share of positives that are accepted."""
        return self.x

    @property
    def precision(self) -> Array:
        """The share of accepted cases that are positive."""
        return self.y

    @property
    def threshold(self) -> Array:
        """The threshold of each vertex."""
        return self.knob

    @property
    def prevalence(self) -> float:
        """The precision of accepting every case, which a random ranking has at all thresholds."""
        return float(self.y[0])

    @property
    def area(self) -> float:
        """The area under the steps: the average precision."""
        return float(np.sum(self.y[:-1] * (self.x[:-1] - self.x[1:])))


@dataclass(frozen=True)
class _AcceptedAtScores:
    """What each distinct score accepts as a threshold, and the position of each case's score."""

    threshold: Floats
    position: NDArray[np.intp]
    positives: Floats
    """The weight of the positives with exactly this score."""
    mass: Floats
    """The weight of all accepted cases."""
    precision: Floats

    @staticmethod
    def of(cases: TwoClasses) -> _AcceptedAtScores:
        """Sum weights from the highest score down."""
        threshold, position = np.unique(cases.score, return_inverse=True)
        size, weight = len(threshold), cases.sample.weight
        weight = np.ones(cases.sample.size) if weight is None else weight
        positives, negatives = (
            np.bincount(position, np.where(mine, weight, 0.0), size).astype(np.float64)
            for mine in (cases.positive, ~cases.positive)
        )
        true, false = (np.cumsum(each[::-1])[::-1] for each in (positives, negatives))
        return _AcceptedAtScores(
            threshold, position, positives, true + false, true / (true + false)
        )


def _average(found: _AcceptedAtScores) -> float:
    return float(np.sum(found.positives * found.precision) / np.sum(found.positives))


def _influence(cases: TwoClasses) -> Influence:
    """Return the derivative of the average precision in the weight of each case.

    A case changes the precision at its own score and at all lower ones, by its class less the
    precision, over the weight accepted there. With few positives they alone carry the value.
    """
    found = _AcceptedAtScores.of(cases)
    per_mass = found.positives / found.mass
    of_class, of_precision = (
        np.cumsum(each)[found.position] for each in (per_mass, per_mass * found.precision)
    )
    own = found.precision[found.position] - _average(found) + of_class
    values = np.where(cases.positive, own, 0.0) - of_precision
    influence = Influence.of(cases.sample, values / cases.prevalence)
    return influence._replace(carriers=cases.count(True))


@metric(
    arm="probability",
    read=read_scores,
    influence=_influence,
    sense="gain",
    scale="logit",
    ranks=True,
)
def average_precision(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the average precision: the area under the steps of the precision-recall curve.

    It is the mean over the positives of the precision at their own score, Σ (Rₖ − Rₖ₋₁)·Pₖ with
    recall R and precision P, as in scikit-learn's ``average_precision_score``. Cases with equal
    scores are accepted together. A random ranking has the prevalence on average, so it depends on
    the prevalence of the sample. With few positives it is a little above the true value.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The average precision, between 0 and 1.

    See Also
    --------
    precision_recall_curve : The curve itself.
    roc_auc : A ranking measure that does not depend on the prevalence.

    References
    ----------
    K. Boyd, K. H. Eng and C. D. Page (2013). Area under the precision-recall curve: point estimates
    and confidence intervals. ECML PKDD 2013, 451-466.

    Examples
    --------
    >>> from roctopus.probability import average_precision
    >>> round(average_precision([1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.2, 0.1]), 6)
    0.833333
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return _average(_AcceptedAtScores.of(cases))


def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> PrecisionRecallCurve:
    """Return recall and precision at every threshold.

    Every distinct score is a threshold; scikit-learn's function of that name has the same vertices.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    PrecisionRecallCurve
        The vertices by increasing threshold; ``area`` is the average precision.

    Examples
    --------
    >>> from roctopus.probability import precision_recall_curve
    >>> curve = precision_recall_curve([1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.2, 0.1])
    >>> curve
    PrecisionRecallCurve(6 vertices of recall, precision and threshold)
    >>> curve.recall.tolist()
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.0]
    >>> round(curve.area, 6), curve.prevalence
    (0.833333, 0.4)
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    found = _AcceptedAtScores.of(cases)
    true = found.precision * found.mass
    recall = np.append(true / true[0], 0.0)
    precision = np.append(found.precision, 1.0)
    threshold = np.append(found.threshold, np.inf)
    return PrecisionRecallCurve(recall, precision, threshold, cases.sample.backend)

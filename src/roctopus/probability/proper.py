"""Proper scores of probabilities, and what of them recalibration could remove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice
from roctopus.core.errors import InputError
from roctopus.probability.cases import TwoClasses, read_two_classes
from roctopus.probability.reliability import isotonic


def _squares(cases: TwoClasses, score: Floats | None = None) -> Floats:
    score = cases.score if score is None else score
    return np.asarray((score - cases.positive) ** 2)


def _logarithms(cases: TwoClasses, score: Floats | None = None) -> Floats:
    score = cases.score if score is None else score
    given = np.where(cases.positive, score, 1.0 - score)
    impossible = given == 0.0
    if impossible.any():
        rows = cases.sample.name_rows(impossible)
        raise InputError(
            f"In {rows}, 'y_prob' gives a probability of 0 to the outcome that occurred, so the "
            "log loss is infinite. Clip the probabilities, or use the Brier score."
        )
    return -np.log(given)


@metric(arm="probability", read=read_two_classes, per_case=_squares)
def brier_score(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the Brier score: the mean squared difference between outcome and probability.

    Outcomes are 0 or 1. The score is proper: true probabilities have the lowest one in expectation.
    It is also the expected cost of using cost proportions as thresholds if all of them are equally
    likely: the area under the Brier curve.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The score: 0 at best, and 0.25 for a probability of one half in every case.

    See Also
    --------
    score_parts : What recalibration could remove of it.
    calibration_error : The same without what chance adds, with an interval.

    Notes
    -----
    Σ w·(p − y)² / Σ w with weights w, probabilities p and outcomes y.

    References
    ----------
    G. W. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly Weather
    Review 78, 1-3.

    Examples
    --------
    >>> import roctopus as rt
    >>> y_true, y_prob = [1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2]
    >>> round(rt.brier_score(y_true, y_prob), 6)
    0.153125
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    return cases.sample.mean(_squares(cases))


@metric(arm="probability", read=read_two_classes, per_case=_logarithms)
def log_loss(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the mean negative logarithm of the probability given to what happened.

    The score is proper: true probabilities have the lowest one in expectation. A probability of 0
    for what happened makes it infinite, so it raises an error that names the rows.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The log loss, in nats: 0 at best, and log 2 for a probability of one half in every case.

    See Also
    --------
    brier_score : A proper score that is always finite.

    Notes
    -----
    −Σ w·(y·log p + (1 − y)·log(1 − p)) / Σ w with weights w, probabilities p and outcomes y.

    Examples
    --------
    >>> from roctopus.probability import log_loss
    >>> round(log_loss([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2]), 6)
    0.460658
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    return cases.sample.mean(_logarithms(cases))


@dataclass(frozen=True)
class ScoreParts:
    """A mean score in parts: calibration + refinement.

    ``score_parts`` makes it. Refinement is uncertainty − discrimination.

    Parameters
    ----------
    score : float
        The mean score.
    calibration : float
        What recalibration removes of it; 0 for calibrated probabilities.
    refinement : float
        What is left after recalibration.
    uncertainty : float
        The score of giving every case the share of positives.

    Examples
    --------
    >>> from roctopus.probability import score_parts
    >>> parts = score_parts([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    >>> round(parts.score, 6), parts.uncertainty, round(parts.discrimination, 6)
    (0.153125, 0.25, 0.125)
    """

    score: float
    calibration: float
    refinement: float
    uncertainty: float

    @property
    def discrimination(self) -> float:
        """How much better recalibrated probabilities are than the share of positives."""
        return max(self.uncertainty - self.refinement, 0.0)


def score_parts(
    y_true: Any,
    y_prob: Any,
    *,
    score: Literal["brier", "log"] = "brier",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ScoreParts:
    """Split a proper score into calibration and refinement, by isotonic recalibration.

    No part is negative. The recalibration is learned from the cases that it is applied to, so that
    calibration is overestimated and refinement underestimated.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    score : {"brier", "log"}, default "brier"
        The score: ``brier_score`` or ``log_loss``.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ScoreParts
        The score and its parts.

    See Also
    --------
    calibration_error : The calibration part without what chance adds to it, with an interval.
    reliability_curve : The recalibrated probabilities.

    References
    ----------
    T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). Stable reliability diagrams for
    probabilistic classifiers. Proceedings of the National Academy of Sciences 118, e2016191118.

    Examples
    --------
    >>> from roctopus.probability import score_parts
    >>> parts = score_parts([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    >>> round(parts.calibration, 6), round(parts.refinement, 6), parts.uncertainty
    (0.028125, 0.125, 0.25)
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    check_choice(score, "score", "brier", "log")
    losses = _squares if score == "brier" else _logarithms
    _, recalibrated = isotonic(cases)
    base = np.full(cases.sample.size, cases.prevalence)
    value, refined, uncertain = (
        cases.sample.mean(losses(cases, each)) for each in (cases.score, recalibrated, base)
    )
    return ScoreParts(value, max(value - refined, 0.0), refined, uncertain)

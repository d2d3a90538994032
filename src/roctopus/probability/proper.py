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
            f"'y_prob' is 0 for what happened in {rows}, so the log loss is infinite. Clip the "
            "probabilities, or use the Brier score."
        )
    return -np.log(given)


@metric(arm="probability", read=read_two_classes, per_case=_squares)
def brier_score(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the mean squared difference between outcome (0 or 1) and probability.

    It is proper: honest probabilities minimise it in expectation. It is also the area under the
    Brier curve, the expected cost when probabilities are used as thresholds and all cost
    proportions are equally likely.

    Examples
    --------
    >>> round(brier_score([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2]), 6)
    0.153125
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    return cases.sample.mean(_squares(cases))


@metric(arm="probability", read=read_two_classes, per_case=_logarithms)
def log_loss(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the mean negative logarithm of the probability given to what happened; proper.

    A probability of 0 for what happened is refused, with its rows: the loss is infinite.

    Examples
    --------
    >>> round(log_loss([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2]), 6)
    0.460658
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    return cases.sample.mean(_logarithms(cases))


@dataclass(frozen=True)
class ScoreParts:
    """A mean score = calibration + refinement; refinement = uncertainty − discrimination."""

    score: float
    calibration: float
    """What recalibration removes; 0 for calibrated probabilities."""
    refinement: float
    """What is left after recalibration."""
    uncertainty: float
    """The score of the base rate alone."""

    @property
    def discrimination(self) -> float:
        """What the recalibrated probabilities are better than the base rate by."""
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

    All parts are zero or more. Recalibrated on the data that judge it, refinement is optimistic.

    Examples
    --------
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

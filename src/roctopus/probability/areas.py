"""AUC and its probability-aware relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.chains import chain_share
from roctopus.core.placements import placements
from roctopus.probability.cases import TwoClasses, read_two_classes

__all__ = ["probabilistic_auc", "probabilistic_gini", "roc_auc"]


def _influence_of_auc(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> Influence:
    """Return DeLong's components: the share of the other class on the right side of each case."""
    cases = read_two_classes(y_true, y_score, sample_weight, probabilities=False)
    (positive, positive_weight), (negative, negative_weight) = cases.part(True), cases.part(False)
    found = placements(
        positive, negative, positive_weight=positive_weight, negative_weight=negative_weight
    )
    values = np.empty(cases.sample.size)
    share = cases.prevalence
    values[cases.positive] = (found.positive - found.auc) / share
    values[~cases.positive] = (found.negative - found.auc) / (1.0 - share)
    return cases.influence(values)


@metric(arm="probability", influence=_influence_of_auc, sense="gain")
def roc_auc(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the AUC: how often a positive has a higher score than a negative; ties count ½.

    It is scikit-learn's ``roc_auc_score``, with DeLong's uncertainty by ``estimate``. Any scores
    will do.

    Examples
    --------
    >>> roc_auc([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    0.75
    """
    cases = read_two_classes(y_true, y_score, sample_weight, probabilities=False)
    return chain_share((cases.negatives, cases.positives), "average")


def _slope_influence(cases: TwoClasses) -> Floats:
    """Return the influence values of mean⁺ − mean⁻, the discrimination slope."""
    above, below = cases.mean(cases.score, True), cases.mean(cases.score, False)
    share = cases.prevalence
    return np.where(
        cases.positive, (cases.score - above) / share, -(cases.score - below) / (1.0 - share)
    )


def _slope(cases: TwoClasses) -> float:
    return cases.mean(cases.score, True) - cases.mean(cases.score, False)


def _influence_of_probabilistic(scale: float) -> Any:
    def influence(y_true: Any, y_prob: Any, *, sample_weight: Any = None) -> Influence:
        cases = read_two_classes(y_true, y_prob, sample_weight)
        return cases.influence(scale * _slope_influence(cases))

    return influence


@metric(arm="probability", influence=_influence_of_probabilistic(0.5), sense="gain")
def probabilistic_auc(y_true: Any, y_prob: Any, *, sample_weight: Any = None) -> float:
    """Return pAUC = ½ + ½·(mean probability of positives − that of negatives).

    The AUC asks whether a positive is ranked above a negative, pAUC by how much: it is
    (1 + s)/2 with s Yates' discrimination slope, and a difference of two models' pAUC is half their
    integrated discrimination improvement.

    **It is improper**: a model gains by exaggerating. Rounding well-calibrated probabilities to 0
    and 1 may raise pAUC (from .584 to .704 in one simulation) while the Brier score gets worse
    (from .132 to .316). Report it beside a proper score; do not choose models by it.

    Examples
    --------
    >>> round(probabilistic_auc([1, 0, 1, 0, 0], [0.9, 0.6, 0.55, 0.2, 0.1]), 6)
    0.7125
    """
    return 0.5 + 0.5 * _slope(read_two_classes(y_true, y_prob, sample_weight))


@metric(arm="probability", influence=_influence_of_probabilistic(1.0), sense="gain")
def probabilistic_gini(y_true: Any, y_prob: Any, *, sample_weight: Any = None) -> float:
    """Return pGINI = 2·pAUC − 1, the discrimination slope; improper as ``probabilistic_auc`` is.

    Examples
    --------
    >>> round(probabilistic_gini([1, 0, 1, 0, 0], [0.9, 0.6, 0.55, 0.2, 0.1]), 6)
    0.425
    """
    return _slope(read_two_classes(y_true, y_prob, sample_weight))

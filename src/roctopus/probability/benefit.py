"""Net benefit: what accepting at a threshold probability gains, as a number with its error."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_scalar, check_share
from roctopus.core.errors import InputError, arg
from roctopus.probability.cases import TwoClasses, read_two_classes


def _odds(threshold_probability: float) -> float:
    share = check_scalar(threshold_probability, "threshold_probability")
    if not 0.0 <= share < 1.0:
        raise InputError(
            f"{arg('threshold_probability')} must be at least 0 and less than 1, but is {share:g}."
        )
    return share / (1.0 - share)


def _gained(cases: TwoClasses, threshold_probability: float) -> Floats:
    """Return what each case gains: 1 for a true positive, minus the odds for a false one."""
    odds = _odds(threshold_probability)
    accepted = cases.score >= threshold_probability
    return np.where(accepted, np.where(cases.positive, 1.0, -odds), 0.0)


def _in_deployment(cases: TwoClasses, prevalence: float) -> tuple[float, float]:
    """Return what a case of each class counts, negatives first, at another prevalence."""
    share = check_share(prevalence, "prevalence")
    return (1.0 - share) / (1.0 - cases.prevalence), share / cases.prevalence


def _influence(
    cases: TwoClasses, threshold_probability: float, prevalence: float | None
) -> Influence:
    gained = _gained(cases, threshold_probability)
    if prevalence is None:
        return Influence.of_mean(cases.sample, gained)
    below, above = _in_deployment(cases, prevalence)
    centre = np.where(cases.positive, cases.mean(gained, True), cases.mean(gained, False))
    return cases.influence((gained - centre) * np.where(cases.positive, above, below))


@metric(arm="probability", read=read_two_classes, influence=_influence, sense="gain")
def net_benefit(
    y_true: Any,
    y_prob: Any,
    *,
    threshold_probability: float,
    prevalence: float | None = None,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the net benefit of accepting cases at or above a threshold probability.

    A true positive counts 1, and a false positive minus the odds t/(1 − t) of the threshold
    probability t; the mean is over all cases, accepted or not. It is one point of a decision curve,
    which ``roctopus.impact.decision_curve`` returns as a whole. Accepting every case has the net
    benefit π − (1 − π)·t/(1 − t) with the prevalence π, accepting none 0.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    threshold_probability : float
        The probability t from which on a case is accepted; at least 0 and less than 1.
    prevalence : float, optional
        The share of positives in deployment, where that of the sample means nothing, as in a
        case-control study. The two classes are then strata: their sizes are taken as fixed.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The net benefit per case, at most the prevalence.

    References
    ----------
    A. J. Vickers and E. B. Elkin (2006). Decision curve analysis: a novel method for evaluating
    prediction models. Medical Decision Making 26, 565-574.

    Examples
    --------
    >>> import roctopus as rt
    >>> y_true, y_prob = [1, 0, 1, 0, 0], [0.9, 0.6, 0.5, 0.2, 0.1]
    >>> round(rt.net_benefit(y_true, y_prob, threshold_probability=0.2), 6)
    0.3

    Its standard error, and the paired difference from accepting every case:

    >>> found = rt.estimate(rt.net_benefit, y_true, y_prob, threshold_probability=0.2)
    >>> everyone = rt.estimate(rt.net_benefit, y_true, [1.0] * 5, threshold_probability=0.2)
    >>> round((found - everyone).value, 6)
    0.05
    """
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    gained = _gained(cases, threshold_probability)
    if prevalence is None:
        return cases.sample.mean(gained)
    share = check_share(prevalence, "prevalence")
    return share * cases.mean(gained, True) + (1.0 - share) * cases.mean(gained, False)

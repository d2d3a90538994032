"""AUC and its probability-aware relatives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.joint import JointEstimates, compare_rankings
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats, distinct_values, is_foreign
from roctopus.core.chain_steps import share_of_parts, sorted_parts
from roctopus.core.chains import chain_share
from roctopus.core.labels import NumberedLabels, is_label, split_classes
from roctopus.core.sample import read_sample
from roctopus.probability.cases import TwoClasses, read_scores, read_two_classes


def _middle_sums(mass: Floats, last_of_tie: NDArray[np.bool_]) -> Floats:
    """Return running sums along sorted cases, half of a tie counted."""
    running = np.cumsum(mass)
    if last_of_tie.all():
        running -= 0.5 * mass
        return running
    ends = running[last_of_tie]
    size = np.diff(np.flatnonzero(last_of_tie), prepend=-1)
    return np.repeat(0.5 * (ends + np.append(0.0, ends[:-1])), size)


def _auc_and_influence(cases: TwoClasses) -> tuple[float, Influence]:
    """Return the AUC with DeLong's components: the other class's share on a case's right side."""
    order = np.argsort(cases.score)
    score, positive = cases.score[order], cases.positive[order]
    mass = np.ones(len(order)) if cases.sample.weight is None else cases.sample.weight[order]
    above = mass * positive
    mass -= above  # of the negatives
    above_total, below_total = float(above.sum()), float(mass.sum())
    last_of_tie = np.append(score[1:] != score[:-1], True)
    lower, higher = _middle_sums(mass, last_of_tie), _middle_sums(above, last_of_tie)
    lower /= below_total  # the share of the negatives below a case
    higher /= -above_total
    higher += 1.0  # that of the positives above it
    above *= lower
    value = float(above.sum()) / above_total
    total = above_total + below_total
    for share, size in ((lower, above_total), (higher, below_total)):
        share -= value
        share *= total / size
    values = np.empty(len(order))
    values[order] = np.where(positive, lower, higher)
    return value, cases.influence(values)


def compare_aucs(
    y_true: Any, scores: Mapping[str, Any], *, pos_label: Any = None, sample_weight: Any = None
) -> JointEstimates:
    """Compare the AUCs of several models on the same cases (DeLong's test).

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    scores : mapping of str to array of shape (n,)
        Probabilities or other scores of each model.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    JointEstimates
        The AUC of each model, their joint covariance, paired differences and one test that all are
        equal.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves. Biometrics 44, 837-845.

    Examples
    --------
    >>> from roctopus.probability import compare_aucs
    >>> y_true = [1, 0, 1, 0, 1, 0]
    >>> models = {"a": [0.9, 0.6, 0.5, 0.2, 0.8, 0.1], "b": [0.4, 0.6, 0.5, 0.2, 0.8, 0.3]}
    >>> found = compare_aucs(y_true, models)
    >>> round(found.difference("a", "b").value, 4)
    0.1111
    """

    def measured(name: str, score: Any) -> tuple[float, Influence]:
        reading = {"pos_label": pos_label, "name": f"scores[{name!r}]"}
        return _auc_and_influence(read_scores(y_true, score, sample_weight, **reading))

    return compare_rankings(scores, measured)


@metric(
    arm="probability",
    read=read_scores,
    influence=lambda cases: _auc_and_influence(cases)[1],
    sense="gain",
    scale="logit",
    ranks=True,
)
def roc_auc(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return the AUC: how often a positive has a higher score than a negative; ties count ½.

    It is scikit-learn's ``roc_auc_score``, and ``estimate`` gives it DeLong's standard error.
    Arrays on a device stay there.

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
        The area under the ROC curve: 1 for a perfect ranking, ½ for a random one.

    See Also
    --------
    partial_auc : The area over a range of rates.
    probabilistic_auc : How far positives are above negatives.
    compare_aucs : Several models at once.

    Notes
    -----
    The weighted mean over pairs of a positive x and a negative y of 1 if x > y, ½ if x = y, else 0.

    References
    ----------
    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988). Comparing the areas under two or
    more correlated receiver operating characteristic curves. Biometrics 44, 837-845.

    Examples
    --------
    >>> import roctopus as rt
    >>> rt.roc_auc([1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2])
    0.75
    >>> rt.roc_auc(["ill", "well", "ill", "well"], [0.9, 0.6, 0.55, 0.2], pos_label="ill")
    0.75
    >>> rt.estimate(rt.roc_auc, [1, 0, 1, 0, 1, 0], [0.9, 0.6, 0.55, 0.2, 0.4, 0.5])
    Estimate(0.666667, standard_error=0.2722, n=6)
    """
    if is_foreign(y_true):
        sample = read_sample(y_true, y_score, sample_weight, names=("y_true", "y_score"))
        classes = distinct_values(sample.y_true, xp=sample.xp)
        if len(classes) == 2 and not (classes % 1.0).any():
            split_classes(NumberedLabels(classes), pos_label, "y_true")  # refuses what is not there
            order = classes[::-1] if is_label(pos_label, classes[0]) else classes
            return share_of_parts(*sorted_parts(sample, order), "average", xp=sample.xp)
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return chain_share((cases.negatives, cases.positives), "average")


def _influence_of_slope(cases: TwoClasses, scale: float = 1.0) -> Influence:
    """Return the influence values of mean⁺ − mean⁻, the discrimination slope."""
    above, below = cases.mean(cases.score, True), cases.mean(cases.score, False)
    share = cases.prevalence
    slope = np.where(
        cases.positive, (cases.score - above) / share, -(cases.score - below) / (1.0 - share)
    )
    return cases.influence(scale * slope)


def _slope(cases: TwoClasses) -> float:
    return cases.mean(cases.score, True) - cases.mean(cases.score, False)


@metric(
    arm="probability",
    read=read_two_classes,
    influence=partial(_influence_of_slope, scale=0.5),
    sense="gain",
    scale="logit",
)
def probabilistic_auc(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return pAUC = ½ + ½·(mean probability of positives − that of negatives).

    The AUC asks whether a positive is ranked above a negative, pAUC by how much. It is (1 + s)/2
    with Yates' discrimination slope s, and a difference of two models' pAUC is half their
    integrated discrimination improvement.

    **It is improper**: a model gains by exaggerating. Rounding calibrated probabilities to 0 and 1
    may raise pAUC (from .584 to .704 in one simulation) while the Brier score gets worse (from .132
    to .316). Report it next to a proper score; do not choose models by it.

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
        The value, between 0 and 1; ½ if both classes have the same mean probability.

    See Also
    --------
    brier_score : A proper score.
    probabilistic_gini : The discrimination slope itself.
    canonical_width : The width of segments whose area under the ROC curve is pAUC.

    References
    ----------
    C. Ferri, P. Flach, J. Hernández-Orallo and A. Senad. Modifying ROC curves to incorporate
    predicted probabilities. ROC Analysis in Machine Learning, 2005.
    J. F. Yates (1982). External correspondence: decompositions of the mean probability score.
    Organizational Behavior and Human Performance 30, 132-156.

    Examples
    --------
    >>> import roctopus as rt
    >>> round(rt.probabilistic_auc([1, 0, 1, 0, 0], [0.9, 0.6, 0.55, 0.2, 0.1]), 6)
    0.7125
    """
    return 0.5 + 0.5 * _slope(read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label))


@metric(arm="probability", read=read_two_classes, influence=_influence_of_slope, sense="gain")
def probabilistic_gini(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> float:
    """Return pGINI = 2·pAUC − 1, the discrimination slope.

    It is the mean probability of positives less that of negatives: also called Yates' slope, or
    Tjur's coefficient of discrimination. It is improper as ``probabilistic_auc`` is.

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
        The slope, between −1 and 1.

    See Also
    --------
    probabilistic_auc : The same on the scale of an AUC.

    Examples
    --------
    >>> from roctopus.probability import probabilistic_gini
    >>> round(probabilistic_gini([1, 0, 1, 0, 0], [0.9, 0.6, 0.55, 0.2, 0.1]), 6)
    0.425
    """
    return _slope(read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label))

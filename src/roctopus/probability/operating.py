"""Points of the ROC curve: the rate of one class where that of the other is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_share
from roctopus.probability.cases import TwoClasses, read_scores

ROUNDING = 1e-12
"""Rates that differ by so little are the same: 1 − 0.9 is not 0.1 in binary numbers."""


@dataclass(frozen=True, eq=False)
class _CurvePoint:
    """The highest point of the ROC polygon at a false positive rate."""

    cases: TwoClasses
    false: Floats
    """The rates at each whole position: so many of the highest distinct scores are accepted."""
    true: Floats
    place: NDArray[np.intp]
    """How many distinct scores are above that of each case."""
    position: float

    @staticmethod
    def of(cases: TwoClasses, false_positive_rate: float) -> _CurvePoint:
        """Find the point."""
        distinct, rank = np.unique(cases.score, return_inverse=True)
        place = np.asarray(len(distinct) - 1 - rank, dtype=np.intp)
        size, weight = len(distinct), cases.sample.weight
        weight = np.ones(len(place)) if weight is None else weight
        masses = (
            np.bincount(place, np.where(mine, weight, 0.0), size)
            for mine in (~cases.positive, cases.positive)
        )
        false, true = (np.append(0.0, np.cumsum(mass)) / np.sum(mass) for mass in masses)
        last = int(np.searchsorted(false, false_positive_rate + ROUNDING, "right")) - 1
        beyond = max(false_positive_rate - float(false[last]), 0.0)
        step = float(false[last + 1] - false[last]) if last < size else 1.0
        return _CurvePoint(cases, false, true, place, last + beyond / step)

    def _at_position(self, rates: Floats) -> float:
        return float(np.interp(self.position, np.arange(len(rates)), rates))

    @property
    def height(self) -> float:
        """The true positive rate."""
        return self._at_position(self.true)

    def influence(self) -> Influence:
        """Return how each case moves the height.

        A positive moves it as it moves any share. A negative moves the threshold, and with it the
        height, by the slope of the curve.
        """
        mine, share = self.cases.positive, self.cases.prevalence
        accepted = np.clip(self.position - self.place, 0.0, 1.0)
        up = (accepted - self.height) / share
        false = self._at_position(self.false)
        across = (accepted - false) / (1.0 - share)
        found = self.cases.influence(np.where(mine, up, -self._slope() * across))
        # The threshold depends on the negatives beyond it: so many degrees of freedom, and one.
        return found._replace(carriers=2.0 + false * self.cases.count(False))

    def _slope(self) -> float:
        """Return how steep the curve is around the point: a ratio of densities.

        On the scale of normal quantiles an ROC curve is nearly straight, so there a wide window
        does little harm. It is the wider the fewer cases there are. No rate is nearer to 0 or 1
        than half a case of its class.
        """
        from scipy.special import ndtr, ndtri

        size_below, size_above = map(self.cases.count, (False, True))

        def quantile(rate: Any, size: float) -> Any:
            return ndtri(np.clip(rate, 0.5 / size, 1.0 - 0.5 / size))

        window = 0.5 * (0.01 * min(size_below, size_above)) ** -0.2
        x = quantile(self._at_position(self.false), size_below)
        y = quantile(self.height, size_above)
        ends = ndtr(x + np.array([-window, window]))
        across = np.diff(quantile(ends, size_below))
        up = np.diff(quantile(np.interp(ends, self.false, self.true), size_above))
        steepness = float(up[0] / across[0]) if across[0] > 0.0 else 0.0  # 0 for a single case
        return steepness * float(np.exp(0.5 * (x * x - y * y)))


def _swapped(cases: TwoClasses) -> TwoClasses:
    """Return the cases with the classes and the order of the scores turned round."""
    sample = replace(cases.sample, y_pred=-cases.score)
    return replace(cases, sample=sample, positive=~cases.positive)


def _sensitivity_point(cases: TwoClasses, specificity: float) -> _CurvePoint:
    return _CurvePoint.of(cases, 1.0 - check_share(specificity, "specificity"))


def _specificity_point(cases: TwoClasses, sensitivity: float) -> _CurvePoint:
    return _CurvePoint.of(_swapped(cases), 1.0 - check_share(sensitivity, "sensitivity"))


@metric(
    arm="probability",
    read=read_scores,
    influence=lambda cases, specificity: _sensitivity_point(cases, specificity).influence(),
    sense="gain",
    scale="logit",
    ranks=True,
)
def sensitivity_at_specificity(
    y_true: Any,
    y_score: Any,
    *,
    specificity: float,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the largest sensitivity of a threshold with at least this specificity.

    It is the height of the ROC curve at the false positive rate 1 − specificity. Between tied
    scores the curve is a straight line, as in pROC.

    Its standard error allows for the threshold, which depends on the negatives of the sample: their
    part is the slope of the curve, read from the curve around the point. If only a few negatives
    are beyond the threshold, intervals are long; ``docs/coverage.md`` has simulations.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    specificity : float
        The share of negatives below the threshold, between 0 and 1.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share of positives at or above the threshold.

    See Also
    --------
    specificity_at_sensitivity : The other way round.
    true_positive_rate : The sensitivity at a given threshold.
    partial_auc : The mean height over a range, times its width.

    References
    ----------
    M. S. Pepe (2003). The statistical evaluation of medical tests for classification and
    prediction. Oxford University Press, section 5.2.

    Examples
    --------
    >>> import roctopus as rt
    >>> y_true, y_score = [1, 0, 1, 0, 1, 0], [0.9, 0.7, 0.6, 0.5, 0.4, 0.1]
    >>> round(rt.sensitivity_at_specificity(y_true, y_score, specificity=0.6), 6)
    0.666667
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return _sensitivity_point(cases, specificity).height


@metric(
    arm="probability",
    read=read_scores,
    influence=lambda cases, sensitivity: _specificity_point(cases, sensitivity).influence(),
    sense="gain",
    scale="logit",
    ranks=True,
)
def specificity_at_sensitivity(
    y_true: Any,
    y_score: Any,
    *,
    sensitivity: float,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the largest specificity of a threshold with at least this sensitivity.

    Ties and the standard error are treated as in ``sensitivity_at_specificity``, with the classes
    exchanged.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    sensitivity : float
        The share of positives at or above the threshold, between 0 and 1.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The share of negatives below the threshold.

    See Also
    --------
    sensitivity_at_specificity : The other way round.

    Examples
    --------
    >>> import roctopus as rt
    >>> y_true, y_score = [1, 0, 1, 0, 1, 0], [0.9, 0.7, 0.6, 0.5, 0.4, 0.1]
    >>> round(rt.specificity_at_sensitivity(y_true, y_score, sensitivity=0.6), 6)
    0.666667
    """
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    return _specificity_point(cases, sensitivity).height

"""The partial area under the ROC curve: over some false positive or some true positive rates."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_pair
from roctopus.core.errors import InputError, arg
from roctopus.probability.cases import TwoClasses, read_scores


class _RateRange(NamedTuple):
    """Rates of one class between which the area lies."""

    low: float
    high: float
    of_positives: bool

    @staticmethod
    def of(false_positive_rate: Any, true_positive_rate: Any) -> _RateRange:
        """Check which rates were given."""
        names = ("false_positive_rate", "true_positive_rate")
        if false_positive_rate is true_positive_rate is None:
            raise InputError(
                "The range of the partial area is missing. Set a range for either "
                f"{arg(names[0])} or {arg(names[1])}, as in false_positive_rate=(0, 0.2)."
            )
        if false_positive_rate is not None and true_positive_rate is not None:
            raise InputError(
                f"{arg(names[0])} and {arg(names[1])} cannot be combined. Leave out one of them."
            )
        of_positives = false_positive_rate is None
        name = names[of_positives]
        low, high = check_pair(true_positive_rate if of_positives else false_positive_rate, name)
        if not (0.0 <= low <= 1.0 and 0.0 <= high <= 1.0):
            raise InputError(
                f"Both rates in {arg(name)} must be between 0 and 1, but {arg(name)} is "
                f"({low:g}, {high:g})."
            )
        if not low < high:
            raise InputError(
                f"{arg(name)} must go from a lower to a higher rate, but is ({low:g}, {high:g})."
            )
        return _RateRange(low, high, of_positives)

    @property
    def width(self) -> float:
        """The area of a perfect ranking."""
        return self.high - self.low

    @property
    def by_chance(self) -> float:
        """The area of a random ranking."""
        middle = 0.5 * (self.low + self.high)
        return self.width * (1.0 - middle if self.of_positives else middle)

    def standardized(self, area: float) -> float:
        """Return McClish's ½·(1 + (area − chance)/(perfect − chance))."""
        return 0.5 * (1.0 + (area - self.by_chance) / (self.width - self.by_chance))


class _StripArea(NamedTuple):
    """The part of the ROC polygon in a range, and what each case adds to the area beside it."""

    area: float
    """∫ other d(along): the rate of the other class over that of the class the range is of."""
    values: Floats
    """The derivative of the area in each case's weight, times the weight of its class."""


def _part(cases: TwoClasses, between: _RateRange) -> _StripArea:
    """Measure the polygon between two rates.

    A position u along it is a real number: at 2.3 the cases of the two highest scores are accepted,
    and a part 0.3 of those of the third. As the rates move by ξ(u) along the range and by η(u) in
    the other class, the area moves by ∫ η d(along) − ∫ ξ d(other).
    """
    distinct, rank = np.unique(cases.score, return_inverse=True)
    place = len(distinct) - 1 - rank
    of_range = cases.positive if between.of_positives else ~cases.positive
    along, other = (_rates(cases, mine, place) for mine in (of_range, ~of_range))
    start, stop = _position(along, between.low), _position(along, between.high)
    whole = np.arange(len(along), dtype=np.float64)
    inside = np.clip(whole, start, stop)
    middle, length = 0.5 * (inside[1:] + inside[:-1]), np.diff(inside)
    rise, gain = np.diff(along) * length, np.diff(other) * length
    area = float(np.sum(np.interp(middle, whole, other) * rise))
    beside = float(np.sum(np.interp(middle, whole, along) * gain))

    def accepted(steps: Floats) -> Floats:
        """Return ∫ (whether a case is accepted) over steps, for the cases of each place."""
        later = np.sum(steps) - np.cumsum(steps)
        return np.asarray((later + steps * (middle - whole[:-1]))[place])

    return _StripArea(area, np.where(of_range, beside - accepted(gain), accepted(rise) - area))


def _rates(cases: TwoClasses, mine: NDArray[np.bool_], place: NDArray[np.intp]) -> Floats:
    """Return the share of a class that is accepted at each whole position."""
    weight = np.ones(cases.sample.size) if cases.sample.weight is None else cases.sample.weight
    running = np.append(0.0, np.cumsum(np.bincount(place, np.where(mine, weight, 0.0))))
    return np.asarray(running / running[-1])


def _position(along: Floats, rate: float) -> float:
    """Return where a rate is reached; the middle where it stays the same for a while."""
    first, last = np.searchsorted(along, rate, "left"), np.searchsorted(along, rate, "right") - 1
    if first <= last:
        return 0.5 * float(first + last)
    return float(last + (rate - along[last]) / (along[first] - along[last]))


def _influence(
    cases: TwoClasses, false_positive_rate: Any, true_positive_rate: Any, standardize: bool
) -> Influence:
    between = _RateRange.of(false_positive_rate, true_positive_rate)
    scale = 0.5 / (between.width - between.by_chance) if standardize else 1.0
    share = np.where(cases.positive, cases.prevalence, 1.0 - cases.prevalence)
    values = _part(cases, between).values * (-scale if between.of_positives else scale)
    inside = between.width * cases.count(between.of_positives)
    ends = (0.0, between.width)
    least, most = map(between.standardized, ends) if standardize else ends
    return cases.influence(values / share)._replace(floor=least, ceiling=most, carriers=inside)


@metric(
    arm="probability",
    read=read_scores,
    influence=_influence,
    sense="gain",
    scale="logit",
    needs=(("false_positive_rate",), ("true_positive_rate",)),
    ranks=True,
)
def partial_auc(
    y_true: Any,
    y_score: Any,
    *,
    false_positive_rate: tuple[float, float] | None = None,
    true_positive_rate: tuple[float, float] | None = None,
    standardize: bool = False,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> float:
    """Return the area under the part of the ROC curve in a range of one of its rates.

    Over false positive rates it is ∫ TPR d(FPR), and over true positive rates ∫ (1 − FPR) d(TPR):
    what the curve reaches above and to its right. Points between two thresholds are on a straight
    line, as in scikit-learn and pROC. scikit-learn's ``roc_auc_score(max_fpr=0.2)`` is this with
    ``false_positive_rate=(0, 0.2), standardize=True``.

    Its intervals use Student's quantiles. Their degrees of freedom depend on how many cases of that
    class lie inside the range: a fifth of 25 positives are five cases.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_score : array of shape (n,)
        Probabilities or any other scores: only their order matters.
    false_positive_rate : tuple of two floats, optional
        Range of false positive rates (1 − specificity).
    true_positive_rate : tuple of two floats, optional
        Range of true positive rates (sensitivities), instead.
    standardize : bool, default False
        Return McClish's ½·(1 + (area − chance)/(largest − chance)), which is 1 for a perfect
        ranking and ½ for a random one, whatever the range is.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The area, at most the width of the range; or the standardised one.

    See Also
    --------
    roc_auc : The whole area.
    sensitivity_at_specificity : The height of the curve at one point.

    References
    ----------
    D. K. McClish (1989). Analyzing a portion of the ROC curve. Medical Decision Making 9, 190-195.
    L. E. Dodd and M. S. Pepe (2003). Partial AUC estimation and regression. Biometrics 59, 614-623.

    Examples
    --------
    >>> import roctopus as rt
    >>> y_true, y_score = [1, 0, 1, 0, 0, 0], [0.9, 0.6, 0.5, 0.4, 0.2, 0.1]
    >>> rt.partial_auc(y_true, y_score, false_positive_rate=(0, 0.5))
    0.375
    >>> round(
    ...     rt.partial_auc(y_true, y_score, false_positive_rate=(0, 0.5), standardize=True), 6
    ... )
    0.833333
    """
    between = _RateRange.of(false_positive_rate, true_positive_rate)
    cases = read_scores(y_true, y_score, sample_weight, pos_label=pos_label)
    area = _part(cases, between).area
    if between.of_positives:
        area = between.width - area
    return between.standardized(area) if standardize else area

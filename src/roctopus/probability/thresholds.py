"""Which threshold to ship for given costs, from few cases: what a simulation found best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice, check_scalar, check_whole
from roctopus.core.errors import InputError, warn
from roctopus.probability.cases import TwoClasses, read_two_classes
from roctopus.probability.costs import best_thresholds

ThresholdRule: TypeAlias = Literal["bagged", "empirical", "probability"]
FEWEST = 10
"""With fewer cases of a class no rule that looks at them is worth it."""


@dataclass(frozen=True, repr=False)
class ThresholdChoice:
    """A threshold for given costs, and how it was chosen.

    ``choose_threshold`` makes it.

    Parameters
    ----------
    threshold : float
        Cases at or above it are accepted.
    rule : {"bagged", "empirical", "probability"}
        The rule that was used.
    cost_proportion : float
        The false positive's part of both costs.
    positives, negatives : int
        Numbers of cases of each class that it was chosen from.

    Examples
    --------
    >>> from roctopus.probability import choose_threshold
    >>> y_true, y_prob = [0, 1] * 20, [0.2, 0.7, 0.4, 0.5] * 10
    >>> choose_threshold(
    ...     y_true, y_prob, false_positive_cost=1, false_negative_cost=2, rule="empirical"
    ... )
    ThresholdChoice(0.5, rule='empirical'; from 20 positives, 20 negatives)
    """

    threshold: float
    rule: ThresholdRule
    cost_proportion: float
    positives: int
    negatives: int

    def __repr__(self) -> str:
        cases = f"{self.positives} positives, {self.negatives} negatives"
        return f"ThresholdChoice({self.threshold:.4g}, rule={self.rule!r}; from {cases})"


def choose_threshold(
    y_true: Any,
    y_prob: Any,
    *,
    false_positive_cost: float,
    false_negative_cost: float,
    rule: ThresholdRule = "bagged",
    resamples: int = 50,
    rng: int | np.random.Generator = 0,
    pos_label: Any = None,
    sample_weight: Any = None,
) -> ThresholdChoice:
    """Choose the threshold for given costs from a validation sample.

    In our simulation (``benchmarks/probability_experiments.py``) the mean of the best thresholds of
    bootstrap samples cost less than the threshold that is best on the sample, with 10, 30 and 100
    positives, and much less than the slope-optimal point of the pROC curve. Only probabilities
    known to be calibrated do better, cut at the cost proportion itself.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    false_positive_cost : float
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float
        Cost of a false negative: no was decided where yes was right.
    rule : {"bagged", "empirical", "probability"}, default "bagged"
        The mean over bootstrap samples of the threshold of least cost; that threshold itself; or
        the cost proportion C_FP/(C_FP + C_FN), which is best for calibrated probabilities. With
        fewer than 10 cases of a class the last one is used, with a warning.
    resamples : int, default 50
        Number of bootstrap samples for "bagged".
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ThresholdChoice
        The threshold, and how it was chosen; infinite if no case is worth accepting.

    See Also
    --------
    cost_curve : The best threshold for every cost proportion.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.probability import choose_threshold
    >>> rng = np.random.default_rng(1)
    >>> y_true = rng.integers(0, 2, 200)
    >>> y_prob = np.clip(0.3 + 0.4 * y_true + 0.2 * rng.normal(size=200), 0, 1)
    >>> choice = choose_threshold(y_true, y_prob, false_positive_cost=1, false_negative_cost=3)
    >>> 0.2 < choice.threshold < 0.5, choice.rule
    (True, 'bagged')
    """
    costs = [
        check_scalar(false_positive_cost, "false_positive_cost"),
        check_scalar(false_negative_cost, "false_negative_cost"),
    ]
    if min(costs) < 0.0 or sum(costs) == 0.0:
        raise InputError(
            "Both costs must be zero or more, and at least one must be positive, but they are "
            f"{costs[0]:g} and {costs[1]:g}."
        )
    check_choice(rule, "rule", "bagged", "empirical", "probability")
    cases = read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label)
    largest = max(costs)  # a sum of huge costs would overflow
    proportion = costs[0] / largest / (costs[0] / largest + costs[1] / largest)
    positives = int(np.count_nonzero(cases.positive))
    negatives = cases.sample.size - positives
    if rule != "probability" and min(positives, negatives) < FEWEST:
        few, kind = min((positives, "positives"), (negatives, "negatives"))
        warn(
            f"There are too few {kind} ({few}) to choose a threshold. The cost proportion "
            f"({proportion:.3g}) is used as the threshold instead, which is right for calibrated "
            "probabilities."
        )
        rule = "probability"
    threshold = proportion
    if rule == "empirical":
        threshold = best_thresholds(cases, np.array([proportion]))[0]
    elif rule == "bagged":
        threshold = _bagged(cases, proportion, check_whole(resamples, "resamples", 1), rng)
    return ThresholdChoice(float(threshold), rule, proportion, positives, negatives)


def _bagged(
    cases: TwoClasses, proportion: float, resamples: int, rng: int | np.random.Generator
) -> float:
    """Average the best thresholds of bootstrap samples.

    "Accept none" is the answer if most samples say so, and else counts as 1.
    """
    generator = np.random.default_rng(rng)
    found: list[float] = []
    while len(found) < resamples:
        rows = generator.integers(0, cases.sample.size, cases.sample.size)
        if cases.positive[rows].all() or not cases.positive[rows].any():
            continue
        best = best_thresholds(cases.take(rows), np.array([proportion]))[0]
        found.append(float(best))
    if 2 * np.count_nonzero(np.isinf(found)) > resamples:
        return np.inf
    return float(np.mean(np.minimum(found, 1.0)))


@dataclass(frozen=True)
class ThresholdTuning:
    """How a threshold is tuned and judged, for the costs of wrong decisions.

    ``roctopus.inference.honest_value`` tunes on some cases and judges on others with it.

    Parameters
    ----------
    false_positive_cost : float
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float
        Cost of a false negative: no was decided where yes was right.
    rule : {"bagged", "empirical", "probability"}, default "empirical"
        As in ``choose_threshold``.
    sense : {"loss", "gain"}, default "loss"
        Whether less or more of what it returns is better.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.probability import ThresholdTuning
    >>> y_true, y_prob = np.array([0, 1] * 20), np.array([0.2, 0.7, 0.4, 0.5] * 10)
    >>> tuning = ThresholdTuning(false_positive_cost=1, false_negative_cost=2)
    >>> threshold = tuning.learn(y_true, y_prob)
    >>> threshold, tuning.outcomes(y_true, y_prob, threshold).mean()
    (array([0.5]), np.float64(0.0))
    """

    false_positive_cost: float
    false_negative_cost: float
    rule: ThresholdRule = "empirical"
    sense: Literal["loss", "gain"] = "loss"

    def learn(self, y_true: Floats, y_pred: Floats) -> Floats:
        """Return the threshold that fits the costs.

        Parameters
        ----------
        y_true : array of shape (n,)
            Classes 0 and 1.
        y_pred : array of shape (n,)
            Probabilities of class 1.

        Returns
        -------
        array of shape (1,)
            The threshold.
        """
        if float(np.max(y_true)) != 1.0:
            raise InputError("'y_true' must contain the labels 0 and 1, where 1 is positive.")
        found = choose_threshold(
            y_true,
            y_pred,
            false_positive_cost=self.false_positive_cost,
            false_negative_cost=self.false_negative_cost,
            rule=self.rule,
        )
        return np.array([found.threshold])

    def outcomes(self, y_true: Floats, y_pred: Floats, knob: Floats) -> Floats:
        """Return the cost of each decision.

        Parameters
        ----------
        y_true : array of shape (n,)
            Classes 0 and 1.
        y_pred : array of shape (n,)
            Probabilities of class 1.
        knob : array of shape (1,)
            The threshold.

        Returns
        -------
        array of shape (n,)
            The cost of each case, 0 for right decisions.
        """
        accepted, positive = y_pred >= knob[0], y_true > 0.0
        return np.where(
            accepted & ~positive,
            self.false_positive_cost,
            np.where(~accepted & positive, self.false_negative_cost, 0.0),
        )

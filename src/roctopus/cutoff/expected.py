"""The expected error under a distribution of cutoffs."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.given_distributions import Distribution, Output, as_distribution
from roctopus.concepts.registry import Influence, metric
from roctopus.core.arrays import Floats
from roctopus.core.distributions import cumulative
from roctopus.cutoff.cases import CutoffCases, read_cases
from roctopus.cutoff.output_areas import influence_of_output_area, output_area
from roctopus.cutoff.ranges import distribution_range, warn_of_no_mass


def _width(distribution: Distribution, normalize: bool) -> float:
    if normalize:
        return 1.0
    low, high = distribution_range(distribution)
    return high - low


def expected_of(cases: CutoffCases, distribution: Distribution, *, normalize: bool = True) -> float:
    """Return the expected cost of a decision under a distribution of cutoffs."""
    width = _width(distribution, normalize)
    if isinstance(distribution, Output):
        return width * output_area(cases, distribution, exclude_self=False)
    return width * cases.sample.mean(_losses(cases, distribution))


def influence_of_expected(
    cases: CutoffCases, distribution: Distribution, *, normalize: bool = True
) -> Influence:
    """Return the influence values of ``expected_of``."""
    width = _width(distribution, normalize)
    if isinstance(distribution, Output):
        influence = influence_of_output_area(cases, distribution, exclude_self=False)
        return influence._replace(values=width * influence.values)
    return Influence.of_mean(cases.sample, width * _losses(cases, distribution))


def _losses(cases: CutoffCases, distribution: Distribution) -> Floats:
    """Return the expected cost of each case, cost·|W(ŷ) − W(y)|, W being the cdf of cutoffs."""
    exact = as_distribution(distribution)
    warn_of_no_mass(exact, *cases.range)
    distance = np.abs(cumulative(exact, cases.y_pred) - cumulative(exact, cases.y_true))
    return np.asarray(distance * cases.cost())


@metric(arm="cutoff", read=read_cases, influence=influence_of_expected)
def expected_cutoff_error(
    y_true: Any,
    y_pred: Any,
    *,
    distribution: Distribution,
    normalize: bool = True,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> float:
    """Return L = E[Q(c)], the expected cost of a decision under a distribution of cutoffs.

    Give all models the same distribution. With unit costs the result is the probability of a wrong
    decision.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case; predictions may be infinite.
    distribution : Distribution
        How likely each cutoff is: ``Uniform(a, b)``, ``Beta(2, 4, low, high)``, any frozen
        ``scipy.stats`` distribution, past cutoffs as ``Empirical([...])``, or ``Output()`` for
        cutoffs distributed as the true values.
    normalize : bool, default True
        True returns L, which is at most the larger cost. False returns (b − a)·L with [a, b] the
        range of the distribution, as in the paper's tables: in the unit of the cutoff, and the
        clipped mean absolute error if the distribution is uniform.
    false_positive_cost : float, default 1
        Cost of a false positive: yes was decided where no was right.
    false_negative_cost : float, default 1
        Cost of a false negative: no was decided where yes was right.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The expected cost per case.

    Notes
    -----
    It is the mean of ``cost·|W(ŷ) − W(y)|`` with W the distribution's cdf (Definition 3): exact,
    for continuous and discrete distributions.

    Examples
    --------
    >>> from roctopus import Uniform
    >>> y_true, y_pred = [3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]
    >>> round(expected_cutoff_error(y_true, y_pred, distribution=Uniform(3, 16)), 6)
    0.205128
    >>> expected_cutoff_error(y_true, y_pred, distribution=Uniform(4, 10), normalize=False)
    1.5
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    return expected_of(cases, distribution, normalize=normalize)

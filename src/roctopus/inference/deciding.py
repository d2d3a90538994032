"""Margins and sample sizes."""

from __future__ import annotations

import math
from typing import Any

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import check_level
from roctopus.core.checks import check_choice, check_positive, check_share
from roctopus.core.errors import InputError


def _check_difference(difference: Any) -> None:
    if not isinstance(difference, Estimate):
        raise InputError(
            "'difference' must be the difference between two estimates (first - second), but is "
            f"of type {type(difference).__name__}."
        )


def _upper_tail(difference: Estimate, bound: float, sign: float = 1.0) -> float:
    """Return the p-value of the hypothesis that the difference times a sign is a bound or more."""
    from scipy.special import ndtr, stdtr

    _check_difference(difference)
    if difference.standard_error == 0.0:
        raise InputError("All cases give the same value, so there is no variation to test.")
    statistic = (sign * difference.value - bound) / difference.standard_error
    if difference.freedom is None:
        return float(ndtr(statistic))
    return float(stdtr(difference.freedom, statistic))


def equivalence_pvalue(difference: Estimate, *, margin: float) -> float:
    """Return the p-value of the hypothesis that two models differ by the margin or more.

    A small value means that the difference is clearly smaller than the margin, either way (two
    one-sided tests).

    Parameters
    ----------
    difference : Estimate
        Paired difference of two estimates on the same cases: ``a - b``.
    margin : float
        Smallest difference that matters, in the unit of the metric.

    Returns
    -------
    float
        The larger p-value of the two one-sided tests.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import equivalence_pvalue
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=2000)
    >>> a, b = (y + rng.normal(size=2000) for _ in range(2))
    >>> loss = {n: rt.estimate(rt.asymmetric_absolute_error, y, p, asymmetry=0.5)
    ...         for n, p in (("a", a), ("b", b))}
    >>> equivalence_pvalue(loss["a"] - loss["b"], margin=0.1) < 0.05
    True
    """
    limit = check_positive(margin, "margin")
    below = _upper_tail(difference, limit)
    return max(below, _upper_tail(difference, limit, -1.0))


def noninferiority_pvalue(difference: Estimate, *, margin: float, sense: str) -> float:
    """Return the p-value of the hypothesis that the first model is worse by the margin or more.

    A small value means that the first model is clearly not worse than the second by as much as the
    margin.

    Parameters
    ----------
    difference : Estimate
        Paired difference of two estimates on the same cases: ``a - b``.
    margin : float
        Smallest difference that matters, in the unit of the metric.
    sense : {"loss", "gain"}
        Whether less or more is better.

    Returns
    -------
    float
        The p-value of the one-sided test.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import noninferiority_pvalue
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2000) < 0.4
    >>> cheap, costly = (y + spread * rng.normal(size=2000) for spread in (1.0, 0.95))
    >>> gap = rt.estimate(rt.roc_auc, y, cheap) - rt.estimate(rt.roc_auc, y, costly)
    >>> noninferiority_pvalue(gap, margin=0.05, sense="gain") < 0.05
    True
    """
    check_choice(sense, "sense", "loss", "gain")
    limit = check_positive(margin, "margin")
    return _upper_tail(difference, limit, 1.0 if sense == "loss" else -1.0)


def cases_needed(
    difference: Estimate, *, power: float = 0.8, confidence_level: float = 0.95
) -> float:
    """Return about how many cases in all would show a difference, if it is as large as it looks.

    Computed from the spread that was observed: n·((z + z')·standard error/difference)², with the
    quantiles of the level and the power.

    Parameters
    ----------
    difference : Estimate
        Paired difference of two estimates on the same cases: ``a - b``.
    power : float, default 0.8
        Probability with which the difference is shown.
    confidence_level : float, default 0.95
        Probability that an interval contains the true value.

    Returns
    -------
    float
        The number of cases; infinite for a difference of zero.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.inference import cases_needed
    >>> y, a, b = [3, 5, 8, 9], [2, 5, 9, 7], [4, 7, 8, 9]
    >>> loss = {n: rt.estimate(rt.asymmetric_absolute_error, y, p, asymmetry=0.75)
    ...         for n, p in (("a", a), ("b", b))}
    >>> round(cases_needed(loss["a"] - loss["b"]))
    28
    """
    from scipy.special import ndtri

    level, wanted = check_level(confidence_level), check_share(power, "power")
    _check_difference(difference)
    if difference.value == 0.0:
        return math.inf
    reach = max(float(ndtri(0.5 + 0.5 * level) + ndtri(wanted)), 0.0)
    return difference.size * (reach * difference.standard_error / difference.value) ** 2

"""Several models on the same cases: paired differences, and which of them could be best."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from roctopus.arms import find_metric
from roctopus.concepts.estimate import scaled_covariances
from roctopus.concepts.intervals import ConfidenceInterval, check_level
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.registry import estimate
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice, check_mapping
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.core.sample import check_row_order
from roctopus.inference.deviations import joint_deviations

DRAWS = 5_000


def compare_estimates(
    metric: Callable[..., float],
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    clusters: Any = None,
    time: Any = None,
    **context: Any,
) -> JointEstimates:
    """Estimate a metric for several models on the same cases.

    Parameters
    ----------
    metric : callable
        A registered metric, such as ``roc_auc``.
    y_true : array of shape (n,)
        True values, one per case.
    predictions : mapping of str to array of shape (n,)
        Predictions (numbers, scores or probabilities) of each model.
    clusters : array of shape (n,), optional
        Which rows belong together, such as those of one customer.
    time : array of shape (n,), or True, optional
        When each case happened, or True if rows are in order of time.
    **context
        Further arguments of the metric, such as ``asymmetry=0.8`` or ``sample_weight=``.

    Returns
    -------
    JointEstimates
        The estimates of all models, from which paired differences are made.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.inference import compare_estimates
    >>> y = [3, 5, 8, 9, 4, 6]
    >>> models = {"a": [2, 5, 9, 7, 4, 5], "b": [4, 7, 8, 9, 7, 8]}
    >>> found = compare_estimates(rt.asymmetric_absolute_error, y, models, asymmetry=0.5)
    >>> round(found.difference("a", "b").value, 4)
    -0.5
    """
    named = check_mapping(predictions, "predictions", "predictions")
    check_row_order(**{f"model {name}": each for name, each in named.items()})
    found = {}
    for name, each in named.items():
        try:
            found[name] = estimate(metric, y_true, each, clusters=clusters, time=time, **context)
        except InputError as refusal:
            raise InputError(f"Model {name!r}: {refusal.marked}") from None
    sense = find_metric(metric).sense
    return JointEstimates.of(found, sense)


class PairwiseDifference(NamedTuple):
    """The difference of two models, first − second.

    Parameters
    ----------
    first : str
        Name of the first model.
    second : str
        Name of the second model.
    value : float
        Difference of the metric.
    interval : ConfidenceInterval
        Interval of the difference.
    pvalue : float
        P-value of no difference, adjusted for the number of pairs if requested.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.inference import compare_estimates, pairwise_differences
    >>> y = [3, 5, 8, 9, 4, 6]
    >>> models = {"a": [2, 5, 9, 7, 4, 5], "b": [4, 7, 8, 9, 7, 8]}
    >>> joint = compare_estimates(rt.asymmetric_absolute_error, y, models, asymmetry=0.5)
    >>> pair = pairwise_differences(joint)[0]
    >>> pair.first, pair.second, round(pair.value, 2), round(pair.pvalue, 2)
    ('a', 'b', -0.5, 0.54)
    """

    first: str
    second: str
    value: float
    interval: ConfidenceInterval
    pvalue: float


def _check_joint(joint: Any) -> None:
    if not isinstance(joint, JointEstimates):
        raise InputError(
            "'joint' must be JointEstimates, as returned by compare_estimates, but is of type "
            f"{type(joint).__name__}."
        )


def pairwise_differences(
    joint: JointEstimates,
    *,
    confidence_level: float = 0.95,
    adjust: Literal["holm"] | None = None,
) -> tuple[PairwiseDifference, ...]:
    """Return the paired differences of all models, adjusted for their number on request.

    Parameters
    ----------
    joint : JointEstimates
        Estimates of the models on the same cases, from ``compare_estimates``.
    confidence_level : float, default 0.95
        Probability that an interval contains the true value.
    adjust : {"holm"}, optional
        Adjust p-values for the number of pairs by Holm's method; by default they are not adjusted.

    Returns
    -------
    tuple of PairwiseDifference
        One for each pair of models, in their order.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.inference import compare_estimates, pairwise_differences
    >>> y = [3, 5, 8, 9, 4, 6]
    >>> models = {"a": [2, 5, 9, 7, 4, 5], "b": [4, 7, 8, 9, 7, 8], "c": [3, 5, 8, 8, 5, 6]}
    >>> joint = compare_estimates(rt.asymmetric_absolute_error, y, models, asymmetry=0.5)
    >>> [(d.first, d.second, round(d.value, 3)) for d in pairwise_differences(joint)]
    [('a', 'b', -0.5), ('a', 'c', 0.5), ('b', 'c', 1.0)]
    """
    if adjust not in (None, "holm"):
        raise InputError(f"'adjust' must be 'holm' or None, but is {adjust!r}.")
    _check_joint(joint)
    if len(joint.names) < 2:
        raise InputError("Differences need at least two models, but there is only one.")
    found = []
    for first, second in itertools.combinations(joint.names, 2):
        gap = joint.difference(first, second)
        ends = gap.confidence_interval(confidence_level, method="plain")
        found.append(PairwiseDifference(first, second, gap.value, ends, gap.pvalue))
    if adjust is None:
        return tuple(found)
    order = np.argsort([each.pvalue for each in found], kind="stable")
    adjusted, least = [0.0] * len(found), 0.0
    for rank, position in enumerate(order.tolist()):
        least = max(least, min(1.0, (len(found) - rank) * found[position].pvalue))
        adjusted[position] = least
    return tuple(each._replace(pvalue=p) for each, p in zip(found, adjusted, strict=True))


def all_pairs(joint: JointEstimates) -> tuple[Floats, Floats, Floats, float]:
    """Return values, standard errors of all paired differences, and covariances, about one model.

    All in a unit in which they are of moderate size, which is returned, too.

    All from one product of matrices. Where two models are much closer to each other than to that
    model, digits are lost: these pairs are looked at case by case.
    """
    calm = min(joint.estimates, key=lambda each: each.standard_error)
    gaps = tuple(each - calm for each in joint.estimates)
    spread, scale = scaled_covariances(gaps)
    unit = float(np.max(np.sqrt(np.maximum(np.diag(spread), 0.0)) * scale))
    unit = unit if 0.0 < unit < np.inf else 1.0
    spread = np.asarray(spread * np.outer(scale / unit, scale / unit))
    own = np.diag(spread)
    variance = own[:, None] - 2.0 * spread + own
    for i, j in itertools.combinations(range(len(gaps)), 2):
        if variance[i, j] <= 1e-6 * (own[i] + own[j]):
            error = (gaps[i] - gaps[j]).standard_error / unit
            variance[i, j] = variance[j, i] = error**2
    np.fill_diagonal(variance, 0.0)
    value = np.array([gap.value for gap in gaps]) / unit
    return value, np.sqrt(np.maximum(variance, 0.0)), spread, unit


def may_be_best(
    joint: JointEstimates,
    *,
    sense: Literal["loss", "gain"] | None = None,
    confidence_level: float = 0.95,
    rng: Random = 0,
) -> tuple[str, ...]:
    """Return the models that could be the best: the truly best one is among them.

    Every model is compared with all others at once; it stays unless it is clearly worse than
    another one. The quantile is that of the largest of its standardised differences, drawn from
    their joint normal distribution (or Student's, by the number of independent units).

    Parameters
    ----------
    joint : JointEstimates
        Estimates of the models on the same cases, from ``compare_estimates``.
    sense : {"loss", "gain"}, optional
        Whether less or more is better; by default that of the metric.
    confidence_level : float, default 0.95
        Probability that all statements are true together.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.

    Returns
    -------
    tuple of str
        The names of the models.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.inference import compare_estimates, may_be_best
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=400)
    >>> models = {f"noise {s}": y + s * rng.normal(size=400) for s in (0.5, 0.52, 2.0)}
    >>> joint = compare_estimates(rt.asymmetric_absolute_error, y, models, asymmetry=0.5)
    >>> may_be_best(joint)
    ('noise 0.5', 'noise 0.52')
    """
    level = check_level(confidence_level)
    chances = best_pvalues(joint, sense=sense, rng=rng)
    return tuple(name for name, chance in chances.items() if chance > 1.0 - level)


def best_pvalues(
    joint: JointEstimates,
    *,
    sense: Literal["loss", "gain"] | None = None,
    rng: Random = 0,
    extra: Floats | None = None,
) -> dict[str, float]:
    """Return, for each model, the p-value of the hypothesis that it is the best.

    The statistic is its largest standardised disadvantage to another model. ``extra`` holds
    further variances of all paired differences, such as those between rounds of folds.
    """
    _check_joint(joint)
    better = joint.sense if sense is None else sense
    check_choice(better, "sense", "loss", "gain")
    generator = read_generator(rng)
    if len(joint.names) == 1:
        return {joint.names[0]: 1.0}
    sign = 1.0 if better == "loss" else -1.0
    value, error, spread, unit = all_pairs(joint)
    freedom = joint.estimates[0].freedom
    wider = error if extra is None else np.sqrt(error**2 + extra / unit**2)
    own = np.sqrt(np.diag(spread))
    scale = np.where(own > 0.0, own, 1.0)  # next to a wild model the others count as much
    draws = joint_deviations(spread / np.outer(scale, scale), freedom, generator, DRAWS).T
    draws *= scale[:, None]
    found = {}
    for k, name in enumerate(joint.names):
        worse = sign * (value[k] - value)
        live = np.flatnonzero(error[k] > 0.0)
        found[name] = 1.0
        if np.any((error[k] == 0.0) & (worse > 1e-12 * np.abs(value).max())):
            found[name] = 0.0
        elif len(live):
            most = float(np.max(worse[live] / wider[k, live]))
            if most > 0.0:
                apart = (draws[k] - draws[live]) / error[k, live][:, None]
                found[name] = float(np.mean(apart.max(axis=0) >= most))
    return found

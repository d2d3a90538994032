"""Metrics: numbers with influence values, from which their uncertainty follows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Any, Literal, NamedTuple, ParamSpec, TypeGuard

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import read_dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import Scale
from roctopus.concepts.own_functions import OwnFunction
from roctopus.concepts.squares import Squares
from roctopus.core.arrays import Array, Floats
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward
from roctopus.core.sample import Sample, check_row_order

P = ParamSpec("P")


class Influence(NamedTuple):
    """Influence values of a metric on a sample, one per row as given."""

    values: Floats
    sample_weight: Floats | None = None
    strata: NDArray[np.intp] | None = None
    of_class: int | None = None
    """The one class that the value is about, where it is; others do not matter."""
    floor: float = -math.inf
    """What the value is above, where it is; a loss is above 0."""
    ceiling: float = 1.0
    """What the value is below on the logit scale."""
    carriers: float = math.inf
    """How many cases carry the value, where they are fewer than all."""
    squares: Squares | None = None
    """The squared means that the value adds up, where it does."""

    @staticmethod
    def of(sample: Sample, values: Array, classes: NDArray[np.intp] | None = None) -> Influence:
        """Lay influence values of the cases that count out over the rows as given.

        With ``classes`` these are strata: their sizes are taken as fixed.
        """
        strata = None if classes is None else sample.per_row(classes).astype(np.intp, copy=False)
        return Influence(sample.per_row(values), sample.row_weights, strata)

    @staticmethod
    def of_mean(sample: Sample, values: Array) -> Influence:
        """Return the influence values of a mean: the deviations from it."""
        return Influence.of(sample, values - sample.mean(values))


@dataclass(frozen=True)
class Metric:
    """A number that a model gets on a sample, with what its uncertainty follows from.

    ``registered_metrics`` lists all of them.

    Parameters
    ----------
    name : str
        Name, such as "roc_auc".
    arm : str
        Arm it belongs to.
    function : function
        What is called.
    influence : function
        Takes the same arguments and returns the influence values.
    sense : {"loss", "gain"}
        Whether less or more is better.
    scale : {"plain", "logit", "log"}
        Scale on which intervals are made.
    batch : function, optional
        The metric for many weightings at once, if it is a function of a few weighted sums.
    needs : tuple of tuple of str, optional
        Groups of arguments of which one must be given, if defaults do not show it.
    ranks : bool, default False
        Whether any score will do, although the arm's other metrics need more than a ranking.

    Examples
    --------
    >>> from roctopus import registered_metrics
    >>> metric = registered_metrics("ordinal")[0]
    >>> metric.name, metric.sense, metric.scale
    ('pairwise_ranking_accuracy', 'gain', 'logit')
    """

    name: str
    arm: str
    function: Callable[..., float]
    influence: Callable[..., Influence]
    sense: Literal["loss", "gain"]
    scale: Scale
    batch: Callable[..., Floats] | None = None

    needs: tuple[tuple[str, ...], ...] = ()
    ranks: bool = False

    @staticmethod
    def of(function: Callable[..., float]) -> Metric:
        """Return the record of a metric.

        Parameters
        ----------
        function : function
            A metric; another function raises an error.

        Returns
        -------
        Metric
            The record.
        """
        found: Metric | None = getattr(function, "metric", None)
        if found is None:
            raise InputError(f"{getattr(function, '__name__', function)!r} is not a metric.")
        return found


def metric(
    *,
    arm: str,
    read: Callable[..., Any] | None = None,
    influence: Callable[..., Influence] | None = None,
    per_case: Callable[..., Array] | None = None,
    sense: Literal["loss", "gain"] = "loss",
    scale: Scale = "plain",
    batch: Callable[..., Floats] | None = None,
    needs: tuple[tuple[str, ...], ...] = (),
    ranks: bool = False,
) -> Callable[[Callable[P, float]], Callable[P, float]]:
    """Make a function a metric, with its influence function; the arm's record lists it.

    The influence function takes the arguments of the metric. With ``read``, it takes what ``read``
    makes of truths, predictions and those arguments that ``read`` knows, and then all others. A
    metric that is the mean of a value ``per_case`` needs no influence function: say that value.

    ``scale`` is that of its confidence intervals: the logit for values between 0 and 1 that crowd
    at an end, the logarithm for variances and the like. ``batch`` takes truths, predictions and
    a matrix with a row of weights per replicate, and the ``total`` weight that each row stands
    for: resampling is faster with it. ``ranks`` says that any score will do: a scorer then takes
    a decision function, too.
    """

    def register(function: Callable[P, float]) -> Callable[P, float]:
        found = influence or _influence_of_mean(per_case)
        if read is not None:
            found = _reading(function, read, found)
        entry = Metric(function.__name__, arm, function, found, sense, scale, batch, needs, ranks)
        vars(function)["metric"] = entry
        return function

    return register


def metrics_of(*modules: ModuleType) -> tuple[Callable[..., float], ...]:
    """Return the metrics that modules define, in the order they are written there."""
    return tuple(
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(getattr(each, "metric", None), Metric) and each.__module__ == module.__name__
    )


def is_own(metric: Any) -> TypeGuard[Callable[..., float]]:
    """Tell whether a function is one of the user's own, and no metric.

    Parameters
    ----------
    metric : object
        What was given as a metric.

    Returns
    -------
    bool
        True for functions without influence values.
    """
    return callable(metric) and not hasattr(metric, "metric")


def _influence_of_mean(per_case: Callable[..., Array] | None) -> Callable[..., Influence]:
    assert per_case is not None, "a metric has an influence function, or a value per case"
    return lambda cases, **given: Influence.of_mean(cases.sample, per_case(cases, **given))


def _reading(
    function: Callable[..., float], read: Callable[..., Any], influence: Callable[..., Influence]
) -> Callable[..., Influence]:
    """Return the influence function of all arguments, from one of cases that were read."""
    arguments, known = signature(function).parameters, set(signature(read).parameters)
    defaults = {k: each.default for k, each in arguments.items() if each.default is not each.empty}
    columns = list(arguments)[:2]

    def whole(*args: Any, **kwargs: Any) -> Influence:
        given = defaults | dict(zip(arguments, args, strict=False)) | kwargs
        truth, prediction = (given.pop(name) for name in columns)
        reading = {name: given.pop(name) for name in known & given.keys()}
        return influence(read(truth, prediction, **reading), **given)

    return whole


def estimate(
    metric: str | Callable[..., float],
    /,
    *args: Any,
    clusters: Any = None,
    time: Any = None,
    **kwargs: Any,
) -> Estimate:
    """Evaluate a metric with its uncertainty.

    Give the metric and, after it, the arguments you would call it with. Subtract two estimates on
    the same cases to compare two models.

    A function of your own works, too: any function of true values and predictions that returns a
    number.

    Parameters
    ----------
    metric : function or str
        A metric, such as ``roc_auc`` or "roc_auc", or a function of your own.
    *args : array
        Positional arguments of the metric: true values and predictions.
    clusters : array of shape (n,), optional
        Which rows belong together (a patient's, a user's, a site's). Standard errors treat
        clusters, not rows, as independent.
    time : array of shape (n,), or True, optional
        When each case happened: numbers, dates, or text such as "2026-01-31"; or True if rows are
        in order of time. Errors of the same time and of neighbouring times may be correlated, and
        standard errors allow for it. It can be combined with ``clusters``.
    **kwargs : object
        Keyword arguments of the metric, such as ``asymmetry`` or ``sample_weight``.

    Returns
    -------
    Estimate
        The value with its standard error, from which intervals and p-values follow.

    Notes
    -----
    For a function of your own that has an argument ``sample_weight``, influence values are found by
    changing the weight of one case at a time by a little (the infinitesimal jackknife); for any
    other, by leaving out one case at a time (the jackknife). More than 500 cases are divided into
    500 random groups, always the same ones, which are changed together and count as clusters; with
    ``time``, the groups are neighbouring times. Intervals are on the plain scale. Medians and other
    functions that jump need ``roctopus.inference.bootstrap``; a warning says so if leaving out many
    cases gives a very different standard error.

    Examples
    --------
    >>> from roctopus import asymmetric_absolute_error, estimate
    >>> y_true, a, b = [3, 5, 8, 9], [2, 5, 9, 7], [4, 7, 8, 9]
    >>> loss_a = estimate(asymmetric_absolute_error, y_true, a, asymmetry=0.75)
    >>> loss_b = estimate(asymmetric_absolute_error, y_true, b, asymmetry=0.75)
    >>> loss_a
    Estimate(1.25, standard_error=0.6614, n=4)
    >>> difference = loss_a - loss_b
    >>> round(difference.value, 3), round(difference.pvalue, 3)
    (0.875, 0.367)

    A function of your own:

    >>> def largest_error(y_true, y_pred):
    ...     return max(abs(y - p) for y, p in zip(y_true, y_pred))
    >>> estimate(largest_error, y_true, a)
    Estimate(2, standard_error=0.75, n=4)
    """
    if clusters is not None or (time is not None and not isinstance(time, bool)):
        given = dict(zip(("y_true", "y_pred"), args, strict=False)) | kwargs
        columns = {name: given[name] for name in ("y_true", "y_pred") if name in given}
        others = {"clusters": clusters, "time": None if isinstance(time, bool) else time}
        check_row_order(**columns, **{name: x for name, x in others.items() if x is not None})
    if is_own(metric):
        own = OwnFunction.of(metric, args, kwargs)
        value = own.value()
        changes, dependence = own.influence(read_dependence(clusters, time, len(own)))
        return Estimate(value, changes, own.weight, dependence=dependence)
    entry: Metric = upward("find_metric")(metric)
    value = entry.function(*args, **kwargs)  # first: it says best why there is none
    found = entry.influence(*args, **kwargs)
    dependence, noise = read_dependence(clusters, time, len(found.values)), 0.0
    if found.squares is not None:
        noise = found.squares.noise_under(dependence, found.sample_weight)
        value += found.squares.noise - noise
    return Estimate(
        value,
        found.values,
        found.sample_weight,
        found.strata,
        entry.scale,
        dependence,
        found.of_class,
        floor=max(found.floor, 0.0) if entry.sense == "loss" else found.floor,
        ceiling=found.ceiling,
        carriers=found.carriers,
        noise=noise,
    )

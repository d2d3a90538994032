"""Scorers for scikit-learn, made from measures."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

from sklearn.metrics import make_scorer

from roctopus.arms import find_arm, find_metric
from roctopus.concepts.registry import Metric
from roctopus.core.errors import InputError


def _response(entry: Metric) -> Any:
    """Return what of an estimator a measure judges."""
    methods = find_arm(entry.arm).responses
    if not entry.ranks:
        methods = tuple(each for each in methods if each != "decision_function")
    return methods if len(methods) > 1 else methods[0]


def scorer(
    metric: str | Callable[..., float], /, *, response_method: Any = None, **context: Any
) -> Any:
    """Return a scorer for ``cross_validate`` and ``GridSearchCV``; more is better, as always there.

    Parameters
    ----------
    metric : str or function
        A measure, such as "optimal_shift_error" or ``optimal_shift_error``.
    response_method : str or list, optional
        What of an estimator is scored; by default probabilities, scores or predictions, as the
        measure needs.
    **context
        What else the measure takes, such as ``asymmetry=0.8``.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.deploy import scorer
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1.0, 2.0, 3.0, 5.0]
    >>> loss = scorer("asymmetric_absolute_error", asymmetry=0.5)
    >>> round(loss(LinearRegression().fit(X, y), X, y), 4)
    -0.25
    """
    entry = find_metric(metric)
    chosen = response_method or _response(entry)
    known_names = signature(entry.function).parameters
    strange = [each for each in context if each not in known_names]
    needed = [
        each.name
        for each in known_names.values()
        if each.kind is Parameter.KEYWORD_ONLY
        and each.default is Parameter.empty
        and each.name not in context
    ]
    if strange:
        raise InputError(f"The measure {entry.name!r} does not take '{strange[0]}'.")
    if needed:
        raise InputError(f"The measure {entry.name!r} needs '{needed[0]}'.")
    return make_scorer(
        entry.function,
        response_method=chosen,
        greater_is_better=entry.sense == "gain",
        **context,
    )

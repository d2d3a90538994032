"""Scorers for scikit-learn, by the name of a measure."""

from __future__ import annotations

from inspect import Parameter, signature
from typing import Any

from sklearn.metrics import make_scorer

from roctopus.arms import registered_metrics
from roctopus.concepts.registry import Metric
from roctopus.core.errors import InputError

__all__ = ["scorer"]

RANKS = ("roc_auc", "true_positive_rate", "false_positive_rate")
"""Measures of two classes for which any scores will do."""


def _response(entry: Metric) -> Any:
    """Return what of an estimator a measure judges."""
    if entry.arm != "probability":
        return "predict"
    return ("predict_proba", "decision_function") if entry.name in RANKS else "predict_proba"


def scorer(name: str, *, response_method: Any = None, **context: Any) -> Any:
    """Return a scorer for ``cross_validate`` and ``GridSearchCV``; more is better, as always there.

    Parameters
    ----------
    name : str
        A registered measure, such as "optimal_shift_error".
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
    known = {metric.name: metric for metric in registered_metrics()}
    if name not in known:
        raise InputError(f"There is no measure {name!r}. There are {', '.join(sorted(known))}.")
    entry = known[name]
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
        raise InputError(f"The measure {name!r} does not take '{strange[0]}'.")
    if needed:
        raise InputError(f"The measure {name!r} needs '{needed[0]}'.")
    return make_scorer(
        entry.function,
        response_method=chosen,
        greater_is_better=entry.sense == "gain",
        **context,
    )

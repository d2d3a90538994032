"""Predictions that rank cases in the wrong order: detected where it is clear."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import warn

MOST_ROWS = 1 << 13
"""Of more rows so many are looked at, spread over all."""
SURE = 3.0
"""A rank correlation of so many standard errors below zero is no noise."""


def warn_of_backward_models(
    problem: Problem, predictions: Predictions, dependence: Dependence = INDEPENDENT
) -> dict[str, str]:
    """Warn of models that rank cases the wrong way round; return what was said of each."""
    rising = problem.rising()
    if rising is None or len(problem) < 2 or dependence.alone is not None:
        return {}
    target, what = rising
    rows = np.unique(np.linspace(0, len(target) - 1, min(len(target), MOST_ROWS)).astype(np.intp))
    weight = None if problem.weight is None else problem.weight[rows]
    some = dependence.take(rows)
    levels = _shares_below(target[rows], weight)
    found = {}
    for name, each in predictions.items():
        shares = _shares_below(each[rows], weight)
        trend = _trend(levels, shares, weight, some)
        if trend is not None and _is_sure(trend):
            found[name] = f"Model {name!r} {_said(problem.classes, levels, shares, trend, what)}"
            warn(found[name])
    return found


def _shares_below(values: Floats, weight: Floats | None) -> Floats:
    """Return the share of the weight below each case, half of its ties counted."""
    _, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weight).astype(np.float64)
    return np.asarray(((np.cumsum(mass) - 0.5 * mass) / mass.sum())[place])


def _trend(x: Floats, y: Floats, weight: Floats | None, dependence: Dependence) -> Estimate | None:
    """Return the rank correlation; None where there is nothing to rank."""
    scaled = []
    for each in (x, y):
        apart = each - np.average(each, weights=weight)
        spread = float(np.average(apart * apart, weights=weight))
        if spread <= 1e-12:
            return None
        scaled.append(apart / np.sqrt(spread))
    products = scaled[0] * scaled[1]
    value = float(np.average(products, weights=weight))
    return Estimate(value, products - value, weight, dependence=dependence)


def _is_sure(trend: Estimate) -> bool:
    """Tell whether a trend is negative beyond noise, as seen and if there were none."""
    weight = np.ones(len(trend.influence)) if trend.sample_weight is None else trend.sample_weight
    size = weight.sum() ** 2 / (weight @ weight)
    by_chance = 1.0 / np.sqrt(max(size - 1.0, 1.0))
    return bool(trend.value < -SURE * max(by_chance, trend.standard_error))


def _said(
    classes: tuple[Any, ...], levels: Floats, shares: Floats, trend: Estimate, what: str
) -> str:
    upper = levels == levels.max()
    if len(classes) == 2 and np.all(upper | (levels == levels.min())):
        low, high = classes
        weight = trend.sample_weight
        below, above = (
            np.average(shares[mine], weights=None if weight is None else weight[mine])
            for mine in (~upper, upper)
        )
        return (
            f"ranks the classes in the wrong order: {high!r} gets lower scores than {low!r} (AUC "
            f"{0.5 + above - below:.2g}). If these are scores for {low!r}, negate them; if they "
            f"are probabilities of {low!r}, use those of {high!r}."
        )
    return (
        f"ranks cases in the wrong order: the higher its prediction, the lower {what} (rank "
        f"correlation {trend.value:.2g}). Check the sign of its predictions, and that its rows "
        "match the true values."
    )

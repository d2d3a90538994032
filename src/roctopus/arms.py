"""The arms a comparison knows: one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats, is_text, read_array, to_numpy
from roctopus.core.checks import check_finite, check_positive
from roctopus.core.errors import InputError
from roctopus.cutoff.problem import CutoffDecisions
from roctopus.impact.cases import read_offers
from roctopus.impact.problem import ImpactProblem
from roctopus.impact.utilities import LinearUtility
from roctopus.ordinal.problem import OrdinalProblem
from roctopus.probability.problem import ProbabilityProblem
from roctopus.regression.problem import RegressionProblem

__all__ = ["ARMS", "read_problem"]


def _numbers(y_true: Any, arm: str) -> Floats:
    if is_text(y_true):
        raise InputError(
            f"The arm {arm!r} needs numbers in 'y_true', but it holds text. For ordered classes "
            "use arm='ordinal', for two classes arm='probability' with y_true == 'yes'."
        )
    values = to_numpy(read_array(y_true, "y_true"))
    check_finite(values, "y_true")
    return values


def _regression(y_true: Any, weight: Floats | None) -> Problem:
    return RegressionProblem(_numbers(y_true, "regression"), weight)


def _cutoff(
    y_true: Any,
    weight: Floats | None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
) -> Problem:
    costs = [
        check_positive(false_positive_cost, "false_positive_cost"),
        check_positive(false_negative_cost, "false_negative_cost"),
    ]
    return CutoffDecisions(_numbers(y_true, "cutoff"), weight, *costs)


def _probability(y_true: Any, weight: Floats | None, prevalence: float | None = None) -> Problem:
    labels = _numbers(y_true, "probability")
    return ProbabilityProblem.of(labels, weight, prevalence=prevalence)


def _ordinal(y_true: Any, weight: Floats | None, **options: Any) -> Problem:
    return OrdinalProblem.of(y_true, weight, **options)


def _impact(
    y_true: Any,
    weight: Floats | None,
    utility: Any = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Problem:
    if utility is None:
        raise InputError(
            "The arm 'impact' needs 'utility': what accepting a case is worth, such as "
            "value_times_price."
        )
    numbers = _numbers(y_true, "impact")
    offers = read_offers(y_true, np.zeros(len(numbers)), utility, weight, at_least, at_most)
    total = offers.sample.total_weight
    made = isinstance(utility, LinearUtility)
    # Over the rows as given: those of weight 0 are taken out later, with all columns.
    slope, intercept = (offers.sample.per_row(each) for each in (offers.slope, offers.intercept))
    whole = utility.to_numpy() if made else LinearUtility(slope, intercept, offers.scale)
    limits = offers.at_least / total, min(offers.at_most / total, 1.0)
    return ImpactProblem(whole, weight, None if made else utility, *limits)


ARMS: dict[str, Callable[..., Problem]] = {
    "regression": _regression,
    "cutoff": _cutoff,
    "ordinal": _ordinal,
    "probability": _probability,
    "impact": _impact,
}


def read_problem(arm: str, y_true: Any, weight: Floats | None, options: dict[str, Any]) -> Problem:
    """Return the problem of an arm, with its own options."""
    if not isinstance(arm, str) or arm not in ARMS:
        raise InputError(f"'arm' must be one of {', '.join(map(repr, ARMS))}, got {arm!r}.")
    try:
        return ARMS[arm](y_true, weight, **options)
    except TypeError as error:
        name = str(error).rpartition("argument ")[2]
        if "unexpected keyword" not in str(error):
            raise
        raise InputError(f"The arm {arm!r} does not know {name}.") from None

"""The impact arm, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from roctopus.concepts.arm import Arm, Scanned, read_numbers
from roctopus.concepts.registry import metrics_of
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.impact import expected, scores
from roctopus.impact.cases import read_offers
from roctopus.impact.pictures import profile_picture
from roctopus.impact.problem import ImpactProblem
from roctopus.impact.streams import ImpactGrid
from roctopus.impact.utilities import LinearUtility
from roctopus.impact.words import PANEL, SPOKEN, ask, part, recorded


def _problem(
    y_true: Any,
    weight: Floats | None,
    utility: Any = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> ImpactProblem:
    if utility is None:
        raise InputError(
            f"The arm 'impact' needs {arg('utility')}: what accepting a case is worth, such as "
            "value_times_price."
        )
    numbers = read_numbers(y_true, "impact")
    offers = read_offers(y_true, np.zeros(len(numbers)), utility, weight, at_least, at_most)
    total = offers.sample.total_weight
    made = isinstance(utility, LinearUtility)
    # Over the rows as given: those of weight 0 are taken out later, with all columns.
    slope, intercept = (offers.sample.per_row(each) for each in (offers.slope, offers.intercept))
    whole = utility.to_numpy() if made else LinearUtility(slope, intercept, offers.scale)
    limits = offers.at_least / total, min(offers.at_most / total, 1.0)
    return ImpactProblem(whole, weight, None if made else utility, *limits)


def _check_scan(options: Mapping[str, Any]) -> None:
    utility = options.get("utility")
    try:
        weighted = "sample_weight" in signature(utility).parameters if callable(utility) else True
    except (TypeError, ValueError):  # some of C have no signature
        weighted = False
    if weighted:
        raise InputError(
            f"With a source, {arg('utility')} must make what accepting is worth from the truths of "
            "any rows, as value_times_price does."
        )


def _scanned(rows: Scanned) -> ImpactProblem:
    options = {**rows.options, "utility": rows.small.truth}
    found = _problem(rows.small.prediction, rows.small.weight, **options)
    return replace(found, make=rows.options["utility"])


IMPACT = Arm(
    name="impact",
    question="Every case has its own worth, and prices move. What do I earn?",
    problem=_problem,
    options=("utility", "at_least", "at_most"),
    context=ImpactProblem.context,
    context_kind=ImpactProblem.context_kind,
    knob="threshold",
    responses=("predict_proba", "decision_function", "predict"),
    metrics=metrics_of(scores, expected),
    grid=ImpactGrid,
    pictures={"profile": profile_picture},
    words={
        "question": "Which model, which threshold, at which price?",
        "context": "price",
        "symbol": "θ",
        "left": "low prices",
        "right": "high prices",
        "untuned": "believing predictions",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    recorded=recorded,
    part=part,
    check_scan=_check_scan,
    scanned=_scanned,
)

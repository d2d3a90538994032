"""The impact arm, as a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.concepts.arm import Arm, Scanned
from roctopus.concepts.registry import metrics_of
from roctopus.core.arrays import Floats
from roctopus.core.checks import read_finite
from roctopus.core.errors import InputError, arg
from roctopus.core.given import takes
from roctopus.core.labels import number_labels
from roctopus.impact import expected, scores
from roctopus.impact.cases import read_offers
from roctopus.impact.cells import OfferCells
from roctopus.impact.periods import read_periods
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
    pos_label: Any = None,
    capacity: float | None = None,
    per: Any = None,
) -> ImpactProblem:
    if utility is None:
        raise InputError(
            f"The arm 'impact' needs {arg('utility')}, a function that returns the value of "
            "accepting each case, such as value_times_price."
        )
    if capacity is not None and at_most is not None:
        raise InputError(
            f"{arg('capacity')} and {arg('at_most')} both limit how many cases are accepted. Use "
            "only one of these arguments."
        )
    at_most = capacity if at_most is None else at_most
    truth, classes = _read_truths(y_true, pos_label)
    periods = read_periods(per, len(truth), at_least, at_most)
    if periods is not None:
        at_least, at_most = periods.limits(weight)
    offers = read_offers(truth, np.zeros(len(truth)), utility, weight, at_least, at_most)
    total = offers.sample.total_weight
    made = isinstance(utility, LinearUtility)
    # Over the rows as given: those of weight 0 are taken out later, with all columns.
    slope, intercept = (offers.sample.per_row(each) for each in (offers.slope, offers.intercept))
    whole = utility.to_numpy() if made else LinearUtility(slope, intercept, offers.scale)
    limits = offers.at_least / total, min(offers.at_most / total, 1.0)
    return ImpactProblem(whole, weight, None if made else utility, *limits, classes, periods)


def _read_truths(y_true: Any, pos_label: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return values as they are, or two classes as 0 and 1; and the classes, if they are."""
    labels = number_labels(y_true)
    if labels.text or pos_label is not None:
        two = labels.read("y_true", pos_label)
        return two.values, two.classes
    numbers = read_finite(labels.column, "y_true")
    two_classes = np.all((numbers == 0.0) | (numbers == 1.0))
    return labels.column, (labels.names or (0, 1)) if two_classes else ()


def _check_scan(options: Mapping[str, Any]) -> None:
    utility = options.get("utility")
    if not callable(utility) or takes(utility, "sample_weight"):
        raise InputError(
            f"If data are read in parts (files, a dataset, a query), {arg('utility')} must be a "
            "function, such as value_times_price. It takes the true values, and returns what "
            "accepting each case earns."
        )


def _scanned(rows: Scanned) -> ImpactProblem:
    options = {**rows.options, "utility": rows.small.truth, "pos_label": None}
    found = _problem(rows.small.prediction, rows.small.weight, **options)
    return replace(found, make=rows.options["utility"], classes=rows.labels or ())


IMPACT = Arm(
    name="impact",
    question="Every case has its own value, and prices change. What do I earn?",
    problem=_problem,
    options=("utility", "at_least", "at_most", "pos_label", "capacity", "per"),
    columns=("per",),
    context=ImpactProblem.context,
    context_kind=ImpactProblem.context_kind,
    knob="threshold",
    responses=("predict_proba", "decision_function", "predict"),
    metrics=metrics_of(scores, expected),
    grid=ImpactGrid,
    pictures={"profile": profile_picture},
    cells=OfferCells,
    words={
        "question": "Which model, which threshold, at which price?",
        "context": "price",
        "symbol": "θ",
        "left": "low prices",
        "right": "high prices",
        "untuned": "the predictions as they are",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    recorded=recorded,
    part=part,
    check_scan=_check_scan,
    scanned=_scanned,
)

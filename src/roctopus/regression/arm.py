"""The regression arm, as a record."""

from __future__ import annotations

from typing import Any

from roctopus.concepts.arm import Arm, read_numbers
from roctopus.concepts.registry import metrics_of
from roctopus.core.arrays import Floats
from roctopus.regression import (
    costs,
    curves,
    exponential,
    points,
    quantiles,
    ranking,
    shifts,
    two_costs,
)
from roctopus.regression.cells import ErrorCells
from roctopus.regression.pictures import rroc_picture
from roctopus.regression.problem import RegressionProblem
from roctopus.regression.streams import RegressionGrid
from roctopus.regression.words import PANEL, SPOKEN, ask


def _problem(y_true: Any, weight: Floats | None) -> RegressionProblem:
    return RegressionProblem(read_numbers(y_true, "regression"), weight)


REGRESSION = Arm(
    name="regression",
    question="Too low and too high cost differently. Which model, which shift?",
    problem=_problem,
    options=(),
    context=RegressionProblem.context,
    context_kind=RegressionProblem.context_kind,
    knob="shift",
    responses=("predict",),
    metrics=metrics_of(points, shifts, curves, costs, two_costs, quantiles, exponential, ranking),
    grid=RegressionGrid,
    pictures={"rroc": rroc_picture},
    cells=ErrorCells,
    words={
        "question": "Which model, which shift?",
        "context": "asymmetry",
        "symbol": "α",
        "left": "over-estimates cost more",
        "middle": "equal costs",
        "right": "under-estimates cost more",
        "untuned": "no shift",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    own_costs=RegressionProblem.cost_names,
    on_truth_scale=True,
)

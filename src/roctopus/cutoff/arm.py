"""The cutoff arm, as a record."""

from __future__ import annotations

from typing import Any

from roctopus.concepts.arm import Arm, read_numbers
from roctopus.concepts.registry import metrics_of
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_not_negative
from roctopus.cutoff import areas, bands, errors, expected, output_areas, trivial
from roctopus.cutoff.cases import ErrorCosts
from roctopus.cutoff.cells import WrongCells
from roctopus.cutoff.pictures import map_picture
from roctopus.cutoff.problem import CutoffDecisions
from roctopus.cutoff.streams import CutoffGrid
from roctopus.cutoff.words import COSTS, PANEL, SPOKEN, ask, recorded


def _problem(
    y_true: Any,
    weight: Floats | None,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
) -> CutoffDecisions:
    costs = ErrorCosts(
        *(
            check_not_negative(cost, name)
            for cost, name in zip((false_positive_cost, false_negative_cost), COSTS, strict=True)
        )
    )
    truths = read_numbers(y_true, "cutoff")
    return CutoffDecisions(truths, weight, costs.false_positive, costs.false_negative)


CUTOFF = Arm(
    name="cutoff",
    question="I predict a number, and say yes or no at a cutoff that comes later.",
    problem=_problem,
    options=COSTS,
    context=CutoffDecisions.context,
    context_kind=CutoffDecisions.context_kind,
    knob="margin",
    responses=("predict",),
    metrics=metrics_of(areas, output_areas, bands, errors, expected, trivial),
    grid=CutoffGrid,
    pictures={"map": map_picture},
    cells=WrongCells,
    words={
        "question": "Which model, for which cutoff?",
        "context": "cutoff",
        "symbol": "c",
        "left": "low cutoffs",
        "right": "high cutoffs",
        "plain": "the cutoff is {}",
        "untuned": "as it is",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    recorded=recorded,
    infinite_predictions=True,
    on_truth_scale=True,
    moves_with_context=True,
)

"""The probability arm, as a record."""

from __future__ import annotations

from dataclasses import replace

from roctopus.concepts.arm import Arm, Scanned
from roctopus.concepts.ranked_cells import RankedCells
from roctopus.concepts.registry import metrics_of
from roctopus.core.errors import InputError, arg
from roctopus.probability import (
    areas,
    benefit,
    calibration,
    operating,
    partial,
    precision,
    proper,
    rates,
)
from roctopus.probability.pictures import reliability_picture, roc_picture
from roctopus.probability.problem import ProbabilityProblem
from roctopus.probability.streams import ProbabilityGrid
from roctopus.probability.words import PANEL, SPOKEN, ask, recorded


def _scanned(rows: Scanned) -> ProbabilityProblem:
    if len(rows.classes) > 2:
        told = ", ".join(f"{label:g}" for label in rows.classes[:5])
        told += ", …" if len(rows.classes) > 5 else ""
        raise InputError(
            f"The column {rows.column!r} must have two classes, but has {len(rows.classes)} "
            f"({told}). For ordered classes, use {arg('arm', 'ordinal')}."
        )
    options = {
        name: each for name, each in rows.options.items() if name not in ("pos_label", "labels")
    }
    made = ProbabilityProblem.of(rows.small.truth, rows.small.weight, **options)
    return made if rows.labels is None else replace(made, classes=rows.labels)


PROBABILITY = Arm(
    name="probability",
    question="A fair curve, area and threshold for probabilities.",
    problem=ProbabilityProblem.of,
    options=("prevalence", "pos_label", "labels"),
    context=ProbabilityProblem.context,
    context_kind=ProbabilityProblem.context_kind,
    knob="threshold",
    responses=("predict_proba", "decision_function", "predict"),
    metrics=metrics_of(areas, partial, operating, precision, proper, calibration, rates, benefit),
    grid=ProbabilityGrid,
    pictures={"roc": roc_picture, "reliability": reliability_picture},
    cells=RankedCells,
    words={
        "question": "Which model, which threshold?",
        "context": "cost proportion",
        "symbol": "c",
        "left": "misses cost more",
        "middle": "equal costs",
        "right": "false alarms cost more",
        "untuned": "threshold c",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    recorded=recorded,
    own_costs=ProbabilityProblem.cost_names,
    prediction_range=(0.0, 1.0),
    scanned=_scanned,
)

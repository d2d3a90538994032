"""The ordinal arm, as a record."""

from __future__ import annotations

import numpy as np

from roctopus.concepts.arm import Arm, Scanned
from roctopus.concepts.ranked_cells import RankedCells
from roctopus.concepts.registry import metrics_of
from roctopus.core.errors import InputError
from roctopus.ordinal import pairs, volume
from roctopus.ordinal.pictures import classes_picture
from roctopus.ordinal.problem import OrdinalProblem
from roctopus.ordinal.streams import OrdinalGrid
from roctopus.ordinal.thresholds import loss_matrix
from roctopus.ordinal.words import PANEL, SPOKEN, ask, recorded


def _scanned(rows: Scanned) -> OrdinalProblem:
    """Raise an error for losses under which sorting the cases of a bucket is not optimal."""
    truth = rows.small.truth
    if rows.labels is not None:
        truth = [rows.labels[int(code)] for code in truth]
    made = OrdinalProblem.of(truth, rows.small.weight, **rows.options)
    for k, row in enumerate(loss_matrix(made.labels, made.loss, None)):
        if np.any(np.diff(row[: k + 1]) > 0.0) or np.any(np.diff(row[k:]) < 0.0):
            raise InputError(
                "For data that do not fit into memory, a class farther from the true class must "
                "cost at least as much as a nearer class. With this loss, this is not so for the "
                f"true class {made.labels[k]!r}. Use another loss, or a sample that fits into "
                "memory."
            )
    return made


ORDINAL = Arm(
    name="ordinal",
    question="I grade cases. Does the ranking hold, and where do I cut?",
    problem=OrdinalProblem.of,
    options=("labels", "loss", "costs", "moving", "costs_between"),
    context=OrdinalProblem.context,
    context_kind=OrdinalProblem.context_kind,
    knob="thresholds",
    responses=("predict_proba", "predict"),
    metrics=metrics_of(pairs, volume),
    grid=OrdinalGrid,
    pictures={"thresholds": classes_picture},
    cells=RankedCells,
    words={
        "question": "Which model, which thresholds?",
        "context": "cost",
        "symbol": "cost",
        "left": "low cost",
        "right": "high cost",
        "untuned": "nearest grade",
    },
    spoken=SPOKEN,
    panel=PANEL,
    ask=ask,
    recorded=recorded,
    text_truths=True,
    scanned=_scanned,
)

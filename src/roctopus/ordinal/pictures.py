"""The picture of the ordinal arm: classes along the score, and thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import Knobs
from roctopus.concepts.problem import Predictions
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.ordinal.problem import OrdinalProblem
from roctopus.ordinal.surface import roc_surface

BINS, SURFACE_STEPS = 30, 16


def classes_picture(
    problem: OrdinalProblem, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    count = len(problem.labels)
    weight = np.ones(len(problem)) if problem.weight is None else problem.weight
    code = problem.y_true.astype(int)
    shapes = []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        step = _round_step(prediction)
        edges, density = [], []
        for k in range(count):
            mine = code == k
            edges.append(_edges(prediction, prediction[mine], step, least))
            share = np.histogram(prediction[mine], edges[-1], weights=weight[mine])[0]
            density.append(share / max(share.sum(), 1e-300) / np.diff(edges[-1]))
        shape: dict[str, Any] = {
            "edges": edges,
            "density": density,
            "thresholds": knob,
        }
        steps = min(SURFACE_STEPS, int(np.bincount(code).min()) // least)
        if count == 3 and steps >= 3:
            shape["surface"] = _surface(problem, prediction, steps)
        shapes.append(shape)
    return {
        "kind": "distributions",
        "title": "Scores of each class, and where to cut",
        "x": "score",
        "classes": [str(each) for each in problem.labels],
        "models": shapes,
    }


def _round_step(prediction: Floats) -> float:
    span = float(np.ptp(prediction)) or max(abs(float(prediction[0])), 1.0)
    return float(10.0 ** np.floor(np.log10(span) - 1.0))


def _edges(prediction: Floats, mine: Floats, step: float, least: int) -> Floats:
    """Return borders of bins that hold ``least`` cases of a class: equal ones, joined if needed.

    Their ends are round numbers, not the extremes.
    """
    low = np.floor(float(prediction.min()) / step) * step
    high = np.ceil(float(prediction.max()) / step) * step
    equal = np.linspace(low, high if low < high else low + step, BINS + 1)
    counts = np.histogram(mine, equal)[0]
    kept, held = [float(equal[0])], 0
    for edge, more in zip(equal[1:-1].tolist(), counts[:-1].tolist(), strict=True):
        held += more
        if held >= least:
            kept.append(edge)
            held = 0
    if held + counts[-1] < least and len(kept) > 1:
        kept.pop()
    return np.array([*kept, float(equal[-1])])


def _surface(problem: OrdinalProblem, prediction: Floats, steps: int) -> dict[str, Any] | None:
    try:
        surface = roc_surface(
            problem.y_true, prediction, labels=[0, 1, 2], sample_weight=problem.weight
        )
        corners, triangles = surface.triangles(steps)
    except InputError:
        return None
    return {"corners": np.ravel(corners), "triangles": np.ravel(triangles).tolist()}

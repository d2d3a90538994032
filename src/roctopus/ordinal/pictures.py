"""The picture of the ordinal arm: classes along the score, and thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import Drawn, Knobs
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.ordinal.problem import OrdinalProblem
from roctopus.ordinal.surface import roc_surface

BINS, SURFACE_STEPS = 30, 16


def classes_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    shapes = []
    for (problem, prediction), knob in zip(cases.values(), knobs, strict=True):
        count = len(problem.labels)
        weight = np.ones(len(problem)) if problem.weight is None else problem.weight
        code = problem.y_true.astype(int)
        edges = _edges(prediction)
        density = []
        for k in range(count):
            mine = code == k
            share = np.histogram(prediction[mine], edges, weights=weight[mine])[0]
            density.append(share / max(share.sum(), 1e-300) / np.diff(edges))
        shape: dict[str, Any] = {
            "edges": [edges] * count,
            "density": density,
            "thresholds": knob,
        }
        if count == 3:
            shape["surface"] = _surface(problem, prediction)
        shapes.append(shape)
    return {
        "kind": "distributions",
        "title": "Scores of each class, and where to cut",
        "x": "score",
        "classes": [str(each) for each in next(iter(cases.values()))[0].labels],
        "models": shapes,
    }


def _round_step(prediction: Floats) -> float:
    span = float(np.ptp(prediction)) or max(abs(float(prediction[0])), 1.0)
    return float(10.0 ** np.floor(np.log10(span) - 1.0))


def _edges(prediction: Floats) -> Floats:
    """Return borders of bins of equal width that end at round numbers."""
    step = _round_step(prediction)
    low = np.floor(float(prediction.min()) / step) * step
    high = np.ceil(float(prediction.max()) / step) * step
    return np.linspace(low, high if low < high else low + step, BINS + 1)


def _surface(problem: OrdinalProblem, prediction: Floats) -> dict[str, Any] | None:
    try:
        surface = roc_surface(
            problem.y_true, prediction, labels=[0, 1, 2], sample_weight=problem.weight
        )
        corners, triangles = surface.triangles(SURFACE_STEPS)
    except InputError:
        return None
    return {"corners": np.ravel(corners), "triangles": np.ravel(triangles).tolist()}

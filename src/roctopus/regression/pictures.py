"""The picture of the regression arm: RROC space."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import POINTS, Knobs, thin
from roctopus.concepts.problem import Predictions
from roctopus.core.arrays import Floats
from roctopus.regression.curves import rroc_curve
from roctopus.regression.problem import RegressionProblem


def rroc_picture(
    problem: RegressionProblem, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    curves, points = [], []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        curve = rroc_curve(problem.y_true, prediction, sample_weight=problem.weight, normalize=True)
        point = dict(zip("xy", curve.sums_at(knob[0]), strict=True))
        points.append(point)
        # The points of all stored contexts are the curve; nothing more of it is told.
        drawn = point
        if least == 1:
            over, under, _ = curve.vertices()
            at = thin(np.arange(1.0, len(over) + 1.0), 1.0, POINTS)
            drawn = {"x": over[at], "y": under[at]}
        curves.append(drawn)
    with np.errstate(divide="ignore"):
        slope = (1.0 - contexts) / contexts
    return {
        "kind": "tradeoff",
        "title": "RROC space: the line of equal loss touches the best model",
        "x": "mean over-estimation",
        "y": "mean under-estimation",
        "corner": "top left",
        "views": [{"name": "RROC", "curves": curves, "points": points}],
        "slope": slope,
    }

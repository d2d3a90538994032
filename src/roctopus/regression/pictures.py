"""The picture of the regression arm: RROC space."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import POINTS, Drawn, Knobs, thin
from roctopus.core.arrays import Floats
from roctopus.regression.curves import rroc_curve


def rroc_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    curves, points = [], []
    for (problem, prediction), knob in zip(cases.values(), knobs, strict=True):
        curve = rroc_curve(problem.y_true, prediction, sample_weight=problem.weight, normalize=True)
        points.append(dict(zip("xy", curve.sums_at(knob[0]), strict=True)))
        over, under, _ = curve.vertices()
        at = thin(np.arange(1.0, len(over) + 1.0), POINTS)
        curves.append({"x": over[at], "y": under[at]})
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

"""The pictures of the probability arm: ROC and pROC space, and reliability."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import POINTS, Drawn, Knobs, thin
from roctopus.concepts.tradeoff_curve import ROCCurve
from roctopus.core.arrays import Floats
from roctopus.probability.cases import read_scores
from roctopus.probability.curves import smoothed_roc_curve
from roctopus.probability.reliability import reliability_curve
from roctopus.probability.widths import canonical_width

SMOOTH_UP_TO = 20_000
"""Cases up to which curves of smoothed probabilities are drawn, too."""


def roc_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    plain: dict[str, Any] = {"name": "ROC", "curves": [], "points": []}
    smooth: dict[str, Any] = {"name": "pROC", "curves": [], "points": None}
    for (problem, prediction), knob in zip(cases.values(), knobs, strict=True):
        positive = float(np.average(problem.y_true, weights=problem.weight))
        reading: dict[str, Any] = {"sample_weight": problem.weight}
        scored = read_scores(problem.y_true, prediction, problem.weight)
        curve = ROCCurve.between(scored.negatives, scored.positives)
        false, true, threshold = (np.asarray(each) for each in curve.vertices())
        accepted = positive * true + (1.0 - positive) * false
        order = np.argsort(accepted, kind="stable")
        at = order[thin(accepted[order], POINTS)]
        plain["curves"].append({"x": false[at], "y": true[at]})
        where = np.minimum(np.searchsorted(threshold, knob[0]), len(threshold) - 1)
        plain["points"].append({"x": false[where], "y": true[where]})
        if len(problem) <= SMOOTH_UP_TO and not problem.scored:
            width = canonical_width(problem.y_true, prediction, **reading).width
            drawn = smoothed_roc_curve(
                problem.y_true, prediction, width=width or 0.0, points=201, **reading
            )
            x, y, _ = (np.asarray(each) for each in drawn.vertices())
            smooth["curves"].append({"x": x, "y": y})
    share = positive if problem.prevalence is None else problem.prevalence
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = contexts * (1.0 - share) / ((1.0 - contexts) * share)
    return {
        "kind": "tradeoff",
        "title": "ROC space: the line of equal cost touches the best model",
        "x": "false positive rate",
        "y": "true positive rate",
        "corner": "top left",
        "views": [plain, smooth] if smooth["curves"] else [plain],
        "slope": slope,
        "diagonal": True,
    }


def reliability_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return outcomes against probabilities as data."""
    curves = []
    for problem, prediction in cases.values():
        found = reliability_curve(problem.y_true, prediction, sample_weight=problem.weight)
        at = thin(np.cumsum(found.mass), POINTS)
        curves.append({"x": found.probability[at], "y": found.outcome[at]})
    return {
        "kind": "tradeoff",
        "title": "Reliability: how often it happens at each predicted probability",
        "x": "probability",
        "y": "share of positives, made increasing",
        "views": [{"name": "reliability", "curves": curves, "points": None}],
        "slope": None,
        "diagonal": True,
    }

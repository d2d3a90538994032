"""The picture of the impact arm: what accepting more would earn."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import POINTS, Knobs, cases_that_count, thin
from roctopus.concepts.problem import Predictions
from roctopus.core.arrays import Floats
from roctopus.impact.cases import read_scored
from roctopus.impact.problem import ImpactProblem


def profile_picture(
    problem: ImpactProblem, predictions: Predictions, contexts: Floats, knobs: Knobs, least: int
) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    curves = []
    for prediction, knob in zip(predictions.values(), knobs, strict=True):
        offers = read_scored(prediction, problem.utility, problem.weight)
        slope, intercept = offers.lines
        accepted = np.asarray(offers.accepted)
        total = offers.sample.total_weight
        count = accepted / total * cases_that_count(problem)
        at = thin(count, float(least), POINTS)
        if least > 1:  # beside a capacity, a few cases could be told apart
            limits = cases_that_count(problem) * np.array([problem.at_least, problem.at_most])
            beside = np.abs(count[at][:, None] - limits[None, :]) < least
            ends = (count[at] == 0.0) | (count[at] == count[-1])
            at = at[ends | ~beside.any(axis=1)]
        cut = np.searchsorted(-offers.threshold, -knob[0], side="right") - 1
        curves.append(
            {
                "x": accepted[at] / total,
                "slope": slope[at] / total,
                "intercept": (intercept[at] - slope[at] * offers.origin) / total,
                "at": accepted[np.clip(cut, 0, len(accepted) - 1)] / total,
            }
        )
    return {
        "kind": "profile",
        "title": "Profile: what accepting more would earn at this price",
        "x": "share accepted",
        "y": problem.outcome,
        "curves": curves,
        "limits": [problem.at_least, problem.at_most],
    }

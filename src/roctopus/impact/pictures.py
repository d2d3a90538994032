"""The picture of the impact arm: what accepting more would earn."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.pictures import POINTS, Drawn, Knobs, thin
from roctopus.core.arrays import Floats
from roctopus.impact.cases import read_scored


def profile_picture(cases: Drawn, contexts: Floats, knobs: Knobs) -> dict[str, Any]:
    """Return it as data; ``knobs`` are those shown, per model and context."""
    curves = []
    for (problem, prediction), knob in zip(cases.values(), knobs, strict=True):
        offers = read_scored(prediction, problem.utility, problem.weight)
        slope, intercept = offers.lines
        accepted = np.asarray(offers.accepted)
        total = offers.sample.total_weight
        at = thin(accepted, POINTS)
        cut = np.searchsorted(-offers.threshold, -knob[0], side="right") - 1
        curves.append(
            {
                "x": accepted[at] / total,
                "slope": slope[at] / total,
                "intercept": (intercept[at] - slope[at] * offers.origin) / total,
                "at": accepted[np.clip(cut, 0, len(accepted) - 1)] / total,
            }
        )
    problem = next(iter(cases.values()))[0]
    return {
        "kind": "profile",
        "title": "Profile: what accepting more would earn at this price",
        "x": "share accepted",
        "y": problem.outcome,
        "curves": curves,
        "limits": [problem.at_least, problem.at_most],
    }

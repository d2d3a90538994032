"""How far a setting may move without costing more than is tolerated."""

from __future__ import annotations

import itertools

import numpy as np

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.moments import weighted_mean
from roctopus.inference.aims import Aim
from roctopus.inference.policies import outcomes_for, sign_of

LOOKED_AT = 2_000
"""So many cases, evenly spread over the rows, stand for all."""
TRIED = 65
"""So many settings are tried between the smallest and the largest."""


def settings_within(
    problem: Problem, prediction: Floats, aim: Aim, knob: Floats, tolerance: float
) -> tuple[float, float] | None:
    """Return the range of settings around one that cost at most the tolerance more per case.

    Costs are those on the data used for tuning. None where a setting is several numbers or
    infinite, and where a capacity must be kept.
    """
    limited = problem.unlimited() is not problem
    if len(knob) != 1 or not np.isfinite(knob[0]) or limited or aim.criterion == "regret":
        return None
    rows = np.unique(np.linspace(0, len(problem) - 1, LOOKED_AT).astype(np.intp))
    cases, mine = problem.take(rows), prediction[rows]
    values = cases.knob_values(mine)
    values = np.append(values[np.isfinite(values)], knob)
    tried = np.unique(np.append(np.quantile(values, np.linspace(0.0, 1.0, TRIED)), knob))
    sign = sign_of(problem)

    def cost(setting: float) -> float:
        columns = outcomes_for(cases, mine, np.array([setting]), aim)
        return max(sign * weighted_mean(each, cases.weight) for each in columns)

    most, at = cost(float(knob[0])) + tolerance, int(np.searchsorted(tried, knob[0]))

    def farthest(settings: list[float]) -> float:
        *_, last = float(knob[0]), *itertools.takewhile(lambda each: cost(each) <= most, settings)
        return last

    return farthest(tried[:at][::-1].tolist()), farthest(tried[at + 1 :].tolist())

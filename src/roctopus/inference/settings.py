"""How far a setting may move: without costing more than is tolerated, and by chance."""

from __future__ import annotations

import numpy as np

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.aims import Aim
from roctopus.inference.folds import Rows
from roctopus.inference.policies import outcomes_for, sign_of, tune_for

LOOKED_AT = 2_000
"""So many cases, evenly spread over the rows, stand for all."""
TRIED = 65
"""So many settings are tried between the smallest and the largest."""
DRAWS = 200


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
        return max(sign * float(np.average(each, weights=cases.weight)) for each in columns)

    good = np.array([cost(each) for each in tried.tolist()]) <= cost(float(knob[0])) + tolerance
    at = int(np.searchsorted(tried, knob[0]))
    bad = np.flatnonzero(~good)
    below, above = bad[bad < at], bad[bad > at]
    first = int(below[-1]) + 1 if len(below) else 0
    last = int(above[0]) - 1 if len(above) else len(tried) - 1
    return float(tried[first]), float(tried[last])


def setting_interval(
    problem: Problem,
    prediction: Floats,
    aim: Aim,
    knob: Floats,
    *,
    smooth: bool,
    confidence_level: float = 0.95,
    rng: Random = 0,
) -> tuple[float, float]:
    """Return a confidence set for the best setting, by subsampling.

    Settings tuned on many small parts of the cases differ from the one tuned on all by a known
    factor more than that differs from the best: √(n/b) where costs are ``smooth`` around it, as of
    a shift, and ∛(n/b) for thresholds, with b = n^(2/3) cases in each part. It takes cases as
    independent.
    """
    size = len(problem)
    part = max(int(size ** (2.0 / 3.0)), 2)
    generator = read_generator(rng)
    none = np.zeros(len(aim.contexts))
    values = problem.knob_values(prediction)
    ends = float(values.min()), float(values.max())
    middle, apart = float(np.clip(knob[0], *ends)), []
    for _ in range(DRAWS):
        rows: Rows = generator.choice(size, part, replace=False)
        try:
            found = tune_for(problem.take(rows), prediction[rows], aim, none).chosen[0]
        except InputError:  # as of a part with one class only
            continue
        apart.append(abs(float(np.clip(found, *ends)) - middle))
    if len(apart) < DRAWS // 4:
        raise InputError("There are too few cases of a class for an interval of the setting.")
    factor = (part / size) ** (1.0 / 3.0)
    if smooth:  # a part is a part of the whole: it differs from it by less
        factor = np.sqrt(part / size / (1.0 - part / size))
    reach = float(np.quantile(apart, confidence_level)) * float(factor)
    return float(knob[0]) - reach, float(knob[0]) + reach

"""The columns of a ranking: settings, values, and which models may be best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.concepts.problem import Problem
from roctopus.inference.aims import Aim
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned


def ranking(
    problem: Problem,
    aim: Aim,
    found: tuple[Learned, Honest],
    untuned: Mapping[str, float],
    level: float,
) -> dict[str, Any]:
    """Return the columns of a ranking: knobs, values in-sample and honest, who may be best."""
    learned, honest = found
    names = learned.ranked
    columns: dict[str, Any] = {}
    if problem.knob_name is not None:
        knobs = np.array([learned.knobs[name].chosen for name in names])
        if knobs.shape[1] == 1:
            columns[problem.knob_name] = knobs[:, 0]
        else:
            columns |= {f"{problem.knob_name}_{k + 1}": part for k, part in enumerate(knobs.T)}
    what = "regret" if aim.criterion == "regret" else problem.sense
    ends = [honest.models[name].confidence_interval(level) for name in names]
    return columns | {
        f"{what}_in_sample": [learned.scores[name] for name in names],
        what: [honest.models[name].value for name in names],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "untuned": [untuned[name] for name in names],
        "may_be_best": [honest.chances[name] > 1.0 - level for name in names],
    }


def ranked_columns(
    comparison: AnyModels,
    asked: tuple[Any, Any, Any],
    context: dict[str, Any],
    level: float,
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the models, best first if something is asked, and their columns in this order."""
    if not context and all(each is None for each in (*asked, comparison.contexts)):
        return comparison.models, {"model": list(comparison.models)}
    problem, aim = comparison.aim(*asked, context)
    found = comparison.learned(problem, aim)
    ranked = found[0].ranked
    columns = ranking(problem, aim, found, comparison.untuned(problem, aim), level)
    if isinstance(problem, OwnContexts):
        predictions = cast(ComparedModels, comparison).predictions
        columns["in_sample_if_independent"] = [
            problem.realised(predictions[name], found[0].knobs[name].chosen).independent.value
            for name in ranked
        ]
    return ranked, {"model": list(ranked), **columns}

"""The columns of a table: every model beside every baseline, best first."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.comparison.answers import Weighed, row_columns
from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts


def ranked_columns(
    comparison: AnyModels,
    asked: tuple[Any, Any, Any],
    context: dict[str, Any],
    level: float,
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the models, best first if something is asked, and columns: theirs, then baselines'."""
    if not context and all(each is None for each in (*asked, comparison.contexts)):
        return comparison.models, {"model": list(comparison.models)}
    problem, aim = comparison.aim(*asked, context)
    weighed = Weighed.of(comparison, problem, aim)
    columns = row_columns(weighed.rows(level), weighed.value_name, problem.knob_name)
    ranked = weighed.honest.ranked
    least = weighed.learned.least
    if least:
        none = [np.nan] * (len(columns["model"]) - len(ranked))
        columns["in_sample_at_least"] = [least[name] for name in ranked] + none
    if isinstance(problem, OwnContexts) and isinstance(comparison, ComparedModels):
        predictions = comparison.predictions
        found = [
            problem.realised(predictions[name], weighed.knob(name)).independent.value
            for name in ranked
        ]
        columns["in_sample_if_independent"] = found + [np.nan] * (
            len(columns["model"]) - len(ranked)
        )
    return ranked, columns


def lengthened(columns: dict[str, Any], rows: int) -> dict[str, Any]:
    """Return columns of models with as many rows as there are, unknown of baselines."""
    return {
        name: np.append(np.asarray(each, dtype=np.float64), [np.nan] * (rows - len(each)))
        for name, each in columns.items()
    }

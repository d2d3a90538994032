"""The columns of a comparison's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from roctopus.arms import registered_metrics
from roctopus.comparison.protocol import AnyComparison, ComparisonInMemory
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.concepts.problem import Problem
from roctopus.concepts.registry import Metric, estimate
from roctopus.concepts.streams import Bounded
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.inference.aims import Aim
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned, sign_of, untuned_outcomes

__all__ = ["bounded_measures", "measures", "ranked_columns", "ranking", "untuned_values"]


def untuned_values(
    problem: Problem,
    predictions: Mapping[str, Floats],
    aim: Aim,
    learned: Learned,
    rows: NDArray[np.intp] | None,
) -> dict[str, float]:
    """Return what each model gives if nothing is tuned, by the aim's criterion.

    It is judged on the same cases as honest values are, to be compared with these.
    """
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    if rows is not None and len(rows) < len(problem):
        problem, predictions = problem.take(rows), {m: p[rows] for m, p in predictions.items()}
    found = {}
    for name in predictions:
        outcomes = untuned_outcomes(problem, predictions, aim, learned, name)
        means = np.average(outcomes, weights=problem.weight, axis=0)
        found[name] = float(sign * np.max(sign * means))
    return found


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
    comparison: AnyComparison,
    asked: tuple[Any, Any, Any],
    context: dict[str, Any],
    level: float,
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the models, best first if something is asked, and their columns in this order."""
    own = getattr(comparison, "contexts", None)
    if not context and all(each is None for each in asked) and own is None:
        return comparison.models, {"model": list(comparison.models)}
    problem, aim = comparison.aim(*asked, context)
    found = comparison.learned(problem, aim)
    ranked = found[0].ranked
    columns = ranking(problem, aim, found, comparison.untuned(problem, aim), level)
    if isinstance(problem, OwnContexts):
        predictions = cast(ComparisonInMemory, comparison).predictions
        columns["in_sample_if_independent"] = [
            problem.realised(predictions[name], found[0].knobs[name].chosen).independent.value
            for name in ranked
        ]
    return ranked, {"model": list(ranked), **columns}


def _read_wanted(wanted: str | Sequence[str], known: Sequence[str], where: str) -> list[str]:
    """Return the names of measures that are asked for; refuse those that are not known."""
    if isinstance(wanted, str):
        wanted = known if wanted == "all" else [wanted]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"'measures' names {name!r}, which {where} does not have. It has "
                f"{', '.join(known)}."
            )
    return list(wanted)


def bounded_measures(
    found: Mapping[str, Mapping[str, Bounded]], wanted: str | Sequence[str]
) -> dict[str, Any]:
    """Return measures that are known up to bounds, by model, as columns."""
    known = list(next(iter(found.values())))
    columns: dict[str, Any] = {}
    for measure in _read_wanted(wanted, known, "a comparison beyond memory"):
        for part, name in zip(Bounded._fields, ("", "_at_least", "_at_most"), strict=True):
            columns[f"{measure}{name}"] = [getattr(each[measure], part) for each in found.values()]
    return columns


def measures(
    comparison: ComparisonInMemory,
    names: Sequence[str],
    wanted: str | Sequence[str],
    context: Mapping[str, Any],
    level: float,
) -> dict[str, Any]:
    """Return the arm's measures with their intervals, each model on its own cases."""
    problem, own = comparison.problem, comparison.own
    shared = all(each is problem for each, _ in own.values())
    clusters = comparison.dependence.clusters if shared else None
    dependence = {"clusters": clusters, "hac": comparison.time_ordered}
    known = {metric.name: metric for metric in registered_metrics(problem.arm)}
    columns: dict[str, Any] = {}
    for name in _read_wanted(wanted, list(known), f"the arm {problem.arm!r}"):
        given = _arguments(known[name], problem, context)
        if given is None:
            if wanted == "all":
                continue
            raise InputError(f"The measure {name!r} needs more than the context given.")
        rows = [_row(known[name], *own[model], given, dependence, level) for model in names]
        for part, column in zip(("", "_low", "_high"), zip(*rows, strict=True), strict=True):
            columns[f"{name}{part}"] = list(column)
    return columns


def _arguments(
    metric: Metric, problem: Problem, context: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return the keywords a measure needs, or None if the context does not have them all."""
    known = signature(metric.function).parameters
    found = {name: each for name, each in context.items() if name in known}
    if "normalize" in known:
        found["normalize"] = True
    here = {*found, *problem.metric_arguments()}
    needed = [
        name
        for name, each in known.items()
        if each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty
    ]
    groups = metric.needs
    if not set(needed) <= here or (groups and not any(set(each) <= here for each in groups)):
        return None
    return found


def _row(
    metric: Metric,
    problem: Problem,
    prediction: Floats,
    given: dict[str, Any],
    dependence: dict[str, Any],
    level: float,
) -> tuple[float, float, float]:
    arguments = problem.metric_arguments()
    truth = arguments.pop("y_true", problem.columns()[0])
    known = signature(metric.function).parameters
    for name, value in arguments.items():  # costs and capacity, as compared
        if name in known and name not in given and value is not None:
            given = {**given, name: value}
    if problem.weight is not None:
        given = {**given, "sample_weight": problem.weight}
    try:
        found = estimate(metric.function, truth, prediction, **dependence, **given)
        low, high = found.confidence_interval(level)
    except InputError:  # a measure that these data do not have
        return float("nan"), float("nan"), float("nan")
    return found.value, low, high

"""Metrics as columns of a table: each gets what it needs, or an error says what that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, signature
from typing import Any, NamedTuple, TypeAlias

from roctopus.arms import registered_metrics
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.dependence import INDEPENDENT
from roctopus.concepts.problem import Problem
from roctopus.concepts.registry import Metric, estimate
from roctopus.concepts.streams import Bounded
from roctopus.concepts.wording import listed
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.aims import read_aim

Measures: TypeAlias = str | Sequence[str] | Mapping[str, Mapping[str, Any]]
"""Which metrics: "all", names, or names with arguments for each."""
NONE = (float("nan"), float("nan"), float("nan"))
"""The value and the interval of a metric that these data do not have."""


class TableQuestion(NamedTuple):
    """What a table is asked for."""

    context: Mapping[str, Any]
    between: tuple[float, float] | None
    distribution: Any
    single: Mapping[str, float] = {}
    """The context by its own keyword, for metrics that do not know the words it was given in."""

    @staticmethod
    def of(
        problem: Problem,
        context: Mapping[str, Any],
        between: tuple[float, float] | None,
        distribution: Any,
    ) -> TableQuestion:
        """Read the words of a context; a range in words is one of contexts."""
        if not context:
            return TableQuestion(context, between, distribution)
        context = problem.in_order(context)
        aim = read_aim(problem, given=context)[1]
        ends = (float(aim.contexts.min()), float(aim.contexts.max()))
        if aim.ranged:
            return TableQuestion({}, ends, distribution)
        return TableQuestion(context, between, distribution, {problem.context: ends[0]})


def _read_wanted(wanted: Measures, known: Sequence[str], where: str) -> dict[str, dict[str, Any]]:
    """Return the metrics that are asked for, with their own arguments."""
    if isinstance(wanted, str):
        wanted = known if wanted == "all" else [wanted]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"{arg('measures')} names {name!r}, which is not a metric {where}. The metrics "
                f"are: {', '.join(known)}."
            )
    if not isinstance(wanted, Mapping):
        return {name: {} for name in wanted}
    for name, own in wanted.items():
        if not isinstance(own, Mapping):
            raise InputError(
                f"{arg('measures')} must map each metric to a dictionary of its arguments, as in "
                f"{{{name!r}: {{}}}}, but maps {name!r} to {own!r}."
            )
    return {name: dict(own) for name, own in wanted.items()}


def bounded_columns(found: Mapping[str, Mapping[str, Bounded]], wanted: Measures) -> dict[str, Any]:
    """Return metrics that are known up to bounds, by model, as columns."""
    known = list(next(iter(found.values())))
    columns: dict[str, Any] = {}
    for measure, own in _read_wanted(wanted, known, "for data that do not fit into memory").items():
        if own:
            raise InputError(
                f"{arg('measures')} contains arguments for {measure!r}. Leave them out: if data do "
                "not fit into memory, metrics take no arguments."
            )
        for part, name in zip(Bounded._fields, ("", "_at_least", "_at_most"), strict=True):
            columns[f"{measure}{name}"] = [getattr(each[measure], part) for each in found.values()]
    return columns


def metric_columns(
    comparison: ComparedModels,
    names: Sequence[str],
    wanted: Measures,
    question: TableQuestion,
    level: float,
) -> dict[str, Any]:
    """Return the arm's metrics with their intervals, each model on its own cases.

    Of "all", those are left out that need more than the question says, and one that the data do
    not have is NaN with a warning. A metric asked for by name raises an error instead.
    """
    problem, own = comparison.problem, comparison.own
    shared = all(each is problem for each, _ in own.values())
    about = comparison.dependence if shared else INDEPENDENT
    dependence = {"clusters": about.clusters, "time": about.times}
    known = {metric.name: metric for metric in registered_metrics(problem.arm)}
    asked = _read_wanted(wanted, list(known), f"of the arm {problem.arm!r}")
    columns: dict[str, Any] = {}
    for name, mine in asked.items():
        metric = known[name]
        given = _arguments(metric, question, mine)
        missing = _missing(metric, {*given, *problem.metric_arguments()})
        if missing and wanted == "all":
            continue
        if missing:
            raise InputError(f"The metric {name!r} needs {missing}.")
        given |= dependence
        rows = [_row(metric, model, own[model], given, level, wanted == "all") for model in names]
        for part, column in zip(("", "_low", "_high"), zip(*rows, strict=True), strict=True):
            columns[f"{name}{part}"] = list(column)
    return columns


def _arguments(metric: Metric, question: TableQuestion, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a metric that are given, by the question or for it alone.

    The ends of a range are ``low`` and ``high`` of a metric that must have both.
    """
    known = signature(metric.function).parameters
    for name in own:
        if name not in known or known[name].kind is not Parameter.KEYWORD_ONLY:
            ways = [each for each, kind in known.items() if kind.kind is Parameter.KEYWORD_ONLY]
            told = listed([repr(way) for way in ways]) if ways else "no arguments"
            raise InputError(
                f"The metric {metric.name!r} has no argument {name!r}. It takes {told}."
            )
    words = question.context if set(question.context) & set(known) else question.single
    found = {"normalize": True, **words}
    if question.distribution is not None:
        found["distribution"] = question.distribution
    if question.between is not None and not own and {"low", "high"} <= set(_required(known)):
        found |= dict(zip(("low", "high"), question.between, strict=True))
    return {name: value for name, value in {**found, **own}.items() if name in known}


def _required(known: Mapping[str, Parameter]) -> list[str]:
    """Return the keywords that have no default."""
    return [
        name
        for name, each in known.items()
        if each.kind is Parameter.KEYWORD_ONLY and each.default is Parameter.empty
    ]


def _missing(metric: Metric, here: set[str]) -> str:
    """Return the arguments that a metric lacks, and how to give them; nothing if it lacks none."""
    needed = [name for name in _required(signature(metric.function).parameters) if name not in here]
    ways = [needed] if needed else []
    if metric.needs and not any(set(group) <= here for group in metric.needs):
        ways = [[*needed, *group] for group in metric.needs]
    if not ways:
        return ""
    several = ["both " if len(way) == 2 < len(ways) + 1 else "" for way in ways]
    lacking = ", or ".join(
        both + " and ".join(arg(name) for name in way)
        for both, way in zip(several, ways, strict=True)
    )
    example = ", ".join(f"{name!r}: ..." for name in ways[0])
    return f"{lacking}. Set this in 'measures', as in measures={{{metric.name!r}: {{{example}}}}}"


def _row(
    metric: Metric,
    model: str,
    own: tuple[Problem, Floats],
    given: dict[str, Any],
    level: float,
    lenient: bool,
) -> tuple[float, float, float]:
    """Return a metric of a model; where its data do not have it, warn or raise an error."""
    problem, prediction = own
    known = signature(metric.function).parameters
    try:
        arguments = problem.metric_arguments()  # costs and capacity, as compared
        truth = arguments.pop("y_true", problem.columns()[0])
        here = {n: each for n, each in arguments.items() if n in known and each is not None}
        given = here | given
        if problem.weight is not None:
            given["sample_weight"] = problem.weight
        found = estimate(metric.function, truth, prediction, **given)
        return found.value, *found.confidence_interval(level)
    except InputError as refusal:
        said = (
            f"The metric {metric.name!r} cannot be computed for model {model!r}. {refusal.marked}"
        )
        if not lenient:
            raise InputError(said) from None
        warn(said)
        return NONE

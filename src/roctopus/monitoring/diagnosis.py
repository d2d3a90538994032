"""Why a decision is worse than recorded: its contexts, its setting, or its model and cases.

The three parts add up to the change exactly: each is the step between two of the losses

    recorded → re-tuned, in the old contexts → re-tuned, in the new ones → as decided, in these,

all but the first on the new cases, with knobs that were tuned on other new cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.comparison.rules import follow_rule, learn_rule
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim, read_distribution, recorded_aim
from roctopus.inference.engine import cross_fit, each_part, mean_estimate
from roctopus.inference.folds import Rows, Split, folds
from roctopus.inference.policies import by_curves, ends_of, sign_of
from roctopus.inference.ranges import JUDGED_AT, tune_between, worst_of

FOLDS = 5
RECORDED = 1.959963984540054
"""The recorded interval reaches so many standard errors to each side."""


class Part(NamedTuple):
    """A part of the change: how much is lost per case, negative if gained."""

    loss: float
    standard_error: float


@dataclass(frozen=True)
class Diagnosis:
    """The change of a decision's value, as a loss per case, and the parts it is the sum of."""

    change: float
    context: Part
    """How much more the new contexts cost than the old ones, tuned for each; not repairable."""
    knob: Part
    """What re-tuning would recover."""
    model: Part
    """What is left in the old contexts after re-tuning: the cases, or the model, differ."""
    new_knob: tuple[float, ...]
    """The knob tuned on the new cases, in their contexts; empty where there is none."""
    new_setting: str
    """The same in words."""

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        """The three parts: contexts, setting, model or cases."""
        return self.context, self.knob, self.model

    @property
    def recovers(self) -> float:
        """The share of the change that re-tuning would recover; none where there is no loss."""
        return self.knob.loss / self.change if self.change > 0.0 else 0.0


def is_tunable(comparison: ComparedModels, decision: Decision) -> bool:
    """Tell whether there is a setting that could be tuned again."""
    if comparison.fixed:
        return False
    baseline = comparison.baseline(decision.model)
    if baseline is not None and baseline.knob is not None:
        return False
    return decision.knob_name is not None or bool(decision.regions)


class _View(NamedTuple):
    """How settings are learned and judged in some contexts."""

    learn: Callable[[Rows], Any]
    columns: Callable[[Any, Rows], Floats]
    """The outcomes of some cases, a column per context that may be the worst."""


def recorded_error(decision: Decision) -> float:
    """Return the standard error of the value that a decision recorded."""
    # A low end at 0, below which no loss is, says less than the high end.
    return max(decision.high - decision.value, decision.value - decision.low) / RECORDED


def diagnose(
    comparison: ComparedModels, decision: Decision, distribution: Any = None
) -> tuple[Estimate, Diagnosis]:
    """Return what a decision gives on new cases, and the parts of the change since its record.

    With the contexts of the cases, these are the new ones; else the new contexts are the old ones.
    """
    then, now = _views(comparison, decision, distribution)
    problem = comparison.problem
    sign, weight, every = sign_of(problem), problem.weight, np.arange(len(problem))

    splits = _splits(comparison)

    def worst(columns: Floats) -> Floats:
        """Return losses at the context that looked worst on other cases: else chance adds to it."""
        found = np.empty(len(columns))
        for train, test in splits:
            some = None if weight is None else weight[train]
            means = np.average(columns[train], weights=some, axis=0)
            found[test] = sign * columns[test, int(np.argmax(sign * means))]
        return found

    baseline = comparison.baseline(decision.model)
    share = 1.0 if baseline is None else baseline.share

    def mean(losses: Floats) -> Estimate:
        return mean_estimate(share * losses, weight, comparison.dependence)

    setting: Any = decision.regions or np.array(decision.knob)
    tunable = is_tunable(comparison, decision)
    ranged = decision.criterion == "worst" and not comparison.fixed

    def anew(view: _View) -> Floats:
        if not tunable and not ranged:
            return worst(view.columns(setting, every))
        fitted = cross_fit(
            [splits], len(every), each_part(view.learn), lambda new, rows: [view.columns(new, rows)]
        )
        return worst(fitted.rounds[0][0])

    if tunable:
        as_decided, in_new = worst(now.columns(setting, every)), anew(now)
    else:
        as_decided = in_new = anew(now)
    in_old = in_new if then is now else anew(then)
    found, old = mean(as_decided), mean(in_old)
    recorded = sign * decision.value
    knob, context = mean(as_decided - in_new), mean(in_new - in_old)
    new = now.learn(every) if tunable else ()
    parts = Diagnosis(
        found.value - recorded,
        Part(context.value, context.standard_error),
        Part(knob.value, knob.standard_error),
        Part(old.value - recorded, float(np.hypot(old.standard_error, recorded_error(decision)))),
        () if decision.regions else tuple(np.asarray(new).tolist()),
        _say(decision, new),
    )
    return replace(found.scaled(sign), floor=problem.floor), parts


def _say(decision: Decision, new: Any) -> str:
    if decision.regions:
        return f"a new rule of {len(new)} parts"
    return replace(decision, knob=tuple(np.asarray(new).tolist())).knob_text


def _splits(comparison: ComparedModels) -> list[Split]:
    """Return folds that judge every case; of neighbours in time those that stay together."""
    size, about = len(comparison.problem), comparison.dependence
    if about.times is not None:
        parts = np.array_split(np.arange(int(about.times.max()) + 1), FOLDS)
        inside = [np.isin(about.times, part) for part in parts if len(part)]
        return [(np.flatnonzero(~each), np.flatnonzero(each)) for each in inside]
    units = size if about.clusters is None else int(about.clusters.max()) + 1
    truth, strata = comparison.problem.columns()[0], comparison.problem.strata
    return list(folds(size, min(FOLDS, units), about, truth, comparison.rng, strata))


def _views(
    comparison: ComparedModels, decision: Decision, distribution: Any
) -> tuple[_View, _View]:
    """Return how settings are judged in the contexts of the record, and in those of the cases.

    What does not fit the decision was refused when it was judged.
    """
    given = dict(decision.context)
    problem: Problem = comparison.problem
    prediction = comparison.prediction_of(decision.model)
    met = met_contexts(comparison, decision)
    now = None if met is None else _in_contexts(comparison, *met, decision)
    if "contexts" in given:
        assert met is not None  # the judge has refused it otherwise
        assert now is not None
        cells = np.array(given["cells"])
        old = met[1].as_they_were(cells, given["mean_unit"], problem.weight)
        return _in_contexts(comparison, problem, old, decision), now
    if decision.criterion == "worst":
        problem, aim = recorded_aim(problem, given)
        if by_curves(problem, aim):
            both = _anywhere(problem, prediction, aim, np.array(decision.knob))
        else:
            both = _range(problem, prediction, aim.contexts)
        return both, both
    if "distribution" in given and not problem.linear:
        exact = read_distribution(problem, distribution)
        then = _View(
            lambda rows: problem.take(rows).tune_expected(prediction[rows], exact).chosen,
            lambda knob, rows: problem.take(rows).expected(prediction[rows], knob, exact)[:, None],
        )
        return then, then if now is None else now
    if "distribution" in given:
        context = float(given["mean"])
    else:
        problem, aim = recorded_aim(problem, given)
        context = float(aim.contexts[0])
    single = RowContexts(np.full(len(problem), context))
    then = _in_contexts(comparison, problem, single, decision)
    return then, then if now is None else now


def met_contexts(
    comparison: ComparedModels, decision: Decision
) -> tuple[Problem, RowContexts] | None:
    """Return the contexts of the new cases, and the problem in the unit of the decision."""
    given, own, problem = dict(decision.context), comparison.contexts, comparison.problem
    if own is None:
        return None
    if decision.criterion != "expected":
        raise InputError(f"Leave out {arg('context')}: the decision is for a range of contexts.")
    costs = given.get("mean_unit") is not None or any("_cost" in name for name in given)
    if own.unit is not None and not costs:
        raise InputError(
            f"The decision was made without costs, so {arg('context')} must contain "
            f"{arg(problem.context)}."
        )
    if "contexts" in given:
        if own.unit is None and costs:
            raise InputError(
                "The decision was made for each case's own costs. Give both costs of the new cases."
            )
        return problem, own
    if "distribution" in given or own.unit is not None:
        return problem, own
    return problem.read_context(given)[0], own


def _in_contexts(
    comparison: ComparedModels, problem: Problem, contexts: RowContexts, decision: Decision
) -> _View:
    """Judge each case in its own context: by one knob, or by a rule if that was decided."""
    if decision.regions:
        used = {name: comparison.predictions[name] for name in decision.used_models}

        def some(rows: Rows) -> tuple[Problem, dict[str, Floats], RowContexts]:
            return problem.take(rows), {n: p[rows] for n, p in used.items()}, contexts.take(rows)

        def follow(rule: Any, rows: Rows) -> Floats:
            cases, mine, own = some(rows)
            return follow_rule(cases, mine, rule, own)[:, None]

        return _View(lambda rows: learn_rule(*some(rows)), follow)
    own = OwnContexts(problem, contexts)
    return _range(own, comparison.prediction_of(decision.model), np.array([np.nan]))


def _anywhere(problem: Problem, prediction: Floats, aim: Aim, knob: Floats) -> _View:
    """Judge in a range whose worst context may be anywhere: at many, and where it is worst now."""
    ends = ends_of(aim)
    now = worst_of(problem, prediction, knob, ends).context
    contexts = np.union1d(np.linspace(*ends, JUDGED_AT), now)

    def learn(rows: Rows) -> Floats:
        return tune_between(problem.take(rows), prediction[rows], ends)[0].chosen

    return _range(problem, prediction, contexts)._replace(learn=learn)


def _range(problem: Problem, prediction: Floats, contexts: Floats) -> _View:
    none = np.zeros(len(contexts))

    def columns(knob: Any, rows: Rows) -> Floats:
        cases, mine = problem.take(rows), prediction[rows]
        return np.stack([cases.outcomes(mine, knob, x) for x in contexts.tolist()], axis=1)

    return _View(
        lambda rows: problem.take(rows).tune(prediction[rows], contexts, none).chosen, columns
    )

"""How settings are learned and judged on new cases, in the contexts of before and of now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.comparison.rules import follow_rule, learn_rule
from roctopus.concepts.decision import Decision
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim, read_distribution, recorded_aim
from roctopus.inference.folds import Rows, Split, folds
from roctopus.inference.policies import Learned, by_curves, ends_of, learn
from roctopus.inference.ranges import JUDGED_AT, tune_between, worst_of

FOLDS = 5


class View(NamedTuple):
    """How settings are learned and judged in some contexts."""

    learn: Callable[[Rows], Any]
    columns: Callable[[Any, Rows], Floats]
    """The outcomes of some cases, a column per context that may be the worst."""


def splits_of(comparison: ComparedModels) -> list[Split]:
    """Return folds that judge every case; of neighbours in time those that stay together."""
    size, about = len(comparison.problem), comparison.dependence
    if about.times is not None:
        parts = np.array_split(np.arange(int(about.times.max()) + 1), FOLDS)
        inside = [np.isin(about.times, part) for part in parts if len(part)]
        return [(np.flatnonzero(~each), np.flatnonzero(each)) for each in inside]
    units = size if about.clusters is None else int(about.clusters.max()) + 1
    truth, strata = comparison.problem.columns()[0], comparison.problem.strata
    return list(folds(size, min(FOLDS, units), about, truth, comparison.rng, strata))


def views_of(
    comparison: ComparedModels, decision: Decision, distribution: Any
) -> tuple[View, View]:
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
    if decision.criterion == "regret":
        both = _regrets(comparison, decision)
        return both, both
    if decision.criterion == "worst":
        problem, aim = recorded_aim(problem, given)
        if by_curves(problem, aim):
            both = _anywhere(problem, prediction, aim, np.array(decision.knob))
        else:
            both = _range(problem, prediction, aim.contexts)
        return both, both
    if "distribution" in given and not problem.linear:
        exact = read_distribution(problem, distribution)
        then = View(
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
        raise InputError(
            f"The decision is for a range of the {problem.context}, so the new cases cannot have "
            f"values of their own. Leave out {arg('context')}."
        )
    costs = given.get("mean_unit") is not None or any("_cost" in name for name in given)
    if own.unit is not None and not costs:
        raise InputError(
            f"The decision was made without costs, so {arg('context')} must contain the "
            f"{arg(problem.context)} of each new case instead of costs."
        )
    if "contexts" in given:
        if own.unit is None and costs:
            raise InputError(
                f"The decision was made for the costs of each case, so {arg('context')} must "
                "contain both costs of each new case."
            )
        return problem, own
    if "distribution" in given or own.unit is not None:
        return problem, own
    return problem.read_context(given)[0], own


def _in_contexts(
    comparison: ComparedModels, problem: Problem, contexts: RowContexts, decision: Decision
) -> View:
    """Judge each case in its own context: by one knob, or by a rule if that was decided."""
    if decision.regions:
        used = {name: comparison.predictions[name] for name in decision.used_models}

        def some(rows: Rows) -> tuple[Problem, dict[str, Floats], RowContexts]:
            return problem.take(rows), {n: p[rows] for n, p in used.items()}, contexts.take(rows)

        def follow(rule: Any, rows: Rows) -> Floats:
            cases, mine, own = some(rows)
            return follow_rule(cases, mine, rule, own)[:, None]

        return View(lambda rows: learn_rule(*some(rows)), follow)
    own = OwnContexts(problem, contexts)
    return _range(own, comparison.prediction_of(decision.model), np.array([np.nan]))


def _anywhere(problem: Problem, prediction: Floats, aim: Aim, knob: Floats) -> View:
    """Judge in a range whose worst context may be anywhere: at many, and where it is worst now."""
    ends = ends_of(aim)
    now = worst_of(problem, prediction, knob, ends).context
    contexts = np.union1d(np.linspace(*ends, JUDGED_AT), now)

    def learn(rows: Rows) -> Floats:
        return tune_between(problem.take(rows), prediction[rows], ends)[0].chosen

    return _range(problem, prediction, contexts)._replace(learn=learn)


def _range(problem: Problem, prediction: Floats, contexts: Floats) -> View:
    none = np.zeros(len(contexts))

    def columns(knob: Any, rows: Rows) -> Floats:
        cases, mine = problem.take(rows), prediction[rows]
        return np.stack([cases.outcomes(mine, knob, x) for x in contexts.tolist()], axis=1)

    return View(
        lambda rows: problem.take(rows).tune(prediction[rows], contexts, none).chosen, columns
    )


def _regrets(comparison: ComparedModels, decision: Decision) -> View:
    """Judge in a range by what is lost against the best model there, tuned on other cases."""
    given, every = dict(decision.context), np.arange(len(comparison.problem))
    problem, aim = recorded_aim(comparison.problem, given, "regret")
    predictions = comparison.predictions
    prediction = comparison.prediction_of(decision.model)

    def learned(rows: Rows) -> Learned:
        some = {name: each[rows] for name, each in predictions.items()}
        return learn(problem.take(rows), {**some, decision.model: prediction[rows]}, aim)

    contexts = [x for x, _, _ in learned(every).references]
    best = np.empty((len(problem), len(contexts)))
    for train, test in splits_of(comparison):
        cases = problem.take(test)
        for k, (x, model, knob) in enumerate(learned(train).references):
            best[test, k] = cases.outcomes(predictions[model][test], np.asarray(knob), x)
    plain = _range(problem, prediction, np.array(contexts))
    return View(
        lambda rows: learned(rows).knobs[decision.model].chosen,
        lambda knob, rows: plain.columns(knob, rows) - best[rows],
    )

"""From what was learned to a decision, with how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.hybrids import find_hybrid
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.comparison.rules import HybridRegion, follow_rule
from roctopus.concepts.decision import Decision, HowSure
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.aims import Aim, read_distribution, recorded_aim
from roctopus.inference.deciding import cases_needed
from roctopus.inference.policies import Learned, by_curves, learn, mean_of, sign_of

CLEAR, LIKELY = 0.95, 0.8
TOO_FEW = 10
"""With fewer cases nothing is decided, however far apart models look."""
MOST_TRACED = 500_000


def decide(comparison: AnyModels, problem: Problem, aim: Aim, *, hybrid: bool) -> Decision:
    """Make the decision for an aim."""
    learned, honest = comparison.learned(problem, aim)
    best = learned.ranked[0]
    sense = "loss" if aim.criterion == "regret" else problem.sense
    knob = learned.knobs[best]
    untuned, cases = comparison.untuned(problem, aim), comparison.cases
    warnings: tuple[str, ...] = ()
    if honest.judged < cases:
        judged = f"{honest.judged} of {cases} cases"
        warnings = (f"Honest and untuned values are from {judged}, those that splits judge.",)
    warnings += _depend(comparison, problem, learned)
    if isinstance(comparison, ComparedModels):
        warnings += problem.notes(comparison.predictions[best], knob.chosen)
    sign = 1.0 if sense == "loss" else -1.0
    plain = min(untuned, key=lambda name: sign * untuned[name])
    value = honest.policy
    regions: tuple[HybridRegion, ...] = ()
    in_sample: float | None = None
    if hybrid:
        whole = cast(ComparedModels, comparison)
        regions, value, in_sample = find_hybrid(whole, problem, aim, honest)
    used = dict.fromkeys(region[2] for region in regions) or (best,)
    warnings += tuple(comparison.backward[name] for name in used if name in comparison.backward)
    low, high = value.confidence_interval(0.95)
    answer, candidates = _how_sure(honest.chances, best)
    if cases < TOO_FEW and len(comparison.models) > 1:
        answer, candidates = "undecided", comparison.models
    runner_up: str | None = None
    margin: Estimate | None = None
    if len(comparison.models) > 1:
        others = [name for name in comparison.models if name != best]
        runner_up = min(others, key=lambda name: sign * honest.models[name].value)
        pair = (runner_up, best) if sense == "loss" else (best, runner_up)
        margin = honest.difference(*pair)
    ends = None
    if margin is not None and margin.standard_error > 0.0:
        ends = margin.confidence_interval(0.95)
    more = None
    if answer == "undecided" and margin is not None and margin.standard_error > 0.0:
        more = max(cases_needed(margin) - cases, 0.0)
    return Decision(
        arm=problem.arm,
        model=best,
        knob_name=problem.knob_name,
        knob=tuple(knob.chosen.tolist()),
        knob_low=tuple(knob.low.tolist()),
        knob_high=tuple(knob.high.tolist()),
        context=dict(aim.given),
        criterion=aim.criterion,
        sense=problem.sense,
        outcome=problem.outcome,
        value=value.value,
        low=low,
        high=high,
        in_sample=learned.scores[best] if in_sample is None else in_sample,
        untuned_model=plain,
        untuned_value=honest.untuned.value,
        answer=answer,
        candidates=candidates,
        runner_up=runner_up,
        margin=None if margin is None else margin.value,
        margin_low=None if ends is None else ends.low,
        margin_high=None if ends is None else ends.high,
        more_cases=more if more is None or math.isfinite(more) else None,
        stays_best=_stays_best(comparison, problem, aim, best),
        in_words=_words(problem, aim),
        models=comparison.models,
        cases=cases,
        data=comparison.fingerprint,
        settings=problem.settings(),
        regions=regions,
        warnings=warnings,
        responses={name: comparison.response(name) for name in used},
        refit=comparison.refit,
    )


def _depend(comparison: AnyModels, problem: Problem, learned: Learned) -> tuple[str, ...]:
    """Say so, with figures, if the contexts of the cases depend on the cases."""
    if not isinstance(problem, OwnContexts):
        return ()
    whole = cast(ComparedModels, comparison)
    best = learned.ranked[0]
    knob = learned.knobs[best].chosen
    found = problem.realised(whole.predictions[best], knob, whole.dependence)
    if not found.depends:
        return ()
    warn(f"{best}: {found}")
    return (f"{best}: {found}",)


def _words(problem: Problem, aim: Aim) -> str:
    """Return what it is decided for, with a number in words of cost beside it."""
    if aim.ranged or aim.distribution is not None or isinstance(problem, OwnContexts):
        return aim.text
    said = problem.say(float(aim.contexts[0]))
    return aim.text if problem.context_kind in ("truth", "price") else f"{aim.text} ({said})"


def _how_sure(chances: Mapping[str, float], best: str) -> tuple[HowSure, tuple[str, ...]]:
    """Return how sure it is that no other model is best, and those that may be."""

    def others(level: float) -> list[str]:
        return [name for name, p in chances.items() if p > 1.0 - level and name != best]

    candidates = tuple(name for name in chances if name == best or name in others(CLEAR))
    if len(candidates) == 1:
        return "clear", candidates
    return "likely" if not others(LIKELY) else "undecided", candidates


def _stays_best(
    comparison: AnyModels, problem: Problem, aim: Aim, best: str
) -> tuple[float, float] | None:
    """Return the region of the model around the context; None if it is not best there.

    Of very many cases whose curves are slow to trace it is not found: ``regions`` finds it.
    """
    if problem.traced and len(problem) * len(comparison.models) > MOST_TRACED:
        return None
    regions = comparison.envelope_of(problem).regions
    mine = [(low, high) for low, high, model in regions if model == best]
    if aim.distribution is None:
        return next(((low, high) for low, high in mine if low <= aim.middle <= high), None)
    shares = [np.diff(cumulative(aim.distribution, np.array(region)))[0] for region in mine]
    return mine[int(np.argmax(shares))] if shares and max(shares) > 0.0 else None


def judge_decision(comparison: ComparedModels, decision: Decision, distribution: Any) -> Estimate:
    """Return what a decision gives on these cases; for a range, at its worst context."""
    decision.check_models(comparison.models, comparison.problem.arm)
    own = comparison.contexts
    if "contexts" in decision.context and own is None:
        raise InputError(
            "The decision is for the context of each case: compare the new cases with "
            f"{arg('context')}."
        )
    if decision.regions and "contexts" not in decision.context:
        raise InputError("A hybrid decision has no single value: judge its models one by one.")
    if decision.data == comparison.fingerprint:
        warn("These are the cases the decision was made on: the value is in-sample and flatters.")
    prediction, knob = comparison.predictions[decision.model], np.array(decision.knob)
    problem, given = comparison.problem, dict(decision.context)
    aim: Aim | None = None
    if "contexts" in given and own is not None:
        refuse_other_settings(decision, problem)
        if decision.regions:
            met = follow_rule(problem, comparison.predictions, decision.regions, own)
            return _estimate(comparison, problem, met)
        problem, contexts = own.aim(problem)[0], [np.nan]
    elif "distribution" not in given:
        problem, aim = recorded_aim(problem, given)
        contexts = aim.contexts.tolist()
    refuse_other_settings(decision, problem)
    if "distribution" in given and not problem.linear:
        exact = read_distribution(problem, distribution)
        return _estimate(comparison, problem, problem.expected(prediction, knob, exact))
    if "distribution" in given:
        contexts = [float(given["mean"])]
    elif aim is not None and aim.ranged and by_curves(problem, aim):
        contexts = list(learn(problem, {decision.model: prediction}, aim).worst_at.values())
    found = [
        _estimate(comparison, problem, problem.outcomes(prediction, knob, x)) for x in contexts
    ]
    sign = sign_of(problem)
    return max(found, key=lambda each: sign * each.value)


def refuse_other_settings(decision: Decision, problem: Problem) -> None:
    """Refuse a problem with other costs, classes or capacity than the decision was made with."""
    here = problem.settings()
    for name, value in decision.settings.items():
        if here.get(name) != value:
            raise InputError(
                f"The decision was made with {name} {value!r}, but here it is {here.get(name)!r}. "
                "Compare under the same conditions."
            )


def _estimate(comparison: ComparedModels, problem: Problem, outcomes: Floats) -> Estimate:
    value = mean_of(problem, outcomes)
    return Estimate(value, outcomes - value, problem.weight, dependence=comparison.dependence)

"""From what was learned to a decision, with how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from roctopus.comparison.aims import Aim, read_aim
from roctopus.comparison.measures import untuned_values
from roctopus.comparison.policies import learn, mean_of, sign_of
from roctopus.comparison.regions import best_within
from roctopus.concepts.decision import Answer, Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.errors import InputError, warn
from roctopus.core.laws import cumulative
from roctopus.inference.deciding import cases_needed

if TYPE_CHECKING:
    from roctopus.comparison.comparison import Comparison

__all__ = ["decide", "judge_decision"]

CLEAR, LIKELY = 0.95, 0.8
MOST_TRACED = 500_000


def decide(comparison: Comparison, problem: Problem, aim: Aim, *, hybrid: bool) -> Decision:
    """Make the decision for an aim."""
    learned, honest = comparison.learned(problem, aim)
    best = learned.ranked[0]
    sense = "loss" if aim.criterion == "regret" else problem.sense
    knob = learned.knobs[best]
    untuned = untuned_values(problem, comparison.predictions, aim, learned, honest.rows)
    warnings: tuple[str, ...] = ()
    if len(honest.rows) < len(problem):
        judged = f"{len(honest.rows)} of {len(problem)} cases"
        warnings = (f"Honest and untuned values are from {judged}, those that splits judge.",)
    sign = 1.0 if sense == "loss" else -1.0
    plain = min(untuned, key=lambda name: sign * untuned[name])
    low, high = honest.policy.confidence_interval(0.95)
    answer, candidates = _how_sure(honest.chances, best)
    runner_up: str | None = None
    margin: Estimate | None = None
    if len(comparison.models) > 1:
        others = [name for name in comparison.models if name != best]
        runner_up = min(others, key=lambda name: sign * honest.models[name].value)
        first, second = honest.models[best], honest.models[runner_up]
        margin = second - first if sense == "loss" else first - second
    ends = None
    if margin is not None and margin.standard_error > 0.0:
        ends = margin.confidence_interval(0.95)
    more = None
    if answer == "undecided" and margin is not None and margin.standard_error > 0.0:
        more = max(cases_needed(margin) - len(problem), 0.0)
    regions = _hybrid(comparison, aim, best) if hybrid else ()
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
        value=honest.policy.value,
        low=low,
        high=high,
        in_sample=learned.scores[best],
        untuned_model=plain,
        untuned_value=untuned[plain],
        answer=answer,
        candidates=candidates,
        runner_up=runner_up,
        margin=None if margin is None else margin.value,
        margin_low=None if ends is None else ends.low,
        margin_high=None if ends is None else ends.high,
        more_cases=more if more is None or math.isfinite(more) else None,
        stays_best=_stays_best(comparison, aim, best),
        in_words=_words(problem, aim),
        models=comparison.models,
        cases=len(problem),
        data=comparison.fingerprint,
        regions=regions,
        warnings=warnings,
    )


def _words(problem: Problem, aim: Aim) -> str:
    """Return what it is decided for, with a number in words of cost beside it."""
    if aim.ranged or aim.law is not None:
        return aim.text
    said = problem.say(float(aim.contexts[0]))
    return aim.text if problem.arm in ("cutoff", "impact") else f"{aim.text} ({said})"


def _how_sure(chances: Mapping[str, float], best: str) -> tuple[Answer, tuple[str, ...]]:
    """Return how sure it is that no other model is best, and those that may be."""

    def others(level: float) -> list[str]:
        return [name for name, p in chances.items() if p > 1.0 - level and name != best]

    candidates = tuple(name for name in chances if name == best or name in others(CLEAR))
    if len(candidates) == 1:
        return "clear", candidates
    return "likely" if not others(LIKELY) else "undecided", candidates


def _stays_best(comparison: Comparison, aim: Aim, best: str) -> tuple[float, float] | None:
    """Return the region of the model around the context; None if it is not best there.

    Of very many cases whose curves are slow to trace it is not found: ``regions`` finds it.
    """
    size = len(comparison.problem) * len(comparison.models)
    if comparison.problem.traced and size > MOST_TRACED:
        return None
    mine = [(low, high) for low, high, model in comparison.envelope.regions if model == best]
    if aim.law is None:
        return next(((low, high) for low, high in mine if low <= aim.middle <= high), None)
    shares = [np.diff(cumulative(aim.law, np.array(region)))[0] for region in mine]
    return mine[int(np.argmax(shares))] if shares and max(shares) > 0.0 else None


def _hybrid(comparison: Comparison, aim: Aim, best: str) -> tuple[tuple[float, float, str], ...]:
    """Return the regions of the range, if more than one model is best in it."""
    if aim.law is not None:
        low, high = comparison.problem.domain
    elif aim.ranged:
        low, high = aim.contexts.tolist()
    else:
        raise InputError("A hybrid is for a range or a distribution of contexts.")
    found = tuple(best_within(comparison.envelope, low, high))
    return found if len({model for _, _, model in found}) > 1 else ()


def judge_decision(comparison: Comparison, decision: Decision) -> Estimate:
    """Return what a decision gives on these cases; for a range, at its worst context."""
    decision.check_models(comparison.models, comparison.problem.arm)
    if decision.regions:
        raise InputError("A hybrid decision has no single value: judge its models one by one.")
    if "distribution" in decision.context and not comparison.problem.linear:
        raise InputError("A decision for a distribution of cutoffs needs that distribution.")
    if decision.data == comparison.fingerprint:
        warn("These are the cases the decision was made on: the value is in-sample and flatters.")
    prediction = comparison.predictions[decision.model]
    problem, given = comparison.problem, dict(decision.context)
    if "mean" in given:
        contexts = [float(given["mean"])]
    elif "between" in given:
        _, aim = read_aim(problem, between=given["between"], given={})
        contexts = aim.contexts.tolist()
        if not problem.linear:
            contexts = list(learn(problem, {decision.model: prediction}, aim).worst_at.values())
    else:
        problem, at = problem.read_context(given)
        contexts = [at]
    knob = np.array(decision.knob)
    found = []
    for x in contexts:
        outcomes = problem.outcomes(prediction, knob, x)
        value = mean_of(problem, outcomes)
        found.append(
            Estimate(value, outcomes - value, problem.weight, dependence=comparison.dependence)
        )
    sign = sign_of(problem)
    return max(found, key=lambda each: sign * each.value)

"""From what was learned to a decision, with how sure it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from roctopus.comparison.answers import POSSIBLE, Answer, Weighed, say_aim, words_of
from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.bases import basis_of, basis_of_rule, settings_of, step_said
from roctopus.comparison.hybrids import find_hybrid
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.comparison.rules import HybridRegion, follow_rule
from roctopus.concepts.decision import Decision, model_ranges
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.core.arrays import Floats
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError, arg, warn
from roctopus.inference.aims import Aim, read_distribution, recorded_aim
from roctopus.inference.engine import mean_estimate
from roctopus.inference.policies import sign_of, worst_context

MOST_TRACED = 500_000


def answer(
    comparison: AnyModels,
    problem: Problem,
    aim: Aim,
    *,
    hybrid: bool = False,
    tolerance: float | None = None,
    models_only: bool = False,
) -> Answer:
    """Answer what an aim asks."""
    weighed = Weighed.of(comparison, problem, aim, tolerance, models_only)
    decision = _decide(comparison, weighed)
    if hybrid:
        whole = cast(ComparedModels, comparison)
        regions, value, in_sample = find_hybrid(whole, problem, aim, weighed.honest)
        if regions:
            decision = _with_regions(comparison, weighed, decision, regions, value, in_sample)
    return Answer(decision, weighed.rows())


def _decide(comparison: AnyModels, weighed: Weighed) -> Decision:
    """Make the decision that was weighed."""
    problem, aim, beliefs = weighed.problem, weighed.aim, weighed.beliefs
    kind, name = weighed.chosen
    best, knob = weighed.best, weighed.learned.knobs[name]
    value, low, high = weighed.chosen_value()
    chances = dict(zip(weighed.honest.models, map(float, beliefs.best), strict=True))
    used = () if kind == "baseline" else (name,)
    others = [each for each in weighed.honest.ranked if each != name]
    margin = weighed.beside(("model", others[0])) if others else None
    return Decision(
        arm=problem.arm,
        model=name,
        knob_name=problem.knob_name,
        knob=tuple(knob.chosen.tolist()),
        knob_low=tuple(knob.low.tolist()),
        knob_high=tuple(knob.high.tolist()),
        context=dict(aim.given),
        criterion=aim.criterion,
        sense=problem.sense,
        outcome=problem.outcome,
        value=value,
        low=low,
        high=high,
        in_sample={**weighed.learned.beside, **weighed.learned.scores}.get(name, value),
        candidates=tuple(m for m, p in chances.items() if p >= POSSIBLE or m == best),
        runner_up=None if margin is None else others[0],
        margin=None if margin is None else margin.gain,
        margin_low=None if margin is None else margin.gain_low,
        margin_high=None if margin is None else margin.gain_high,
        stays_best=None if used == () else _stays_best(comparison, problem, aim, best),
        in_words=say_aim(problem, aim),
        models=comparison.models,
        cases=comparison.cases,
        data=comparison.fingerprint,
        settings=problem.settings(),
        warnings=_warnings(comparison, weighed),
        responses={name: _response(comparison, weighed)},
        refit=comparison.refit,
        **(settings_of(comparison, weighed) if kind == "model" else {}),
        share=weighed.baseline.share if kind == "baseline" else 1.0,
        verdict=weighed.verdict,
        tolerance=weighed.tolerance,
        stake=beliefs.stake,
        chances=chances,
        worth=tuple(beliefs.worth.items()),
        raw=weighed.beside(("raw", name)) if kind == "model" and name in weighed.meant else None,
        beside={each: weighed.beside(("baseline", each)) for each in weighed.baselines},
        words=words_of(weighed, lambda name: step_said(comparison, weighed, name)),
        basis=basis_of(comparison, weighed),
    )


def _response(comparison: AnyModels, weighed: Weighed) -> Response:
    """Return how predictions of what is advised were made: a baseline's are all the same."""
    kind, name = weighed.chosen
    if kind == "model":
        return comparison.response(name)
    problem = weighed.problem
    constant = np.array([weighed.baseline.prediction])
    return Response(None, problem.classes, problem.class_numbers).seen(constant)


def _warnings(comparison: AnyModels, weighed: Weighed) -> tuple[str, ...]:
    """Return what must be known beside the answer."""
    honest, cases = weighed.honest, comparison.cases
    found: list[str] = []
    if honest.judged < cases:
        found.append(
            f"Values are measured on {honest.judged:,} of the {cases:,} cases; the others are only "
            "used for tuning."
        )
    lost = honest.sign * (honest.policy.value - weighed.value(("model", weighed.best))[0])
    if len(comparison.models) > 1 and lost > max(weighed.tolerance, honest.policy.standard_error):
        found.append(
            f"The choice among {len(comparison.models)} models is uncertain on so few cases: "
            f"models chosen on parts of the data were worse by {lost:.2g} per case."
        )
    heavy = weighed.honest.estimates[weighed.chosen].heavy_tail
    found += [] if heavy is None else [heavy]
    found += _depend(comparison, weighed)
    kind, name = weighed.chosen
    if kind == "model" and isinstance(comparison, ComparedModels):
        found += weighed.problem.notes(comparison.prediction_of(name), weighed.knob(name))
    least = weighed.learned.least.get(name)
    if least is not None:
        found.append(
            f"On the data used for tuning, {name} costs {weighed.learned.scores[name]:.4g} per "
            f"case with this {weighed.problem.knob_name}, and certainly at least {least:.4g} with "
            "any other."
        )
    backward = comparison.backward.get(weighed.best)
    found += [] if backward is None else [backward]
    return (*found, *comparison.row_notes(weighed.best))


def _with_regions(
    comparison: AnyModels,
    weighed: Weighed,
    decision: Decision,
    regions: tuple[HybridRegion, ...],
    value: Estimate,
    in_sample: float | None,
) -> Decision:
    """Return the decision as a hybrid."""
    low, high = value.confidence_interval(0.95)
    made = replace(
        decision,
        model=weighed.best,
        regions=regions,
        value=value.value,
        low=low,
        high=high,
        in_sample=decision.in_sample if in_sample is None else in_sample,
        verdict="use" if decision.verdict == "no model" else decision.verdict,
        raw=None,
        beside={},
        words={**decision.words, "action": _say_regions(weighed.problem, regions)},
        within=None,
        setting_low=(),
        setting_high=(),
        basis=basis_of_rule(decision.basis, value),
    )
    used = made.used_models
    backward = [text for name, text in comparison.backward.items() if name in used]
    return replace(
        made,
        responses={model: comparison.response(model) for model in used},
        warnings=tuple(dict.fromkeys((*made.warnings, *backward))),
    )


def _say_regions(problem: Problem, regions: tuple[HybridRegion, ...]) -> str:
    """Return which model to use where."""
    ranges = model_ranges(regions)
    follows = f"a {problem.knob_name} that follows {problem.say_name()}"
    if len(ranges) == 1:
        return f"Use {ranges[0][2]} with {follows}"
    parts = [f"{model} from {low:.4g} to {high:.4g}" for low, high, model in ranges[:4]]
    more = f" and {len(ranges) - 4} more ranges" if len(ranges) > 4 else ""
    each = f", each with {follows}" if len(ranges) < len(regions) else ""
    return f"Follow {problem.say_name()}: use {', '.join(parts)}{more}{each}"


def _depend(comparison: AnyModels, weighed: Weighed) -> tuple[str, ...]:
    """Say so, with figures, if the contexts of the cases depend on the cases."""
    problem, best = weighed.problem, weighed.best
    if not (isinstance(problem, OwnContexts) and isinstance(comparison, ComparedModels)):
        return ()
    knob = weighed.knob(best)
    found = problem.realised(comparison.predictions[best], knob, comparison.dependence)
    if not found.depends:
        return ()
    said = f"Model {best!r}: {found}"
    warn(said)
    return (said,)


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
            f"The decision uses the {comparison.problem.context} of each case, but the comparison "
            f"of the new cases has no such column. Use {arg('context')} to name it when comparing."
        )
    if decision.regions and "contexts" not in decision.context:
        raise InputError(
            "A hybrid decision uses several models, so it has no single value. Evaluate its models "
            "one by one."
        )
    if decision.data == comparison.fingerprint:
        warn(
            "These are the cases the decision was made on, so the value looks better than it will "
            "be on new cases."
        )
    baseline = comparison.baseline(decision.model)
    share = 1.0 if baseline is None else baseline.share
    prediction, knob = comparison.prediction_of(decision.model), np.array(decision.knob)
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
        met = problem.expected(prediction, knob, exact)
        return _estimate(comparison, problem, share * met)
    if "distribution" in given:
        contexts = [float(given["mean"])]
    elif aim is not None:
        worst = worst_context(problem, prediction, knob, aim)
        contexts = contexts if worst is None else [worst]
    found = [
        _estimate(comparison, problem, share * problem.outcomes(prediction, knob, x))
        for x in contexts
    ]
    sign = sign_of(problem)
    return max(found, key=lambda each: sign * each.value)


def refuse_other_settings(decision: Decision, problem: Problem) -> None:
    """Refuse a problem with other costs, classes or capacity than the decision was made with."""
    here = problem.settings()
    for name, value in decision.settings.items():
        if here.get(name) != value:
            raise InputError(
                f"The decision was made with {name}={value!r}, but these cases were compared with "
                f"{name}={here.get(name)!r}. Compare these cases with {name}={value!r}, too."
            )


def _estimate(comparison: ComparedModels, problem: Problem, outcomes: Floats) -> Estimate:
    return mean_estimate(outcomes, problem.weight, comparison.dependence, problem.floor)

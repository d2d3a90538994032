"""Frozen decisions: tune every model for an aim, take the best, and judge that honestly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from roctopus.concepts.envelopes import envelope
from roctopus.concepts.problem import Knob, Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.core.moments import weighted_mean
from roctopus.inference.aims import Aim
from roctopus.inference.folds import Rows
from roctopus.inference.ranges import JUDGED_AT, tune_between, worst_between, worst_of

ModelCases = Mapping[str, tuple[Problem, Floats]]
"""Every model's own cases, and its predictions of them."""


def sign_of(problem: Problem) -> float:
    """Return 1 for losses, −1 for gains: times it, less is better."""
    return 1.0 if problem.sense == "loss" else -1.0


def mean_of(problem: Problem, values: Floats) -> float:
    """Return the weighted mean over the cases."""
    return weighted_mean(values, problem.weight)


@dataclass(frozen=True, eq=False)
class Learned:
    """What the data say: every model's knob for the aim, and how good it looks with it."""

    knobs: Mapping[str, Knob]
    scores: Mapping[str, float]
    """By the aim's criterion, in-sample."""
    worst_at: Mapping[str, float]
    """The context at which each model is at its worst, where the aim is a range."""
    references: tuple[tuple[float, str, Floats], ...] = ()
    """For regret: contexts, with the best model and knob there."""
    beside: Mapping[str, float] = field(default_factory=dict)
    """What baselines give on the data used for tuning, where that was found."""
    least: Mapping[str, float] = field(default_factory=dict)
    """What each model loses at least on these data, at any setting, where only bounds are known."""
    sign: float = 1.0

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The models from the best to the worst; equal ones in the order they were named."""
        return tuple(sorted(self.scores, key=lambda name: self.sign * self.scores[name]))


TunedModels: TypeAlias = Mapping[str, tuple[Knob, float]]
"""Every model's setting for one context, and its mean outcome with it."""


def learn(
    problem: Problem, predictions: Predictions, aim: Aim, known: TunedModels | None = None
) -> Learned:
    """Tune every model for the aim, unless that is done already."""
    if known is None:
        return learn_each({name: (problem, p) for name, p in predictions.items()}, aim)
    knobs = {name: knob for name, (knob, _) in known.items()}
    scores = {name: score for name, (_, score) in known.items()}
    at = dict.fromkeys(known, float(aim.contexts[0]))
    return Learned(knobs, scores, at, sign=sign_of(problem))


def tune_parts(
    problem: Problem, predictions: Predictions, aim: Aim, parts: Sequence[Rows]
) -> list[TunedModels | None]:
    """Tune every model on each part of the cases, where that is done for all parts at once."""
    single = len(aim.contexts) == 1 and aim.criterion != "regret"
    found: dict[str, list[tuple[Knob, float]]] = {}
    for name, prediction in predictions.items():
        tuned = None
        if single and (aim.distribution is None or problem.linear):
            tuned = problem.tune_parts(prediction, float(aim.contexts[0]), parts)
        if tuned is None:
            return [None] * len(parts)
        found[name] = tuned
    return [{name: tuned[k] for name, tuned in found.items()} for k in range(len(parts))]


def fix(learned: Learned, knobs: Mapping[str, Any], aim: Aim) -> Learned:
    """Return what was learned, with more predictions whose settings are given."""
    return replace(
        learned,
        knobs={**learned.knobs, **{name: Knob.at(knob) for name, knob in knobs.items()}},
        worst_at={**learned.worst_at, **dict.fromkeys(knobs, float(aim.contexts[0]))},
    )


def by_curves(problem: Problem, aim: Aim) -> bool:
    """Tell whether curves answer for a range: the worst context may lie anywhere in it."""
    somewhere = aim.ranged and not aim.looked_at
    return somewhere and problem.worst_contexts(*ends_of(aim)) is None


def ends_of(aim: Aim) -> tuple[float, float]:
    """Return the ends of the range of an aim."""
    return float(aim.contexts[0]), float(aim.contexts[-1])


def worst_context(problem: Problem, prediction: Floats, knob: Floats, aim: Aim) -> float | None:
    """Return where in a range a setting is at its worst, if that may be anywhere in it."""
    if not by_curves(problem, aim):
        return None
    return worst_of(problem, prediction, knob, ends_of(aim)).context


def _learn_between(cases: ModelCases, aim: Aim) -> Learned:
    """Tune every model for a range whose worst context may lie anywhere in it."""
    ends, reference = ends_of(aim), None
    references: tuple[tuple[float, str, Floats], ...] = ()
    if aim.criterion == "regret":
        best = envelope({name: problem.curve(p) for name, (problem, p) in cases.items()})
        contexts = np.linspace(*ends, JUDGED_AT)
        settings = np.asarray(best.knob_at(contexts)).reshape(len(contexts), -1)
        reference = best.curve
        references = tuple(zip(contexts.tolist(), best.best_at(contexts), settings, strict=True))
    found = {name: tune_between(*each, ends, reference) for name, each in cases.items()}
    sign = 1.0 if aim.criterion == "regret" else sign_of(next(iter(cases.values()))[0])
    return Learned(
        {name: knob for name, (knob, _) in found.items()},
        {name: sign * worst.value for name, (_, worst) in found.items()},
        {name: worst.context for name, (_, worst) in found.items()},
        references,
        sign=sign,
    )


def learn_each(cases: ModelCases, aim: Aim) -> Learned:
    """Tune every model for the aim, each on its own cases."""
    first = next(iter(cases.values()))[0]
    if by_curves(first, aim):
        return _learn_between(cases, aim)
    sign = sign_of(first)
    references, handicaps = best_references(cases, aim)
    knobs, scores, worst_at = {}, {}, {}
    for name, (problem, prediction) in cases.items():
        knobs[name], scores[name], worst_at[name] = tune_one(problem, prediction, aim, handicaps)
    by = 1.0 if aim.criterion == "regret" else sign
    return Learned(knobs, scores, worst_at, references, sign=by)


def best_references(
    cases: ModelCases, aim: Aim
) -> tuple[tuple[tuple[float, str, Floats], ...], Floats]:
    """Return, for regret, the best model and knob at each context, and what they give there."""
    if aim.criterion != "regret":
        return (), np.zeros(len(aim.contexts))
    found = tuple(_best_at(cases, float(x)) for x in aim.contexts)
    return found, np.array([_mean_at(*cases[model], knob, x) for x, model, knob in found])


def tune_for(problem: Problem, prediction: Floats, aim: Aim, handicaps: Floats) -> Knob:
    """Return the best setting for an aim; handicaps are those of the contexts that are judged."""
    if by_curves(problem, aim):
        if aim.criterion == "worst":
            return tune_between(problem, prediction, ends_of(aim))[0]
        return problem.tune(prediction, np.linspace(*ends_of(aim), len(handicaps)), handicaps)
    if aim.distribution is not None and not problem.linear:
        return problem.tune_expected(prediction, aim.distribution)
    return problem.tune(prediction, aim.contexts, handicaps)


def tune_one(
    problem: Problem, prediction: Floats, aim: Aim, handicaps: Floats
) -> tuple[Knob, float, float]:
    """Return a model's best setting, how good it looks with it, and where it is at its worst."""
    sign = sign_of(problem)
    knob = tune_for(problem, prediction, aim, handicaps)
    means = [
        mean_of(problem, each) - handicap
        for each, handicap in zip(
            outcomes_for(problem, prediction, knob.chosen, aim), handicaps, strict=True
        )
    ]
    at = int(np.argmax(sign * np.array(means)))
    worst = means[at] if aim.criterion != "regret" else sign * means[at]
    return knob, float(worst), float(aim.contexts[at])


def outcomes_for(problem: Problem, prediction: Floats, knob: Floats, aim: Aim) -> list[Floats]:
    """Return the outcomes of each case for an aim: a column per context that is looked at."""
    if aim.distribution is not None:
        return [problem.expected(prediction, knob, aim.distribution)]
    return [problem.outcomes(prediction, knob, float(x)) for x in aim.contexts]


def _mean_at(problem: Problem, prediction: Floats, knob: Floats, x: float) -> float:
    return mean_of(problem, problem.outcomes(prediction, knob, x))


def _best_at(cases: ModelCases, x: float) -> tuple[float, str, Floats]:
    """Return the best model at one context, and its knob."""
    best, least = None, np.inf
    for name, (problem, prediction) in cases.items():
        knob = problem.tune(prediction, np.array([x]), np.zeros(1)).chosen
        loss = sign_of(problem) * _mean_at(problem, prediction, knob, x)
        if best is None or loss < least - 1e-12 * abs(least):
            best, least = (x, name, knob), loss
    assert best is not None
    return best


def judge(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned, rows: Rows
) -> dict[str, Floats]:
    """Return the outcomes of some cases by model: a column per context that is looked at."""
    cases = problem.take(rows)
    mine = {name: prediction[rows] for name, prediction in predictions.items()}
    found = {}
    for name, prediction in mine.items():
        knob = learned.knobs[name].chosen
        if by_curves(problem, aim) and not learned.references:
            columns = [cases.applied(prediction, knob)]
        elif learned.references:
            contexts = [x for x, _, _ in learned.references]
            columns = [cases.outcomes(prediction, knob, x) for x in contexts]
        else:
            columns = outcomes_for(cases, prediction, knob, aim)
        found[name] = np.array(_less(cases, mine, columns, learned.references)).T
    return found


def settle(problem: Problem, judged: Floats, aim: Aim) -> Floats:
    """Return one outcome per case from what was judged: that of the worst context on average.

    Where that context may lie anywhere in a range, predictions were judged that decide, untuned, as
    settings learned on other cases do: all of them together have one curve, and its worst context.
    """
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    if by_curves(problem, aim) and aim.criterion == "worst":
        applied = judged[:, 0]
        curve = problem.untuned_curve(applied)
        assert curve is not None
        x = worst_between(curve.function, *ends_of(aim), sign).context
        return problem.untuned(applied, x, x)
    if judged.shape[1] == 1:
        return judged[:, 0]
    means = np.average(judged, weights=problem.weight, axis=0)
    return judged[:, int(np.argmax(sign * means))]


def untuned_outcomes(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned, model: str
) -> Floats:
    """Return the outcomes of a model if nothing is tuned: a column per context looked at."""
    prediction, mine = predictions[model], problem.of_model(model)
    if aim.distribution is not None and not problem.linear:
        return mine.untuned_expected(prediction, aim.distribution)[:, None]
    if by_curves(problem, aim) and not learned.references:
        return prediction[:, None]
    contexts = [x for x, _, _ in learned.references] or aim.contexts.tolist()
    columns = [mine.untuned(prediction, aim.middle, x) for x in contexts]
    return np.array(_less(problem, predictions, columns, learned.references)).T


def untuned_values(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned
) -> dict[str, float]:
    """Return what each model gives if nothing is tuned, by the aim's criterion."""
    return {
        name: mean_of(
            problem,
            settle(problem, untuned_outcomes(problem, predictions, aim, learned, name), aim),
        )
        for name in predictions
    }


def _less(
    problem: Problem,
    predictions: Predictions,
    columns: list[Floats],
    references: tuple[tuple[float, str, Floats], ...],
) -> list[Floats]:
    """Return regrets: outcomes less those of the best decision there, as losses."""
    for k, (x, model, setting) in enumerate(references):
        gap = columns[k] - problem.outcomes(predictions[model], setting, x)
        columns[k] = gap if problem.sense == "loss" else -gap
    return columns

"""Frozen decisions: tune every model for an aim, take the best, and judge that honestly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import envelope
from roctopus.concepts.problem import NO_KNOB, Knob, Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.inference.aims import Aim
from roctopus.inference.folds import Rows

ModelCases = Mapping[str, tuple[Problem, Floats]]
"""Every model's own cases, and its predictions of them."""


def sign_of(problem: Problem) -> float:
    """Return 1 for losses, −1 for gains: times it, less is better."""
    return 1.0 if problem.sense == "loss" else -1.0


def mean_of(problem: Problem, values: Floats) -> float:
    """Return the weighted mean over the cases."""
    return float(np.average(values, weights=problem.weight, axis=0))


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
    sign: float = 1.0

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The models from the best to the worst; equal ones in the order they were named."""
        return tuple(sorted(self.scores, key=lambda name: self.sign * self.scores[name]))


def learn(problem: Problem, predictions: Predictions, aim: Aim) -> Learned:
    """Tune every model for the aim."""
    if by_curves(problem, aim):
        curves = {name: problem.curve(p) for name, p in predictions.items()}
        return learn_from_curves(curves, aim)
    return learn_each({name: (problem, p) for name, p in predictions.items()}, aim)


def fix(
    learned: Learned,
    problem: Problem,
    name: str,
    prediction: Floats,
    knob: tuple[float, ...],
    aim: Aim,
) -> Learned:
    """Return what was learned, with one more prediction whose setting is given."""
    worst_at = float(aim.contexts[0])
    if by_curves(problem, aim):
        curve = problem.untuned_curve(prediction) or problem.curve(prediction)
        worst_at = learn_from_curves({name: curve}, replace(aim, criterion="worst")).worst_at[name]
    return replace(
        learned,
        knobs={**learned.knobs, name: Knob.at(knob)},
        worst_at={**learned.worst_at, name: worst_at},
    )


def by_curves(problem: Problem, aim: Aim) -> bool:
    """Tell whether curves answer for a range: the worst context may lie anywhere in it."""
    return aim.ranged and problem.worst_contexts(*aim.contexts[[0, -1]].tolist()) is None


def learn_each(cases: ModelCases, aim: Aim) -> Learned:
    """Tune every model for the aim, each on its own cases."""
    sign = sign_of(next(iter(cases.values()))[0])
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
    """Return the best setting for an aim."""
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


def learn_from_curves(curves: Mapping[str, ContextCurve], aim: Aim) -> Learned:
    """Find each model's worst context in a range from its curve: it may lie anywhere inside.

    There is nothing to tune where outcomes are no lines over the context.
    """
    low, high = aim.contexts[[0, -1]]
    best = envelope(curves)
    scores, worst_at, references = {}, {}, []
    for name, curve in curves.items():
        found = curve if aim.criterion == "worst" else curve.minus(best.curve)
        part = found.restrict(float(low), float(high)).function
        both = np.concatenate([part.start, part.end])
        at = int(np.argmax(both)) % len(part.start)
        scores[name] = float(both.max())
        # A context inside the piece: at its ends the curve may take the neighbour's value.
        worst_at[name] = float(0.5 * (part.knots[at] + part.knots[at + 1]))
        first = float(found.function.at(low))  # which belongs to the piece before the range
        if first > scores[name]:
            scores[name], worst_at[name] = first, float(low)
        if aim.criterion == "regret":
            references.append((worst_at[name], best.best_at(worst_at[name]), np.empty(0)))
    return Learned(dict.fromkeys(curves, NO_KNOB), scores, worst_at, tuple(references))


def judge(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned, rows: Rows
) -> dict[str, Floats]:
    """Return the outcomes of some cases by model: a column per context that is looked at."""
    cases = problem.take(rows)
    found = {}
    for number, (name, prediction) in enumerate(predictions.items()):
        knob, mine = learned.knobs[name].chosen, prediction[rows]
        if by_curves(problem, aim):
            x = learned.worst_at[name]
            columns = [cases.outcomes(mine, knob, x)]
            references = learned.references[number : number + 1]
        else:
            columns, references = outcomes_for(cases, mine, knob, aim), learned.references
        mapped = {model: predictions[model][rows] for _, model, _ in references}
        found[name] = np.stack(_less(cases, mapped, columns, references), axis=1)
    return found


def untuned_outcomes(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned, model: str
) -> Floats:
    """Return the outcomes of a model if nothing is tuned: a column per context looked at."""
    prediction, mine = predictions[model], problem.of_model(model)
    if aim.distribution is not None and not problem.linear:
        return mine.untuned_expected(prediction, aim.distribution)[:, None]
    contexts = aim.contexts.tolist()
    references = learned.references
    if by_curves(problem, aim):
        contexts = [learned.worst_at[model]]
        number = list(learned.worst_at).index(model)
        references = references[number : number + 1]
    columns = [mine.untuned(prediction, aim.middle, x) for x in contexts]
    return np.stack(_less(problem, predictions, columns, references), axis=1)


def untuned_values(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned
) -> dict[str, float]:
    """Return what each model gives if nothing is tuned, by the aim's criterion."""
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    found = {}
    for name in predictions:
        outcomes = untuned_outcomes(problem, predictions, aim, learned, name)
        means = np.average(outcomes, weights=problem.weight, axis=0)
        found[name] = float(sign * np.max(sign * means))
    return found


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

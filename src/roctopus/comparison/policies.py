"""Frozen decisions: tune every model for an aim, take the best, and judge that honestly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from roctopus.comparison.aims import Aim
from roctopus.concepts.envelopes import envelope
from roctopus.concepts.estimate import INDEPENDENT, Dependence, Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Knob, Problem
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random
from roctopus.inference.comparing import best_pvalues
from roctopus.inference.folds import MANY
from roctopus.inference.honest import mean_over_rounds

__all__ = ["Honest", "Learned", "judge", "learn", "mean_of", "sign_of"]

Predictions = Mapping[str, Floats]
Rows = NDArray[np.intp]


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
    sign: float = 1.0

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The models from the best to the worst; equal ones in the order they were named."""
        return tuple(sorted(self.scores, key=lambda name: self.sign * self.scores[name]))


def learn(problem: Problem, predictions: Predictions, aim: Aim) -> Learned:
    """Tune every model for the aim."""
    if aim.ranged and not problem.linear:
        return _learn_from_curves(problem, predictions, aim)
    sign = sign_of(problem)
    references: tuple[tuple[float, str, Floats], ...] = ()
    handicaps = np.zeros(len(aim.contexts))
    if aim.criterion == "regret":
        references = tuple(_best_at(problem, predictions, float(x)) for x in aim.contexts)
        handicaps = np.array(
            [
                mean_of(problem, problem.outcomes(predictions[model], knob, x))
                for x, model, knob in references
            ]
        )
    knobs, scores, worst_at = {}, {}, {}
    for name, prediction in predictions.items():
        knob = problem.tune(prediction, aim.contexts, handicaps)
        means = [
            mean_of(problem, each) - handicap
            for each, handicap in zip(
                _outcomes(problem, prediction, knob.chosen, aim), handicaps, strict=True
            )
        ]
        at = int(np.argmax(sign * np.array(means)))
        worst = means[at] if aim.criterion != "regret" else sign * means[at]
        knobs[name], scores[name], worst_at[name] = knob, float(worst), float(aim.contexts[at])
    by = 1.0 if aim.criterion == "regret" else sign
    return Learned(knobs, scores, worst_at, references, by)


def _outcomes(problem: Problem, prediction: Floats, knob: Floats, aim: Aim) -> list[Floats]:
    if aim.law is not None:
        return [problem.expected(prediction, knob, aim.law)]
    return [problem.outcomes(prediction, knob, float(x)) for x in aim.contexts]


def _best_at(problem: Problem, predictions: Predictions, x: float) -> tuple[float, str, Floats]:
    """Return the best model at one context, and its knob."""
    sign, best, least = sign_of(problem), None, np.inf
    for name, prediction in predictions.items():
        knob = problem.tune(prediction, np.array([x]), np.zeros(1)).chosen
        loss = sign * mean_of(problem, problem.outcomes(prediction, knob, x))
        if best is None or loss < least - 1e-12 * abs(least):
            best, least = (x, name, knob), loss
    assert best is not None
    return best


def _learn_from_curves(problem: Problem, predictions: Predictions, aim: Aim) -> Learned:
    """Find each model's worst context in a range from its curve: it may lie anywhere inside."""
    low, high = aim.contexts
    curves = {name: problem.curve(p) for name, p in predictions.items()}
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
        if aim.criterion == "regret":
            references.append((worst_at[name], best.best_at(worst_at[name]), np.empty(0)))
    knobs = {name: problem.tune(p, aim.contexts, np.zeros(2)) for name, p in predictions.items()}
    return Learned(knobs, scores, worst_at, tuple(references))


def judge(
    problem: Problem, predictions: Predictions, aim: Aim, learned: Learned, rows: Rows
) -> dict[str, Floats]:
    """Return the outcomes of some cases by model: a column per context that is looked at."""
    cases = problem.take(rows)
    found = {}
    for number, (name, prediction) in enumerate(predictions.items()):
        knob, mine = learned.knobs[name].chosen, prediction[rows]
        if aim.ranged and not problem.linear:
            x = learned.worst_at[name]
            columns = [cases.outcomes(mine, knob, x)]
            references = learned.references[number : number + 1]
        else:
            columns, references = _outcomes(cases, mine, knob, aim), learned.references
        for k, (x, model, setting) in enumerate(references):
            best = cases.outcomes(predictions[model][rows], setting, x)
            gap = columns[k] - best
            columns[k] = gap if problem.sense == "loss" else -gap
        found[name] = np.stack(columns, axis=1)
    return found


@dataclass(frozen=True, eq=False)
class Honest:
    """Cross-fitted outcomes: every case judged by what was learned on others."""

    rows: Rows
    """The cases that were judged."""
    models: Mapping[str, Estimate]
    """Every model with a cross-fitted knob."""
    policy: Estimate
    """The model that looked best on the training part, with its knob."""
    fold_models: tuple[str, ...]
    """Which model that was, fold by fold."""
    chances: Mapping[str, float]
    """For each model the p-value of the hypothesis that it is the best."""


def _mean(
    values: Floats, weight: Floats | None, dependence: Dependence, sign: float
) -> tuple[Estimate, Floats]:
    """Return the worst column's mean as an estimate, and that column."""
    means = np.average(values, weights=weight, axis=0)
    worst = int(np.argmax(sign * means))
    column, value = values[:, worst], float(means[worst])
    return Estimate(value, column - value, weight, dependence=dependence), column


def cross_fit_policy(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    rounds: Iterator[list[tuple[Rows, Rows]]],
    dependence: Dependence = INDEPENDENT,
    rng: Random = 0,
) -> Honest:
    """Judge each model, and the choice between them, on cases that neither was made on.

    Folds are drawn several times: which of two equal models is chosen hangs on them. Of very many
    cases one round is enough if its folds agree.
    """
    size = len(problem)
    policies: list[Floats] = []
    names: list[str] = []
    models: dict[str, Estimate] = {}
    for splits in rounds:
        sums: dict[str, Floats] = {}
        counts = np.zeros(size)
        for train, test in splits:
            fitted = {name: p[train] for name, p in predictions.items()}
            learned = learn(problem.take(train), fitted, aim)
            best = learned.ranked[0]
            names.append(best)
            counts[test] += 1.0
            outcomes = judge(problem, predictions, aim, learned, test)
            for name, each in (*outcomes.items(), ("", outcomes[best])):
                if name not in sums:
                    sums[name] = np.zeros((size, each.shape[1]))
                sums[name][test] += each
        rows = np.flatnonzero(counts)
        weight = None if problem.weight is None else problem.weight[rows]
        kept = dependence
        if dependence.clusters is not None:
            kept = dependence._replace(clusters=dependence.clusters[rows])
        sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
        means = {name: each[rows] / counts[rows, None] for name, each in sums.items()}
        if not models:
            models = {
                name: _mean(each, weight, kept, sign)[0] for name, each in means.items() if name
            }
        policies.append(_mean(means[""], weight, kept, sign)[1])
        if len(set(names)) == 1 and size >= MANY:
            break
    joint = JointEstimates.of(models, "loss" if sign > 0.0 else "gain")
    chances = best_pvalues(joint, rng=rng)
    return Honest(rows, models, mean_over_rounds(policies, kept, weight), tuple(names), chances)

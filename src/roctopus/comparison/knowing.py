"""What knowing the context would be worth, and the one question to ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.known import Break, InSample, Knowing, Question
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import (
    Continuous,
    Discrete,
    cell_moments,
    cumulative,
    quantiles,
)
from roctopus.inference.aims import Aim, describe, read_distribution
from roctopus.inference.engine import CHOSEN, CrossFit, cross_fit, each_part
from roctopus.inference.folds import Rows
from roctopus.inference.policies import (
    Learned,
    learn,
    mean_of,
    sign_of,
    untuned_outcomes,
    untuned_values,
)

CELLS = 64
"""Equally likely parts of the distribution in which one who follows keeps one setting."""
TRIED = 31
"""How many borders are tried where each needs its own tuning."""


def split_into_cells(
    distribution: Continuous | Discrete, domain: tuple[float, float], count: int, *, linear: bool
) -> tuple[Floats, Floats, Floats]:
    """Split the distribution; return inner borders, and mass and centre of every cell.

    The centre is the mean where outcomes are linear, and else the median, which always exists.
    """
    inner = np.unique(quantiles(distribution, np.arange(1, count) / count, domain))
    if not linear:
        edges = np.concatenate([[0.0], cumulative(distribution, inner), [1.0]])
        mass = np.diff(edges)
        return inner, mass, quantiles(distribution, 0.5 * (edges[:-1] + edges[1:]), domain)
    mass, moment = cell_moments(distribution, np.concatenate([[domain[0]], inner, [domain[1]]]))
    live = mass > 0.0
    mean = np.divide(moment, mass, out=np.zeros(len(mass)), where=live)
    return inner, mass, mean


class _Taught(NamedTuple):
    """What one training part says: the best model everywhere, one for all, the best untuned."""

    regions: Envelope
    learned: Learned
    plain: str


def value_of_knowing(comparison: ComparedModels, distribution: Any) -> Knowing:
    """Find expected outcomes with and without knowing the context."""
    problem, aim = comparison.aim(None, None, distribution, {})
    exact = read_distribution(problem, distribution)
    learned = learn(problem, comparison.predictions, aim)
    frozen = learned.scores[learned.ranked[0]]
    untuned = untuned_values(problem, comparison.predictions, aim, learned)
    plain = min(untuned, key=lambda name: sign_of(problem) * untuned[name])
    fitted = _judge_policies(comparison, problem, aim, exact)
    gain = fitted.mean(1, against=0).scaled(sign_of(problem))
    sure = gain.standard_error == 0.0
    low, high = (gain.value, gain.value) if sure else gain.confidence_interval(method="plain")
    return Knowing(
        problem.say_name(),
        describe(distribution),
        problem.sense,
        gain,
        low,
        high,
        fitted.mean(0),
        fitted.mean(1),
        fitted.mean(2),
        InSample(comparison.envelope.expect(distribution), frozen, untuned[plain]),
        _breaks(comparison, exact),
        _question(comparison, exact, frozen),
    )


def _judge_policies(
    comparison: ComparedModels, problem: Problem, aim: Aim, distribution: Continuous | Discrete
) -> CrossFit[_Taught]:
    """Learn three policies on some cases and judge them on others, all at the same contexts.

    The policies are to follow the context, to freeze one decision, and to tune nothing.
    """
    predictions, sign = comparison.predictions, sign_of(problem)
    count = CELLS if problem.linear else 4 * CELLS
    _, mass, centre = split_into_cells(distribution, problem.domain, count, linear=problem.linear)
    contexts, share = centre[mass > 0.0], mass[mass > 0.0]

    def teach(rows: Rows) -> _Taught:
        cases, mine = problem.take(rows), {name: p[rows] for name, p in predictions.items()}
        learned = learn(cases, mine, aim)
        values = untuned_values(cases, mine, aim, learned)
        plain = min(values, key=lambda name: sign * values[name])
        return _Taught(envelope({n: cases.curve(p) for n, p in mine.items()}), learned, plain)

    def outcomes(taught: _Taught, rows: Rows) -> list[Floats]:
        cases, mine = problem.take(rows), {name: p[rows] for name, p in predictions.items()}
        regions, learned, plain = taught
        model = learned.ranked[0]
        always = [(model, learned.knobs[model].chosen)] * len(contexts)
        return [
            follow(cases, mine, regions, contexts, share),
            _mean_outcomes(cases, mine, always, contexts, share),
            untuned_outcomes(cases, mine, aim, learned, plain)[:, 0],
        ]

    return cross_fit(
        comparison.rounds(),
        len(problem),
        each_part(teach),
        outcomes,
        weight=problem.weight,
        dependence=comparison.dependence,
        floor=problem.floor,
        unsteady=CHOSEN if len(predictions) > 1 else 1.0,
    )


def follow(
    problem: Problem,
    predictions: Mapping[str, Floats],
    regions: Envelope,
    contexts: Floats,
    share: Floats,
) -> Floats:
    """Return each case's mean outcome if contexts are followed by regions learned elsewhere."""
    tuned = regions.curve.knob is not None
    knobs = (
        regions.knob_at(contexts).reshape(len(contexts), -1)
        if tuned
        else [np.empty(0)] * len(contexts)
    )
    owners = regions.owner[regions.curve.piece_of(contexts)]
    choices = [(regions.names[k], knob) for k, knob in zip(owners.tolist(), knobs, strict=True)]
    return _mean_outcomes(problem, predictions, choices, contexts, share)


def _mean_outcomes(
    problem: Problem,
    predictions: Mapping[str, Floats],
    choices: list[tuple[str, Floats]],
    contexts: Floats,
    share: Floats,
) -> Floats:
    """Return each case's mean outcome over contexts, with a model and a setting for each of these.

    Where outcomes are lines, contexts with the same choice are replaced by their mean.
    """
    places: dict[Any, list[int]] = {}
    for k, (model, knob) in enumerate(choices):
        key = (model, knob.tobytes()) if problem.linear else k
        places.setdefault(key, []).append(k)
    total = np.zeros(len(problem))
    for same in places.values():
        model, knob = choices[same[0]]
        part = share[same].sum()
        x = float(np.average(contexts[same], weights=share[same]))
        total += part * problem.outcomes(predictions[model], knob, x)
    return np.asarray(total / share.sum())


def _breaks(comparison: ComparedModels, distribution: Continuous | Discrete) -> tuple[Break, ...]:
    """Return the borders between models that lie within the distribution."""
    regions = comparison.envelope.regions
    borders = np.array([low for low, _, _ in regions[1:]])
    inside = cumulative(distribution, borders) if len(borders) else borders
    return tuple(
        Break(low, before[2], model, comparison.problem.ask_above(low))
        for before, (low, _, model), share in zip(
            regions[:-1], regions[1:], inside.tolist(), strict=True
        )
        if 0.0 < share < 1.0
    )


def _both_sides(comparison: ComparedModels, mass: Floats, centre: Floats, border: int) -> float:
    """Return the mean outcome with one frozen decision for the cells on each side of a border."""
    problem, total = comparison.problem, 0.0
    for side in (slice(None, border), slice(border, None)):
        if not mass[side].sum() > 0.0:
            continue
        cells = Empirical(centre[side], mass[side])
        means = []
        for prediction in comparison.predictions.values():
            knob = problem.tune_expected(prediction, cells).chosen
            means.append(mean_of(problem, problem.expected(prediction, knob, cells)))
        total += mass[side].sum() * sign_of(problem) * min(sign_of(problem) * np.array(means))
    return float(total / mass.sum())


def _question(
    comparison: ComparedModels, distribution: Continuous | Discrete, frozen: float
) -> Question | None:
    """Find the border such that knowing the side is worth most.

    Where outcomes are lines over the context, the best decision for one side is that for the mean
    context of the side; else models are compared cell by cell.
    """
    problem, best = comparison.problem, comparison.envelope
    sign = sign_of(problem)
    cells = split_into_cells(distribution, problem.domain, 16 * CELLS, linear=problem.linear)
    inner, mass, mean = cells
    if len(inner) == 0:
        return None
    below = np.cumsum(mass)[:-1]
    if not problem.linear and problem.knob_name is not None:
        some = np.unique(np.linspace(0, len(inner) - 1, TRIED).astype(int))
        inner = inner[some]
        total = np.array([_both_sides(comparison, mass, mean, k + 1) for k in some.tolist()])
    elif problem.linear:
        moment = np.cumsum(mass * mean)
        sides = [(below, moment[:-1]), (mass.sum() - below, moment[-1] - moment[:-1])]
        total = np.zeros(len(below))
        for share, first in sides:
            centre = np.divide(first, share, out=np.full(len(share), mean[0]), where=share > 0.0)
            total += share * best.at(np.clip(centre, *problem.domain))
    else:
        values = np.array([curve.function.at(mean) for curve in best.curves]) * mass
        left = np.cumsum(values, axis=1)
        total = left[:, :-1].min(axis=0) + (left[:, -1:] - left[:, :-1]).min(axis=0)
        total += frozen - left[:, -1].min()  # cells are near enough for what a question saves
    at = int(np.argmin(sign * total))
    if not sign * total[at] < sign * frozen - 1e-9 * abs(frozen):
        return None
    context = float(inner[at])
    return Question(context, problem.ask_above(context), float(total[at]))

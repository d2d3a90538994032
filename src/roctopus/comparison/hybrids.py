"""Hybrids: another model, with its knob, for each part of the contexts."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.comparison.knowing import split_into_cells
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.regions import best_within
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.comparison.rules import HybridRegion, follow_rule, learn_rule
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import Continuous, Discrete, cell_moments, quantiles
from roctopus.core.errors import InputError, arg
from roctopus.inference.aims import Aim
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import learn_each, mean_of, sign_of

PIECES, PER_PIECE = 64, 400
"""Where outcomes are steps over the context: the most parts of a hybrid, and cases for each."""
CELLS = 256
"""Where outcomes are steps over the context, so many equally likely contexts stand for all."""


def find_hybrid(
    comparison: ComparedModels, problem: Problem, aim: Aim, honest: Honest
) -> tuple[tuple[HybridRegion, ...], Estimate, float | None]:
    """Return regions with model and knob, their honest value, and how they look in-sample.

    There are none unless they pay: unless they are better than one frozen decision, honestly and on
    the same folds, by more than the standard error of that.
    """
    predictions, distribution = comparison.predictions, aim.distribution
    if isinstance(problem, OwnContexts):
        inner, own = problem.inner, problem.contexts
        regions = learn_rule(inner, predictions, own)
        if len(regions) < 2:
            return (), honest.policy, None
    elif distribution is None:
        raise InputError(
            f"A hybrid decision needs a distribution of the {problem.context}. Add "
            f"{arg('distribution')}. If each case has its own {problem.context}, compare the "
            f"models with {arg('context')}."
        )
    else:
        regions = _regions(comparison.envelope_of(problem), problem, predictions, distribution)
        several = regions if not problem.linear else {model for _, _, model, _ in regions}
        if len(several) < 2:
            return (), honest.policy, None

    def learn(rows: Any) -> list[HybridRegion]:
        mine = {name: p[rows] for name, p in predictions.items()}
        if distribution is None:
            return learn_rule(inner.take(rows), mine, own.take(rows))
        cases = problem.take(rows)
        found = envelope({name: cases.curve(p) for name, p in mine.items()})
        return _regions(found, cases, mine, distribution)

    def outcomes(found: list[HybridRegion], rows: Any) -> Floats:
        mine = {name: p[rows] for name, p in predictions.items()}
        if distribution is None:
            return follow_rule(inner.take(rows), mine, found, own.take(rows))
        return _outcomes(problem.take(rows), mine, found, distribution)

    def freeze(rows: Any) -> tuple[str, Floats]:
        found = learn_each({n: (problem.take(rows), p[rows]) for n, p in predictions.items()}, aim)
        return found.ranked[0], found.knobs[found.ranked[0]].chosen

    def frozen(found: tuple[str, Floats], rows: Any) -> Floats:
        model, knob = found
        cases, mine = problem.take(rows), predictions[model][rows]
        return (
            cases.outcomes(mine, knob, aim.middle)
            if distribution is None or problem.linear
            else cases.expected(mine, knob, distribution)
        )

    fitted = comparison.cross_fit(
        problem,
        lambda rows: (learn(rows), freeze(rows)),
        lambda found, rows: [outcomes(found[0], rows), frozen(found[1], rows)],
    )
    gain = fitted.mean(1, against=0).scaled(sign_of(problem))
    if not gain.value > gain.standard_error:
        return (), honest.policy, None
    in_sample = mean_of(problem, outcomes(regions, np.arange(len(problem))))
    return tuple(regions), fitted.mean(), in_sample


def _regions(
    best: Envelope,
    problem: Problem,
    predictions: Any,
    distribution: Continuous | Discrete,
) -> list[HybridRegion]:
    """Return who is best where the distribution is, each with the knob for its mean context."""
    low, high = quantiles(distribution, np.array([1e-9, 1.0 - 1e-9]), problem.domain)
    found = best_within(best, float(low), float(np.nextafter(high, np.inf)))
    if not problem.linear:
        return _pieces(best, problem, predictions, distribution, (found[0][0], found[-1][1]))
    borders = np.array([problem.domain[0], *(last for _, last, _ in found[:-1]), problem.domain[1]])
    mass, moment = cell_moments(distribution, borders)
    regions = []
    for (first, last, model), share, part in zip(found, mass, moment, strict=True):
        at = np.array([part / share if share > 0.0 else 0.5 * (first + last)])
        knob = problem.tune(predictions[model], at, np.zeros(1)).chosen
        regions.append((first, last, model, tuple(knob.tolist())))
    return regions


def _pieces(
    best: Envelope,
    problem: Problem,
    predictions: Any,
    distribution: Continuous | Discrete,
    ends: tuple[float, float],
) -> list[HybridRegion]:
    """Return the best model in equally likely parts, with its setting for contexts of the part."""
    count = min(max(len(problem) // PER_PIECE, 2), PIECES)
    inner, mass, centre = split_into_cells(distribution, problem.domain, count, linear=False)
    _, share, within = split_into_cells(distribution, problem.domain, CELLS, linear=False)
    place = np.searchsorted(inner, within)
    owners = best.best_at(centre).tolist()
    edges = [ends[0], *np.clip(inner, *ends).tolist(), ends[1]]
    pieces: list[HybridRegion] = []
    for k in np.flatnonzero(mass > 0.0).tolist():
        mine = (place == k) & (share > 0.0)
        met = Empirical(within[mine], share[mine]) if mine.any() else Empirical(centre[k : k + 1])
        knob = problem.tune_expected(predictions[owners[k]], met).chosen
        setting = (owners[k], tuple(knob.tolist()))
        if pieces and pieces[-1][2:] == setting:
            pieces[-1] = (pieces[-1][0], edges[k + 1], *setting)
        else:
            pieces.append((pieces[-1][1] if pieces else edges[0], edges[k + 1], *setting))
    return pieces


def _outcomes(
    problem: Problem,
    predictions: Any,
    regions: list[HybridRegion],
    distribution: Continuous | Discrete,
) -> Floats:
    """Return each case's mean outcome if the regions are followed."""
    total = np.zeros(len(problem))
    inner = np.array([last for _, last, _, _ in regions[:-1]])
    if problem.linear:
        borders = np.concatenate([[problem.domain[0]], inner, [problem.domain[1]]])
        mass, moment = cell_moments(distribution, borders)
        for (_, _, model, knob), share, part in zip(regions, mass, moment, strict=True):
            if share > 0.0:
                x = float(part / share)
                total += share * problem.outcomes(predictions[model], np.array(knob), x)
        return np.asarray(total / mass.sum())
    _, mass, contexts = split_into_cells(distribution, problem.domain, CELLS, linear=False)
    which = np.searchsorted(inner, contexts)
    for x, share, k in zip(contexts.tolist(), mass.tolist(), which.tolist(), strict=True):
        _, _, model, knob = regions[k]
        total += share * problem.outcomes(predictions[model], np.array(knob), x)
    return np.asarray(total / mass.sum())

"""Rules that follow the context: which model, with which knob, in which part of the contexts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from roctopus.comparison.knowing import CELLS, split_into_cells
from roctopus.comparison.row_contexts import RowContexts
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.inference.policies import sign_of

HybridRegion: TypeAlias = tuple[float, float, str, tuple[float, ...]]
Rule: TypeAlias = Sequence[HybridRegion]


def learn_rule(
    problem: Problem, predictions: Predictions, contexts: RowContexts
) -> list[HybridRegion]:
    """Learn the best model and its knob for the contexts that were met, cell by cell.

    Every cell is learned from all cases, not from those alone whose contexts lie in it: as if
    contexts were independent of cases. What that is worth where they are not, honest values tell.
    """
    mass, values = contexts.mass(problem.weight), contexts.values
    distribution = Empirical(values, mass)
    cells = split_into_cells(distribution, problem.domain, CELLS, linear=problem.linear)
    inner, share, centre = cells
    curves = {name: problem.curve(prediction) for name, prediction in predictions.items()}
    if problem.linear:
        means = np.array([curve.at(centre) for curve in curves.values()])
    else:  # steps: the mean over the contexts of a cell
        cell = np.searchsorted(inner, values)
        counted = np.bincount(cell, mass, len(share))
        live = np.where(counted > 0.0, counted, 1.0)
        each = np.ones(len(values)) if mass is None else mass
        means = np.array(
            [np.bincount(cell, each * c.at(values), len(share)) / live for c in curves.values()]
        )
    best = np.argmin(sign_of(problem) * means, axis=0)
    edges = [float(values.min()), *inner.tolist(), float(values.max())]
    names = list(curves)
    rule: list[HybridRegion] = []
    for k in np.flatnonzero(share > 0.0).tolist():
        model = names[best[k]]
        setting: tuple[float, ...] = ()
        if curves[model].knob is not None:
            setting = tuple(np.atleast_1d(curves[model].knob_at(float(centre[k]))).tolist())
        if rule and rule[-1][2:] == (model, setting):
            rule[-1] = (rule[-1][0], edges[k + 1], model, setting)
        else:
            rule.append((rule[-1][1] if rule else edges[0], edges[k + 1], model, setting))
    return rule


def follow_rule(
    problem: Problem, predictions: Predictions, rule: Rule, contexts: RowContexts
) -> Floats:
    """Return the outcome of each case if the rule is followed in its context."""
    borders = np.array([last for _, last, _, _ in rule[:-1]])
    which = np.searchsorted(borders, contexts.values)  # a border belongs to the part below it
    found = np.empty(len(problem))
    for k, (_, _, model, knob) in enumerate(rule):
        rows = np.flatnonzero(which == k)
        if len(rows):
            mine = predictions[model][rows]
            own = contexts.values[rows]
            found[rows] = problem.take(rows).outcomes(mine, np.array(knob), own)
    return found if contexts.unit is None else found * contexts.unit

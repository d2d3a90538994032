"""What a page shows, before it is packed: values along contexts, made exactly or from cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from roctopus.comparison import Comparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.pictures import Drawn
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.piecewise import Piecewise
from roctopus.display.choices import best_still
from roctopus.inference.aims import Aim
from roctopus.report.contexts import STEPS, exact_contexts, first_shown, holding, shown_range
from roctopus.report.summary import Summary

MANY = 5_000
"""Cases from which of equally good knobs any is shown, not the one ``decide`` prefers."""
LONG = 20_000_000
"""Outcomes beyond which untuned losses are found at fewer contexts."""


HALF = 1e-9
"""A place between bounds that differs from the middle by less is the middle."""

Likely: TypeAlias = tuple[float, float, float]
"""A context, and between which values an answer puts what is shown there."""


@dataclass(frozen=True, eq=False)
class Values:
    """What something gives along contexts: values, and between which bounds they lie."""

    contexts: Floats
    middle: Floats
    low: Floats
    high: Floats

    @staticmethod
    def exactly(contexts: Floats, values: Floats) -> Values:
        """Return values that are known."""
        return Values(contexts, values, values, values)

    @staticmethod
    def between(contexts: Floats, low: Floats, high: Floats, likely: Sequence[Likely]) -> Values:
        """Return values that are known up to bounds.

        They are in the middle of these, or, at contexts with answers, as near to it as the
        intervals of the answers allow. In between, their place between the bounds changes evenly.
        """
        middle = 0.5 * (low + high)
        if not likely:
            return Values(contexts, middle, low, high)
        at, least, most = np.array(sorted(likely)).T
        below, above = np.interp(at, contexts, low), np.interp(at, contexts, high)
        placed = np.clip(np.clip(0.5 * (below + above), least, most), below, above)
        wide = above > below
        share = np.divide(placed - below, above - below, out=np.full(len(at), 0.5), where=wide)
        if np.all(np.abs(share - 0.5) < HALF):
            return Values(contexts, middle, low, high)
        moved = low + np.interp(contexts, at, share) * (high - low)
        return Values(contexts, np.clip(moved, low, high), low, high)


@dataclass(frozen=True, eq=False)
class Subject:
    """A comparison as it is shown."""

    problem: Problem
    aim: Aim
    first: float
    """The context shown first."""
    contexts: Floats
    tuned: dict[str, Values]
    curves: dict[str, ContextCurve]
    """Through the values, or exact."""
    best: Envelope
    knobs: dict[str, list[Floats]]
    """For each number of a setting its values along the contexts."""
    raw: dict[str, Values | None]
    cases: Drawn
    """What pictures are drawn from."""
    still: Floats | None
    """What the best decision without a model gives."""

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last context."""
        return float(self.contexts[0]), float(self.contexts[-1])

    def regions(self) -> list[list[float]]:
        """Return who is best from where to where."""
        position = {name: k for k, name in enumerate(self.tuned)}
        low, high = self.ends
        return [
            [max(region.low, low), min(region.high, high), position[region.model]]
            for region in self.best.regions
            if max(region.low, low) < min(region.high, high)
        ]


def exact_subject(comparison: Comparison, problem: Problem, aim: Aim) -> Subject:
    """Return exact values of all cases."""
    curves = {name: problem.curve(p) for name, p in comparison.predictions.items()}
    best = comparison.envelope_of(problem)  # who is best does not hang on the unit
    ends = shown_range(problem, aim)
    first = first_shown(aim, ends)
    contexts = exact_contexts(best, ends, first)
    models = comparison.predictions.items()
    return Subject(
        problem,
        aim,
        first,
        contexts,
        {n: Values.exactly(contexts, np.asarray(c.at(contexts))) for n, c in curves.items()},
        curves,
        best,
        {name: _knobs(problem, p, curves[name], contexts) for name, p in models},
        {name: _raw(problem.of_model(name), p, contexts, len(curves)) for name, p in models},
        {name: (problem, p) for name, p in models},
        best_still(problem, contexts),
    )


def _knobs(
    problem: Problem, prediction: Floats, curve: ContextCurve, contexts: Floats
) -> list[Floats]:
    """Return the settings at all contexts, an array per number of a setting."""
    if problem.knob_name is None:
        return []
    if len(problem) <= MANY:
        found = np.array(
            [problem.tune(prediction, np.array([x]), np.zeros(1)).chosen for x in contexts]
        )
    else:
        found = np.asarray(curve.knob_at(contexts)).reshape(len(contexts), -1)
    return list(found.T)


def _raw(problem: Problem, prediction: Floats, contexts: Floats, models: int) -> Values | None:
    """Return what the model gives as it is; None if its predictions are not meant so."""
    if problem.knob_name is None or not problem.raw_meant(problem.knob_values(prediction)):
        return None
    curve = problem.untuned_curve(prediction)
    if curve is not None:
        return Values.exactly(contexts, np.asarray(curve.at(contexts)))
    at = contexts
    if problem.linear and not problem.untuned_follows:  # a straight line
        at = contexts[[0, -1]]
    elif len(contexts) * len(problem) * models > LONG:
        at = contexts[np.unique(np.linspace(0, len(contexts) - 1, 101).astype(int))]
    means = [
        float(np.average(problem.untuned(prediction, x, x), weights=problem.weight))
        for x in at.tolist()
    ]
    return Values.exactly(at, np.array(means))


def summary_subject(summary: Summary) -> Subject:
    """Return what the cells of a summary tell, and nothing else."""
    problem, aim = summary.problem, summary.aim
    if problem.context_kind == "truth":
        contexts = summary.cells_of(0).inner_cuts
        ends = holding(aim, float(contexts[0]), float(contexts[-1]))
        first = first_shown(aim, ends)
        contexts = np.unique(np.append(contexts, [*ends, first]))
    else:
        ends = shown_range(problem, aim)
        first = first_shown(aim, ends)
        contexts = np.unique(np.append(np.linspace(*ends, STEPS), [first, *summary.answered]))
    tuned, curves, knobs, cases = {}, {}, {}, {}
    raw: dict[str, Values | None] = {}
    for name, cells in summary.models.items():
        bounds = cells.bounds(problem)
        least, most = (np.asarray(each.at(contexts)) for each in (bounds.lower, bounds.upper))
        tuned[name] = Values.between(contexts, least, most, _likely(summary, name))
        curves[name] = _through(problem, tuned[name])
        settings = bounds.knob_at(contexts)
        knobs[name] = [] if settings is None else list(settings.T)
        own = problem.of_model(name)
        raw[name] = None
        ends_of = cells.raw(own, contexts) if name in summary.meant else None
        if ends_of is not None:
            told = cells.raw_middle(own, contexts)
            likely = _likely(summary, name, as_it_is=True)
            if told is not None:
                likely = list(zip(contexts.tolist(), told.tolist(), told.tolist(), strict=True))
            raw[name] = Values.between(contexts, *ends_of, likely)
        truth, prediction, weight = cells.sample()
        cases[name] = problem.on(truth, weight), prediction
    still = best_still(summary.constant_problem, contexts)
    return Subject(
        problem, aim, first, contexts, tuned, curves, envelope(curves), knobs, raw, cases, still
    )


def _likely(summary: Summary, name: str, as_it_is: bool = False) -> list[Likely]:
    """Return where answers put the values of a model: within their intervals."""
    found = []
    for told in summary.told:
        (row,) = [each for each in told.rows if each.name == name and not each.baseline]
        if not as_it_is:
            found.append((told.context, row.low, row.high))
        elif row.raw is not None:
            reach = 0.5 * (row.high - row.low)
            found.append((told.context, row.raw - reach, row.raw + reach))
    return found


def _through(problem: Problem, values: Values) -> ContextCurve:
    """Return a curve straight between values."""
    sense: Literal["loss", "utility"] = "utility" if problem.sense == "gain" else "loss"
    function = Piecewise.through(values.contexts, values.middle)
    return ContextCurve(function, problem.context, problem.outcome, sense, exact=False)

"""What knowing the context would be worth, and the one question to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.models import ComparedModels
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.distributions import Continuous, Discrete, cell_moments, cumulative
from roctopus.inference.aims import describe, read_distribution
from roctopus.inference.policies import mean_of, sign_of

CELLS = 64
"""Equally likely parts of the distribution in which an honest follower keeps one setting."""
TRIED = 31
"""So many borders are tried where each takes tuning anew."""


class Break(NamedTuple):
    """A context at which another model becomes the best."""

    context: float
    below: str
    above: str
    question: str
    """In words of cost: "does an under-estimate cost more than 0.9 × an over-estimate?"."""


class Question(NamedTuple):
    """The yes-or-no question about the context whose answer is worth most."""

    context: float
    text: str
    value: float
    """The expected outcome of two frozen decisions, one for each answer."""


@dataclass(frozen=True, eq=False)
class Knowing:
    """Expected outcomes under a distribution of contexts, by what is known when it counts."""

    context: str
    distribution: str
    sense: str
    frozen: float
    """One decision for all contexts: the best there is."""
    following: float
    """The best model and knob at every context, exactly."""
    untuned: float
    """The best model as it is."""
    frozen_honest: Estimate
    following_honest: Estimate
    untuned_honest: Estimate
    """The same on cases that decisions were not made on: the intervals to trust."""
    breaks: tuple[Break, ...]
    question: Question | None

    @property
    def worth(self) -> float:
        """What knowing the context gains over the best frozen decision, per case."""
        gap = self.frozen - self.following
        if abs(gap) <= 1e-12 * abs(self.frozen):
            return 0.0
        return gap if self.sense == "loss" else -gap

    def __repr__(self) -> str:
        lines = []
        for what, value, honest in (
            ("follow the context", self.following, self.following_honest),
            ("freeze one decision", self.frozen, self.frozen_honest),
            ("tune nothing", self.untuned, self.untuned_honest),
        ):
            low, high = honest.confidence_interval()
            lines.append(
                f"  {what:20} {self.sense} {value:.5g} in-sample, {honest.value:.5g} honestly "
                f"({low:.5g} to {high:.5g})"
            )
        if self.worth == 0.0:
            head = f"Knowing {self.context} ({self.distribution}) is worth nothing: one decision"
            return "\n".join([f"{head} is best throughout.", *lines])
        share = self.worth / abs(self.frozen) if self.frozen else 0.0
        head = (
            f"Knowing {self.context} ({self.distribution}) is worth {self.worth:.4g} a case, "
            f"{100 * share:.1f} %."
        )
        if self.question is not None:
            part = abs(self.frozen - self.question.value) / self.worth
            head += f" One question gets {100 * part:.0f} % of that: {self.question.text}"
        return "\n".join([head, *lines])


def ask(problem: Problem, context: float) -> str:
    """Return the question whether the context is above a value, in words of cost."""
    subject, costs, rest = problem.say(context).partition(" costs ")
    if costs:
        return f"Does {subject} cost more than {rest.partition(';')[0]}?"
    subject, known, rest = problem.say(context).partition(" is ")
    return f"Is {subject} above {rest}?" if known else f"Is {problem.context} above {context:.3g}?"


def quantiles(
    distribution: Continuous | Discrete, shares: Floats, domain: tuple[float, float]
) -> Floats:
    """Return the contexts below which these shares lie, by bisection."""
    if isinstance(distribution, Discrete):
        order = np.argsort(distribution.support)
        running = np.cumsum(distribution.probability[order])
        at = np.searchsorted(running / running[-1], shares - 1e-12)
        return distribution.support[order][np.minimum(at, len(order) - 1)]

    def below(x: float) -> float:
        return float(cumulative(distribution, np.array([x]))[0])

    first, last = domain
    if np.isinf(first):
        first = -1.0
        while below(first) > 1e-9:
            first *= 4.0
    if np.isinf(last):
        last = 1.0
        while below(last) < 1.0 - 1e-9:
            last *= 4.0
    low, high = np.full(len(shares), first), np.full(len(shares), last)
    for _ in range(80):
        middle = 0.5 * (low + high)
        above = cumulative(distribution, middle) >= shares
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return high


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


def value_of_knowing(comparison: ComparedModels, distribution: Any) -> Knowing:
    """Find expected outcomes with and without knowing the context."""
    problem, aim = comparison.aim(None, None, distribution, {})
    exact = read_distribution(problem, distribution)
    learned, honest = comparison.learned(problem, aim)
    best = comparison.envelope
    untuned = comparison.untuned(problem, aim)
    sign = sign_of(problem)
    plain = min(untuned, key=lambda name: sign * untuned[name])
    following = best.expect(distribution)
    frozen = learned.scores[learned.ranked[0]]
    return Knowing(
        problem.context,
        describe(distribution),
        problem.sense,
        frozen,
        following,
        untuned[plain],
        honest.policy,
        _follow_honestly(comparison, exact),
        honest.untuned,
        _breaks(comparison, exact),
        _question(comparison, exact, frozen),
    )


def _follow_honestly(comparison: ComparedModels, distribution: Continuous | Discrete) -> Estimate:
    """Learn who is best where on some cases, and follow that on others, cell by cell."""
    problem, predictions = comparison.problem, comparison.predictions
    _, mass, mean = split_into_cells(distribution, problem.domain, CELLS, linear=problem.linear)
    contexts, share = mean[mass > 0.0], mass[mass > 0.0]

    def learn(rows: Any) -> Envelope:
        cases = problem.take(rows)
        return envelope({name: cases.curve(p[rows]) for name, p in predictions.items()})

    def outcomes(regions: Envelope, rows: Any) -> list[Floats]:
        mine = {name: p[rows] for name, p in predictions.items()}
        return [follow(problem.take(rows), mine, regions, contexts, share)]

    return comparison.cross_fit(problem, learn, outcomes).mean()


def follow(
    problem: Problem,
    predictions: Mapping[str, Floats],
    regions: Envelope,
    contexts: Floats,
    share: Floats,
) -> Floats:
    """Return each case's mean outcome if contexts are followed by regions learned elsewhere."""
    total = np.zeros(len(problem))
    piece = regions.curve.piece_of(contexts)
    for x, part, k in zip(contexts.tolist(), share.tolist(), piece.tolist(), strict=True):
        model, knob = regions.names[regions.owner[k]], np.empty(0)
        if regions.curve.knob is not None:
            knob = np.atleast_1d(regions.curve.knob[k])
        total += part * problem.outcomes(predictions[model], knob, x)
    return np.asarray(total / share.sum())


def _breaks(comparison: ComparedModels, distribution: Continuous | Discrete) -> tuple[Break, ...]:
    """Return the borders between models that lie within the distribution."""
    regions = comparison.envelope.regions
    borders = np.array([low for low, _, _ in regions[1:]])
    inside = cumulative(distribution, borders) if len(borders) else borders
    return tuple(
        Break(low, before[2], model, ask(comparison.problem, low))
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
    return Question(context, ask(problem, context), float(total[at]))

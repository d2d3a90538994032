"""Cutoff errors beyond memory: histograms of both ends of the wrong cutoffs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import (
    Batch,
    Bounded,
    Columns,
    ModelGrid,
    OpenedRows,
    Small,
    within_rounding,
)
from roctopus.core.arrays import Floats
from roctopus.core.buckets import Buckets, sum_by
from roctopus.core.errors import InputError
from roctopus.core.moments import dot
from roctopus.core.piecewise import Piecewise
from roctopus.cutoff.cases import ErrorCosts
from roctopus.cutoff.curves import CutoffErrorCurve, outcome_name
from roctopus.cutoff.margin_grids import MarginGrid


class CutoffGrid(ModelGrid):
    """Where wrong cutoffs begin and end, per bucket and kind of error.

    At a border the mass of the cases around it is exact: those that have begun below it, less
    those that have ended. Inside a bucket no more can begin and end than what lies in it.
    """

    def __init__(self, truth: Floats, prediction: Floats, count: int, options: Any) -> None:
        self.buckets = Buckets.of(truth, count)
        self.truths, self.predictions = np.zeros((2, 6 * count))
        """By half and kind: right, over- and under-estimated."""
        self.low, self.high = np.inf, -np.inf
        self.over, self.under = 0.0, 0.0

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Take a batch in."""
        truth, weight, count = batch.truth, batch.weight, self.buckets.count
        sign = (prediction < truth).view(np.int8)
        sign += sign
        sign += (prediction > truth).view(np.int8)
        kind = np.multiply(sign, count, dtype=np.intp)
        kind += batch.halves_times(3 * count)
        for found, values in ((self.truths, truth), (self.predictions, prediction)):
            found += sum_by(batch.buckets_of(values, self.buckets) + kind, weight, 6 * count)
        low, high = batch.ends_of(truth)
        self.low, self.high = min(self.low, low), max(self.high, high)
        error = prediction - truth
        self.over += dot(np.maximum(error, 0.0), weight)
        self.under -= dot(np.minimum(error, 0.0, out=error), weight)

    def merge(self, other: Self) -> None:
        """Take in what another grid has seen."""
        self.truths += other.truths
        self.predictions += other.predictions
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.over, self.under = self.over + other.over, self.under + other.under

    @property
    def tunes(self) -> bool:
        """Both ends of wrong cutoffs are kept apart: they do not say what a margin would cost."""
        return False

    def at_context(self, context: float, near: float = 0.0) -> MarginGrid:
        """Return an empty grid that knows on which side of a cutoff truths lie."""
        return MarginGrid(self.buckets, context, near)

    @property
    def weight(self) -> float:
        """The total weight."""
        return float(self.truths.sum())

    def _parts(self, half: int | None) -> tuple[Floats, Floats]:
        """Return the masses of truths and predictions by kind and bucket."""
        both = [each.reshape(2, 3, -1) for each in (self.truths, self.predictions)]
        truths, predictions = (e.sum(axis=0) if half is None else e[half] for e in both)
        return truths, predictions

    def _kind(self, kind: int, half: int | None = None) -> tuple[Floats, Floats, Floats]:
        """Return the mass open at all borders and both ends, and its bounds in each bucket."""
        truths, predictions = self._parts(half)
        begin, end, total = truths[kind], predictions[kind], float(truths.sum())
        if total == 0.0:
            raise InputError("There are no cases.")
        if kind == 2:
            begin, end = end, begin
        at = np.append(0.0, np.cumsum(begin) - np.cumsum(end))
        at[-1] = 0.0
        at = np.maximum(at, 0.0)
        lower = np.maximum(np.maximum(at[:-1] - end, at[1:] - begin), 0.0)
        upper = np.minimum(at[:-1] + begin, at[1:] + end)
        # Divided last: counts are exact.
        return at / total, lower / total, np.maximum(upper, lower) / total

    def _steps(self, at: Floats, inside: Floats) -> Piecewise:
        """Return the function with its own value at each border, and between them."""
        border, first = np.unique(self.buckets.borders, return_index=True)
        last = np.append(first[1:], len(self.buckets.borders))
        before = np.nextafter(border, -np.inf)
        knots = np.stack([before, border], axis=1).ravel()
        # Continuous from the left: the piece that ends at a border is the border alone.
        height = np.stack([inside[first], at[first + 1]], axis=1).ravel()
        knots = np.concatenate([[-np.inf], knots, [np.inf]])
        height = np.append(height, inside[last[-1]])
        inner = np.append(np.diff(knots) > 0.0, True)[:-1]
        return Piecewise.steps(np.append(knots[:-1][inner], np.inf), height[inner], "left")

    def curve(self, problem: Problem, half: int | None = None) -> CutoffErrorCurve:
        """Return Q(c): exact at the borders of buckets, with bounds between."""
        costs = ErrorCosts(*_costs(problem.settings()))
        parts = [self._kind(kind, half) for kind in (1, 2)]
        prices = costs.false_positive, costs.false_negative
        at, lower, upper = (prices[0] * a + prices[1] * b for a, b in zip(*parts, strict=True))
        low, high = within_rounding(self._steps(at, lower), self._steps(at, upper), max(prices))
        middles = [self._steps(part[0], 0.5 * (part[1] + part[2])) for part in parts]
        return CutoffErrorCurve(
            function=self._steps(at, 0.5 * (lower + upper)),
            context="cutoff",
            outcome=outcome_name(costs),
            exact=False,
            lower=low,
            upper=high,
            false_positives=middles[0],
            false_negatives=middles[1],
            outputs=Empirical(*self._truth_points()),
        )

    def _truth_points(self) -> tuple[Floats, Floats]:
        """Return the truths, each bucket at its lower edge, and their masses."""
        mass = self._parts(None)[0].sum(axis=0)
        edges = self.buckets.edges(self.low, self.high)[:-1]
        return edges[mass > 0.0], mass[mass > 0.0]

    def achievable(self, half: int | None = None, opened: OpenedRows | None = None) -> Small:
        """Return the truths: margins are not tuned on buckets."""
        points, mass = self._truth_points()
        return Small(points, points, mass, np.arange(len(mass)))

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return nothing: curves have bounds of their own."""
        return []

    @staticmethod
    def key(truth: Floats, prediction: Floats) -> Floats:
        """Return what buckets are of."""
        return prediction

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return the knobs, of which there are none."""
        return knobs

    def ordered(
        self, columns: tuple[str, str, str | None], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the state of A_OCE."""
        area = OutputArea(*columns, ErrorCosts(*_costs(options)), self.weight)
        return {"output_cutoff_area": area}

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return A_UCE, exactly, and bounds of A_OCE."""
        prices = _costs(options)
        mass = self._parts(None)[0].sum(axis=0) / self.weight
        low = high = 0.0
        for price, kind in zip(prices, (1, 2), strict=True):
            at, lower, upper = self._kind(kind)
            low += price * float(mass @ np.minimum(lower, at[:-1]))
            high += price * float(mass @ np.maximum(upper, at[:-1]))
        sides = [p * s if s else 0.0 for p, s in zip(prices, (self.over, self.under), strict=True)]
        return {
            "uniform_cutoff_area": Bounded.exactly(sum(sides) / self.weight),
            "output_cutoff_area": Bounded.between(low, high),
        }


def _costs(settings: Mapping[str, Any]) -> tuple[float, float]:
    names = ("false_positive_cost", "false_negative_cost")
    first, second = (float(settings.get(name, 1.0)) for name in names)
    return first, second


class OutputArea:
    """A_OCE from sorted ends: Σσ·F(p) − Σσ·F(y), σ = ±weight·cost by the sign of the error.

    F is the share of truths at or below a value. Truths and predictions are records of one column,
    so no case has to be put together again.
    """

    def __init__(
        self, truth: str, prediction: str, weight: str | None, costs: ErrorCosts, total: float
    ) -> None:
        self.arguments = truth, prediction, weight, costs, total
        self.below, self.area, self.pull = 0.0, 0.0, 0.0

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return a record for each truth, and one for each prediction that is not right."""
        truth, prediction, weight, *_ = self.arguments
        y, p = batch[truth], batch[prediction]
        sign = np.sign(p - y, where=p != y, out=np.zeros(len(y))).astype(np.int8)
        wrong = sign != 0
        found = {
            "key": np.concatenate([y, p[wrong]]) + 0.0,
            "sign": np.concatenate([-sign, sign[wrong]]),
            "is_truth": np.arange(len(y) + int(np.count_nonzero(wrong))) < len(y),
        }
        if weight is not None:
            found["mass"] = np.concatenate([batch[weight], batch[weight][wrong]])
        return found

    def advance(self, records: Mapping[str, Any]) -> None:
        """Add pull times the share of truths at or below, tie groups as a whole."""
        *_, costs, total = self.arguments
        truth, sign = records["is_truth"], records["sign"]
        over, under = costs.false_positive / total, costs.false_negative / total
        # What a prediction gains, its truth loses: of an over-estimate its truth is pulled down.
        pull = np.where(np.where(truth, -sign, sign) > 0, over, under) * sign
        mass = truth / total
        if "mass" in records:
            mass, pull = mass * records["mass"], pull * records["mass"]
        key = records["key"]
        begin = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
        if len(begin) < len(key):
            mass, pull = (np.add.reduceat(each, begin) for each in (mass, pull))
        reached = np.cumsum(mass)
        self.area += float(np.sum((self.below + reached) * pull))
        self.below += float(reached[-1])
        self.pull += float(pull.sum())

    def lifted(self) -> Self:
        """Return an empty state."""
        return type(self)(*self.arguments)

    def merge(self, right: Self) -> None:
        """Raise the shares of a range of larger keys by what lies below it."""
        self.area += right.area + self.below * right.pull
        self.below += right.below
        self.pull += right.pull

    @property
    def value(self) -> float:
        """The area."""
        return max(self.area, 0.0)

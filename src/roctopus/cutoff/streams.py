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
    Handicap,
    ModelGrid,
    OpenedRows,
    Small,
    within_rounding,
)
from roctopus.core.arrays import Floats
from roctopus.core.buckets import PARTS, Buckets, RowParts, of_parts, sum_by
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.errors import InputError
from roctopus.core.moments import dot
from roctopus.core.piecewise import Piecewise
from roctopus.cutoff.area_states import OutputArea
from roctopus.cutoff.cases import ErrorCosts
from roctopus.cutoff.curves import CutoffErrorCurve, outcome_name
from roctopus.cutoff.joint_bounds import MOST_CUTOFFS, least_expected, least_worst
from roctopus.cutoff.joint_curves import Tuned, tuned_bounds
from roctopus.cutoff.joint_masses import JointMasses
from roctopus.cutoff.margin_grids import MarginGrid


class CutoffGrid(ModelGrid):
    """Where wrong cutoffs begin and end, per bucket and kind of error.

    At a border the mass of the cases around it is exact: those that have begun below it, less
    those that have ended. Inside a bucket no more can begin and end than what lies in it.
    """

    def __init__(self, truth: Floats, prediction: Floats, count: int, options: Any) -> None:
        self.buckets = Buckets.of(truth, count)
        self.truths, self.predictions = np.zeros((2, 3 * PARTS * count))
        """By part and kind: right, over- and under-estimated."""
        self.low, self.high = np.inf, -np.inf
        self.over, self.under = 0.0, 0.0
        self.joint = JointMasses(self.buckets)

    def update(self, batch: Batch, prediction: Floats) -> None:
        """Add a batch."""
        truth, weight, count = batch.truth, batch.weight, self.buckets.count
        sign = (prediction < truth).view(np.int8)
        sign += sign
        sign += (prediction > truth).view(np.int8)
        kind = np.multiply(sign, count, dtype=np.intp)
        kind += batch.parts_times(3 * count)
        for found, values in ((self.truths, truth), (self.predictions, prediction)):
            found += sum_by(
                batch.buckets_of(values, self.buckets) + kind, weight, 3 * PARTS * count
            )
        low, high = batch.ends_of(truth)
        self.low, self.high = min(self.low, low), max(self.high, high)
        error = prediction - truth
        self.over += dot(np.maximum(error, 0.0), weight)
        self.under -= dot(np.minimum(error, 0.0, out=error), weight)
        self.joint.update(batch, prediction)

    def merge(self, other: Self) -> None:
        """Add the masses of another grid."""
        self.truths += other.truths
        self.predictions += other.predictions
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.over, self.under = self.over + other.over, self.under + other.under
        self.joint.merge(other.joint)

    @property
    def opens(self) -> bool:
        """Return False: a margin's cost over several cutoffs has too many minima for a few rows."""
        return False

    def at_context(self, context: float, near: float = 0.0) -> MarginGrid:
        """Return an empty grid that counts true values on both sides of a cutoff."""
        return MarginGrid(self.buckets, context, near)

    @property
    def weight(self) -> float:
        """The total weight."""
        return float(self.truths.sum())

    def _parts(self, parts: RowParts | None) -> tuple[Floats, Floats]:
        """Return the masses of true values and predictions by kind and bucket."""
        both = [each.reshape(PARTS, 3, -1) for each in (self.truths, self.predictions)]
        truths, predictions = (of_parts(each, parts) for each in both)
        return truths, predictions

    def _kind(self, kind: int, parts: RowParts | None = None) -> tuple[Floats, Floats, Floats]:
        """Return the mass open at all borders and both ends, and its bounds in each bucket."""
        truths, predictions = self._parts(parts)
        begin, end, total = truths[kind], predictions[kind], float(truths.sum())
        if total == 0.0:
            raise InputError("The data contain no cases. At least one is needed.")
        if kind == 2:
            begin, end = end, begin
        at = np.append(0.0, np.cumsum(begin) - np.cumsum(end))
        at[-1] = 0.0
        at = np.maximum(at, 0.0)
        lower = np.maximum(np.maximum(at[:-1] - end, at[1:] - begin), 0.0)
        upper = np.minimum(at[:-1] + begin, at[1:] + end)
        # Divided last: counts are exact.
        return at / total, lower / total, np.maximum(upper, lower) / total

    def _pieces(self, at: Floats, inside: Floats) -> tuple[Floats, Floats]:
        """Return knots and heights of what has its own value at each border, and between them."""
        border, first = np.unique(self.buckets.borders, return_index=True)
        last = np.append(first[1:], len(self.buckets.borders))
        before = np.nextafter(border, -np.inf)
        knots = np.stack([before, border], axis=1).ravel()
        # Continuous from the left: the piece that ends at a border is the border alone.
        height = np.stack([inside[first], at[first + 1]], axis=1).ravel()
        knots = np.concatenate([[-np.inf], knots, [np.inf]])
        height = np.append(height, inside[last[-1]])
        inner = np.append(np.diff(knots) > 0.0, True)[:-1]
        return np.append(knots[:-1][inner], np.inf), height[inner]

    def _steps(self, at: Floats, inside: Floats) -> Piecewise:
        return Piecewise.steps(*self._pieces(at, inside), "left")

    def curve(self, problem: Problem, parts: RowParts | None = None) -> CutoffErrorCurve:
        """Return Q*(c): the best threshold at a border, with bounds of the best margin."""
        costs = ErrorCosts(*_costs(problem.settings()))
        prices = costs.false_positive, costs.false_negative
        at, inside = self._tuned(prices, parts)
        steps = {name: self._steps(getattr(at, name), getattr(inside, name)) for name in at._fields}
        value = [
            np.clip(prices[0] * each.over + prices[1] * each.under, each.lower, each.upper)
            for each in (at, inside)
        ]
        low, high = within_rounding(steps["lower"], steps["upper"], max(prices))
        return CutoffErrorCurve(
            function=self._steps(*value),
            context="cutoff",
            outcome=outcome_name(costs),
            exact=False,
            lower=low,
            upper=high,
            false_positives=steps["over"],
            false_negatives=steps["under"],
            outputs=Empirical(*self._truth_points()),
            knob=-self._pieces(at.threshold, inside.threshold)[1],
            knob_name="margin",
            knob_follows=True,
        )

    def _tuned(self, prices: tuple[float, float], parts: RowParts | None) -> tuple[Tuned, Tuned]:
        """Return the best of thresholds between wide buckets and of the narrow one's own border."""
        count, factor = self.buckets.count, self.joint.factor
        (over, *_), (under, *_) = (self._kind(kind, parts) for kind in (1, 2))
        truths = self._parts(parts)[0].sum(axis=0)
        total = float(truths.sum())
        borders, wide = tuned_bounds(self.joint, prices, parts)
        place = np.minimum(np.arange(count + 1) // factor, self.joint.size - 1)
        own, far = (
            np.concatenate([[-np.inf], each.borders, [np.inf]])
            for each in (self.buckets, self.joint)
        )
        ends = np.searchsorted(far, own)
        at, inside = [], []
        for name, border, each in zip(Tuned._fields, borders, wide, strict=True):
            size = 1.0 if name == "threshold" else total
            at.append(np.where(far[ends] == own, border[ends], each[place]) / size)
            inside.append(each[place[:-1]] / size)
        cost = prices[0] * over + prices[1] * under
        first = Tuned(own, over, under, at[3], cost)
        # Just above a border, truths of its bucket have become negative, some or all of them.
        more = truths / total
        second = Tuned(
            own[:-1], over[:-1] + 0.5 * more, under[:-1], inside[3], cost[:-1] + prices[0] * more
        )
        return _cheaper(Tuned(*at), first), _cheaper(Tuned(*inside), second)

    def _truth_points(self) -> tuple[Floats, Floats]:
        """Return the truths, each bucket at its lower edge, and their masses."""
        mass = self._parts(None)[0].sum(axis=0)
        edges = self.buckets.edges(self.low, self.high)[:-1]
        return edges[mass > 0.0], mass[mass > 0.0]

    def achievable(self, parts: RowParts | None = None, opened: OpenedRows | None = None) -> Small:
        """Return a case per pair of buckets; what margins tuned on these give is judged later."""
        return self.joint.sample(parts)

    def best_cases(self, opened: OpenedRows | None = None) -> list[Small]:
        """Return nothing: curves have bounds of their own."""
        return []

    def least(self, problem: Problem, distribution: Continuous | Discrete) -> float | None:
        """Return a lower bound of the expected cost at any margin."""
        costs = _costs(problem.settings())
        return (1.0 - 1e-11) * least_expected(self.joint.cells(), costs, distribution)

    def least_between(
        self, problem: Problem, low: float, high: float, handicap: Handicap | None
    ) -> float | None:
        """Return a lower bound of the worst cost in a range, less the least possible cost there."""
        inner = self.joint.borders[(self.joint.borders > low) & (self.joint.borders < high)]
        step = max(1, -(-len(inner) // (MOST_CUTOFFS - 2)))
        cutoffs = np.concatenate([[low], inner[step // 2 :: step], [high]])
        less = np.zeros(len(cutoffs)) if handicap is None else handicap(cutoffs)
        costs = _costs(problem.settings())
        return least_worst(self.joint.cells(), costs, cutoffs, less) - 1e-11 * max(costs)

    @staticmethod
    def key(truth: Floats, prediction: Floats) -> Floats:
        """Return what buckets are of."""
        return prediction

    def settings(self, knobs: Floats, small: Small, opened: OpenedRows | None = None) -> Floats:
        """Return margins as they are."""
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


def _cheaper(first: Tuned, second: Tuned) -> Tuned:
    """Return, place by place, the one of two thresholds that costs less at most."""
    mine = ~(second.upper < first.upper) | ~np.isfinite(second.threshold)
    return Tuned(*(np.where(mine, a, b) for a, b in zip(first, second, strict=True)))

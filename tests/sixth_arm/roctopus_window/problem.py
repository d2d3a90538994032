"""The question: predict a time, arrive a bit later or earlier, and hit the window.

A case is open from one time to another. Arriving too early costs 1 per minute of waiting; arriving
after closing costs ``late_cost`` per minute beyond the patience τ, which is the context. At a fixed
shift the cost is convex in τ, not a line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.problem import ContextKind, Knob, Problem
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_finite, check_scalar
from roctopus.core.distributions import Continuous, Discrete, cumulative
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Piecewise

CONTEXTS, RANGE = 65, 9
"""So many values of the patience draw a curve, and so many stand for a range."""


def read_window(y_true: Any) -> Floats:
    """Return when each case opens and closes, a row per case."""
    times = np.asarray(y_true, dtype=np.float64)
    if times.ndim != 2 or times.shape[1] != 2:
        raise InputError("The arm 'window' needs two columns in 'y_true': opening and closing.")
    check_finite(times.ravel(), "y_true")
    if np.any(times[:, 0] > times[:, 1]):
        raise InputError("'y_true' has windows that close before they open.")
    return times


@dataclass(frozen=True, eq=False)
class WindowProblem(Problem):
    """Windows to arrive in; the cost of being late depends on the patience."""

    arm: ClassVar[str] = "window"
    context: ClassVar[str] = "patience"
    context_kind: ClassVar[ContextKind] = "price"
    knob_name: ClassVar[str | None] = "shift"
    sense: ClassVar[Literal["loss", "gain"]] = "loss"
    linear: ClassVar[bool] = False
    untuned_follows: ClassVar[bool] = False
    outcome: ClassVar[str] = "mean cost of waiting and being late"
    domain: ClassVar[tuple[float, float]] = (0.0, np.inf)

    times: Floats
    weight: Floats | None = None
    late_cost: float = 3.0

    def __len__(self) -> int:
        return len(self.times)

    def columns(self) -> tuple[Floats, ...]:
        """Return when cases open and close."""
        return self.times[:, 0], self.times[:, 1]

    def truth(self) -> Floats:
        """Return both columns as one array."""
        return self.times

    def settings(self) -> dict[str, Any]:
        """Return the cost of being late."""
        return {"late_cost": self.late_cost}

    def metric_arguments(self) -> dict[str, Any]:
        """Return what the metric takes."""
        return {**self.settings(), "y_true": self.times}

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""
        weight = None if self.weight is None else self.weight[rows]
        return replace(self, times=self.times[rows], weight=weight)

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem for other cases."""
        return replace(self, times=truth, weight=weight)

    def check(self, prediction: Floats) -> None:
        """Raise an error for predictions that are not finite."""
        check_finite(prediction, "predictions")

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Take the patience."""
        read_one_of(given, ("patience",))
        return self, check_scalar(given["patience"], "patience")

    def _gaps(self, prediction: Floats) -> tuple[Floats, Floats]:
        """Return the shifts from which a case is early no more, and from which it is late."""
        return self.times[:, 0] - prediction, self.times[:, 1] - prediction

    def _mass(self) -> Floats:
        return np.ones(len(self)) if self.weight is None else self.weight

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the shift at which what waiting saves equals what being late costs.

        As the shift grows, the slope of the cost rises by the weight of each case that opens, and
        by ``late_cost`` times the weight of each that runs out of patience.
        """
        opens, closes = self._gaps(prediction)
        mass = self._mass() if unit is None else self._mass() * unit
        points = np.concatenate([opens, closes + contexts])
        order = np.argsort(points, kind="stable")
        rise = np.cumsum(np.concatenate([mass, self.late_cost * mass])[order])
        level = float(mass.sum())
        first = int(np.searchsorted(rise, level * (1.0 - 1e-12)))
        flat = rise[first] <= level * (1.0 + 1e-12) and first + 1 < len(points)
        low, high = points[order][first], points[order][first + 1 if flat else first]
        return Knob.at(np.clip(0.0, low, high), low, high)

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the shift; of several contexts that of the least worst cost, which is convex."""
        alone = self.tune_rows(prediction, np.full(len(self), contexts[0]))
        if len(contexts) == 1:
            return alone

        def worst(shift: float) -> float:
            costs = self.means_at(prediction, np.array([shift]), contexts)
            return float(np.max(costs - handicaps))

        last = self.tune_rows(prediction, np.full(len(self), contexts[-1])).chosen[0]
        return Knob.at(_least_convex(worst, *sorted([float(alone.chosen[0]), float(last)])))

    def tune_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Knob:
        """Return the shift where the expected slope changes its sign."""
        opens, closes = self._gaps(prediction)
        mass = self._mass()

        def slope(shift: float) -> float:
            late = self.late_cost * cumulative(distribution, shift - closes) * (shift > closes)
            return float(mass @ (late - (shift < opens)))

        low, high = float(opens.min()), float(max(opens.max(), closes.max()))
        while slope(high) < 0.0:
            high += max(high - low, 1.0)
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
        return Knob.at(high)

    def worst_contexts(self, low: float, high: float) -> Floats:
        """Return the range: the cost is worst at its low end, the regret may be anywhere."""
        return np.linspace(low, high, RANGE)

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the cost of each case."""
        opens, closes = self._gaps(prediction)
        late = np.maximum(knob[0] - closes - context, 0.0)
        return np.asarray(np.maximum(opens - knob[0], 0.0) + self.late_cost * late)

    def expected(
        self, prediction: Floats, knob: Floats, distribution: Continuous | Discrete
    ) -> Floats:
        """Return the mean cost of each case: E(late − τ)⁺ from the distribution's own moments."""
        opens, closes = self._gaps(prediction)
        late = np.maximum(knob[0] - closes, 0.0)
        if isinstance(distribution, Discrete):
            lacking = np.maximum(late[:, None] - distribution.support[None, :], 0.0)
            beyond = lacking @ distribution.probability
        else:
            beyond = np.where(
                late > 0.0, -distribution.moment(np.full(len(late), -np.inf), late, late), 0.0
            )
        return np.asarray(np.maximum(opens - knob[0], 0.0) + self.late_cost * beyond)

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the cost of arriving when predicted."""
        return self.outcomes(prediction, np.zeros(1), context)

    def untuned_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Floats:
        """Return the expected cost of arriving when predicted."""
        return self.expected(prediction, np.zeros(1), distribution)

    def knob_values(self, prediction: Floats) -> Floats:
        """Return the shifts from which cases are early no more."""
        return self._gaps(prediction)[0]

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the least cost, which is convex: chords bound it from above, slopes from below.

        At the best shift what waiting costs more balances what being late costs less, and as much
        is saved as patience grows.
        """
        opens, closes = self._gaps(prediction)
        grid = np.linspace(0.0, max(float(opens.max() - closes.min()), 1e-9), CONTEXTS)
        knobs = np.array([self.tune(prediction, np.array([x]), [0.0]).chosen[0] for x in grid])
        mean, fall = np.zeros((2, CONTEXTS))  # with enough patience nothing is lost
        for k, (shift, x) in enumerate(zip(knobs[:-1], grid[:-1], strict=True)):
            mean[k] = np.average(self.outcomes(prediction, [shift], x), weights=self.weight)
            early, late = opens > shift, shift - closes > x
            shares = (np.average(part, weights=self.weight) for part in (early, late))
            fall[k] = max(next(shares), self.late_cost * next(shares))
        knots, width = np.append(grid, np.inf), np.append(np.diff(grid), 0.0)
        chords = Piecewise(knots, mean, np.append(mean[1:], 0.0))
        slopes = Piecewise(knots, mean, mean - fall * width)
        words = ("patience", self.outcome, "loss", knobs, "shift")
        return ContextCurve(chords, *words, exact=False, lower=slopes, upper=chords)


def _least_convex(function: Any, low: float, high: float) -> float:
    """Return where a convex function is least, by golden sections."""
    ratio = 0.5 * (np.sqrt(5.0) - 1.0)
    for _ in range(80):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if function(left) <= function(right) else (left, high)
    return 0.5 * (low + high)

"""Curves over a context, and who is best where among several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from roctopus.concepts.foreign_laws import Distribution, as_distribution
from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.envelope import PiecewiseEnvelope, lower_envelope, upper_envelope
from roctopus.core.errors import InputError
from roctopus.core.piecewise import Continuity, Index, Piecewise

__all__ = ["ContextCurve", "Envelope", "Region", "envelope"]

TIE_TOLERANCE = 1e-12
"""Curves closer than this (relative) are equal: long sums carry that much rounding."""


@dataclass(frozen=True, eq=False)
class ContextCurve:
    """The loss or utility of a model along a context, exact between its knots.

    A context says what errors cost: an asymmetry, a cutoff, a price. Where the model is tuned for
    each context, every piece has its own setting of the knob.
    """

    function: Piecewise
    context: str
    """What the argument means, such as "asymmetry"."""
    outcome: str
    """What the value means, such as "mean asymmetric absolute error"."""
    sense: Literal["loss", "utility"] = "loss"
    knob: Floats | None = None
    """One setting per piece, where the curve was tuned."""
    knob_name: str | None = None
    exact: bool = True
    """False for a curve known at sampled contexts only."""
    lower: Piecewise | None = None
    upper: Piecewise | None = None
    backend: str | None = None

    @property
    def domain(self) -> tuple[float, float]:
        """The contexts for which the curve is known."""
        return self.function.domain

    @property
    def continuity(self) -> Continuity:
        """Which limit the curve takes where it jumps."""
        return self.function.continuity

    def piece_of(self, context: ArrayLike) -> Index:
        """Return the number of the piece each context belongs to."""
        return self.function.piece_of(context, self.context)

    def at(self, context: ArrayLike) -> Any:
        """Return the value at a context: a float, or an array for an array of contexts."""
        value = self.function.at(context, self.context)
        return float(value) if value.ndim == 0 else value

    def knob_at(self, context: ArrayLike) -> Any:
        """Return the knob setting of the piece a context belongs to.

        At a knot the settings of both neighbours are equally good.
        """
        if self.knob is None:
            raise InputError("The curve was not tuned: it has no knob.")
        setting = self.knob[self.piece_of(context)]
        return float(setting) if setting.ndim == 0 else setting

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value under a distribution of contexts, without a grid."""
        return self.function.expect(as_distribution(distribution))

    def area(self, low: float | None = None, high: float | None = None) -> float:
        """Return the area under the curve, by default over all its contexts."""
        return self.function.integrate(low, high)

    def restrict(self, low: float, high: float) -> ContextCurve:
        """Return the part of the curve between two contexts."""
        kept = self.function.pieces_within(low, high)
        return replace(
            self,
            function=self.function.restrict(low, high),
            knob=None if self.knob is None else self.knob[kept],
            lower=None if self.lower is None else self.lower.restrict(low, high),
            upper=None if self.upper is None else self.upper.restrict(low, high),
        )

    def minus(self, other: ContextCurve) -> ContextCurve:
        """Return the difference to another model's curve."""
        _check_comparable({"this curve": self, "the other": other})
        return ContextCurve(
            self.function.subtract(other.function),
            self.context,
            f"difference in {self.outcome}",
            self.sense,
            exact=self.exact and other.exact,
            backend=self.backend,
        )

    def frame(self, backend: str | None = None) -> Any:
        """Return the pieces as a dataframe of your kind."""
        columns = {
            f"{self.context}_from": self.function.knots[:-1],
            f"{self.context}_to": self.function.knots[1:],
            "value_from": self.function.start,
            "value_to": self.function.end,
        }
        if self.knob is not None:
            columns[self.knob_name or "knob"] = self.knob
        return make_frame(columns, self.backend, backend)

    def __repr__(self) -> str:
        low, high = self.domain
        tuned = f", {self.knob_name} tuned" if self.knob is not None else ""
        return (
            f"ContextCurve({self.outcome} over {self.context} from {low:g} to {high:g}: "
            f"{len(self.function)} pieces{tuned})"
        )


class Region(NamedTuple):
    """A range of contexts in which one model is best."""

    low: float
    high: float
    model: str


@dataclass(frozen=True, eq=False)
class Envelope:
    """The best of several models' curves at every context."""

    names: tuple[str, ...]
    curve: ContextCurve
    """The best value, with the knob of the model that reaches it."""
    pieces: PiecewiseEnvelope
    """For every piece of the curve, whose it is and which piece of that model's own curve."""

    @property
    def owner(self) -> Index:
        """For every piece of the curve, the position of its model in ``names``."""
        return self.pieces.owner

    @cached_property
    def regions(self) -> tuple[Region, ...]:
        """Who is best where, by increasing context."""
        first = np.flatnonzero(np.append(True, self.owner[1:] != self.owner[:-1]))
        borders = np.append(self.curve.function.knots[first], self.curve.function.knots[-1])
        return tuple(
            Region(float(low), float(high), self.names[self.owner[cell]])
            for low, high, cell in zip(borders[:-1], borders[1:], first, strict=True)
        )

    @property
    def never_best(self) -> tuple[str, ...]:
        """Models that are nowhere better than all others: worse, or equal to one named before."""
        winners = set(np.unique(self.owner).tolist())
        return tuple(name for position, name in enumerate(self.names) if position not in winners)

    def best_at(self, context: ArrayLike) -> Any:
        """Return the best model at a context: its name, or an array of names for an array.

        Where two regions meet and both models are equal, it is the first one named.
        """
        function, points = self.curve.function, np.asarray(context, dtype=np.float64)
        position = self.owner[self.curve.piece_of(points)]
        left, right = (
            np.searchsorted(function.knots[1:-1], points, side="left"),
            np.searchsorted(function.knots[1:-1], points, side="right"),
        )
        equal = np.isclose(function.end[left], function.start[right], rtol=TIE_TOLERANCE, atol=0.0)
        first = np.minimum(self.owner[left], self.owner[right])
        position = np.where((left != right) & equal, first, position)
        names = np.array(self.names, dtype=object)[position]
        return names if position.ndim else str(names)

    def at(self, context: ArrayLike) -> Any:
        """Return the best value at a context."""
        return self.curve.at(context)

    def knob_at(self, context: ArrayLike) -> Any:
        """Return the knob setting of the best model at a context."""
        return self.curve.knob_at(context)

    def expect(self, distribution: Distribution) -> float:
        """Return the expected value of following the context with the best model for each."""
        return self.curve.expect(distribution)

    def frame(self, backend: str | None = None) -> Any:
        """Return the regions as a dataframe of your kind."""
        lows, highs, models = zip(*self.regions, strict=True)
        context = self.curve.context
        columns = {f"{context}_from": lows, f"{context}_to": highs, "model": models}
        return make_frame(columns, self.curve.backend, backend)

    def __repr__(self) -> str:
        told = "; ".join(f"{model} {low:.4g}–{high:.4g}" for low, high, model in self.regions[:6])
        more = f"; {len(self.regions) - 6} more regions" if len(self.regions) > 6 else ""
        never = f"; never best: {', '.join(self.never_best)}" if self.never_best else ""
        return f"Envelope(best over {self.curve.context}: {told}{more}{never})"


def envelope(curves: Mapping[str, ContextCurve]) -> Envelope:
    """Find who is best where: the lower envelope of losses, the upper one of utilities.

    Crossings are exact. Where models are equal, the first one named is taken.

    Examples
    --------
    >>> from roctopus import asymmetry_cost_curve, envelope
    >>> y_true = [3.0, 5.0, 8.0, 9.0, 4.0]
    >>> low, high = [2.0, 5.5, 6.0, 8.5, 4.2], [3.5, 5.2, 9.5, 9.0, 7.0]
    >>> curves = {
    ...     "low": asymmetry_cost_curve(y_true, low),
    ...     "high": asymmetry_cost_curve(y_true, high),
    ... }
    >>> envelope(curves)
    Envelope(best over asymmetry: low 0–0.6; high 0.6–1)
    """
    named = check_mapping(curves, "curves", "context curves")
    _check_comparable(named)
    first = next(iter(named.values()))
    find = lower_envelope if first.sense == "loss" else upper_envelope
    best = find([curve.function for curve in named.values()], TIE_TOLERANCE)
    knobs = [curve.knob for curve in named.values()]
    knob = best.gather(knobs) if all(each is not None for each in knobs) else None
    curve = ContextCurve(
        best.function,
        first.context,
        first.outcome,
        first.sense,
        knob,
        first.knob_name if knob is not None else None,
        all(curve.exact for curve in named.values()),
        backend=first.backend,
    )
    return Envelope(tuple(named), curve, best)


def _check_comparable(curves: Mapping[str, ContextCurve]) -> None:
    for name, curve in curves.items():
        if not isinstance(curve, ContextCurve):
            raise InputError(
                f"{name!r} must be a curve over a context, such as asymmetry_cost_curve(y_true, "
                f"y_pred) returns, got {type(curve).__name__}."
            )
    (name, first), *others = curves.items()
    for other_name, other in others:
        for what in ("context", "outcome", "sense"):
            if getattr(first, what) != getattr(other, what):
                raise InputError(
                    f"The curves of {name!r} and {other_name!r} cannot be compared: {what} is "
                    f"{getattr(first, what)!r} in one and {getattr(other, what)!r} in the other."
                )

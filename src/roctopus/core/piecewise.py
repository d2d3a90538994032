"""Exact piecewise functions: steps, lines and jumps on an interval or on the whole line.

Every curve over a context (cost, cutoff error, impact), every area, difference and envelope is one
of these. A function is stored by its limits at both ends of each piece, so values at the knots are
exact and continuity survives rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from roctopus.core.arrays import Floats, as_floats
from roctopus.core.checks import check_interval, say_within
from roctopus.core.distributions import Continuous, Discrete
from roctopus.core.errors import InputError, arg

Index: TypeAlias = NDArray[np.intp]
Continuity: TypeAlias = Literal["left", "right"]


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A piecewise linear function with jumps.

    Piece j lies between ``knots[j]`` and ``knots[j+1]`` and runs from ``start[j]`` to ``end[j]``.
    The first knot may be −inf and the last +inf: such a tail has the value at its finite knot in
    both ``start`` and ``end``, and its slope in ``tails``.
    """

    knots: Floats
    start: Floats
    end: Floats
    continuity: Continuity = "right"
    """Which piece an inner knot belongs to: "left" means f(x) is the limit from the left."""
    tails: tuple[float, float] = (0.0, 0.0)

    @staticmethod
    def steps(knots: ArrayLike, values: ArrayLike, continuity: Continuity = "right") -> Piecewise:
        """Make a step function with one value per piece."""
        height = np.asarray(values, dtype=np.float64)
        return Piecewise(np.asarray(knots, dtype=np.float64), height, height, continuity)

    @staticmethod
    def through(x: ArrayLike, y: ArrayLike) -> Piecewise:
        """Make the continuous function with straight lines through the points."""
        height = np.asarray(y, dtype=np.float64)
        return Piecewise(as_floats(x), height[:-1], height[1:])

    @staticmethod
    def nearest(
        x: Floats, y: Floats, continuity: Continuity, domain: tuple[float, float]
    ) -> Piecewise:
        """Make the steps that take the nearest of the points; midway, continuity decides."""
        middle = 0.5 * x[:-1] + 0.5 * x[1:]
        # Between neighbouring doubles there is none: each point must keep its own value.
        if continuity == "left":
            middle = np.where(middle >= x[1:], x[:-1], middle)
        else:
            middle = np.where(middle <= x[:-1], x[1:], middle)
        return Piecewise.steps(np.concatenate([domain[:1], middle, domain[1:]]), y, continuity)

    @staticmethod
    def joined(parts: Sequence[Piecewise]) -> Piecewise:
        """Lay functions on neighbouring intervals side by side."""
        knots = np.concatenate([*(part.knots[:-1] for part in parts), parts[-1].knots[-1:]])
        start = np.concatenate([part.start for part in parts])
        continuity = parts[0].continuity
        if all(part.is_steps for part in parts):
            return Piecewise.steps(knots, start, continuity)
        end = np.concatenate([part.end for part in parts])
        tails = (parts[0].tails[0], parts[-1].tails[1])
        return Piecewise(knots, start, end, continuity, tails)

    @property
    def domain(self) -> tuple[float, float]:
        """The ends of the interval on which the function is known."""
        return float(self.knots[0]), float(self.knots[-1])

    @property
    def is_steps(self) -> bool:
        """Whether every piece is known to be constant."""
        return self.start is self.end and not any(self.tails)

    @cached_property
    def jumps(self) -> bool:
        """Whether the function is discontinuous somewhere."""
        return bool(np.any(self.end[:-1] != self.start[1:]))

    def __len__(self) -> int:
        return len(self.start)

    def piece_of(self, x: ArrayLike, name: str = "x") -> Index:
        """Return the index of the piece each x belongs to; x outside the domain raises an error."""
        points = as_floats(x)
        low, high = self.domain
        outside = ~((points >= low) & (points <= high))
        if outside.any():
            wrong = float(points[outside].flat[0])
            raise InputError(f"{arg(name)} must be {say_within(low, high)}, but is {wrong:g}.")
        return np.searchsorted(self.knots[1:-1], points, side=self.continuity)

    def at(self, x: ArrayLike, name: str = "x") -> Floats:
        """Evaluate at every x."""
        points = as_floats(x)
        return self._value(points, self.piece_of(points, name))

    def _value(self, x: Floats, piece: Index) -> Floats:
        """Evaluate the line of the given piece at x; exact at both ends of the piece."""
        if self.is_steps:
            return self.start[piece]
        x0, x1 = self.knots[piece], self.knots[piece + 1]
        y0, y1 = self.start[piece], self.end[piece]
        if math.isfinite(self.knots[0]) and math.isfinite(self.knots[-1]):
            return _on_line(x, x0, x1, y0, y1)
        left, right = np.isneginf(x0), np.isposinf(x1)
        inner = ~(left | right)
        # On a tail y0 = y1 is the value at its finite knot, to which its slope is added.
        left_end, right_end = np.where(inner, x0, 0.0), np.where(inner, x1, 1.0)
        value = _on_line(np.where(inner, x, 0.0), left_end, right_end, y0, y1)
        if self.tails[0]:
            value = np.where(left, y1 + self.tails[0] * (x - np.where(left, x1, x)), value)
        if self.tails[1]:
            value = np.where(right, y0 + self.tails[1] * (x - np.where(right, x0, x)), value)
        return value

    def limits(self, left: Floats, right: Floats, pieces: Index | slice) -> tuple[Floats, Floats]:
        """Return the limits at both ends of neighbouring cells, cell j in piece ``pieces[j]``.

        A slice says that the cells are the function's own pieces.
        """
        if isinstance(pieces, slice):
            return self.start[pieces], self.end[pieces]
        if self.is_steps:
            height = self.start[pieces]
            return height, height
        if not self.jumps and math.isfinite(left[0]) and math.isfinite(right[-1]):
            heights = self._value(np.append(left, right[-1]), np.append(pieces, pieces[-1]))
            return heights[:-1], heights[1:]
        # As in the stored form, an unbounded cell has the value at its finite end twice.
        return (
            self._value(np.where(np.isneginf(left), right, left), pieces),
            self._value(np.where(np.isposinf(right), left, right), pieces),
        )

    def with_knots(self, extra: Floats) -> Piecewise:
        """Return the same function with more knots, which change nothing but the pieces."""
        knots = np.union1d(self.knots, extra)
        pieces = np.searchsorted(self.knots[1:-1], knots[:-1], side="right")
        start, end = self.limits(knots[:-1], knots[1:], pieces)
        return Piecewise(knots, start, end, self.continuity, self.tails)

    def pieces_within(self, low: float, high: float) -> slice:
        """Return which pieces have a part between low and high."""
        first = int(np.searchsorted(self.knots[1:-1], low, side="right"))
        return slice(first, int(np.searchsorted(self.knots[1:-1], high, side="left")) + 1)

    def restrict(self, low: float, high: float) -> Piecewise:
        """Cut the function down to [low, high]."""
        check_interval(low, high, "The interval")
        self.piece_of([low, high])
        if (low, high) == self.domain:
            return self
        kept = self.pieces_within(low, high)
        first, last = kept.start, kept.stop - 1
        ends = np.array([low, high])
        knots = np.concatenate([ends[:1], self.knots[first + 1 : last + 1], ends[1:]])
        if self.is_steps:
            return Piecewise.steps(knots, self.start[kept], self.continuity)
        start, end = self.start[kept].copy(), self.end[kept].copy()
        # Only the two outer pieces are cut; one that stays unbounded keeps its finite end's value.
        if math.isfinite(low):
            start[0] = self._value(ends[0], np.asarray(first))
        if math.isfinite(high):
            end[-1] = self._value(ends[1], np.asarray(last))
        level_tails(knots, start, end)
        return Piecewise(knots, start, end, self.continuity, self.tails)

    def scale(self, factor: float) -> Piecewise:
        """Multiply by a number."""
        if self.is_steps:
            return Piecewise.steps(self.knots, factor * self.start, self.continuity)
        tails = (factor * self.tails[0], factor * self.tails[1])
        return Piecewise(self.knots, factor * self.start, factor * self.end, self.continuity, tails)

    def subtract(self, other: Piecewise) -> Piecewise:
        """Subtract another function on the same domain."""
        continuity = check_compatible([self, other])
        knots = np.union1d(self.knots, other.knots)
        (start, end), (start_2, end_2) = (
            f.limits(
                knots[:-1], knots[1:], np.searchsorted(f.knots[1:-1], knots[:-1], side="right")
            )
            for f in (self, other)
        )
        if self.is_steps and other.is_steps:
            return Piecewise.steps(knots, start - start_2, continuity)
        tails = self.tails[0] - other.tails[0], self.tails[1] - other.tails[1]
        return Piecewise(knots, start - start_2, end - end_2, continuity, tails)

    def integrate(self, low: float | None = None, high: float | None = None) -> float:
        """Return the area between the function and zero, on the whole domain by default."""
        part = self.restrict(
            self.domain[0] if low is None else low, self.domain[1] if high is None else high
        )
        level, width = 0.5 * (part.start + part.end), np.diff(part.knots)
        unbounded = np.isinf(width)
        if unbounded.any():
            slopes = [s for s, k in zip(part.tails, part.domain, strict=True) if math.isinf(k)]
            if any(slopes) or level[unbounded].any():
                raise InputError(
                    f"The area from {part.domain[0]:g} to {part.domain[1]:g} is infinite. Set "
                    "'low' and 'high' to finite numbers."
                )
            level, width = level[~unbounded], width[~unbounded]
        return float(np.sum(level * width))

    def expect(self, distribution: Continuous | Discrete, name: str = "x") -> float:
        """Return the mean of the function over a distribution of its argument, in closed form."""
        if isinstance(distribution, Discrete):
            return float(np.sum(distribution.probability * self.at(distribution.support, name)))
        self.refuse_mass_outside(distribution)
        inner = self.knots[1:-1]
        mass = np.diff(np.concatenate([[0.0], distribution.cdf(inner), [1.0]]))
        total = self._expect_pieces(distribution, mass)
        low, high = self.knots[:1], self.knots[-1:]
        if self.tails[0] and np.isinf(low):
            knot = self.knots[1:2]
            total += self.tails[0] * float(distribution.moment(low, knot, knot)[0])
        if self.tails[1] and np.isinf(high):
            knot = self.knots[-2:-1]
            total += self.tails[1] * float(distribution.moment(knot, high, knot)[0])
        return total

    def _expect_pieces(self, distribution: Continuous, mass: Floats) -> float:
        """Return the mean without the slopes of tails; ``mass`` is that of each piece."""
        sloped = np.flatnonzero(self.end != self.start)
        if not len(sloped):
            return float(np.sum(self.start * mass))
        x0, x1, held = self.knots[sloped], self.knots[sloped + 1], mass[sloped]
        # Rounding may put the mean position outside the piece; the truth never is.
        share = np.clip(distribution.moment(x0, x1, x0) / (x1 - x0), 0.0, held)
        # Near the end of a long piece the share is rounded to all: it is counted from that end.
        late = np.flatnonzero(share > (1.0 - 1e-6) * held)
        level = self.start
        if len(late):
            rest = distribution.moment(x0[late], x1[late], x1[late]) / (x1 - x0)[late]
            share[late] = np.clip(rest, -held[late], 0.0)
            level = self.start.copy()
            level[sloped[late]] = self.end[sloped[late]]
        rise = (self.end - self.start)[sloped]
        return float(np.sum(level * mass)) + float(np.sum(rise * share))

    def refuse_mass_outside(self, distribution: Continuous) -> None:
        """Raise an error for a distribution that reaches beyond the domain."""
        low, high = self.domain
        below, up_to = distribution.cdf(np.nextafter([low, high], [-np.inf, np.inf]))
        lost = float(below + 1.0 - up_to)
        if lost > 1e-12:
            cut = (
                f", such as Truncated(distribution, {low:g}, {high:g})" if lost < 1.0 - 1e-9 else ""
            )
            raise InputError(
                f"The curve is defined from {low:g} to {high:g}, but {100.0 * lost:.3g} % of the "
                f"distribution lies outside this range. Use a distribution within the range{cut}."
            )


def level_tails(knots: Floats, start: Floats, end: Floats) -> None:
    """Give a piece that never ends the value at its finite end twice, in place."""
    if math.isinf(knots[0]):
        start[0] = end[0]
    if math.isinf(knots[-1]):
        end[-1] = start[-1]


def _on_line(x: Floats, x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> Floats:
    # Two shares, not one and its complement: near an end of a long piece that would be 0.
    width = x1 - x0
    return (x1 - x) / width * y0 + (x - x0) / width * y1


def check_compatible(functions: Sequence[Piecewise]) -> Continuity:
    """Return the common continuity of functions; raise an error if they cannot be compared.

    A function without jumps fits both.
    """
    first = functions[0]
    for other in functions[1:]:
        if other.domain != first.domain:
            raise InputError(
                f"The functions are defined on different ranges: {first.domain[0]:g} to "
                f"{first.domain[1]:g} and {other.domain[0]:g} to {other.domain[1]:g}. Restrict "
                "them to a common range first."
            )
    if all(f.continuity == first.continuity for f in functions):
        return first.continuity
    sides = {f.continuity for f in functions if f.jumps}
    if len(sides) > 1:
        raise InputError(
            "The functions cannot be combined: at its jumps, one is continuous from the left and "
            "the other from the right. Create both functions with the same 'continuity'."
        )
    return sides.pop() if sides else first.continuity

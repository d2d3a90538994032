"""How contexts are laid out along an axis: cost ratios as people say them, all else as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.checks import LARGEST, check_interval
from roctopus.core.errors import InputError

RATIOS = (1000.0, 100.0, 20.0, 5.0)
"""The cost ratios that are marked, in both directions."""
USUAL = 20.0
"""Ratios up to this one are shown, unless a context beyond them is asked for."""
FARTHEST = 1e6


def say_ratio(context: float) -> str:
    """Return a share of two costs as their ratio: "5:1", "equal", "1:20"."""
    first, second = context / max(context, 1.0 - context), (1.0 - context)
    second /= max(context, 1.0 - context)
    if abs(first - second) < 1e-9:
        return "equal"
    if min(first, second) == 0.0:
        return "1:0" if second == 0.0 else "0:1"
    return f"{first / second:.3g}:1" if first > second else f"1:{second / first:.3g}"


def share_at(ratio: float) -> float:
    """Return the share of the first cost where it is so many times the second."""
    return ratio / (1.0 + ratio)


def check_shown(low: float, high: float, marked: float | None = None) -> None:
    """Raise an error for a range that no picture can show, or a context that it cannot mark."""
    check_interval(low, high, "The range to show")
    for each in (low, high, low if marked is None else marked):
        if not abs(each) <= LARGEST:
            raise InputError(
                f"The value {each:g} cannot be shown. Pictures show only values between "
                f"{-LARGEST:g} and {LARGEST:g}."
            )


def name_errors(problem: Problem) -> tuple[str, str]:
    """Return what the two costs of a share are costs of, first the one it is the share of."""
    known: tuple[str, str] | None = getattr(problem, "error_names", None)
    if known is not None:
        return known
    names = find_arm(problem.arm).own_costs or ("the first error", "the second error")
    first, second = (name.removesuffix("_cost").replace("_", " ") for name in names)
    return first, second


@dataclass(frozen=True)
class ContextAxis:
    """The axis of a problem's contexts."""

    problem: Problem
    shares: bool
    """Whether contexts are shares of two costs, laid out by the logarithm of their ratio."""

    @staticmethod
    def of(problem: Problem) -> ContextAxis:
        """Return the axis that suits the kind of context."""
        return ContextAxis(problem, problem.context_kind == "share")

    def inside(self, low: float, high: float) -> tuple[float, float]:
        """Return the ends of a range, moved to where the axis can show them."""
        if not self.shares:
            return low, high
        least = share_at(1.0 / FARTHEST)
        return max(low, least), min(high, 1.0 - least)

    def usual(self, ends: tuple[float, float], asked: Floats) -> tuple[float, float]:
        """Return what is shown of a range by default, with the contexts that were asked for."""
        low, high = ends
        known = asked[np.isfinite(asked)]
        if self.shares:
            first, last = share_at(1.0 / USUAL), share_at(USUAL)
            for context in self._reach(known):
                first, last = min(first, context), max(last, context)
            return max(low, first), min(high, last)
        if len(known) and self.problem.context_kind == "price":
            reach = 0.6 * float(np.max(np.abs(known))) or 1.0
            low, high = max(low, float(known.min()) - reach), min(high, float(known.max()) + reach)
        return min([low, *known.tolist()]), max([high, *known.tolist()])

    def _reach(self, asked: Floats) -> list[float]:
        """Return contexts that have to be shown so that none of those asked for is at an end."""
        inside = np.clip(asked, *self.inside(0.0, 1.0))
        ratios = inside / (1.0 - inside)
        return [share_at(float(ratio * beyond)) for ratio in ratios for beyond in (0.7, 1.4)]

    def even(self, low: float, high: float, count: int) -> Floats:
        """Return contexts that lie evenly along the axis."""
        if not self.shares:
            return np.linspace(low, high, count)
        first, last = (float(np.log(end / (1.0 - end))) for end in (low, high))
        return np.clip(1.0 / (1.0 + np.exp(-np.linspace(first, last, count))), low, high)

    @property
    def label(self) -> str:
        """What stands along the axis."""
        if self.shares:
            first, second = name_errors(self.problem)
            return f"cost of {first} : cost of {second}"
        words = {**find_arm(self.problem.arm).words, **self.problem.vocabulary()}
        return str(words["context"])

    def say(self, context: float) -> str:
        """Return a context as a tick says it."""
        return say_ratio(context) if self.shares else f"{context:.4g}"

    def place(self, context: float) -> float:
        """Return where a context lies along the axis."""
        return float(np.log(context / (1.0 - context))) if self.shares else context

    def draw(self, ax: Any, low: float, high: float) -> None:
        """Set the scale, the ends and the ticks of a picture's axis."""
        if self.shares:
            ax.set_xscale("logit")
            ratios = sorted({1.0, *RATIOS, *(1.0 / ratio for ratio in RATIOS)})
            at = [share_at(ratio) for ratio in ratios]
            shown = [x for x in at if low * (1.0 - 1e-9) <= x <= high * (1.0 + 1e-9)]
            ax.set_xticks(shown, [say_ratio(x) for x in shown])
            ax.set_xticks([], minor=True)
        ax.set_xlim(low, high)

"""Problems whose true values are one column of numbers, and those with two costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.problem import ContextKind, Problem
from roctopus.concepts.wording import ContextSpread, times
from roctopus.core.arrays import Floats, is_single
from roctopus.core.checks import (
    check_finite,
    check_magnitude,
    check_positive,
    check_scalar,
    check_unit,
    name_rows,
)
from roctopus.core.errors import InputError, arg


@dataclass(frozen=True, eq=False)
class OneColumn(Problem):
    """True values and weights; everything else is the same for all cases. Outcomes are losses."""

    sense: ClassVar[Literal["loss", "gain"]] = "loss"

    y_true: Floats
    weight: Floats | None = None

    def __len__(self) -> int:
        return len(self.y_true)

    def columns(self) -> tuple[Floats, ...]:
        """Return the truths."""
        return (self.y_true,)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""
        return self.on(self.y_true[rows], None if self.weight is None else self.weight[rows])

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem for other cases."""
        return replace(self, y_true=truth, weight=weight)

    def rising(self) -> tuple[Floats, str]:
        """Return the truths."""
        return self.y_true, "the truth"

    def check(self, prediction: Floats) -> None:
        """Raise an error for predictions that are not finite."""
        check_finite(prediction, "predictions")


@dataclass(frozen=True, eq=False)
class SharedCosts(OneColumn):
    """Two kinds of errors: the context is the share of the first one's cost in both."""

    context_kind: ClassVar[ContextKind] = "share"
    linear: ClassVar[bool] = True
    domain: ClassVar[tuple[float, float]] = (0.0, 1.0)
    cost_names: ClassVar[tuple[str, str]]
    error_names: ClassVar[tuple[str, str]]
    """Both kinds of errors with their articles, in the order of ``cost_names``."""
    per: ClassVar[str] = ""
    """Unit of the costs, if it is not a case: " per unit"."""
    counted: ClassVar[str]
    """The cost that ``cost_ratio`` gives in units of the other one."""
    share_names: ClassVar[tuple[str, ...]] = ()
    """Other words for the share."""

    unit: float = 1.0
    """Factor of the losses: half the sum of both costs, if these are given."""

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The share by its names, the ratio of both costs, or both of them."""
        return self._cost_ways

    @property
    def _cost_ways(self) -> tuple[tuple[str, ...], ...]:
        shares = (self.context, *self.share_names)
        return (*((name,) for name in shares), ("cost_ratio",), self.cost_names)

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Read a share, a ratio, or both costs; with both costs, losses are in their unit."""
        group = read_one_of(given, *self.ways)
        if group == self.cost_names:
            first, second = (check_positive(given[name], name) for name in group)
            if not np.isfinite(first + second):
                raise InputError(
                    "The two costs are too large to be added. Divide both costs by a constant."
                )
            return replace(self, unit=0.5 * (first + second)), first / (first + second)
        name, value = group[0], given[group[0]]
        if name == "cost_ratio":
            return self, float(self._share_of(check_positive(value, name)))
        hint = self.ratio_hint(*[check_scalar(value, name)] * 2)
        if hint:
            raise InputError(f"{arg(name)} must be between 0 and 1, but is {value:g}.{hint}")
        return self, check_unit(value, name)

    def _share_of(self, ratio: Any) -> Any:
        """Return the share at a ratio of costs."""
        return (ratio if self.counted == self.cost_names[0] else 1.0) / (1.0 + ratio)

    def read_range(self, given: dict[str, Any]) -> tuple[Self, tuple[float, float]]:
        """Read ranges, too; if one cost is fixed, both add up to twice that cost."""
        _, ends = super().read_range(given)
        fixed = [given[name] for name in self.cost_names if is_single(given.get(name, ()))]
        return replace(self, unit=float(fixed[0]) if fixed else 1.0), ends

    def ratio_hint(self, low: float, high: float) -> str:
        """Say how a ratio is given, if numbers above 1 were."""
        if low < 0.0 or high <= 1.0:
            return ""
        other = next(name for name in self.cost_names if name != self.counted)
        ratio = f"({arg(self.counted)} / {arg(other)})"
        if not np.isfinite(high):
            return f" For a range of cost ratios {ratio}, use {arg('cost_ratio')}."
        said = low if low == high else (low, high)
        told = (
            f"{low:g} is a cost ratio" if low == high else f"{low:g} and {high:g} are cost ratios"
        )
        return f" If {told} {ratio}, use {arg('cost_ratio', said)}."

    def read_contexts(self, given: Mapping[str, Floats]) -> tuple[Self, Floats, Floats | None]:
        """Read shares, ratios, or both costs of each case."""
        group = read_one_of(dict(given), *self._cost_ways)
        if group == self.cost_names:
            return self, *share_of_costs(*self.cost_names, given)
        values = given[group[0]]
        if group == ("cost_ratio",):
            if (values < 0.0).any():
                raise InputError(
                    f"{arg('cost_ratio')} must be zero or more, but is negative in "
                    f"{name_rows(values < 0.0)}."
                )
            values = self._share_of(values)
        return self, values, None

    def context_words(self, context: float) -> dict[str, Any]:
        """Return the share, or both costs where these were given."""
        if self.unit == 1.0:
            return {self.context: context}
        costs = 2.0 * self.unit * context, 2.0 * self.unit * (1.0 - context)
        return dict(zip(self.cost_names, costs, strict=True))

    def say_name(self) -> str:
        """Name the share, and the cost it is of."""
        name = self.context.replace("_", " ")
        return f"the {name} (the cost of {self.error_names[0]} divided by the sum of both costs)"

    def say_own(self) -> str:
        """Name both costs."""
        first, second = self.error_names
        return f"every case has its own costs of {first} and {second}"

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Say both costs; where a share or a ratio was given, also the ratio."""
        costs = 2.0 * self.unit * context, 2.0 * self.unit * (1.0 - context)
        first, second = sorted(zip(costs, self.error_names, strict=True), reverse=True)
        if set(given) == set(self.cost_names) or second[0] == 0.0 or first[0] == second[0]:
            return f"{first[1]} costs {first[0]:.4g} and {second[1]} {second[0]:.4g}{self.per}"
        said = f"{first[1]} costs {times(first[0] / second[0])} as much as {second[1]}"
        both = f"{first[0]:.4g} and {second[0]:.4g}{self.per}"
        return f"{said} ({both}: the two costs are scaled to add up to {2.0 * self.unit:.4g})"

    def say_between(self, low: float, high: float) -> str:
        """Say the range of the ratio of both costs."""
        if not 0.0 < low < high < 1.0:
            return f"{super().say_between(low, high)} ({self._together})"
        (first, second), ends = self._ratios(low, high)
        said = f"{first} costs {ends[0]:.3g} to {ends[1]:.3g} times as much as {second}"
        return f"{said} ({self._together})"

    def say_worst(self, low: float, high: float, at_end: bool) -> str:
        """Name the ratios at both ends, as they are said of the range."""
        if not (at_end and 0.0 < low < high < 1.0):
            return super().say_worst(low, high, at_end)
        (first, second), ends = self._ratios(low, high)
        said = f"when {first} costs {ends[0]:.3g} or {ends[1]:.3g} times as much as {second}"
        return f"{said}, whichever is worse"

    def _ratios(self, low: float, high: float) -> tuple[tuple[str, str], tuple[float, float]]:
        """Return the more expensive error and the other, and the ends of their costs' ratio."""
        first, second = self.error_names
        ends = low / (1.0 - low), high / (1.0 - high)
        if ends[0] * ends[1] < 1.0:
            return (second, first), (1.0 / ends[1], 1.0 / ends[0])
        return (first, second), ends

    def say_spread(self, spread: ContextSpread) -> str:
        """Say the distribution of the share, and what it is a share of."""
        whole = 2.0 * self.unit
        mean, low, high = (whole * share for share in (spread.mean, *spread.usual))
        first = self.error_names[0]
        rest = f"the sum of both costs is {whole:.4g}{self.per}"
        if spread.uniform is not None:
            ends = " to ".join(f"{whole * end:.3g}" for end in spread.uniform)
            return f"the cost of {first} is equally likely to be anywhere from {ends}, and {rest}"
        usual = f"{low:.2g} to {high:.2g} in nine of ten situations"
        said = f"{first} costs {mean:.2g} on average, and {usual}"
        return f"{said}; {rest} (its share is distributed as {spread.name})"

    @property
    def _together(self) -> str:
        return (
            f"for each ratio, the two costs{self.per} are scaled to add up to {2.0 * self.unit:.4g}"
        )

    def ask_above(self, context: float) -> str:
        """Ask how many times as much the more expensive error costs."""
        first, second = self.error_names
        if not 0.0 < context < 1.0:
            return f"Does {second if context == 1.0 else first} cost anything?"
        if context < 0.5:
            return f"Does {second} cost less than {times(1.0 / context - 1.0)} as much as {first}?"
        return (
            f"Does {first} cost more than {times(context / (1.0 - context))} as much as {second}?"
        )


def share_of_costs(first: str, second: str, given: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """Return the share of the first cost in both, and half their sum, case by case."""
    with np.errstate(over="ignore"):
        sums = given[first] + given[second]
    for name in (first, second):
        negative, strange = given[name] < 0.0, ~np.isfinite(given[name])
        if negative.any() or strange.any():
            told, rows = ("negative", negative) if negative.any() else ("not finite", strange)
            raise InputError(
                f"{arg(name)} must be zero or more, but is {told} in {name_rows(rows)}."
            )
        check_magnitude(given[name], f"{arg(name)} has values")
    if not np.isfinite(sums).all():
        raise InputError(
            f"'{first}' and '{second}' are too large to be added. Divide both costs by a constant."
        )
    if not np.all(sums > 0.0):
        raise InputError(
            f"'{first}' and '{second}' are both zero in {name_rows(sums <= 0.0)}. At least one of "
            "them must be positive."
        )
    return given[first] / sums, 0.5 * sums

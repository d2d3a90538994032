"""Problems whose truths are one column of numbers, and those of them with two costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.problem import ContextKind, Problem, read_one_of
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_finite, name_rows
from roctopus.core.errors import InputError, arg


@dataclass(frozen=True, eq=False)
class OneColumn(Problem):
    """Truths and weights; what else there is holds for all cases alike. Outcomes are losses."""

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

    def check(self, prediction: Floats) -> None:
        """Refuse predictions that are not finite."""
        check_finite(prediction, "predictions")


@dataclass(frozen=True, eq=False)
class SharedCosts(OneColumn):
    """Two kinds of errors: the context is the share of the first one's cost in both."""

    context_kind: ClassVar[ContextKind] = "share"
    linear: ClassVar[bool] = True
    domain: ClassVar[tuple[float, float]] = (0.0, 1.0)
    cost_names: ClassVar[tuple[str, str]]
    ends: ClassVar[tuple[str, str]]
    """What to say where the share is 0, and where it is 1."""
    ratio: ClassVar[str]
    """What to say in between, of the first cost in units of the second."""

    unit: float = 1.0
    """What losses are multiplied by: half the sum of both costs, where these are given."""

    def read_contexts(self, given: Mapping[str, Floats]) -> tuple[Self, Floats, Floats | None]:
        """Take shares, or both costs."""
        if len(read_one_of(dict(given), (self.context,), self.cost_names)) == 1:
            return self, given[self.context], None
        return self, *share_of_costs(*self.cost_names, given)

    def context_words(self, context: float) -> dict[str, Any]:
        """Return the share, or both costs where these were given."""
        if self.unit == 1.0:
            return {self.context: context}
        costs = 2.0 * self.unit * context, 2.0 * self.unit * (1.0 - context)
        return dict(zip(self.cost_names, costs, strict=True))

    def say(self, context: float) -> str:
        """Return what an error of the first kind costs, in errors of the second."""
        if context in (0.0, 1.0):
            return self.ends[int(context)]
        return self.ratio.format(f"{context / (1.0 - context):.3g}")


def share_of_costs(first: str, second: str, given: Mapping[str, Floats]) -> tuple[Floats, Floats]:
    """Return the share of the first cost in both, and half their sum, case by case."""
    with np.errstate(over="ignore"):
        sums = given[first] + given[second]
    for name in (first, second):
        wrong = ~(given[name] >= 0.0) | ~np.isfinite(given[name])
        if wrong.any():
            raise InputError(
                f"{arg(name)} must be zero or more, which it is not in {name_rows(wrong)}."
            )
    if not np.isfinite(sums).all():
        raise InputError(f"'{first}' and '{second}' are too large to be added. Divide both.")
    if not np.all(sums > 0.0):
        raise InputError(f"'{first}' and '{second}' are both zero in {name_rows(sums <= 0.0)}.")
    return given[first] / sums, 0.5 * sums

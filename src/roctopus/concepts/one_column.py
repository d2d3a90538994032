"""Problems whose truths are one column of numbers, as those of most arms are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_finite


@dataclass(frozen=True, eq=False)
class OneColumn(Problem):
    """Truths and weights; what else there is holds for all cases alike."""

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

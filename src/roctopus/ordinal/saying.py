"""The sentences of the ordinal arm: which scores get which grade, and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from roctopus.concepts.one_column import OneColumn
from roctopus.concepts.wording import Baseline, ContextSpread, Deed, listed, rounded
from roctopus.core.arrays import Floats
from roctopus.ordinal.thresholds import OrdinalLoss, grade_scores


@dataclass(frozen=True, eq=False)
class GradeWords(OneColumn):
    """Ordered classes with the costs of errors on them, in words."""

    same_worst: ClassVar[bool] = True

    labels: tuple[Any, ...] = ()
    loss: OrdinalLoss = "absolute"
    costs: Floats | None = None
    """The cost of errors on each class; that of the moving one is the context."""
    moving: int = -1
    """The class whose cost moves; the highest by default."""

    @property
    def class_numbers(self) -> tuple[float, ...]:
        """The labels, if they are increasing numbers; otherwise class numbers from 0."""
        numbers = all(isinstance(label, (int, float)) for label in self.labels)
        if numbers and list(self.labels) == sorted(self.labels):
            return tuple(map(float, self.labels))
        return super().class_numbers

    def _costs(self, context: float) -> Floats:
        assert self.costs is not None
        costs = self.costs.copy()
        costs[self.moving] = context
        return costs

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say which scores get which grade, and which grades are never given."""
        edges = [-np.inf, *knob.tolist(), np.inf]
        given = [k for k in range(len(self.labels)) if edges[k] < edges[k + 1]]
        never = [self._grade(k) for k in range(len(self.labels)) if k not in given]
        if len(given) == 1:
            return f"Use {model} and give every case {self._grade(given[0])}"
        ends = [rounded(edge, step) for edge in edges]
        inner = [
            f"{self._grade(k)} from {ends[k]} to below {ends[after]}"
            for k, after in pairwise(given[1:])
        ]
        first = f"{self._grade(given[0])} below {ends[given[1]]}"
        last = f"{self._grade(given[-1])} at {ends[given[-1]]} or more"
        said = f"Use {model} and grade by its score: {', '.join([first, *inner, last])}"
        if not never:
            return said
        verb = "is" if len(never) == 1 else "are"
        return f"{said}; {listed(never)} {verb} never given"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return the best grade for all cases."""
        return {"one grade for all": Baseline(0.0)}

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which grade all cases get."""
        grade = self._grade(int(grade_scores(np.zeros(1), knob)[0]))
        return Deed(f"give every case {grade}", f"giving every case {grade}")

    def _grade(self, number: int) -> str:
        """Return a class as it is called in a sentence: a number is said to be a grade."""
        label = self.labels[number]
        return f"'{label}'" if isinstance(label, str) else f"grade {label}"

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Say how raw scores are graded."""
        how = "its scores to the nearest grade"
        return Deed(f"round {how}", f"rounding {how}")

    def raw_meant(self, scores: Floats) -> bool:
        """Return whether most scores lie in the range of the grades."""
        scale = np.array(self.class_numbers)
        step = float(np.min(np.diff(scale)))
        low, high = np.quantile(scores, [0.05, 0.95])
        return bool(scale[0] - step <= low and high <= scale[-1] + step)

    def say_name(self) -> str:
        """Name the class whose cost moves."""
        return f"the cost of an error where the truth is {self._grade(self.moving)}"

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Say what an error on each class costs."""
        costs = self._costs(context)
        if np.ptp(costs) == 0.0:
            return f"an error costs {costs[0]:.4g}{self._counted}"
        parts = [
            f"{cost:.4g} where it is {self._grade(k)}" for k, cost in enumerate(costs.tolist())
        ]
        parts[0] = parts[0].replace("it is", "the truth is", 1)
        return f"an error costs {listed(parts)}{self._counted}"

    def say_between(self, low: float, high: float) -> str:
        """Say the range, and what errors on the other classes cost."""
        return self._with_others(f"{low:.4g} to {high:.4g}")

    def say_worst(self, low: float, high: float, at_end: bool) -> str:
        """Say the highest cost, which is the worst case."""
        error = f"an error where the truth is {self._grade(self.moving)}"
        return f"if {error} costs {high:.4g}, the highest cost you gave"

    def say_spread(self, spread: ContextSpread) -> str:
        """Say the distribution, and what errors on the other classes cost."""
        low, high = spread.usual
        usual = f"in nine of ten situations; {spread.name}"
        return self._with_others(f"{low:.3g} to {high:.3g} ({usual})")

    def _with_others(self, amount: str) -> str:
        moving, costs = self.moving % len(self.labels), self._costs(1.0)
        others = [
            f"{costs[k]:.4g} where it is {self._grade(k)}" for k in range(len(costs)) if k != moving
        ]
        first = f"{amount} where the truth is {self._grade(moving)}"
        return f"an error costs {listed([first, *others])}{self._counted}"

    @property
    def _counted(self) -> str:
        """What costs are multiplied by, in words: the distance of an error, or a matrix entry."""
        if isinstance(self.loss, str):
            named = {
                "absolute": ", times the number of grades the answer is off",
                "squared": ", times the square of the number of grades the answer is off",
            }
            return named.get(self.loss, "")
        rows = " / ".join(" ".join(f"{x:g}" for x in row) for row in np.asarray(self.loss).tolist())
        return f", times its entry in the matrix {rows} (a row per true class)"

"""The regression arm as a problem to decide: which model, which shift, at which asymmetry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.one_column import SharedCosts
from roctopus.concepts.problem import Knob, best_of_candidates
from roctopus.concepts.wording import Baseline, Deed, rounded
from roctopus.core.arrays import Floats
from roctopus.regression.costs import asymmetry_cost_curve
from roctopus.regression.errors import read_errors
from roctopus.regression.two_costs import LinLin

AXES = "asymmetry α (weight of under-estimates)", "mean loss, costs 2α and 2(1 − α)"
"""The labels of pictures along the context and the outcome."""


@dataclass(frozen=True, eq=False)
class RegressionProblem(SharedCosts):
    """Numbers are predicted; over- and under-estimates cost differently."""

    arm: ClassVar[str] = "regression"
    context: ClassVar[str] = "asymmetry"
    cost_names: ClassVar[tuple[str, str]] = ("under_cost", "over_cost")
    counted: ClassVar[str] = "under_cost"
    knob_name: ClassVar[str | None] = "shift"
    untuned_follows: ClassVar[bool] = False
    outcome: ClassVar[str] = "mean asymmetric absolute error"
    error_names: ClassVar[tuple[str, str]] = ("an under-estimate", "an over-estimate")
    per: ClassVar[str] = " per unit of error"

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say what to add to predictions, or to subtract from them."""
        size = rounded(abs(float(knob[0])), step)
        if not size.strip("0.,"):
            return f"Use {model} as it is"
        what = f"add {size} to" if knob[0] > 0.0 else f"subtract {size} from"
        return f"Use {model} and {what} its predictions"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return the best constant prediction."""
        return {"best constant": Baseline(0.0)}

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which constant is predicted."""
        number = rounded(float(knob[0]), step)
        return Deed(f"predict {number} for every case", f"always predicting {number}")

    def axis_labels(self) -> tuple[str, str]:
        """Return the labels of both axes: what the asymmetry weighs, and what errors cost."""
        return AXES

    def knob_values(self, prediction: Floats) -> Floats:
        """Return the shifts at which some prediction is exactly right."""
        return self.y_true - prediction

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return L*(α)."""
        curve = asymmetry_cost_curve(self.y_true, prediction, sample_weight=self.weight)
        return replace(curve, function=curve.function.scale(self.unit))

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the best shift; the loss is a straight line between two corrections."""
        errors = read_errors(self.y_true, prediction, self.weight)
        if len(contexts) == 1:
            found = LinLin(float(contexts[0])).best_shift(errors)
            return Knob.at(found.chosen, found.low, found.high)
        sums = errors.sums_over_shifts()
        scale = 2.0 * self.unit / errors.sample.total_weight
        over, under = scale * np.asarray(sums.excess), scale * np.asarray(sums.shortfall)
        shift = np.asarray(sums.value)
        losses = np.array([a * under + (1.0 - a) * over for a in contexts]) - handicaps[:, None]
        # Where two of the lines cross between neighbours, their maximum may be lower still.
        crossings = [shift]
        for first in range(len(contexts)):
            for second in range(first):
                gap = losses[first] - losses[second]
                at = np.flatnonzero(gap[:-1] * gap[1:] < 0.0)
                share = gap[at] / (gap[at] - gap[at + 1])
                crossings.append(shift[at] + share * (shift[at + 1] - shift[at]))
        points = np.unique(np.concatenate(crossings))
        worst = np.max([np.interp(points, shift, line) for line in losses], axis=0)
        first, last = best_of_candidates(worst)
        low, high = points[first], points[last]
        return Knob.at(np.clip(0.0, low, high), low, high)

    def turning(self, prediction: Floats, context: float | Floats) -> Floats:
        """Return the corrections: below its own a prediction is too low, above it too high."""
        return self.knob_values(prediction)

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the shift for the mean asymmetry, which is best whichever case has which.

        As the shift grows past a case, the slope of the loss rises by what the case's under- and
        over-estimates cost together, and that is 2 at any asymmetry.
        """
        cases, weight = self, self.weight
        if unit is not None:
            weight = unit if weight is None else unit * weight
            cases = replace(self, weight=weight)
        return cases.tune(prediction, np.array([np.average(contexts, weights=weight)]), np.zeros(1))

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the loss of each shifted prediction."""
        error = prediction - self.y_true
        error += knob[0]  # in this order an offset costs no digit
        over, under = 2.0 * (1.0 - context) * self.unit, 2.0 * context * self.unit
        found = np.asarray(over * error)
        error *= -under
        return np.maximum(found, error, out=found)  # one of them is negative

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the loss of each prediction as it is."""
        return self.outcomes(prediction, np.zeros(1), context)

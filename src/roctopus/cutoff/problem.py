"""The cutoff arm as a problem to decide: which model, for cutoffs to come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.one_column import OneColumn
from roctopus.concepts.problem import NO_KNOB, ContextKind, Knob
from roctopus.concepts.wording import ALWAYS, Baseline, Deed, always, rounded
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_no_nan, check_positive, check_scalar
from roctopus.core.distributions import Continuous, Discrete, cumulative
from roctopus.cutoff.curves import cutoff_error_curve


@dataclass(frozen=True, eq=False)
class CutoffDecisions(OneColumn):
    """Numbers are predicted; yes or no is decided by comparing them with a cutoff."""

    arm: ClassVar[str] = "cutoff"
    context: ClassVar[str] = "cutoff"
    context_kind: ClassVar[ContextKind] = "truth"
    knob_name: ClassVar[str | None] = None
    linear: ClassVar[bool] = False
    domain: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    outcome: ClassVar[str] = "mean cost of wrong decisions"

    false_positive_cost: float = 1.0
    false_negative_cost: float = 1.0

    def settings(self) -> dict[str, Any]:
        """Return the costs."""
        return {
            "false_positive_cost": self.false_positive_cost,
            "false_negative_cost": self.false_negative_cost,
        }

    def axis_labels(self) -> tuple[str, str] | None:
        """Say that errors are counted, unless they cost something else than 1."""
        counted = self.false_positive_cost == self.false_negative_cost == 1.0
        return ("cutoff", "share of wrong decisions") if counted else None

    def check(self, prediction: Floats) -> None:
        """Refuse NaN; infinite predictions mean "always" and "never"."""
        check_no_nan(prediction, "predictions")

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Take the cutoff, and the costs of wrong decisions if they are given with it."""
        known = self.settings()
        costs: dict[str, Any] = {k: check_positive(v, k) for k, v in given.items() if k in known}
        read_one_of({k: v for k, v in given.items() if k not in costs}, *self.ways)
        return replace(self, **costs), check_scalar(given["cutoff"], "cutoff")

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return Q(c)."""
        costs = self.settings()
        return cutoff_error_curve(self.y_true, prediction, sample_weight=self.weight, **costs)

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the setting of no knob."""
        return NO_KNOB

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the setting of no knob."""
        return NO_KNOB

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the cost of each decision."""
        said, true = prediction >= context, self.y_true >= context
        wrong = said != true
        if self.false_positive_cost == self.false_negative_cost:
            return np.asarray(wrong * self.false_positive_cost)
        cost = np.where(true, self.false_negative_cost, self.false_positive_cost)
        return np.asarray(wrong * cost)

    def expected(
        self, prediction: Floats, knob: Floats, distribution: Continuous | Discrete
    ) -> Floats:
        """Return the mean cost of each case: of the cutoffs between its truth and prediction."""
        below = [cumulative(distribution, x) for x in (self.y_true, prediction)]
        gap = below[1] - below[0]
        return np.where(gap > 0.0, self.false_positive_cost * gap, -self.false_negative_cost * gap)

    def tune_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Knob:
        """Return the setting of no knob."""
        return NO_KNOB

    def untuned_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Floats:
        """Return the mean cost of each case: there is nothing to tune."""
        return self.expected(prediction, NO_KNOB.chosen, distribution)

    def means_at(self, prediction: Floats, knob: Floats, contexts: Floats) -> Floats:
        """Return Q at many cutoffs."""
        return np.asarray(self.curve(prediction).at(contexts))

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the same: there is nothing to tune."""
        return self.outcomes(prediction, NO_KNOB.chosen, context)

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say from which prediction on the answer is yes."""
        margin = float(knob[0]) if len(knob) else 0.0
        size = rounded(abs(margin), step)
        exact = not size.strip("0.,")
        if context is not None:
            at = f"{context:.6g}" if exact else rounded(context - margin, step)
            return f"Use {model} and say yes from a prediction of {at} on"
        if exact:
            return f"Use {model} and say yes where its prediction reaches the cutoff"
        side = "plus" if margin > 0.0 else "minus"
        return f"Use {model} and say yes where its prediction {side} {size} reaches the cutoff"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return both constant answers; where cutoffs vary, also the best constant prediction."""
        constant = {"best constant": Baseline(0.0)} if varied and self.knob_name else {}
        return ALWAYS | constant

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which answer every case gets, or the constant."""
        if name in ALWAYS:
            return always(name)
        number = rounded(float(knob[0]), step)
        return Deed(f"predict {number} for every case", f"always predicting {number}")

    def say_raw(self, model: str, context: float | None) -> str:
        """Say how raw predictions decide."""
        return "comparing its predictions with the cutoff as they are"

    def say_settings(self) -> str:
        """Say what wrong answers cost."""
        wrong_yes, wrong_no = self.false_positive_cost, self.false_negative_cost
        if wrong_yes == wrong_no == 1.0:
            return "every wrong answer costs 1"
        return f"a wrong yes costs {wrong_yes:.4g} and a wrong no {wrong_no:.4g}"

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Say the cutoff."""
        return f"the cutoff is {context:.4g}"

    def say(self, context: float) -> str:
        """Return the cutoff."""
        return f"the cutoff is {context:.4g}"

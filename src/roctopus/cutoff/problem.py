"""The cutoff arm as a problem to decide: which model, with which margin, for cutoffs to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.one_column import OneColumn
from roctopus.concepts.problem import ContextKind, Knob
from roctopus.concepts.wording import ALWAYS, Baseline, Deed, always, rounded
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_no_nan, check_not_negative, check_scalar
from roctopus.core.distributions import Continuous, Discrete, cumulative
from roctopus.core.errors import InputError
from roctopus.core.moments import weighted_mean
from roctopus.core.turns import Turns, rounding_of
from roctopus.cutoff.cases import CutoffCases, ErrorCosts, read_cases
from roctopus.cutoff.curves import CutoffErrorCurve, curve_of
from roctopus.cutoff.expected_margins import best_expected_margin
from roctopus.cutoff.margin_parts import MarginParts
from roctopus.cutoff.margin_tuners import MarginTuner
from roctopus.cutoff.margins import MANY, margin_at, one_margin
from roctopus.cutoff.tuned_curves import RankedTruths, rank_truths, tuned_curve_of

AS_IT_IS = np.zeros(1)
"""The margin of predictions that nothing is added to."""
AT_ONCE = 1 << 18
"""Number of answers compared with true values at a time."""


@dataclass(frozen=True, eq=False)
class CutoffDecisions(OneColumn):
    """Numbers are predicted; yes is said where prediction + margin ≥ cutoff."""

    arm: ClassVar[str] = "cutoff"
    context: ClassVar[str] = "cutoff"
    context_kind: ClassVar[ContextKind] = "truth"
    knob_name: ClassVar[str | None] = "margin"
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
        """Return the labels of both axes; errors are counted unless their costs differ from 1."""
        counted = self.false_positive_cost == self.false_negative_cost == 1.0
        return ("cutoff", "share of wrong decisions") if counted else None

    def check(self, prediction: Floats) -> None:
        """Raise an error for NaN; infinite predictions mean "always" and "never"."""
        check_no_nan(prediction, "predictions")

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Read the cutoff, and the costs of wrong decisions if they are given with it."""
        known = self.settings()
        costs: dict[str, Any] = {
            k: check_not_negative(v, k) for k, v in given.items() if k in known
        }
        read_one_of({k: v for k, v in given.items() if k not in costs}, *self.ways)
        ErrorCosts(*(known | costs).values())
        return replace(self, **costs), check_scalar(given["cutoff"], "cutoff")

    def _cases(self, prediction: Floats) -> CutoffCases:
        sample = self._read.sample
        if sample.kept is not None:
            prediction = prediction[sample.kept > 0.0]
        return replace(self._read, sample=replace(sample, y_pred=prediction))

    @cached_property
    def _read(self) -> CutoffCases:
        """The cases as if they were predicted without error, read once."""
        return read_cases(self.y_true, self.y_true, self.weight, *self.settings().values())

    def knob_values(self, prediction: Floats) -> Floats:
        """Return the margins at which some prediction is exactly right."""
        return self.y_true - prediction

    def curve(self, prediction: Floats) -> CutoffErrorCurve:
        """Return Q*(c), the least cost at each cutoff."""
        cases = self._cases(prediction)
        return tuned_curve_of(cases, self._ranked if cases.sample.size == len(self) else None)

    @cached_property
    def _ranked(self) -> RankedTruths:
        return rank_truths(self.y_true, self.weight)

    def curve_at(self, prediction: Floats, knob: Floats) -> CutoffErrorCurve:
        """Return Q(c) at a fixed margin."""
        return curve_of(self._cases(margin_at(prediction, knob)))

    def applied(self, prediction: Floats, knob: Floats) -> Floats:
        """Return predictions raised by a margin."""
        return margin_at(prediction, knob)

    def untuned_curve(self, prediction: Floats) -> CutoffErrorCurve:
        """Return Q(c) of predictions as they are, as in the paper."""
        return self.curve_at(prediction, AS_IT_IS)

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the margin whose worst cost over some cutoffs, less handicaps, is least."""
        if len(contexts) > 1:
            return self.tuner(prediction)(contexts, handicaps)
        self._total()
        costs = self.false_positive_cost, self.false_negative_cost
        return one_margin(self.y_true, prediction, float(contexts[0]), costs, self.weight)

    def tune_parts(
        self, prediction: Floats, context: float, parts: Sequence[NDArray[np.intp]]
    ) -> list[tuple[Knob, float]] | None:
        """Return the best margin of each part of the cases and its cost, unless these are many."""
        if len(self) >= MANY or not np.isfinite(prediction).all():
            return None
        costs = self.false_positive_cost, self.false_negative_cost
        cases = MarginParts.of(self.y_true, prediction, context, costs, self.weight, parts)

        def alone(rows: NDArray[np.intp]) -> tuple[Knob, float]:
            part, mine = self.take(rows), prediction[rows]
            knob = part.tune(mine, np.array([context]), np.zeros(1))
            return knob, weighted_mean(part.outcomes(mine, knob.chosen, context), part.weight)

        return [known or alone(rows) for rows, known in zip(parts, cases.tune(), strict=True)]

    def _total(self) -> float:
        total = float(len(self) if self.weight is None else self.weight.sum())
        if total == 0.0:
            raise InputError("The data contain no cases. At least one is needed.")
        return total

    def tuner(self, prediction: Floats) -> MarginTuner:
        """Return ``tune`` for one prediction, to be called for more and more cutoffs."""
        total, size = self._total(), max(self.false_positive_cost, self.false_negative_cost)

        def turns_at(cutoff: float) -> Turns:
            return self._turns(prediction, cutoff, self.weight)

        def means_at(margin: float, cutoffs: Floats) -> Floats:
            return self._costs_at(prediction + margin, cutoffs) / total

        return MarginTuner(turns_at, means_at, prediction, total, size)

    def _costs_at(self, raised: Floats, cutoffs: Floats) -> Floats:
        """Return the cost of all cases at each cutoff, several cutoffs at a time."""
        found, step = np.empty(len(cutoffs)), max(1, AT_ONCE // len(raised))
        for k in range(0, len(cutoffs), step):
            some = cutoffs[k : k + step, None]
            said, true = raised >= some, self.y_true >= some
            both = said & ~true, true & ~said
            over, under = (
                np.count_nonzero(each, axis=1) if self.weight is None else each @ self.weight
                for each in both
            )
            found[k : k + step] = self.false_positive_cost * over + self.false_negative_cost * under
        return found

    def _turns(self, prediction: Floats, cutoff: float | Floats, weight: Floats | None) -> Turns:
        costs = self.false_positive_cost, self.false_negative_cost
        return Turns.of(cutoff - prediction, self.y_true < cutoff, costs, weight)

    def turning(self, prediction: Floats, context: float | Floats) -> Floats:
        """Return the margins from which on the answers are yes."""
        return np.asarray(context - prediction)

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the best margin where each case has its own cutoff: a threshold on ŷ − c."""
        mass = self.weight
        if unit is not None:
            mass = unit if mass is None else unit * mass
        if not len(self) or (mass is not None and mass.sum() == 0.0):
            return Knob.at(0.0)
        near, costs = rounding_of(prediction, contexts), tuple(self.settings().values())
        return one_margin(self.y_true, prediction, contexts, costs, mass, near)

    def tune_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Knob:
        """Return the margin of the least expected cost, to within 0.1 % of a proven bound."""
        return best_expected_margin(self._cases(prediction), distribution)

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the cost of each decision."""
        said, true = margin_at(prediction, knob) >= context, self.y_true >= context
        wrong = said != true
        if self.false_positive_cost == self.false_negative_cost:
            return np.asarray(wrong * self.false_positive_cost)
        cost = np.where(true, self.false_negative_cost, self.false_positive_cost)
        return np.asarray(wrong * cost)

    def expected(
        self, prediction: Floats, knob: Floats, distribution: Continuous | Discrete
    ) -> Floats:
        """Return the expected cost of each case: cutoffs between truth and prediction are wrong."""
        raised = margin_at(prediction, knob)
        below = [cumulative(distribution, x) for x in (self.y_true, raised)]
        gap = below[1] - below[0]
        return np.where(gap > 0.0, self.false_positive_cost * gap, -self.false_negative_cost * gap)

    def untuned_expected(self, prediction: Floats, distribution: Continuous | Discrete) -> Floats:
        """Return the mean cost of each case if predictions are used as they are."""
        return self.expected(prediction, AS_IT_IS, distribution)

    def means_at(self, prediction: Floats, knob: Floats, contexts: Floats) -> Floats:
        """Return the mean cost at one margin for many cutoffs."""
        return np.asarray(self.curve_at(prediction, knob).at(contexts))

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the cost of decisions by predictions as they are."""
        return self.outcomes(prediction, AS_IT_IS, context)

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say at which predictions the answer is yes."""
        margin = float(knob[0]) if len(knob) else 0.0
        size = rounded(abs(margin), step)
        exact = not size.strip("0.,")
        if context is not None and exact:
            return f"Use {model} and say yes when the prediction is {context:.6g} or more"
        if context is not None:
            side = "below" if margin > 0.0 else "above"
            at = f"{rounded(context - margin, step)} or more ({size} {side} the cutoff)"
            return f"Use {model} and say yes when the prediction is {at}"
        if exact:
            return f"Use {model} and say yes where its prediction reaches the cutoff"
        side = "plus" if margin > 0.0 else "minus"
        sized = f"{side} a margin of {size}"
        return f"Use {model} and say yes where its prediction {sized} reaches the cutoff"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return both constant answers; where cutoffs vary, also the best constant prediction."""
        constant = {"best constant": Baseline(0.0)} if varied and self.knob_name else {}
        return ALWAYS | constant

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which answer every case gets, or the constant."""
        if name in ALWAYS:
            return always(name)
        number = rounded(float(knob[0]), step)
        when = f"whenever the cutoff is at most {number}"
        return Deed(
            f"say yes {when}, whatever the prediction",
            f"the best rule without predictions (yes {when})",
        )

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Say how raw predictions decide: the threshold is the cutoff."""
        if context is None:
            return Deed("use no margin", "using no margin")
        return Deed(
            f"leave the threshold at {context:.6g}", f"leaving the threshold at {context:.6g}"
        )

    def say_settings(self) -> str:
        """Say what wrong answers cost."""
        wrong_yes, wrong_no = self.false_positive_cost, self.false_negative_cost
        if wrong_yes == wrong_no == 1.0:
            return "every wrong answer costs 1"
        below = "a wrong yes (the truth is below the cutoff)"
        return f"{below} costs {wrong_yes:.4g} and a wrong no {wrong_no:.4g}"

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Say the cutoff."""
        return f"the cutoff is {context:.4g}"

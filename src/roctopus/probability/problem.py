"""The probability arm as a problem to decide: which model, which threshold, at which costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.one_column import SharedCosts
from roctopus.concepts.problem import Knob, Predictions, best_of_candidates
from roctopus.concepts.wording import ALWAYS, Baseline, Deed, always, rounded
from roctopus.core.arrays import Floats, as_series, row_count
from roctopus.core.checks import check_positive, check_share, name_rows
from roctopus.core.errors import InputError, arg
from roctopus.probability.cases import ROUNDING, read_scores, read_two_classes
from roctopus.probability.costs import OUTCOME, brier_curve, cost_curve, error_rates

AXES = "cost proportion c (false alarm's share of both costs)", "mean cost, 2c and 2(1 − c)"
"""The labels of pictures along the context and the outcome."""


def _beyond(prediction: Floats) -> float:
    """Return how far predictions lie outside 0 to 1 at most; 0 or less if none does."""
    return max(-float(prediction.min()), float(prediction.max()) - 1.0)


@dataclass(frozen=True, eq=False)
class ProbabilityProblem(SharedCosts):
    """Probabilities of one of two classes; false positives and false negatives cost differently.

    Truths are 0 and 1.
    """

    arm: ClassVar[str] = "probability"
    context: ClassVar[str] = "cost_proportion"
    cost_names: ClassVar[tuple[str, str]] = ("false_positive_cost", "false_negative_cost")
    counted: ClassVar[str] = "false_negative_cost"
    share_names: ClassVar[tuple[str, ...]] = ("threshold_probability",)
    knob_name: ClassVar[str | None] = "threshold"
    outcome_in_costs: ClassVar[str] = "mean cost of wrong decisions"
    error_names: ClassVar[tuple[str, str]] = ("a false alarm", "a miss")

    prevalence: float | None = None
    sample_share: float = 0.5
    """The share of positives among all cases, which ``prevalence`` replaces."""
    classes: tuple[Any, ...] = (0, 1)
    """The negative and the positive class."""
    scored: frozenset[str] = frozenset()
    """The models whose predictions are scores, not probabilities."""
    own_threshold: float | None = None
    """Where untuned scores are cut; None for probabilities, which are cut at the context."""
    may_lack: bool = False
    """Whether all cases may be of one class, as a few new cases of a decision are."""

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say above which probability, or score, the answer is yes."""
        threshold = float(knob[0])
        if np.isinf(threshold):
            return f"Use {model} and always say {'no' if threshold > 0.0 else 'yes'}"
        what = "score" if model in self.scored else "probability"
        always = "" if context is not None else ", the same for all costs"
        at = rounded(threshold, step)
        return f"Use {model} and say yes when the {what} is {at} or more{always}"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return both constant answers."""
        return dict(ALWAYS)

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which answer every case gets."""
        return always(name)

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Say where raw probabilities or scores are cut."""
        if model in self.scored:
            return Deed("cut its scores at 0", "cutting its scores at 0")
        if assumed is None:
            which = "for each case the threshold that its own two costs imply"
        else:
            costs = "the two costs" if context is not None else "average costs"
            which = f"the threshold {assumed:.3g} that {costs} imply"
        return Deed(f"use {which}", f"using {which}")

    def say_settings(self) -> str:
        """Name the share of positives that was assumed."""
        return "" if self.prevalence is None else f"{100 * self.prevalence:.3g} % are positive"

    @staticmethod
    def of(
        y_true: Any,
        weight: Floats | None = None,
        *,
        prevalence: float | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> ProbabilityProblem:
        """Check the labels; of two numbers the larger is positive unless ``pos_label`` is given.

        With ``labels``, the negative and the positive class, one of them may be missing.
        """
        if labels is not None:
            return _of_known(y_true, weight, prevalence, labels)
        cases = read_scores(y_true, np.zeros(row_count(y_true)), weight, pos_label=pos_label)
        label = cases.sample.per_row(cases.positive.astype(np.float64))
        if prevalence is not None:
            check_share(prevalence, "prevalence")
        return ProbabilityProblem(
            label,
            weight,
            prevalence=prevalence,
            sample_share=cases.prevalence,
            classes=cases.classes,
        )

    @property
    def strata(self) -> NDArray[np.intp]:
        """The labels."""
        return self.y_true.astype(np.intp)

    @property
    def outcome(self) -> str:
        """The loss."""
        return OUTCOME if self.unit == 1.0 else self.outcome_in_costs

    def axis_labels(self) -> tuple[str, str]:
        """Say what the proportion weighs, and what errors cost."""
        return AXES

    def settings(self) -> dict[str, Any]:
        """Return the prevalence in deployment."""
        return {"prevalence": self.prevalence}

    def settled(self) -> Self:
        """Return the problem with the share of positives among these cases."""
        share = float(np.average(self.y_true, weights=self.weight))
        if share in (0.0, 1.0) and not self.may_lack:
            raise InputError(
                f"{arg('y_true')} must contain two classes, but has only one class in the rows "
                "that are compared."
            )
        return replace(self, sample_share=share)

    def check(self, prediction: Floats) -> None:
        """Accept probabilities and scores; probabilities just outside 0 to 1 raise an error."""
        super().check(prediction)
        if 0.0 < _beyond(prediction) < ROUNDING:
            read_two_classes(self.y_true, prediction, self.weight)

    def meet(self, predictions: Predictions) -> Self:
        """Return the problem that knows which models give scores, not probabilities."""
        scored = {name for name, each in predictions.items() if _beyond(each) > 0.0}
        return replace(self, scored=frozenset(scored))

    def of_model(self, name: str) -> Self:
        """Return the problem with the threshold that untuned predictions of a model have."""
        return replace(self, own_threshold=0.0) if name in self.scored else self

    def vocabulary(self) -> dict[str, Any]:
        """Say where untuned scores are cut, if there are any."""
        return {"untuned": "threshold c, or 0 for scores"} if self.scored else {}

    def _share(self) -> float:
        if self.prevalence is not None:
            return self.prevalence
        return float(np.average(self.y_true, weights=self.weight))

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """As for any two costs, or the slope of an isometric in ROC space."""
        return (*super().ways, ("slope",))

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Take a share, a ratio, both costs, or a slope."""
        if set(given) != {"slope"}:
            return super().read_context(given)
        odds = check_positive(given["slope"], "slope") * self._share()  # C_FP·(1 − π) / (C_FN·π)
        return self, odds / (odds + 1.0 - self._share())

    def untuned_curve(self, prediction: Floats) -> ContextCurve:
        """Return the Brier curve: the threshold is the cost proportion; scores are cut at 0."""
        if self.own_threshold is None:
            return self._drawn(brier_curve, prediction)
        return self._drawn(partial(cost_curve, threshold=self.own_threshold), prediction)

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the cost curve."""
        return self._drawn(cost_curve, prediction)

    def _drawn(self, draw: Callable[..., ContextCurve], prediction: Floats) -> ContextCurve:
        curve = draw(self.y_true, prediction, prevalence=self.prevalence, sample_weight=self.weight)
        return replace(curve, function=curve.function.scale(self.unit))

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the threshold, midway between the scores: accepted are the cases above it."""
        cuts, accepted, rejected = error_rates(read_scores(self.y_true, prediction, self.weight))
        share = self._share()
        up, down = 2.0 * (1.0 - share) * accepted, 2.0 * share * rejected
        losses = np.array([self.unit * (c * up + (1.0 - c) * down) for c in contexts])
        first, last = best_of_candidates(np.max(losses - handicaps[:, None], axis=0))
        low, high = cuts[first - 1] if first else -np.inf, cuts[last]
        inside = np.isfinite(low) and np.isfinite(high)
        return Knob.at(0.5 * (low + high) if inside else high, low, high)

    def turning(self, prediction: Floats, context: float | Floats) -> Floats:
        """Return the scores: a case is accepted up to a threshold that equals its own."""
        return prediction

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the threshold: what an error on a case costs is the weight of the case."""
        if np.ptp(contexts) == 0.0 and unit is None:
            return self.tune(prediction, contexts[:1], np.zeros(1))
        cases = self if self.prevalence is None else self.settled()
        wrong = cases.outcomes(np.where(self.y_true > 0.0, -np.inf, np.inf), np.zeros(1), contexts)
        if unit is not None:
            wrong = wrong * unit
        weight = wrong if self.weight is None else wrong * self.weight
        if not all(weight[self.strata == k].any() for k in (0, 1)):  # errors on one class are free
            free = float(weight[self.strata == 0].any())
            return self.tune(prediction, np.array([free]), np.zeros(1))
        same = ProbabilityProblem(self.y_true, weight)
        return same.tune(prediction, np.array([0.5]), np.zeros(1))

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return the cost of each decision."""
        accepted, positive = prediction >= knob[0], self.y_true > 0.0
        cost = (accepted != positive) * np.where(positive, 2.0 * (1.0 - context), 2.0 * context)
        if self.prevalence is not None:
            share = self.sample_share  # a class without cases has no say
            inside = self.prevalence / share if share > 0.0 else 0.0
            outside = (1.0 - self.prevalence) / (1.0 - share) if share < 1.0 else 0.0
            cost = cost * np.where(positive, inside, outside)
        return np.asarray(self.unit * cost)

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return the cost of decisions at the threshold that is right for true probabilities.

        Scores are cut where a classifier cuts them, at 0.
        """
        threshold = assumed if self.own_threshold is None else self.own_threshold
        return self.outcomes(prediction, np.array([threshold]), context)


def _of_known(
    y_true: Any, weight: Floats | None, prevalence: float | None, labels: Any
) -> ProbabilityProblem:
    """Return the problem of cases that may all be of one class: one of each is put at the end."""
    if isinstance(labels, str) or len(labels) != 2:
        raise InputError(
            f"{arg('labels')} must be a list of the negative and the positive class, but is "
            f"{labels!r}."
        )
    series = as_series(y_true)
    truth = np.asarray(y_true).tolist() if series is None else series.to_list()
    other = np.array([each not in labels for each in truth])
    if other.any():
        rows = name_rows(other)
        raise InputError(
            f"In {rows}, {arg('y_true')} contains values that are not in {arg('labels')}, such as "
            f"{truth[int(np.argmax(other))]!r}. The classes are {labels[0]!r} and {labels[1]!r}."
        )
    truth = [*truth, *labels]
    more = None if weight is None else np.append(weight, [1.0, 1.0])
    whole = ProbabilityProblem.of(truth, more, prevalence=prevalence, pos_label=labels[1])
    label = whole.y_true[:-2]
    share = float(np.average(label, weights=weight))
    return replace(whole, y_true=label, weight=weight, sample_share=share, may_lack=True)

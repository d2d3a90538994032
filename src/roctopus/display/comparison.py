"""The first pictures of a comparison: how much worse each choice is, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from roctopus.comparison.models import ComparedModels
from roctopus.comparison.verbs import AnyComparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice
from roctopus.core.errors import InputError
from roctopus.display.axes import ContextAxis, check_shown
from roctopus.display.choices import Choices, best_still, untuned_means
from roctopus.display.context import ContextCurveDisplay, draw_second_axis, quantile_of, usual_range
from roctopus.display.dots import DotsDisplay
from roctopus.display.drawing import DEFAULTS, Appearance, drawing, is_of_lines, say_unknown
from roctopus.display.excess import ExcessDisplay
from roctopus.display.legends import ABOVE_STRIP, UNDER_ARCH
from roctopus.display.marks import note_line

MOST = 8
"""So many models have colours of their own; of more, those that are best somewhere are drawn."""


RATIOS = ("cost_ratio", "under_cost", "over_cost")
"""Words that say a ratio of two costs, as the axis does."""
OUTER = 0.02
"""Beyond this share of the truths at either end hardly any decision is wrong."""


class ComparisonDisplay(ContextCurveDisplay):
    """Draw the curves of a problem of any arm, as the problem and the curves say."""

    def __init__(
        self, problem: Problem, curves: Mapping[str, ContextCurve], said: str | None = None
    ) -> None:
        super().__init__(curves)
        self.problem, self.said = problem, said
        self.x_label, self.y_label = problem.axis_labels() or (None, None)
        if problem.context_kind == "share" and problem.unit != 1.0:
            self.y_label = f"cost per case (sum of both costs: {2.0 * problem.unit:g})"
        # Costs rise from zero and fall back to it where a context is a share of two costs.
        self.legend_place = UNDER_ARCH if problem.context_kind == "share" else ABOVE_STRIP

    @drawing
    def plot(self, ax: Any | None = None, **options: Any) -> Self:
        """Draw the curves."""
        super().plot(ax, **options)
        outputs = next(iter(self.curves.values())).outputs
        if self.problem.context_kind == "truth" and outputs is not None:
            at = quantile_of(outputs, 0.5)
            note_line(self.ax_, at, "median", beside=options.get("context"))
        draw_second_axis(self.ax_, self.problem.second_axis)
        return self

    def _say(self, context: float) -> str:
        """Return the words that mark a context: the user's own."""
        return self.said or super()._say(context)


def say_asked(words: Mapping[str, Any], say: Callable[[float], str], context: float) -> str:
    """Return a context in the word it was asked for: "asymmetry 0.8"; two costs as their ratio.

    Where a list of costs was given, the one that moves is a cost.
    """
    if "costs" in words:
        return f"cost {say(context)}"
    if len(words) == 1:
        ((word, value),) = words.items()
        if word not in RATIOS and isinstance(value, (int, float)):
            return f"{word.replace('_', ' ')} {value:.4g}"
    return say(context)


def shown_models(names: tuple[str, ...], best: Envelope) -> tuple[str, ...]:
    """Return the models that are drawn."""
    if len(names) <= MOST:
        return names
    return tuple(name for name in names if name not in best.never_best)[:MOST]


@dataclass(frozen=True, eq=False)
class PictureQuestion:
    """What a picture is asked to show: costs, contexts, and who is best where under these costs."""

    problem: Problem
    best: Envelope
    names: tuple[str, ...]
    """The models that are drawn."""
    contexts: Floats
    context: float | None
    """The one context in question, if there is one."""
    ends: tuple[float, float] | None
    """The range in question, if there is one."""
    leading: str | None
    """The best model in the context in question, where it was asked for as in ``decide``."""
    said: str | None
    """That context in the user's words."""
    scale: float
    """What values of the envelope are multiplied by: it does not depend on the unit of costs."""

    @staticmethod
    def of(
        comparison: AnyComparison, context: float | None, given: dict[str, Any]
    ) -> PictureQuestion:
        """Read it, in the words of ``decide``."""
        problem, contexts = comparison.problem, np.array([] if context is None else [context])
        ends = leading = said = None
        if given:
            words = dict(given)
            between, criterion = words.pop("between", None), words.pop("criterion", None)
            distribution = words.pop("distribution", None)
            problem, aim = comparison.aim(between, criterion, distribution, words)
            contexts = aim.contexts
            if aim.ranged:
                ends = float(contexts.min()), float(contexts.max())
            elif aim.distribution is None:
                context = float(contexts[0])
                said = say_asked(words, ContextAxis.of(problem).say, context)
            if isinstance(comparison, ComparedModels):
                leading = comparison.learned(problem, aim)[1].ranked[0]
        best = comparison.envelope_of(problem)
        names = shown_models(comparison.models, best)
        scale = problem.unit / comparison.problem.unit
        return PictureQuestion(problem, best, names, contexts, context, ends, leading, said, scale)

    @property
    def curves(self) -> dict[str, ContextCurve]:
        """The curves of the models that are drawn, in the unit of the costs."""
        found = {name: self.best.curves[self.best.names.index(name)] for name in self.names}
        if self.scale == 1.0:
            return found
        return {k: replace(c, function=c.function.scale(self.scale)) for k, c in found.items()}

    def limits(
        self, axis: ContextAxis, low: float | None, high: float | None
    ) -> tuple[float, float]:
        """Return the ends of the axis."""
        first, last = self.ends or axis.usual(self._telling(), self.contexts)
        ends = first if low is None else float(low), last if high is None else float(high)
        check_shown(*ends, self.context)
        return axis.inside(*ends)

    def _telling(self) -> tuple[float, float]:
        """Return where something can be seen; of truths, where nearly all of them lie."""
        outputs = next(iter(self.curves.values())).outputs
        if outputs is None or np.isfinite(self.problem.domain).all():
            return usual_range(self.curves)
        return quantile_of(outputs, OUTER), quantile_of(outputs, 1.0 - OUTER)

    def leader(self, choices: Choices) -> str:
        """Return the best model in question: here, or over most of what is shown."""
        if self.leading is not None:
            return self.leading
        if self.context is not None:
            return str(self.best.best_at(self.context))
        found = self.best.best_at(choices.contexts)
        return max(self.names, key=lambda name: int(np.sum(found == name)))


def _with_rivals(
    asked: PictureQuestion, choices: Choices, predictions: Predictions | None
) -> Choices:
    """Add the best model as it is, and the best decision without a model."""
    if predictions is None:
        return choices
    problem, contexts = asked.problem, choices.contexts
    plain, still = {}, best_still(problem, contexts)
    name = asked.leader(choices)
    meant = problem.raw_meant(problem.knob_values(predictions[name]))
    if problem.knob_name is not None and meant:
        plain[name] = untuned_means(problem, name, predictions[name], contexts)
    return replace(choices, plain=plain, constants={} if still is None else {"no model": still})


def plot_comparison(
    comparison: AnyComparison,
    *,
    kind: Literal["excess", "choices", "cost"] = "excess",
    ax: Any | None = None,
    context: float | None = None,
    bands: bool = True,
    low: float | None = None,
    high: float | None = None,
    title: str | None = None,
    **given: Any,
) -> ExcessDisplay | DotsDisplay | ComparisonDisplay:
    """Draw how much worse each choice is than the best, as contexts change.

    ``kind="choices"`` draws the expected value of each choice on new data in the context that is
    asked for, ``kind="cost"`` what each model costs along contexts.

    ``context`` marks the values there; it may be given in the words of ``decide``, such as
    ``under_cost=4, over_cost=1``. A range, such as ``cost_ratio=(2, 8)``, limits what is shown, and
    so do ``low`` and ``high``. ``bands`` show who is best where.
    """
    check_choice(kind, "kind", "excess", "choices", "cost")
    style: Appearance = {"title": title}
    for word in DEFAULTS.keys() & given.keys():
        style[word] = given.pop(word)  # type: ignore[literal-required]
    for word in given:
        if is_of_lines(word):
            raise InputError(say_unknown("Comparison.plot", word, list(DEFAULTS)))
    if kind == "choices":
        if context is not None:
            given = {**comparison.problem.context_words(context), **given}
        found = DotsDisplay.of(comparison.answer(**given), comparison.models, comparison.backend)
        return found.plot(ax=ax, **style)
    asked = PictureQuestion.of(comparison, context, given)
    left, never = len(comparison.models) - len(asked.names), len(asked.best.never_best)
    if left and title is None:
        style["title"] = f"{left} more models are not shown; {never} are never the best"
    look: dict[str, Any] = {"ax": ax, "context": asked.context, "bands": bands, **style}
    if kind == "cost":
        near = asked.problem.context_kind == "price" and asked.context is not None
        axis = ContextAxis.of(asked.problem)
        first, last = asked.limits(axis, low, high) if near else asked.ends or (None, None)
        ends = {"low": first if low is None else low, "high": last if high is None else high}
        return ComparisonDisplay(asked.problem, asked.curves, asked.said).plot(**look, **ends)
    axis = ContextAxis.of(asked.problem)
    choices = Choices.of(axis, asked.curves, asked.limits(axis, low, high))
    choices = _with_rivals(asked, choices, getattr(comparison, "predictions", None))
    return ExcessDisplay(axis, choices, comparison.backend, said=asked.said).plot(**look)

"""The picture of a comparison: all models over the context, and who is best where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from roctopus.comparison.verbs import AnyComparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.problem import Problem
from roctopus.display.context import ContextCurveDisplay, draw_second_axis, median_of
from roctopus.display.style import ABOVE_STRIP, UNDER_ARCH, note_line
from roctopus.inference.aims import read_aim

MOST = 8
"""So many models have colours of their own; of more, those that are best somewhere are drawn."""


class ComparisonDisplay(ContextCurveDisplay):
    """Draw the curves of a problem of any arm, as the problem and the curves say."""

    def __init__(self, problem: Problem, curves: Mapping[str, ContextCurve]) -> None:
        super().__init__(curves)
        self.problem = problem
        self.x_label, self.y_label = problem.axis_labels() or (None, None)
        # Costs rise from zero and fall back to it where a context is a share of two costs.
        self.legend_place = UNDER_ARCH if problem.context_kind == "share" else ABOVE_STRIP

    def plot(self, **options: Any) -> Self:
        """Draw the curves; the options are those of ``ContextCurveDisplay.plot``."""
        super().plot(**options)
        outputs = next(iter(self.curves.values())).outputs
        if self.problem.context_kind == "truth" and outputs is not None:
            note_line(self.ax_, median_of(outputs), "median")
        draw_second_axis(self.ax_, self.problem.second_axis)
        return self


def shown_models(comparison: AnyComparison) -> tuple[str, ...]:
    """Return the models that are drawn."""
    if len(comparison.models) <= MOST:
        return comparison.models
    never = comparison.envelope.never_best
    return tuple(name for name in comparison.models if name not in never)[:MOST]


def plot_comparison(
    comparison: AnyComparison,
    *,
    ax: Any | None = None,
    context: float | None = None,
    bands: bool = True,
    low: float | None = None,
    high: float | None = None,
    title: str | None = None,
    **words: Any,
) -> ComparisonDisplay:
    """Draw the curves on the cases that all models share.

    ``context`` marks the values there; it may be given in the words of the arm, such as
    ``under_cost=4, over_cost=1``. A range, such as ``cost_ratio=(2, 8)``, limits what is shown, and
    so do ``low`` and ``high``. ``bands`` show who is best where.
    """
    names, best = shown_models(comparison), comparison.envelope
    left = len(comparison.models) - len(names)
    if left and title is None:
        title = f"{left} more models are not shown; {len(best.never_best)} are nowhere best"
    if words:
        _, aim = read_aim(comparison.problem, given=words)
        ends = (float(aim.contexts.min()), float(aim.contexts.max()))
        if aim.ranged:
            low, high = ends[0] if low is None else low, ends[1] if high is None else high
        else:
            context = ends[0]
    curves = {name: best.curves[best.names.index(name)] for name in names}
    display = ComparisonDisplay(comparison.problem, curves)
    return display.plot(ax=ax, context=context, bands=bands, low=low, high=high, title=title)

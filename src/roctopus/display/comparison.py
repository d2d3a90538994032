"""The picture of a comparison: all models over the context, and who is best where."""

from __future__ import annotations

from inspect import signature
from typing import Any

from roctopus.comparison import Comparison
from roctopus.concepts.context_curve import ContextCurve
from roctopus.display.context import ContextCurveDisplay
from roctopus.display.cost import AsymmetryCostDisplay
from roctopus.display.cutoff import CutoffErrorDisplay
from roctopus.display.impact import ImpactDisplay
from roctopus.display.ordinal import OrdinalCostDisplay
from roctopus.display.probability import CostCurveDisplay

__all__ = ["plot_comparison"]

DISPLAYS: dict[str, type[ContextCurveDisplay]] = {
    "regression": AsymmetryCostDisplay,
    "cutoff": CutoffErrorDisplay,
    "ordinal": OrdinalCostDisplay,
    "probability": CostCurveDisplay,
    "impact": ImpactDisplay,
}
MOST = 8
"""So many models have colours of their own; of more, those that are best somewhere are drawn."""


def plot_comparison(comparison: Comparison, **options: Any) -> ContextCurveDisplay:
    """Draw the curves on the cases that all models share; options are those of the display.

    ``context`` marks the values there, ``low`` and ``high`` limit what is shown.
    """
    names, title = comparison.models, options.pop("title", None)
    if len(names) > MOST:
        never = comparison.envelope.never_best
        names = tuple(name for name in names if name not in never)[:MOST]
        left = len(comparison.models) - len(names)
        title = title or f"{left} more models are not shown; {len(never)} are nowhere best"
    best = comparison.envelope
    curves: dict[str, ContextCurve] = {name: best.curves[best.names.index(name)] for name in names}
    display = DISPLAYS[comparison.problem.arm](curves)
    if comparison.problem.context in signature(display.plot).parameters:
        options[comparison.problem.context] = options.pop("context", None)
    return display.plot(title=title, **options)

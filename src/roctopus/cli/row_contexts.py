"""Each case's own context: a column of contexts, or of costs, in place of one for all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.cli.data import Cases
from roctopus.cli.distributions import read_number
from roctopus.cli.request import COSTS, Request, flag
from roctopus.concepts.decision import Decision
from roctopus.core.errors import InputError

__all__ = ["costs_of_others", "own_contexts", "refuse_other_contexts", "without_columns"]

PAIRS = {"regression": COSTS[:2], "probability": COSTS[2:]}
ONE_FOR_ALL = ("asymmetry", "cutoff", "cost_proportion", "theta", "distribution", "cutoff_column")


def own_contexts(request: Request, cases: Cases, arm: str) -> Any:
    """Return the context of each case as ``compare`` takes it; None if they share one."""
    named = [name for name in ("context_column", *COSTS) if name in cases.extra]
    if not named:
        return None
    if arm not in PAIRS and named[-1] in COSTS:
        raise InputError(
            f"{flag(named[-1])} must be a number here: cases may have cutoffs of their own "
            "(--context-column), but one cost."
        )
    rivals = request.given(*ONE_FOR_ALL)
    if "context_column" in named:
        rivals |= request.given(*PAIRS.get(arm, ()))
    if rivals:
        raise InputError(
            f"Give {flag(named[0])} COLUMN, each case's own, or {flag(next(iter(rivals)))}, not "
            "both."
        )
    if "context_column" in named:
        return cases.extra["context_column"]
    return {name: _column(request, cases, name) for name in PAIRS[arm]}


def _column(request: Request, cases: Cases, name: str) -> Any:
    """Return a cost per case; a number is the cost of all."""
    if name in cases.extra:
        return cases.extra[name]
    said = getattr(request, name)
    return np.full(len(cases), 1.0 if said is None else read_number(said, name))


def without_columns(request: Request, cases: Cases) -> Request:
    """Return what was said without costs that cases have of their own."""
    if not any(name in cases.extra for name in COSTS):
        return request
    return replace(
        request,
        under_cost=None,
        over_cost=None,
        false_positive_cost=None,
        false_negative_cost=None,
    )


def costs_of_others(text: str, classes: int) -> list[float]:
    """Return the costs of all classes but the highest, whose cost is each case's own; there 1."""
    parts = text.split(",")
    if len(parts) != classes - 1 or ":" in text:
        raise InputError(
            f"With --context-column, --costs needs {classes - 1} numbers: of all classes but the "
            f"highest, whose cost is in the column. Got {text!r}."
        )
    return [*(read_number(part, "costs") for part in parts), 1.0]


def refuse_other_contexts(decision: Decision, request: Request, cases: Cases) -> None:
    """Refuse to check a decision in contexts of another kind than it was made for."""
    given, arm = decision.context, decision.arm
    own_contexts(request, cases, arm)  # refuses what makes no sense by itself
    named = [name for name in ("context_column", *COSTS) if name in cases.extra]
    numbers = request.given(*COSTS)
    if numbers and not named:
        name, text = next(iter(numbers.items()))
        raise InputError(
            f"{flag(name)} must be a column of the new cases here, got {text!r}: the decision has "
            "recorded its costs."
        )
    costs = " and ".join(flag(name) for name in PAIRS.get(arm, ()))
    in_costs = given.get("mean_unit") is not None
    if "contexts" in given and (not named or in_costs == ("context_column" in named)):
        what = f"costs of each case: name their columns with {costs}"
        if not in_costs:
            what = "context of each case: name its column with --context-column"
        raise InputError(f"The decision was made for the {what}.")
    if not named or "contexts" in given:
        return
    if "between" in given:
        raise InputError(
            f"The decision is for a range, whatever contexts are met: leave out {flag(named[0])}."
        )
    if "context_column" not in named and not any("_cost" in name for name in given):
        raise InputError(
            "The decision was made without costs: say the context of each case with "
            f"--context-column, not {costs}."
        )

"""Each case's own context: a column of contexts, or of costs, in place of one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.cli.data import Cases
from roctopus.cli.request import Request
from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import read_number
from roctopus.concepts.decision import Decision
from roctopus.core.errors import InputError
from roctopus.core.names import flag


def own_columns(cases: Cases, arm: Arm) -> list[str]:
    """Return the options that name a column of contexts, or of costs."""
    return [name for name in ("context_column", *(arm.own_costs or ())) if name in cases.extra]


def own_contexts(request: Request, cases: Cases, arm: Arm) -> Any:
    """Return the context of each case as ``compare`` takes it; None if they share one."""
    named = own_columns(cases, arm)
    if not named:
        return None
    one_for_all = [option.name for option in arm.spoken if option.takes == "range"]
    rivals = request.given(*one_for_all, "distribution")
    if "context_column" in named:
        rivals |= request.given(*(arm.own_costs or ()))
    if rivals:
        raise InputError(
            f"Give {flag(named[0])} COLUMN, each case's own, or {flag(next(iter(rivals)))}, "
            "not both."
        )
    if "context_column" in named:
        return cases.extra["context_column"]
    return {name: _column(request, cases, name) for name in arm.own_costs or ()}


def _column(request: Request, cases: Cases, name: str) -> Any:
    """Return a cost per case; a number is the cost of all."""
    if name in cases.extra:
        return cases.extra[name]
    said = request[name]
    return np.full(len(cases), 1.0 if said is None else read_number(said, name))


def refuse_other_contexts(decision: Decision, request: Request, cases: Cases, arm: Arm) -> None:
    """Refuse to check a decision in contexts of another kind than it was made for."""
    given = decision.context
    own_contexts(request, cases, arm)  # refuses what makes no sense by itself
    named = own_columns(cases, arm)
    recorded = [option.name for option in arm.spoken if not option.checks]
    numbers = request.given(*(arm.own_costs or ()), *recorded)
    if numbers and not named:
        name, text = next(iter(numbers.items()))
        raise InputError(
            f"{flag(name)} must be a column of the new cases here, got {text!r}: the decision "
            "has recorded its costs."
        )
    costs = " and ".join(flag(name) for name in arm.own_costs or ())
    in_costs = given.get("mean_unit") is not None
    if "contexts" in given and (not named or in_costs == ("context_column" in named)):
        what = f"costs of each case: name their columns with {costs}"
        if not in_costs:
            what = "context of each case: name its column with --context-column"
        raise InputError(f"The decision was made for the {what}.")
    if not named or "contexts" in given:
        return
    if "between" in given:
        where = flag(named[0])
        raise InputError(
            f"The decision is for a range, whatever contexts are met: leave out {where}."
        )
    if "context_column" not in named and not any("_cost" in name for name in given):
        raise InputError(
            "The decision was made without costs: say the context of each case with "
            f"--context-column, not {costs}."
        )

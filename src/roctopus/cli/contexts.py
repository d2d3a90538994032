"""What is asked: the arm reads its options; what all arms share, and own contexts, is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.cli.data import Cases
from roctopus.cli.distributions import read_distribution
from roctopus.cli.request import Request
from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import Said, read_number
from roctopus.concepts.decision import Decision
from roctopus.concepts.wording import listed
from roctopus.core.errors import InputError
from roctopus.core.names import flag


@dataclass(frozen=True)
class ArmQuestion:
    """The arm, what ``compare`` gets, and what ``decide`` is asked."""

    arm: Arm
    options: dict[str, Any]
    aim: dict[str, Any]
    assumed: str | None = None
    """What was taken for granted since nothing was said."""


def said_of(request: Request, cases: Cases, arm: Arm, *, whole: bool = True) -> Said:
    """Return what was said to an arm, with the columns it names."""
    own = own_columns(cases, arm)
    hidden = arm.own_costs if own and own[0] != "context_column" else None
    names = [option.name for option in arm.spoken if option.name not in (hidden or ())]
    return Said(
        request.given(*names, "distribution"),
        cases.extra,
        cases.truth,
        cases.extra.get("weight"),
        cases.predictions,
        own=bool(own),
        whole=whole,
    )


def read_question(request: Request, cases: Cases, arm: Arm, *, whole: bool = True) -> ArmQuestion:
    """Read what is asked."""
    own = own_contexts(request, cases, arm)
    options, aim, assumed = arm.ask(said_of(request, cases, arm, whole=whole))
    if request["distribution"] is not None:
        if aim:
            raise InputError(f"Use either --distribution or {_say(aim)}, not both.")

        def problem() -> Any:
            return arm.read(cases.truth, cases.extra.get("weight"), options)

        aim = {"distribution": read_distribution(request["distribution"], problem)}
    if request["criterion"] is not None:
        if not any(isinstance(each, tuple) for each in aim.values()):
            ways = [option.flag for option in arm.spoken if option.takes == "range"]
            raise InputError(
                f"--criterion can only be used with a range, such as {ways[0]} LOW:HIGH."
            )
        aim = {**aim, "criterion": request["criterion"]}
    if own is not None:
        options = {**options, "context": own}
    elif not aim:
        ways = [option.flag for option in arm.spoken if option.takes == "range"]
        raise InputError(
            f"Say what errors cost with {listed([*ways, '--distribution'], 'or')}. A range is "
            "written as LOW:HIGH, such as 1.4:2.5."
        )
    return ArmQuestion(arm, options, aim, assumed)


def _say(aim: dict[str, Any]) -> str:
    return "a range" if "between" in aim else " and ".join(flag(name) for name in aim)


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
            f"{flag(named[0])} names a value for each case, so it cannot be used together with "
            f"{flag(next(iter(rivals)))}. Leave out one of them."
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
    """Raise an error if a decision is checked in contexts of another kind."""
    given = decision.context
    own_contexts(request, cases, arm)  # refuses what makes no sense by itself
    named = own_columns(cases, arm)
    recorded = [option.name for option in arm.spoken if not option.checks]
    numbers = request.given(*(arm.own_costs or ()), *recorded)
    if numbers and not named:
        name, text = next(iter(numbers.items()))
        raise InputError(
            f"{flag(name)} must name a column of the new cases, but is {text!r}. If costs do not "
            f"differ per case, leave out {flag(name)}: they are stored in the decision."
        )
    costs = " and ".join(flag(name) for name in arm.own_costs or ())
    in_costs = given.get("mean_unit") is not None
    if "contexts" in given and (not named or in_costs == ("context_column" in named)):
        what = f"costs that differ per case. Name their columns with {costs}"
        if not in_costs:
            what = f"a value of '{arm.context}' that differs per case. Name the column that "
            what += "contains these values with --context-column"
        raise InputError(f"The decision was made for {what}.")
    if not named or "contexts" in given:
        return
    if decision.criterion != "expected":
        where = flag(named[0])
        raise InputError(
            f"The decision was made for a range, so it is not checked on values that differ per "
            f"case. Leave out {where}."
        )
    if "context_column" not in named and not any("_cost" in name for name in given):
        raise InputError(
            f"The decision was made for '{arm.context}', not for costs. Use --context-column to "
            f"name the column with its values, instead of {costs}."
        )

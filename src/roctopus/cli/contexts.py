"""What is asked: the arm reads its options, and what all arms share is read here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roctopus.cli.data import Cases
from roctopus.cli.distributions import read_distribution
from roctopus.cli.request import Request
from roctopus.cli.row_contexts import own_columns, own_contexts
from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import Said
from roctopus.core.errors import InputError
from roctopus.core.names import flag


@dataclass(frozen=True)
class ArmQuestion:
    """The arm, what ``compare`` is told, and what ``decide`` is asked."""

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
            raise InputError(f"Give --distribution or {_say(aim)}, not both.")

        def problem() -> Any:
            return arm.read(cases.truth, cases.extra.get("weight"), options)

        aim = {"distribution": read_distribution(request["distribution"], problem)}
    if request["criterion"] is not None:
        if "between" not in aim:
            raise InputError("--criterion goes with a range, such as 0.6:0.9.")
        aim = {**aim, "criterion": request["criterion"]}
    if own is not None:
        options = {**options, "context": own}
    elif not aim:
        ways = [option.flag for option in arm.spoken if option.takes == "range"]
        raise InputError(
            f"Say what to decide for with {' or '.join([*ways, '--distribution'])}; a range is "
            "written as 1.4:2.5."
        )
    return ArmQuestion(arm, options, aim, assumed)


def _say(aim: dict[str, Any]) -> str:
    return "a range" if "between" in aim else " and ".join(flag(name) for name in aim)

"""What the user said, as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from roctopus.comparison.missing import Missing
from roctopus.concepts.streams import Mode
from roctopus.core.errors import InputError

__all__ = ["COSTS", "Request", "flag", "read_arm"]

ARMS = ("regression", "cutoff", "ordinal", "probability", "impact")
WORDS = {
    "regression": ("under_cost", "over_cost", "asymmetry"),
    "cutoff": ("cutoff", "cutoff_column"),
    "ordinal": ("costs", "labels"),
    "impact": ("utility", "value", "cost", "theta", "capacity", "at_least"),
    "probability": (
        "cost_proportion",
        "false_positive_cost",
        "false_negative_cost",
        "prevalence",
    ),
}
"""What is said in which arm. Costs of wrong decisions belong to cutoffs, too."""
COSTS = ("under_cost", "over_cost", "false_positive_cost", "false_negative_cost")
"""What may be a number, or the column of each case's own."""
SHARED = {"cutoff": ("false_positive_cost", "false_negative_cost"), "impact": ("prevalence",)}


@dataclass(frozen=True)
class Request:
    """Options of the command line that say what the data are and what errors cost."""

    files: list[str]
    arm: str | None = None
    truth: str | None = None
    models: list[str] | None = None
    id: str | None = None
    model_column: str | None = None
    prediction_column: str | None = None
    weight: str | None = None
    clusters: str | None = None
    by: str | None = None
    time: str | None = None
    labels: str | None = None
    missing: Missing = "refuse"
    delimiter: str | None = None
    decimal: str = "."
    encoding: str = "utf-8"
    under_cost: str | None = None
    over_cost: str | None = None
    asymmetry: str | None = None
    cutoff: str | None = None
    cutoff_column: str | None = None
    costs: str | None = None
    false_positive_cost: str | None = None
    false_negative_cost: str | None = None
    cost_proportion: str | None = None
    prevalence: str | None = None
    utility: str | None = None
    value: str | None = None
    cost: str | None = None
    theta: str | None = None
    capacity: str | None = None
    at_least: str | None = None
    context_column: str | None = None
    distribution: str | None = None
    criterion: str | None = None
    mode: Mode | None = None
    memory: str | None = None

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Self:
        """Take what is known here from all that was said."""
        return cls(**{each.name: said[each.name] for each in fields(cls) if each.name in said})

    def given(self, *names: str) -> dict[str, str]:
        """Return those of some options that were said."""
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def flag(name: str) -> str:
    """Return an option as it is typed."""
    return "--" + name.replace("_", "-")


def read_arm(request: Request) -> str:
    """Return the arm, said or found from the costs; refuse what does not belong to it."""
    arm = request.arm
    if arm is not None and arm not in ARMS:
        raise InputError(f"--arm must be one of {', '.join(ARMS)}, got {arm!r}.")
    spoken = [each for each, words in WORDS.items() if request.given(*words)]
    if arm is None:
        if not spoken:
            raise InputError(
                f"Say which question it is with --arm ({', '.join(ARMS)}), or what errors cost, "
                "such as --under-cost 4 --over-cost 1."
            )
        arm = spoken[0]
    known = (*WORDS[arm], *SHARED.get(arm, ()))
    for other in spoken:
        for word in request.given(*WORDS[other]):
            if word not in known:
                raise InputError(f"{flag(word)} does not belong to the arm {arm!r}.")
    return arm

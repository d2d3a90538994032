"""The probability arm on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.distributions import Uniform

POSITIVE = Option(
    "positive",
    "The label that is a yes, where truths are two words or the smaller of two numbers is meant.",
    "text",
    "LABEL",
    gives=("pos_label",),
    checks=True,
)
PANEL = "Costs: probability (two classes), also for the decisions at a cutoff"
SPOKEN = (
    Option(
        "false_positive_cost",
        "Of a wrong yes; a range: 2:8; a column: each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "false_negative_cost",
        "Of a wrong no; a range: 2:8; a column: each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "cost_proportion",
        "Instead of both: the share of false positives in the two costs, 0 to 1.",
        "range",
    ),
    Option("cost_ratio", "What a miss costs, in false alarms.", "range", ambiguous=True),
    Option(
        "threshold_probability",
        "Instead of both: the probability from which on a yes is worth it, 0 to 1.",
        "range",
    ),
    Option("prevalence", "The share of yes in deployment, if not as in the files.", checks=True),
    POSITIVE,
)


def ask(said: Said) -> Asked:
    """Read both costs or the cost proportion, and the prevalence."""
    given = {"prevalence": said.number("prevalence"), "pos_label": said.label("positive")}
    options = {name: each for name, each in given.items() if each is not None}
    costs = ("false_positive_cost", "false_negative_cost", "cost_proportion")
    aim = said.costs(*costs, "cost_ratio", "threshold_probability")
    if aim or said.known_later:
        return Asked(options, aim)
    told = "any cost proportion is as likely as any other (say --false-positive-cost, …)"
    return Asked(options, {"distribution": Uniform(0.0, 1.0)}, told)


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return the prevalence, as said now or else as recorded."""
    share = settings.get("prevalence")
    return ({} if share is None else {"prevalence": share}) | ask(said).options

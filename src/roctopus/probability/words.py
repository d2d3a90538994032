"""The probability arm on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.distributions import Uniform

POSITIVE = Option(
    "positive",
    "The label of the positive class; needed if labels are text, or if the smaller of two numbers "
    "is the positive one.",
    "text",
    "LABEL",
    gives=("pos_label",),
    checks=True,
)
PANEL = "Costs: probability (two classes); the first two also for decisions at a cutoff"
SPOKEN = (
    Option(
        "false_positive_cost",
        "Cost of a false alarm (a wrong yes): a number, a range such as 2:8, or a column with "
        "each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "false_negative_cost",
        "Cost of a miss (a wrong no): a number, a range such as 2:8, or a column with each case's "
        "own.",
        "range or column",
        checks=True,
    ),
    Option(
        "cost_proportion",
        "Instead of the two costs: the false alarm's share of their sum, 0 to 1.",
        "range",
    ),
    Option(
        "cost_ratio",
        "Instead of the two costs: how many false alarms a miss costs.",
        "range",
        ambiguous=True,
    ),
    Option(
        "threshold_probability",
        "Instead of the two costs: the probability above which a yes pays off, 0 to 1.",
        "range",
    ),
    Option(
        "prevalence",
        "The share of positive cases in deployment, if it differs from that in the files.",
        checks=True,
    ),
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
    told = (
        "every cost proportion is equally likely (set costs with --false-positive-cost and "
        "--false-negative-cost)"
    )
    return Asked(options, {"distribution": Uniform(0.0, 1.0)}, told)


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return the prevalence, as said now or else as recorded."""
    share = settings.get("prevalence")
    return ({} if share is None else {"prevalence": share}) | ask(said).options

"""The regression arm on the command line."""

from __future__ import annotations

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.distributions import Uniform

PANEL = "Costs: regression (too low and too high cost differently)"
SPOKEN = (
    Option(
        "under_cost",
        "Cost of each unit predicted too low: a number, a range such as 2:8, or a column with "
        "each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "over_cost",
        "Cost of each unit predicted too high: a number, a range such as 2:8, or a column with "
        "each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "asymmetry",
        "Instead of the two costs: the under-estimate's share of their sum, 0 to 1.",
        "range",
    ),
    Option(
        "cost_ratio",
        "Instead of the two costs: how many times as much an under-estimate costs as an "
        "over-estimate. With --arm probability: how many false alarms a miss costs.",
        "range",
        ambiguous=True,
    ),
)


def ask(said: Said) -> Asked:
    """Read both costs, their ratio, or the asymmetry."""
    aim = said.costs("under_cost", "over_cost", "asymmetry", "cost_ratio")
    if aim or said.known_later:
        return Asked({}, aim)
    told = "every asymmetry is equally likely (set costs with --under-cost and --over-cost)"
    return Asked({}, {"distribution": Uniform(0.0, 1.0)}, told)

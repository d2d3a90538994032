"""The regression arm on the command line."""

from __future__ import annotations

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.distributions import Uniform

PANEL = "Costs: regression (too low and too high cost differently)"
SPOKEN = (
    Option(
        "under_cost",
        "Of a unit predicted too low; a range: 2:8; a column: each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "over_cost",
        "Of a unit predicted too high; a range: 2:8; a column: each case's own.",
        "range or column",
        checks=True,
    ),
    Option(
        "asymmetry",
        "Instead of both: the share of under-estimates in the two costs, 0 to 1.",
        "range",
    ),
    Option(
        "cost_ratio",
        "Instead of both: what a unit too low costs, in units too high. With --arm probability: "
        "what a miss costs, in false alarms.",
        "range",
        ambiguous=True,
    ),
)


def ask(said: Said) -> Asked:
    """Read both costs, their ratio, or the asymmetry."""
    aim = said.costs("under_cost", "over_cost", "asymmetry", "cost_ratio")
    if aim or said.known_later:
        return Asked({}, aim)
    told = "any asymmetry of costs is as likely as any other (say --under-cost, --over-cost)"
    return Asked({}, {"distribution": Uniform(0.0, 1.0)}, told)

"""The cutoff arm on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.given_distributions import Output
from roctopus.core.errors import InputError, warn
from roctopus.cutoff.errors import row_cutoff_error

COSTS = ("false_positive_cost", "false_negative_cost")
PANEL = "Costs: cutoff (yes if a prediction reaches a cutoff)"
SPOKEN = (
    Option("cutoff", "The cutoff from which on the answer is yes.", "range"),
    Option(
        "cutoff_column",
        "Column with cutoffs that occurred, used as a distribution: any case may be decided at "
        "any of them. To decide each case at its own cutoff, use --context-column.",
        "column",
        checks=True,
    ),
    Option("false_positive_cost", "Cost of a wrong yes."),
    Option("false_negative_cost", "Cost of a wrong no."),
)


def ask(said: Said) -> Asked:
    """Read the cutoff, or a column of them, and the costs of wrong decisions."""
    options = {name: said.number(name) for name in COSTS if name in said}
    if "cutoff_column" in said:
        rivals = [other for other in ("cutoff", "distribution") if other in said]
        rivals += ["context-column"] if said.own else []
        if rivals:
            raise InputError(
                f"--{rivals[0]} cannot be combined with --cutoff-column. Use one or the other."
            )
        _note_dependence(said, options)
        met = Empirical(said.columns["cutoff_column"], said.weight)
        return Asked(options, {"distribution": met})
    aim = said.context("cutoff")
    if aim or said.known_later:
        return Asked(options, aim)
    told = "cutoffs are distributed like the true values (set a cutoff with --cutoff)"
    return Asked(options, {"distribution": Output()}, told)


def _note_dependence(said: Said, options: Mapping[str, Any]) -> None:
    """Add a note if cutoffs depend on the cases, since their distribution alone then misleads."""
    for name, prediction in said.predictions.items():
        if np.isnan(prediction).any():
            continue
        found = row_cutoff_error(
            said.truth,
            prediction,
            cutoffs=said.columns["cutoff_column"],
            sample_weight=said.weight,
            **options,
        )
        if found.depends:
            warn(f"Model {name!r}: {found}")


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return the costs."""
    return dict(settings)

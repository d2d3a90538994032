"""The impact arm on the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said, read_number
from roctopus.core.errors import InputError
from roctopus.impact.labels import net_benefit_utility
from roctopus.impact.utilities import LinearUtility, value_minus_cutoff, value_times_price

UTILITIES: dict[str, Callable[..., LinearUtility]] = {
    "value-times-price": value_times_price,
    "value-minus-cutoff": value_minus_cutoff,
    "net-benefit": net_benefit_utility,
}


def lines(text: str) -> dict[str, str]:
    """Return the columns of slope=COLUMN,intercept=COLUMN."""
    if "=" not in text:
        return {}
    found = {}
    for part in text.split(","):
        name, _, column = (each.strip() for each in part.partition("="))
        if name not in ("slope", "intercept") or not column:
            raise InputError(
                f"--utility must have the form slope=COLUMN,intercept=COLUMN, but is {text!r}."
            )
        found[name] = column
    if len(found) != 2:
        raise InputError(
            f"--utility must name both a slope and an intercept, but is {text!r}. Use "
            "slope=COLUMN,intercept=COLUMN."
        )
    return found


PANEL = "Costs: impact (every case has its own value)"
SPOKEN = (
    Option(
        "utility",
        "Value of accepting a case: value-times-price (truth·θ − 1), value-minus-cutoff "
        "(truth − θ), net-benefit (1 for a yes, −θ for a no), or slope=COLUMN,intercept=COLUMN "
        "(slope·θ + intercept).",
        "text",
        metavar="UTILITY",
        columns=lines,
        as_truth=True,
        checks=True,
    ),
    Option(
        "value",
        "With --cost: the value of accepting is value·θ − cost.",
        "column",
        as_truth=True,
        checks=True,
    ),
    Option(
        "cost", "The cost of accepting (default: 1).", "number or column", "COLUMN", checks=True
    ),
    Option("theta", "The price θ.", "range"),
    Option(
        "threshold_probability",
        "With net-benefit: the threshold probability, instead of θ (its odds).",
        "range",
    ),
    Option("capacity", "At most this many cases can be accepted.", gives=("at_most",), checks=True),
    Option("at_least", "At least this many cases must be accepted.", checks=True),
    Option(
        "per",
        "With --capacity: column with periods, such as days. The capacity then applies to an "
        "average period.",
        "labels",
        checks=True,
    ),
    Option(
        "prevalence", "With net-benefit: the share of positive cases in deployment.", checks=True
    ),
    Option(
        "positive",
        "With net-benefit: the label of the positive class.",
        "text",
        "LABEL",
        gives=("pos_label",),
        checks=True,
    ),
)


def ask(said: Said) -> Asked:
    """Read what accepting is worth, how many can be accepted, and the price."""
    options: dict[str, Any] = {"utility": _utility(said)}
    for name, option in (("capacity", "at_most"), ("at_least", "at_least")):
        if name in said:
            options[option] = said.number(name)
    if "per" in said:
        options["per"] = said.columns["per"]
    aim = said.context("theta")
    text = said.text("threshold_probability")
    if text is not None:
        if aim:
            raise InputError(
                "--theta cannot be combined with --threshold-probability. Use one or the other."
            )
        aim = {"threshold_probability": said.number_or_range(text, "threshold_probability")}
    return Asked(_with_class(options, said), aim)


def _with_class(options: dict[str, Any], said: Said) -> dict[str, Any]:
    """Add the positive class, if it was given."""
    label = said.label("positive")
    return options if label is None else {**options, "pos_label": label}


def _utility(said: Said) -> Any:
    text = said.text("utility")
    if "prevalence" in said and text != "net-benefit":
        raise InputError("--prevalence can only be used with --utility net-benefit.")
    if "value" in said or "cost" in said:
        if text is not None or "value" not in said:
            raise InputError("Use either --utility, or --value COLUMN with --cost COLUMN.")
        cost: Any = said.columns.get("cost")
        if cost is None:
            cost = said.number("cost") if "cost" in said else 1.0
        return LinearUtility(said.columns["value"], -cost)
    if text is None:
        raise InputError(
            "The value of accepting a case is missing. Add --value COLUMN --cost COLUMN, or "
            f"--utility with {', '.join(UTILITIES)} or slope=COLUMN,intercept=COLUMN."
        )
    parts: dict[str, Any] = {
        name: said.columns[name] if name in said.columns else read_number(column, "utility")
        for name, column in lines(text).items()
    }
    if parts:
        return LinearUtility(**parts)
    if text not in UTILITIES:
        raise InputError(
            f"--utility must be {', '.join(UTILITIES)} or slope=COLUMN,intercept=COLUMN, but is "
            f"{text!r}."
        )
    share = said.number("prevalence")
    if share is None:
        return UTILITIES[text]
    given = {"pos_label": said.label("positive"), "sample_weight": said.weight}
    made = net_benefit_utility(said.truth, prevalence=share, **given)
    # Another prevalence is another utility: the record of a decision must tell them apart.
    scale = replace(made.scale, outcome=f"{made.scale.outcome} at prevalence {share:g}")
    return LinearUtility(made.slope, made.intercept, scale)


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return the capacity (shares in the record, numbers of cases here), and what is said now.

    A utility that is made from values alone need not be said again.
    """
    names = ("at_least", "at_most")
    limits = {name: settings.get(f"{name}_per_period") for name in names}
    limits = {name: limit for name, limit in limits.items() if limit is not None}
    if limits and "per" not in said and "per" not in said.columns:
        raise InputError(
            "The decision has a capacity per period. Name the column of periods with --per."
        )
    for name, none in zip(names, (0.0, 1.0), strict=True):
        if settings.get(name, none) != none:
            limits[name] = settings[name] * len(said.truth)
    if "utility" in said.columns:
        return limits
    if not any(name in said for name in ("utility", "value", "cost", "prevalence")):
        said = replace(said, texts={**said.texts, **_known_utility(settings["utility"])})
    return limits | ask(said).options


def _known_utility(recorded: str) -> dict[str, str]:
    """Return the utility that a decision names, as options; nothing if it is not known."""
    scales = {text: make(np.array([0.0, 1.0])).scale for text, make in UTILITIES.items()}
    names = {f"{scale.outcome} over {scale.label}": text for text, scale in scales.items()}
    return {"utility": names[recorded]} if recorded in names else {}


def part(options: Mapping[str, Any], said: Said, share: float) -> dict[str, Any]:
    """Return what accepting some of the cases is worth; a capacity is shared by size."""
    limits = {name: options[name] * share for name in ("at_least", "at_most") if name in options}
    if "per" in options:
        limits["per"] = said.columns["per"]
    return _with_class({"utility": _utility(said), **limits}, said)

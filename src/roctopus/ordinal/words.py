"""The ordinal arm on the command line."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from roctopus.concepts.arm import Option
from roctopus.concepts.asking import Asked, Said, read_number
from roctopus.core.errors import InputError, warn
from roctopus.ordinal.thresholds import costs_in_order

PANEL = "Costs: ordinal (cases are graded into ordered classes)"
SPOKEN = (
    Option(
        "costs",
        "Cost of an error on each class, lowest class first (1,3,5) or by name "
        "(low=1,mid=3,top=5). One of them may be a range: 1,1,2:8. Or a CSV file with a cost "
        "matrix: a row per true class, a column per grade. With --context-column: the costs of "
        "all classes but the highest.",
        "text",
        metavar="COSTS",
        gives=("loss", "costs_between"),
    ),
    Option(
        "labels",
        "The classes in order, lowest first: low,mid,high.",
        "text",
        metavar="A,B,C",
        checks=True,
    ),
)


def ask(said: Said) -> Asked:
    """Read the order of the classes, and what errors on each of them cost."""
    order = _labels(said)
    options: dict[str, Any] = {"labels": order}  # of all cases, for segments may lack some
    ones: dict[str, Any] = {"costs": [1.0] * len(order)}
    if not said.whole and "labels" not in said:  # the first rows may lack some, too
        options, ones = {}, {"cost": 1.0}
    text = said.text("costs")
    if text is None:
        if said.own:
            return Asked(options, {})
        if "distribution" in said:
            warn(
                f"The distribution applies to the cost of an error where the truth is {order[-1]}; "
                "any other error costs 1."
            )
            return Asked(options, {})
        told = "errors on all classes cost the same (change this with --costs, such as 1,3,5)"
        return Asked(options, ones, told)
    if "=" in text and not os.path.isfile(text):
        text = _in_order(text, order)
    if text.lower().endswith(".csv") or os.path.isfile(text):
        options["loss"] = _matrix(text)
        warn(
            f"The cost of an error is its entry in the matrix in '{text}', multiplied by the cost "
            "of its true class."
        )
        return Asked(options, {} if said.own else ones)
    if said.own:
        return Asked({**options, "costs": _costs_of_others(text, len(order))}, {})
    return _costs(said, text, order, options)


def _labels(said: Said) -> list[Any]:
    numbers = isinstance(said.truth, np.ndarray)
    text = said.text("labels")
    if text is not None:
        parts = [part.strip() for part in text.split(",")]
        return [read_number(each, "labels") for each in parts] if numbers else parts
    if not numbers:
        classes = sorted(set(said.truth))
        found = ", ".join(classes[:8]) + (", …" if len(classes) > 8 else "")
        raise InputError(
            "The true values are text, so the order of the classes is unknown. List all classes "
            f"with --labels, lowest first. The classes are: {found}."
        )
    return list(np.unique(said.truth).tolist())


def _in_order(text: str, order: list[Any]) -> str:
    """Return low=1,mid=3,top=5 as 1,3,5."""
    pairs = (part.partition("=") for part in text.split(","))
    costs = {name.strip(): cost.strip() for name, _, cost in pairs}
    names = [f"{each:g}" if isinstance(each, float) else str(each) for each in order]
    return ",".join(costs_in_order(names, costs))


def _costs(said: Said, text: str, order: list[Any], options: dict[str, Any]) -> Asked:
    """Read a cost for each class, of which one may be a range."""
    parts = [said.number_or_range(part, "costs") for part in text.split(",")]
    ranges = [(k, part) for k, part in enumerate(parts) if isinstance(part, tuple)]
    if not ranges:
        return Asked(options, {"costs": parts})
    if len(ranges) > 1 or len(parts) != len(order):
        raise InputError(
            f"--costs must contain one number for each of the {len(order)} classes (one of them "
            f"may be a range), but is {text!r}."
        )
    at, between = ranges[0]
    options |= {
        "costs": [part[0] if isinstance(part, tuple) else part for part in parts],
        "moving": order[at],
        "costs_between": between,
    }
    return Asked(options, {"between": between})


def _matrix(name: str) -> list[list[float]]:
    try:
        with Path(name).open(newline="", encoding="utf-8-sig") as file:
            return [[float(cell) for cell in row] for row in csv.reader(file) if row]
    except (OSError, ValueError) as error:
        raise InputError(
            f"The file '{name}' (--costs) cannot be read as a matrix. It must be a CSV file of "
            f"numbers without names: a row per true class, a column per grade ({error})."
        ) from None


def _costs_of_others(text: str, classes: int) -> list[float]:
    """Return the costs of all classes but the highest, whose cost is each case's own; there 1."""
    parts = text.split(",")
    if len(parts) != classes - 1 or ":" in text:
        raise InputError(
            f"With --context-column, --costs must contain {classes - 1} numbers, one for each "
            f"class except the highest, but is {text!r}. The column has the costs of the highest "
            "class."
        )
    return [*(read_number(part, "costs") for part in parts), 1.0]


def recorded(settings: Mapping[str, Any], context: Mapping[str, Any], said: Said) -> dict[str, Any]:
    """Return what is recorded of the classes, as numbers if the truths are."""
    recorded = [str(each) for each in settings["labels"]]
    text = said.text("labels")
    if text is not None:
        given = [part.strip() for part in text.split(",")]
        if given != recorded:
            raise InputError(
                f"The decision was made for the classes {', '.join(recorded)}, in this order, but "
                f"--labels is {', '.join(given)}."
            )
    numbers = isinstance(said.truth, np.ndarray)
    try:
        labels = [float(each) if numbers else each for each in recorded]
    except ValueError:
        raise InputError(
            f"The decision was made for the classes {', '.join(recorded)}, but the true values "
            f"are numbers."
        ) from None
    costs = context.get("costs")
    if costs is None:
        costs = [1.0 if cost is None else cost for cost in settings["costs"]]
    found = {"labels": labels, "loss": settings["loss"], "costs": costs}
    found["moving"] = labels[recorded.index(str(settings["moving"]))]
    if "between" in context:
        found["costs_between"] = tuple(context["between"])
    return found

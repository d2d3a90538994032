"""What errors cost, in the user's words: the arm, its options, and what to decide for."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from roctopus.cli.data import Cases
from roctopus.cli.distributions import read_distribution, read_number
from roctopus.cli.request import Request, flag, read_arm
from roctopus.cli.row_contexts import costs_of_others, own_contexts, without_columns
from roctopus.concepts.distributions import Empirical, Uniform
from roctopus.concepts.output_distribution import Output
from roctopus.core.errors import InputError, warn
from roctopus.cutoff.row_cutoffs import row_cutoff_error
from roctopus.impact.labels import net_benefit
from roctopus.impact.utilities import LinearUtility, value_minus_cutoff, value_times_price

__all__ = ["Question", "read_options", "read_question"]

Range: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Question:
    """The arm, what ``compare`` is told, and what ``decide`` is asked."""

    arm: str
    options: dict[str, Any]
    aim: dict[str, Any]
    assumed: str | None = None
    """What was taken for granted since nothing was said."""


def read_question(request: Request, cases: Cases) -> Question:
    """Read what is asked."""
    arm = read_arm(request)
    options: dict[str, Any] = {}
    own = own_contexts(request, cases, arm)
    aim, assumed = _READERS[arm](without_columns(request, cases), cases, options)
    if own is not None:
        options["context"] = own
    distribution = None
    if request.distribution is not None:
        if aim:
            raise InputError(f"Give --distribution or {_say(aim)}, not both.")
        if request.cutoff_column is not None:
            raise InputError("Give --distribution or --cutoff-column, not both.")
        distribution = read_distribution(request.distribution, cases, arm)
    elif request.cutoff_column is not None:
        _note_dependence(cases, options)
        distribution = Empirical(cases.extra["cutoff_column"], cases.extra.get("weight"))
    if distribution is not None:
        aim, assumed = {"distribution": distribution}, None
    if request.criterion is not None:
        if "between" not in aim:
            raise InputError("--criterion goes with a range, such as 0.6:0.9.")
        aim["criterion"] = request.criterion
    if not aim and own is None:
        aim, assumed = _assume(arm, cases)
    return Question(arm, options, aim, assumed)


def read_options(request: Request, cases: Cases, arm: str) -> dict[str, Any]:
    """Return what ``compare`` is told, without what is asked."""
    options: dict[str, Any] = {}
    own = own_contexts(request, cases, arm)
    _READERS[arm](without_columns(request, cases), cases, options)
    return options if own is None else {**options, "context": own}


def _say(aim: dict[str, Any]) -> str:
    return "a range" if "between" in aim else " and ".join(flag(name) for name in aim)


def _assume(arm: str, cases: Cases) -> tuple[dict[str, Any], str]:
    """Return what is taken for granted if no costs are given."""
    if arm == "regression":
        told = "any asymmetry of costs is as likely as any other (say --under-cost, --over-cost)"
        return {"distribution": Uniform(0.0, 1.0)}, told
    if arm == "probability":
        told = "any cost proportion is as likely as any other (say --false-positive-cost, …)"
        return {"distribution": Uniform(0.0, 1.0)}, told
    if arm == "cutoff":
        return {"distribution": Output()}, "cutoffs are spread as the truths are (say --cutoff)"
    raise InputError("Say at which price to decide with --theta, such as --theta 1.4:2.5.")


def _number_or_range(text: str, name: str) -> float | Range:
    low, colon, high = text.partition(":")
    if not colon:
        return read_number(text, name)
    return read_number(low, name), read_number(high, name)


Aim: TypeAlias = tuple[dict[str, Any], str | None]


def _single_or_range(request: Request, name: str) -> dict[str, Any]:
    """Return ``name`` as a context, or as a range of contexts."""
    text = getattr(request, name)
    if text is None:
        return {}
    found = _number_or_range(text, name)
    return {"between": found} if isinstance(found, tuple) else {name: found}


def _two_costs(request: Request, first: str, second: str, share: str) -> dict[str, Any]:
    """Return two costs; with a range of one of them, the range of the share of the first."""
    said = request.given(first, second)
    if not said:
        return _single_or_range(request, share)
    if getattr(request, share) is not None:
        raise InputError(f"Give {flag(share)} or {flag(first)} and {flag(second)}, not both.")
    for name, text in said.items():
        if ":" in text:  # the worst case of a range of costs is always its dear end
            raise InputError(
                f"{flag(name)} must be a number, got {text!r}. For a range say the share of "
                f"{flag(first)} in both, such as {flag(share)} 0.6:0.9."
            )
    return {name: _cost(said.get(name, "1"), name) for name in (first, second)}


def _cost(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"{flag(name)} must be a number, or a column that holds each case's own, got {text!r}."
        ) from None


def _regression(request: Request, cases: Cases, options: dict[str, Any]) -> Aim:
    return _two_costs(request, "under_cost", "over_cost", "asymmetry"), None


def _probability(request: Request, cases: Cases, options: dict[str, Any]) -> Aim:
    if request.prevalence is not None:
        options["prevalence"] = read_number(request.prevalence, "prevalence")
    found = _two_costs(request, "false_positive_cost", "false_negative_cost", "cost_proportion")
    return found, None


def _cutoff(request: Request, cases: Cases, options: dict[str, Any]) -> Aim:
    for name, text in request.given("false_positive_cost", "false_negative_cost").items():
        options[name] = read_number(text, name)
    if request.cutoff is not None and request.cutoff_column is not None:
        raise InputError("Give --cutoff or --cutoff-column, not both.")
    return _single_or_range(request, "cutoff"), None


def _ordinal(request: Request, cases: Cases, options: dict[str, Any]) -> Aim:
    labels: list[Any] | None = None
    if request.labels is not None:
        labels = [part.strip() for part in request.labels.split(",")]
        if isinstance(cases.truth, np.ndarray):
            labels = [read_number(each, "labels") for each in labels]
    if labels is None and not isinstance(cases.truth, np.ndarray):
        found = ", ".join(sorted(set(cases.truth))[:8])
        raise InputError(
            f"Say the order of the classes, lowest first, with --labels. There are: {found}."
        )
    order: list[Any] = list(np.unique(cases.truth).tolist()) if labels is None else labels
    options["labels"] = order  # of all cases, for segments may lack some
    ones = [1.0] * len(order)
    if "context_column" in cases.extra and request.costs is not None and not _is_matrix(request):
        options["costs"] = costs_of_others(request.costs, len(order))
        return {}, None
    if request.costs is None:
        if request.distribution is not None:
            warn(f"The distribution is of the cost of class {order[-1]}; the others cost 1.")
            return {}, None
        if "context_column" in cases.extra:
            return {}, None
        return {"costs": ones}, "errors on all classes cost the same (say --costs 1,3,5)"
    if _is_matrix(request):
        options["loss"] = _matrix(request.costs)
        warn(f"What errors cost is in the matrix '{request.costs}'; the costs below multiply it.")
        return {} if "context_column" in cases.extra else {"costs": ones}, None
    parts = [_number_or_range(part, "costs") for part in request.costs.split(",")]
    moving = [k for k, part in enumerate(parts) if isinstance(part, tuple)]
    if not moving:
        return {"costs": parts}, None
    if len(moving) > 1 or len(parts) != len(order):
        raise InputError(
            f"--costs needs one number for each of the {len(order)} classes, and one of them may "
            f"be a range, got {request.costs!r}."
        )
    at = moving[0]
    between = parts[at]
    assert isinstance(between, tuple)
    options |= {
        "costs": [between[0] if isinstance(part, tuple) else part for part in parts],
        "moving": order[at],
        "costs_between": between,
    }
    return {"between": between}, None


def _is_matrix(request: Request) -> bool:
    text = request.costs or ""
    return text.lower().endswith(".csv") or Path(text).is_file()


def _matrix(name: str) -> list[list[float]]:
    try:
        with Path(name).open(newline="", encoding="utf-8-sig") as file:
            return [[float(cell) for cell in row] for row in csv.reader(file) if row]
    except (OSError, ValueError) as error:
        raise InputError(
            f"--costs '{name}' must be a CSV file of numbers, a row per true class and a column "
            f"per grade, without names: {error}."
        ) from None


UTILITIES: dict[str, Callable[..., LinearUtility]] = {
    "value-times-price": value_times_price,
    "value-minus-cutoff": value_minus_cutoff,
    "net-benefit": net_benefit,
}


def _impact(request: Request, cases: Cases, options: dict[str, Any]) -> Aim:
    options["utility"] = _utility(request, cases)
    for name, option in (("capacity", "at_most"), ("at_least", "at_least")):
        if getattr(request, name) is not None:
            options[option] = read_number(getattr(request, name), name)
    return _single_or_range(request, "theta"), None


def _utility(request: Request, cases: Cases) -> Any:
    if request.prevalence is not None and request.utility != "net-benefit":
        raise InputError("--prevalence goes with --utility net-benefit only.")
    if request.value is not None or request.cost is not None:
        if request.utility is not None or request.value is None:
            raise InputError("Give --value COLUMN and --cost COLUMN, or --utility, not a mixture.")
        cost = cases.extra.get("cost")
        if cost is None:
            cost = 1.0 if request.cost is None else read_number(request.cost, "cost")
        return LinearUtility(cases.extra["value"], -cost)
    if request.utility is None:
        raise InputError(
            "Say what accepting a case is worth: --value COLUMN --cost COLUMN, or --utility "
            f"{', '.join(UTILITIES)} or slope=COLUMN,intercept=COLUMN."
        )
    if "=" in request.utility:
        said = dict(part.split("=", 1) for part in request.utility.split(","))
        parts = {name.strip(): text.strip() for name, text in said.items()}
        if set(parts) != {"slope", "intercept"}:
            raise InputError("--utility needs both: slope=COLUMN,intercept=COLUMN.")
        lines: dict[str, Any] = {
            name: cases.extra[name] if name in cases.extra else read_number(text, "utility")
            for name, text in parts.items()
        }
        return LinearUtility(**lines)
    if request.utility not in UTILITIES:
        raise InputError(
            f"--utility must be {', '.join(UTILITIES)} or slope=COLUMN,intercept=COLUMN, got "
            f"{request.utility!r}."
        )
    if request.prevalence is not None:
        share = read_number(request.prevalence, "prevalence")
        made = net_benefit(cases.truth, prevalence=share, sample_weight=cases.extra.get("weight"))
        # Another prevalence is another utility: the record of a decision must tell them apart.
        scale = replace(made.scale, outcome=f"{made.scale.outcome} at prevalence {share:g}")
        return LinearUtility(made.slope, made.intercept, scale)
    return UTILITIES[request.utility]


_READERS: dict[str, Callable[[Request, Cases, dict[str, Any]], Aim]] = {
    "regression": _regression,
    "cutoff": _cutoff,
    "ordinal": _ordinal,
    "probability": _probability,
    "impact": _impact,
}


def _note_dependence(cases: Cases, options: dict[str, Any]) -> None:
    """Say so if cutoffs depend on the cases: then their distribution alone misleads."""
    for name, prediction in cases.predictions.items():
        if not isinstance(cases.truth, np.ndarray) or np.isnan(prediction).any():
            continue
        found = row_cutoff_error(
            cases.truth,
            prediction,
            cutoffs=cases.extra["cutoff_column"],
            sample_weight=cases.extra.get("weight"),
            **options,
        )
        if found.depends:
            warn(f"{name}: {found}")

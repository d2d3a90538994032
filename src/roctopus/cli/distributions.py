"""Distributions as they are said: "beta(2, 4) on 20%:60%"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import Said, read_number
from roctopus.concepts.decision import Decision
from roctopus.concepts.distributions import Beta, Exponential, Gamma, LogNormal, Normal, Uniform
from roctopus.concepts.given_distributions import Output, Truncated
from roctopus.concepts.problem import Problem
from roctopus.core.errors import InputError

DISTRIBUTIONS: dict[str, Callable[..., Any]] = {
    "uniform": Uniform,
    "beta": Beta,
    "normal": Normal,
    "gamma": Gamma,
    "lognormal": LogNormal,
    "exponential": Exponential,
    "output": Output,
}


def read_distribution(text: str, problem: Callable[[], Problem]) -> Any:
    """Read a distribution of contexts: a name, its numbers, and where it lies."""
    match = re.fullmatch(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*(?:on\s+(\S+?)\s*:\s*(\S+)\s*)?", text)
    name = match.group(1).lower() if match else ""
    if match is None or name not in DISTRIBUTIONS:
        raise InputError(
            "--distribution must be a distribution such as 'beta(2, 4) on 20%:60%', but is "
            f"{text!r}. Known distributions: {', '.join(DISTRIBUTIONS)}."
        )
    inside = [part.strip() for part in (match.group(2) or "").split(",") if part.strip()]
    shape = [read_number(part, "distribution") for part in inside]
    ends = [_end(part, problem) for part in match.group(3, 4) if part is not None]
    try:
        if ends and name in ("uniform", "beta", "output"):
            return DISTRIBUTIONS[name](*shape, *ends)
        distribution = DISTRIBUTIONS[name](*shape)
        return Truncated(distribution, *ends) if ends else distribution
    except TypeError:
        raise InputError(
            f"--distribution {text!r} does not have the right number of parameters. Examples: "
            "uniform(0.5, 0.9), beta(2, 4) on 20%:60%, normal(25, 5), gamma(2, 3), "
            "exponential(4), output."
        ) from None


def _end(text: str, problem: Callable[[], Problem]) -> float:
    """Return an end of a range: a number, or a share, which may be of the range of truths."""
    if not text.endswith("%"):
        return read_number(text, "distribution")
    share = read_number(text[:-1], "distribution") / 100.0
    asked = problem()
    if asked.context_kind == "share":
        return share
    if asked.context_kind != "truth":
        raise InputError(
            "In --distribution, shares such as 20% refer to the range of true values, so they can "
            "only be used for cutoffs. Use numbers instead."
        )
    truth = np.asarray(asked.truth())
    low, high = float(truth.min()), float(truth.max())
    return low + share * (high - low)


def recorded_distribution(decision: Decision, arm: Arm, said: Said, problem: Problem) -> Any:
    """Return the distribution the decision was made for, as recorded or as met in a column."""
    recorded = decision.context.get("distribution")
    if problem.context_kind != "truth":
        needed = recorded is not None and not problem.linear
        return read_distribution(str(recorded), lambda: problem) if needed else None
    column = next((option for option in arm.spoken if option.takes == "column"), None)
    met = None
    if column is not None and column.name in said:
        met = arm.ask(said).aim["distribution"]
    where = "" if column is None else column.flag
    if recorded is None:
        if met is not None:
            raise InputError(
                "The decision was made for one cutoff, not for a column of cutoffs. Leave out "
                f"{where}."
            )
        return None
    if str(recorded).startswith("Empirical"):
        if met is None and column is not None:
            raise InputError(
                "The decision was made for a column of cutoffs. Use "
                f"{where} to name the column with the cutoffs of the new cases."
            )
        return met
    if met is not None:
        raise InputError(
            f"The decision was made for the distribution {recorded}, not for a column of cutoffs. "
            f"Leave out {where}."
        )
    return read_distribution(str(recorded), lambda: problem)

"""Distributions as they are said: "beta(2, 4) on 20%:60%"."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from roctopus.concepts.asking import read_number
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
            f"--distribution must be one of {', '.join(DISTRIBUTIONS)} with numbers, such as "
            f"'beta(2, 4) on 20%:60%', got {text!r}."
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
            f"--distribution {text!r}: wrong parameters for {name}. Examples: uniform(0.5, 0.9), "
            "beta(2, 4) on 20%:60%, normal(25, 5), gamma(2, 3), exponential(4), output."
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
            "Shares such as 20% refer to the range of true values, so they can only be used for "
            "cutoffs."
        )
    truth = np.asarray(asked.truth())
    low, high = float(truth.min()), float(truth.max())
    return low + share * (high - low)

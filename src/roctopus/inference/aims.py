"""What a decision is made for: a context, a range of contexts, or a distribution of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from roctopus.concepts.context_words import ranges_in, say_ways
from roctopus.concepts.given_distributions import Distribution, Output, as_distribution
from roctopus.concepts.problem import Problem, mean_context
from roctopus.concepts.wording import ContextSpread
from roctopus.core.arrays import Floats, as_floats
from roctopus.core.checks import check_choice, check_magnitude, check_scalar, say_within
from roctopus.core.distributions import Continuous, Discrete, cumulative, quantiles
from roctopus.core.errors import InputError, arg

Criterion: TypeAlias = Literal["expected", "worst", "regret"]


@dataclass(frozen=True, eq=False)
class Aim:
    """The contexts a decision is made for, and by what it is judged there."""

    contexts: Floats
    """The context; those of a range among which the worst lies; or the mean of the distribution."""
    criterion: Criterion
    distribution: Continuous | Discrete | None
    text: str
    """In words: "asymmetry 0.8"."""
    given: Mapping[str, Any]
    """For the record: what was asked for, as plain values."""
    source: Any = None
    """The distribution as it was given."""
    looked_at: bool = False
    """Whether no other contexts of a range are looked at, even if the worst may be another."""

    @property
    def ranged(self) -> bool:
        """Whether it is a range."""
        return self.criterion != "expected"

    @property
    def middle(self) -> float:
        """One context that stands for all."""
        return float(np.mean(self.contexts))


def read_distribution(problem: Problem, distribution: Distribution | None) -> Continuous | Discrete:
    """Return a distribution of contexts; ``Output()`` means the truths themselves."""
    if distribution is None:
        raise InputError(
            f"{arg('distribution')} must be a distribution of {arg(problem.context)}, such as "
            "Uniform(low, high), but is None."
        )
    if isinstance(distribution, Output):
        if problem.context_kind != "truth":
            raise InputError(
                "Output() is a distribution of cutoffs, so it cannot be used for "
                f"{arg(problem.context)}."
            )
        return distribution.distribution(problem.columns()[0], problem.weight)
    return as_distribution(distribution)


def read_aim(
    problem: Problem,
    between: Any = None,
    criterion: str | None = None,
    distribution: Any = None,
    *,
    given: dict[str, Any],
) -> tuple[Problem, Aim]:
    """Read what the decision is for: exactly one of a context, a range and a distribution."""
    given, ways = problem.in_order(given), say_ways(problem.ways, "between", "distribution")
    if sum((bool(given), between is not None, distribution is not None)) != 1:
        costs = next((group for group in problem.ways if len(group) == 2), None)
        such = "" if costs is None else f", for example with {costs[0]}=4, {costs[1]}=1"
        raise InputError(f"Say what errors cost{such}. Use exactly one of {ways}.")
    ranges = ranges_in(given, problem.listed)
    if between is None and not ranges and criterion is not None:
        raise InputError(
            f"{arg('criterion')} can only be used with a range. Add {arg('between')}, or leave out "
            f"{arg('criterion')}."
        )
    pairs = [name for group in problem.ways if len(group) == 2 for name in group if name in given]
    for cost in pairs:
        try:
            said = np.ravel(as_floats(given[cost]))
        except (TypeError, ValueError):
            continue  # it is refused where it is read
        check_magnitude(said, f"{arg(cost)} has values")
    if between is not None or list(given) == [problem.context] == ranges:
        ends = read_range(problem, given[problem.context] if between is None else between)
        text = f"{problem.context} between {ends[0]:g} and {ends[1]:g}"
        return problem, _range(problem, ends, criterion, text, {"between": list(ends)})
    if ranges:
        return _range_in_words(problem, given, criterion, ranges)
    if distribution is not None:
        exact = read_distribution(problem, distribution)
        middle = _mean(problem, exact, distribution) if problem.linear else np.nan
        told = describe(distribution)
        whole = describe(distribution, exact=True)
        name = {"distribution": whole, "mean": None if np.isnan(middle) else middle}
        text = f"{problem.context} as {told}"
        return problem, Aim(np.array([middle]), "expected", exact, text, name, distribution)
    tuned, context = problem.read_context(given)
    low, high = tuned.domain
    if not low <= context <= high:
        raise InputError(
            f"{arg(problem.context)} must be {say_within(low, high)}, but is {context:g}."
        )
    plain = _plain(given)
    text = ", ".join(f"{name} {_say(value)}" for name, value in plain.items())
    return tuned, Aim(np.array([context]), "expected", None, text, plain)


def recorded_aim(
    problem: Problem, context: Mapping[str, Any], criterion: str | None = None
) -> tuple[Problem, Aim]:
    """Read what a decision recorded of a context or a range, as it was asked."""
    given = {name: value for name, value in context.items() if name != "criterion"}
    return read_aim(problem, given.pop("between", None), criterion, given=given)


def _plain(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: as_floats(value).tolist() for name, value in given.items()}


def _mean(problem: Problem, exact: Continuous | Discrete, distribution: Any) -> float:
    """Return the mean context; a distribution that leaves the domain may be one of ratios."""
    try:
        return mean_context(exact, problem.domain)
    except InputError as refusal:
        positive = cumulative(exact, np.array([0.0]))[0] == 0.0
        ends = [getattr(distribution, name, np.inf) for name in ("low", "high")]
        hint = problem.ratio_hint(*ends) if positive else ""
        raise InputError(f"{refusal.marked}{hint}") from None


def describe(distribution: Any, exact: bool = False) -> str:
    """Return a distribution in a few words, with its numbers where these are few."""
    frozen = getattr(distribution, "dist", None)  # as scipy's are
    if frozen is not None and hasattr(distribution, "args"):
        values = [*distribution.args, *distribution.kwds.values()]
        name = str(getattr(frozen, "name", "distribution"))
    else:
        values = list(getattr(distribution, "__dict__", {}).values())
        name = type(distribution).__name__
    if all(value is None for value in values):  # nothing is left out: all of the outputs
        return name
    if name == "Truncated" and len(values) == 3:
        whole, *ends = values
        return f"{describe(whole, exact)} on {':'.join(_digits(end, exact) for end in ends)}"
    numbers = [v for v in values if isinstance(v, (int, float, np.number))]
    if len(numbers) != len(values):
        return f"{name}(...)"
    return f"{name}({', '.join(_digits(v, exact) for v in numbers)})"


def _digits(value: Any, exact: bool) -> str:
    short = f"{value:g}"
    return short if not exact or float(short) == value else repr(float(value))


def _say(value: Any) -> str:
    return ", ".join(f"{v:g}" for v in value) if isinstance(value, list) else f"{value:g}"


def _range_in_words(
    problem: Problem, given: dict[str, Any], criterion: str | None, ranges: list[str]
) -> tuple[Problem, Aim]:
    """Read a range in the user's words; the record keeps them."""
    tuned, (low, high) = problem.read_range(given)
    if low == high:
        first, last = as_floats(given[ranges[0]])
        raise InputError(
            f"{arg(ranges[0])} must be a single number here, but is the range {first:g} to "
            f"{last:g}. Only a range of {arg(problem.context)} is possible."
        )
    ends, plain = read_range(tuned, (low, high)), _plain(given)
    text = ", ".join(
        f"{name} {value[0]:g} to {value[1]:g}" if name in ranges else f"{name} {_say(value)}"
        for name, value in plain.items()
    )
    return tuned, _range(tuned, ends, criterion, text, plain)


def _range(
    problem: Problem,
    ends: tuple[float, float],
    criterion: str | None,
    text: str,
    given: dict[str, Any],
) -> Aim:
    if criterion is not None:
        check_choice(criterion, "criterion", "worst", "regret")
    kind: Criterion = "regret" if criterion == "regret" else "worst"
    looked_at = problem.worst_contexts(*ends)
    contexts = np.array(ends) if looked_at is None else looked_at
    return Aim(contexts, kind, None, text, {**given, "criterion": kind})


def read_range(problem: Problem, between: Any) -> tuple[float, float]:
    """Return the ends of a range of contexts."""
    try:
        low, high = between
    except (TypeError, ValueError):
        raise InputError(
            f"{arg('between')} must contain two numbers, but is {between!r}."
        ) from None
    low, high = check_scalar(low, "between"), check_scalar(high, "between")
    first, last = problem.domain
    if not (first <= low <= last and first <= high <= last):
        raise InputError(
            f"Both ends of {arg('between')} are values of {arg(problem.context)}, so they must be "
            f"{say_within(first, last)}, but are {low:g} and {high:g}."
            f"{problem.ratio_hint(low, high)}"
        )
    if not low < high:
        raise InputError(
            f"{arg('between')} must go from a lower to a higher value of {arg(problem.context)}, "
            f"but goes from {low:g} to {high:g}."
        )
    return low, high


def spread_of(problem: Problem, aim: Aim, distribution: Continuous | Discrete) -> ContextSpread:
    """Return the distribution of an aim, for words."""
    low, high = quantiles(distribution, np.array([0.05, 0.95]), problem.domain).tolist()
    name = aim.text.partition(" as ")[2].replace(", 0, 1)", ")")
    return ContextSpread(name, float(aim.contexts[0]), (low, high))

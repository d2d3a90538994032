"""Contexts in the user's words: which words were given, and those that are ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from roctopus.concepts.wording import listed as in_words
from roctopus.core.checks import check_scalar
from roctopus.core.errors import InputError, arg


def ranges_in(given: Mapping[str, Any], listed: tuple[str, ...] = ()) -> list[str]:
    """Return the words whose values are ranges, except those that hold lists."""
    return [name for name, value in given.items() if name not in listed and _is_pair(value)]


def _is_pair(value: Any) -> bool:
    listed = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    return (listed or getattr(value, "ndim", 0) == 1) and len(value) == 2


def every_end(given: Mapping[str, Any], listed: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Return the words with each combination of ends of their ranges."""
    ends: dict[str, tuple[Any, ...]] = {name: (value,) for name, value in given.items()}
    for name in ranges_in(given, listed):
        low, high = (check_scalar(end, name) for end in given[name])
        if not low < high:
            raise InputError(
                f"{arg(name)} is a range from {low:g} to {high:g}, but the low end of a range must "
                "come first and be less than the high end."
            )
        ends[name] = low, high
    return [dict(zip(ends, each, strict=True)) for each in product(*ends.values())]


def say_ways(groups: Sequence[tuple[str, ...]], *more: str) -> str:
    """Return groups of keywords as a part of a sentence."""
    told = [" with ".join(map(arg, group)) for group in (*groups, *((name,) for name in more))]
    return in_words(told, "or")


def read_one_of(given: dict[str, Any], *groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the one group of keywords that was given; none, several or parts raise an error."""
    known = [name for group in groups for name in group]
    strange = [name for name in given if name not in known]
    ways = say_ways(groups)
    if strange:
        raise InputError(f"'{strange[0]}' is not an argument here. Use {ways}.")
    for group in groups:
        lacking = [arg(name) for name in group if name not in given]
        if given and lacking and set(given) < set(group):
            here = in_words(list(map(arg, given)), "and")
            raise InputError(
                f"{here} can only be used with {in_words(lacking, 'and')}. Use {ways}."
            )
    found = [group for group in groups if set(given) == set(group)]
    if len(found) != 1:
        told = in_words(list(map(arg, given)), "and") if given else "none"
        only = "" if len(given) != 1 else "only "
        needed = ways if len(groups) == 1 else f"Exactly one of {ways}"
        raise InputError(
            f"{needed} must be set, but {only}{told} {'are' if len(given) > 1 else 'is'} set."
        )
    return found[0]

"""Random calls of every public function, with arguments of which one or two are odd."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

import roctopus
from fuzz.values import column, odd, spoilt
from roctopus.arms import find_arm, known_arms

COLUMNS = {"y_true", "y_pred", "y_prob", "y_score", "sample_weight", "clusters", "time", "scores"}
COLUMNS |= {"at", "context", "cases", "values", "prediction", "truth", "cutoffs", "thresholds"}
MAPPINGS = {"predictions", "models"}
MADE = ("distributions", "given_distributions", "losses", "rules", "utilities", "costs")
"""Modules with classes that users make instances of."""
LEFT_OUT = {"load_problem", "main"}
"""What opens the network, which was not asked for."""


@cache
def functions() -> list[tuple[str, Callable[..., Any]]]:
    """Return the public functions and classes: of the package, its arms, metrics and displays."""
    found: dict[str, Callable[..., Any]] = {}
    for arm in [None, *known_arms()]:
        module = roctopus if arm is None else __import__(f"roctopus.{arm}", fromlist=["x"])
        for name in dir(module):
            each = getattr(module, name)
            if name[0] != "_" and callable(each) and name not in LEFT_OUT:
                found[f"{module.__name__}.{name}"] = each
    for package in ("inference", "comparison", "monitoring", "datasets", "deploy", "display"):
        module = __import__(f"roctopus.{package}", fromlist=["x"])
        for name in getattr(module, "__all__", ()):
            each = getattr(module, name)
            if callable(each) and name not in LEFT_OUT:
                found[f"{module.__name__}.{name}"] = each
    return sorted((name, each) for name, each in found.items() if _is_for_users(each))


def _is_for_users(each: Any) -> bool:
    """Tell whether users call it: a function, or a class that is no answer and no error."""
    if not isinstance(each, type):
        return True
    return each.__module__.rpartition(".")[2] in MADE and not issubclass(each, BaseException)


def _arguments(draw: Random, function: Callable[..., Any], size: int) -> dict[str, Any]:
    """Return arguments, of which many are what is expected."""
    found: dict[str, Any] = {}
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    strange = draw.random() < 0.8
    for each in parameters:
        if each.kind in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            continue
        needed = each.default is each.empty
        if not needed and draw.random() < 0.75:
            continue
        if each.name in COLUMNS:
            found[each.name] = column(draw, size)
        elif each.name in MAPPINGS:
            found[each.name] = {name: column(draw, size) for name in "ab"}
        elif each.name == "arm":
            found[each.name] = draw.choice(list(known_arms()))
        elif needed and not strange:
            found[each.name] = draw.choice([0.5, 0.2, 1.0, (0.2, 0.8), column(draw, size)])
        else:
            found[each.name] = odd(draw) if strange else each.default
    for name in list(found):
        if strange and draw.random() < 0.3:
            whole = found[name]
            column_like = isinstance(whole, np.ndarray)
            found[name] = spoilt(draw, whole) if column_like else odd(draw)
    return {n: e for n, e in found.items() if e is not inspect.Parameter.empty}


ASKED = {
    "regression": ["asymmetry", "under_cost", "over_cost", "between"],
    "cutoff": ["cutoff", "between"],
    "ordinal": ["costs", "cost"],
    "probability": ["cost", "false_positive_cost", "false_negative_cost", "between"],
    "impact": ["theta", "between"],
}


def verbs(draw: Random) -> Iterator[Callable[[], Any]]:
    """Yield a comparison, and what can be asked of it."""
    arm = draw.choice(list(known_arms()))
    size = draw.choice([2, 3, 10, 40, 120])
    y, a = column(draw, size), column(draw, size)
    if arm in ("probability", "ordinal") and draw.random() < 0.8:
        y = np.random.default_rng(draw.randrange(99)).integers(0, 2 if arm[0] == "p" else 4, size)
        a = np.clip(0.6 * y / max(y.max(), 1) + 0.4 * np.random.default_rng(1).random(size), 0, 1)
    other = 1.0 - a if isinstance(a, np.ndarray) else a
    models = {"a": a, "b": column(draw, size) if arm != "probability" else other}
    options = {}
    if draw.random() < 0.4:
        name = draw.choice(["sample_weight", "clusters", "time", "context", "cv", "missing", "rng"])
        options[name] = draw.choice([column(draw, size), odd(draw), True])
    if draw.random() < 0.3:
        y = spoilt(draw, y)
    held: list[Any] = []
    yield lambda: held.append(roctopus.compare(y, models, arm=arm, **options))
    if not held:
        return
    comparison = held[0]
    problem = find_arm(arm)
    for _ in range(2):
        word = draw.choice([*ASKED.get(arm, []), problem.context, "distribution"])
        numbers = [0.5, 0.9, (0.2, 0.8), 1.0, *([odd(draw)] if draw.random() < 0.7 else [])]
        asked = {word: draw.choice(numbers)}
        verb = draw.choice(
            ["decide", "answer", "table", "regions", "segments", "value_of_knowing", "plot"]
        )
        if not hasattr(comparison, verb):
            continue
        yield lambda verb=verb, asked=asked: getattr(comparison, verb)(**asked)


def fault_of(call: Callable[[], Any], foreign: tuple[type[BaseException], ...] = ()) -> str | None:
    """Return what is wrong with how a call ended; None for an answer or a sentence."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            repr(call())
    except (roctopus.InputError, roctopus.MissingDependencyError, *foreign):
        return None
    except BaseException as error:
        told = " ".join(str(error).split())[:200]
        last = _where(error)
        if last is None and isinstance(error, TypeError):
            return None  # arguments that Python itself refuses
        return f"{type(error).__name__}: {told} at {last}"
    return None


def _where(error: BaseException) -> str | None:
    import traceback

    lines = [
        f"{each.filename.rpartition('roctopus/')[2]}:{each.lineno} {each.name}"
        for each in traceback.extract_tb(error.__traceback__)
        if "/roctopus/" in each.filename
    ]
    return lines[-1] if lines else None


def call_at_random(draw: Random) -> str | None:
    """Call something, and return what is wrong with how it ended."""
    if draw.random() < 0.4:
        for each in verbs(draw):
            wrong = fault_of(each)
            if wrong is not None:
                return f"comparison: {wrong}"
        return None
    name, function = draw.choice(functions())
    given = _arguments(draw, function, draw.choice([1, 2, 5, 30]))
    wrong = fault_of(lambda: function(**given))
    return None if wrong is None else f"{name}({', '.join(given)}): {wrong}"

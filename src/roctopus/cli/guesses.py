"""What the columns of a file are for, by their names and content, and the question that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from roctopus.arms import known_arms
from roctopus.cli.data import read_format
from roctopus.cli.file_columns import Column
from roctopus.cli.request import Request
from roctopus.cli.truths import codes_of, event_of
from roctopus.comparison.unnamed import strange_columns
from roctopus.concepts.arm import Arm
from roctopus.core.arrays import Floats
from roctopus.core.names import flag

FEW_TIMES = 20
"""Fewer times than these are not worth an order."""


@dataclass(frozen=True)
class Guess:
    """Which columns look like what, and the question that fits."""

    roles: dict[str, str]
    """By column."""
    said: dict[str, str | list[str]]
    """What to type, by option; empty if nothing fits."""
    remarks: list[str]


def guess_roles(columns: Sequence[Column], request: Request) -> Guess:
    """Guess by names and content which columns look like what."""
    roles: dict[str, str] = {}
    for role in ("time", "id", "weight"):
        for each in columns:
            if each.name not in roles and _looks_like(each, role):
                roles[each.name] = role
    free = [each for each in columns if each.name not in roles]
    truth = _truth(free)
    unread = _unread(columns)
    asked = [each.name for each in columns if each.asks and each.called("truth")]
    if asked and not (truth is not None and truth.called("truth")):
        return Guess(roles, {}, [f"{asked[0]!r} seems to contain the true values.{unread}"])
    if truth is None:
        return Guess(roles, {}, [f"No column looks like true values.{unread}"])
    roles[truth.name] = "truth"
    truth = _with_codes(truth)
    arm = _arm_for(truth)
    candidates = {
        each.name: each.values
        for each in free
        if each.values is not None and each is not truth and each.distinct > 1
    }
    if truth.labels:
        candidates = {n: v for n, v in candidates.items() if _are_shares(v)} or candidates
    known = truth.values if truth.values is not None else None
    strange = strange_columns(arm, [] if known is None else [np.nan_to_num(known)], candidates)
    models = [name for name in candidates if name not in strange]
    named = [each.name for each in free if each.called("prediction") and each.name in candidates]
    models = [name for name in models if name in named] or models or named
    for name in models:
        roles[name] = "prediction"
    remarks = []
    if not models and candidates:
        models = [_closest(truth, candidates)]
        remarks.append(
            f"No column looks like predictions of {truth.name!r}. Replace {models[0]!r}, which "
            "comes closest, with your model's predictions."
        )
    if not models:
        return Guess(roles, {}, [f"No column can contain predictions of {truth.name!r}.{unread}"])
    remarks += [unread.strip()] if unread else []
    used = {each.name: each for each in columns}
    said = {"truth": truth.name, "models": models, **_event(truth, remarks)}
    said |= dict(zip(arm.own_costs or (), ("1", "2"), strict=False))
    remarks.append(
        f"Replace the numbers after {' and '.join(map(flag, arm.own_costs or ()))} with what "
        f"errors cost you."
    )
    for role in ("time", "weight"):
        mine = [name for name in roles if roles[name] == role and not used[name].missing]
        if len(mine) == 1 and (role == "weight" or used[mine[0]].distinct > FEW_TIMES):
            said[role] = mine[0]
    if any(used[name].missing for name in (truth.name, *models)):
        said["missing"] = "common"
    return Guess(roles, {**said, **read_format(request)}, remarks)


def _with_codes(truth: Column) -> Column:
    """Return a truth with its two labels, where these are whole numbers such as 1 and 2."""
    if truth.distinct != 2 or truth.labels or truth.values is None:
        return truth
    values = truth.values[~np.isnan(truth.values)]
    labels = tuple(f"{each:.0f}" for each in np.unique(values) if each.is_integer())
    return replace(truth, labels=labels) if len(labels) == 2 else truth


def _arm_for(truth: Column) -> Arm:
    """Return the arm for two classes, or for numbers."""
    classes = bool(truth.labels)
    arms = known_arms().values()
    return next(
        arm
        for arm in arms
        if arm.own_costs and arm.two_classes == classes and arm.on_truth_scale != classes
    )


def _closest(truth: Column, candidates: dict[str, Floats]) -> str:
    """Return the column that goes with the truth most closely."""
    y = truth.values

    def relation(name: str) -> float:
        x = candidates[name]
        if y is None:
            return 0.0
        both = ~np.isnan(x) & ~np.isnan(y)
        spread = min(np.std(x[both]), np.std(y[both])) if both.any() else 0.0
        return float(np.corrcoef(x[both], y[both])[0, 1]) if spread > 0.0 else -1.0

    return max(candidates, key=relation)


def _event(truth: Column, remarks: list[str]) -> dict[str, str | list[str]]:
    """Say which of two words is the event, or of two codes."""
    if truth.values is not None and not (truth.labels and codes_of(truth.values)):
        return {}
    event = event_of(truth.labels)
    if event is None:
        event = truth.labels[1]
        remarks.append(
            f"--positive names the event, which may be {event!r} or {truth.labels[0]!r}."
        )
    return {"positive": event}


def _looks_like(column: Column, role: str) -> bool:
    size = column.distinct
    if role == "time":
        counted = column.called("time") and column.values is not None and size > FEW_TIMES
        return column.is_time or counted
    if role == "weight":
        values = column.values
        return column.called("weight") and values is not None and bool(np.nanmin(values) >= 0.0)
    whole = column.kind == "whole numbers"
    called = column.called("id") and (whole or column.kind.startswith("text"))
    return called or (whole and _counts_rows(column.values))


def _counts_rows(values: Floats | None) -> bool:
    """Tell whether whole numbers are those of the rows."""
    return values is not None and len(values) > FEW_TIMES and bool(np.all(np.diff(values) == 1.0))


def _truth(columns: Sequence[Column]) -> Column | None:
    """Return the column of truths: by its name, else two classes, else the first of numbers."""
    fit = [each for each in columns if each.values is not None or each.labels]
    fit = [each for each in fit if each.distinct > 1]
    if not fit:
        return None
    named = [each for each in fit if each.called("truth")]
    classes = [each for each in fit if each.labels]
    others = [each for each in fit if not each.called("prediction")]
    return (named or classes or others or fit)[0]


def _unread(columns: Sequence[Column]) -> str:
    """Say which columns were not read, though they may be what is looked for."""
    names = [each.name for each in columns if each.asks]
    if not names:
        return ""
    listed = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
    return f" Columns that could not be read: {listed} (the table above says why)."


def _are_shares(values: Floats) -> bool:
    there = values[~np.isnan(values)]
    return bool(len(there) and there.min() >= 0.0 and there.max() <= 1.0)

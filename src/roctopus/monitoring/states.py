"""Reading the state of a decision: of this version, and of the first one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import FEWEST_CARRIERS
from roctopus.concepts.records import check_record, number, read_record
from roctopus.core.errors import InputError
from roctopus.inference.sequences import Block, ChangeSequence, Precision, Variation
from roctopus.inference.tracking import HALF_LIVES, Tracker
from roctopus.monitoring.watching import BATCH_DIGITS, STATE_VERSION, Look, WatchState

WHAT = "the state of a decision"
REMEDY = "Use another file, or delete the file to start again."
FIRST = {"decision", "value", "knob", "parts", "cases", "worse", "stale", "history", "batches"}
"""What a state of version 1 holds, beside its version."""


LARGEST, LARGEST_COUNT = 1e150, 10**12
"""Numbers beyond these cannot have come from looks."""


def read_state(source: str | os.PathLike[str], decision: Decision) -> WatchState:
    """Read a state from a file, or from the text itself."""
    body, where = read_record(source, WHAT)
    first = isinstance(body, dict) and body.get("schema_version") == 1
    names = {each.name for each in fields(WatchState)}
    names = FIRST | {"schema_version"} if first else names
    rest = check_record(body, where, WHAT, STATE_VERSION, names, REMEDY)
    try:
        return _of_first(rest, decision) if first else _of_second(rest)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise InputError(
            f"{where} is not {WHAT} as roctopus writes it ({error}). {REMEDY}"
        ) from None


def _of_second(rest: Mapping[str, Any]) -> WatchState:
    held = rest["tracker"]
    tracker = None if held is None else _tracker(held)
    value, knob = _sequence(rest["value"]), _sequence(rest["knob"])
    if knob.looks > value.looks or value.record is None:
        raise ValueError("its looks contradict each other")
    setting, obeyed = _setting(rest["setting"]), _finites(rest["obeyed"])
    held_by = [len(each) for each in (obeyed, tracker.old if tracker else ()) if each]
    if any(each != len(setting) for each in held_by):
        raise ValueError("its settings contradict each other")
    return WatchState(
        str(rest["decision"]),
        value,
        knob,
        setting,
        tracker,
        bool(rest["following"]),
        obeyed,
        _finite(rest["saved"]),
        _count(rest["cases"]),
        _look_number(rest["worse"]),
        _look_number(rest["stale"]),
        _history(rest, value.looks),
        _batches(rest["batches"]),
    )


def _of_first(rest: Mapping[str, Any], decision: Decision) -> WatchState:
    """Return a state of version 1: its looks, and all its cases as one block."""
    begun = replace(WatchState.begin(decision), decision=str(rest["decision"]))
    looks, runs = _count(rest["value"]["looks"]), rest["value"]["runs"]
    values = replace(begun.value, looks=looks)
    if runs:
        _, cases, total, variance = map(_finite, runs[0])
        if not (cases > 0.0 and variance >= 0.0):
            raise ValueError("its sums are impossible")
        block = Block(0, cases, total - cases * decision.tolerance)
        values = replace(values, whole=block, blocks=1, recent=(block,))
    return replace(
        begun,
        value=values,
        cases=_count(rest["cases"]),
        worse=_look_number(rest["worse"]),
        stale=_look_number(rest["stale"]),
        history=_history(rest, looks),
        batches=_batches(rest["batches"]),
    )


def _finite(value: Any) -> float:
    found = float(value)
    if not abs(found) <= LARGEST:
        raise ValueError("a number in it is not finite, or is too large")
    return found


def _count(value: Any) -> int:
    found = int(value)
    if found != value or not 0 <= found <= LARGEST_COUNT:
        raise ValueError(f"{value!r} is not a count")
    return found


def _finites(values: Any) -> tuple[float, ...]:
    return tuple(map(_finite, values))


def _setting(values: Any) -> tuple[float, ...]:
    """Read a setting; one that is beyond all cases may be infinite."""
    found = tuple(float(number(each)) for each in values)
    if any(np.isnan(each) for each in found):
        raise ValueError("a setting in it is not a number")
    return found


def _look_number(value: Any) -> int | None:
    return None if value is None else _count(value)


def _batches(values: Any) -> tuple[str, ...]:
    return tuple(str(each)[:BATCH_DIGITS] for each in values)


def _history(rest: Mapping[str, Any], looks: int) -> tuple[Look, ...]:
    found = tuple(_look(each) for each in rest["history"])
    if len(found) > looks or (looks and not found):
        raise ValueError("its looks contradict each other")
    return found


def _sequence(held: Mapping[str, Any]) -> ChangeSequence:
    """Read a sequence; raise an error for numbers that no look can have led to."""
    record = None if held["record"] is None else Precision._make(map(_or_none, held["record"]))
    found = ChangeSequence(
        record,
        _finite(held["level"]),
        _count(held["horizon"]),
        _count(held["looks"]),
        Variation._make(_finites(held["spread"])),
        _finite(held["inflation"]),
        _block(held["open"]),
        _block(held["whole"]),
        _count(held["blocks"]),
        tuple(map(_block, held["recent"])),
        _finite(held["steps"]),
        _finite(held["largest"]),
        tuple(map(_block, held.get("single", ()))),  # older files have none
    )
    blocks = (found.open, found.whole, *found.recent, *found.single)
    right = (
        0.0 < found.level < 1.0
        and found.horizon >= 1
        and found.looks >= found.blocks >= len(found.recent)
        and (found.looks == 0) == (found.blocks == 0 and found.open.cases == 0.0)
        and (found.blocks == 0) == (not found.recent) == (found.whole.cases == 0.0)
        and min(*found.spread, found.steps - found.largest, found.largest) >= 0.0
        and found.inflation >= 1.0
        and all(each.since <= found.looks and each.cases >= 0.0 for each in blocks)
        and all(each.cases > 0.0 for each in (*found.recent, *found.single))
        and found.spread.fourths <= 1.001 * found.spread.squares
        and (record is None or (min(record[:4]) >= 0.0 and record.cases > 0.0))
        and (record is None or not 0.0 < record.carriers < FEWEST_CARRIERS)
    )
    if not right:
        raise ValueError("its sums are impossible")
    return found


def _or_none(value: Any) -> Any:
    return None if value is None else _finite(value)


def _block(held: Any) -> Block:
    since, cases, total = held
    return Block(_count(since), _finite(cases), _finite(total))


def _tracker(held: Mapping[str, Any]) -> Tracker:
    """Read what learns settings; raise an error where its parts do not fit each other."""
    found = Tracker(
        _finites(held["old"]),
        tuple(map(_finites, held["candidates"])),
        tuple(tuple(map(_finites, life)) for life in held["losses"]),
        _finites(held["masses"]),
        _finites(held["trust"]),
        _finite(held["largest"]),
        _count(held["steps"]),
        _finites(held["pending"]),
        tuple(map(_finites, held["waiting"])),
    )
    if not (_fits(found) and _is_learned(found)):
        raise ValueError("its settings contradict each other")
    return found


def _fits(found: Tracker) -> bool:
    """Tell whether there is a loss for each candidate, and all candidates are in order."""
    sizes = [len(each) for each in found.candidates]
    held = (*found.losses, *([found.waiting] if found.waiting else []))
    return (
        len(found.old) == len(sizes) > 0
        and all(len(each) > 0 and list(each) == sorted(set(each)) for each in found.candidates)
        and all([len(each) for each in sums] == sizes for sums in held)
        and bool(found.pending) == bool(found.waiting)
        and len(found.pending) in (0, len(HALF_LIVES) + 3)
        and (not found.pending or found.pending[0] > 0.0)
    )


def _is_learned(found: Tracker) -> bool:
    """Tell whether what was learned is there for each half-life, or for none."""
    lives = len(HALF_LIVES) if found.steps else 0
    return (
        len(found.losses) == len(found.masses) == lives
        and len(found.trust) == (lives + 1 if lives else 0)
        and found.largest >= 0.0
        and all(each > 0.0 for each in (*found.masses, *found.trust))
    )


def _look(held: list[Any]) -> Look:
    cases, *numbers = held
    bounds = (float(number(each)) for each in numbers[5:])
    return Look._make([_count(cases), *_finites(numbers[:5]), *bounds])

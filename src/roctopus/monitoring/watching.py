"""A decision watched for as long as it is in use: what is kept between looks, and what it says."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.fingerprints import fingerprint_of_text
from roctopus.concepts.records import check_record, number, read_record, write_record
from roctopus.core.errors import InputError, arg
from roctopus.inference.sequences import EXPECTED, ChangeBound, ChangeRun, ChangeSequence
from roctopus.monitoring.diagnosis import Diagnosis, Part, recorded_error

STATE_VERSION = 1
IDENTITY = (
    *("arm", "model", "knob", "context", "criterion", "value", "low", "high", "in_sample"),
    *("models", "cases", "data", "settings", "regions"),
)
SHARE = 0.025
"""The probability of ever raising a false alarm: for the value, and for the setting."""
MOST_LOOKS = 400
"""How many looks are kept for display; sums go back to the first."""
MOST_BATCHES = 4000
"""How many looks back repeated cases are detected."""


class Look(NamedTuple):
    """One look: the change of the value as a loss per case, and the bounds at that time."""

    cases: int
    value: float
    change: float
    context: float
    knob: float
    model: float
    mean_change: float
    """Since the look from which an increase is surest."""
    low: float
    high: float
    knob_low: float
    """At least so much is lost by the knob that is in use, since the look that is surest."""


class ChangeParts(NamedTuple):
    """Sums of the parts over the looks of a run, times cases, and sums of their variances."""

    context: float = 0.0
    knob: float = 0.0
    model: float = 0.0
    context_variance: float = 0.0
    knob_variance: float = 0.0
    model_variance: float = 0.0

    def add(self, found: Diagnosis, cases: float, record: float) -> ChangeParts:
        """Take in another look; the record's own error is added when asked for, once."""
        losses = (found.context.loss, found.knob.loss, found.model.loss)
        errors = (found.context.standard_error, found.knob.standard_error)
        own = max(found.model.standard_error**2 - record**2, 0.0)
        squares = (*(error**2 for error in errors), own)
        sums = [old + cases * new for old, new in zip(self[:3], losses, strict=True)]
        more = [old + cases**2 * new for old, new in zip(self[3:], squares, strict=True)]
        return ChangeParts(*sums, *more)


@dataclass(frozen=True)
class Watch:
    """What all looks together say: bounds that hold at all times, however often one looks."""

    looks: int
    cases: int
    """The number of all cases that were looked at."""
    value: ChangeBound
    """The change of the loss per case since the look from which an increase is surest."""
    knob: ChangeBound
    """What is lost per case by not re-tuning, since the look from which that is surest."""
    worse: int | None
    """The look at which the value was first clearly worse than recorded."""
    stale: int | None
    """The look at which the setting was first clearly out of date."""
    history: tuple[Look, ...]


@dataclass(frozen=True)
class WatchState:
    """Sums over all cases seen; small, and without values of rows."""

    decision: str
    """The hash of the decision that is watched."""
    value: ChangeSequence
    knob: ChangeSequence
    parts: tuple[ChangeParts, ...] = ()
    cases: int = 0
    worse: int | None = None
    stale: int | None = None
    history: tuple[Look, ...] = ()
    batches: tuple[str, ...] = ()
    """Hashes of the cases that were taken in."""
    schema_version: int = STATE_VERSION

    @staticmethod
    def begin(decision: Decision) -> WatchState:
        """Return the state before the first look.

        The knob was tuned on a sample, so it is not the best there is, by about as much as tuning
        flatters it there: to lose so much is no news. From few cases that is hardly known, but it
        is about what one case counts in the value.
        """
        flattery, error = abs(decision.value - decision.in_sample), recorded_error(decision)
        if decision.value != 0.0:
            flattery = max(flattery, error**2 / abs(decision.value))
        return WatchState(
            _identity(decision),
            ChangeSequence(error, float(decision.cases), level=SHARE),
            ChangeSequence(flattery, level=SHARE, scale=EXPECTED * error),
        )

    @staticmethod
    def open(path: str | os.PathLike[str], decision: Decision) -> WatchState:
        """Read the state of a decision; begin a new one if there is no file."""
        if not isinstance(path, (str, os.PathLike)) or not str(path):
            raise InputError(f"{arg('state')} must be the path of a file, got {path!r}.")
        if not Path(path).absolute().parent.is_dir():
            raise InputError(
                f"{arg('state')} cannot be written: there is no folder '{Path(path).parent}'."
            )
        if not Path(path).exists():
            return WatchState.begin(decision)
        found = WatchState.from_json(Path(path))
        if found.decision != _identity(decision):
            raise InputError(
                f"'{Path(path).name}' belongs to another decision. Give another file for this one: "
                "each decision has its own state."
            )
        return found

    def add(self, value: Estimate, found: Diagnosis, batch: str, cases: int) -> WatchState:
        """Return the state with another look; cases of unequal weight count as fewer equal ones."""
        weight, counted = value.sample_weight, float(cases)
        if weight is not None:
            counted = float(weight.sum() ** 2 / np.sum(weight**2))
        values = self.value.add(found.change, value.standard_error, counted)
        knobs = self.knob.add(*found.knob, counted)
        old = self.parts + (ChangeParts(),) * (len(values.runs) - len(self.parts))
        parts = tuple(each.add(found, counted, self.value.recorded_error) for each in old)
        losses = (found.change, found.context.loss, found.knob.loss, found.model.loss)
        bounds = (*values.surest[1:], knobs.surest.low)
        shown = (float(f"{each:.6g}") for each in (value.value, *losses, *bounds))  # small files
        look = Look._make([cases, *shown])
        return WatchState(
            self.decision,
            values,
            knobs,
            parts,
            self.cases + cases,
            values.looks if self.worse is None and values.alarm else self.worse,
            knobs.looks if self.stale is None and knobs.alarm else self.stale,
            (*self.history, look)[-MOST_LOOKS:],
            (*self.batches, batch)[-MOST_BATCHES:],
        )

    def watch(self) -> Watch:
        """Return what all looks say."""
        bounds = self.value.surest, self.knob.surest
        firsts = self.worse, self.stale
        return Watch(self.value.looks, self.cases, *bounds, *firsts, self.history)

    def diagnosis(self, newest: Diagnosis) -> Diagnosis:
        """Return the parts of the mean change since the look that is surest; the newest knob."""
        telling = self.knob if self.knob.alarm and not self.value.alarm else self.value
        since = telling.surest.since
        at = next(k for k, run in enumerate(self.value.runs) if run.since == since)
        run, parts = self.value.runs[at], self.parts[at]
        losses = [each / run.cases for each in parts[:3]]
        squares = [each / run.cases**2 for each in parts[3:]]
        squares[2] += self.value.recorded_error**2
        found = (Part(a, float(np.sqrt(b))) for a, b in zip(losses, squares, strict=True))
        context, knob, model = found
        return replace(newest, change=run.change, context=context, knob=knob, model=model)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the state as text, and write it to a file if asked to, or leave the old whole."""
        return write_record(asdict(self), path)

    @staticmethod
    def from_json(source: str | os.PathLike[str]) -> WatchState:
        """Read a state from a file, or from the text itself."""
        body, where = read_record(source, "the state of a decision")
        names = {each.name for each in fields(WatchState)}
        remedy = "Start again: delete it, or give another file."
        what = "the state of a decision"
        rest = check_record(body, where, what, STATE_VERSION, names, remedy)
        try:
            return WatchState(
                str(rest["decision"]),
                _sequence(rest["value"]),
                _sequence(rest["knob"]),
                tuple(ChangeParts(*map(float, each)) for each in rest["parts"]),
                int(rest["cases"]),
                None if rest["worse"] is None else int(rest["worse"]),
                None if rest["stale"] is None else int(rest["stale"]),
                tuple(_look(each) for each in rest["history"]),
                tuple(map(str, rest["batches"])),
            )
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise InputError(f"{where} is not {what}: {error}.") from None


def _identity(decision: Decision) -> str:
    """Return the hash of what makes a decision this one; not of what else is stored with it."""
    kept = {name: value for name, value in decision.record.items() if name in IDENTITY}
    return fingerprint_of_text(write_record(kept))


def _sequence(held: dict[str, Any]) -> ChangeSequence:
    """Read a sequence; raise an error for numbers that no look can have led to."""
    runs = tuple(ChangeRun(int(since), *map(float, sums)) for since, *sums in held["runs"])
    found = ChangeSequence(**{**held, "runs": runs})
    numbers = [found.recorded_error, found.level, found.scale, *(n for run in runs for n in run)]
    right = (
        all(np.isfinite(numbers))
        and int(found.looks) == found.looks >= len(runs)
        and 0.0 < found.level < 1.0
        and min(found.recorded_error, found.scale) >= 0.0
        and (found.recorded_cases is None or found.recorded_cases > 0.0)
        and all(run.cases > 0.0 and run.variance >= 0.0 for run in runs)
    )
    if not right:
        raise ValueError("its sums are impossible")
    return found


def _look(held: list[Any]) -> Look:
    cases, *numbers = held
    return Look._make([int(cases), *(float(number(each)) for each in numbers)])

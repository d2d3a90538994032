"""``roctopus look``: what a file was read as, and the command that fits it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from roctopus.arms import known_arms
from roctopus.cli.data import read_format
from roctopus.cli.options import words
from roctopus.cli.printing import printing
from roctopus.cli.request import Request, command
from roctopus.cli.truths import codes_of, event_of
from roctopus.comparison.unnamed import strange_columns
from roctopus.concepts.arm import Arm
from roctopus.concepts.rendering import clean
from roctopus.concepts.times import read_times
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, collected_warnings
from roctopus.core.names import flag
from roctopus.engines import Files, absent, is_text, numbers, values
from roctopus.engines.dates import read_dates
from roctopus.engines.signs import is_number

FIRST = 1000
"""So many rows tell whether text is numbers, for the most part."""
FEW_TIMES = 20
"""Fewer times than these are not worth an order."""
NAMED = {
    "truth": r"y|y_?true|true|truth|target|actuals?|observed|label|outcome|event|class|ist|wahr.*",
    "time": r"(.*_)?(time|date|day|datum|tag|timestamp|month|monat|week|year|jahr)",
    "id": r"(.*[_ ])?(id|key|nr|no|n[°º]|number|nummer|num[ée]ro|número|index|case|uuid)",
    "weight": r"(.*_)?(weights?|gewicht|w)",
    "prediction": r".*(pred|hat$|forecast|score|prob|model).*|p|p_.*|fc_.*",
}
"""How columns are often called, by what they are for."""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a file, as it was read."""

    name: str
    kind: str
    """What it was read as, or why it was not."""
    missing: int = 0
    values: Floats | None = None
    """Its numbers."""
    labels: tuple[str, ...] = ()
    """Its distinct values, if there are two of them."""
    distinct: int = 0
    first: str = ""
    asks: bool = False
    """Whether it may be numbers or dates, but was not read as such."""

    @property
    def is_time(self) -> bool:
        """Whether it holds dates."""
        return self.kind.startswith("dates")

    def called(self, role: str) -> bool:
        """Tell whether it is called as columns for something often are."""
        return re.fullmatch(NAMED[role], self.name.lower()) is not None


@dataclass(frozen=True)
class Guess:
    """Which columns look like what, and the question that fits."""

    roles: dict[str, str]
    """By column."""
    said: dict[str, str | list[str]]
    """What to type, by option; empty if nothing fits."""
    remarks: list[str]


def run_look(request: Request) -> None:
    """Print what each column was read as, and the command that fits."""
    source = Files(request.files, **read_format(request))
    with collected_warnings(words()) as notes, source.naming_rows():
        columns = read_columns(source)
    guess = guess_roles(columns, request)
    with printing() as console:
        _print(columns, guess, request, notes, console)


def read_columns(source: Files) -> list[Column]:
    """Read all columns; those that can be read in two ways say so."""
    names = source.names()
    try:
        table = source.read(names)
        return [_column(table, name, source) for name in names]
    except InputError:
        if len(set(names)) < len(names):
            raise
    found, told = [], set()
    for name in names:
        try:
            found.append(_column(source.read([name]), name, source))
        except InputError as refusal:
            if str(refusal) in told:  # of the file, and not of a column
                raise
            told.add(str(refusal))
            found.append(Column(name, refusal.said(words()), asks=True))
    return found


def _column(table: Any, name: str, source: Files) -> Column:
    import pyarrow as pa
    import pyarrow.compute as pc

    gone = absent(table, name)
    there = table.column(name).filter(pa.array(~gone))
    first = _shown(there[0]) if len(there) else ""
    found = Column(name, "dates", int(gone.sum()), None, (), 0, first)
    if not len(there):
        return replace(found, kind="nothing: it is empty")
    if not _holds_single_values(there.type):
        return replace(found, kind=f"{there.type}, which is not used")
    found = replace(found, distinct=len(pc.unique(there)))
    if pa.types.is_temporal(there.type):
        return _of_times(found, there)
    try:
        found_numbers = numbers(table, name)
    except InputError as refusal:
        return _of_words(found, there, source, refusal)
    known = found_numbers[~gone]
    whole = bool(np.all(known == np.floor(known)))
    labels = ("0", "1") if set(known[:100]) == {0.0, 1.0} and found.distinct == 2 else ()
    kind = "whole numbers" if whole else "numbers"
    return replace(found, kind=kind, values=found_numbers, labels=labels)


def _of_times(found: Column, there: Any) -> Column:
    """Return a column of times, or why these cannot be used."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_timestamp(there.type) or pa.types.is_date(there.type)):
        return replace(found, kind=f"{there.type}, which is not used")
    ends = pc.min_max(there)
    try:
        for end in ("min", "max"):
            read_times(values(pa.table({found.name: [ends[end]]}), found.name), None)
    except InputError as refusal:
        return replace(found, kind=refusal.said(words()))
    return found


def _holds_single_values(kind: Any) -> bool:
    """Tell whether a column can be a truth, a prediction, or say which rows belong together."""
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    tests = (is_text, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating)
    return any(test(kind) for test in (*tests, pa.types.is_decimal, pa.types.is_temporal))


def _shown(value: Any) -> str:
    """Return a value as people see it; of times that Python does not know, nothing."""
    try:
        return str(value.as_py())
    except (OverflowError, ValueError, ArithmeticError, LookupError):
        return ""


def _of_words(found: Column, there: Any, source: Files, refusal: InputError) -> Column:
    """Return a column of text: dates, or words, or numbers among which some are text."""
    import pyarrow as pa

    try:
        if pa.types.is_temporal(read_dates(there, found.name, source.text.dates).type):
            return found
    except InputError as question:
        return replace(found, kind=question.said(words()), asks=True)
    if found.distinct != 2:
        few = there.slice(0, FIRST).to_pylist()
        mostly = 2 * sum(map(is_number, few)) > len(few)
        kind = f"text ({found.distinct:,} values)"
        return (
            replace(found, kind=refusal.said(words()), asks=True)
            if mostly
            else (replace(found, kind=kind))
        )
    labels = tuple(sorted(there.unique().to_pylist()))
    return replace(found, kind=f"text ({' and '.join(map(repr, labels))})", labels=labels)


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
        return Guess(roles, {}, [f"{asked[0]!r} may be the true values.{unread}"])
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
            f"No column looks like predictions of {truth.name!r}; {models[0]!r} comes closest. "
            "Give your model's predictions instead."
        )
    if not models:
        return Guess(roles, {}, [f"No column can be predictions of {truth.name!r}.{unread}"])
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
        remarks.append(f"--positive names the event: {event!r}, or {truth.labels[0]!r}.")
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
    return f" Not read: {listed}; the table above says why."


def _are_shares(values: Floats) -> bool:
    there = values[~np.isnan(values)]
    return bool(len(there) and there.min() >= 0.0 and there.max() <= 1.0)


def _print(
    columns: Sequence[Column], guess: Guess, request: Request, notes: list[str], console: Console
) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("column", "read as", "missing", "looks like", "first value"):
        right = name in ("missing", "first value")
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for each in columns:
        role, gone = guess.roles.get(each.name, ""), f"{each.missing:,}" if each.missing else ""
        cells = (clean(each.name, 60), clean(each.kind, 400), gone, role, clean(each.first, 30))
        table.add_row(*map(Text, cells))
    console.print(table)
    for note in (*notes, *guess.remarks):
        console.print(Text(f"Note: {clean(note, 2000)}", style="yellow"))
    if guess.said:
        console.print(f"\n{command(request.files, guess.said)}", style="cyan", markup=False)

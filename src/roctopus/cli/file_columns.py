"""The columns of a file: what ``roctopus look`` read each as, or why it was not read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roctopus.cli.options import words
from roctopus.concepts.times import read_times
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.engines import Files, absent, is_text, numbers, values
from roctopus.engines.dates import read_dates
from roctopus.engines.signs import is_number

FIRST = 1000
"""So many rows tell whether text is numbers, for the most part."""
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

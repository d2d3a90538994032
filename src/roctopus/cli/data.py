"""From files to cases: columns of equal length, one row per case."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from roctopus.cli.columns import PILOT, SHARED, NamedColumns, name_columns, said_truths
from roctopus.cli.request import Request
from roctopus.cli.truths import read_truth, with_truths
from roctopus.comparison.rows import MatchedRows, read_rows
from roctopus.concepts.arm import Arm
from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows, number_in
from roctopus.core.errors import InputError
from roctopus.core.names import match_names, refuse_missing
from roctopus.engines import Files, Roles, numbers, values
from roctopus.engines.sources import read_memory

ANYTHING = ("clusters", "by", "time")
"""Columns that may hold anything; the others must hold numbers."""


@dataclass(frozen=True, eq=False)
class Cases:
    """Columns of equal length, one row per case."""

    truth: Any
    """Numbers, or a list of labels."""
    predictions: dict[str, Floats]
    extra: dict[str, Any] = field(default_factory=dict)
    """By what they are for."""
    others: Any = None
    """A table of columns that may say which rows belong together; None if that was said."""

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: Any) -> Cases:
        """Return some of the cases."""

        def some(column: Any) -> Any:
            if isinstance(column, np.ndarray):
                return column[rows]
            return [column[row] for row in rows.tolist()]

        return Cases(
            some(self.truth),
            {name: some(each) for name, each in self.predictions.items()},
            {name: some(each) for name, each in self.extra.items()},
        )


def open_request(request: Request) -> Files:
    """Find the files, and raise an error for missing columns."""
    long = request["model_column"] is not None
    source = Files(
        request.files,
        id=None if long else request["id"],
        **read_format(request),
        memory=read_memory(request["memory"]),
    )
    if long and len({frozenset(table.schema.names) for table in source.tables}) > 1:
        raise InputError("All files of a long table (--model-column) must have the same columns.")
    shared = request.given(*SHARED, "id", "model_column").values()
    refuse_missing([*said_truths(request, source.names()), *shared], source.names(), source.name)
    return source


class NamedFiles(NamedTuple):
    """Files, and which of their columns are what."""

    source: Files
    columns: NamedColumns

    @staticmethod
    def of(request: Request, arm: Arm, source: Files) -> NamedFiles:
        """Find out which columns of some files are what."""
        return NamedFiles(source, name_columns(request, arm, source))


def read_format(request: Request) -> dict[str, Any]:
    """Return what was said of how files of text and spreadsheets are written."""
    names = ("delimiter", "decimal", "thousands", "dates", "encoding", "sheet")
    row = _header_row(request)
    return {**request.given(*names), **({} if row is None else {"header_row": row})}


def _header_row(request: Request) -> int | None:
    text = request["header_row"]
    if text is None:
        return None
    number = number_in(text) or 0.0
    if not (number >= 1.0 and number.is_integer()):
        raise InputError(f"--header-row must be a whole number of at least 1, but is {text!r}.")
    return int(number)


def read_cases(
    request: Request,
    arm: Arm,
    opened: NamedFiles,
    told: Callable[..., None],
    read: Callable[[Any, str], Floats] = numbers,
) -> Cases:
    """Read the columns that are needed, predictions by ``read``, and match them."""
    source, columns = opened
    if "model_column" in columns.rows and "id" not in columns.rows:
        raise InputError(
            "A long table (--model-column) needs --id, the column that identifies the case."
        )
    others = _grouping(source, columns)
    source.roles = _roles(columns, arm, others, read is numbers)
    table = source.read([*columns.all, *others], told)
    table = with_truths(table, request, columns.truths, source)
    _refuse_unknown_times(table, columns.rows.values())
    long, models = columns.rows if columns.models is None else {}, columns.models
    if long and request["models"]:
        models = _named_in(table, long["model_column"], request["models"])
    for name in columns.models or [long["prediction_column"]]:
        at = table.column_names.index(name)
        table = table.set_column(at, name, [read(table, name)])
    rows = read_rows(
        columns.truths[0] if len(columns.truths) == 1 else columns.truths,
        table,
        models=models,
        id=long.get("id"),
        model_column=long.get("model_column"),
        prediction_column=long.get("prediction_column", ""),
        extra=dict[str, Any](columns.extra),
    )
    found = _as_cases(rows, columns, arm)
    return replace(found, others=table.select(others)) if others else found


def _refuse_unknown_times(table: Any, names: Iterable[str]) -> None:
    """Raise an error for names of cases or models that are times which Python does not know."""
    import pyarrow as pa

    for name in names:
        if pa.types.is_temporal(table.schema.field(name).type):
            values(table, name)


def _roles(columns: NamedColumns, arm: Arm, others: list[str], numeric: bool) -> Roles:
    """Return what columns are for, so that names stay whole and times are read as such."""
    extra, anything = columns.extra, _anything(arm)
    times = {extra["time"]} if "time" in extra else set()
    labels = {extra[role] for role in anything if role in extra} - times
    rows = {name for role, name in columns.rows.items() if role != "prediction_column"}
    needed = {name for role, name in extra.items() if role not in anything} - set(columns.truths)
    models = set(columns.models or ()) if numeric else set()
    return Roles(
        frozenset((labels | rows) - models),
        frozenset(times),
        frozenset(others),
        frozenset(needed | models),
    )


def _anything(arm: Arm) -> set[str]:
    """Return what is said of columns that may hold anything."""
    return {*ANYTHING, *(option.name for option in arm.spoken if option.takes == "labels")}


def _grouping(source: Files, columns: NamedColumns) -> list[str]:
    """Return columns that may say which rows belong together, where nobody said so."""
    if {"time", "clusters"} & set(columns.extra) or {"id", "model_column"} & set(columns.rows):
        return []
    return [name for name in source.names() if name not in columns.all and source.groups_by(name)]


def _named_in(table: Any, column: str, wanted: list[str]) -> list[str]:
    """Return the models that are meant among those that a column of a long table names."""
    there = [str(each) for each in table.column(column).unique().to_pylist() if each is not None]
    return match_names(wanted, there, column)


def _as_cases(rows: MatchedRows, columns: NamedColumns, arm: Arm) -> Cases:
    """Make cases of matched columns."""
    import pyarrow as pa

    truth = rows.truth
    if len(columns.truths) == 1:
        truth = read_truth(pa.table({columns.truths[0]: truth}), columns.truths[0], arm)
    extra = {}
    anything = _anything(arm)
    for role, name in columns.extra.items():
        table = pa.table({name: rows.extra[role]})
        extra[role] = values(table, name) if role in anything else numbers(table, name)
        _refuse_empty(extra[role], name)
    return Cases(truth, rows.predictions, extra)


def _refuse_empty(column: Any, name: str) -> None:
    if not isinstance(column, np.ndarray) or column.dtype.kind != "f":
        return
    nan = np.isnan(column)
    if nan.any():
        raise InputError(
            f"The column {name!r} has no value in {name_rows(nan)}. Fill in each missing value, or "
            "remove its row."
        )


def first_cases(arm: Arm, opened: NamedFiles) -> Cases:
    """Return some of the first cases, from which the question is read."""
    source, columns = opened
    assert columns.models is not None
    pilot = source.pilot(columns.all, PILOT)
    truths = [pilot[name] for name in columns.truths]
    truth: Any = truths[0] if len(truths) == 1 else np.stack(truths, axis=1)
    if (arm.text_truths or arm.two_classes) and truth.dtype.kind != "f":
        truth = [str(each) for each in truth]
    extra = {role: np.asarray(pilot[name]) for role, name in columns.extra.items()}
    return Cases(truth, {name: pilot[name] for name in columns.models}, extra)

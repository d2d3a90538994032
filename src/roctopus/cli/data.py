"""From files to columns: truths, predictions, and what else was named."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.cli.matching import Told, group_files, read_group, read_matched
from roctopus.cli.request import COSTS, Request, read_arm
from roctopus.comparison.rows import read_rows
from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows
from roctopus.core.errors import InputError
from roctopus.engines import FileTable, numbers, open_files, refuse_missing, values

__all__ = ["Cases", "choose_models", "named_columns", "read_cases"]


@dataclass(frozen=True, eq=False)
class Cases:
    """Columns of equal length, one row per case."""

    truth: Any
    """Numbers, or a list of labels."""
    predictions: dict[str, Floats]
    extra: dict[str, Any] = field(default_factory=dict)
    """By what they are for: weight, clusters, by, cutoff_column, value, cost, slope, intercept,
    and each case's own context or costs."""

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


NAMED = ("weight", "clusters", "by", "time", "cutoff_column", "context_column", "value", "cost")
NUMBERS = (
    "weight", "cutoff_column", "context_column", *COSTS, "value", "cost", "slope", "intercept"
)  # fmt: skip
"""Columns that must hold numbers; the others may hold anything."""


def named_columns(request: Request, known: Sequence[str]) -> dict[str, str]:
    """Return the columns that were named, by what they are for; without truth and models."""
    found = request.given(*NAMED)
    costs = request.given(*COSTS).items()
    found |= {name: text for name, text in costs if text in known and not _is_number(text)}
    for part in (request.utility or "").split(",") if "=" in (request.utility or "") else ():
        name, _, column = part.partition("=")
        if name.strip() not in ("slope", "intercept") or not column.strip():
            raise InputError(
                f"--utility must be slope=COLUMN,intercept=COLUMN, got {request.utility!r}."
            )
        found[name.strip()] = column.strip()
    for name in ("cost", "slope", "intercept"):
        if name in found and _is_number(found[name]):
            del found[name]  # the same for all cases
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def read_cases(request: Request, told: Told) -> Cases:
    """Read the columns that are needed."""
    tables = open_files(
        request.files,
        delimiter=request.delimiter,
        decimal=request.decimal,
        encoding=request.encoding,
    )
    groups = group_files(tables, request.id)
    columns = list(dict.fromkeys(name for group in groups for name in group[0].schema.names))
    extra = named_columns(request, columns)
    truth = request.truth or extra.get("value") or extra.get("slope")
    if truth is None:
        raise InputError(
            "Say which column holds the truths with --truth. "
            f"Columns: {', '.join(map(repr, columns[:12]))}."
        )
    where = tables[0].name if len(tables) == 1 else "The files"
    used = [truth, *extra.values(), *request.given("id", "model_column").values()]
    if request.model_column is not None:
        used.append(_prediction_column(request, used))
    elif request.prediction_column is not None:
        raise InputError("--prediction-column goes with --model-column.")
    refuse_missing(used, columns, where)
    if request.model_column is not None:
        return _read_long(request, groups, truth, extra, read_arm(request), told)
    models = choose_models(request.models, columns, used, groups, where)
    arm = read_arm(request)
    wanted = list(dict.fromkeys([*used, *models]))
    table = read_matched(groups, wanted, truth, request.id, told)
    return _finish(table, {name: numbers(table, name) for name in models}, truth, extra, arm)


def _prediction_column(request: Request, used: list[str]) -> str:
    name = request.prediction_column or "prediction"
    if name in used:
        raise InputError(f"--prediction-column {name!r} is used for something else, too.")
    return name


def _finish(
    table: Any, predictions: dict[str, Floats], truth: str, extra: dict[str, str], arm: str
) -> Cases:
    """Make cases of columns, in order of time if one was named."""
    found = {
        name: numbers(table, column) if name in NUMBERS else values(table, column)
        for name, column in extra.items()
        if name != "time"
    }
    cases = Cases(_truth(table, truth, arm), predictions, found)
    for name, column in {truth: cases.truth, **{extra[n]: c for n, c in found.items()}}.items():
        holds_floats = isinstance(column, np.ndarray) and column.dtype.kind == "f"
        nan = np.isnan(column) if holds_floats else np.zeros(1)
        if nan.any():
            raise InputError(
                f"The column {name!r} is empty in {name_rows(nan)}. Fill them in, or remove these "
                "rows."
            )
    return cases.take(_by_time(table, extra["time"])) if "time" in extra else cases


def _truth(table: Any, name: str, arm: str) -> Any:
    """Return truths: numbers, or of ordered classes the labels as text."""
    found = values(table, name)
    if arm != "ordinal" or isinstance(found, np.ndarray):
        return numbers(table, name)
    return [str(each) for each in found]


def choose_models(
    wanted: list[str] | None,
    columns: list[str],
    used: list[str],
    groups: list[list[FileTable]],
    where: str,
) -> list[str]:
    """Find the models: names, patterns, or several of them between commas."""
    free = [name for name in columns if name not in used]
    if not wanted:
        import pyarrow as pa

        kinds = {field.name: field.type for group in groups for field in group[0].schema}
        candidates = [
            n for n in free if pa.types.is_integer(kinds[n]) or pa.types.is_floating(kinds[n])
        ]
        listed = ", ".join(map(repr, candidates[:20])) or "none: no other column holds numbers"
        hint = f" For example: --models {candidates[0]!r}." if candidates else ""
        raise InputError(
            f"Say which columns are predictions with --models. Candidates: {listed}.{hint}"
        )
    for name in wanted:
        if name in used:
            raise InputError(f"The column {name!r} (--models) is used for something else, too.")
    return _match(wanted, free, where)


def _match(wanted: list[str], known: list[str], where: str) -> list[str]:
    found: list[str] = []
    for text in wanted:
        parts = [text] if text in known else [part.strip() for part in text.split(",")]
        for part in parts:
            mine = [part] if part in known else fnmatch.filter(known, part)
            if not mine and any(sign in part for sign in "*?["):
                raise InputError(f"--models {part!r} matches no column of '{where}'.")
            if not mine:
                refuse_missing([part], known, where)
            found += mine
    return list(dict.fromkeys(found))


def _by_time(table: Any, time: str) -> Any:
    """Return rows in order of time: of numbers, dates, or text that dates can be read from."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table.column(time)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    empty = column.null_count
    if pa.types.is_floating(column.type):
        empty = int(np.isnan(numbers(table, time)).sum())
    if empty:
        raise InputError(f"The column {time!r} (--time) is empty in {empty} rows.")
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = _dates(column, time)
    try:
        return pc.sort_indices(column).to_numpy()
    except pa.ArrowException:
        raise InputError(f"The column {time!r} (--time) holds {column.type}, no times.") from None


def _dates(column: Any, time: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        try:
            return pc.cast(column, kind)
        except pa.ArrowInvalid:
            continue
    raise InputError(
        f"The column {time!r} (--time) holds text that is no date, such as "
        f"{column[0].as_py()!r}. Write dates as 2026-01-31 or 2026-01-31 14:00:00."
    )


def _read_long(
    request: Request,
    groups: list[list[FileTable]],
    truth: str,
    extra: dict[str, str],
    arm: str,
    told: Told,
) -> Cases:
    """Read a table with a row per prediction."""
    import pyarrow as pa

    if len(groups) > 1:
        raise InputError("Files of a long table (--model-column) must have the same columns.")
    if request.id is None:
        raise InputError("A long table (--model-column) needs --id: which rows are the same case.")
    column, prediction = str(request.model_column), request.prediction_column or "prediction"
    wanted = list(dict.fromkeys([truth, *extra.values(), request.id, column, prediction]))
    table = read_group(groups[0], wanted, told)
    there = [str(each) for each in table.column(column).unique().to_pylist() if each is not None]
    models = _match(request.models, there, column) if request.models else None
    table = table.set_column(
        table.column_names.index(prediction), prediction, [numbers(table, prediction)]
    )
    rows = read_rows(
        truth,
        table,
        models=models,
        id=request.id,
        model_column=column,
        prediction_column=prediction,
        extra=dict(extra),
    )
    once = {extra[name]: each for name, each in rows.extra.items()}
    return _finish(pa.table({**once, truth: rows.truth}), rows.predictions, truth, extra, arm)

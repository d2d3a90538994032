"""From files to columns: truths, predictions, and what else was named."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np

from roctopus.cli.request import Request
from roctopus.comparison.rows import MatchedRows, read_rows
from roctopus.comparison.unnamed import strange_columns
from roctopus.concepts.arm import Arm, Option
from roctopus.core.arrays import Floats
from roctopus.core.checks import name_rows, number_in
from roctopus.core.errors import InputError, arg, warn
from roctopus.core.names import flag, match_names, refuse_missing
from roctopus.engines import Files, Roles, absent, is_text, numbers, values
from roctopus.engines.sources import read_memory

SHARED = ("weight", "clusters", "by", "time", "context_column")
ANYTHING = ("clusters", "by", "time")
"""Columns that may hold anything; the others must hold numbers."""
PILOT = 1 << 16
"""So many rows tell what is asked of files that are scanned."""


@dataclass(frozen=True)
class NamedColumns:
    """Which columns are what."""

    truths: list[str]
    models: list[str] | None
    """None where a column of a long table names them."""
    extra: dict[str, str]
    """By what they are for: shared options, and those of the arm."""
    rows: dict[str, str]
    """Columns that say what a row is: its case, and in a long table its model and prediction."""

    @property
    def all(self) -> list[str]:
        """All columns, each once."""
        parts = (self.truths, self.extra.values(), self.rows.values(), self.models or ())
        return list(dict.fromkeys(name for part in parts for name in part))


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
    refuse_missing([*_said_truths(request, source.names()), *shared], source.names(), source.name)
    return source


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
        raise InputError(f"--header-row must be the number of a row, got {text!r}.")
    return int(number)


def _said_truths(request: Request, known: Sequence[str]) -> list[str]:
    parts = [[text] if text in known else text.split(",") for text in request["truth"] or ()]
    return [name.strip() for part in parts for name in part]


def name_columns(request: Request, arm: Arm, source: Files) -> NamedColumns:
    """Find out which columns are what; raise an error for those that are not there."""
    known, where = source.names(), source.name
    extra = dict(request.given(*SHARED))
    for option in arm.spoken:
        text = request[option.name]
        if text is not None:
            extra |= _columns_of(option, text, known, option.name in (arm.own_costs or ()))
    truths = _truths(request, arm, extra, known)
    if not truths:
        listed = ", ".join(map(repr, known[:12]))
        raise InputError(f"Name the column with the true values: --truth. Columns: {listed}.")
    rows = dict(request.given("id", "model_column"))
    if "model_column" in rows:
        rows["prediction_column"] = _prediction_column(request, [*truths, *extra.values(), *rows])
    elif request["prediction_column"] is not None:
        raise InputError("--prediction-column can only be used together with --model-column.")
    used = [*truths, *extra.values(), *rows.values()]
    refuse_missing(used, known, where)
    if "model_column" not in rows and not request["models"]:
        _ask_for_models(arm, truths, used, source)
    models = None if "model_column" in rows else _models(request["models"], used, source)
    return NamedColumns(truths, models, extra, rows)


def _columns_of(option: Option, text: str, known: Sequence[str], own: bool) -> dict[str, str]:
    """Return the columns that an option names; numbers are the same for all cases."""
    if option.columns is not None:
        inside = option.columns(text)
        return {name: column for name, column in inside.items() if not _is_number(column)}
    if option.takes in ("column", "labels"):
        return {option.name: text}
    numeric = all(map(_is_number, text.split(":")[:2])) if ":" in text else _is_number(text)
    if numeric or option.takes not in ("number", "number or column", "range or column"):
        return {}
    if option.takes == "number" and text in known:
        raise InputError(
            f"{option.flag} must be a number, not the column {text!r}. To give each case its own "
            "context, use --context-column."
        )
    is_column = option.takes != "number" and (text in known or not own)
    return {option.name: text} if is_column else {}


def _is_number(text: str) -> bool:
    return number_in(text) is not None


def _truths(request: Request, arm: Arm, extra: dict[str, str], known: Sequence[str]) -> list[str]:
    """Return the columns of the truths, or one that stands in for them."""
    if request["truth"]:
        return _said_truths(request, known)
    for option in arm.spoken:
        if option.as_truth and request[option.name] is not None:
            inside = option.columns(request[option.name]) if option.columns else [option.name]
            found = [extra[name] for name in inside if name in extra]
            if found:
                return found[:1]
    return []


def _prediction_column(request: Request, used: list[str]) -> str:
    name = str(request["prediction_column"] or "prediction")
    if name in used:
        raise InputError(f"--prediction-column {name!r} is already used for something else.")
    return name


def _ask_for_models(arm: Arm, truths: list[str], used: list[str], source: Files) -> NoReturn:
    """Raise an error that lists the columns that can be predictions of the truths."""
    free = [name for name in source.names() if name not in used]
    candidates = [name for name in free if source.holds_numbers(name)]
    if not candidates:
        raise InputError(
            "Name the columns with predictions: --models. No other column contains numbers."
        )
    pilot = source.pilot([*truths, *candidates], PILOT)
    known = [np.nan_to_num(pilot[name]) for name in truths if pilot[name].dtype.kind == "f"]
    strange = strange_columns(arm, known, {name: pilot[name] for name in candidates})
    likely = [name for name in candidates if name not in strange]
    listed = ", ".join(map(repr, likely[:20])) or "none"
    told = "".join(f" {name!r} {why}." for name, why in list(strange.items())[:8])
    raise InputError(
        f"Name the columns with predictions: --models. Candidates: {listed}.{told} For example: "
        f"--models {shlex.quote((likely or candidates)[0])}."
    )


def _models(wanted: list[str], used: list[str], source: Files) -> list[str]:
    """Find the models: names, patterns, or several of them between commas."""
    free = [name for name in source.names() if name not in used]
    for name in wanted:
        if name in used:
            raise InputError(f"The column {name!r} (--models) is already used for something else.")
    return match_names(wanted, free, source.name)


def read_cases(
    request: Request,
    arm: Arm,
    columns: NamedColumns,
    source: Files,
    told: Callable[..., None],
    read: Callable[[Any, str], Floats] = numbers,
) -> Cases:
    """Read the columns that are needed, predictions by ``read``, and match them."""
    if "model_column" in columns.rows and "id" not in columns.rows:
        raise InputError(
            "A long table (--model-column) needs --id, the column that identifies the case."
        )
    others = _grouping(source, columns)
    source.roles = _roles(columns, arm, others, read is numbers)
    table = source.read([*columns.all, *others], told)
    table = _with_truths(table, request, columns.truths, source)
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


def _with_truths(table: Any, request: Request, truths: list[str], source: Files) -> Any:
    """Leave out cases whose truth is missing, if that was said; otherwise raise an error."""
    missing = np.zeros(table.num_rows, dtype=bool)
    for name in truths:
        missing |= (here := absent(table, name))
        if here.any() and request["missing"] == "refuse":
            raise InputError(
                f"The column {name!r} ({flag('truth')}) is empty in {name_rows(here)}. Fill them "
                f"in, or leave these cases out with {arg('missing', 'common')}."
            )
    if not missing.any():
        return table
    if missing.all():
        raise InputError(f"The column {truths[0]!r} ({flag('truth')}) is empty in all rows.")
    kept = np.flatnonzero(~missing)
    source.keep(kept)
    warn(
        f"{int(missing.sum())} of {len(missing)} rows have no true value and are left out; "
        f"{len(kept)} remain."
    )
    return table.take(kept)


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
        truth = _truth(pa.table({columns.truths[0]: truth}), columns.truths[0], arm)
    extra = {}
    anything = _anything(arm)
    for role, name in columns.extra.items():
        table = pa.table({name: rows.extra[role]})
        extra[role] = values(table, name) if role in anything else numbers(table, name)
        _refuse_empty(extra[role], name)
    return Cases(truth, rows.predictions, extra)


def _truth(table: Any, name: str, arm: Arm) -> Any:
    """Return truths: numbers, or labels of classes as text."""
    found = values(table, name) if arm.text_truths else None
    if found is None or isinstance(found, np.ndarray):
        try:
            return numbers(table, name)
        except InputError:
            texts = _words(table.column(name))
            if not texts:
                raise
            if not arm.two_classes:
                _refuse_words(texts, name, arm)
            found = values(table, name)
    return [str(each) for each in found]


def _words(column: Any) -> list[str]:
    """Return truths such as "yes" and "no", which are no mistakes of single rows."""
    if not is_text(column.type):
        return []
    texts = [each for each in column.unique().to_pylist() if each is not None]
    return [] if any(map(_is_number, texts)) else texts


def _refuse_words(texts: list[str], name: str, arm: Arm) -> NoReturn:
    """Raise an error for words where numbers are needed."""
    told = ", ".join(map(repr, texts[:3])) + (", …" if len(texts) > 3 else "")
    raise InputError(
        f"The column {name!r} (--truth) contains text ({told}), but the arm {arm.name!r} needs "
        f"numbers. Replace the text by numbers, such as 1 for {texts[0]!r} and 0 for the others."
    )


def _refuse_empty(column: Any, name: str) -> None:
    if not isinstance(column, np.ndarray) or column.dtype.kind != "f":
        return
    nan = np.isnan(column)
    if nan.any():
        raise InputError(
            f"The column {name!r} is empty in {name_rows(nan)}. Fill them in, or remove these rows."
        )


EVENTS = {
    "yes": "no", "y": "n", "true": "false", "t": "f", "ja": "nein nej nee", "j": "n", "si": "no",
    "sí": "no", "sì": "no", "s": "n", "oui": "non", "o": "n", "sim": "não nao", "tak": "nie",
    "wahr": "falsch", "vrai": "faux", "verdadero": "falso", "vero": "falso", "1": "0",
    "positive": "negative", "pos": "neg",
}  # fmt: skip
"""Words that name the event, each with those that name the other class."""


def with_event(request: Request, truth: Any, arm: Arm) -> Request:
    """Say which of two words is the event, where nobody did and the words tell."""
    option = next((o.name for o in arm.spoken if "pos_label" in o.gives), None)
    if option is None or request[option] is not None or isinstance(truth, np.ndarray):
        return request
    labels = sorted(set(truth))
    event = event_of(labels) if len(labels) == 2 else None
    if event is None:
        return request
    other = next(each for each in labels if each != event)
    warn(
        f"{event!r} was taken for the event that is predicted. If it is {other!r}, add "
        f"{arg('pos_label', other)}."
    )
    return request.replaced(**{option: event})


def event_of(labels: Sequence[str]) -> str | None:
    """Return which of two words is the event; None if they do not tell."""
    for event, other in (labels, labels[::-1]):
        if other.lower() in EVENTS.get(event.lower(), "").split():
            return event
    return None


def first_cases(request: Request, arm: Arm, columns: NamedColumns, source: Files) -> Cases:
    """Return some of the first cases, from which the question is read."""
    assert columns.models is not None
    pilot = source.pilot(columns.all, PILOT)
    truths = [pilot[name] for name in columns.truths]
    truth: Any = truths[0] if len(truths) == 1 else np.stack(truths, axis=1)
    if (arm.text_truths or arm.two_classes) and truth.dtype.kind != "f":
        truth = [str(each) for each in truth]
    extra = {role: np.asarray(pilot[name]) for role, name in columns.extra.items()}
    return Cases(truth, {name: pilot[name] for name in columns.models}, extra)

"""Which columns of the files are what: truths, predictions, and what else was named."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from roctopus.cli.request import Request
from roctopus.comparison.unnamed import strange_columns
from roctopus.concepts.arm import Arm, Option
from roctopus.core.checks import number_in
from roctopus.core.errors import InputError
from roctopus.core.names import flag, match_names, refuse_missing
from roctopus.engines import Files

SHARED = ("weight", "clusters", "by", "time", "context_column")
PILOT = 1 << 16
"""So many rows are read to see what files contain that are scanned later."""


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


def said_truths(request: Request, known: Sequence[str]) -> list[str]:
    """Return the columns that --truth names."""
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
        listed = ", ".join(map(repr, known[:12])) + (", …" if len(known) > 12 else "")
        raise InputError(f"Use --truth to name the column with the true values. Columns: {listed}.")
    rows = dict(request.given("id", "model_column"))
    if "model_column" in rows:
        used = _used(request, arm, truths, extra | rows)
        rows["prediction_column"] = _prediction_column(request, used)
    elif request["prediction_column"] is not None:
        raise InputError("--prediction-column can only be used together with --model-column.")
    used = _used(request, arm, truths, extra | rows)
    refuse_missing(list(used), known, where)
    if "model_column" not in rows and not request["models"]:
        _ask_for_models(arm, truths, list(used), source)
    models = None if "model_column" in rows else _models(request["models"], used, source)
    return NamedColumns(truths, models, extra, rows)


def _used(
    request: Request, arm: Arm, truths: list[str], columns: Mapping[str, str]
) -> dict[str, str]:
    """Return the columns that are named, with the option that names each."""
    parts = {
        name: option.flag
        for option in arm.spoken
        if option.columns is not None and request[option.name] is not None
        for name in option.columns(request[option.name])
    }
    named = {column: parts.get(name, flag(name)) for name, column in columns.items()}
    return dict.fromkeys(truths, "--truth") | named


def _columns_of(option: Option, text: str, known: Sequence[str], own: bool) -> dict[str, str]:
    """Return the columns that an option names; numbers are the same for all cases."""
    if option.columns is not None:
        inside = option.columns(text)
        return {name: column for name, column in inside.items() if not is_number(column)}
    if option.takes in ("column", "labels"):
        return {option.name: text}
    numeric = all(map(is_number, text.split(":")[:2])) if ":" in text else is_number(text)
    if numeric or option.takes not in ("number", "number or column", "range or column"):
        return {}
    if option.takes == "number" and text in known:
        raise InputError(
            f"{option.flag} must be a number that is the same for all cases, but {text!r} is a "
            "column."
        )
    is_column = option.takes != "number" and (text in known or not own)
    return {option.name: text} if is_column else {}


def is_number(text: str) -> bool:
    """Tell whether a text is a number."""
    return number_in(text) is not None


def _truths(request: Request, arm: Arm, extra: dict[str, str], known: Sequence[str]) -> list[str]:
    """Return the columns of the truths, or one that stands in for them."""
    if request["truth"]:
        return said_truths(request, known)
    for option in arm.spoken:
        if option.as_truth and request[option.name] is not None:
            inside = option.columns(request[option.name]) if option.columns else [option.name]
            found = [extra[name] for name in inside if name in extra]
            if found:
                return found[:1]
    return []


def _prediction_column(request: Request, used: dict[str, str]) -> str:
    name = str(request["prediction_column"] or "prediction")
    if name in used:
        raise InputError(
            f"The column {name!r} (--prediction-column) is already used for {used[name]}. Name "
            "another column."
        )
    return name


def _ask_for_models(arm: Arm, truths: list[str], used: list[str], source: Files) -> NoReturn:
    """Raise an error that lists the columns that can be predictions of the truths."""
    free = [name for name in source.names() if name not in used]
    candidates = [name for name in free if source.holds_numbers(name)]
    if not candidates:
        raise InputError(
            "There are no predictions: none of the other columns contains numbers. Add a column "
            "with predictions, and name it with --models."
        )
    pilot = source.pilot([*truths, *candidates], PILOT)
    known = [np.nan_to_num(pilot[name]) for name in truths if pilot[name].dtype.kind == "f"]
    strange = strange_columns(arm, known, {name: pilot[name] for name in candidates})
    likely = [name for name in candidates if name not in strange]
    told = "No other column looks like predictions"
    if likely:
        told = "Columns that may contain predictions: " + ", ".join(map(repr, likely[:20]))
    others = ", ".join(f"{name!r} {why}" for name, why in list(strange.items())[:8])
    raise InputError(
        "Use --models to name the columns with predictions, for example --models "
        f"{shlex.quote((likely or candidates)[0])}. {told}{f' ({others})' if others else ''}."
    )


def _models(wanted: list[str], used: dict[str, str], source: Files) -> list[str]:
    """Find the models: names, patterns, or several of them between commas."""
    free = [name for name in source.names() if name not in used]
    for name in wanted:
        if name in used:
            raise InputError(
                f"The column {name!r} (--models) is already used for {used[name]}. Name another "
                "column."
            )
    return match_names(wanted, free, source.name)

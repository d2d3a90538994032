"""Bring truths and predictions of several models together, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats, as_series, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, arg
from roctopus.core.names import list_names
from roctopus.core.sample import check_row_order

SHOWN = 8
"""So many names of columns are listed in a message."""


@dataclass(frozen=True, eq=False)
class MatchedRows:
    """Columns of equal length; a prediction that is missing is NaN."""

    truth: Any
    predictions: dict[str, Floats]
    extra: dict[str, Any]
    """Other columns, by what they are for; absent ones are left out."""
    backend: str | None
    frame: Any = None
    """The frame the rows came from, as narwhals sees it, if they are in its order."""
    unnamed: dict[Any, NDArray[Any]] | None = None
    """All columns that are left over, by their names, where no models were named."""


def read_rows(
    y_true: Any,
    predictions: Any,
    *,
    models: Sequence[str] | None,
    id: str | None,
    model_column: str | None,
    prediction_column: str,
    extra: Mapping[str, Any],
) -> MatchedRows:
    """Read a mapping, a frame with a column per model, or a long frame with a row per prediction.

    Where ``y_true`` or something extra is text, it names a column of the frame.
    """
    if isinstance(models, str):
        models = [models]
    models = None if models is None else list_names(models, "models")
    frame = _as_frame(predictions)
    named = {name: each for name, each in extra.items() if each is not None}
    if frame is None:
        if model_column is not None:
            raise InputError(
                f"{arg('model_column')} can only be used if {arg('predictions')} is a dataframe."
            )
        if isinstance(predictions, (str, bytes)) or not isinstance(predictions, Mapping):
            raise InputError(
                f"{arg('predictions')} must be a dataframe, or a dictionary of arrays by name of "
                f"the model, but is of type {type(predictions).__name__}."
            )
        columns = check_mapping(predictions, "predictions", "predictions")
        if models is not None:
            _refuse_unknown(models, list(columns))
            columns = {name: columns[name] for name in models}
        if isinstance(y_true, str):
            raise InputError(
                f"{arg('y_true')} is the name of a column, {y_true!r}, but {arg('predictions')} is "
                "not a dataframe. Pass the true values themselves."
            )
        truth = y_true
        if id is not None:
            truth, columns = _match_frames(y_true, columns, id)
        backend = next((b for c in (*columns.values(), truth) if (b := frame_backend(c))), None)
        return _finish(truth, columns, named, backend)
    backend = str(frame.implementation.value)
    if model_column is not None:
        return _read_long(
            frame, y_true, id, model_column, prediction_column, models, named, backend
        )
    used = [each for each in (*_named_truths(y_true), id, *named.values()) if isinstance(each, str)]
    for column in used:
        _column(frame, column)
    names = list(models) if models is not None else [c for c in frame.columns if c not in used]
    _refuse_unknown(names, frame.columns)
    if not names:
        raise InputError(
            f"{arg('predictions')} has no column with predictions: all of its columns are already "
            "used by other arguments."
        )
    texts = [str(name) for name in names]
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        same = " and ".join(repr(name) for name in names if str(name) == twice)
        raise InputError(
            f"The columns {same} in {arg('predictions')} have the same name as text ({twice!r}). "
            "Rename one of these columns."
        )
    truth = _truth(frame, y_true)
    unnamed = None if models is not None else {name: _raw(frame, name) for name in names}
    if unnamed is not None:
        names = [name for name in names if unnamed[name].dtype.kind == "f"]
    columns = {str(name): _column(frame, name) for name in names}
    taken = {n: _column(frame, e) if isinstance(e, str) else e for n, e in named.items()}
    if id is not None:
        ids = frame.get_column(id).to_list()
        _refuse_duplicates(ids, arg("predictions"), id)
    if id is not None and not _named_truths(y_true):
        order, truth = _with_ids(y_true, id, arg("y_true"))
        columns = {n: _in_order(c, ids, order, id, f"Model {n!r}") for n, c in columns.items()}
        for name, each in named.items():
            if isinstance(each, str):
                taken[name] = _in_order(taken[name], ids, order, id, f"Column {each!r}", whole=True)
        unnamed = unnamed and {name: columns.get(str(name), each) for name, each in unnamed.items()}
    rows = replace(_finish(truth, columns, taken, backend), unnamed=unnamed)
    return replace(rows, frame=frame) if id is None or _named_truths(y_true) else rows


def _named_truths(y_true: Any) -> list[str]:
    """Return the columns that hold the truths: of a name, or of a list of names."""
    if isinstance(y_true, str):
        return [y_true]
    listed = isinstance(y_true, (list, tuple)) and all(isinstance(each, str) for each in y_true)
    return list(y_true) if listed else []


def _truth(frame: Any, y_true: Any) -> Any:
    """Return the truths; several columns become a table of numbers."""
    names = _named_truths(y_true)
    if len(names) < 2:
        return _column(frame, names[0]) if names else y_true
    columns = [to_numpy(read_array(_column(frame, name), name)) for name in names]
    return np.stack(columns, axis=1)


def _as_frame(value: Any) -> Any | None:
    import narwhals as nw

    if isinstance(value, (Mapping, np.ndarray)) or value is None:
        return None
    labels = list(value.columns) if hasattr(value, "iloc") and hasattr(value, "columns") else []
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise InputError(f"A dataframe has several columns called {twice!r}. Rename them first.")
    found = nw.from_native(value, allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    return found if isinstance(found, nw.DataFrame) else None


def _column(frame: Any, name: Any) -> Any:
    if name not in frame.columns:
        known = _some(frame.columns)
        raise InputError(f"{arg('predictions')} has no column {name!r}. Its columns: {known}.")
    return frame.get_column(name).to_native()


def _raw(frame: Any, name: Any) -> NDArray[Any]:
    """Return a column as doubles if it holds numbers, and without them if it does not."""
    column = _column(frame, name)
    try:
        return to_numpy(read_array(column, "predictions"))
    except InputError:
        return np.empty(0, dtype=object)


def _listed(column: Any) -> list[Any]:
    """Return the values of a frame's column."""
    series = as_series(column)
    assert series is not None
    return list(series.to_list())


def _some(names: Sequence[Any]) -> str:
    """Return names in words: the first of many."""
    return ", ".join(map(repr, names[:SHOWN])) + (", …" if len(names) > SHOWN else "")


def _refuse_unknown(names: Sequence[Any], known: Sequence[Any]) -> None:
    strange = [name for name in names if name not in known]
    if strange:
        raise InputError(
            f"{arg('models')} names {strange[0]!r}, which is not in {arg('predictions')}. "
            f"Available: {_some(known)}."
        )


def _refuse_duplicates(ids: list[Any], where: str, name: str) -> None:
    seen: set[Any] = set()
    twice = []
    for each in ids:
        if each is None or each != each:
            raise InputError(
                f"{where} has rows in which {name!r} is empty. Each row needs the identifier of "
                "its case."
            )
        if each in seen:
            twice.append(each)
        seen.add(each)
    if twice:
        raise InputError(
            f"{where} has more than one row with the value {twice[0]!r} in the column {name!r}. "
            "Each case must have exactly one row."
        )


def _match_frames(y_true: Any, columns: Mapping[str, Any], id: str) -> tuple[Any, dict[str, Any]]:
    """Bring predictions into the order of the truths, by their ids."""
    order, truth = _with_ids(y_true, id, arg("y_true"))
    matched = {}
    for name, each in columns.items():
        own, values = _with_ids(each, id, f"Model {name!r}")
        matched[name] = _in_order(values, own, order, id, f"Model {name!r}")
    return truth, matched


def _in_order(
    column: Any, ids: list[Any], order: list[Any], id: str, where: str, *, whole: bool = False
) -> Any:
    """Return a column in the order of other ids; NaN where it has none, unless it must be whole."""
    position = {each: row for row, each in enumerate(order)}
    strange = [label for label in ids if label not in position]
    if strange:
        told = ", ".join(map(repr, strange[:3]))
        raise InputError(
            f"{where}: {len(strange)} of {len(ids)} rows {'has' if len(strange) == 1 else 'have'} "
            f"a value in the column {id!r} that does not occur in {arg('y_true')}"
            f"{f' ({told})' if len(strange) == 1 else f', such as {told}'}. Remove these rows, or "
            f"add them to {arg('y_true')}."
        )
    rows = [position[label] for label in ids]
    if whole:
        if len(ids) < len(order):
            known = set(ids)
            lacking = next(each for each in order if each not in known)
            raise InputError(
                f"{where} has no value for {len(order) - len(ids)} of the {len(order)} cases in "
                f"{arg('y_true')}. The first of these cases has the value {lacking!r} in {id!r}."
            )
        values = np.asarray(_listed(column))
        found = np.empty_like(values)
        found[rows] = values
        return found
    numbers = np.full(len(order), np.nan)
    numbers[rows] = to_numpy(read_array(column, where))
    return numbers


def _with_ids(table: Any, id: str, where: str) -> tuple[list[Any], Any]:
    frame = _as_frame(table)
    if frame is None:
        raise InputError(
            f"{where} must be a dataframe with the column {id!r}, because {arg('id')} matches rows "
            "by that column."
        )
    if id not in frame.columns or len(frame.columns) != 2:
        raise InputError(
            f"{where} must have exactly two columns, {id!r} and one with values, but has "
            f"{_some(frame.columns)}."
        )
    ids = frame.get_column(id).to_list()
    _refuse_duplicates(ids, where, id)
    other = next(name for name in frame.columns if name != id)
    return ids, frame.get_column(other).to_native()


def _read_long(
    frame: Any,
    y_true: Any,
    id: str | None,
    model_column: str,
    prediction_column: str,
    models: Sequence[str] | None,
    extra: Mapping[str, Any],
    backend: str | None,
) -> MatchedRows:
    """Turn a row per prediction into a column per model."""
    if id is None or not isinstance(y_true, str):
        raise InputError(
            f"With {arg('model_column')}, {arg('id')} must be the name of the column that "
            f"identifies the case, and {arg('y_true')} the name of the column of true values."
        )
    columns = {"id": id, "model": model_column, "prediction": prediction_column, "truth": y_true}
    columns |= {name: each for name, each in extra.items() if isinstance(each, str)}
    if len(columns) - 4 != len(extra):
        other = next(name for name, each in extra.items() if not isinstance(each, str))
        raise InputError(
            f"With {arg('model_column')}, {arg(other)} must be the name of a column, too."
        )
    lists = {role: _column(frame, name) for role, name in columns.items()}
    labels, ids = _listed(lists["model"]), _listed(lists["id"])
    if any(label is None or label != label for label in labels):
        raise InputError(
            f"Column {model_column!r} is empty in some rows. Each row needs the name of its model."
        )
    if any(label is None or label != label for label in ids):
        raise InputError(
            f"Column {id!r} is empty in some rows. Each row needs the identifier of its case."
        )
    names = list(dict.fromkeys(map(str, labels)))
    if models is not None:
        _refuse_unknown(models, names)
        names = list(models)
    position = {each: row for row, each in enumerate(dict.fromkeys(ids))}
    rows = np.array([position[each] for each in ids], dtype=np.intp)
    values = to_numpy(read_array(lists["prediction"], prediction_column))
    found: dict[str, Any] = {}
    of_model = np.array(list(map(str, labels)))
    for name in names:
        mine = of_model == name
        _refuse_duplicates(
            [each for each, own in zip(ids, mine.tolist(), strict=True) if own],
            f"Model {name!r}",
            id,
        )
        column = np.full(len(position), np.nan)
        column[rows[mine]] = values[mine]
        found[name] = column
    first = np.unique(rows, return_index=True)[1]
    taken = {}
    for role, name in columns.items():
        if role in ("id", "model", "prediction"):
            continue
        whole = as_series(lists[role])
        assert whole is not None
        listed = whole.to_list()
        once = [listed[k] for k in first.tolist()]
        strange = [
            k
            for k, row in enumerate(rows.tolist())
            if listed[k] != once[row] and not (listed[k] != listed[k] and once[row] != once[row])
        ]
        if strange:
            raise InputError(
                f"Column {name!r} must have the same value in all rows of a case, but has "
                f"different values where {id!r} is {ids[strange[0]]!r}."
            )
        taken[role] = whole[first.tolist()].to_native()
    truth = taken.pop("truth")
    return _finish(truth, found, taken, backend)


def _finish(
    truth: Any, columns: Mapping[str, Any], extra: Mapping[str, Any], backend: str | None
) -> MatchedRows:
    for name, each in extra.items():
        if isinstance(each, str):
            raise InputError(
                f"{arg(name)} is the column name {each!r}, but {arg('predictions')} is not a "
                f"dataframe. Pass an array of values as {arg(name)}."
            )
    named = {f"model {name}": each for name, each in columns.items()}
    check_row_order(y_true=truth, **named, **extra)
    found = {}
    for name, each in columns.items():
        try:
            found[str(name)] = to_numpy(read_array(each, "predictions"))
        except InputError as refusal:
            raise InputError(f"Model {name!r}: {refusal.marked}") from None
    size = _length(truth, "y_true") or 0
    lengths: dict[str, int | None] = {f"model {n!r}": len(each) for n, each in found.items()}
    lengths |= {arg(name): _length(each, name) for name, each in extra.items()}
    for what, length in lengths.items():
        if length not in (size, None):
            raise InputError(f"{arg('y_true')} has {size} rows, but {what} has {length}.")
    return MatchedRows(truth, found, dict(extra), backend)


def _length(column: Any, name: str) -> int | None:
    """Return how many rows there are; None of what has no length."""
    if getattr(column, "ndim", 1) == 0:
        raise InputError(f"{arg(name)} must contain one value per case, but is a single value.")
    return len(column) if hasattr(column, "__len__") else None

"""Bring truths and predictions of several models together, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats, as_series, frame_backend, read_array, to_numpy
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, warn
from roctopus.core.sample import check_row_order

__all__ = ["Missing", "Rows", "read_rows"]

Missing: TypeAlias = Literal["refuse", "common", "pairwise"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Columns of equal length; a prediction that is missing is NaN."""

    truth: Any
    predictions: dict[str, Floats]
    extra: dict[str, Any]
    """Other columns, by what they are for; absent ones are left out."""
    backend: str | None


def read_rows(
    y_true: Any,
    predictions: Any,
    *,
    models: Sequence[str] | None,
    id: str | None,
    model_column: str | None,
    prediction_column: str,
    extra: Mapping[str, Any],
) -> Rows:
    """Read a mapping, a frame with a column per model, or a long frame with a row per prediction.

    Where ``y_true`` or something extra is text, it names a column of the frame.
    """
    frame = _as_frame(predictions)
    named = {name: each for name, each in extra.items() if each is not None}
    if frame is None:
        if model_column is not None:
            raise InputError("'model_column' needs a frame of predictions.")
        if isinstance(predictions, (str, bytes)) or not isinstance(predictions, Mapping):
            raise InputError(
                "'predictions' must map names to arrays, or be a dataframe, got "
                f"{type(predictions).__name__}."
            )
        columns = check_mapping(predictions, "predictions", "predictions")
        if models is not None:
            _refuse_unknown(models, list(columns))
            columns = {name: columns[name] for name in models}
        if isinstance(y_true, str):
            raise InputError("'y_true' names a column, but 'predictions' is no frame.")
        truth = y_true
        if id is not None:
            truth, columns = _match_frames(y_true, columns, id)
        backend = next((b for c in (*columns.values(), truth) if (b := frame_backend(c))), None)
        return _finish(truth, columns, named, backend)
    backend = frame_backend(predictions)
    if model_column is not None:
        return _read_long(
            frame, y_true, id, model_column, prediction_column, models, named, backend
        )
    used = [each for each in (y_true, id, *named.values()) if isinstance(each, str)]
    for column in used:
        _column(frame, column)
    names = list(models) if models is not None else [c for c in frame.columns if c not in used]
    _refuse_unknown(names, frame.columns)
    if not names:
        raise InputError("'predictions' has no column of predictions.")
    truth = _column(frame, y_true) if isinstance(y_true, str) else y_true
    columns = {str(name): _column(frame, name) for name in names}
    if id is not None and not isinstance(y_true, str):
        one = {name: frame.select(id, name).to_native() for name in columns}
        truth, columns = _match_frames(y_true, one, id)
    elif id is not None:
        _refuse_duplicates(_column(frame, id).to_list(), "'predictions'", id)
    taken = {n: _column(frame, e) if isinstance(e, str) else e for n, e in named.items()}
    return _finish(truth, columns, taken, backend)


def _as_frame(value: Any) -> Any | None:
    import narwhals as nw

    if isinstance(value, (Mapping, np.ndarray)) or value is None:
        return None
    found = nw.from_native(value, allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    return found if isinstance(found, nw.DataFrame) else None


def _column(frame: Any, name: Any) -> Any:
    if name not in frame.columns:
        known = ", ".join(map(repr, frame.columns[:8]))
        raise InputError(f"'predictions' has no column {name!r}. Its columns: {known}.")
    return frame[name].to_native()


def _refuse_unknown(names: Sequence[Any], known: Sequence[Any]) -> None:
    strange = [name for name in names if name not in known]
    if strange:
        told = ", ".join(map(repr, list(known)[:8]))
        raise InputError(f"'models' names {strange[0]!r}, which is not there. There are: {told}.")


def _refuse_duplicates(ids: list[Any], where: str, name: str) -> None:
    seen: set[Any] = set()
    twice = [each for each in ids if each in seen or seen.add(each)]  # type: ignore[func-returns-value]
    if twice:
        raise InputError(
            f"{where} has {len(twice)} rows whose {name!r} was there before, such as "
            f"{twice[0]!r}. Each case must have one row."
        )


def _match_frames(y_true: Any, columns: Mapping[str, Any], id: str) -> tuple[Any, dict[str, Any]]:
    """Bring predictions into the order of the truths, by their ids."""
    ids, truth = _with_ids(y_true, id, "'y_true'")
    position = {each: row for row, each in enumerate(ids)}
    matched = {}
    for name, each in columns.items():
        own, values = _with_ids(each, id, f"Model {name!r}")
        strange = [label for label in own if label not in position]
        if strange:
            told = ", ".join(map(repr, strange[:3]))
            raise InputError(
                f"Model {name!r} has {len(strange)} of {len(own)} rows whose {id!r} is not among "
                f"those of 'y_true', such as {told}."
            )
        found = np.full(len(ids), np.nan)
        found[[position[label] for label in own]] = to_numpy(read_array(values, name))
        matched[name] = found
    return truth, matched


def _with_ids(table: Any, id: str, where: str) -> tuple[list[Any], Any]:
    frame = _as_frame(table)
    if frame is None:
        raise InputError(f"{where} must be a frame with the column {id!r}, to match rows by it.")
    if id not in frame.columns or len(frame.columns) != 2:
        raise InputError(f"{where} must have two columns, {id!r} and its values.")
    ids = frame[id].to_list()
    _refuse_duplicates(ids, where, id)
    other = next(name for name in frame.columns if name != id)
    return ids, frame[other].to_native()


def _read_long(
    frame: Any,
    y_true: Any,
    id: str | None,
    model_column: str,
    prediction_column: str,
    models: Sequence[str] | None,
    extra: Mapping[str, Any],
    backend: str | None,
) -> Rows:
    """Turn a row per prediction into a column per model."""
    if id is None or not isinstance(y_true, str):
        raise InputError(
            "A long frame needs 'id', the column that says which case a row is about, and "
            "'y_true' as a column's name."
        )
    columns = {"id": id, "model": model_column, "prediction": prediction_column, "truth": y_true}
    columns |= {name: each for name, each in extra.items() if isinstance(each, str)}
    if len(columns) - 4 != len(extra):
        raise InputError("With a long frame, give everything else as column names, too.")
    lists = {role: _column(frame, name) for role, name in columns.items()}
    labels = as_series(lists["model"]).to_list()  # type: ignore[union-attr]
    ids = as_series(lists["id"]).to_list()  # type: ignore[union-attr]
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
        strange = [k for k, row in enumerate(rows.tolist()) if listed[k] != once[row]]
        if strange:
            raise InputError(
                f"Column {name!r} differs between rows of one case, such as that with {id!r} = "
                f"{ids[strange[0]]!r}."
            )
        taken[role] = whole[first.tolist()].to_native()
    truth = taken.pop("truth")
    return _finish(truth, found, taken, backend)


def _finish(
    truth: Any, columns: Mapping[str, Any], extra: Mapping[str, Any], backend: str | None
) -> Rows:
    check_row_order(y_true=truth, **columns)
    found = {}
    for name, each in columns.items():
        try:
            found[str(name)] = to_numpy(read_array(each, "predictions"))
        except InputError as refusal:
            raise InputError(f"Model {name!r}: {refusal}") from None
    size = len(truth) if hasattr(truth, "__len__") else 0
    lengths = {f"model {name!r}": len(each) for name, each in found.items()}
    lengths |= {f"'{name}'": len(each) for name, each in extra.items() if hasattr(each, "__len__")}
    for what, length in lengths.items():
        if length != size:
            raise InputError(f"'y_true' has {size} rows, but {what} has {length}.")
    return Rows(truth, found, dict(extra), backend)


def missing_rows(
    predictions: Mapping[str, Floats], missing: Missing
) -> tuple[NDArray[np.bool_], dict[str, NDArray[np.bool_]]]:
    """Return the rows that all models have, and the rows of each."""
    if missing not in ("refuse", "common", "pairwise"):
        raise InputError(f"'missing' must be 'refuse', 'common' or 'pairwise', got {missing!r}.")
    present = {name: ~np.isnan(each) for name, each in predictions.items()}
    lacking = {name: int(np.sum(~each)) for name, each in present.items() if not each.all()}
    common = np.logical_and.reduce(list(present.values()))
    if not lacking:
        return common, present
    told = ", ".join(f"{name!r} {count}" for name, count in lacking.items())
    size = len(common)
    empty = [name for name, count in lacking.items() if count == size]
    if empty:
        raise InputError(f"Model {empty[0]!r} has no predictions at all.")
    if missing == "refuse":
        raise InputError(
            f"Predictions are missing: {told} of {size} rows. missing='common' takes the "
            f"{int(common.sum())} rows that all models have."
        )
    if not common.any():
        raise InputError(f"No row has predictions of all models. Missing: {told} of {size} rows.")
    what = f"Predictions are missing ({told} of {size} rows)."
    if missing == "common":
        warn(f"{what} All models are compared on the {int(common.sum())} rows that they share.")
    else:
        warn(
            f"{what} Each model's own figures are from its own rows, and not comparable; "
            f"decisions and rankings are made on the {int(common.sum())} rows that all share."
        )
    return common, present

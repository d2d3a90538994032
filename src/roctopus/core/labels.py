"""Two classes of any kind: numbers, booleans, text and categories, of which one is positive."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from numbers import Number
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import (
    Floats,
    as_floats,
    as_series,
    frame_backend,
    is_single,
    is_text,
    read_array,
    to_numpy,
)
from roctopus.core.checks import check_finite, check_same_length, name_rows
from roctopus.core.errors import InputError, arg
from roctopus.core.sample import Sample, check_row_order, read_sample

Classes: TypeAlias = tuple[Any, Any]
"""The negative and the positive class, as plain values: text, numbers or booleans."""
SHOWN = 5
"""So many classes are named in a message."""


@dataclass(frozen=True, eq=False)
class TwoLabels:
    """Two classes as 0 and 1, and what these stand for."""

    values: Floats
    classes: Classes


class NumberedLabels(NamedTuple):
    """Labels as numbers, in the library they came in."""

    column: Any
    names: tuple[Any, ...] | None = None
    """What the numbers 0, 1, … stand for; None where they stand for themselves."""

    @property
    def text(self) -> bool:
        """Whether classes are named by text, which has no order."""
        return any(isinstance(each, str) for each in self.names or ())

    def read(self, name: str, pos_label: Any) -> TwoLabels:
        """Return the labels as two classes."""
        column = to_numpy(read_array(self.column, name))
        check_same_length(**{name: column})
        check_finite(column, name)
        positive, classes = split_classes(self._replace(column=column), pos_label, name)
        return TwoLabels(positive.astype(np.float64), classes)


def read_labels(y: Any, name: str = "y_true", pos_label: Any = None) -> TwoLabels:
    """Read two classes; of two numbers the larger is positive, unless ``pos_label`` says otherwise.

    Text has no order, so ``pos_label`` must say which class is positive.

    Examples
    --------
    >>> found = read_labels(["well", "ill", "well"], pos_label="ill")
    >>> found.values.tolist(), found.classes
    ([0.0, 1.0, 0.0], ('well', 'ill'))
    """
    return number_labels(y, name).read(name, pos_label)


def number_labels(y: Any, name: str = "y_true") -> NumberedLabels:
    """Return labels of any kind as numbers; numbers stay as they are, and where they are."""
    if not is_text(y) or getattr(y, "ndim", 1) != 1:
        return NumberedLabels(y, (False, True) if _is_boolean(y) else None)
    numbers, found = _distinct(y, name)
    if all(isinstance(each, bool) for each in found):
        return NumberedLabels(np.array(found, dtype=np.float64)[numbers], (False, True))
    if all(isinstance(each, Number) and not isinstance(each, complex) for each in found):
        return NumberedLabels(as_floats(found)[numbers])
    order = sorted(range(len(found)), key=lambda k: str(found[k]))
    place = np.empty(len(found))
    place[order] = np.arange(float(len(found)))
    return NumberedLabels(place[numbers], tuple(found[k] for k in order))


def read_labelled_sample(
    y_true: Any, column: Any, y_score: Any, sample_weight: Any, name: str
) -> Sample:
    """Read a sample whose truths were made a column of numbers; rows are those as given."""
    names = ("y_true", name)
    if column is y_true:
        return read_sample(y_true, y_score, sample_weight, names=names)
    check_row_order(**{"y_true": y_true, name: y_score, "sample_weight": sample_weight})
    score = to_numpy(read_array(y_score, name))
    if sample_weight is not None:
        sample_weight = to_numpy(read_array(sample_weight, "sample_weight"))
    sample = read_sample(column, score, sample_weight, names=names)
    return replace(sample, backend=frame_backend(y_score) or frame_backend(y_true))


def split_classes(
    labels: NumberedLabels,
    pos_label: Any,
    name: str,
    tell_rows: Callable[[NDArray[np.bool_]], str] = name_rows,
    beside: str | None = None,
) -> tuple[NDArray[np.bool_], Classes]:
    """Return which cases are positive, and both classes; more or fewer than two raise an error.

    ``beside`` names the other argument, where the two may have been swapped.
    """
    column, names = labels
    low, high = float(column.min()), float(column.max())
    classes = _named(low, names), _named(high, names)
    if low == high:
        raise InputError(
            f"{arg(name)} has only one class ({classes[0]!r}), but two classes are needed."
        )
    if names is None and not (low.is_integer() and high.is_integer()):
        hint = f" Have {arg(name)} and {arg(beside)} been swapped?" if beside else ""
        raise InputError(
            f"{arg(name)} must contain two classes, such as 0 and 1, but has values from {low:g} "
            f"to {high:g}.{hint}"
        )
    upper = column == high
    others = ~upper & (column != low)
    if others.any():
        third = float(column[others][0])
        raise InputError(
            f"{arg(name)} must have two classes, but has at least three: {classes[0]!r}, "
            f"{_named(third, names)!r} and {classes[1]!r} ({_named(third, names)!r} is in "
            f"{tell_rows(column == third)}). For ordered classes, use the arm 'ordinal'."
        )
    if pos_label is None and any(isinstance(each, str) for each in classes):
        refuse_text(classes, arg(name))
    if pos_label is None or is_label(pos_label, classes[1]):
        return upper, classes
    if not is_label(pos_label, classes[0]):
        refuse_label(pos_label, classes, arg(name))
    return ~upper, classes[::-1]


def _named(number: float, names: tuple[Any, ...] | None) -> Any:
    return plain_class(number) if names is None else names[int(number)]


def plain_class(label: Any) -> Any:
    """Return a class that is a whole number as one."""
    return int(label) if isinstance(label, float) and label.is_integer() else label


def is_label(pos_label: Any, label: Any) -> bool:
    """Tell whether a label is the one that was named."""
    return is_single(pos_label) and bool(pos_label == label)


def refuse_text(classes: Sequence[Any], where: str) -> NoReturn:
    """Raise an error that says how to name the positive one of classes that are text."""
    first, *others = classes
    told = f"If {first!r} is the event you predict, add {arg('pos_label', first)}"
    if others:
        told += f"; if it is {others[0]!r}, add {arg('pos_label', others[0])}"
    raise InputError(f"{where} contains text ({_listed(classes)}). {told}.")


def refuse_label(pos_label: Any, classes: Sequence[Any], where: str) -> NoReturn:
    """Raise an error for a positive class that is not there."""
    raise InputError(
        f"{arg('pos_label')} is {pos_label!r}, which is not a class of {where}. The classes are "
        f"{_listed(classes)}."
    )


def _listed(classes: Sequence[Any]) -> str:
    return ", ".join(map(repr, classes[:SHOWN])) + (", …" if len(classes) > SHOWN else "")


def _is_boolean(y: Any) -> bool:
    if isinstance(y, (list, tuple)):
        return all(isinstance(each, bool) for each in y)
    return "bool" in str(getattr(y, "dtype", "")).lower()


def _distinct(y: Any, name: str) -> tuple[NDArray[np.intp], list[Any]]:
    """Return the distinct values as plain ones, and the number of each row's value among them."""
    series = as_series(y)
    values = series.to_list() if series is not None else _as_list(y)
    known: dict[Any, int] = {}
    try:
        rows = [known.setdefault(each, len(known)) for each in values]
    except TypeError:  # rows that cannot be looked up, such as lists
        strange = next((each for each in values if not isinstance(each, Hashable)), values)
        raise InputError(
            f"The classes in {arg(name)} must be text, numbers or booleans, but one of them is of "
            f"type {type(strange).__name__}."
        ) from None
    numbers = np.array(rows, dtype=np.intp)
    found = [each.item() if isinstance(each, np.generic) else each for each in known]
    missing = [k for k, each in enumerate(found) if _is_missing(each)]
    if missing:
        raise InputError(
            f"{arg(name)} has missing values in {name_rows(np.isin(numbers, missing))}. Fill them "
            "in, or remove their rows from all arrays."
        )
    for each in found:
        if not isinstance(each, (str, Number)):
            raise InputError(
                f"The classes in {arg(name)} must be text, numbers or booleans, but {each!r} is of "
                f"type {type(each).__name__}."
            )
    return numbers, found


def _as_list(column: Any) -> list[Any]:
    return list(column.to_pylist() if hasattr(column, "to_pylist") else column)


def _is_missing(value: Any) -> bool:
    if isinstance(value, float):
        return value != value
    return value is None or type(value).__name__ in ("NAType", "NaTType")

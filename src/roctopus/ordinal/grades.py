"""Cases with an ordered class and a score: reading classes from any kind of column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.registry import Influence
from roctopus.concepts.responses import plain_label
from roctopus.core.arrays import (
    Array,
    Floats,
    as_float,
    as_floats,
    as_series,
    count_true,
    distinct_values,
    frame_backend,
    is_foreign,
    is_text,
    read_array,
    to_numpy,
)
from roctopus.core.chain_steps import share_of_parts, sorted_parts
from roctopus.core.chains import ClassScores, Ties, chain_share
from roctopus.core.checks import check_choice, name_rows
from roctopus.core.errors import InputError, arg
from roctopus.core.orders import order_of
from roctopus.core.sample import Sample, check_row_order, read_sample

MOST_CLASSES = 100
"""A column with more distinct numbers counts as a measurement, unless ``labels`` are given."""


@dataclass(frozen=True, eq=False)
class Grades:
    """The cases that count: ``sample.y_true`` holds values, ``values`` those of the classes.

    The columns are in numpy, unless they were asked for on their device.
    """

    sample: Sample
    values: Floats
    """What stands for each class in ``sample.y_true``, in the order of the classes."""
    labels: tuple[Any, ...]
    """The classes' names, in order."""
    rows_matter: bool = False
    """Whether values per case will be needed: sorted classes then keep the order of rows."""

    @property
    def score(self) -> Floats:
        """The scores."""
        scores: Floats = self.sample.y_pred
        return scores

    @cached_property
    def codes(self) -> NDArray[np.intp]:
        """The class of each case, counted from 0."""
        order = order_of(self.values)
        codes: NDArray[np.intp] = order[np.searchsorted(self.values[order], self.sample.y_true)]
        return codes

    @cached_property
    def classes(self) -> tuple[ClassScores, ...]:
        """The sorted scores of every class; a class without cases raises an error."""
        parts = []
        for value, label in zip(self.values, self.labels, strict=True):
            mine = self.sample.y_true == value
            scores, weight = np.compress(mine, self.score), self.sample.weight
            if not len(scores):
                self.refuse_empty(label)
            mass = None if weight is None else np.compress(mine, weight)
            parts.append(ClassScores.of(scores, mass, keep_order=self.rows_matter))
        return tuple(parts)

    @cached_property
    def parts(self) -> tuple[list[Array], list[Array] | None]:
        """The sorted scores of every class and their masses, where the cases are."""
        parts = sorted_parts(self.sample, self.values)
        for label, scores in zip(self.labels, parts[0], strict=True):
            if not scores.shape[0]:
                self.refuse_empty(label)
        return parts

    def volume(self, ties: Ties) -> float:
        """Return the share of chains in order, computed on the device of the arrays."""
        if is_foreign(self.sample.y_true):
            return share_of_parts(*self.parts, ties, xp=self.sample.xp)
        return chain_share(self.classes, ties)

    @cached_property
    def sizes(self) -> Floats:
        """The number of cases of each class."""
        xp, y = self.sample.xp, self.sample.y_true
        return np.array([float(count_true(y == float(v), xp=xp)) for v in self.values])

    def tie_sizes(self) -> Array:
        """Return how many cases share each distinct score."""
        xp = self.sample.xp
        return xp.astype(xp.unique_counts(self.score).counts, xp.float64)

    def refuse_empty(self, label: Any = None) -> None:
        """Raise an error for a class without cases, the given one or any."""
        if label is None:
            count = np.bincount(self.codes, minlength=len(self.labels))
            if count.all():
                return
            label = self.labels[int(np.argmin(count))]
        raise InputError(
            f"The class {label!r} has no cases. Leave it out of {arg('labels')}, or merge it with "
            "a neighbouring class."
        )

    def per_case(self, per_score: Sequence[Floats]) -> Floats:
        """Return for each case the value of its class and score."""
        values = np.empty(self.sample.size)
        for value, each, known in zip(self.values, self.classes, per_score, strict=True):
            rows = np.flatnonzero(self.sample.y_true == value)
            values[rows[each.order]] = known if each.group is None else known[each.group]
        return values

    def influence(self, values: Floats) -> Influence:
        """Return influence values in the order of the rows; classes are strata."""
        return Influence.of(self.sample, values, self.codes)


def class_variance(scores: ClassScores, deviations: Floats) -> float:
    """Return a class's part of a variance, Σ w²·deviation²/W², NaN for a single case.

    The deviations are those of the shares through a case of each score, about their mean.
    """
    if scores.cases < 2:
        return math.nan
    squares = float(np.sum(scores.squares * deviations * deviations))
    return scores.cases / (scores.cases - 1.0) * squares / scores.total**2


def check_ties(ties: Any) -> None:
    """Raise an error for an unknown rule for ties."""
    check_choice(ties, "ties", "average", "strict")


def read_grades(
    y_true: Any,
    y_score: Any,
    sample_weight: Any = None,
    labels: Any = None,
    *,
    rows_matter: bool = False,
    anywhere: bool = False,
) -> Grades:
    """Check and read classes, scores and weights.

    Numbers are sorted, ordered categoricals (pandas, polars ``Enum``) have their own order, and
    other labels need ``labels``, from the lowest class to the highest. A model that gives only
    grades may give them as text, too. With ``anywhere`` arrays stay on their device.
    """
    names = ("y_true", "y_score")
    order = _categories(y_true) if labels is None else read_labels(labels)
    if order is not None and (is_text(y_true) or not all(map(is_number, order))):
        check_row_order(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        codes = code_labels(y_true, order, "y_true")
        if is_text(y_score):
            scores = code_labels(y_score, order, "y_score")
        else:
            scores = to_numpy(read_array(y_score, "y_score"))
        weight = None
        if sample_weight is not None:
            weight = to_numpy(read_array(sample_weight, "sample_weight"))
        sample = replace(
            read_sample(codes, scores, weight, names=names),
            backend=frame_backend(y_score) or frame_backend(y_true),
        )
        return Grades(sample, np.arange(float(len(order))), tuple(order), rows_matter)
    if is_text(y_true):
        raise InputError(
            f"{arg('y_true')} contains text, so the order of the classes is unknown. List the "
            f"classes in {arg('labels')}, lowest first, or make {arg('y_true')} an ordered "
            "categorical."
        )
    sample = read_sample(y_true, y_score, sample_weight, names=names)
    sample = sample if anywhere else sample.to_numpy()
    values = distinct_values(sample.y_true, xp=sample.xp) if order is None else as_floats(order)
    if order is None and len(values) > MOST_CLASSES:
        raise InputError(
            f"{arg('y_true')} has {len(values)} different values, which are too many for classes "
            f"(at most {MOST_CLASSES}). Put them into bins, or list all classes in "
            f"{arg('labels')}."
        )
    if len(values) < 2:
        raise InputError(
            f"{arg('y_true')} has only one class ({values[0]:g}), but at least two classes are "
            "needed."
        )
    names_of_classes = tuple(int(v) if v == int(v) else float(v) for v in values)
    found = Grades(sample, values, names_of_classes, rows_matter)
    if order is not None and found.sizes.sum() < sample.size:
        _refuse_others(replace(found, sample=sample.to_numpy()))
    return found


read_graded_rows = partial(read_grades, rows_matter=True)
"""Read grades where each row is to get a value."""


def is_number(label: Any) -> bool:
    """Return whether the name of a class is a number."""
    return isinstance(label, (int, float, np.integer, np.floating)) and not isinstance(label, bool)


def read_labels(labels: Any) -> list[Any]:
    """Return the classes from lowest to highest."""
    try:
        order = labels.tolist() if isinstance(labels, np.ndarray) else list(labels)
        distinct = len(set(order))
    except TypeError:
        raise InputError(
            f"{arg('labels')} must be a list of the classes, lowest first, but is {labels!r}."
        ) from None
    endless = [label for label in order if is_number(label) and not math.isfinite(as_float(label))]
    if endless:
        raise InputError(
            f"{arg('labels')} contains {as_float(endless[0]):g}, which cannot be a class. Remove "
            f"it from {arg('labels')}."
        )
    if distinct < len(order):
        twice = next(label for label in order if order.count(label) > 1)
        raise InputError(
            f"{arg('labels')} contains the class {twice!r} more than once. Name each class once."
        )
    if len(order) < 2:
        raise InputError(f"{arg('labels')} must name at least two classes, but is {order!r}.")
    return order


def place_of_class(label: Any, labels: Sequence[Any], name: str) -> int:
    """Return the place of a class among all; what is none of them raises an error."""
    try:
        return list(labels).index(label)
    except (TypeError, ValueError):  # also of arrays, which are not equal or unequal to a class
        classes = ", ".join(map(repr, map(plain_label, labels[:8])))
        classes += ", …" if len(labels) > 8 else ""
        raise InputError(
            f"{arg(name)} must be one of the classes ({classes}), but is {short(label)}."
        ) from None


def _categories(column: Any) -> list[Any] | None:
    """Return the categories of an ordered categorical, in order; None for other columns."""
    # pandas knows the categories themselves, narwhals their names.
    category = getattr(column, "cat", column)
    if getattr(category, "ordered", False) is True and hasattr(category, "categories"):
        return read_labels(category.categories)
    import narwhals as nw

    series = as_series(column)
    if series is None or not isinstance(series.dtype, nw.Enum):
        return None
    return read_labels(series.dtype.categories)


def code_labels(column: Any, order: Sequence[Any], name: str) -> Floats:
    """Return the position of each label in the order of classes; others raise an error."""
    series = as_series(column)
    try:
        if series is not None:
            values = series.to_list()
        else:
            values = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    except TypeError:
        raise InputError(f"{arg(name)} must contain one label per case.") from None
    position = {label: float(number) for number, label in enumerate(order)}
    try:
        codes = np.array([position.get(value, np.nan) for value in values])
    except TypeError:  # rows that cannot be looked up, such as lists
        raise InputError(f"{arg(name)} must contain one label per case.") from None
    strange = np.isnan(codes)
    if strange.any():
        first = values[int(np.flatnonzero(strange)[0])]
        missing = first is None or type(first).__name__ == "NAType" or first is np.nan
        if missing:
            raise InputError(
                f"{arg(name)} has missing values in {name_rows(strange)}. Fill them in, or remove "
                "their rows from all arrays."
            )
        raise InputError(
            f"{arg(name)} contains {first!r}, which is not one of the classes "
            f"({', '.join(map(repr, order))}). Correct or remove {name_rows(strange)}."
        )
    return codes


def _refuse_others(grades: Grades) -> None:
    """Raise an error for true values that are not among the given labels."""
    strange = ~np.isin(grades.sample.y_true, grades.values)
    first, rows = grades.sample.y_true[strange][0], grades.sample.name_rows(strange)
    raise InputError(
        f"{arg('y_true')} contains {first:g}, which is not one of the classes "
        f"({', '.join(map(str, grades.labels))}). Correct or remove {rows}."
    )

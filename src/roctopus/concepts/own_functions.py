"""Functions of your own: how each case moves them, found by weighting or leaving out cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.dependence import Codes, Dependence
from roctopus.core.arrays import Floats, as_float, read_array, row_count, to_numpy
from roctopus.core.checks import check_same_length, check_weights
from roctopus.core.errors import InputError, arg, warn

MOST = 500
"""The most groups of cases that are moved: for each, the function is evaluated once."""
CHECKED = 64
"""From how many groups on it is looked whether many cases together move a function as one does."""
STEP = 1e-4
"""By which part of itself the weight of a group is moved."""


@dataclass(frozen=True, eq=False)
class OwnFunction:
    """A function of true values, predictions and perhaps weights, with its data."""

    function: Callable[..., float]
    y_true: Any
    y_pred: Any
    weight: Floats | None
    options: Mapping[str, Any]

    @staticmethod
    def of(
        function: Callable[..., float], args: tuple[Any, ...], given: Mapping[str, Any]
    ) -> OwnFunction:
        """Read what ``estimate`` was called with."""
        options = dict(given)
        named = ("y_true", "y_pred")[len(args) :]
        lacking = [arg(name) for name in named if name not in options]
        if lacking:
            raise InputError(
                f"{name_of(function)} needs {arg('y_true')} and {arg('y_pred')}, but "
                f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} missing."
            )
        if len(args) > 2:
            raise InputError(
                f"Only {arg('y_true')} and {arg('y_pred')} can be passed without a name, but "
                f"{len(args)} values were. Pass all other arguments by name."
            )
        y_true, y_pred = (*args, *(options.pop(name) for name in named))
        weight = options.pop("sample_weight", None)
        found = OwnFunction(function, y_true, y_pred, None, options)
        check_same_length(y_true=_Rows(y_true, "y_true"), y_pred=_Rows(y_pred, "y_pred"))
        if weight is None:
            return found
        if not found.takes_weights:
            raise InputError(
                f"{arg('sample_weight')} cannot be used, because the function "
                f"{name_of(function)} has no argument of this name. Leave out "
                f"{arg('sample_weight')}, or add the argument to the function."
            )
        read = to_numpy(read_array(weight, "sample_weight"))
        check_same_length(y_true=_Rows(y_true, "y_true"), sample_weight=read)
        check_weights(read)
        return replace(found, weight=read)

    def __len__(self) -> int:
        return len(self.y_true)

    @cached_property
    def takes_weights(self) -> bool:
        """Whether the function has an argument for weights."""
        try:
            return "sample_weight" in signature(self.function).parameters
        except ValueError:  # some functions written in C do not say
            return False

    def value(self) -> float:
        """Return the value on the data as given."""
        weighing = {} if self.weight is None else {"sample_weight": self.weight}
        return self._number(self.y_true, self.y_pred, **weighing)

    def at(self, weight: Floats) -> float:
        """Return the value where each case has a weight, or is there that many times."""
        if self.takes_weights:
            return self._number(self.y_true, self.y_pred, sample_weight=weight)
        rows = np.repeat(np.arange(len(self)), weight.astype(np.intp))
        return self._number(*(_take(column, rows) for column in (self.y_true, self.y_pred)))

    def _number(self, *columns: Any, **weighing: Any) -> float:
        """Call the function; what it raises is the cause of our error."""
        try:
            found = self.function(*columns, **weighing, **self.options)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"Calling {name_of(self.function)} with 'y_true' and 'y_pred' raised an error. "
                "Check the function and its arguments "
                f"({type(error).__name__}: {str(error).partition(chr(10))[0]})."
            ) from error
        try:
            value = as_float(found)
        except (TypeError, ValueError):
            value = math.nan
        if math.isnan(value):
            raise InputError(
                f"The function {name_of(self.function)} returned {found!r}. It must return a "
                "number."
            )
        return value

    def influence(self, dependence: Dependence) -> tuple[Floats, Dependence]:
        """Return one influence value per row, and how rows depend on each other now.

        Where the function takes weights they are derivatives in them (the infinitesimal jackknife),
        else what changes when cases are left out (the jackknife). Of more than 500 cases, groups
        drawn at random are moved together (of times: neighbours); groups are then clusters.
        """
        groups, now = _groups(dependence, len(self), MOST)
        found = self._per_row(groups, by_weighting=self.takes_weights)
        count = int(groups.max()) + 1
        if count < CHECKED or now.crossed:
            return found, now
        few, then = _groups(now, len(self), math.isqrt(count))
        rough = self._per_row(few, by_weighting=False)
        sizes = [np.linalg.norm(np.bincount(few, each)) for each in (found, rough)]
        if now.times is None and max(sizes) > _limit(found, int(few.max()) + 1) * min(sizes):
            warn(
                f"The value of {name_of(self.function)} seems to jump when single cases change, as "
                "a median does, so its standard error is only rough. Use "
                "roctopus.inference.bootstrap instead."
            )
            return rough, then
        return found, now

    def _per_row(self, groups: Codes, *, by_weighting: bool) -> Floats:
        """Return the influence values of the rows, the same in each group."""
        weight = np.ones(len(self)) if self.weight is None else self.weight
        mass = np.bincount(groups, weight)
        total, here = float(mass.sum()), self.at(weight)
        moved = np.zeros(len(mass))
        for group in np.flatnonzero(mass > 0.0):
            mine = groups == group
            if by_weighting:
                beside = self.at(np.where(mine, (1.0 + STEP) * weight, weight))
                moved[group] = (beside - here) / STEP
            elif mass[group] < total:
                without = self.at(np.where(mine, 0.0, weight))
                moved[group] = (1.0 - mass[group] / total) * (here - without)
        per_weight = np.divide(moved, mass, out=np.zeros(len(mass)), where=mass > 0.0)
        values = total * per_weight[groups]
        values -= np.average(values, weights=weight)
        return np.where(weight > 0.0, values, 0.0)


class _Rows:
    """A column of which only the number of rows matters."""

    def __init__(self, column: Any, name: str) -> None:
        if not hasattr(column, "__len__"):
            raise InputError(
                f"{arg(name)} must contain one value per case, but is of type "
                f"{type(column).__name__}. Use a list or an array."
            )
        self.shape = (row_count(column),)


def _limit(values: Floats, groups: int) -> float:
    """Return by which factor two standard errors may differ, the second one from few groups.

    Cases that move a function by two or three amounts only may be right or wrong decisions, or on
    one side of a median: then three standard errors of the factor are a sign.
    """
    scale = float(np.max(np.abs(values))) or 1.0
    few = len(np.unique(np.round(values / scale, 6))) <= 3
    return math.exp(3.0 / math.sqrt(2.0 * groups)) if few else 4.0


def name_of(function: Any) -> str:
    """Return what messages call a function."""
    return str(getattr(function, "__name__", None) or repr(function))


def _take(column: Any, rows: NDArray[np.intp]) -> Any:
    """Return some rows of a column of any kind, a row as often as it is named."""
    if hasattr(column, "iloc"):
        return column.iloc[rows]
    indexed = hasattr(column, "__array__") and not hasattr(column, "to_pylist")  # of pyarrow
    return column[rows] if indexed else np.asarray(column)[rows]


def _groups(dependence: Dependence, size: int, most: int) -> tuple[Codes, Dependence]:
    """Return which rows are moved together, and how rows depend on each other then."""
    if dependence.crossed:
        return np.arange(size), dependence
    if dependence.times is not None:
        times = dependence.times
        return times * min(most, int(times.max()) + 1) // (int(times.max()) + 1), dependence
    units = np.arange(size) if dependence.clusters is None else dependence.clusters
    count = int(units.max()) + 1
    if count <= most:
        return units, dependence
    drawn = np.random.default_rng(0).permutation(count) % most
    groups = np.asarray(drawn[units], dtype=np.intp)
    return groups, replace(dependence, clusters=groups, before=dependence.before or dependence)

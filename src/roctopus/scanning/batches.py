"""From batches of columns to cases: what is missing or wrong is counted, not met later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from roctopus.arms import find_arm
from roctopus.comparison.missing import Missing, tell_missing
from roctopus.concepts.streams import Batch, Columns, ends_of
from roctopus.core.arrays import Floats, as_float
from roctopus.core.errors import InputError, arg
from roctopus.core.labels import SHOWN, is_label, plain_class, refuse_label, refuse_text

PILOT = 1 << 16
"""So many of the first rows say where buckets lie."""
PLACES = sum(
    scale * np.random.default_rng(seed).integers(0, 2, 1 << 17).astype(np.intp)
    for seed, scale in ((0, 2), (1, 1))
)
"""The part of each row of a batch."""


@dataclass
class Counts:
    """Rows that were seen, those that count, and what is wrong with the others."""

    rows: int = 0
    kept: int = 0
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By what is wrong and the column."""
    seen: set[Any] = field(default_factory=set)
    """Some of the classes that were met, where one of two is named as positive."""
    strange: set[Any] = field(default_factory=set)
    """Some of the truths that are no class, where classes are listed."""

    def merge(self, other: Counts) -> None:
        """Take in what another part of the data has."""
        self.seen |= other.seen
        self.strange |= other.strange
        self.rows += other.rows
        self.kept += other.kept
        self.wrong += other.wrong

    def refuse(self, missing: Missing, models: Mapping[str, str], where: str) -> None:
        """Refuse data in which something is wrong; warn of predictions that may be missing."""
        if self.rows == 0:
            raise InputError(f"'{where}' has no rows.")
        told = {
            "missing": "has no value",
            "infinite": "is infinite",
            "negative": "is negative",
            "outside": "is not between 0 and 1",
            "label": f"contains values that are not in {arg('labels')}",
        }
        named = {column: name for name, column in models.items()}
        lacking = {}
        for (what, column), count in sorted(self.wrong.items()):
            if what == "missing" and column in named:
                lacking[named[column]] = count
                continue
            advice = "Correct these rows, or leave them out."
            if what == "outside":
                advice = (
                    "Convert the column to probabilities, or leave out "
                    f"{arg('mode')} to compare the scores in memory."
                )
            such = ""
            if what == "label" and self.strange:
                such = f", such as {plain_class(min(self.strange, key=str))!r}"
            raise InputError(
                f"In {count} of {self.rows} rows, the column {column!r} {told[what]}{such}. "
                f"{advice}"
            )
        ordered = {name: lacking[name] for name in models if name in lacking}
        tell_missing(ordered, self.kept, self.rows, missing)
        if self.kept == 0:
            raise InputError(f"No row of '{where}' has a weight above 0.")


class ReadRows(NamedTuple):
    """Columns of the rows that count."""

    truth: Any
    weight: Floats | None
    predictions: dict[str, Floats]
    context: Floats | None = None
    """The context of each row, where it has its own."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Which columns are what, and what an arm asks of them."""

    arm: str
    truths: tuple[str, ...]
    """Columns of the truth: one, or several where an arm takes more."""
    models: Mapping[str, str]
    """Columns of predictions by the names of the models."""
    weight: str | None = None
    labels: tuple[Any, ...] | None = None
    """Classes in order; truths are then their numbers."""
    positive: Any = None
    """The positive one of two classes, where only this one is known; truths are then 0 and 1."""
    context: str | None = None
    """The column with the context of each row."""
    relative: bool = False
    """Whether truths and predictions are read less the context of their row."""

    @property
    def truth_name(self) -> str:
        """The column of the truth, for messages and states."""
        return self.truths[0]

    @property
    def columns(self) -> list[str]:
        """All columns that are read."""
        extra = [name for name in (self.weight, self.context) if name is not None]
        return list(dict.fromkeys([*self.truths, *self.models.values(), *extra]))

    def read(
        self, batch: Columns, counts: Counts, known: dict[Any, Any] | None = None
    ) -> ReadRows | None:
        """Return truths, weights and predictions of the rows that count; None if there are none."""
        columns = {name: batch[name] for name in self.columns}
        if self.labels is not None:
            columns[self.truth_name] = self._coded(columns[self.truth_name], counts)
        elif self.positive is not None:
            columns[self.truth_name] = self._is_positive(columns[self.truth_name], counts)
        for name, values in columns.items():
            if values.dtype.kind != "f":
                self._refuse_text(name, values)
        size = len(columns[self.truth_name])
        counts.rows += size
        if size == 0:
            return None
        good = self._good(columns, counts, {} if known is None else known)
        if good is not None:
            if not good.any():
                return None
            if known is not None:
                known["good", self] = good
            columns = {name: np.compress(good, each) for name, each in columns.items()}
        counts.kept += len(columns[self.truth_name])
        weight = None if self.weight is None else columns[self.weight]
        predictions = {name: columns[column] for name, column in self.models.items()}
        truths = [columns[name] for name in self.truths]
        truth = truths[0] if len(truths) == 1 else np.stack(truths, axis=1)
        context = None if self.context is None else columns[self.context]
        found = ReadRows(truth, weight, predictions, context)
        return _less_context(found) if self.relative else found

    def first(self, pilot: Columns) -> ReadRows:
        """Return the first rows, by which buckets are laid; a whole scan says what is wrong."""
        found = self.read(pilot, Counts())
        if found is not None:
            return found
        empty = {name: values[:0] for name, values in pilot.items()}
        own = None if self.context is None else empty[self.context]
        return ReadRows(empty[self.truth_name], None, empty, own)

    def truths_in(self, batch: Columns) -> list[Floats]:
        """Return the truths of a batch as numbers, labels by their place; none of other text."""
        truths = [batch[name] for name in self.truths]
        if self.positive is not None:
            truths = [self._is_positive(truths[0], Counts())]
        elif self.labels is not None and truths[0].dtype.kind != "f":
            truths = [self._coded(truths[0], Counts())]
        return [np.nan_to_num(each) for each in truths if each.dtype.kind == "f"]

    def _refuse_text(self, name: str, values: NDArray[Any]) -> NoReturn:
        """Raise an error for text in place of numbers."""
        arm = find_arm(self.arm)
        texts = sorted({each for each in values.tolist() if isinstance(each, str)})
        if arm.two_classes and name == self.truth_name and len(texts) <= 2:
            refuse_text(texts, f"The column {name!r}")
        hint = f" Use {arg('labels')} to list the classes in order." if arm.text_truths else ""
        raise InputError(
            f"The column {name!r} must contain numbers, but contains text, such as "
            f"{texts[0][:20]!r}.{hint}"
        )

    def _is_positive(self, truth: NDArray[Any], counts: Counts) -> Floats:
        """Return 1 for the positive class, 0 for others, and NaN for none; note what is met."""
        positive = _as_number(self.positive) if truth.dtype.kind == "f" else self.positive
        values, inverse = np.unique(truth, return_inverse=True)
        met = [each for each in values.tolist() if each == each]
        counts.seen.update(met[: SHOWN + 1])
        codes = [np.nan if each != each else float(each == positive) for each in values.tolist()]
        return np.array(codes)[inverse]

    def with_classes(self, seen: set[Any]) -> Reading:
        """Return the reading of both classes, by what was met; two are needed."""
        found = sorted(map(plain_class, seen), key=str)
        where = f"the column {self.truth_name!r}"
        if len(found) != 2:
            told = ", ".join(map(repr, found[:SHOWN])) + (", …" if len(found) > SHOWN else "")
            only = "only " if len(found) == 1 else ""
            raise InputError(f"T{where[1:]} must have exactly two classes, but has {only}{told}.")
        named = self.positive, _as_number(self.positive)
        first, second = (any(is_label(each, label) for each in named) for label in found)
        if not (first or second):
            refuse_label(self.positive, found, where)
        return replace(self, labels=tuple(found if second else found[::-1]), positive=None)

    def _coded(self, truth: NDArray[Any], counts: Counts) -> Floats:
        """Return the number of each label; −1 for one that is not known, NaN for none."""
        assert self.labels is not None
        known: dict[Any, float] = {label: float(k) for k, label in enumerate(self.labels)}
        if truth.dtype.kind == "f":  # text of digits was read as numbers
            known |= {_as_number(label): float(k) for k, label in enumerate(self.labels)}
        values, inverse = np.unique(truth, return_inverse=True)
        codes = [np.nan if each != each else known.get(each, -1.0) for each in values.tolist()]
        counts.strange.update([v for v, k in zip(values.tolist(), codes, strict=True) if k < 0][:1])
        return np.array(codes)[inverse]

    def _good(
        self, columns: Columns, counts: Counts, known: dict[Any, Any]
    ) -> NDArray[np.bool_] | None:
        """Return the rows that count; None if all do."""
        bad: list[NDArray[np.bool_]] = []
        arm = find_arm(self.arm)

        def count(what: str, column: str, wrong: NDArray[np.bool_]) -> None:
            number = int(np.count_nonzero(wrong))
            if number:
                counts.wrong[(what, column)] += number
                bad.append(wrong)

        for name, values in columns.items():
            # A sum is finite only where all numbers are.
            key = ("sum", id(values))
            if key not in known:
                with np.errstate(over="ignore", invalid="ignore"):
                    known[key] = values, float(values.sum())
            if not np.isfinite(known[key][1]):
                nan = np.isnan(values)
                count("missing", name, nan)
                if not (arm.infinite_predictions and name in self.models.values()):
                    count("infinite", name, np.isinf(values))
        if self.labels is not None:
            count("label", self.truth_name, columns[self.truth_name] < 0.0)
        if arm.prediction_range is not None:
            least, most = arm.prediction_range
            for name in self.models.values():
                values = columns[name]
                low, high = ends_of(values, known)
                if not (low >= least and high <= most):
                    count("outside", name, (values < least) | (values > most))
        if self.weight is not None:
            values = columns[self.weight]
            least = float(values.min())
            if least < 0.0 or least != least:
                count("negative", self.weight, values < 0.0)
            if not least > 0.0:
                bad.append(values == 0.0)  # absent, which is nothing wrong
        if not bad:
            return None
        return np.asarray(~np.logical_or.reduce(bad))

    def cases(
        self, batch: Columns, counts: Counts, known: dict[Any, Any] | None = None
    ) -> tuple[Batch, dict[str, Floats]] | None:
        """Return a batch of cases and the predictions of them; ``known`` is shared by arms."""
        known = {} if known is None else known
        size = len(batch[self.truth_name])
        found = self.read(batch, counts, known)
        if found is None:
            return None
        truth, weight, predictions, context = found
        if ("parts", size) not in known:
            known["parts", size] = parts_by_place(size)
        part = known["parts", size]
        if len(truth) < size:
            part = np.compress(known["good", self], part)
        return Batch(truth, weight, part, known, context), predictions


def _less_context(rows: ReadRows) -> ReadRows:
    """Return rows as they look from their own contexts, which are 0 then."""
    assert rows.context is not None
    with np.errstate(over="ignore"):
        moved = {name: each - rows.context for name, each in rows.predictions.items()}
        return ReadRows(rows.truth - rows.context, rows.weight, moved)


def parts_by_place(size: int) -> NDArray[np.intp]:
    """Return the part of each row of a batch, by its place: independent of all that it holds.

    (A hash of what rows hold would put equal rows into one part, and so tell parts apart.)
    """
    return np.resize(PLACES, size)


def _as_number(label: Any) -> Any:
    try:
        return as_float(label)
    except (TypeError, ValueError):
        return label

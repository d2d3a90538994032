"""What is kept of a scan of all rows: grids, rows of some buckets, sorted records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from roctopus.concepts.streams import Columns, ModelGrid, OpenedRows
from roctopus.core.errors import InputError, arg
from roctopus.core.piecewise import Index
from roctopus.scanning.batches import Counts, Reading, ReadRows
from roctopus.scanning.own_contexts import ContextSums


def truths_of(truth: Any, classes: Any) -> Any:
    """Return truths as a problem takes them: of classes, their numbers."""
    return truth if classes is None else np.searchsorted(classes, truth).astype(np.float64)


@dataclass(eq=False)
class GridScan:
    """The grids of all models."""

    reading: Reading
    grids: dict[str, ModelGrid]
    constant: ModelGrid | None = None
    """The grid of a prediction of 0 for all: the best constant is learned from it."""
    contexts: ContextSums | None = None
    """What is kept of the contexts of rows, where each has its own."""
    counts: Counts = field(default_factory=Counts)

    def update(self, batch: Columns, known: dict[Any, Any] | None = None) -> None:
        """Take a batch in; what several arms would work out again is ``known``."""
        found = self.reading.cases(batch, self.counts, known)
        if found is None:
            return
        cases, predictions = found
        for name, grid in self.grids.items():
            grid.update(cases, predictions[name])
        if self.constant is not None:
            self.constant.update(cases, np.zeros(len(cases.part)))
        if self.contexts is not None:
            self.contexts.update(cases)

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        self.counts.merge(other.counts)
        for name, grid in self.grids.items():
            grid.merge(other.grids[name])
        if self.constant is not None and other.constant is not None:
            self.constant.merge(other.constant)
        if self.contexts is not None and other.contexts is not None:
            self.contexts.merge(other.contexts)


class OpeningScan:
    """The rows of some buckets, as they are."""

    def __init__(
        self, reading: Reading, grids: Mapping[str, Any], wanted: Mapping[str, Index], most: int
    ) -> None:
        self.reading, self.most = reading, most
        self.wanted = {
            name: (grid.key, grid.buckets, np.isin(np.arange(grid.buckets.count), wanted[name]))
            for name, grid in grids.items()
            if len(wanted[name])
        }
        self.found: dict[str, list[OpenedRows]] = {name: [] for name in grids}
        self.size = 0

    def update(self, batch: Columns) -> None:
        """Take the rows of a batch that lie in these buckets."""
        read = self.reading.read(batch, Counts())
        if read is None:
            return
        truth, weight, predictions, _ = read
        for name, (key, buckets, wanted) in self.wanted.items():
            bucket = buckets.numbers(key(truth, predictions[name]))
            mine = np.flatnonzero(wanted[bucket])
            if len(mine):
                masses = None if weight is None else weight[mine]
                rows = OpenedRows(truth[mine], predictions[name][mine], masses, bucket[mine])
                self.found.setdefault(name, []).append(rows)
                self.size += len(mine)
        self._refuse_too_many()

    def _refuse_too_many(self) -> None:
        if self.size > self.most:
            self.found = {name: [_joined(rows)] for name, rows in self.found.items() if rows}
            self.size = sum(len(rows[0].bucket) for rows in self.found.values())
        if self.size > self.most:
            raise InputError(
                f"More than {self.most:,} rows are too similar to be separated by buckets. Use a "
                f"larger number of {arg('buckets')}, or {arg('mode', 'grid')}."
            )

    def merge(self, other: Self) -> None:
        """Take in what another scan has found."""
        for name, rows in other.found.items():
            self.found.setdefault(name, []).extend(rows)
        self.size += other.size
        self._refuse_too_many()

    def rows(self, name: str) -> OpenedRows:
        """Return the rows of one model."""
        nothing = np.empty(0)
        none = OpenedRows(nothing, nothing, None, np.empty(0, dtype=np.intp))
        return _laid_together(self.found.get(name) or [none])


def _laid_together(parts: list[OpenedRows]) -> OpenedRows:
    weighted = any(part.weight is not None for part in parts)
    weights = [np.ones(len(p.bucket)) if p.weight is None else p.weight for p in parts]
    truth, prediction, bucket = (
        np.concatenate([getattr(part, field) for part in parts])
        for field in ("truth", "prediction", "bucket")
    )
    return OpenedRows(truth, prediction, np.concatenate(weights) if weighted else None, bucket)


def _joined(parts: list[OpenedRows]) -> OpenedRows:
    """Return rows with equal ones as one, of their weight together."""
    rows = _laid_together(parts)
    weight = np.ones(len(rows.bucket)) if rows.weight is None else rows.weight
    keys = [rows.prediction, *rows.truth.reshape(len(rows.prediction), -1).T]
    order = np.lexsort(keys)
    new = np.append(True, np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0))
    truth, prediction = rows.truth[order], rows.prediction[order]
    begin = np.flatnonzero(new)
    mass = np.add.reduceat(weight[order], begin)
    return OpenedRows(truth[begin], prediction[begin], mass, rows.bucket[order][begin])


@dataclass(eq=False)
class OrderedScan:
    """An ordered state that gets to see only the rows that count."""

    reading: Reading
    model: str
    state: Any

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return the records of the rows that count."""
        found = self.reading.read(batch, Counts())
        names = (self.reading.truth_name, self.reading.models[self.model], self.reading.weight)
        nothing = np.empty(0)
        truth, weight, predictions, _ = found or ReadRows(nothing, nothing, {self.model: nothing})
        columns = dict(zip(names, (truth, predictions[self.model], weight), strict=True))
        return dict(self.state.records(columns))

    def advance(self, records: Columns) -> None:
        """Move over a sorted chunk."""
        self.state.advance(records)

    def lifted(self) -> Self:
        """Return an empty state."""
        return type(self)(self.reading, self.model, self.state.lifted())

    def merge(self, right: Self) -> None:
        """Take in a lifted state of larger keys."""
        self.state.merge(right.state)

    @property
    def value(self) -> float:
        """What sorted rows lead to."""
        return float(self.state.value)

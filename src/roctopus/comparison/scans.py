"""What is kept of a scan of all rows: grids, rows of some buckets, outcomes of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from roctopus.comparison.aims import Aim
from roctopus.comparison.batches import Counts, Reading
from roctopus.comparison.policies import Learned, judge, untuned_outcomes
from roctopus.concepts.fingerprints import hash_rows
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import Columns, ModelGrid, Rows
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.moments import JointMoments
from roctopus.core.piecewise import Index

__all__ = [
    "GridScan",
    "JudgingScan",
    "OpeningScan",
    "OrderedScan",
    "OutcomeScan",
    "TunedScan",
    "truths_of",
]


def truths_of(arm: str, truth: Any, classes: Any) -> Any:
    """Return truths as a problem takes them: of classes, their numbers."""
    if arm in ("ordinal", "probability"):
        return np.searchsorted(classes, truth).astype(np.float64)
    return truth


class GridScan:
    """The grids of all models."""

    def __init__(self, reading: Reading, grids: Mapping[str, ModelGrid]) -> None:
        self.reading, self.grids = reading, dict(grids)
        self.counts = Counts()

    def update(self, batch: Columns, known: dict[Any, Any] | None = None) -> None:
        """Take a batch in; what several arms would work out again is ``known``."""
        found = self.reading.cases(batch, self.counts, known)
        if found is None:
            return
        cases, predictions = found
        for name, grid in self.grids.items():
            grid.update(cases, predictions[name])

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        self.counts.merge(other.counts)
        for name, grid in self.grids.items():
            grid.merge(other.grids[name])


class ArmsScan:
    """The grids of several arms, by one scan."""

    def __init__(self, scans: Mapping[str, GridScan]) -> None:
        self.scans = dict(scans)

    def update(self, batch: Columns) -> None:
        """Take a batch in."""
        known: dict[Any, Any] = {}
        for scan in self.scans.values():
            scan.update(batch, known)

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        for name, scan in self.scans.items():
            scan.merge(other.scans[name])


class OpeningScan:
    """The rows of some buckets, as they are."""

    def __init__(
        self,
        reading: Reading,
        grids: Mapping[str, Any],
        wanted: Mapping[str, Index],
        most: int,
    ) -> None:
        self.reading, self.most = reading, most
        self.wanted = {
            name: (grid.key, grid.buckets, np.isin(np.arange(grid.buckets.count), wanted[name]))
            for name, grid in grids.items()
            if len(wanted[name])
        }
        self.found: dict[str, list[Rows]] = {name: [] for name in grids}
        self.size = 0

    def update(self, batch: Columns) -> None:
        """Take the rows of a batch that lie in these buckets."""
        read = self.reading.read(batch, Counts())
        if read is None:
            return
        truth, weight, predictions = read
        for name, (key, buckets, wanted) in self.wanted.items():
            bucket = buckets.numbers(key(truth, predictions[name]))
            mine = np.flatnonzero(wanted[bucket])
            if len(mine):
                masses = None if weight is None else weight[mine]
                rows = Rows(truth[mine], predictions[name][mine], masses, bucket[mine])
                self.found.setdefault(name, []).append(rows)
                self.size += len(mine)
        self._refuse_too_many()

    def _refuse_too_many(self) -> None:
        if self.size > self.most:
            self.found = {name: [_joined(rows)] for name, rows in self.found.items() if rows}
            self.size = sum(len(rows[0].bucket) for rows in self.found.values())
        if self.size > self.most:
            raise InputError(
                f"More than {self.most} rows are too alike to be told apart by buckets. Use more "
                "of them ('buckets'), more memory ('memory'), or mode='grid'."
            )

    def merge(self, other: Self) -> None:
        """Take in what another scan has found."""
        for name, rows in other.found.items():
            self.found.setdefault(name, []).extend(rows)
        self.size += other.size
        self._refuse_too_many()

    def rows(self, name: str) -> Rows:
        """Return the rows of one model."""
        parts = self.found.get(name, [])
        if not parts:
            nothing = np.empty(0)
            return Rows(nothing, nothing, None, np.empty(0, dtype=np.intp))
        return _laid_together(parts)


def _laid_together(parts: list[Rows]) -> Rows:
    weighted = any(part.weight is not None for part in parts)
    weights = [np.ones(len(p.bucket)) if p.weight is None else p.weight for p in parts]
    truth, prediction, bucket = (
        np.concatenate([getattr(part, field) for part in parts])
        for field in ("truth", "prediction", "bucket")
    )
    return Rows(truth, prediction, np.concatenate(weights) if weighted else None, bucket)


def _joined(parts: list[Rows]) -> Rows:
    """Return rows with equal ones as one, of their weight together."""
    rows = _laid_together(parts)
    weight = np.ones(len(rows.bucket)) if rows.weight is None else rows.weight
    order = np.lexsort((rows.truth, rows.prediction))
    truth, prediction = rows.truth[order], rows.prediction[order]
    new = np.append(True, (truth[1:] != truth[:-1]) | (prediction[1:] != prediction[:-1]))
    begin = np.flatnonzero(new)
    mass = np.add.reduceat(weight[order], begin)
    return Rows(truth[begin], prediction[begin], mass, rows.bucket[order][begin])


class OrderedScan:
    """An ordered state that gets to see only the rows that count."""

    def __init__(self, reading: Reading, model: str, state: Any) -> None:
        self.reading, self.model, self.state = reading, model, state

    def records(self, batch: Columns) -> dict[str, Any]:
        """Return the records of the rows that count."""
        found = self.reading.read(batch, Counts())
        names = (self.reading.truth, self.reading.models[self.model], self.reading.weight)
        if found is None:
            nothing = {name: np.empty(0) for name in names if name is not None}
            return dict(self.state.records(nothing))
        truth, weight, predictions = found
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


class OutcomeScan:
    """Means and products of columns of outcomes."""

    def __init__(self, reading: Reading, problem: Problem, classes: Any) -> None:
        self.reading, self.problem, self.classes = reading, problem, classes
        self.moments: JointMoments | None = None

    def columns(self, cases: Problem, predictions: dict[str, Floats], half: Index) -> list[Floats]:
        """Return the outcomes of a batch."""
        raise NotImplementedError

    def update(self, batch: Columns) -> None:
        """Take a batch in."""
        found = self.reading.cases(batch, Counts())
        if found is None:
            return
        read, predictions = found
        truth = truths_of(self.reading.arm, read.truth, self.classes)
        cases = self.problem.on(truth, read.weight)
        columns = np.array(self.columns(cases, predictions, read.half))
        if self.moments is None:
            self.moments = JointMoments(len(columns))
        self.moments.add(columns, read.weight)

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        if self.moments is None:
            self.moments = other.moments
        elif other.moments is not None:
            self.moments.merge(other.moments)


class JudgingScan(OutcomeScan):
    """What decisions give: learned on all rows, on the other half, and if nothing is tuned."""

    def __init__(
        self,
        reading: Reading,
        problem: Problem,
        classes: Any,
        aim: Aim,
        learned: tuple[Learned, Learned, Learned],
    ) -> None:
        super().__init__(reading, problem, classes)
        self.aim, self.learned = aim, learned
        self.order = learned[0].ranked
        """The best model first: differences to a wild one would drown those between others."""
        self.hashes = np.zeros((2, 2), dtype=np.uint64)
        self.weights = [np.inf, -np.inf]

    def columns(self, cases: Problem, predictions: dict[str, Floats], half: Index) -> list[Floats]:
        """Return honest outcomes, those of the choice between models, in-sample, and untuned."""
        everything = np.arange(len(half))
        whole, *halves = self.learned
        names = self.order
        honest: dict[str, Floats] = {}
        width = 1 if self.aim.law is not None or not cases.linear else len(self.aim.contexts)
        policy = np.empty((len(half), width))
        for number in (0, 1):  # judged by what the other half taught
            rows = np.flatnonzero(half == number)
            if not len(rows):
                continue
            taught = halves[1 - number]
            found = judge(cases, predictions, self.aim, taught, rows)
            for name, outcomes in found.items():
                if name not in honest:
                    honest[name] = np.empty((len(half), outcomes.shape[1]))
                honest[name][rows] = outcomes
            policy[rows] = found[taught.ranked[0]]
        in_sample = judge(cases, predictions, self.aim, whole, everything)
        plain = [untuned_outcomes(cases, predictions, self.aim, whole, name) for name in names]
        # Differences to the first model, so that what models share does not drown them.
        first = honest[names[0]]
        apart = [first, *(honest[name] - first for name in names[1:]), policy - first]
        blocks = [*apart, *(in_sample[name] for name in names), *plain]
        self._hash(cases, predictions)
        return [column for block in blocks for column in block.T]

    def _hash(self, cases: Problem, predictions: dict[str, Floats]) -> None:
        ordered = [predictions[name] for name in sorted(predictions)]
        weight = () if cases.weight is None else (cases.weight,)
        for total, extra in zip(self.hashes, ((), weight), strict=True):
            sums = hash_rows((*cases.columns(), *extra, *ordered))
            total += np.array(sums, dtype=np.uint64)
        if cases.weight is not None:
            least, most = float(cases.weight.min()), float(cases.weight.max())
            self.weights = [min(self.weights[0], least), max(self.weights[1], most)]

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        super().merge(other)
        self.hashes += other.hashes
        self.weights = [
            min(self.weights[0], other.weights[0]),
            max(self.weights[1], other.weights[1]),
        ]


class TunedScan(OutcomeScan):
    """Outcomes at several contexts, every model tuned for each of them."""

    def __init__(
        self,
        reading: Reading,
        problem: Problem,
        classes: Any,
        contexts: Floats,
        knobs: Mapping[str, list[Floats]],
    ) -> None:
        super().__init__(reading, problem, classes)
        self.contexts, self.knobs = contexts, knobs

    def columns(self, cases: Problem, predictions: dict[str, Floats], half: Index) -> list[Floats]:
        """Return a column per context and model, differences to the first model after it."""
        found = []
        for number, x in enumerate(self.contexts.tolist()):
            mine = [cases.outcomes(predictions[m], k[number], x) for m, k in self.knobs.items()]
            found += [mine[0], *(each - mine[0] for each in mine[1:])]
        return found

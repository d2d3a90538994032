"""Scans that judge: outcomes of settings, as means and products of deviations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.concepts.fingerprints import hash_rows
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import Batch, Columns
from roctopus.concepts.wording import Baseline
from roctopus.core.arrays import Floats
from roctopus.core.buckets import HALVES
from roctopus.core.moments import JointMoments
from roctopus.inference.aims import Aim
from roctopus.inference.baselines import constants, judge_all
from roctopus.inference.policies import Learned, judge, untuned_outcomes
from roctopus.scanning.batches import Counts, Reading
from roctopus.scanning.scans import truths_of


@dataclass(eq=False)
class OutcomeScan(ABC):
    """Means and products of columns of outcomes."""

    reading: Reading
    problem: Problem
    classes: Any
    moments: JointMoments | None = field(default=None, init=False)

    @abstractmethod
    def columns(self, cases: Problem, predictions: dict[str, Floats], read: Batch) -> list[Floats]:
        """Return the outcomes of a batch."""

    def update(self, batch: Columns) -> None:
        """Take a batch in."""
        found = self.reading.cases(batch, Counts())
        if found is None:
            return
        read, predictions = found
        truth = truths_of(read.truth, self.classes)
        cases = self._cases(truth, read)
        columns = np.array(self.columns(cases, predictions, read))
        if self.moments is None:
            self.moments = JointMoments(len(columns))
        self.moments.add(columns, read.weight)

    def _cases(self, truth: Any, read: Batch) -> Problem:
        """Return the problem on the rows of a batch, each in its own context if that is asked."""
        if not isinstance(self.problem, OwnContexts):
            return self.problem.on(truth, read.weight)
        assert read.context is not None
        inner = self.problem.inner.on(truth, read.weight)
        return OwnContexts(inner, RowContexts(read.context))

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        if self.moments is None:
            self.moments = other.moments
        elif other.moments is not None:
            self.moments.merge(other.moments)


@dataclass(eq=False)
class JudgingScan(OutcomeScan):
    """What decisions give: learned on all rows, on the other half, untuned, and baselines."""

    aim: Aim
    whole: Learned
    rounds: tuple[tuple[Learned, Learned], ...]
    """What the two halves of the rows teach, for one or several ways to halve them."""
    baselines: Mapping[str, Baseline]
    hashes: NDArray[np.uint64] = field(
        default_factory=lambda: np.zeros((2, 2), dtype=np.uint64), init=False
    )
    least: float = field(default=np.inf, init=False)
    most: float = field(default=-np.inf, init=False)
    """The smallest and the largest weight."""
    moved: Floats | float = field(default=0.0, init=False)
    """For each further round, by how much more its out-of-sample outcomes add up to."""

    @property
    def order(self) -> tuple[str, ...]:
        """The best model first: differences to a wild one would drown those between others."""
        return self.whole.ranked

    def columns(self, cases: Problem, predictions: dict[str, Floats], read: Batch) -> list[Floats]:
        """Return out-of-sample outcomes, also of the choice and of baselines, in-sample, untuned.

        They are those of the first round.
        """
        every = {**predictions, **constants(cases, self.baselines)}
        rounds = [self._out_of_sample(cases, every, read.part, k) for k in range(len(self.rounds))]
        if len(rounds) > 1:
            weight = np.ones(len(read.part)) if read.weight is None else read.weight
            self.moved = self.moved + np.array([(each - rounds[0]) @ weight for each in rounds[1:]])
        in_sample = judge(cases, predictions, self.aim, self.whole, np.arange(len(read.part)))
        blocks = [in_sample[name] for name in self.order]
        blocks += [
            untuned_outcomes(cases, predictions, self.aim, self.whole, name) for name in self.order
        ]
        self._hash(cases, predictions, read.context)
        return [*rounds[0], *(column for block in blocks for column in block.T)]

    def _out_of_sample(
        self, cases: Problem, every: dict[str, Floats], part: NDArray[np.intp], number: int
    ) -> Floats:
        """Return outcomes of rows judged by what the other half taught, a row per column.

        They are those of the first model, differences to it, so that what models share does not
        drown them, and those of baselines.
        """
        honest: dict[str | None, Floats] = {}
        for half, taught in zip(HALVES[number], self.rounds[number][::-1], strict=True):
            rows = np.flatnonzero(np.isin(part, half))
            if not len(rows):
                continue
            found = judge_all(cases, every, self.aim, taught, rows, self.baselines)
            chosen = found[taught.ranked[0]]
            for name, outcomes in (*found.items(), (None, chosen)):
                honest.setdefault(name, np.empty((len(part), outcomes.shape[1])))[rows] = outcomes
        first = honest[self.order[0]]
        apart = [first, *(honest[name] - first for name in (*self.order[1:], None))]
        return np.concatenate([*apart, *(honest[name] for name in self.baselines)], axis=1).T

    def _hash(self, cases: Problem, predictions: dict[str, Floats], context: Floats | None) -> None:
        ordered = [predictions[name] for name in sorted(predictions)]
        own = () if context is None or isinstance(cases, OwnContexts) else (context,)
        weight = () if cases.weight is None else (cases.weight,)
        for total, extra in zip(self.hashes, ((), weight), strict=True):
            sums = hash_rows((*cases.columns(), *own, *extra, *ordered))
            total += np.array(sums, dtype=np.uint64)
        if cases.weight is not None:
            self.least = min(self.least, float(cases.weight.min()))
            self.most = max(self.most, float(cases.weight.max()))

    def merge(self, other: Self) -> None:
        """Take in what another scan has seen."""
        super().merge(other)
        self.moved = self.moved + other.moved
        self.hashes += other.hashes
        self.least, self.most = min(self.least, other.least), max(self.most, other.most)


@dataclass(eq=False)
class TunedScan(OutcomeScan):
    """Outcomes at several contexts, every model tuned for each of them."""

    contexts: Floats
    knobs: Mapping[str, list[Floats]]

    def columns(self, cases: Problem, predictions: dict[str, Floats], read: Batch) -> list[Floats]:
        """Return a column per context and model, differences to the first model after it."""
        found = []
        for number, x in enumerate(self.contexts.tolist()):
            mine = [cases.outcomes(predictions[m], k[number], x) for m, k in self.knobs.items()]
            found += [mine[0], *(each - mine[0] for each in mine[1:])]
        return found

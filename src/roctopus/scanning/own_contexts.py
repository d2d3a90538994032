"""The contexts of rows beyond memory, where each row has its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from roctopus.comparison.row_contexts import OwnContexts, read_contexts
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import Batch
from roctopus.core.arrays import Floats
from roctopus.core.buckets import Buckets, sum_by


class ContextSums:
    """The mass and the sum of contexts per bucket, and their ends."""

    def __init__(self, sample: Floats, count: int) -> None:
        self.buckets = Buckets.of(sample, count)
        self.mass, self.sums = np.zeros((2, count))
        self.low, self.high = np.inf, -np.inf

    def update(self, batch: Batch) -> None:
        """Take the contexts of a batch in."""
        context, count = batch.context, self.buckets.count
        assert context is not None
        bucket = batch.buckets_of(context, self.buckets)
        mass = np.ones(len(context)) if batch.weight is None else batch.weight
        self.mass += sum_by(bucket, mass, count)
        self.sums += sum_by(bucket, mass * (context - self.buckets.location), count)
        low, high = batch.ends_of(context)
        self.low, self.high = min(self.low, low), max(self.high, high)

    def merge(self, other: Self) -> None:
        """Take in what another part of the rows has."""
        self.mass += other.mass
        self.sums += other.sums
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)

    def points(self) -> tuple[Floats, Floats]:
        """Return contexts that stand for all, with their masses; those at the ends have none."""
        some = self.mass > 0.0
        mean = self.buckets.location + self.sums[some] / self.mass[some]
        values = np.concatenate([[self.low], np.clip(mean, self.low, self.high), [self.high]])
        return values, np.concatenate([[0.0], self.mass[some], [0.0]])


def own_problem(problem: Problem, words: Iterable[str], sums: ContextSums) -> OwnContexts:
    """Return the problem of a few cases that stand for all, each in its own context.

    Their truths mean nothing: rows are judged as they are, in their own contexts.
    """
    values, mass = sums.points()
    return OwnContexts(*read_contexts(problem.on(values, mass), dict.fromkeys(words, values)))

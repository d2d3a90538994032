"""Small states for tests of sources; a module of its own, so that executors can import it."""

import os
import time
from pathlib import Path

import numpy as np

from roctopus.core.errors import InputError


class Sums:
    """Order-free: rows, missing values and a sum per column; may be slow, and leave traces."""

    def __init__(self, columns, traces=None):
        self.columns = list(columns)
        self.traces = traces
        self.rows = 0
        self.missing = 0
        self.sums = np.zeros(len(self.columns))

    def update(self, batch):
        if self.traces:
            leave_trace(self.traces)
        self.rows += len(batch[self.columns[0]])
        for place, name in enumerate(self.columns):
            column = batch[name]
            assert column.dtype == np.float64
            self.missing += int(np.isnan(column).sum())
            self.sums[place] += np.nansum(column)

    def merge(self, other):
        self.rows += other.rows
        self.missing += other.missing
        self.sums += other.sums


class Names:
    """Order-free: how often each label occurs."""

    def __init__(self, column):
        self.column = column
        self.counts = {}

    def update(self, batch):
        column = batch[self.column]
        assert column.dtype == object
        for name in column:
            self.counts[name] = self.counts.get(name, 0) + 1

    def merge(self, other):
        for name, count in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + count


class Pairs:
    """Ordered: weight of pairs (0, 1) that the score puts right; ties count one half.

    Each row gives ``copies`` records. A label other than 0 and 1 is refused.
    """

    def __init__(self, copies=1, traces=None):
        self.copies = copies
        self.traces = traces
        self.zeros = self.ones = self.pairs = 0.0
        self.last = -np.inf
        self.merges = 0

    def records(self, batch):
        if not np.isin(batch["label"], [0.0, 1.0]).all():
            raise InputError("The column 'label' must hold 0 and 1.")
        columns = {"key": batch["score"], "label": batch["label"], "weight": batch["weight"]}
        return {name: np.tile(column, self.copies) for name, column in columns.items()}

    def advance(self, records):
        if self.traces:
            leave_trace(self.traces)
        keys, label, weight = records["key"], records["label"], records["weight"]
        assert len(keys)
        assert keys[0] > self.last, "a tie group was cut, or keys came in the wrong order"
        assert (np.diff(keys) >= 0).all()
        self.last = float(keys[-1])
        starts = np.flatnonzero(np.r_[True, np.diff(keys) > 0])
        zeros = np.add.reduceat(np.where(label == 0, weight, 0.0), starts)
        ones = np.add.reduceat(np.where(label == 1, weight, 0.0), starts)
        below = self.zeros + np.cumsum(zeros) - zeros
        self.pairs += float(np.sum(ones * (below + zeros / 2)))
        self.zeros += float(zeros.sum())
        self.ones += float(ones.sum())

    def lifted(self):
        return Pairs(self.copies, self.traces)

    def merge(self, right):
        assert right.last > self.last
        self.pairs += right.pairs + self.zeros * right.ones
        self.zeros += right.zeros
        self.ones += right.ones
        self.last = right.last
        self.merges += 1

    @property
    def results(self):
        return np.array([self.pairs, self.zeros, self.ones])


def leave_trace(folder):
    """Tell that a task is at work and where; from the third on, wait until a worker was killed."""
    from pyspark import TaskContext

    context = TaskContext.get()
    name = f"{context.partitionId()}-{context.taskAttemptId()}"
    (Path(folder) / name).write_text(str(Path.cwd()))
    end = time.monotonic() + 60
    while len(os.listdir(folder)) > 2 and not killed(folder).exists() and time.monotonic() < end:
        time.sleep(0.01)


def killed(folder):
    """Return the file that tells tasks that a worker was killed."""
    return Path(f"{folder}-killed")

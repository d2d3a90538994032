"""Ratios to np.sort, measured in one run: jobs take turns, medians are compared.

Machines are noisy, so no number here is a timed test. A ratio is the median time of a job over the
median time of sorting the same number of doubles, with the sorts interleaved between the jobs.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Job:
    """A piece of work with its budget."""

    name: str
    run: Callable[[], object]
    budget: float
    """In sorts of n doubles."""
    models: int = 1


@dataclass(frozen=True)
class Row:
    """What was measured."""

    job: Job
    ratio: float
    milliseconds: float
    arrays: float
    """Peak memory beyond the inputs, in arrays of n doubles per model."""


def seconds(run: Callable[[], object]) -> float:
    """Time one run."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def peak_arrays(job: Job, n: int) -> float:
    """Return the peak of the memory a job allocates, in arrays of n doubles per model."""
    tracemalloc.start()
    job.run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (8 * n * job.models)


def measure(jobs: list[Job], n: int, rounds: int) -> list[Row]:
    """Run all jobs in turn, ``rounds`` times, a sort before each."""
    data = np.random.default_rng(0).normal(size=n)
    sorts: list[float] = []
    times: dict[str, list[float]] = {job.name: [] for job in jobs}
    for job in jobs:  # warm up: imports, page faults
        job.run()
    for _ in range(rounds):
        for job in jobs:
            sorts.append(seconds(lambda: np.sort(data)))
            times[job.name].append(seconds(job.run))
    sort = statistics.median(sorts)
    rows = []
    for job in jobs:
        middle = statistics.median(times[job.name])
        rows.append(Row(job, middle / sort, 1000 * middle, peak_arrays(job, n)))
    print(f"\nn = {n:,}: np.sort takes {1000 * sort:.1f} ms (median of {len(sorts)})")
    return rows


def show(rows: list[Row], memory_budget: float = 12.0) -> None:
    """Print one table; a star marks what is over its budget."""
    print(f"{'work':<44}{'x np.sort':>10}{'budget':>8}{'ms':>10}{'arrays/model':>14}")
    for row in rows:
        over = "*" if row.ratio > row.job.budget else " "
        heavy = "*" if row.arrays > memory_budget else " "
        print(
            f"{row.job.name:<44}{row.ratio:>9.1f}{over}{row.job.budget:>8g}"
            f"{row.milliseconds:>10.1f}{row.arrays:>13.1f}{heavy}"
        )

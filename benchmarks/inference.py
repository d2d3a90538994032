"""What uncertainty costs: standard errors, bootstrap and bands.

Usage: python benchmarks/inference.py [n]   (10⁶ by default; bootstrap and bands at n/10)
"""

from __future__ import annotations

import sys
import time
import tracemalloc
import warnings
from functools import partial

import coverage
import numpy as np

import roctopus as rt
from roctopus import inference


def median_time(job, rounds: int) -> float:
    """Return the median time of a job in seconds."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        job()
        times.append(time.perf_counter() - begin)
    return float(np.median(times))


def with_error(function, *args, **context) -> float:
    """Return the standard error of a metric."""
    return rt.estimate(function, *args, **context).standard_error


def standard_errors(n: int) -> None:
    """Compare value and value with standard error for every metric, against np.sort."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=n)
    print(f"n = {n:,}; budget: 3 x the value alone, or 25 x np.sort if that is more")
    print(f"{'metric':36}{'value':>9}{'with se':>9}{'ratio':>8}   (x np.sort)")
    for metric in rt.registered_metrics():
        y, (p,) = coverage.draw(metric.arm, "plain", n, rng)
        context = coverage.CONTEXTS.get(metric.name, {})
        jobs = [
            partial(np.sort, numbers),
            partial(metric.function, y, p, **context),
            partial(with_error, metric.function, y, p, **context),
        ]
        # Interleaved: the machine is noisy.
        times = np.array([[median_time(job, 1) for job in jobs] for _ in range(3)])
        unit, value, both = np.median(times, axis=0).tolist()
        first, second = value / unit, both / unit
        bad = "*" if second > max(3.0 * first, 25.0) else " "
        print(f"{metric.name:36}{first:9.1f}{second:9.1f}{second / first:8.1f}{bad}", flush=True)


def resampling(n: int) -> None:
    """Time 1,000 Poisson replicates of the AOC, and a band of 500 knots along RROC shifts."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    p = y + rng.normal(size=n)
    unit = median_time(lambda: np.sort(y), 9)
    jobs = {
        "AOC, 1,000 Poisson replicates": lambda: inference.bootstrap(
            rt.rroc_area_over_curve, y, p, normalize=True, progress=False
        ),
        "OVER along 500 shifts, simultaneous": lambda: inference.curve_band(
            rt.regression.over_estimation,
            y,
            p,
            along={"shift": np.linspace(-2.0, 2.0, 500)},
            normalize=True,
        ),
    }
    print(f"\nn = {n:,}: np.sort takes {1000 * unit:.2f} ms; budget 1,500 x and 1 GiB")
    for name, job in jobs.items():
        taken = median_time(job, 1)
        tracemalloc.start()
        job()
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
        print(f"{name:40}{taken / unit:9.0f} x np.sort{taken:8.2f} s{peak:8.0f} MiB")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    standard_errors(size)
    resampling(size // 10)

"""What the command line costs beside what it stands on.

``roctopus --help`` against importing typer and rich; ``roctopus compare`` of 5 models on Parquet
against the same questions to the Python API on the same data in memory. Jobs take turns; medians.

Usage: python benchmarks/cli.py [rows]   (10⁶ by default)
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import roctopus as rt

PROGRAM = Path(sys.executable).parent / "roctopus"


def seconds(job) -> float:
    """Time one run."""
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def turns(first, second, rounds: int) -> tuple[float, float]:
    """Return the median times of two jobs that take turns."""
    pairs = [(seconds(first), seconds(second)) for _ in range(rounds)]
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)


def call(*words: str) -> None:
    """Run a program, unseen."""
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def main(rows: int) -> None:
    """Print both ratios."""
    plain, helped = turns(
        lambda: call(sys.executable, "-c", "import typer, rich"),
        lambda: call(str(PROGRAM), "--help"),
        15,
    )
    print(f"roctopus --help: {helped:.3f} s, {helped / plain:.2f} x import typer, rich (budget 3)")
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, rows)
    models = {f"model {k}": y + rng.normal(0.3 * k, 5.0 + 0.2 * k, rows) for k in range(5)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.parquet"
        pq.write_table(pa.table({"y": y, **models}), path)
        said = ["compare", str(path), "--truth", "y", "--models", "model*", "--under-cost", "4"]

        def in_memory() -> None:
            comparison = rt.compare(y, models, arm="regression")
            comparison.decide(under_cost=4, over_cost=1)
            comparison.table(under_cost=4, over_cost=1, backend="pyarrow")
            _ = comparison.envelope.regions

        api, program = turns(in_memory, lambda: call(str(PROGRAM), *said), 3)
    print(
        f"roctopus compare, 5 models x {rows:,} rows of Parquet: {program:.2f} s, "
        f"{program / api:.2f} x the API in memory ({api:.2f} s; budget 3)"
    )


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)

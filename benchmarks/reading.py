"""What reading files costs: text against pyarrow's own reader, and a spreadsheet.

``compare`` of a CSV file of 10⁶ rows and six columns, beside pyarrow's reader and ``compare`` of
what it read (budget 1.2), in wall-clock and in processor time. Jobs take turns; medians. A
spreadsheet of 10⁵ rows (budget 5 s).

Usage: python benchmarks/reading.py [rows]   (10⁶ by default)
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
from tests.engines.books import WRITERS

import roctopus as rt

ROUNDS = 5
MODELS = ["a", "b", "c", "d"]


def spent(job: Any) -> tuple[float, float]:
    """Return the seconds of one run: on the clock, and of the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    job()
    return time.perf_counter() - clock, time.process_time() - processor


def answer(truth: Any, table: Any) -> None:
    """Answer one question."""
    found = rt.compare(truth, table, models=MODELS, arm="regression", progress=False)
    found.decide(under_cost=3, over_cost=1)


def by_pyarrow(path: Path) -> None:
    """Read with pyarrow's own reader, and answer."""
    answer("y", pc.read_csv(path))


def write(path: Path, rows: int) -> None:
    """Write a file of six columns."""
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, rows)
    columns = {"id": np.arange(rows), "y": np.round(y, 3)}
    columns |= {name: np.round(y + rng.normal(0, 4 + k, rows), 3) for k, name in enumerate(MODELS)}
    if path.suffix == ".csv":
        pc.write_csv(pa.table(columns), path)
    else:
        cells = [
            list(columns),
            *map(list, zip(*(c.tolist() for c in columns.values()), strict=True)),
        ]
        WRITERS[path.suffix](path, {"cases": cells})


def main(rows: int) -> None:
    """Print ratios and seconds."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        text, book = Path(folder) / "cases.csv", Path(folder) / "cases.xlsx"
        write(text, rows)
        pairs = [
            (spent(lambda: answer("y", str(text))), spent(lambda: by_pyarrow(text)))
            for _ in range(ROUNDS)
        ]
        for at, kind in enumerate(("wall clock", "processor")):
            ours, theirs = (statistics.median(pair[k][at] for pair in pairs) for k in (0, 1))
            print(
                f"CSV, {rows:,} rows, {kind}: {ours:.2f} s, pyarrow and compare {theirs:.2f} s, "
                f"{ours / theirs:.2f} x (budget 1.2)"
            )
        write(book, rows // 10)
        found = statistics.median(spent(lambda: answer("y", str(book)))[0] for _ in range(3))
        print(f"spreadsheet, {rows // 10:,} rows: {found:.1f} s (budget 5)")


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)

"""What a state costs on Spark beside Spark's own sum of the same columns.

10⁷ rows × 8 doubles of Parquet, on local[2] and on a real cluster of two workers on this machine.
Jobs take turns; medians. Then a worker is killed in the middle of a job: the digits must stay.

Put another state in the place of sums by naming it: ``module:callable``, called with the names
of the columns.

Usage: python benchmarks/spark.py [rows] [module:state]   (10⁷ by default)
"""

from __future__ import annotations

import importlib
import pickle
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from roctopus.engines.spark import SparkSource

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "engines"))
from cluster import cluster, session

COLUMNS = [f"x{number}" for number in range(8)]
FILES = 10
ROUNDS = 5


def write(folder: Path, rows: int) -> None:
    """Write the table, a file per tenth."""
    rng = np.random.default_rng(0)
    for number in range(FILES):
        columns = {name: rng.normal(size=rows // FILES) for name in COLUMNS}
        pq.write_table(pa.table(columns), folder / f"{number}.parquet")


def start_of(named: str):
    """Return the state that is named, before the first row."""
    module, _, made = named.partition(":")
    return getattr(importlib.import_module(module), made)(COLUMNS)


def seconds(job) -> float:
    """Time one run."""
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def compare(title: str, spark, folder: Path, start) -> bytes:
    """Print the ratio to Spark's own sum; return the state."""
    frame = spark.read.parquet(str(folder))
    source = SparkSource(frame)

    def own() -> None:
        frame.agg(dict.fromkeys(COLUMNS, "sum")).collect()

    def ours() -> bytes:
        return pickle.dumps(source.reduce(COLUMNS, start, lambda rows: None))

    found = ours()  # and warm up: code is compiled, Python's workers are started
    own()
    pairs = [(seconds(own), seconds(ours)) for _ in range(ROUNDS)]
    middle = statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs)
    print(
        f"{title:<14} Spark's sum {middle[0]:.2f} s, {type(start).__name__} {middle[1]:.2f} s: "
        f"{middle[1] / middle[0]:.1f} x (medians of {ROUNDS})",
        flush=True,
    )
    return found


def lose_a_worker(made, spark, folder: Path, start, expected: bytes) -> None:
    """Kill a worker once a task of the job is done, and compare."""
    tracker = spark.sparkContext.statusTracker()
    done = threading.Event()
    lost = [0]

    def kill() -> None:
        alive = True
        while not done.wait(0.05):
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if alive and any(stage and stage.numCompletedTasks for stage in stages):
                made.kill_worker()
                alive = False
            lost[0] = max(lost[0], *(stage.numFailedTasks for stage in stages if stage), 0)

    watcher = threading.Thread(target=kill, daemon=True)
    source = SparkSource(spark.read.parquet(str(folder)))
    watcher.start()
    begin = time.perf_counter()
    found = pickle.dumps(source.reduce(COLUMNS, start, lambda rows: None))
    took = time.perf_counter() - begin
    done.set()
    watcher.join()
    told = "same digits" if found == expected else "OTHER DIGITS"
    print(f"worker killed  {told}, tasks lost and run again: {lost[0]}, {took:.2f} s")


def main(rows: int, named: str) -> None:
    """Print two ratios, and whether a lost worker shows."""
    start = start_of(named)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        write(folder, rows)
        size = sum(each.stat().st_size for each in folder.iterdir())
        print(f"{rows:,} rows x {len(COLUMNS)} doubles, {size / 2**20:.0f} MiB of Parquet")
        # One split per file: as many tasks whatever the number of cores.
        options = {"spark.sql.files.maxPartitionBytes": str(size), "java": ""}
        options["spark.sql.files.openCostInBytes"] = str(size)
        with session("local[2]", **options) as spark:
            local = compare("local[2]", spark, folder, start)
        made = stack.enter_context(cluster())
        with session(made.url, **options) as spark:
            remote = compare("two workers", spark, folder, start)
            print(f"{'':<14} {'same digits' if remote == local else 'OTHER DIGITS'} as local[2]")
            lose_a_worker(made, spark, folder, start, remote)


if __name__ == "__main__":
    main(
        int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000,
        sys.argv[2] if len(sys.argv) > 2 else "spark_states:Sums",
    )

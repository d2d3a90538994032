"""What grids cost on Spark beside Spark's own sum of the same columns.

    python benchmarks/spark.py FOLDER [ROWS]

10⁷ rows × 8 doubles of Parquet, made in FOLDER as for ``scale.py``, on local[2] and on a real
cluster of two workers on this machine. Jobs take turns; medians. Then a worker is killed in the
middle of a job: the digits must stay.
"""

from __future__ import annotations

import pickle
import statistics
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from scale import COLUMNS, TRUTHS, make, start_state

from roctopus.engines.spark import SparkSource

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "engines"))
from cluster import cluster, session

ROUNDS = 5


def seconds(job) -> float:
    """Time one run."""
    begin = time.perf_counter()
    job()
    return time.perf_counter() - begin


def compare(title: str, spark, folder: Path, start) -> bytes:
    """Print the ratio to Spark's own sum; return the state."""
    frame = spark.read.parquet(*map(str, sorted(folder.glob("*.parquet"))))
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
        f"{title:<24} Spark's sum {middle[0]:.2f} s, grids {middle[1]:.2f} s: "
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
    source = SparkSource(spark.read.parquet(*map(str, sorted(folder.glob("*.parquet")))))
    watcher.start()
    begin = time.perf_counter()
    found = pickle.dumps(source.reduce(COLUMNS, start, lambda rows: None))
    took = time.perf_counter() - begin
    done.set()
    watcher.join()
    told = "same digits" if found == expected else "OTHER DIGITS"
    print(f"worker killed  {told}, tasks lost and run again: {lost[0]}, {took:.2f} s")


def main(where: str, rows: int) -> None:
    """Print the ratios, and whether a lost worker shows."""
    folder = make(Path(where), rows)
    size = sum(each.stat().st_size for each in folder.glob("*.parquet"))
    print(f"{rows:,} rows x {len(COLUMNS)} doubles, {size / 2**20:.0f} MiB of Parquet")
    # One split per file: as many tasks whatever the number of cores.
    options = {"spark.sql.files.maxPartitionBytes": str(size), "java": ""}
    options["spark.sql.files.openCostInBytes"] = str(size)
    found = {}
    with ExitStack() as stack:
        for title in ("local[2]", "two workers"):
            made = stack.enter_context(cluster()) if title == "two workers" else None
            with session(made.url if made else title, **options) as spark:
                files = map(str, sorted(folder.glob("*.parquet")))
                source = SparkSource(spark.read.parquet(*files))
                for arms in (["regression"], list(TRUTHS)):
                    start = start_state(source, arms)
                    name = f"{title}, {len(arms)} arm{'s' if len(arms) > 1 else ''}"
                    found[title, len(arms)] = start, compare(name, spark, folder, start)
                if made is not None:
                    same = found["two workers", 5][1] == found["local[2]", 5][1]
                    print("two workers and local[2]:", "same digits" if same else "OTHER DIGITS")
                    lose_a_worker(made, spark, folder, *found["two workers", 5])


if __name__ == "__main__":
    main(sys.argv[1], int(float(sys.argv[2])) if len(sys.argv) > 2 else 10_000_000)

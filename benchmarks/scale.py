"""Grids and sorted passes on 10⁶ to 10⁸ rows of Parquet, against DuckDB's own sums.

    python benchmarks/scale.py FOLDER [ROWS ...]

Makes the files in FOLDER (6.4 GB for 10⁸ rows; they are kept). One scan fills the grids of 4 models
in all 5 arms; DuckDB adds up the same 8 columns in the same run. Each measurement is a process of
its own, so that its peak memory is its own.
"""

import importlib
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

MODELS = ["a", "b", "c", "d"]
COLUMNS = ["y", "grade", "label", "weight", *MODELS]
TRUTHS = {
    "regression": "y",
    "cutoff": "y",
    "ordinal": "grade",
    "probability": "label",
    "impact": "y",
}
CHUNK = 1_000_000
ROWS = (1_000_000, 10_000_000, 100_000_000)


def make(folder, rows):
    """Write a file for every million rows: truths, classes, labels, weights, four predictions."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    where = folder / f"rows-{rows}"
    if (where / "done").exists():
        return where
    where.mkdir(parents=True, exist_ok=True)
    for begin in range(0, rows, CHUNK):
        rng = np.random.default_rng(begin)
        size = min(CHUNK, rows - begin)
        y = rng.gamma(2.0, 0.2, size)
        columns = {
            "y": y,
            "grade": np.digitize(y, [0.1, 0.3, 0.5, 0.9]).astype(float),
            "label": (y + 0.2 * rng.normal(size=size) > 0.4).astype(float),
            "weight": rng.integers(1, 4, size).astype(float),
        }
        for k, name in enumerate(MODELS):
            score = y + (0.1 + 0.05 * k) * rng.normal(size=size) - 0.4
            columns[name] = 1.0 / (1.0 + np.exp(-4.0 * score))
        path = where / f"part-{begin // CHUNK:04d}.parquet"
        pq.write_table(pa.table(columns), path, row_group_size=CHUNK // 2, use_dictionary=False)
    (where / "done").write_text("")
    return where


class ArmsScan:
    """The grids of several arms, by one scan."""

    def __init__(self, scans):
        self.scans = scans

    def update(self, batch):
        """Take a batch in."""
        known = {}
        for scan in self.scans.values():
            scan.update(batch, known)

    def merge(self, other):
        """Take in what another scan has seen."""
        for name, scan in self.scans.items():
            scan.merge(other.scans[name])


def start_state(source, arms):
    """Return empty grids of four models in some arms, with buckets laid by the first rows."""
    from roctopus.impact import value_times_price
    from roctopus.scanning.batches import Counts, Reading
    from roctopus.scanning.grids import start_grids
    from roctopus.scanning.scans import GridScan

    pilot = source.pilot(COLUMNS, 1 << 16)
    scans = {}
    for arm in arms:
        reading = Reading(arm, (TRUTHS[arm],), {name: name for name in MODELS})
        truth, _, predictions = reading.read(pilot, Counts())
        grids = start_grids(reading, truth, predictions, 4096, {"utility": value_times_price})
        scans[arm] = GridScan(reading, grids)
    return ArmsScan(scans)


def grid(where):
    """Fill the grids of five arms by one scan."""
    import pyarrow.dataset as ds

    from roctopus.engines.arrow import ArrowSource

    source = ArrowSource(ds.dataset(sorted(map(str, where.glob("*.parquet")))), "rows")
    found = source.reduce(COLUMNS, start_state(source, TRUTHS), lambda rows: None)
    regression = found.scans["regression"].grids["a"].scalars({})
    over, under = (regression[f"{side}_estimation"].value for side in ("over", "under"))
    return {"mean_absolute_error": over - under}


def sums(where):
    """Add up the columns with DuckDB."""
    import duckdb

    added = ", ".join(f'sum("{name}")' for name in COLUMNS)
    found = duckdb.sql(f"SELECT {added} FROM read_parquet('{where}/*.parquet')").fetchall()[0]
    return {"sum": found[0]}


def decide(where):
    """Compare four models and decide, all of it through the public interface."""
    import roctopus as rt

    files = str(where)
    found = rt.compare("y", files, models=MODELS, arm="regression", mode="grid", progress=False)
    return {"model": found.decide(under_cost=4, over_cost=1).model}


def exact(where, arm, truth, measure):
    """Sort the rows of one model under a limit of 2 GB."""
    import roctopus as rt

    found = rt.compare(
        truth, str(where), models=["a"], arm=arm, mode="exact", memory="2GB", progress=False
    )
    begun = time.perf_counter()
    value = found.measures("a")[measure].value
    return {measure: value, "sorting": time.perf_counter() - begun}


NAMES = {
    "sum": "DuckDB's sum of 8 columns",
    "grid": "grids, 5 arms × 4 models",
    "decide": "compare and decide, 4 models",
    "VUS": "exact VUS, sorted",
    "A_OCE": "exact A_OCE, sorted",
}
WORK = {
    "sum": sums,
    "grid": grid,
    "decide": decide,
    "VUS": lambda where: exact(where, "ordinal", "grade", "volume_under_surface"),
    "A_OCE": lambda where: exact(where, "cutoff", "y", "output_cutoff_area"),
}


def measure(what, where):
    """Run one piece of work in a process of its own."""
    code = [sys.executable, __file__, "--work", what, str(where)]
    done = subprocess.run(code, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def plot(found, path):
    """Draw the cost per row over the number of rows."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8.5, 4.2), layout="constrained")
    for what in found:
        rows = sorted(found[what])
        cost = [found[what][n]["seconds"] / n * 1e9 for n in rows]
        axes.plot(rows, cost, marker="o", label=NAMES[what])
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="nanoseconds per row")
    axes.set_title("What a row costs: sorts spill at 10⁸ rows, scans stay flat", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150)


def main():
    """Measure, interleaved, and print ratios."""
    if sys.argv[1] == "--work":
        for module in ("duckdb", "pyarrow.dataset", "roctopus.comparison", "roctopus.engines"):
            importlib.import_module(module)  # what is loaded once is not what rows cost
        begun = time.perf_counter()
        found = WORK[sys.argv[2]](Path(sys.argv[3]))
        seconds = time.perf_counter() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(json.dumps({"seconds": seconds, "GiB": peak, **found}))
        return
    folder = Path(sys.argv[1])
    sizes = [int(float(each)) for each in sys.argv[2:]] or list(ROWS)
    found = {}
    for rows in sizes:
        where = make(folder, rows)
        repeats = 3 if rows <= 10_000_000 else 2
        runs = {what: [] for what in WORK}
        for _ in range(repeats):
            for what in ("sum", "grid", "decide"):
                runs[what].append(measure(what, where))
        for what in ("VUS", "A_OCE"):
            runs[what].append(measure(what, where))
        for what, each in runs.items():
            middle = sorted(each, key=lambda run: run["seconds"])[len(each) // 2]
            found.setdefault(what, {})[rows] = middle
            ratio = middle["seconds"] / found["sum"][rows]["seconds"]
            print(
                f"{rows:>11,} {what:7s} {middle['seconds']:8.2f} s {ratio:6.1f} × sum "
                f"{middle['GiB']:5.2f} GiB {middle['seconds'] / rows * 1e9:7.1f} ns a row",
                flush=True,
            )
    plot(found, Path(__file__).with_name("scale.png"))


if __name__ == "__main__":
    main()

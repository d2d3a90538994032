"""WEKA itself beside what ``reproduction`` makes of it: linear regression, and trees we lack.

``WekaLinear`` must predict what WEKA's ``LinearRegression`` does; M5P says how many cells of the
rows "Trees" in Table 6 of "Binarised regression tasks" WEKA's own regression trees give.

Usage: python benchmarks/weka.py CLASSPATH FOLDER [halves]
(WEKA is not ours: ``apt-get install weka`` brings /usr/share/java/weka.jar; FOLDER holds the data.)
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from reproduction.binarised.cells import NEAR, rows_of
from reproduction.learners import weka_linear
from reproduction.records import Value, Verdict

import roctopus as rt
from roctopus.datasets import list_problems


def write_arff(path, data, rows):
    """Write some rows in WEKA's format."""
    columns = list(data.columns.values())
    with path.open("w") as file:
        file.write("@relation data\n")
        for k, column in enumerate(columns):
            names = ",".join(sorted({x for x in column if x})) if isinstance(column, list) else ""
            file.write(f"@attribute x{k} {'{' + names + '}' if names else 'numeric'}\n")
        file.write("@attribute target numeric\n@data\n")
        for row in rows:
            cells = [column[row] for column in columns]
            told = ["?" if x in ("", None) or x != x else str(x) for x in cells]
            file.write(",".join([*told, repr(float(data.y_true[row]))]) + "\n")


def predict(classpath, learner, data, train, test):
    """Return what WEKA predicts for the test rows."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{name}.arff" for name in ("train", "test")]
        for path, rows in zip(files, (train, test), strict=True):
            write_arff(path, data, rows)
        told = subprocess.run(
            ["java", "-cp", classpath, f"weka.classifiers.{learner}", "-p", "0",
             "-t", files[0], "-T", files[1]],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    lines = (line.split() for line in told.splitlines())
    found = np.array([float(words[2]) for words in lines if len(words) > 2 and words[0].isdigit()])
    assert len(found) == len(test), told
    return found


def columns_of(y, p, distribution):
    """Return A_CE, A_PUCE, A_OCE (as printed), MAE and MSE."""
    expected = rt.expected_cutoff_error(y, p, distribution=distribution)
    clipped = rt.clipped_mean_absolute_error(y, p, low=distribution.low, high=distribution.high)
    error = p - y
    width = distribution.high - distribution.low
    return [width * expected, clipped, expected, np.mean(np.abs(error)), np.mean(error**2)]


def main(classpath, folder, halves=3):
    """Print differences of linear regression, and cells of the trees."""
    printed = [row for row in rows_of("tables_6_to_8.csv") if row["technique"] == "tree"]
    problems = [p.load(folder) for p in list_problems().values() if p.cutoffs]
    near = compared = 0
    for data, row in zip(problems, printed, strict=True):
        rng, made, gaps = np.random.default_rng(0), [], []
        for _ in range(halves):
            train, test = np.array_split(rng.permutation(len(data.y_true)), 2)
            theirs = predict(classpath, "functions.LinearRegression", data, train, test)
            gaps.append(np.abs(theirs - weka_linear(data, train)[test]))
            trees = predict(classpath, "trees.M5P", data, train, test)
            made.append(columns_of(data.y_true[test], trees, data.cutoffs))
        mean = np.mean(made, axis=0)
        values = [
            Value(name, value, row[name], within=NEAR)
            for name, value in zip(("A_CE", "A_PUCE", "A_OCE", "MAE", "MSE"), mean, strict=True)
            if row[name]
        ]
        good = [v.verdict in (Verdict.MATCH, Verdict.CUT) for v in values]
        near, compared = near + sum(good), compared + len(good)
        told = " ".join(f"{v.what} {v.ours:.4g} ({v.printed})" for v in values)
        gap = np.concatenate(gaps)
        print(
            f"{data.problem.name:<14} linear: largest gap {gap.max():.2g}, rows beyond WEKA's "
            f"three decimals {np.mean(gap > 6e-4):.1%}; M5P {sum(good)} of {len(good)}: {told}",
            flush=True,
        )
    print(f"M5P: {near} of {compared} printed cells of the rows 'Trees' within {NEAR:.0%}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:]))

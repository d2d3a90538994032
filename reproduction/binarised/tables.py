"""Tables 5 to 8 of "Binarised regression tasks" on its twenty datasets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reproduction.binarised.cells import NEAR, OTHER_TREES, SMALL, by_chance, rows_of
from reproduction.binarised.conclusions import conclusions, selection, training_sizes
from reproduction.binarised.runs import COLUMNS, run_problems
from reproduction.learners import SAME, TECHNIQUES
from reproduction.options import load
from reproduction.records import Value, Verdict
from roctopus.datasets import list_problems

__all__ = ["described", "load_all", "tables"]

NAMES = [name for name, problem in list_problems().items() if problem.cutoffs is not None]
FACTS = ("instances", "attributes", "average", "sd", "median", "max", "min")


def load_all(page, options):
    """Return the data that there are, by name; the page tells what is missing."""
    found = {name: load(options, name) for name in NAMES}
    missing = {name: why for name, why in found.items() if isinstance(why, str)}
    if missing:
        page.section("Tables 5 to 9: missing data")
    for name, why in missing.items():
        page.absent(f"Tables 5 to 9, {name}", why)
    return {name: data for name, data in found.items() if name not in missing}


def described(page, problems):
    """Compare Table 5 with the data, and count the types of problems."""
    page.section("Table 5: the data")
    rows = []
    for printed, name in zip(rows_of("table_5.csv"), NAMES, strict=True):
        if name not in problems:
            continue
        data, y = problems[name], problems[name].y_true
        ours = (len(y), len(data.columns) + 1, y.mean(), y.std(ddof=1), np.median(y))
        ours = (*ours, y.max(), y.min())
        values = [
            Value(f"{printed['dataset']}: {fact}", float(value), printed[fact])
            for fact, value in zip(FACTS, ours, strict=True)
        ]
        rows.append((printed["dataset"], values))
    page.grid(["", *FACTS], rows)
    registry = [list_problems()[name] for name in NAMES]
    types = [problem.type for problem in registry]
    for kind, count in zip(range(2, 7), (3, 7, 1, 8, 1), strict=True):
        page.value(f"problems of type {kind}", types.count(kind), str(count))
    narrow = [
        k
        for k, problem in enumerate(registry, 1)
        if problem.cutoffs[3] - problem.cutoffs[2] < 0.5 - 1e-9
    ]
    page.claim(
        "Five problems (1, 2, 3, 8, 19) have cutoffs in less than half of the range",
        narrow == [1, 2, 3, 8, 19],
        f"{narrow}",
        erratum=49,
    )
    small = {k for k, problem in enumerate(registry, 1) if problem.rows < 1000}
    page.claim(
        "Ten problems have fewer than 1,000 cases", small == SMALL, f"{sorted(small)}"
    )  # fmt: skip


def tables(page, problems, options):
    """Run everything, and compare Tables 6 to 9."""
    sizes = {"halves": 10, "cutoffs": 500 if options.full else 100}
    found = run_problems(problems, jobs=options.jobs, **sizes)
    page.section(
        "Tables 6 to 8: eight techniques on twenty problems",
        "Means of ten random halves, as in the paper; its halves are not known, so cells may "
        f"differ by chance: {NEAR:.0%} is called a match. Beyond that, t compares two means of ten "
        "halves with the spread of ours (a bias is about zero, so only chance can judge it). A_OCE "
        "is read as A_CE/(b − a), erratum 51. Cells of Table 6 that the text of the paper does not "
        "show clearly are left out.",
    )
    grids = compared(found, problems)
    for name in TECHNIQUES:
        page.grid(
            ["", *COLUMNS],
            [(problem, values) for (problem, which), values in grids.items() if which == name],
            f"Technique: {name}." + ("" if name in SAME else f" {OTHER_TREES}."),
        )
    agreement(page, grids)
    defined_area(page, found)
    if len(found) < len(NAMES):
        page.absent("Conclusions from Tables 6 to 8, and Table 9", "they need all twenty problems")
        return
    conclusions(page, found)
    few = run_problems(problems, jobs=options.jobs, **sizes | {"halves": 5}, share=0.1)
    training_sizes(page, found, few)
    selection(page, found)


def compared(found, problems):
    """Return the cells of Tables 6 to 8 by problem and technique."""
    grids = {}
    for row in rows_of("tables_6_to_8.csv"):
        problem, name = NAMES[int(row["problem"]) - 1], row["technique"]
        if problem not in found:
            continue
        halves = found[problem].tables[name]
        grids[problem, name] = [
            _cell(problem, name, column, row[column], halves[:, k], problems)
            for k, column in enumerate(COLUMNS)
        ]
    return grids


def _cell(problem, name, column, printed, halves, problems):
    if not printed:
        return None
    known = halves[~np.isnan(halves)]  # a constant prediction has no correlation
    ours, spread = known.mean(), known.std(ddof=1)
    value = Value(f"{problem}, {name}: {column}", float(ours), printed, within=NEAR)
    if name not in SAME:
        return replace(value, other=True)
    if (problem, name) == ("autompg", "quantile"):
        return replace(value, reason=missing_predictions(problems[problem], column, value))
    return replace(value, reason=by_chance(value, spread))


def missing_predictions(data, column, value):
    """Say what rows without a prediction add, which the paper tells of; nothing if too little."""
    blank = float(np.isnan(data.matrix()).any(axis=1).mean())
    distribution = data.cutoffs
    size = 1.0 if column == "A_OCE" else distribution.high - distribution.low
    filled = value.ours * (1 - blank) + blank * size
    if abs(filled - value.number) > NEAR * value.number:
        return ""
    return (
        "the paper tells of missing predictions; rows with a gap, counted as wrong "
        f"({blank:.1%}), make it {filled:.3g}"
    )


def agreement(page, grids):
    """Count how many cells of the same algorithms are within the tolerance."""
    for told, columns in (("areas, MAE and MSE", COLUMNS[:5]), ("all columns but the bias",
                          [c for c in COLUMNS if c != "eBias"])):  # fmt: skip
        values = [
            value
            for (_, name), row in grids.items()
            for column, value in zip(COLUMNS, row, strict=True)
            if value is not None and name in SAME and column in columns
        ]
        near = sum(v.verdict in (Verdict.MATCH, Verdict.CUT) for v in values)
        strictly = np.mean([abs(v.difference) <= NEAR * abs(v.number) for v in values])
        chance = sum("chance" in v.remark for v in values)
        page.claim(
            f"Of the cells of Tables 6 to 8 with the same algorithms ({told}), nine in ten are "
            "within 10 % (our own aim)",
            near >= 0.9 * len(values),
            f"{near} of {len(values)} = {near / len(values):.1%} ({strictly:.1%} if the print's "
            f"rounding is not allowed for); {chance} more may be chance",
            basis="own",
        )


def defined_area(page, found):
    """Erratum 51: what the column A_OCE is not."""
    rows, equal, differs = [], 0, 0
    for row in rows_of("tables_6_to_8.csv"):
        if not row["A_OCE"] or row["technique"] not in (
            "linear",
            "quantile",
            "kNN median",
            "kNN mean",
        ):
            continue
        problem = NAMES[int(row["problem"]) - 1]
        if problem not in found:
            continue
        defined = float(found[problem].output_areas[row["technique"]].mean())
        as_read = Value("", float(found[problem].tables[row["technique"]][:, 2].mean()),
                        row["A_OCE"], within=NEAR)  # fmt: skip
        equal += as_read.verdict is Verdict.MATCH
        far = abs(defined - float(row["A_OCE"])) > max(0.005, NEAR * defined)
        differs += far
        if far and row["technique"] == "linear":
            rows.append([problem, defined, as_read.ours, row["A_OCE"]])
    page.table(["problem", "A_OCE as defined", "A_CE/(b − a)", "printed"], rows,
               "Linear regression, where the definition is clearly another number.")  # fmt: skip
    page.claim(
        "The column A_OCE of Tables 7 and 8 is the area of Section 4", differs == 0,
        f"A_CE/(b − a) fits {equal} of {4 * len(found)} printed cells, the definition misses "
        f"{differs}",
        erratum=51,
    )  # fmt: skip

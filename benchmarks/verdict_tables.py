"""The tables of ``benchmarks.verdicts``, from what was simulated."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

SPREADS = (0.5, 1.0, 2.0)
VERDICTS = ("use", "either", "use for now", "no model")
COSTS = ("stake", "regret", "worth", "saved", "tolerance")
Samples: TypeAlias = "list[dict[str, Any]]"
Done: TypeAlias = "dict[Cell, Samples]"


class Cell(NamedTuple):
    """What is simulated."""

    design: str
    arm: str
    size: int
    models: int
    level: float
    """By which share models are worse than the best, or the spread of what is drawn."""

    @property
    def name(self) -> str:
        """The cell in one line; it also seeds the samples."""
        return " ".join(map(str, self))


def finished(file: Path) -> Done:
    """Return the samples of the cells that are done."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = [json.loads(line) for line in lines]
    return {Cell(*row["cell"]): row["samples"] for row in rows}


def print_row(entries: Iterable[Any]) -> None:
    """Print a row of a table in Markdown."""
    print("|", " | ".join(map(str, entries)), "|")


def share(samples: Iterable[Any]) -> float:
    """Return how many of a hundred are true."""
    return 100.0 * float(np.mean([bool(each) for each in samples] or [False]))


def wrong(samples: Samples, verdict: str, regret: str = "regret") -> float:
    """Return how often a verdict is given though more than the tolerance is lost."""
    said = (s["verdict"] == verdict and regret in s for s in samples)
    return share(
        is_said and s[regret] > s["tolerance"] for is_said, s in zip(said, samples, strict=True)
    )


def print_apart(done: Done) -> None:
    """Print shares of verdicts, of wrong ones, and how often intervals hold the truth."""
    head = ("arm", "n", "models", "apart", *VERDICTS, "wrong use", "wrong either", "covered")
    print_row(head)
    print_row(["---"] * len(head))
    for cell, samples in done.items():
        numbers = [share(s["verdict"] == v for s in samples) for v in VERDICTS]
        numbers += [wrong(samples, v) for v in VERDICTS[:2]]
        numbers.append(share(s["covered"] for s in samples if "covered" in s))
        apart = f"{100 * cell.level:g} %"
        print_row([cell.arm, f"{cell.size:,}", cell.models, apart, *(f"{x:.1f}" for x in numbers)])
    every = list(itertools.chain.from_iterable(done.values()))
    for verdict, regret in itertools.product(VERDICTS[:2], ("regret", "regret_deployed")):
        worst = max(wrong(samples, verdict, regret) for samples in done.values())
        said = [s for s in every if s["verdict"] == verdict]
        print(
            f"{verdict}, wrong by {regret}: {wrong(every, verdict, regret):.1f} % of samples, "
            f"{worst:.1f} % at worst, {wrong(said, verdict, regret):.1f} % of these verdicts"
        )


def deciles(samples: Samples) -> list[tuple[float, float]]:
    """Return the mean stated chance, and the truth, in each decile with at least 100 of them."""
    told = np.concatenate([s["chances"] for s in samples])
    best = np.concatenate([np.arange(len(s["chances"])) == s["best"] for s in samples])
    place = np.minimum((10.0 * told).astype(int), 9)
    found = []
    for decile in range(10):
        inside = place == decile
        if inside.sum() >= 100:
            found.append((float(told[inside].mean()), float(best[inside].mean())))
    return found


def print_drawn(done: Done) -> None:
    """Print how well chances, stakes and the worth of more cases agree with the truth."""
    head = ("cells", *(f"{what} {how}" for what in ("stake", "worth") for how in ("told", "true")))
    head = (*head, "tolerance", "largest error of a decile", "chances told → true")
    print_row(head)
    print_row(["---"] * len(head))
    groups = {f"{c.arm}, {c.size:,}, {c.models} models, {c.level:g}": [c] for c in done}
    groups |= {f"all, {x:g}": [c for c in done if c.level == x] for x in SPREADS}
    for name, some in (groups | {"all": list(done)}).items():
        samples = [s for cell in some for s in done[cell] if "worth" in s]
        if samples:
            costs = [np.mean([s[each] for s in samples]) for each in COSTS]
            table = deciles(samples)
            off = max((abs(told - true) for told, true in table), default=0.0)
            pairs = ", ".join(f"{told:.2f} → {true:.2f}" for told, true in table)
            print_row([name, *(f"{x:.3f}" for x in costs), f"{off:.3f}", pairs])


def print_shuffled(done: Done) -> None:
    """Print what is said where no model helps."""
    print_row(("arm", "n", *VERDICTS))
    print_row(["---"] * (2 + len(VERDICTS)))
    for cell, samples in done.items():
        shares = [f"{share(s['verdict'] == v for s in samples):.1f}" for v in VERDICTS]
        print_row([cell.arm, f"{cell.size:,}", *shares])


def report(done: Done) -> None:
    """Print the tables of what is done."""
    for design, show in TABLES.items():
        some = {cell: samples for cell, samples in done.items() if cell.design == design}
        if some:
            print(f"\n{design}")
            show(some)


TABLES = {"apart": print_apart, "drawn": print_drawn, "shuffled": print_shuffled}

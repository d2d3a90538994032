"""Measure in one environment; every answer is a line of JSON on standard output.

Usage: python -m benchmarks.peers.measure times TOOL [largest n] [time limit in seconds]
       python -m benchmarks.peers.measure memory ours|theirs TASK:TOOL n
"""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import warnings
from typing import Any

from benchmarks.peers.contests import CONTESTS, R_TOOLS, Contest, difference
from benchmarks.peers.data import make
from benchmarks.peers.features import FEATURES, exists
from benchmarks.peers.sides import R, Side, ours, peak_growth, theirs
from benchmarks.peers.tasks import TASKS

ROUNDS = 15
PATIENCE = 8.0
"""Seconds to spend on the rounds of one size; three are run at least."""
AGREEMENT = 10**4
"""The size at which values are compared."""


def sentence(error: BaseException) -> str:
    """Return an error as one short sentence."""
    text = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    return text[:200]


def race(first: Side, second: Side, limit: float) -> dict[str, float]:
    """Let two sides take turns, and return their median times; one run of each if they are slow."""
    times = [[side.seconds()] for side in (first, second)]  # warms up
    once = sum(map(sum, times))
    rounds = int(min(ROUNDS, max(3, PATIENCE / once)))
    if once <= limit:
        times = [[], []]
        for _ in range(rounds):
            for mine, side in zip(times, (first, second), strict=True):
                mine.append(side.seconds())
    own, other = (statistics.median(each) for each in times)
    return {"ours": own, "theirs": other, "ratio": other / own, "rounds": len(times[0])}


def agreement(contest: Contest, *, tied: bool, n: int = AGREEMENT) -> float:
    """Return the largest relative difference of the values."""
    data = make(TASKS[contest.task].data, n, tied=tied)
    own = ours(contest)
    own.load(data)
    with theirs(contest) as other:
        other.load(data)
        return difference(other.value(), own.value())


def times(contest: Contest, largest: int, limit: float) -> dict[str, Any]:
    """Compare values, then race at growing sizes until one takes too long."""
    row: dict[str, Any] = {
        "task": contest.task,
        "tool": contest.tool,
        "call": contest.call,
        "note": contest.note,
        "random": contest.agrees is None,
        "sizes": {},
    }
    task = TASKS[contest.task]
    for name, tied in (("difference", False), ("difference_tied", True)):
        try:
            row[name] = agreement(contest, tied=tied, n=min(largest, AGREEMENT))
        except Exception as error:
            row[name] = sentence(error)
    try:
        with theirs(contest) as other:
            own, last = ours(contest), 0.0
            for n in [n for n in task.sizes if n <= min(largest, contest.largest)]:
                if 10.0 * last > limit:
                    row["stopped"] = f"{n:,} cases would take more than {limit:g} s"
                    break
                data = make(task.data, n)
                own.load(data)
                other.load(data)
                row["sizes"][str(n)] = race(own, other, limit)
                last = row["sizes"][str(n)]["theirs"]
    except Exception as error:
        row["error"] = sentence(error)
    return row


def version(tool: str) -> str:
    """Return the version of a tool."""
    if tool not in R_TOOLS:
        return importlib.metadata.version(tool)
    r = R()
    try:
        return r.ask("version", tool)
    finally:
        r.close()


def installed(name: str) -> str | None:
    """Return the version of a package, None if it is not there."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def say(answer: object) -> None:
    """Print one answer."""
    print(json.dumps(answer), flush=True)


def main(words: list[str]) -> None:
    """Do what the command line asks for."""
    warnings.simplefilter("ignore")
    if words[0] == "memory":
        contest = next(each for each in CONTESTS if each.key == words[2])
        data = make(TASKS[contest.task].data, int(words[3]))
        if words[1] == "ours":
            say(peak_growth(ours(contest), data))
        else:
            with theirs(contest) as side:
                say(peak_growth(side, data))
        return
    tool, largest, limit = words[1], int(words[2]), float(words[3])
    beside = ("numpy", "scipy", "pandas", "polars", "xarray", "torch", "roctopus")
    say(
        {"version": version(tool), "beside": {name: v for name in beside if (v := installed(name))}}
    )
    say({"features": {name: exists(tool, by[tool]) for name, by in FEATURES.items() if tool in by}})
    for contest in CONTESTS:
        if contest.tool == tool:
            say(times(contest, largest, limit))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Many writers of one state, killed at any moment: no look that was acknowledged is lost.

A look that is acknowledged has a number. If nothing is lost and nothing counted twice, all numbers
differ, and the state has as many looks as the last of them says.

Usage: python benchmarks/concurrency.py [workers checks commands kills]   (20 50 40 200 by default)
It runs where processes can be forked, and ends with exit code 1 if a look is lost.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as we fork

import json
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy as np

import roctopus as rt
from roctopus.monitoring.states import read_state

Tell = Callable[[int], None]
CASES, DEADLINE = 40, 600
REFUSED = -1
EVENTS = 45
"""A look touches its files about fifteen times; a kill comes within the first three looks."""


def draw(seed: int, size: int = CASES) -> tuple[Any, dict[str, Any]]:
    """Return truths and the predictions of a model."""
    rng = np.random.default_rng(seed)
    y = rng.normal(50.0, 10.0, size)
    return y, {"m": y + rng.normal(0.0, 5.0, size)}


DECISION = rt.compare(*draw(0, 400), arm="regression").decide(asymmetry=0.8)


def look(seed: int, state: Path) -> int:
    """Check new cases; return the number of the look."""
    found = rt.compare(*draw(seed), arm="regression").check(DECISION, state=state)
    assert found.watch is not None
    return found.watch.looks


def recorded(state: Path) -> int:
    """Return how many looks are in the state, which must be readable, each with its cases."""
    if not state.exists():
        return 0
    watch = read_state(state, DECISION).watch(DECISION)
    assert watch.cases == CASES * watch.looks
    return watch.looks


def fork(work: Callable[[Tell], None]) -> tuple[int, TextIO]:
    """Start a process; return its id, and what it tells, a line for each number."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        code = 1
        try:
            os.close(reader)
            work(lambda number: os.write(writer, b"%d\n" % number) and None)
            code = 0
        finally:
            os._exit(code)
    os.close(writer)
    return process, os.fdopen(reader)


def summary(what: str, told: list[int], state: Path, expected: int) -> bool:
    """Print what was acknowledged and what is recorded; return whether they agree."""
    numbers = [number for number in told if number != REFUSED]
    refused, found = len(told) - len(numbers), recorded(state)
    print(
        f"{what}: {len(numbers)} looks acknowledged, {len(set(numbers))} numbers, {found} recorded,"
        f" {refused} refused"
    )
    return sorted(numbers) == list(range(1, expected + 1)) and found == expected and not refused


def workers(folder: Path, count: int, checks: int) -> bool:
    """Check in several processes at once, each look again until it is acknowledged."""
    state = folder / "state.json"

    def work(first: int) -> Callable[[Tell], None]:
        def loop(tell: Tell) -> None:
            done = 0
            while done < checks:
                try:
                    tell(look(first + done, state))
                    done += 1
                except rt.InputError:
                    tell(REFUSED)

        return loop

    jobs = [fork(work(1 + k * checks)) for k in range(count)]
    told = [int(line) for _, lines in jobs for line in lines]
    for process, _ in jobs:
        os.waitpid(process, 0)
    return summary(f"{count} workers × {checks} checks", told, state, count * checks)


def commands(folder: Path, count: int) -> bool:
    """Run as many command lines at once."""
    DECISION.to_json(folder / "decision.json")
    jobs = []
    for seed in range(1, count + 1):
        y, models = draw(seed)
        table = np.column_stack([y, models["m"]])
        np.savetxt(folder / f"{seed}.csv", table, delimiter=",", header="y,m", comments="")
        said = ["check", "decision.json", f"{seed}.csv", "--truth", "y", "--state", "state.json"]
        program = [sys.executable, "-m", "roctopus.cli", *said, "--json"]
        pipe = subprocess.PIPE
        jobs.append(subprocess.Popen(program, cwd=folder, stdout=pipe, stderr=pipe, text=True))
    told = []
    for job in jobs:
        out, _ = job.communicate(timeout=DEADLINE)
        told.append(json.loads(out)["watch"]["looks"] if out else REFUSED)
    return summary(f"{count} command lines", told, folder / "state.json", count)


def kills(folder: Path, count: int) -> bool:
    """Kill a process that checks: half of them at any time, half while it touches its files."""
    state, rng, acknowledged = folder / "state.json", np.random.default_rng(0), 0
    right, unheard, before = True, 0, 0
    for attempt in range(count):
        kill = _kill_at_any_time if attempt % 2 else _kill_at_a_file
        told = kill(state, 1000 * (attempt + 1), rng)
        after = recorded(state)
        last = before + len(told)
        right &= told == list(range(before + 1, last + 1)) and after in (last, last + 1)
        acknowledged, unheard, before = acknowledged + len(told), unheard + after - last, after
    free = look(1, state) == before + 1  # no lock is left that makes it wait
    left = len(list(folder.glob(".state-*")))
    print(
        f"{count} kills: {acknowledged} looks acknowledged, all in order and recorded: {right}; "
        f"{unheard} recorded and not acknowledged; free at the end: {free}; {left} temporary files"
    )
    return right and free


def _endless(state: Path, seed: int) -> Callable[[Tell], None]:
    def loop(tell: Tell) -> None:
        for number in range(1000):
            tell(look(seed + number, state))

    return loop


def _kill_at_any_time(state: Path, seed: int, rng: np.random.Generator) -> list[int]:
    """Kill after some looks, and a part of the time that another one takes."""
    process, lines = fork(_endless(state, seed))
    told, start = [], time.perf_counter()
    for _ in range(int(rng.integers(1, 4))):
        start = time.perf_counter()
        told.append(int(lines.readline()))
    time.sleep(rng.uniform(0.0, 1.2) * (time.perf_counter() - start))
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return [*told, *map(int, lines)]


def _kill_at_a_file(state: Path, seed: int, rng: np.random.Generator) -> list[int]:
    """Let a process kill itself while it opens, locks, writes, renames or removes a file."""
    left = int(rng.integers(1, EVENTS))

    def watch(event: str, values: tuple[Any, ...]) -> None:
        nonlocal left
        touched = any(str(state.parent) in str(value) for value in values)
        if touched or event.startswith("fcntl."):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def loop(tell: Tell) -> None:
        sys.addaudithook(watch)
        _endless(state, seed)(tell)

    process, lines = fork(loop)
    told = [int(line) for line in lines]
    os.waitpid(process, 0)
    return told


def full_disk(folder: Path) -> bool:
    """Check where files cannot grow: the old state stays, and nothing is left beside it."""
    state = folder / "state.json"
    look(1, state)
    before = state.read_bytes()

    def work(tell: Tell) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            tell(look(2, state))
        except OSError as error:
            print(f"full disk: {error}", flush=True)
            tell(REFUSED)

    process, lines = fork(work)
    told = [int(line) for line in lines]
    os.waitpid(process, 0)
    left = sorted(each.name for each in folder.iterdir() if each.name.startswith(".state-"))
    whole = state.read_bytes() == before
    print(f"full disk: the old state is whole: {whole}, temporary files: {left}")
    return told == [REFUSED] and whole and not left and look(2, state) == 2


def main(said: list[str]) -> int:
    """Run all of them, each in a folder of its own."""
    given = [int(each) for each in said] or [20, 50, 40, 200]
    runs: list[Callable[[Path], bool]] = [
        lambda folder: workers(folder, given[0], given[1]),
        lambda folder: commands(folder, given[2]),
        lambda folder: kills(folder, given[3]),
        full_disk,
    ]
    right = True
    for run in runs:
        with tempfile.TemporaryDirectory() as name:
            start = time.perf_counter()
            right &= run(Path(name))
            print(f"  {time.perf_counter() - start:.1f} s", flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    warnings.simplefilter("ignore", rt.RoctopusWarning)
    sys.exit(main(sys.argv[1:]))

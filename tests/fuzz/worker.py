"""Runs by number, one after another: ``python -m fuzz.worker 17 18 19-``; a line before and after.

Each number is all that a run depends on, so a fault is found again by its number.
"""

from __future__ import annotations

import itertools
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fuzz.calls import call_at_random
from fuzz.files import compare_at_random
from fuzz.records import check_at_random


def run_number(number: int, shared: Path) -> tuple[str, str | None]:
    """Run what a number stands for: its kind, and what is wrong."""
    draw = Random(number)
    folder = Path(tempfile.mkdtemp(dir=shared))
    kind = draw.choices(["call", "file", "record"], [5, 3, 2])[0]
    try:
        if kind == "call":
            return kind, call_at_random(draw)
        if kind == "file":
            return kind, compare_at_random(draw, folder)
        return kind, check_at_random(draw, folder, shared)
    finally:
        shutil.rmtree(folder)


def numbers(said: list[str]) -> Iterator[int]:
    """Return the numbers that were said; "19-" stands for all from 19 on."""
    for each in said:
        if each.endswith("-"):
            yield from itertools.count(int(each[:-1]))
        yield int(each)


def main() -> None:
    """Run, and tell the parent."""
    out = sys.stdout
    sys.stdout = sys.stderr
    with tempfile.TemporaryDirectory() as shared:
        for number in numbers(sys.argv[1:]):
            print("start", number, file=out, flush=True)
            try:
                kind, wrong = run_number(number, Path(shared))
            except Exception as error:  # one of the attacker
                kind, wrong = "harness", repr(error)
            told = "" if wrong is None else " ".join(ascii(wrong).split())
            print("done", kind, told, file=out, flush=True)


if __name__ == "__main__":
    main()

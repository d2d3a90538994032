"""Measure roctopus and other tools side by side: ``python -m benchmarks.peers``.

Writes ``results.json`` beside this file and ``docs/peers_table.md``. With ``--quick`` small samples
are run and nothing is written unless ``--write`` asks for it; with ``--tools`` only some tools are
measured, and replace their rows in the results.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.contests import CONTESTS, HOMES, R_TOOLS, Home
from benchmarks.peers.features import FEATURES
from benchmarks.peers.render import table
from benchmarks.peers.tasks import TASKS

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).with_name("results.json")
TABLE = ROOT / "docs" / "peers_table.md"
MAKE = 'source scripts/environment.sh; environment "$@"'
"""Makes a virtual environment as scripts/test does: only when what it is made from has changed."""

GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""Has glibc return freed arrays at once, so that none that lies idle hides a peak of memory."""


def last_line(text: str) -> str:
    """Return the last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (lines or ["no message"])[-1][:200]


def prepare(tool: str) -> str | None:
    """Make a tool's environment; return what went wrong, if anything did."""
    home: Home = HOMES[tool]
    wanted: Sequence[str] = home.packages
    if tool in R_TOOLS:
        found = (
            shutil.which("Rscript")
            and not subprocess.run(
                ["Rscript", "-e", f'library("{tool}")'], capture_output=True, check=False
            ).returncode
        )
        if not found:
            if os.geteuid() != 0 or shutil.which("apt-get") is None:
                return (
                    f"R and {tool} are not installed. On Debian: apt-get install {' '.join(wanted)}"
                )
            command = "apt-get update -qq && apt-get install -y -qq --no-install-recommends"
            run = subprocess.run(
                ["bash", "-c", f"{command} {' '.join(wanted)}"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if run.returncode:
                return last_line(run.stderr)
        wanted = HOMES["scikit-learn"].packages
    run = subprocess.run(
        ["bash", "-c", MAKE, "environment", home.folder, *wanted],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return last_line(run.stderr) if run.returncode else None


def measure(tool: str, *words: object) -> list[Any]:
    """Run ``measure.py`` in a tool's environment."""
    python = ROOT / HOMES[tool].folder / "bin" / "python"
    command = [str(python), "-m", "benchmarks.peers.measure", *map(str, words)]
    environment = os.environ | (GIVE_BACK if words[0] == "memory" else {})
    run = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise RuntimeError(last_line(run.stderr))
    return [json.loads(line) for line in run.stdout.splitlines()]


def failed(tool: str, error: str) -> list[dict[str, Any]]:
    """Return rows that say why there are no numbers."""
    return [
        {"task": each.task, "tool": tool, "call": each.call, "error": error}
        for each in CONTESTS
        if each.tool == tool
    ]


def memory(row: dict[str, Any], known: dict[tuple[str, int], float]) -> None:
    """Add the peak of memory at the largest size that was run."""
    if not row.get("sizes"):
        return
    n = max(map(int, row["sizes"]))
    tool, key = row["tool"], f"{row['task']}:{row['tool']}"
    try:
        if (row["task"], n) not in known:
            known[row["task"], n] = measure(tool, "memory", "ours", key, n)[0]
        theirs = measure(tool, "memory", "theirs", key, n)[0]
        row["memory"] = {"n": n, "ours": known[row["task"], n], "theirs": theirs}
    except RuntimeError as error:
        row["memory"] = str(error)


def main() -> None:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="10⁴ cases at most; writes nothing")
    parser.add_argument(
        "--write", action="store_true", help="write the results of a quick run, too"
    )
    parser.add_argument("--tools", nargs="+", choices=list(HOMES), default=list(HOMES))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds that one run may take")
    asked = parser.parse_args()
    largest = 10**4 if asked.quick else 10**6
    old = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    found: dict[str, Any] = {
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
        "limit": asked.limit,
        "versions": dict(old.get("versions", {})),
        "features": dict(old.get("features", {})),
        "rows": [row for row in old.get("rows", []) if row["tool"] not in asked.tools],
    }
    known: dict[tuple[str, int], float] = {}
    for tool in asked.tools:
        print(f"{tool} …", file=sys.stderr, flush=True)
        error = prepare(tool)
        try:
            if error:
                raise RuntimeError(error)
            versions, features, *rows = measure(tool, "times", tool, largest, asked.limit)
            found["versions"] |= {tool: versions["version"], **versions["beside"]}
            found["features"][tool] = [
                name for name, there in features["features"].items() if there
            ]
            for row in rows:
                memory(row, known)
        except RuntimeError as problem:
            rows = failed(tool, str(problem))
        found["rows"] += rows
        for row in rows:
            print(json.dumps(row, ensure_ascii=False), flush=True)
    found["features"]["roctopus"] = [name for name, by in FEATURES.items() if "roctopus" in by]
    order = list(TASKS)
    found["rows"].sort(key=lambda row: (order.index(row["task"]), list(HOMES).index(row["tool"])))
    if asked.write or not asked.quick:
        RESULTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
        TABLE.write_text(table(found))


if __name__ == "__main__":
    main()

"""The results as Markdown, for the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from benchmarks.peers.features import FEATURES
from benchmarks.peers.tasks import TASKS

TOOLS = (
    "roctopus", "scikit-learn", "model-diagnostics", "scores", "dcurves", "hmeasure", "empulse",
    "pauc", "confidenceinterval", "torchmetrics", "pROC", "ROCR",
)  # fmt: skip
POWERS = {10**3: "10³", 10**4: "10⁴", 10**5: "10⁵", 10**6: "10⁶"}
SIZES = (10**4, 10**5, 10**6)
MIDDLE = "<!-- features -->"


def number(value: float) -> str:
    """Return two digits that count, without an exponent."""
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def gap(value: float | str | None) -> str:
    """Return a difference of values."""
    if value is None or isinstance(value, str):
        return value or ""
    return "equal" if value < 1e-11 else f"{value:.0e}"


def milliseconds(seconds: float) -> str:
    """Return a time."""
    return number(1000 * seconds)


def rows(results: dict[str, Any], notes: list[str]) -> Iterable[str]:
    """Return the lines of the table of tasks."""
    last = None
    for row in results["rows"]:
        task = TASKS[row["task"]]
        question = f"**{task.question}**<br>{code(task.call)}" if row["task"] != last else ""
        last = row["task"]
        tool = f"{row['tool']}<br>{code(row['call'])}"
        if "error" in row:
            yield f"| {question} | {tool} | *{row['error']}* | | | | | |"
            continue
        sizes = {int(n): each for n, each in row["sizes"].items()}
        ratios = [ratio(sizes.get(n)) for n in SIZES]
        if row.get("stopped"):
            ratios[ratios.index("")] = "too slow"
        n = max(sizes)
        time = f"{milliseconds(sizes[n]['theirs'])} / {milliseconds(sizes[n]['ours'])}"
        if n != SIZES[-1]:
            time += f" at {POWERS[n]}"
        values = "random" if row["random"] else gap(row["difference"])
        if not row["random"] and gap(row["difference_tied"]) != values:
            values += f"; ties: {gap(row['difference_tied'])}"
        if row["note"]:
            if row["note"] not in notes:
                notes.append(row["note"])
            values += f" ({notes.index(row['note']) + 1})"
        held = row.get("memory")
        space = (
            f"{number(held['theirs'])} / {number(held['ours'])}"
            if isinstance(held, dict)
            else (held or "")
        )
        yield f"| {question} | {tool} | {' | '.join(ratios)} | {time} | {space} | {values} |"


def code(call: str) -> str:
    """Return a call in the type of code, unless it says that there is none."""
    return call if call.startswith("*") else f"`{call}`"


def ratio(race: dict[str, float] | None) -> str:
    """Return how often we could have done the work in the other's time."""
    return "" if race is None else number(race["ratio"])


def table(results: dict[str, Any]) -> str:
    """Return the whole file."""
    notes: list[str] = []
    lines = [
        "<!-- Written by `python -m benchmarks.peers`; do not edit. -->",
        "",
        "| task, and our call | tool, and its call | time, ×: 10⁴ | 10⁵ | 10⁶ "
        "| ms, theirs / ours | MiB, theirs / ours | values |",
        "|---|---|--:|--:|--:|--:|--:|---|",
        *rows(results, notes),
        "",
        *[f"({place}) {note[0].upper()}{note[1:]}.<br>" for place, note in enumerate(notes, 1)],
        "",
        versions(results),
        "",
        MIDDLE,
        "",
        f"| | {' | '.join(TOOLS)} |",
        f"|---|{':-:|' * len(TOOLS)}",
    ]
    for feature in FEATURES:
        marks = ["●" if feature in results["features"].get(tool, ()) else "" for tool in TOOLS]
        lines.append(f"| {feature} | {' | '.join(marks)} |")
    return "\n".join(lines) + "\n"


def versions(results: dict[str, Any]) -> str:
    """Return what was measured with what."""
    names = ", ".join(f"{tool} {version}" for tool, version in sorted(results["versions"].items()))
    machine = results["machine"]
    return f"Measured with {machine['cores']} cores, Python {machine['python']}, {names}."

"""What a check says, for people and for machines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from roctopus.cli.answers import as_json, parts_of
from roctopus.concepts.rendering import clean
from roctopus.monitoring import DecisionCheck
from roctopus.monitoring.diagnosis import Diagnosis
from roctopus.monitoring.wording import lost_name, part_names, say_promise, say_saved, undivided

SCHEMA_VERSION = 2
BAR = 30
"""The length of all bars together, to both sides of zero."""
DIAGNOSED = ("change", "context", "knob", "model", "new_knob", "new_setting", "recovers", "apart")
WATCHED = ("looks", "cases", "horizon", "value", "knob", "worse", "stale", "advised", "saved")


def print_check(found: DecisionCheck, written: Sequence[Path], console: Console) -> None:
    """Print whether it holds, why not, and what to do."""
    colour = "green" if found.holds else "red"
    against = "".join(f" {each.sentence}" for each in found.findings if not each.holds)
    head = found.sentence.removesuffix(against)  # findings have lines of their own
    console.print(Text(clean(head, 2000), style=f"bold {colour}"))
    for finding in found.findings:
        mark = "✓" if finding.holds else "✗"
        console.print(Text(f"  {mark} {clean(finding.sentence, 500)}"))
    if found.diagnosis is not None:
        console.print()
        _print_parts(found, found.diagnosis, console)
    console.print()
    console.print(Text(clean(found.advice_sentence, 2000), style="bold"))
    if found.watch is not None:
        looks = "1 look" if found.watch.looks == 1 else f"{found.watch.looks:,} looks"
        if saved := say_saved(found.decision, found.watch):
            console.print(Text(saved))
        told = f"{looks} so far, {found.watch.cases:,} cases. {say_promise(found.watch)}"
        console.print(Text(told, style="dim"))
    if written:
        console.print(Text(f"\nWritten: {', '.join(map(str, written))}"))


def _print_parts(found: DecisionCheck, parts: Diagnosis, console: Console) -> None:
    """Print the parts of the change, and why they cannot be told apart if so."""
    if not undivided(parts):
        console.print(_split(found, parts))
    if parts.apart:
        console.print(Text(f"  {clean(parts.apart, 500)}."))


def _split(found: DecisionCheck, parts: Diagnosis) -> Table:
    """Return the parts of the change as a table, each with a bar from zero."""
    shares = not found.holds and parts.change > 0.0
    rows = dict(zip(part_names(found.decision), parts.parts, strict=True))
    losses = [part.loss for part in rows.values()]
    low, high = min(0.0, *losses, parts.change), max(0.0, *losses, parts.change)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for name in (lost_name(found.decision), "std. error", "share")[: 3 if shares else 2]:
        table.add_column(name, justify="right")
    table.add_column("")

    def add(name: str, loss: float, error: float | None, style: str = "") -> None:
        told = [
            f"{loss:+.3g}" if loss else "0",
            "" if error is None or math.isnan(error) else f"{error:.2g}",
        ]
        if shares:
            told.append(f"{round(100 * loss / parts.change)} %")
        table.add_row(Text(f"  {name}"), *told, Text(_bar(loss, low, high)), style=style)

    for name, part in rows.items():
        add(name, *part)
    add("change", parts.change, None, "bold")
    return table


def _bar(loss: float, low: float, high: float) -> str:
    """Return a bar from zero: to the right what is lost, to the left what is gained."""
    if high <= low:
        return ""
    cells = BAR / (high - low)
    left, length = round(-low * cells), round(abs(loss) * cells)
    if loss < 0.0:
        return " " * (left - length) + "░" * length + "│"
    return " " * left + "│" + "█" * length


def check_as_json(found: DecisionCheck) -> str:
    """Return a check as text for machines, by the published schema."""
    diagnosis, watch = found.diagnosis, found.watch
    return as_json(
        {
            "schema_version": SCHEMA_VERSION,
            **parts_of(found, "holds", "advice", "advice_sentence", "sentence", "cases"),
            **parts_of(found, "value", "low", "high"),
            "recorded": found.decision.value,
            "findings": [asdict(finding) for finding in found.findings],
            "diagnosis": None if diagnosis is None else parts_of(diagnosis, *DIAGNOSED),
            "watch": None if watch is None else parts_of(watch, *WATCHED),
        }
    )

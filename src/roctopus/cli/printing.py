"""What people see in the terminal."""

from __future__ import annotations

import bisect
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from roctopus.cli.answers import Answer
from roctopus.comparison.knowing import quantiles
from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Envelope
from roctopus.inference.aims import read_distribution, recorded_aim

COLOURS = ("blue", "orange3", "green4", "magenta", "cyan", "red", "yellow4", "grey50")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_MODELS, MOST_REGIONS = 20, 8


def clean(text: str, most: int = 60) -> str:
    """Return text from data without what a terminal would obey; long text is cut."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def make_console(*, stderr: bool = False) -> Console:
    """Return a console; where there is no terminal, lines are as long as they need to be."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr, highlight=False, width=None if stream.isatty() else 140, soft_wrap=True
    )


@contextmanager
def printing() -> Iterator[Console]:
    """Give a console, and print all at once what was said to it.

    If nobody reads on, as in ``roctopus ... | head``, that is no fault.
    """
    console = make_console()
    with console.capture() as said:
        yield console
    emit(said.get())


def emit(text: str) -> None:
    """Write to standard output."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def number(value: float | None) -> str:
    """Return a number with four digits."""
    if value is None:
        return ""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


def print_answer(answer: Answer, console: Console) -> None:
    """Print the decision, the ranking, and who is best where."""
    decision = answer.decision
    styles = {"clear": "bold green", "likely": "bold yellow", "undecided": "bold yellow"}
    console.print()
    console.print(Text(clean(decision.sentence, 2000), style=styles[decision.answer]))
    if answer.question.assumed is not None:
        console.print(Text(f"Taken for granted: {answer.question.assumed}.", style="italic"))
    if decision.knob_name is not None:
        console.print(_saving(decision))
    console.print()
    console.print(_ranking(answer))
    console.print(_explained(decision), style="dim")
    best = answer.comparison.envelope
    ends = _shown_range(answer)
    if len(decision.models) > 1 and ends is not None:
        console.print()
        _print_band(best, ends, answer, console)
    if answer.knowing is not None:
        console.print()
        console.print(Text(clean(answer.knowing.sentence, 2000)))
    if answer.segments:
        console.print()
        console.print(_segments(answer))
    for note in answer.notes:
        console.print(Text(f"Note: {clean(note, 2000)}", style="yellow"))


def _saving(decision: Decision) -> Text:
    """Say what tuning gains; nothing is announced that the interval does not bear out."""
    plain, value = decision.untuned_value, decision.value
    gain = plain - value if decision.sense == "loss" else value - plain
    sure = (decision.high < plain) if decision.sense == "loss" else (decision.low > plain)
    if decision.criterion == "regret" or not math.isfinite(gain):
        return Text("")
    what = f"Untuned, a model chosen the same way gives {number(plain)}"
    if not sure or gain <= 0.0:
        return Text(f"{what}: what tuning gains is within the uncertainty.")
    share = f" ({100 * gain / abs(plain):.1f} %)" if plain else ""
    return Text(f"{what}: tuning gains {number(gain)} a case{share}.")


def _ranking(answer: Answer) -> Table:
    decision, rows = answer.decision, answer.ranking
    what = "regret" if decision.criterion == "regret" else decision.sense
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model")
    if decision.knob_name is not None:
        several = "s" if len(decision.knob) > 1 else ""
        table.add_column(f"{decision.knob_name}{several}", justify="right")
    for name in (what, "95 % interval", "untuned"):
        table.add_column(name, justify="right")
    table.add_column("may be best", justify="center")
    for row in rows[:MOST_MODELS]:
        interval = f"{number(row['low'])} – {number(row['high'])}"
        mark = Text("●", style="green") if row["may_be_best"] else Text("·", style="dim")
        setting = [] if decision.knob_name is None else [", ".join(map(number, row["knob"]))]
        cells = [*setting, number(row["value"]), interval, number(row["untuned"])]
        table.add_row(Text(clean(row["model"])), *cells, mark)
    if len(rows) > MOST_MODELS:
        table.add_row(f"… and {len(rows) - MOST_MODELS} more")
    return table


def _explained(decision: Decision) -> str:
    what = f"{decision.cases:,} cases. {decision.outcome.capitalize()}, per case"
    if decision.knob_name is None:
        return f"{what}."
    return f"{what}, honest: knobs are tuned on other cases than those that judge them."


def _shown_range(answer: Answer) -> tuple[float, float] | None:
    """Return the contexts to show: what was asked for, else all; of endless ones the middle."""
    problem = answer.comparison.problem
    if answer.decision.criterion != "expected":
        ends = recorded_aim(problem, answer.decision.context)[1].contexts
        return float(ends.min()), float(ends.max())
    low, high = problem.domain
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    own = getattr(answer.comparison, "contexts", None)
    if own is not None:
        first, last = float(own.values.min()), float(own.values.max())
    elif problem.context_kind == "truth":
        first, last = np.quantile(problem.columns()[0], [0.01, 0.99]).tolist()
    elif "distribution" in answer.question.aim:
        distribution = read_distribution(problem, answer.question.aim["distribution"])
        first, last = quantiles(distribution, np.array([0.01, 0.99]), problem.domain).tolist()
    else:
        middle = recorded_aim(problem, answer.decision.context)[1].middle
        reach = 0.5 * abs(middle or 2.0)
        first, last = max(low, middle - reach), min(high, middle + reach)
    return (first, last) if first < last else None


def _print_band(
    best: Envelope, ends: tuple[float, float], answer: Answer, console: Console
) -> None:
    """Print who is best along the context: a band of colours, and letters where there are none."""
    low, high = ends
    width = max(20, min(console.width - 2, 80))
    shown = [region for region in best.regions if region.low < high and region.high > low]
    seen = {region.model for region in shown}
    names = [name for name in dict.fromkeys(r.model for r in best.regions) if name in seen]
    letters = {name: LETTERS[k % len(LETTERS)] for k, name in enumerate(names)}
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    console.print(f"Best in-sample along {answer.comparison.problem.context}:")
    band = Text()
    starts = [region.low for region in best.regions]
    for cell in range(width):
        middle = low + (high - low) * (cell + 0.5) / width
        owner = best.regions[max(bisect.bisect_right(starts, middle) - 1, 0)].model
        band.append(letters[owner], style=f"bold white on {colours[owner]}")
    console.print(band)
    left, centre, right = (number(x) for x in (low, 0.5 * (low + high), high))
    space = width - len(left) - len(centre) - len(right)
    console.print(f"{left}{' ' * (space // 2)}{centre}{' ' * (space - space // 2)}{right}")
    span = {r: min(r.high, high) - max(r.low, low) for r in shown}
    wide = sorted(span, key=lambda r: span[r], reverse=True)[:MOST_REGIONS]
    kept = sorted((r for r in wide if span[r] >= (high - low) / width), key=lambda r: r.low)
    for region in kept:
        line = Text(f"  {letters[region.model]} ", style=f"bold {colours[region.model]}")
        line.append(
            f"{number(max(region.low, low))} to {number(min(region.high, high))}  "
            f"{clean(region.model)}",
            style="default",
        )
        console.print(line)
    if len(shown) > len(kept):
        more = len(shown) - len(kept)
        console.print(f"  … and {more} narrower one{'s' if more > 1 else ''}")


def _segments(answer: Answer) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    for name in ("segment", "cases", "model", "setting", answer.decision.sense, "answer"):
        table.add_column(name, justify="right" if name == "cases" else "left")
    for value, cases, found in answer.segments:
        if isinstance(found, Decision):
            interval = f"{number(found.value)} ({number(found.low)} – {number(found.high)})"
            cells = [clean(found.model), found.knob_text, interval, found.answer]
        else:
            cells = [clean(found, 200), "", "", ""]
        table.add_row(Text(clean(value)), f"{cases:,}", *map(Text, cells))
    return table

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

from roctopus.cli.answers import Answered
from roctopus.cli.failures import UnwrittenError
from roctopus.concepts.decision import Decision
from roctopus.concepts.envelopes import Envelope
from roctopus.concepts.rendering import clean
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.sentences import (
    say_action,
    say_doubts,
    say_instead,
    say_numbers,
    say_value,
)
from roctopus.concepts.wording import name_value
from roctopus.core.distributions import quantiles
from roctopus.display.axes import ContextAxis
from roctopus.inference.aims import read_distribution, recorded_aim

COLOURS = ("blue", "orange3", "green4", "magenta", "cyan", "red", "yellow4", "grey50")
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_MODELS, MOST_REGIONS = 20, 8


def make_console(*, stderr: bool = False) -> Console:
    """Return a console; where there is no terminal, lines are as long as they need to be."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr, highlight=False, width=None if stream.isatty() else 140, soft_wrap=True
    )


@contextmanager
def printing() -> Iterator[Console]:
    """Give a console, and print all at once what was said to it."""
    console = make_console()
    with _standard_output():
        with console.capture() as said:
            yield console
        emit(said.get())


def emit(text: str) -> None:
    """Write to standard output."""
    with _standard_output():
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def _standard_output() -> Iterator[None]:
    """Ignore that nobody reads on, as in ``roctopus ... | head``; a full disk is an error."""
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            named = OSError(error.errno, error.strerror, "standard output")
            raise UnwrittenError([named]) from None


def number(value: float | None) -> str:
    """Return a number with four digits."""
    if value is None:
        return ""
    return f"{value:,.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"


STYLES = {
    "use": "bold green",
    "either": "bold green",
    "use for now": "bold yellow",
    "no model": "bold yellow",
}


def print_answer(answer: Answered, console: Console) -> None:
    """Print what to do, the table, and which model is best where."""
    decision = answer.decision
    console.print()
    console.print(Text(clean(say_action(decision), 2000), style=STYLES[decision.verdict]))
    doubts = say_doubts(decision)
    for line in (say_value(decision), say_instead(decision), *doubts, say_setting(decision)):
        if not line:
            continue
        console.print(Text(clean(line, 2000)))
    if answer.question.assumed is not None:
        console.print(Text(f"Assumed: {answer.question.assumed}.", style="italic"))
    console.print()
    console.print(_table(answer))
    console.print(Text(clean(_explained(decision), 2000), style="dim"))
    ends = _shown_range(answer)
    if len(decision.models) > 1 and ends is not None:
        console.print()
        _print_band(answer.envelope, ends, answer, console)
    if answer.knowing is not None:
        console.print()
        console.print(Text(clean(answer.knowing.sentence, 2000)))
    if answer.segments:
        console.print()
        console.print(_segments(answer))
    for note in answer.notes:
        console.print(Text(f"Note: {clean(note, 2000)}", style="yellow"))


def _table(answer: Answered) -> Table:
    """Return models and baselines, with the digits their errors allow."""
    rows, sheet = answer.answer.rows, answer.answer.sheet()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for k, name in enumerate(sheet.header):
        table.add_column(name, justify="right" if k else "left")
    models = [k for k, row in enumerate(rows) if not row.baseline]
    others = [k for k, row in enumerate(rows) if row.baseline]
    for k in (*models[:MOST_MODELS], *others):
        name, *cells = sheet.rows[k]
        table.add_row(Text(clean(name)), *cells, style="dim" if k in others else None)
    if len(models) > MOST_MODELS:
        table.add_row(f"… and {len(models) - MOST_MODELS} more models")
    return table


def _explained(decision: Decision) -> str:
    asked = decision.words.get("asked", decision.in_words)
    name = name_value(decision.sense, decision.criterion)
    return (
        f"{decision.cases:,} cases; {asked}. The {name} is per case, measured on cases that were "
        "not used for tuning."
    )


def _shown_range(answer: Answered) -> tuple[float, float] | None:
    """Return the contexts to show: what was asked for, else all; of endless ones the middle."""
    problem, axis = answer.comparison.problem, ContextAxis.of(answer.comparison.problem)
    first, last = _asked_ends(answer)
    if answer.decision.criterion != "expected":
        return axis.inside(first, last)
    low, high = problem.domain
    if axis.shares:
        return axis.usual((low, high), np.array([first, last]))
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    if first == last and problem.context_kind == "truth":
        first, last = np.quantile(problem.columns()[0], [0.01, 0.99]).tolist()
    elif first == last:
        reach = 0.5 * abs(first or 2.0)
        first, last = max(low, first - reach), min(high, first + reach)
    return (first, last) if first < last else None


def _asked_ends(answer: Answered) -> tuple[float, float]:
    """Return the ends of the contexts that were asked for; of a distribution, of nearly all."""
    problem, own = answer.comparison.problem, getattr(answer.comparison, "contexts", None)
    if own is not None:
        return float(own.values.min()), float(own.values.max())
    if "distribution" in answer.question.aim:
        distribution = read_distribution(problem, answer.question.aim["distribution"])
        low, high = quantiles(distribution, np.array([0.01, 0.99]), problem.domain).tolist()
        return low, high
    asked = recorded_aim(problem, answer.decision.context)[1].contexts
    return float(asked.min()), float(asked.max())


def _print_band(
    best: Envelope, ends: tuple[float, float], answer: Answered, console: Console
) -> None:
    """Print which model is best along the context, as a band of colours and letters."""
    low, high = ends
    axis = ContextAxis.of(answer.comparison.problem)
    say = axis.say if axis.shares else number
    shown = [region for region in best.regions if region.low < high and region.high > low]
    names = list(dict.fromkeys(region.model for region in shown))
    what = f"ratio of costs ({axis.label})" if axis.shares else "value of "
    what += "" if axis.shares else answer.comparison.problem.say_name()
    if len(names) == 1:
        where = f"from {say(low)} to {say(high)}"
        each = f"ratio of costs {where} ({axis.label})" if axis.shares else f"{what} {where}"
        said = f"On the data used for tuning, {clean(names[0])} is the best model for every {each}."
        console.print(Text(said))
        return
    console.print(Text(f"Best model for each {what}, on the data used for tuning:"))
    width = max(20, min(console.width - 2, 80))
    letters = {name: LETTERS[k % len(LETTERS)] for k, name in enumerate(names)}
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    band = Text()
    starts = [region.low for region in best.regions]
    places = axis.even(low, high, 2 * width + 1)
    for middle in places[1::2]:
        owner = best.regions[max(bisect.bisect_right(starts, middle) - 1, 0)].model
        band.append(letters[owner], style=f"bold white on {colours[owner]}")
    console.print(band)
    left, centre, right = (say(x) for x in (low, places[width], high))
    space = width - len(left) - len(centre) - len(right)
    console.print(f"{left}{' ' * (space // 2)}{centre}{' ' * (space - space // 2)}{right}")
    ends_of = {region: (max(region.low, low), min(region.high, high)) for region in shown}
    span = {r: axis.place(last) - axis.place(first) for r, (first, last) in ends_of.items()}
    wide = sorted(span, key=lambda r: span[r], reverse=True)[:MOST_REGIONS]
    kept = sorted((r for r in wide if span[r] * width >= sum(span.values())), key=lambda r: r.low)
    for region in kept:
        line = Text(f"  {letters[region.model]} ", style=f"bold {colours[region.model]}")
        first, last = map(say, ends_of[region])
        line.append(f"{first} to {last}  {clean(region.model)}", style="default")
        console.print(line)
    if len(shown) > len(kept):
        more = len(shown) - len(kept)
        console.print(f"  … and {more} range{'s' if more > 1 else ''} too narrow to show")


def _segments(answer: Answered) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left")
    for name in ("segment", "cases", "model", "setting", answer.answer.value_name, "verdict"):
        table.add_column(name, justify="right" if name == "cases" else "left")
    for value, cases, found in answer.segments:
        if isinstance(found, Decision):
            first, *ends = say_numbers(found, found.value, found.low, found.high)
            interval = f"{first} ({ends[0]} to {ends[1]})"
            cells = [clean(found.model), found.knob_text, interval, found.verdict]
        else:
            cells = [clean(found, 200), "", "", ""]
        table.add_row(Text(clean(value)), f"{cases:,}", *map(Text, cells))
    return table

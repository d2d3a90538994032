"""``roctopus look``: what a file was read as, and the command that fits it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from roctopus.cli.data import read_format
from roctopus.cli.file_columns import Column, read_columns
from roctopus.cli.guesses import Guess, guess_roles
from roctopus.cli.options import words
from roctopus.cli.printing import printing
from roctopus.cli.request import Request, command
from roctopus.concepts.rendering import clean
from roctopus.core.errors import collected_warnings
from roctopus.engines import Files


def run_look(request: Request) -> None:
    """Print what each column was read as, and the command that fits."""
    source = Files(request.files, **read_format(request))
    with collected_warnings(words()) as notes, source.naming_rows():
        columns = read_columns(source)
    guess = guess_roles(columns, request)
    with printing() as console:
        _print(columns, guess, request, notes, console)


def _print(
    columns: Sequence[Column], guess: Guess, request: Request, notes: list[str], console: Console
) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("column", "read as", "missing", "looks like", "first value"):
        right = name in ("missing", "first value")
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for each in columns:
        role, gone = guess.roles.get(each.name, ""), f"{each.missing:,}" if each.missing else ""
        cells = (clean(each.name, 60), clean(each.kind, 400), gone, role, clean(each.first, 30))
        table.add_row(*map(Text, cells))
    console.print(table)
    for note in (*notes, *guess.remarks):
        console.print(Text(f"Note: {clean(note, 2000)}", style="yellow"))
    if guess.said:
        console.print(f"\n{command(request.files, guess.said)}", style="cyan", markup=False)

"""Rows at the end of a table that are no cases: totals and means of the rows above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.engines.columns import numbers

WORD = re.compile(
    r"(?:(?:grand |overall |sub-?)?totals?|sums?|(?:gesamt|zwischen|end)?summen?|insgesamt|"
    r"gesamt(?:ergebnis|betrag|wert|zahl)?|total(?:t|e|en|i|es)?|totaal|somme|soma|suma|somma|"
    r"summa|i alt|yhteensä|razem|ogółem|celkem|összesen|toplam|итого|всего|σύνολο|合計|总计|總計|"
    r"total (?:g[ée]n[ée]ral|general)|totale generale|averages?|avg|means?|mittel(?:wert)?|"
    r"durchschnitt|ø|moyenne|promedio|gemiddelde|gennemsnit|genomsnitt|medel(?:värde)?|średnia)"
    r"(?: [0-9]{4})?"
)
"""What rows of totals and means are called in several languages."""
FEWEST = 3
"""So many rows must lie above a row of sums."""
MANY = 20
"""So many rows make a number that is as large as all of them together a strange one."""
FINEST = 6
"""Numbers are rounded to so many decimals at most, where that can be told."""


class Totals(NamedTuple):
    """Rows at the end that are called totals."""

    rows: int = 0
    """How many there are, with empty ones between and below."""
    words: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Say that they were left out."""
        told, several = ", ".join(map(repr, self.words)), len(self.words) > 1
        if several:
            what = (
                f"the last {len(self.words)} rows ({told}) were left out, because they seem to be "
            )
            return f"{what}totals. If they are cases, rename them"
        what = f"the last row ({told}) was left out, because it seems to be a total"
        return f"{what}. If it is a case, rename it"


SUMS = "the last row was left out, because it contains the sums of the rows above it"


def totals_at_end(rows: Sequence[Sequence[str]]) -> Totals:
    """Find rows of totals at the end of rows of cells, by what they are called.

    A word that also occurs above, in the same column, is the name of a group.
    """
    at = kept = len(rows)
    words: list[str] = []
    while at:
        row = rows[at - 1]
        word = _word_in(row, rows[: at - 1])
        if word is not None:
            words.insert(0, word)
            kept = at - 1
        elif any(row):
            break
        at -= 1
    return Totals(len(rows) - kept, tuple(words)) if at else Totals()


def _word_in(row: Sequence[str], above: Sequence[Sequence[str]]) -> str | None:
    for column, cell in enumerate(row):
        text = cell.strip()
        if WORD.fullmatch(text.casefold().rstrip(":. ")) is None:
            continue
        if not any(len(other) > column and other[column].strip() == text for other in above):
            return text
    return None


def ends_with_sums(table: Any, columns: Sequence[str]) -> bool:
    """Tell whether the last row of a table holds the sums of some columns of numbers."""
    import pyarrow as pa

    kinds = {name: table.schema.field(name).type for name in columns}
    numeric = [n for n, k in kinds.items() if pa.types.is_integer(k) or pa.types.is_floating(k)]
    largest = table.num_rows > FEWEST and any(_ends_largest(table.column(n)) for n in numeric)
    return largest and sums_at_end([numbers(table, name) for name in numeric])


def _ends_largest(column: Any) -> bool:
    """Tell whether the last number of a column is the largest one."""
    import pyarrow.compute as pc

    last, above = column[len(column) - 1].as_py(), pc.min_max(column.slice(0, len(column) - 1))
    ends = [end for end in above.as_py().values() if end is not None]
    return last is not None and abs(last) > max(map(abs, ends), default=0.0)


def sums_at_end(columns: Sequence[Floats]) -> bool:
    """Tell whether the last row of columns of numbers holds sums of all rows above it.

    One of them must exceed all numbers above, so that no case is one by chance. Where a number is
    missing in the last row, its column tells nothing.
    """
    last = [column for column in columns if len(column) > FEWEST and not np.isnan(column[-1])]
    return bool(last) and all(map(_is_sum, last)) and any(map(_is_largest, last))


def exceeds_all(columns: Sequence[Floats]) -> bool:
    """Tell whether the last row may hold sums of more rows than these, none of them negative."""
    last = [column for column in columns if len(column) > MANY and not np.isnan(column[-1])]
    return bool(last) and all(
        np.nanmin(column) >= 0.0 and column[-1] >= 0.99 * np.nansum(column[:-1]) > 0.0
        for column in last
    )


def _is_largest(column: Floats) -> bool:
    return bool(abs(column[-1]) > np.nanmax(np.abs(column[:-1]), initial=0.0))


def _is_sum(column: Floats) -> bool:
    """Tell whether the last number is the sum of the others, as they are rounded."""
    with np.errstate(over="ignore", invalid="ignore"):
        gap = abs(float(np.nansum(column[:-1])) - column[-1])
        size = float(np.nansum(np.abs(column[:-1])))
    if gap <= 1e-9 * size:
        return True
    step = _step(column)
    return 0.0 < step < 1.0 and gap <= 0.5 * step * len(column)


def _step(column: Floats) -> float:
    """Return the last decimal of rounded numbers; 0 for numbers that are not rounded."""
    some = column[-1000:]
    for decimals in range(FINEST + 1):
        if np.allclose(some, np.round(some, decimals), 1e-12, 1e-12, equal_nan=True):
            return float(10.0**-decimals)
    return 0.0

"""Results in notebooks and in Markdown: one table renderer for all, text from data escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

MOST_LETTERS, MOST_LINES = 100, 3


def clean(text: str, most: int = 60) -> str:
    """Return text from data without control characters; long text is cut."""
    shown = "".join(c if c.isprintable() else "�" for c in text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def short(*lines: str) -> str:
    """Return a few short lines, as a ``repr`` should be."""
    return "\n".join(clean(line, MOST_LETTERS) for line in lines[:MOST_LINES] if line)


def apart(values: Sequence[float]) -> list[str]:
    """Return numbers with as many digits as it takes to tell them apart, three at the least."""
    different = len(set(values))
    for digits in range(3, 18):
        found = [f"{value:.{digits}g}" for value in values]
        if len(set(found)) == different:
            break
    return found


def _markdown(text: str) -> str:
    """Return text that Markdown shows as it is, also within a table."""
    return re.sub(r"([\\`*_\[\]<>|~$#])", r"\\\1", text.replace("&", "&amp;"))


class Sheet(NamedTuple):
    """A sentence, a table and notes, as plain text: what HTML and Markdown are made from."""

    sentence: str
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()

    def html(self) -> str:
        """Return it as HTML; everything from the data is shown as text."""

        def cells(row: Sequence[str], tag: str) -> str:
            texts = (escape(clean(cell)) for cell in row)
            return "".join(f"<{tag}>{text}</{tag}>" for text in texts)

        head = f"<thead><tr>{cells(self.header, 'th')}</tr></thead>"
        body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in self.rows)
        table = f"<table>{head}<tbody>{body}</tbody></table>" if self.rows else ""
        notes = "".join(f"<p><small>{escape(clean(note, 2000))}</small></p>" for note in self.notes)
        sentence = f"<p>{escape(clean(self.sentence, 2000))}</p>"
        return f'<div class="tex2jax_ignore mathjax_ignore">{sentence}{table}{notes}</div>'

    def markdown(self) -> str:
        """Return it as Markdown, with a pipe table."""

        def line(row: Sequence[str]) -> str:
            return f"| {' | '.join(_markdown(clean(cell)) or ' ' for cell in row)} |"

        table = [line(self.header), f"|{' --- |' * len(self.header)}", *map(line, self.rows)]
        parts = [_markdown(clean(self.sentence, 2000))]
        if self.rows:
            parts.append("\n".join(table))
        parts += [_markdown(clean(note, 2000)) for note in self.notes]
        return "\n\n".join(parts) + "\n"


class Rendered:
    """Something that notebooks show as a table, and that can be written as Markdown."""

    def sheet(self) -> Sheet:
        """Return what is shown."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return self.sheet().html()

    def to_markdown(self) -> str:
        """Return the sentence, the table and the notes as Markdown.

        Returns
        -------
        str
            Markdown with a pipe table; text from data is escaped.
        """
        return self.sheet().markdown()

"""What a paper prints beside what we find, and the verdict on it.

A verdict is computed, never given: an erratum explains a difference only if our value is the one
that the erratum says is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

__all__ = [
    "NOT_COMPARED",
    "Absent",
    "Claim",
    "Figure",
    "Grid",
    "Page",
    "Section",
    "Table",
    "Value",
    "Verdict",
]


class Verdict(Enum):
    """How our value relates to the printed one."""

    MATCH = "match"
    CUT = "match, digits cut off in print"
    ERRATUM = "erratum"
    EXPLAINED = "differs, for a reason"
    OTHER = "another algorithm"
    ABSENT = "not reproducible"
    UNEXPLAINED = "unexplained"
    STAND_IN = "seen on a stand-in"
    OWN = "a check of our own"


NOT_COMPARED = (Verdict.ABSENT, Verdict.STAND_IN, Verdict.OWN)
"""What is no comparison with something the paper prints or says of its own data."""


@dataclass(frozen=True)
class Value:
    """A number: ours, and as it is printed."""

    what: str
    ours: float
    printed: str
    """As in the paper; how many digits it has says how near we must be."""
    within: float = 0.0
    """A relative tolerance, where chance is at work (random halves, simulations)."""
    erratum: int | None = None
    right: float | None = None
    """What the erratum says the paper should have printed."""
    reason: str = ""
    """Why ours may differ where it does; shown only then."""
    other: bool = False
    """Whether ours comes from another algorithm than the paper's."""

    @property
    def number(self) -> float:
        """The printed number."""
        return float(self.printed)

    @property
    def unit(self) -> float:
        """One unit of the last printed digit."""
        exponent = Decimal(self.printed).as_tuple().exponent
        return 10.0 ** float(exponent)

    @property
    def difference(self) -> float:
        """Ours less theirs."""
        return self.ours - self.number

    @property
    def verdict(self) -> Verdict:
        """Compare, to half a unit of the last printed digit or the tolerance."""
        gap, slack = abs(self.difference), 1e-9 * max(1.0, abs(self.number))
        if gap <= max(0.5 * self.unit, self.within * abs(self.number)) + slack:
            return Verdict.MATCH
        cut = 0.0 <= math.copysign(1.0, self.ours) * self.difference < self.unit
        if cut and self.ours * self.number >= 0.0 and not self.within:
            return Verdict.CUT
        if self.erratum is not None:
            right = self.right is not None and math.isclose(
                self.ours, self.right, rel_tol=1e-5, abs_tol=1e-9
            )
            return Verdict.ERRATUM if right else Verdict.UNEXPLAINED
        if self.other:
            return Verdict.OTHER
        return Verdict.EXPLAINED if self.reason else Verdict.UNEXPLAINED

    @property
    def remark(self) -> str:
        """What to say beside the verdict."""
        if self.verdict is Verdict.ERRATUM:
            return self.reason
        if self.verdict is Verdict.UNEXPLAINED and self.erratum is not None:
            return f"erratum {self.erratum} says {self.right:.10g}"
        return "" if self.verdict in (Verdict.MATCH, Verdict.CUT) else self.reason


@dataclass(frozen=True)
class Claim:
    """A statement of the paper (in our words), and whether it holds here."""

    what: str
    holds: bool
    evidence: str
    erratum: int | None = None
    """An erratum that says the statement is wrong: then it must not hold."""
    reason: str = ""
    basis: Literal["", "stand-in", "own"] = ""
    """Seen on data that stand in for the paper's, or a check the paper does not make."""

    @property
    def verdict(self) -> Verdict:
        """A false statement must be an erratum's, or have a reason."""
        if self.erratum is not None:
            return Verdict.UNEXPLAINED if self.holds else Verdict.ERRATUM
        if self.holds:
            known = {"": Verdict.MATCH, "stand-in": Verdict.STAND_IN, "own": Verdict.OWN}
            return known[self.basis]
        if self.basis == "stand-in":
            return Verdict.EXPLAINED
        return Verdict.EXPLAINED if self.reason else Verdict.UNEXPLAINED

    @property
    def remark(self) -> str:
        """What was seen, and why it differs."""
        unlike = "not so here; the paper's data are others" if self.basis == "stand-in" else ""
        reason = "" if self.holds else self.reason or unlike
        return self.evidence + (f" ({reason})" if reason else "")


@dataclass(frozen=True)
class Absent:
    """Something printed that cannot be redone, and why."""

    what: str
    reason: str
    printed: str = ""
    verdict = Verdict.ABSENT

    @property
    def remark(self) -> str:
        """Say why."""
        return self.reason


@dataclass(frozen=True)
class Figure:
    """A picture, and what to look for in it."""

    name: str
    picture: bytes
    caption: str


@dataclass(frozen=True)
class Table:
    """Numbers of our own that have no printed counterpart."""

    header: list[str]
    rows: list[list[Any]]
    caption: str = ""


@dataclass(frozen=True)
class Grid:
    """A table of the paper: values by row and column; None where nothing is printed."""

    header: list[str]
    rows: list[tuple[str, list[Value | None]]]
    caption: str = ""


@dataclass
class Section:
    """A part of a page."""

    title: str
    parts: list[Any] = field(default_factory=list)


def _records(part: Any) -> list[Value | Claim | Absent]:
    if isinstance(part, Grid):
        return [value for _, values in part.rows for value in values if value is not None]
    return [part] if isinstance(part, Value | Claim | Absent) else []


@dataclass
class Page:
    """All that is said about one paper, in the order it was found."""

    name: str
    title: str
    authors: str
    sections: list[Section] = field(default_factory=list)
    seconds: float = 0.0

    def section(self, title: str, text: str = "") -> None:
        """Begin a part."""
        self.sections.append(Section(title))
        if text:
            self.text(text)

    def text(self, text: str) -> None:
        """Say something."""
        self.sections[-1].parts.append(text)

    def value(self, what: str, ours: Any, printed: str, **options: Any) -> Value:
        """Compare a number with a printed one (``within``, ``erratum``, ``right``, ``reason``)."""
        made = Value(what, float(ours), printed, **options)
        self.sections[-1].parts.append(made)
        return made

    def claim(self, what: str, holds: Any, evidence: str, **options: Any) -> None:
        """Say whether a statement of the paper holds (``erratum``, ``reason``, ``basis``)."""
        self.sections[-1].parts.append(Claim(what, bool(holds), evidence, **options))

    def absent(self, what: str, reason: str, printed: str = "") -> None:
        """Name something printed that cannot be redone."""
        self.sections[-1].parts.append(Absent(what, reason, printed))

    def table(self, header: list[str], rows: list[list[Any]], caption: str = "") -> None:
        """Show numbers of our own."""
        self.sections[-1].parts.append(Table(header, rows, caption))

    def grid(
        self, header: list[str], rows: list[tuple[str, list[Value | None]]], caption: str = ""
    ) -> None:
        """Compare a whole table."""
        self.sections[-1].parts.append(Grid(header, rows, caption))

    def figure(self, name: str, figure: Any, caption: str) -> None:
        """Add a matplotlib figure (or a display's ``figure_``), and close it."""
        import io

        from matplotlib import pyplot as plt

        figure = getattr(figure, "figure_", figure)
        buffer = io.BytesIO()
        figure.savefig(buffer, dpi=100, format="png")
        plt.close(figure)
        self.sections[-1].parts.append(Figure(name, buffer.getvalue(), caption))

    @property
    def records(self) -> list[tuple[str, Value | Claim | Absent]]:
        """All that has a verdict, with its section."""
        return [
            (section.title, record)
            for section in self.sections
            for part in section.parts
            for record in _records(part)
        ]

    @property
    def figures(self) -> list[Figure]:
        """All pictures."""
        return [p for section in self.sections for p in section.parts if isinstance(p, Figure)]

    def counts(self) -> dict[str, int]:
        """Return how many have which verdict."""
        verdicts = [record.verdict for _, record in self.records]
        return {verdict.value: verdicts.count(verdict) for verdict in Verdict}

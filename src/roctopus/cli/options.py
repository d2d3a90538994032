"""What can be said on the command line: one table, from which all else is made.

A new option is a line of it, or one among the ``spoken`` options of an arm. Parameters, help and
requests are made from the table, and so are the words of errors.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from roctopus.core.errors import InputError
from roctopus.core.names import flag

if TYPE_CHECKING:
    from roctopus.concepts.arm import Arm, Option


DATA = "Data"
HOW = "How files are written"
ANY = "Costs that are not known, or differ per case: any arm"
OUTPUT = "Output"
BOTH = ("compare", "check")
COMPARE, CHECK = BOTH[:1], BOTH[1:]
MARKS = {
    "number": "NUMBER",
    "range": "NUMBER or LOW:HIGH",
    "text": "TEXT",
    "column": "COLUMN",
    "number or column": "NUMBER or COLUMN",
}
"""What stands for a value in the help, by what an option takes."""


@dataclass(frozen=True)
class Line:
    """An option: a line of the table."""

    name: str
    panel: str
    help: str
    metavar: str | None = "COLUMN"
    short: str | None = None
    kind: Any = str | None
    default: Any = None
    gives: tuple[str, ...] = ()
    """Arguments of the library that it gives, where they have other names."""
    commands: tuple[str, ...] = BOTH

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return flag(self.name)

    def parameter(self) -> inspect.Parameter:
        """Return it as a parameter of a command."""
        typed = [self.flag] if self.short is None else [self.flag, self.short]
        said = typer.Option(
            *typed,
            help=self.help,
            metavar=self.metavar,
            rich_help_panel=self.panel,
            show_default=False,
        )
        kind: Any = Annotated[self.kind, said]  # type: ignore[name-defined, unused-ignore]
        return inspect.Parameter(
            self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=kind
        )


SEVERAL = list[str] | None
BEFORE = (
    Line("arm", DATA, "{arms}; found from the costs if left out.", "ARM", commands=COMPARE),
    Line("truth", DATA, "What really happened.", short="-t", kind=SEVERAL, gives=("y_true",)),
    Line(
        "models",
        DATA,
        "Predictions, a column per model: several names, or patterns such as 'pred_*'.",
        "COLUMN...",
        short="-m",
        kind=SEVERAL,
        gives=("predictions",),
    ),
    Line("id", DATA, "Says which rows are the same case."),
    Line("model_column", DATA, "Of a long table (a row per prediction): the model."),
    Line(
        "prediction_column",
        DATA,
        "Of a long table: the prediction, a column called prediction if left out.",
    ),
    Line("weight", DATA, "Weights of cases.", short="-w", gives=("sample_weight",)),
    Line("clusters", DATA, "Cases that belong together, such as one customer's."),
    Line("by", DATA, "An answer for every value of this column, too.", commands=COMPARE),
    Line(
        "time",
        DATA,
        "Order of time: cases are judged by what came before them.",
        gives=("time_ordered",),
    ),
    Line(
        "missing",
        DATA,
        "Missing predictions: refuse (unless said), common (rows all models have), or pairwise.",
        "HOW",
        kind=str,
        default="refuse",
    ),
    Line("delimiter", HOW, "What separates columns of CSV.", "CHARACTER"),
    Line(
        "decimal",
        HOW,
        "The decimal point of CSV, if not a point.",
        "CHARACTER",
        kind=str,
        default=".",
    ),
    Line(
        "encoding",
        HOW,
        "How text is encoded if not in UTF-8, such as latin-1.",
        "NAME",
        kind=str,
        default="utf-8",
    ),
    Line("mode", HOW, "Scan files: grid or exact.", "HOW", commands=COMPARE),
    Line("memory", HOW, "What may be used: 2GB.", "SIZE", commands=COMPARE),
)
AFTER = (
    Line(
        "context_column",
        ANY,
        "Each case's own asymmetry, cutoff, cost proportion, cost of the highest class, or θ.",
        gives=("context",),
    ),
    Line(
        "distribution",
        ANY,
        "The distribution of the asymmetry, cutoff, cost or θ: 'uniform(0.5, 0.9)', "
        "'normal(25, 5)', 'gamma(2, 3)', 'lognormal(0, 1)', 'exponential(4)', 'beta(2,4) on "
        "20%:60%' (of the truths' range), or 'output' (cutoffs as the truths).",
        "DISTRIBUTION",
        commands=COMPARE,
    ),
    Line(
        "criterion",
        ANY,
        "For a range: worst (least loss at the worst point) or regret.",
        "HOW",
        commands=COMPARE,
    ),
    Line("json", OUTPUT, "Print JSON, for machines.", None, kind=bool, default=False),
    Line("decision", OUTPUT, "Write the decision to this file.", "FILE.json", commands=COMPARE),
    Line(
        "state",
        OUTPUT,
        "Sums over all checks so far: look as often as you like, false alarms stay at 5 % in all.",
        "FILE.json",
        commands=CHECK,
    ),
    Line("png", OUTPUT, "Draw pictures into this folder.", "DIR", commands=COMPARE),
    Line("output", OUTPUT, "Write a page to share.", "FILE.html", short="-o"),
    Line("title", OUTPUT, "The title of the page.", "TEXT"),
    Line("unit", OUTPUT, "The unit of losses and shifts on the page.", "TEXT", commands=COMPARE),
    Line(
        "min_cases",
        OUTPUT,
        "Each number in the page covers this many cases or more (default 10). It can still reveal "
        "single rows: share it only with people who may see the data.",
        "NUMBER",
        kind=int,
        default=10,
        commands=COMPARE,
    ),
    Line(
        "exact",
        OUTPUT,
        "Store exact numbers in the page, which are often values of single rows.",
        None,
        kind=bool,
        default=False,
        commands=COMPARE,
    ),
)


def lines(command: str) -> list[Line]:
    """Return the options of a command: of all arms, and of each."""
    from roctopus.arms import known_arms

    arms = known_arms()
    first = (replace(line, help=line.help.replace("{arms}", ", ".join(arms))) for line in BEFORE)
    spoken = _spoken(list(arms.values()))
    return [line for line in (*first, *spoken, *AFTER) if command in line.commands]


def _spoken(arms: list[Arm]) -> Iterator[Line]:
    """Yield the options of arms; of two with one name that which takes a column, or the first."""
    found: dict[str, tuple[Arm, Option]] = {}
    taken = {line.name for line in (*BEFORE, *AFTER)}
    for arm in arms:
        for option in arm.spoken:
            if option.name in taken:
                raise InputError(f"The arm {arm.name!r} brings {option.flag}, which all arms have.")
            before = found.get(option.name)
            if before is None or ("column" in option.takes and "column" not in before[1].takes):
                found.pop(option.name, None)
                found[option.name] = arm, option
    for arm, option in found.values():
        mark = option.metavar or MARKS[option.takes]
        commands = BOTH if option.checks else COMPARE
        yield Line(option.name, arm.panel, option.help, mark, gives=option.gives, commands=commands)


def words() -> dict[str, str]:
    """Return the options by the arguments that they give: errors speak of them."""
    try:
        known = [line for command in BOTH for line in lines(command)]
    except InputError:  # an arm of another package is broken, which is being said
        known = []
    found = {name: line.flag for line in known for name in (line.name, *line.gives)}
    return {"between": "the range", **found}

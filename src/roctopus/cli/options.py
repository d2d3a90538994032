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


BOTH = ("compare", "check")
COMPARE, CHECK = BOTH[:1], BOTH[1:]
MARKS = {
    "number": "NUMBER",
    "range": "NUMBER or LOW:HIGH",
    "text": "TEXT",
    "column": "COLUMN",
    "labels": "COLUMN",
    "number or column": "NUMBER or COLUMN",
    "range or column": "NUMBER, LOW:HIGH or COLUMN",
}
"""What stands for a value in the help, by what an option takes."""


@dataclass(frozen=True)
class Line:
    """An option: a line of the table."""

    name: str
    help: str
    metavar: str | None = "COLUMN"
    panel: str = ""
    short: str | None = None
    several: bool = False
    default: Any = None
    """What holds if it is not said, of the kind that is asked for; None if text."""
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
        text = list[str] | None if self.several else str | None
        kind: Any = text if self.default is None else type(self.default)
        annotated: Any = Annotated[kind, said]
        return inspect.Parameter(
            self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotated
        )


def _under(panel: str, *found: Line) -> tuple[Line, ...]:
    """Return options that the help shows under one heading."""
    return tuple(replace(line, panel=panel) for line in found)


BEFORE = _under(
    "Data",
    Line("arm", "{arms}; found from the costs if left out.", "ARM", commands=COMPARE),
    Line("truth", "What really happened.", short="-t", several=True, gives=("y_true",)),
    Line(
        "models",
        "Predictions, a column per model: several names, or patterns such as 'pred_*'.",
        "COLUMN...",
        short="-m",
        several=True,
        gives=("predictions",),
    ),
    Line("id", "Says which rows are the same case."),
    Line("model_column", "Of a long table (a row per prediction): the model."),
    Line(
        "prediction_column",
        "Of a long table: the prediction, a column called prediction if left out.",
    ),
    Line("weight", "Weights of cases.", short="-w", gives=("sample_weight",)),
    Line("clusters", "Cases that belong together, such as one customer's."),
    Line("by", "An answer for every value of this column, too.", commands=COMPARE),
    Line(
        "time", "Order of time: cases are judged by what came before them.", gives=("time_ordered",)
    ),
    Line(
        "missing",
        "Missing predictions: refuse (unless said), common (rows all models have), or pairwise.",
        "HOW",
        default="refuse",
    ),
) + _under(
    "How files are written",
    Line("delimiter", "What separates columns of CSV.", "CHARACTER"),
    Line("decimal", "The decimal point of CSV, if not a point.", "CHARACTER", default="."),
    Line(
        "encoding", "How text is encoded if not in UTF-8, such as latin-1.", "NAME", default="utf-8"
    ),
    Line("mode", "Scan files: grid or exact.", "HOW", commands=COMPARE),
    Line("memory", "What may be used: 2GB.", "SIZE", commands=COMPARE),
)
AFTER = _under(
    "Costs that are not known, or differ per case: any arm",
    Line(
        "context_column",
        "Each case's own asymmetry, cutoff, cost proportion, cost of the highest class, or θ.",
        gives=("context",),
    ),
    Line(
        "distribution",
        "The distribution of the asymmetry, cutoff, cost or θ: 'uniform(0.5, 0.9)', "
        "'normal(25, 5)', 'gamma(2, 3)', 'lognormal(0, 1)', 'exponential(4)', 'beta(2,4) on "
        "20%:60%' (of the truths' range), or 'output' (cutoffs as the truths).",
        "DISTRIBUTION",
        commands=COMPARE,
    ),
    Line(
        "criterion",
        "For a range: worst (least cost at the worst point) or regret.",
        "HOW",
        commands=COMPARE,
    ),
    Line(
        "tolerance",
        "The difference per case that does not matter, in the unit of the costs.",
        "NUMBER",
        commands=COMPARE,
    ),
    Line(
        "models_only",
        "Decide for a model even if none is shown to beat the best baseline.",
        None,
        default=False,
        commands=COMPARE,
    ),
) + _under(
    "Output",
    Line("json", "Print JSON, for machines.", None, default=False),
    Line("decision", "Write the decision to this file.", "FILE.json", commands=COMPARE),
    Line(
        "state",
        "Sums over all checks so far: look as often as you like, false alarms stay at 5 % in all.",
        "FILE.json",
        commands=CHECK,
    ),
    Line("png", "Draw pictures into this folder.", "DIR", commands=COMPARE),
    Line("output", "Write a page to share.", "FILE.html", short="-o"),
    Line("title", "The title of the page.", "TEXT"),
    Line("unit", "The unit of losses and shifts on the page.", "TEXT", commands=COMPARE),
    Line(
        "min_cases",
        "Each number in the page covers this many cases or more (default 10). It can still reveal "
        "single rows: share it only with people who may see the data.",
        "NUMBER",
        default=10,
        commands=COMPARE,
    ),
    Line(
        "exact",
        "Store exact numbers in the page, which are often values of single rows.",
        None,
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
        yield Line(option.name, option.help, mark, arm.panel, gives=option.gives, commands=commands)


def words() -> dict[str, str]:
    """Return the options by the arguments that they give: errors speak of them."""
    try:
        known = [line for command in BOTH for line in lines(command)]
    except InputError:  # an arm of another package is broken, which is being said
        known = []
    found = {name: line.flag for line in known for name in (line.name, *line.gives)}
    return {"between": "the range", **found}

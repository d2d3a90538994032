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
ALL = (*BOTH, "look")
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
    switch: bool = False
    """Whether it is said with yes (--name) or no (--no-name), or not at all."""
    commands: tuple[str, ...] = BOTH

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return flag(self.name)

    def parameter(self) -> inspect.Parameter:
        """Return it as a parameter of a command."""
        typed = [self.flag] if self.short is None else [self.flag, self.short]
        if self.switch:
            typed = [f"{self.flag}/{flag(f'no_{self.name}')}"]
        said = typer.Option(
            *typed,
            help=self.help,
            metavar=self.metavar,
            rich_help_panel=self.panel,
            show_default=False,
        )
        kind: Any = list[str] | None if self.several else str | None
        if self.switch or self.default is not None:
            kind = bool | None if self.switch else type(self.default)
        annotated: Any = Annotated[kind, said]
        return inspect.Parameter(
            self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotated
        )


def _under(panel: str, *found: Line) -> tuple[Line, ...]:
    """Return options that the help shows under one heading."""
    return tuple(replace(line, panel=panel) for line in found)


BEFORE = _under(
    "Data",
    Line(
        "arm",
        "Kind of problem: {arms}. By default it is derived from the costs you give.",
        "ARM",
        commands=COMPARE,
    ),
    Line("truth", "Column with the true values.", short="-t", several=True, gives=("y_true",)),
    Line(
        "models",
        "Columns with predictions, one per model: names, or patterns such as 'pred_*'.",
        "COLUMN...",
        short="-m",
        several=True,
        gives=("predictions",),
    ),
    Line(
        "id", "Column that identifies the case, to match rows of several files or of a long table."
    ),
    Line(
        "model_column",
        "For long tables (one row per prediction): column with the name of the model.",
    ),
    Line(
        "prediction_column",
        "For long tables: column with the predictions (default: prediction).",
    ),
    Line(
        "deployed",
        "The predictions are what the deployed model returned: shifted numbers, yes and no, or "
        "grades. --no-deployed: they are raw, whatever they look like.",
        None,
        switch=True,
        commands=CHECK,
    ),
    Line(
        "without_truth",
        "The true values are not known yet: only say whether predictions look as they did.",
        None,
        switch=True,
        commands=CHECK,
    ),
    Line("weight", "Column with the weight of each case.", short="-w", gives=("sample_weight",)),
    Line(
        "clusters", "Column that groups cases which belong together, such as those of one customer."
    ),
    Line("by", "Also answer separately for each value of this column.", commands=COMPARE),
    Line(
        "time",
        "Column with times: settings are tuned on earlier cases only, and intervals allow for "
        "similar cases at the same time and at neighbouring times.",
    ),
    Line(
        "missing",
        "What to do about missing values: refuse (raise an error, the default), common (use the "
        "rows that all models have) or pairwise (show each model on its own rows). The last two "
        "leave out cases without a true value.",
        "HOW",
        default="refuse",
    ),
) + _under(
    "File format",
    Line(
        "delimiter",
        "Column separator of CSV files (default: found in the file).",
        "CHARACTER",
        commands=ALL,
    ),
    Line(
        "decimal",
        "Decimal sign of CSV files (default: found in all rows).",
        "CHARACTER",
        commands=ALL,
    ),
    Line(
        "thousands",
        "Sign between thousands in CSV files, such as . in 1.234 (default: found in all rows).",
        "CHARACTER",
        commands=ALL,
    ),
    Line(
        "dates",
        "Order of day, month and year in CSV files: dmy (31/12/2024), mdy (12/31/2024) or ymd "
        "(default: found in all rows).",
        "ORDER",
        commands=ALL,
    ),
    Line(
        "encoding",
        "Text encoding, such as latin-1 (default: found in the file).",
        "NAME",
        commands=ALL,
    ),
    Line(
        "sheet",
        "Sheet of a spreadsheet (default: the only one with values).",
        "NAME",
        commands=ALL,
    ),
    Line(
        "header_row",
        "Row of a spreadsheet that holds the names of columns (default: the first that is not "
        "empty).",
        "NUMBER",
        commands=ALL,
    ),
    Line(
        "mode",
        "Scan the files instead of loading them: grid (fast) or exact.",
        "HOW",
        commands=COMPARE,
    ),
    Line(
        "memory",
        "How much memory to use, such as 2GB (default: half of what is free). A compressed file "
        "that needs more when it is unpacked raises an error.",
        "SIZE",
        commands=ALL,
    ),
)
AFTER = _under(
    "Costs that are unknown or differ per case (all arms)",
    Line(
        "context_column",
        "Column with each case's own asymmetry, cutoff, cost proportion, cost of the highest "
        "class, or θ.",
        gives=("context",),
    ),
    Line(
        "distribution",
        "The distribution of the asymmetry, cutoff, cost or θ: 'uniform(0.5, 0.9)', 'normal(25, "
        "5)', 'gamma(2, 3)', 'lognormal(0, 1)', 'exponential(4)', 'beta(2,4) on 20%:60%' (of the "
        "range of true values), or 'output' (cutoffs distributed like the true values).",
        "DISTRIBUTION",
        commands=COMPARE,
    ),
    Line(
        "criterion",
        "For a range: minimise the cost in the worst case (worst) or the largest regret (regret).",
        "HOW",
        commands=COMPARE,
    ),
    Line(
        "tolerance",
        "Differences per case below this do not matter to you, in the unit of the costs.",
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
    Line("json", "Print JSON.", None, default=False),
    Line("decision", "Write the decision to this file.", "FILE.json", commands=COMPARE),
    Line(
        "state",
        "File that keeps what earlier checks showed: however often you check, the probability of "
        "ever raising a false alarm stays at 5 %.",
        "FILE.json",
        commands=CHECK,
    ),
    Line(
        "retuned",
        "If a new setting is advised, write the decision with it to this file. From then on, check "
        "that decision with the same --state.",
        "FILE.json",
        commands=CHECK,
    ),
    Line("png", "Write pictures to this folder.", "DIR", commands=COMPARE),
    Line("output", "Write an HTML page.", "FILE.html", short="-o"),
    Line("title", "Title of the page.", "TEXT"),
    Line("unit", "Unit of costs and shifts on the page.", "TEXT", commands=COMPARE),
    Line(
        "min_cases",
        "Smallest number of cases in each group that the page is made of (default 10).",
        "NUMBER",
        default=10,
        commands=COMPARE,
    ),
    Line(
        "exact",
        "Store exact values in the page, not those of groups. They can reveal single rows: share "
        "the page only with people who may see the data.",
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
    spoken = _spoken(list(arms.values())) if command in BOTH else ()
    return [line for line in (*first, *spoken, *AFTER) if command in line.commands]


def _spoken(arms: list[Arm]) -> Iterator[Line]:
    """Yield the options of arms; of two with one name that which takes a column, or the first."""
    found: dict[str, tuple[Arm, Option]] = {}
    taken = {line.name for line in (*BEFORE, *AFTER)}
    for arm in arms:
        for option in arm.spoken:
            if option.name in taken:
                raise InputError(
                    f"The arm {arm.name!r} defines {option.flag}, which is already an option of "
                    "all arms. Rename its option."
                )
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
    scores = dict.fromkeys(("y_pred", "y_score", "y_prob", "predictions"), flag("models"))
    return {"between": "the range", **scores, **found}

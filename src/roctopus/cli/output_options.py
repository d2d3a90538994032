"""What can be said of outputs on the command line, and what belongs to one command only."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from roctopus.cli.options import Text, option

__all__ = [
    "DecisionFile",
    "DemoArm",
    "Exact",
    "Folder",
    "Json",
    "MinCases",
    "Page",
    "Pictures",
    "SchemaOf",
    "Shipped",
    "State",
    "Title",
    "Unit",
    "Version",
]


def _output(*names: str, help: str, metavar: str) -> Any:
    return option("Output", *names, help=help, metavar=metavar)


Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, for machines.", rich_help_panel="Output"),
]

DecisionFile = Annotated[
    Text, _output("--decision", help="Write the decision to this file.", metavar="FILE.json")
]
Pictures = Annotated[Text, _output("--png", help="Draw pictures into this folder.", metavar="DIR")]
Page = Annotated[
    Text, _output("--output", "-o", help="Write a page to share.", metavar="FILE.html")
]
State = Annotated[
    Text,
    _output(
        "--state",
        help="Sums over all checks so far: look as often as you like, false alarms stay at 5 % in "
        "all.",
        metavar="FILE.json",
    ),
]
Title = Annotated[Text, _output("--title", help="The title of the page.", metavar="TEXT")]
Unit = Annotated[
    Text, _output("--unit", help="The unit of losses and shifts on the page.", metavar="TEXT")
]
MinCases = Annotated[
    int,
    _output(
        "--min-cases",
        help="Each number in the page covers this many cases or more (default 10). It can still "
        "reveal single rows: share it only with people who may see the data.",
        metavar="NUMBER",
    ),
]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Store exact numbers in the page, which are often values of single rows.",
        rich_help_panel="Output",
    ),
]
Shipped = Annotated[
    str, typer.Argument(metavar="DECISION", help="The file of the decision.", show_default=False)
]
DemoArm = Annotated[
    str,
    typer.Argument(
        metavar="[ARM]", help="regression, cutoff, ordinal, probability, impact, or all."
    ),
]
Folder = Annotated[str, typer.Option("--folder", "-f", help="Where files go.", metavar="DIR")]
SchemaOf = Annotated[str, typer.Argument(metavar="[WHAT]", help="answer, check or decision.")]
Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)]

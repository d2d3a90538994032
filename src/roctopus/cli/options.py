"""What can be said on the command line, declared once for all commands."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

__all__ = [
    "Arm",
    "Asymmetry",
    "AtLeast",
    "By",
    "Capacity",
    "Clusters",
    "Cost",
    "CostProportion",
    "Costs",
    "Criterion",
    "Cutoff",
    "CutoffColumn",
    "Decimal",
    "Delimiter",
    "Distribution",
    "Encoding",
    "FalseNegativeCost",
    "FalsePositiveCost",
    "Files",
    "Id",
    "Json",
    "Labels",
    "Memory",
    "Missing",
    "Mode",
    "ModelColumn",
    "Models",
    "OverCost",
    "PredictionColumn",
    "Prevalence",
    "Theta",
    "Time",
    "Truth",
    "UnderCost",
    "Utility",
    "Value",
    "Weight",
]

DATA = "Data"
HOW = "How files are written"
REGRESSION = "Costs: regression (too low and too high cost differently)"
CUTOFF = "Costs: cutoff (yes or no is decided where a prediction meets a cutoff)"
ORDINAL = "Costs: ordinal (cases are graded into ordered classes)"
TWO = "Costs: probability (two classes), also for the decisions at a cutoff"
IMPACT = "Costs: impact (every case has its own worth)"
ANY = "Costs that are not known: any arm"


def _option(panel: str, *names: str, help: str, metavar: str = "COLUMN") -> Any:
    return typer.Option(
        *names, help=help, metavar=metavar, rich_help_panel=panel, show_default=False
    )


Text: TypeAlias = str | None

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Parquet, CSV (also .gz), JSON lines, Arrow; a folder of them; - for CSV on standard "
        "input. Files with the same columns are parts of one table; others are matched by --id.",
        show_default=False,
    ),
]
Arm = Annotated[
    Text,
    _option(
        DATA,
        "--arm",
        help="regression, cutoff, ordinal, probability or impact; found from the costs if left "
        "out.",
        metavar="ARM",
    ),
]
Truth = Annotated[Text, _option(DATA, "--truth", "-t", help="What really happened.")]
Models = Annotated[
    list[str] | None,
    _option(
        DATA,
        "--models",
        "-m",
        help="Predictions, a column per model: several names, or patterns such as 'pred_*'.",
        metavar="COLUMN...",
    ),
]
Id = Annotated[Text, _option(DATA, "--id", help="Says which rows are the same case.")]
ModelColumn = Annotated[
    Text,
    _option(DATA, "--model-column", help="Of a long table (a row per prediction): the model."),
]
PredictionColumn = Annotated[
    Text,
    _option(
        DATA,
        "--prediction-column",
        help="Of a long table: the prediction, a column called prediction if left out.",
    ),
]
Weight = Annotated[Text, _option(DATA, "--weight", "-w", help="Weights of cases.")]
Clusters = Annotated[
    Text, _option(DATA, "--clusters", help="Cases that belong together, such as one customer's.")
]
By = Annotated[Text, _option(DATA, "--by", help="An answer for every value of this column, too.")]
Time = Annotated[
    Text, _option(DATA, "--time", help="Order of time: cases are judged by what came before them.")
]
Labels = Annotated[
    Text,
    _option(DATA, "--labels", help="Ordered classes, lowest first: low,mid,high.", metavar="A,B,C"),
]
Missing = Annotated[
    str,
    _option(
        DATA,
        "--missing",
        help="Missing predictions: refuse (unless said), common (rows all models have), or "
        "pairwise.",
        metavar="HOW",
    ),
]

Mode = Annotated[Text, _option(HOW, "--mode", help="Scan files: grid or exact.", metavar="HOW")]
Memory = Annotated[Text, _option(HOW, "--memory", help="What may be used: 2GB.", metavar="SIZE")]
Delimiter = Annotated[
    Text, _option(HOW, "--delimiter", help="What separates columns of CSV.", metavar="CHARACTER")
]
Decimal = Annotated[
    str,
    _option(
        HOW, "--decimal", help="The decimal point of CSV, if not a point.", metavar="CHARACTER"
    ),
]
Encoding = Annotated[
    str,
    _option(
        HOW,
        "--encoding",
        help="How text is encoded if not in UTF-8, such as latin-1.",
        metavar="NAME",
    ),
]

NUMBER, RANGE = "NUMBER", "NUMBER or LOW:HIGH"
UnderCost = Annotated[
    Text, _option(REGRESSION, "--under-cost", help="Of a unit predicted too low.", metavar=NUMBER)
]
OverCost = Annotated[
    Text, _option(REGRESSION, "--over-cost", help="Of a unit predicted too high.", metavar=NUMBER)
]
Asymmetry = Annotated[
    Text,
    _option(
        REGRESSION,
        "--asymmetry",
        help="Instead of both: the share of under-estimates in the two costs, 0 to 1.",
        metavar=RANGE,
    ),
]
Cutoff = Annotated[Text, _option(CUTOFF, "--cutoff", help="The cutoff.", metavar=RANGE)]
CutoffColumn = Annotated[
    Text, _option(CUTOFF, "--cutoff-column", help="Cutoffs that were met, one per row.")
]
Costs = Annotated[
    Text,
    _option(
        ORDINAL,
        "--costs",
        help="Of an error on each class, lowest first: 1,3,5; one of them may be a range: "
        "1,1,2:8. Or a CSV file with a matrix: a row per true class, a column per grade.",
        metavar="COSTS",
    ),
]
FalsePositiveCost = Annotated[
    Text, _option(TWO, "--false-positive-cost", help="Of a wrong yes.", metavar=NUMBER)
]
FalseNegativeCost = Annotated[
    Text, _option(TWO, "--false-negative-cost", help="Of a wrong no.", metavar=NUMBER)
]
CostProportion = Annotated[
    Text,
    _option(
        TWO,
        "--cost-proportion",
        help="Instead of both: the share of false positives in the two costs, 0 to 1.",
        metavar=RANGE,
    ),
]
Prevalence = Annotated[
    Text,
    _option(
        TWO,
        "--prevalence",
        help="The share of yes in deployment, if not as in the files.",
        metavar=NUMBER,
    ),
]
Utility = Annotated[
    Text,
    _option(
        IMPACT,
        "--utility",
        help="What accepting is worth: value-times-price (truth·θ − 1), value-minus-cutoff "
        "(truth − θ), net-benefit (1 for a yes, −θ for a no), or slope=COLUMN,intercept=COLUMN "
        "(slope·θ + intercept).",
        metavar="UTILITY",
    ),
]
Value = Annotated[
    Text, _option(IMPACT, "--value", help="With --cost: accepting is worth value·θ − cost.")
]
Cost = Annotated[Text, _option(IMPACT, "--cost", help="The cost of accepting; 1 if left out.")]
Theta = Annotated[Text, _option(IMPACT, "--theta", help="The price θ.", metavar=RANGE)]
Capacity = Annotated[
    Text, _option(IMPACT, "--capacity", help="At most so many can be accepted.", metavar=NUMBER)
]
AtLeast = Annotated[
    Text, _option(IMPACT, "--at-least", help="So many must be accepted.", metavar=NUMBER)
]
Distribution = Annotated[
    Text,
    _option(
        ANY,
        "--distribution",
        help="What is believed of the asymmetry, cutoff, cost or θ: 'uniform(0.5, 0.9)', "
        "'normal(25, 5)', 'gamma(2, 3)', 'lognormal(0, 1)', 'exponential(4)', 'beta(2,4) on "
        "20%:60%' (of the truths' range), or 'output' (cutoffs as the truths).",
        metavar="LAW",
    ),
]
Criterion = Annotated[
    Text,
    _option(
        ANY,
        "--criterion",
        help="For a range: worst (least loss at the worst point) or regret.",
        metavar="HOW",
    ),
]
Json = Annotated[
    bool,
    typer.Option("--json", help="Print JSON, for machines.", rich_help_panel="Output"),
]


def _output(*names: str, help: str, metavar: str) -> Any:
    return _option("Output", *names, help=help, metavar=metavar)


DecisionFile = Annotated[
    Text, _output("--decision", help="Write the decision to this file.", metavar="FILE.json")
]
Pictures = Annotated[Text, _output("--png", help="Draw pictures into this folder.", metavar="DIR")]
Page = Annotated[
    Text, _output("--output", "-o", help="Write a page to share.", metavar="FILE.html")
]
Title = Annotated[Text, _output("--title", help="The title of the page.", metavar="TEXT")]
Unit = Annotated[
    Text, _output("--unit", help="The unit of losses and shifts on the page.", metavar="TEXT")
]
MinCases = Annotated[
    int,
    _output(
        "--min-cases",
        help="Every number of the page covers so many cases or more; 10 unless said.",
        metavar="NUMBER",
    ),
]
Exact = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Exact numbers in the page, from which rows may be told. It says so.",
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

"""What can be said of data and costs on the command line, declared once for all commands."""

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
    "ContextColumn",
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
    "Labels",
    "Memory",
    "Missing",
    "Mode",
    "ModelColumn",
    "Models",
    "OverCost",
    "PredictionColumn",
    "Prevalence",
    "Text",
    "Theta",
    "Time",
    "Truth",
    "UnderCost",
    "Utility",
    "Value",
    "Weight",
    "option",
]

DATA = "Data"
HOW = "How files are written"
REGRESSION = "Costs: regression (too low and too high cost differently)"
CUTOFF = "Costs: cutoff (yes or no is decided where a prediction meets a cutoff)"
ORDINAL = "Costs: ordinal (cases are graded into ordered classes)"
TWO = "Costs: probability (two classes), also for the decisions at a cutoff"
IMPACT = "Costs: impact (every case has its own worth)"
ANY = "Costs that are not known, or differ per case: any arm"


def option(panel: str, *names: str, help: str, metavar: str = "COLUMN") -> Any:
    """Declare an option, and the panel of the help in which it stands."""
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
    option(
        DATA,
        "--arm",
        help="regression, cutoff, ordinal, probability or impact; found from the costs if left "
        "out.",
        metavar="ARM",
    ),
]
Truth = Annotated[Text, option(DATA, "--truth", "-t", help="What really happened.")]
Models = Annotated[
    list[str] | None,
    option(
        DATA,
        "--models",
        "-m",
        help="Predictions, a column per model: several names, or patterns such as 'pred_*'.",
        metavar="COLUMN...",
    ),
]
Id = Annotated[Text, option(DATA, "--id", help="Says which rows are the same case.")]
ModelColumn = Annotated[
    Text,
    option(DATA, "--model-column", help="Of a long table (a row per prediction): the model."),
]
PredictionColumn = Annotated[
    Text,
    option(
        DATA,
        "--prediction-column",
        help="Of a long table: the prediction, a column called prediction if left out.",
    ),
]
Weight = Annotated[Text, option(DATA, "--weight", "-w", help="Weights of cases.")]
Clusters = Annotated[
    Text, option(DATA, "--clusters", help="Cases that belong together, such as one customer's.")
]
By = Annotated[Text, option(DATA, "--by", help="An answer for every value of this column, too.")]
Time = Annotated[
    Text, option(DATA, "--time", help="Order of time: cases are judged by what came before them.")
]
Labels = Annotated[
    Text,
    option(DATA, "--labels", help="Ordered classes, lowest first: low,mid,high.", metavar="A,B,C"),
]
Missing = Annotated[
    str,
    option(
        DATA,
        "--missing",
        help="Missing predictions: refuse (unless said), common (rows all models have), or "
        "pairwise.",
        metavar="HOW",
    ),
]

Mode = Annotated[Text, option(HOW, "--mode", help="Scan files: grid or exact.", metavar="HOW")]
Memory = Annotated[Text, option(HOW, "--memory", help="What may be used: 2GB.", metavar="SIZE")]
Delimiter = Annotated[
    Text, option(HOW, "--delimiter", help="What separates columns of CSV.", metavar="CHARACTER")
]
Decimal = Annotated[
    str,
    option(HOW, "--decimal", help="The decimal point of CSV, if not a point.", metavar="CHARACTER"),
]
Encoding = Annotated[
    str,
    option(
        HOW,
        "--encoding",
        help="How text is encoded if not in UTF-8, such as latin-1.",
        metavar="NAME",
    ),
]

NUMBER, RANGE = "NUMBER", "NUMBER or LOW:HIGH"
EITHER = "NUMBER or COLUMN"
"""One cost for all cases, or each case's own."""
UnderCost = Annotated[
    Text,
    option(
        REGRESSION,
        "--under-cost",
        help="Of a unit predicted too low; a column: each case's own.",
        metavar=EITHER,
    ),
]
OverCost = Annotated[
    Text,
    option(
        REGRESSION,
        "--over-cost",
        help="Of a unit predicted too high; a column: each case's own.",
        metavar=EITHER,
    ),
]
Asymmetry = Annotated[
    Text,
    option(
        REGRESSION,
        "--asymmetry",
        help="Instead of both: the share of under-estimates in the two costs, 0 to 1.",
        metavar=RANGE,
    ),
]
Cutoff = Annotated[Text, option(CUTOFF, "--cutoff", help="The cutoff.", metavar=RANGE)]
CutoffColumn = Annotated[
    Text,
    option(
        CUTOFF,
        "--cutoff-column",
        help="Cutoffs that were met, one per row, as a distribution: any case may meet any of "
        "them. Each case at its own: --context-column.",
    ),
]
Costs = Annotated[
    Text,
    option(
        ORDINAL,
        "--costs",
        help="Of an error on each class, lowest first: 1,3,5; one of them may be a range: "
        "1,1,2:8. Or a CSV file with a matrix: a row per true class, a column per grade. With "
        "--context-column, of all classes but the highest.",
        metavar="COSTS",
    ),
]
FalsePositiveCost = Annotated[
    Text,
    option(
        TWO,
        "--false-positive-cost",
        help="Of a wrong yes; a column: each case's own.",
        metavar=EITHER,
    ),
]
FalseNegativeCost = Annotated[
    Text,
    option(
        TWO,
        "--false-negative-cost",
        help="Of a wrong no; a column: each case's own.",
        metavar=EITHER,
    ),
]
CostProportion = Annotated[
    Text,
    option(
        TWO,
        "--cost-proportion",
        help="Instead of both: the share of false positives in the two costs, 0 to 1.",
        metavar=RANGE,
    ),
]
Prevalence = Annotated[
    Text,
    option(
        TWO,
        "--prevalence",
        help="The share of yes in deployment, if not as in the files.",
        metavar=NUMBER,
    ),
]
Utility = Annotated[
    Text,
    option(
        IMPACT,
        "--utility",
        help="What accepting is worth: value-times-price (truth·θ − 1), value-minus-cutoff "
        "(truth − θ), net-benefit (1 for a yes, −θ for a no), or slope=COLUMN,intercept=COLUMN "
        "(slope·θ + intercept).",
        metavar="UTILITY",
    ),
]
Value = Annotated[
    Text, option(IMPACT, "--value", help="With --cost: accepting is worth value·θ − cost.")
]
Cost = Annotated[Text, option(IMPACT, "--cost", help="The cost of accepting; 1 if left out.")]
Theta = Annotated[Text, option(IMPACT, "--theta", help="The price θ.", metavar=RANGE)]
Capacity = Annotated[
    Text, option(IMPACT, "--capacity", help="At most so many can be accepted.", metavar=NUMBER)
]
AtLeast = Annotated[
    Text, option(IMPACT, "--at-least", help="So many must be accepted.", metavar=NUMBER)
]
Distribution = Annotated[
    Text,
    option(
        ANY,
        "--distribution",
        help="The distribution of the asymmetry, cutoff, cost or θ: 'uniform(0.5, 0.9)', "
        "'normal(25, 5)', 'gamma(2, 3)', 'lognormal(0, 1)', 'exponential(4)', 'beta(2,4) on "
        "20%:60%' (of the truths' range), or 'output' (cutoffs as the truths).",
        metavar="DISTRIBUTION",
    ),
]
Criterion = Annotated[
    Text,
    option(
        ANY,
        "--criterion",
        help="For a range: worst (least loss at the worst point) or regret.",
        metavar="HOW",
    ),
]
ContextColumn = Annotated[
    Text,
    option(
        ANY,
        "--context-column",
        help="Each case's own asymmetry, cutoff, cost proportion, cost of the highest class, or θ.",
    ),
]

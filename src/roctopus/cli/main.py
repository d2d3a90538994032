"""The program ``roctopus``: its commands, and one sentence for whatever goes wrong."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import typer

from roctopus.cli import options as say
from roctopus.cli import output_options as out

__all__ = ["app", "run"]

app = typer.Typer(
    name="roctopus",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Choose a model and its operating point (shift, threshold, cutoff) when the costs of "
    "errors are unknown, vary, or differ per case.",
    epilog="Start with: roctopus demo",
)

INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C ended."""

# Commands import what they need when they run, so that help comes at once.


@app.command(
    epilog="Example: roctopus compare sales.csv --truth demand --models 'pred_*' --under-cost 4 "
    "--over-cost 1"
)
def compare(
    files: say.Files,
    arm: say.Arm = None,
    truth: say.Truth = None,
    models: say.Models = None,
    id: say.Id = None,
    model_column: say.ModelColumn = None,
    prediction_column: say.PredictionColumn = None,
    weight: say.Weight = None,
    clusters: say.Clusters = None,
    by: say.By = None,
    time: say.Time = None,
    labels: say.Labels = None,
    missing: say.Missing = "refuse",
    delimiter: say.Delimiter = None,
    decimal: say.Decimal = ".",
    encoding: say.Encoding = "utf-8",
    under_cost: say.UnderCost = None,
    over_cost: say.OverCost = None,
    asymmetry: say.Asymmetry = None,
    cutoff: say.Cutoff = None,
    cutoff_column: say.CutoffColumn = None,
    costs: say.Costs = None,
    false_positive_cost: say.FalsePositiveCost = None,
    false_negative_cost: say.FalseNegativeCost = None,
    cost_proportion: say.CostProportion = None,
    prevalence: say.Prevalence = None,
    utility: say.Utility = None,
    value: say.Value = None,
    cost: say.Cost = None,
    theta: say.Theta = None,
    capacity: say.Capacity = None,
    at_least: say.AtLeast = None,
    context_column: say.ContextColumn = None,
    distribution: say.Distribution = None,
    criterion: say.Criterion = None,
    mode: say.Mode = None,
    memory: say.Memory = None,
    json: out.Json = False,
    decision: out.DecisionFile = None,
    png: out.Pictures = None,
    output: out.Page = None,
    title: out.Title = None,
    unit: out.Unit = None,
    min_cases: out.MinCases = 10,
    exact: out.Exact = False,
) -> None:
    """Compare models on a file of predictions, and decide.

    Prints the decision in one sentence, the ranking, and who is best where.

    Predictions must be of cases that the models were not trained on.
    """
    from roctopus.cli.compare import run_compare
    from roctopus.cli.request import Request

    request = Request.of(locals())
    look = {"title": title, "unit": unit or "", "min_cases": min_cases, "exact": exact}
    run_compare(request, json, _path(decision), _path(png), _path(output), look)


@app.command(
    epilog="Exit codes: 0 wait, for it holds; 1 retrain, or decide anew; 3 re-tune; 4 accept, for "
    "the contexts cost more than they did; 2 the input cannot be used.\n\n"
    "Example: roctopus check decision.json new.parquet --truth demand --models ridge "
    "--state state.json -o check.html"
)
def check(
    decision: out.Shipped,
    files: say.Files,
    truth: say.Truth = None,
    models: say.Models = None,
    id: say.Id = None,
    model_column: say.ModelColumn = None,
    prediction_column: say.PredictionColumn = None,
    weight: say.Weight = None,
    clusters: say.Clusters = None,
    time: say.Time = None,
    labels: say.Labels = None,
    missing: say.Missing = "refuse",
    delimiter: say.Delimiter = None,
    decimal: say.Decimal = ".",
    encoding: say.Encoding = "utf-8",
    utility: say.Utility = None,
    value: say.Value = None,
    cost: say.Cost = None,
    capacity: say.Capacity = None,
    at_least: say.AtLeast = None,
    prevalence: say.Prevalence = None,
    cutoff_column: say.CutoffColumn = None,
    under_cost: say.UnderCost = None,
    over_cost: say.OverCost = None,
    false_positive_cost: say.FalsePositiveCost = None,
    false_negative_cost: say.FalseNegativeCost = None,
    context_column: say.ContextColumn = None,
    json: out.Json = False,
    state: out.State = None,
    output: out.Page = None,
    title: out.Title = None,
) -> None:
    """Say whether a decision still holds on new cases, if not why, and what to do (exit code).

    Alarm is raised if its value is worse than recorded, if its knob is stale, or if another of
    the models named is better now: wrongly in about 5 % of checks or fewer. To check again and
    again, name a --state: then 5 % is for all checks together, and the value and the knob are
    looked at.
    """
    from roctopus.cli.check import run_check
    from roctopus.cli.request import Request

    request = Request.of(locals())
    raise typer.Exit(run_check(decision, request, json, _path(state), _path(output), title))


@app.command(epilog="Example: roctopus demo ordinal")
def demo(arm: out.DemoArm = "regression", folder: out.Folder = "roctopus-demo") -> None:
    """Tell the story of a bundled example, answer it, and draw it. Needs no network."""
    from roctopus.cli.demo import run_demo

    run_demo(arm, Path(folder))


@app.command(epilog="Example: roctopus schema answer > answer.schema.json")
def schema(what: out.SchemaOf = "answer") -> None:
    """Print the JSON Schema of an answer (compare --json), a check, or a decision's file."""
    from roctopus.cli.schemas import print_schema

    print_schema(what)


@app.callback(invoke_without_command=True)
def _main(version: out.Version = False) -> None:
    if version:
        from roctopus._version import __version__

        typer.echo(f"roctopus {__version__}")
        raise typer.Exit


def _path(text: str | None) -> Path | None:
    return None if text is None else Path(text)


def gather(arguments: list[str]) -> list[str]:
    """Let ``--models`` take several names, up to the next option or file."""
    found: list[str] = []
    taking = False
    for each in arguments:
        if each in ("--models", "-m"):
            taking = True
            continue
        if each.startswith("-") or (taking and found[-2:-1] == ["--models"] and _is_file(each)):
            taking = False
        found += ["--models", each] if taking else [each]
    return found


def _is_file(text: str) -> bool:
    from roctopus.engines.opening import is_table

    try:
        return is_table(text)
    except (OSError, ValueError):
        return False


def run() -> None:
    """Run the program; whatever goes wrong is one sentence on standard error."""
    warnings.showwarning = _print_note
    sys.stdout = _writable(sys.stdout)
    sys.stderr = _writable(sys.stderr)
    sys.exit(_run(gather(sys.argv[1:]) or ["--help"]))


def _writable(stream: Any) -> Any:
    """Return a stream that takes any text: a closed one is replaced, signs it lacks become "?"."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    stream.reconfigure(errors="replace")
    return stream


def _run(arguments: list[str]) -> int:
    from roctopus.cli.wording import in_options
    from roctopus.core.errors import RoctopusError

    try:
        code = int(app(args=arguments, standalone_mode=False) or 0)
        sys.stdout.flush()
        return _interrupted() if code == INTERRUPTED else code
    except RoctopusError as error:
        return _fail(in_options(error))
    except KeyboardInterrupt:
        return _interrupted()
    except (BrokenPipeError, SystemExit):  # help that nobody reads on: rich gives up, and exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _fail("There is not enough memory for these data.")
    except OSError as error:
        where = f"'{error.filename}': " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}. No file was half written.")
    except Exception as error:
        told = getattr(error, "format_message", None)
        if told is not None:  # wrong use of options
            return _fail(f"{str(told()).rstrip('.')}. See roctopus --help.")
        if os.environ.get("ROCTOPUS_TRACEBACK"):
            raise
        return _fail(
            f"This is a fault of roctopus, please report it: {type(error).__name__}: {error}. "
            "(ROCTOPUS_TRACEBACK=1 shows where.)"
        )


def _interrupted() -> int:
    _fail("Interrupted. Files are whole: none was half written.")
    return INTERRUPTED


def _fail(sentence: str) -> int:
    from roctopus.cli.printing import clean

    sys.stderr.write(f"roctopus: {clean(' '.join(sentence.split()), 3000)}\n")
    return 2


def _print_note(message: Any, category: Any, *rest: Any, **more: Any) -> None:
    from roctopus.cli.printing import clean
    from roctopus.cli.wording import in_options

    sys.stderr.write(f"Note: {clean(in_options(message), 2000)}\n")

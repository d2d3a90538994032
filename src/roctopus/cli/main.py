"""The program ``roctopus``: its commands, and one sentence for whatever goes wrong."""

from __future__ import annotations

import inspect
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from roctopus.cli import tell_story
from roctopus.cli.options import lines, words

INTERRUPTED = 130
"""What shells expect of a program that Ctrl-C ended."""
FileNames = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE",
        help="Parquet, CSV (also .gz), JSON lines, Arrow, .xlsx, .ods; a folder of them; - for CSV "
        "on standard input. Files with the same columns are read as one table; others are matched "
        "by --id.",
        show_default=False,
    ),
]
Shipped = Annotated[
    str, typer.Argument(metavar="DECISION", help="File with the decision.", show_default=False)
]
DemoName = Annotated[
    str | None,
    typer.Argument(
        metavar="[ARM]",
        help="regression, cutoff, ordinal, probability, impact, or all of these. By default: how "
        "much strength a supplier of concrete should promise.",
        show_default=False,
    ),
]
Folder = Annotated[str, typer.Option("--folder", "-f", help="Folder for the files.", metavar="DIR")]
SchemaOf = Annotated[str, typer.Argument(metavar="[WHAT]", help="answer, check or decision.")]
Version = Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)]

# Commands import what they need when they run, so that help comes at once.


def compare(files: FileNames, **said: Any) -> None:
    """Compare models on a file of predictions, and choose one with its setting.

    Prints what to do, what it saves, a table of all models, and which model is best where.

    The models must not have been trained on these cases.
    """
    from roctopus.cli.compare import run_compare
    from roctopus.cli.request import Request

    run_compare(Request(files, said))


def look(files: FileNames, **said: Any) -> None:
    """Show what each column of a file was read as, and the command that fits.

    Prints how many values are missing, and which columns look like true values, predictions, ids,
    times and weights.
    """
    from roctopus.cli.look import run_look
    from roctopus.cli.request import Request

    run_look(Request(files, said))


def check(decision: Shipped, files: FileNames, **said: Any) -> None:
    """Check whether a decision still holds on new cases; if not, print why and what to do.

    An alarm is raised if the cost is higher than when you decided, if the setting is out of date,
    or if another of the named models is better now. If nothing has changed, at most about 5 % of
    checks raise one. To check repeatedly, give a --state: the 5 % then hold for all checks
    together, and only the cost and the setting are checked.
    """
    from roctopus.cli.check import run_check
    from roctopus.cli.request import Request

    raise typer.Exit(run_check(decision, Request(files, said)))


def demo(arm: DemoName = None, folder: Folder = "roctopus-demo") -> None:
    """Show a bundled example: the story, the answer and pictures. Works offline."""
    tell_story(arm, Path(folder))


def schema(what: SchemaOf = "answer") -> None:
    """Print the JSON Schema of an answer (compare --json), a check, or a decision file."""
    from roctopus.cli.schemas import print_schema

    print_schema(what)


def _main(version: Version = False) -> None:
    if version:
        from roctopus._version import __version__

        typer.echo(f"roctopus {__version__}")
        raise typer.Exit


COMMANDS: dict[Callable[..., None], str] = {
    compare: "Exit codes: 0 answered; 2 the input cannot be used; 5 answered, but a page or other "
    "file could not be written.\n\nExample: roctopus compare sales.csv --truth demand --models "
    "'pred_*' --under-cost 4 --over-cost 1",
    look: "Exit codes: 0 shown; 2 the file cannot be read.\n\nExample: roctopus look sales.csv",
    check: "Exit codes: 0 no action needed; 1 retrain, or decide again; 3 re-tune; 4 accept: the "
    "contexts have become less favourable; 2 the input cannot be used; 5 answered, and recorded in "
    "the --state, but a page or other file could not be written.\n\nExample: roctopus check "
    "decision.json new.parquet --truth demand --models ridge --state state.json -o check.html",
    demo: "Example: roctopus demo ordinal",
    schema: "Example: roctopus schema answer > answer.schema.json",
}
"""Commands, and what stands below their help."""


def make_app(arguments: list[str]) -> typer.Typer:
    """Return the program; a command that is called has the options of the table."""
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
    app.callback(invoke_without_command=True)(_main)
    for command, epilog in COMMANDS.items():
        app.command(command.__name__, epilog=epilog)(_with_options(command, arguments))
    return app


def _with_options(command: Callable[..., None], arguments: list[str]) -> Callable[..., None]:
    """Return a command with a parameter for each option, in place of any."""
    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.kind != each.VAR_KEYWORD]
    if len(own) == len(signature.parameters):
        return command

    def called(**said: Any) -> None:
        command(**said)

    called.__doc__ = command.__doc__
    # The options of arms take a while to load, and are shown in the help of a command only.
    called_for = command.__name__ in arguments or "_ROCTOPUS_COMPLETE" in os.environ
    more = [line.parameter() for line in lines(command.__name__)] if called_for else []
    parameters = [each.replace(kind=each.KEYWORD_ONLY) for each in own] + more
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in parameters}
    return called


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
    sys.exit(_run(sys.argv[1:]))


def _writable(stream: Any) -> Any:
    """Return a stream that takes any text: a closed one is replaced, signs it lacks become "?"."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")
    stream.reconfigure(errors="replace")
    return stream


def _run(arguments: list[str]) -> int:
    try:
        from roctopus.cli.failures import end_by

        arguments = gather(arguments) or ["--help"]
        code = int(make_app(arguments)(args=arguments, standalone_mode=False) or 0)
        sys.stdout.flush()
        return _interrupted() if code == INTERRUPTED else code
    except KeyboardInterrupt:
        return _interrupted()
    except (BrokenPipeError, SystemExit):  # help that nobody reads on: rich gives up, and exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return end_by(error)


def _interrupted() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Arrow may send it a second time
    from roctopus.cli.failures import fail

    fail("Interrupted. No file was left half written.")
    return INTERRUPTED


def _print_note(message: Any, category: Any, *rest: Any, **more: Any) -> None:
    from roctopus.concepts.rendering import clean
    from roctopus.core.errors import RoctopusWarning

    told = message.said(words()) if isinstance(message, RoctopusWarning) else str(message)
    sys.stderr.write(f"Note: {clean(told, 2000)}\n")

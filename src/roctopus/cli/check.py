"""``roctopus check``: whether a shipped decision still holds on new data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from roctopus.arms import find_arm
from roctopus.cli.answers import make_comparison
from roctopus.cli.arrivals import say_arrived
from roctopus.cli.check_printing import check_as_json, print_check
from roctopus.cli.contexts import ArmQuestion, own_contexts, refuse_other_contexts, said_of
from roctopus.cli.data import Cases, NamedFiles, open_request, read_cases
from roctopus.cli.deployed import reader
from roctopus.cli.distributions import recorded_distribution
from roctopus.cli.failures import UnwrittenError
from roctopus.cli.outputs import path_of, refuse_outputs
from roctopus.cli.printing import emit, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request, read_arm
from roctopus.concepts.decision import Decision
from roctopus.core.errors import warn
from roctopus.monitoring.preparing import check_cases, recorded_labels, recorded_options
from roctopus.monitoring.verdicts import Advice, DecisionCheck
from roctopus.report.check_page import write_check_page

CODES: dict[Advice, int] = {"wait": 0, "retrain": 1, "retune": 3, "accept": 4}
"""Exit codes; 2 and 5 are those of failures."""


def run_check(path: str, request: Request) -> int:
    """Check a decision, say what to do, and return that as an exit code."""
    decision = Decision.from_json(path)
    used = (decision.model,) if request["deployed"] else decision.used_models
    models = request["models"] or list(used)
    request = request.replaced(arm=find_arm(decision.arm).name, models=models)
    if request["without_truth"]:
        say_arrived(decision, request)
        return CODES["wait"]
    state, page, retuned = (path_of(request[name]) for name in ("state", "output", "retuned"))
    refuse_outputs([path, *request.files], state, page, retuned)
    with Steps(2) as steps:
        found = _check(decision, request, steps)
        written, failures = _write(found, page, retuned, request["title"])
    if request["json"]:
        emit(check_as_json(found) + "\n")
    else:
        with printing() as console:
            print_check(found, written, console)
    if failures:
        raise UnwrittenError(failures)
    return CODES[found.advice]


def _write(
    found: DecisionCheck, page: Path | None, retuned: Path | None, title: str | None
) -> tuple[list[Path], list[Exception]]:
    """Write the files; return them, and what went wrong: the look is recorded, and answered."""
    written: list[Path] = []
    failures: list[Exception] = []
    making: dict[Path, Callable[[Path], object]] = {}
    if page is not None:
        making[page] = lambda path: write_check_page(path, found, title=title)
    if retuned is not None and found.retuned is not None:
        making[retuned] = found.retuned.to_json
    elif retuned is not None:
        warn(f"No new setting is advised, so '{retuned}' was not written.")
    for path, write in making.items():
        try:
            write(path)
            written.append(path)
        except Exception as error:
            failures.append(error)
    return written, failures


def _check(decision: Decision, request: Request, steps: Steps) -> DecisionCheck:
    steps.step("reading")
    arm = read_arm(request)
    opened = NamedFiles.of(request, arm, open_request(request))
    read = reader(decision, request["deployed"])
    with opened.source.naming_rows():
        cases = read_cases(request, arm, opened, steps.rows, read)
        steps.step("checking")
        return _check_cases(decision, request, cases)


def _check_cases(decision: Decision, request: Request, cases: Cases) -> DecisionCheck:
    arm = read_arm(request)
    refuse_other_contexts(decision, request, cases, arm)
    said = said_of(request, cases, arm)
    options = recorded_labels(decision, cases.truth) | recorded_options(decision, arm, said)
    own = own_contexts(request, cases, arm)
    if own is not None:
        options = {**options, "context": own}
    comparison = make_comparison(cases, ArmQuestion(arm, options, {}), request)
    distribution = recorded_distribution(decision, arm, said, comparison.problem)
    state, deployed = path_of(request["state"]), request["deployed"]
    coded = request["model_column"] is None
    return check_cases(comparison, decision, distribution, state, deployed, coded=coded)

"""``roctopus compare``: a file of predictions in, a decision out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answered, answer_question, weighing_of
from roctopus.cli.contexts import read_question
from roctopus.cli.data import NamedFiles, first_cases, open_request, read_cases
from roctopus.cli.failures import UnwrittenError
from roctopus.cli.options import words
from roctopus.cli.outputs import (
    draw_answer,
    path_of,
    refuse_outputs,
    refuse_pictures,
    write_files,
)
from roctopus.cli.printing import emit, print_answer, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request, read_arm
from roctopus.cli.truths import note_percent, with_event
from roctopus.comparison import compare
from roctopus.concepts.arm import Arm
from roctopus.core.errors import InputError, collected_warnings
from roctopus.core.names import flag
from roctopus.engines.sources import read_memory
from roctopus.report.page import make_page
from roctopus.scanning.sources import fits_in_memory


def run_compare(request: Request) -> Answered:
    """Answer, print, and write what was asked for."""
    refuse_outputs(request.files, path_of(request["decision"]), path_of(request["output"]))
    refuse_pictures(request.files, path_of(request["png"]))
    with Steps(5) as steps:
        answer = _answer(request, steps)
    shown = _shown(answer, request) if request["output"] is not None else {}
    _print(answer, request)
    written, failures = _write(answer, request, shown)
    if written and not request["json"]:
        with printing() as console:
            console.print(f"\nWritten: {', '.join(map(str, written))}", markup=False)
    if failures:
        raise UnwrittenError(failures)
    return answer


def _print(answer: Answered, request: Request) -> None:
    if request["json"]:
        emit(answer.to_json() + "\n")
        return
    with printing() as console:
        print_answer(answer, console)
        console.file.flush()  # files may take longer


def _write(
    answer: Answered, request: Request, shown: Mapping[str, Any]
) -> tuple[list[Path], list[Exception]]:
    """Make and write the files that were asked for; none keeps the others from being written."""
    written: list[Path] = []
    failures: list[Exception] = []
    with Steps(3) as steps:
        for what, make in _files(answer, request, shown, steps).items():
            steps.step(what)
            try:
                made = make()
            except Exception as error:
                failures.append(error)
                continue
            done, failed = write_files(made)
            written += done
            failures += failed
    return written, failures


def _files(
    answer: Answered, request: Request, shown: Mapping[str, Any], steps: Steps
) -> dict[str, Callable[[], dict[Path, bytes]]]:
    """Return what makes each kind of file, the quickest first."""
    pictures, page = path_of(request["png"]), path_of(request["output"])
    decision = path_of(request["decision"])
    found: dict[str, Callable[[], dict[Path, bytes]]] = {}
    if decision is not None:
        found["decision"] = lambda: {decision: f"{answer.decision.to_json()}\n".encode()}
    if pictures is not None:
        found["pictures"] = lambda: draw_answer(answer, pictures)
    if page is not None:
        found["page"] = lambda: {
            page: make_page(answer.comparison, progress=steps.part, **shown).encode()
        }
    return found


def _answer(request: Request, steps: Steps) -> Answered:
    steps.step("reading")
    source = open_request(request)  # first, so that a name that is wrong is told as such
    arm = read_arm(request)
    opened = NamedFiles.of(request, arm, source)
    if _is_large(request, arm, opened):
        return _answer_large(request, arm, opened, steps)
    with opened.source.naming_rows():
        with collected_warnings(words()) as caught:
            cases = read_cases(request, arm, opened, steps.rows)
            request = with_event(request, cases.truth, arm)
            note_percent(cases.predictions, arm)
        return answer_question(cases, request, arm, steps.step, caught)


def _is_large(request: Request, arm: Arm, opened: NamedFiles) -> bool:
    """Tell whether to scan the files; what then needs all rows in memory raises an error."""
    source, columns = opened
    mode, memory = request["mode"], read_memory(request["memory"])
    if mode not in (None, "grid", "exact"):
        raise InputError(f"--mode must be grid or exact, but is {mode!r}.")
    if mode is None and fits_in_memory(source, columns.all, memory):
        return False
    kept = {"weight", *(["context_column"] if arm.moves_with_context else [])}
    roles = [*(role for role in columns.extra if role not in kept), *columns.rows]
    named = [flag(role) for role in roles if role in request.said]
    inside = [
        option.flag
        for option in arm.spoken
        if option.columns and option.columns(request[option.name] or "")
    ]
    pairwise = ["--missing pairwise"] if request["missing"] == "pairwise" else []
    page = ["--output"] if request["output"] is not None else []
    other = "increase --memory" if mode is None else f"leave out --mode {mode}"
    for what in (*named, *inside, *pairwise, *page):
        raise InputError(
            f"{what} needs all rows in memory, but these files are read in parts. Leave out "
            f"{what}, or {other}."
        )
    return True


def _answer_large(request: Request, arm: Arm, opened: NamedFiles, steps: Steps) -> Answered:
    """Scan the files, and answer."""
    source, columns = opened
    with collected_warnings(words()) as notes:
        first = first_cases(arm, opened)
        request = with_event(request, first.truth, arm)
        question = read_question(request, first, arm, whole=False)
        own = columns.extra.get("context_column")
        options = question.options if own is None else {**question.options, "context": own}
        comparison: Any = compare(
            columns.truths,
            source,
            models=columns.models,
            arm=arm.name,
            sample_weight=request["weight"],
            missing=request["missing"],
            mode=request["mode"] or "grid",
            memory=request["memory"],
            progress=steps.rows,
            **options,
        )
        steps.step("deciding")
        found = comparison.answer(**question.aim, **weighing_of(request))
    if comparison.mode == "grid":
        notes.append(
            "The files were scanned, so the settings are the best ones on a grid; their costs are "
            "exact. To find the best settings of all, use --mode exact, which scans the files more "
            "often."
        )
    notes += found.decision.warnings
    return Answered(question, comparison, found, None, [], list(dict.fromkeys(notes)))


def _shown(answer: Answered, request: Request) -> dict[str, Any]:
    """Return what the page shows first: what was asked, or the mean of the cases' own contexts.

    A page is of one context for all cases, so it says so, where each has its own.
    """
    title = request["title"]
    look = {name: request[name] for name in ("title", "min_cases", "exact")}
    look["unit"] = request["unit"] or ""
    given = answer.decision.context
    if "contexts" not in given:
        return {**look, **answer.question.aim}
    problem = answer.comparison.problem
    if given["mean_unit"] is not None:
        problem = replace(problem, unit=given["mean_unit"])
    told = f"one {problem.context.replace('_', ' ')} for all cases, starting with their mean"
    answer.notes.append(f"The page shows {told}; the decision above uses each case's own.")
    head = f"Shown for {told}" if not title else f"{title} ({told})"
    return {**look, **problem.context_words(given["mean"]), "title": head}

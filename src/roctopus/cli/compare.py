"""``roctopus compare``: a file of predictions in, a decision out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answer, answer_question
from roctopus.cli.data import name_columns, open_request, read_cases
from roctopus.cli.large import answer_large, is_large
from roctopus.cli.options import words
from roctopus.cli.outputs import path_of, refuse_outputs
from roctopus.cli.pictures import draw_answer
from roctopus.cli.printing import emit, print_answer, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request, read_arm
from roctopus.core.errors import InputError, collected_warnings


def run_compare(request: Request) -> Answer:
    """Answer, print, and write what was asked for."""
    pictures = path_of(request["png"])
    refuse_outputs(request.files, path_of(request["decision"]), path_of(request["output"]))
    if pictures is not None and pictures.exists() and not pictures.is_dir():
        raise InputError(f"'{pictures}' (--png) is no folder.")
    with Steps(6) as steps:
        answer = _answer(request, steps)
        steps.step("writing")
        written = _write(answer, request, steps)
    if request["json"]:
        emit(answer.to_json() + "\n")
        return answer
    with printing() as console:
        print_answer(answer, console)
        if written:
            console.print(f"\nWritten: {', '.join(map(str, written))}", markup=False)
    return answer


def _answer(request: Request, steps: Steps) -> Answer:
    steps.step("reading")
    source = open_request(request)
    arm = read_arm(request)
    columns = name_columns(request, arm, source)
    if is_large(request, arm, columns, source):
        return answer_large(request, arm, columns, source, steps)
    with collected_warnings(words()) as caught:
        cases = read_cases(request, arm, columns, source, steps.rows)
    return answer_question(cases, request, arm, steps.step, caught)


def _write(answer: Answer, request: Request, steps: Steps) -> list[Path]:
    """Write what was asked for; return the files."""
    pictures, page = path_of(request["png"]), path_of(request["output"])
    written = [] if pictures is None else draw_answer(answer, pictures)
    decision = path_of(request["decision"])
    if decision is not None:
        answer.decision.to_json(decision)
        written.append(decision)
    if page is not None:
        answer.comparison.to_html(page, progress=steps.part, **_shown(answer, request))
        written.append(page)
    return written


def _shown(answer: Answer, request: Request) -> dict[str, Any]:
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
    told = f"one {problem.context.replace('_', ' ')} for all cases, first their mean"
    answer.notes.append(f"The page shows {told}; the decision here is for each case in its own.")
    head = f"Shown for {told}" if not title else f"{title} ({told})"
    return {**look, **problem.context_words(given["mean"]), "title": head}

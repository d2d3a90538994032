"""``roctopus compare``: a file of predictions in, a decision out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answer, answer_question
from roctopus.cli.data import read_cases
from roctopus.cli.large import answer_large, open_large
from roctopus.cli.outputs import refuse_outputs
from roctopus.cli.pictures import draw_answer
from roctopus.cli.printing import emit, print_answer, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.cli.wording import WORDS
from roctopus.core.errors import InputError, collected_warnings

__all__ = ["run_compare"]


def run_compare(
    request: Request,
    json: bool,
    decision: Path | None = None,
    pictures: Path | None = None,
    page: Path | None = None,
    look: Mapping[str, Any] | None = None,
) -> Answer:
    """Answer, print, and write what was asked for."""
    refuse_outputs(request.files, decision, page)
    if pictures is not None and pictures.exists() and not pictures.is_dir():
        raise InputError(f"'{pictures}' (--png) is no folder.")
    with Steps(6) as steps:
        steps.step("reading")
        large = open_large(request)
        if large is not None:
            answer = answer_large(request, large, steps, page)
        else:
            with collected_warnings(WORDS) as caught:
                cases = read_cases(request, steps.rows)
            answer = answer_question(cases, request, steps.step, caught)
        steps.step("writing")
        written = [] if pictures is None else draw_answer(answer, pictures)
        if decision is not None:
            answer.decision.to_json(decision)
            written.append(decision)
        if page is not None:
            shown = _shown(answer, look or {})
            answer.comparison.to_html(page, progress=steps.part, **shown)
            written.append(page)
    if json:
        emit(answer.to_json() + "\n")
        return answer
    with printing() as console:
        print_answer(answer, console)
        if written:
            console.print(f"\nWritten: {', '.join(map(str, written))}", markup=False)
    return answer


def _shown(answer: Answer, look: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the page shows first: what was asked, or the mean of the cases' own contexts.

    A page is of one context for all cases, so it says so, where each has its own.
    """
    given = answer.decision.context
    if "contexts" not in given:
        return {**look, **answer.question.aim}
    problem = answer.comparison.problem
    if given["mean_unit"] is not None:
        problem = replace(problem, unit=given["mean_unit"])
    told = f"one {problem.context.replace('_', ' ')} for all cases, first their mean"
    answer.notes.append(f"The page shows {told}; the decision here is for each case in its own.")
    title = look.get("title")
    head = f"Shown for {told}" if not title else f"{title} ({told})"
    return {**look, **problem.context_words(given["mean"]), "title": head}

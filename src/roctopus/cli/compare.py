"""``roctopus compare``: a file of predictions in, a decision out."""

from __future__ import annotations

import sys
from pathlib import Path

from roctopus.cli.answers import Answer, answer_question
from roctopus.cli.data import read_cases
from roctopus.cli.pictures import draw_answer
from roctopus.cli.printing import make_console, print_answer
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.core.errors import InputError

__all__ = ["run_compare"]


def run_compare(
    request: Request,
    json: bool,
    decision: Path | None = None,
    pictures: Path | None = None,
    page: Path | None = None,
) -> Answer:
    """Answer, print, and write what was asked for."""
    for path in (decision, page):
        if path is not None and not path.absolute().parent.is_dir():
            raise InputError(f"'{path}' cannot be written: there is no folder '{path.parent}'.")
    with Steps(6) as steps:
        steps.step("reading")
        cases = read_cases(request, steps.rows)
        answer = answer_question(cases, request, steps.step)
        steps.step("writing")
        written = [] if pictures is None else draw_answer(answer, pictures)
        if decision is not None:
            answer.decision.to_json(decision)
            written.append(decision)
        if page is not None:
            answer.comparison.to_html(page)
            written.append(page)
    if json:
        sys.stdout.write(answer.to_json() + "\n")
        return answer
    console = make_console()
    print_answer(answer, console)
    if written:
        console.print(f"\nWritten: {', '.join(map(str, written))}", markup=False)
    return answer

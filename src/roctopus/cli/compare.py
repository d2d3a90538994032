"""``roctopus compare``: a file of predictions in, a decision out."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roctopus.cli.answers import Answer, answer_question
from roctopus.cli.data import read_cases
from roctopus.cli.large import answer_large, open_large
from roctopus.cli.pictures import draw_answer
from roctopus.cli.printing import emit, print_answer, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.core.errors import InputError, RoctopusWarning

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
    _check_outputs(request, decision, page, pictures)
    with Steps(6) as steps:
        steps.step("reading")
        large = open_large(request)
        if large is not None:
            answer = answer_large(request, large, steps, page)
        else:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", RoctopusWarning)
                cases = read_cases(request, steps.rows)
            answer = answer_question(cases, request, steps.step, [str(e.message) for e in caught])
        steps.step("writing")
        written = [] if pictures is None else draw_answer(answer, pictures)
        if decision is not None:
            answer.decision.to_json(decision)
            written.append(decision)
        if page is not None:
            shown = {**(look or {}), **answer.question.aim}
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


def _check_outputs(
    request: Request, decision: Path | None, page: Path | None, pictures: Path | None
) -> None:
    """Refuse outputs that cannot be written or would write over something else."""
    taken = {Path(name).resolve() for name in request.files if name != "-"}
    for path in (decision, page):
        if path is None:
            continue
        if path.is_dir():
            raise InputError(f"'{path}' cannot be written: it is a folder.")
        if not path.absolute().parent.is_dir():
            raise InputError(f"'{path}' cannot be written: there is no folder '{path.parent}'.")
        if path.resolve() in taken:
            raise InputError(f"'{path}' is read or written already. Choose another name.")
        taken.add(path.resolve())
    if pictures is not None and pictures.exists() and not pictures.is_dir():
        raise InputError(f"'{pictures}' (--png) is no folder.")

"""Files of more rows than memory holds: scanned, not read."""

from __future__ import annotations

from typing import Any

from roctopus.cli.answers import Answer, ranking_of
from roctopus.cli.contexts import read_question
from roctopus.cli.data import NamedColumns, first_cases
from roctopus.cli.options import words
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.comparison import compare
from roctopus.concepts.arm import Arm
from roctopus.core.errors import InputError, collected_warnings
from roctopus.core.names import flag
from roctopus.engines import Files
from roctopus.engines.sources import read_memory
from roctopus.scanning.sources import fits_in_memory

LEFT = "Leave it out, give more --memory, or take a sample of the rows."


def is_large(request: Request, arm: Arm, columns: NamedColumns, source: Files) -> bool:
    """Tell whether files are to be scanned; refuse what needs all rows in memory then."""
    mode, memory = request["mode"], read_memory(request["memory"])
    if mode not in (None, "grid", "exact"):
        raise InputError(f"--mode must be grid or exact, got {mode!r}.")
    if mode is None and fits_in_memory(source, columns.all, memory):
        return False
    roles = [*(role for role in columns.extra if role != "weight"), *columns.rows]
    named = [flag(role) for role in roles if role in request.said]
    inside = [
        option.flag
        for option in arm.spoken
        if option.columns and option.columns(request[option.name] or "")
    ]
    pairwise = ["--missing pairwise"] if request["missing"] == "pairwise" else []
    page = ["A page (--output)"] if request["output"] is not None else []
    for what in (*named, *inside, *pairwise, *page):
        raise InputError(f"{what} needs all rows in memory, but these files are scanned. {LEFT}")
    return True


def answer_large(
    request: Request, arm: Arm, columns: NamedColumns, source: Files, steps: Steps
) -> Answer:
    """Scan the files, and answer."""
    with collected_warnings(words()) as notes:
        first = first_cases(request, arm, columns, source)
        question = read_question(request, first, arm, whole=False)
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
            **question.options,
        )
        steps.step("deciding")
        decision = comparison.decide(**question.aim)
        ranking = ranking_of(comparison, question.aim, decision)
    if comparison.mode == "grid":
        notes.append(
            "The rows were scanned, not read: settings are the best ones at borders of buckets, "
            "their values exact. --mode exact finds the best settings, by further scans."
        )
    notes += decision.warnings
    return Answer(question, comparison, decision, ranking, None, [], list(dict.fromkeys(notes)))

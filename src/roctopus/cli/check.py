"""``roctopus check``: whether a shipped decision still holds on new data."""

from __future__ import annotations

import json as text
import sys
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from roctopus.cli.answers import make_comparison
from roctopus.cli.contexts import Question, read_law, read_options
from roctopus.cli.data import Cases, read_cases
from roctopus.cli.printing import clean, make_console
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.comparison import DecisionCheck
from roctopus.concepts.decision import Decision, plain

__all__ = ["run_check"]


def run_check(path: str, request: Request, json: bool) -> int:
    """Check a decision; return 0 if it holds, 1 if it does not."""
    decision = Decision.from_json(path)
    if request.models is None:
        request = replace(request, models=list(decision.used_models))
    with Steps(2) as steps:
        steps.step("reading")
        cases = read_cases(request, steps.rows)
        steps.step("checking")
        options = _recorded(decision, cases) | read_options(request, cases, decision.arm)
        law = None
        if request.distribution is not None:
            law = read_law(request.distribution, cases, decision.arm)
        comparison = make_comparison(cases, Question(decision.arm, options, {}), request)
        found = comparison.check(decision, distribution=law)
    if json:
        sys.stdout.write(_to_json(found) + "\n")
    else:
        _print(found)
    return 0 if found.holds else 1


def _recorded(decision: Decision, cases: Cases) -> dict[str, Any]:
    """Return the options that the decision itself knows."""
    settings = decision.settings
    if decision.arm == "ordinal":
        costs = decision.context.get("costs")
        if costs is None:
            costs = [1.0 if cost is None else cost for cost in settings["costs"]]
        numbers = isinstance(cases.truth, np.ndarray)
        labels = [float(each) if numbers else str(each) for each in settings["labels"]]
        moving = settings["moving"]
        found = {"labels": labels, "loss": settings["loss"], "costs": costs}
        found["moving"] = float(moving) if numbers else str(moving)
        if "between" in decision.context:
            found["costs_between"] = tuple(decision.context["between"])
        return found
    if decision.arm == "cutoff":
        return dict(settings)
    if decision.arm == "probability" and settings.get("prevalence") is not None:
        return {"prevalence": settings["prevalence"]}
    if decision.arm == "impact":  # shares there, numbers of cases here
        return {
            name: settings[name] * len(cases)
            for name, none in (("at_least", 0.0), ("at_most", 1.0))
            if settings[name] != none
        }
    return {}


def _print(found: DecisionCheck) -> None:
    console = make_console()
    colour = "bold green" if found.holds else "bold red"
    console.print(clean(found.sentence, 2000), style=colour, markup=False)
    for finding in found.findings:
        mark = "✓" if finding.holds else "✗"
        console.print(f"  {mark} {clean(finding.sentence, 500)}", markup=False)


def _to_json(found: DecisionCheck) -> str:
    body = {
        "schema_version": 1,
        "holds": found.holds,
        "sentence": found.sentence,
        "cases": found.cases,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "recorded": found.decision.value,
        "findings": [asdict(finding) for finding in found.findings],
    }
    return text.dumps(plain(body), indent=2, ensure_ascii=False)

"""``roctopus check``: whether a shipped decision still holds on new data."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from roctopus.cli.answers import as_json, make_comparison
from roctopus.cli.contexts import Question, read_options
from roctopus.cli.data import Cases, read_cases
from roctopus.cli.laws import read_law
from roctopus.cli.printing import clean, emit, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.comparison import DecisionCheck
from roctopus.concepts.decision import Decision
from roctopus.concepts.distributions import Empirical
from roctopus.core.errors import InputError

__all__ = ["run_check"]


def run_check(path: str, request: Request, json: bool) -> int:
    """Check a decision; return 0 if it holds, 1 if it does not."""
    decision = Decision.from_json(path)
    request = replace(request, arm=decision.arm)
    if request.models is None:
        request = replace(request, models=list(decision.used_models))
    with Steps(2) as steps:
        steps.step("reading")
        cases = read_cases(request, steps.rows)
        steps.step("checking")
        options = _recorded(decision, cases, request) | _said(decision, cases, request)
        comparison = make_comparison(cases, Question(decision.arm, options, {}), request)
        found = comparison.check(decision, distribution=_law(decision, cases, request))
    if json:
        emit(_to_json(found) + "\n")
    else:
        _print(found)
    return 0 if found.holds else 1


def _said(decision: Decision, cases: Cases, request: Request) -> dict[str, Any]:
    """Return the options that were said; of classes the decision knows all."""
    return {} if decision.arm == "ordinal" else read_options(request, cases, decision.arm)


def _law(decision: Decision, cases: Cases, request: Request) -> Any:
    """Return the distribution the decision was made for, as recorded."""
    recorded = decision.context.get("distribution")
    cutoffs = cases.extra.get("cutoff_column")
    if recorded is None:
        if cutoffs is not None:
            raise InputError("The decision is for one cutoff, not for those of a column.")
        return None
    if str(recorded).startswith("Empirical"):
        if decision.arm == "cutoff" and cutoffs is None:
            raise InputError(
                "The decision was made for the cutoffs of a column: say --cutoff-column."
            )
        return None if cutoffs is None else Empirical(cutoffs, cases.extra.get("weight"))
    if cutoffs is not None:
        raise InputError(f"The decision is for {recorded}, not for the cutoffs of a column.")
    return read_law(str(recorded), cases, decision.arm) if decision.arm == "cutoff" else None


def _recorded(decision: Decision, cases: Cases, request: Request) -> dict[str, Any]:
    """Return the options that the decision itself knows."""
    settings = decision.settings
    if decision.arm == "ordinal":
        return _classes(decision, cases, request)
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


def _classes(decision: Decision, cases: Cases, request: Request) -> dict[str, Any]:
    """Return what is recorded of ordered classes, as numbers if the truths are."""
    settings = decision.settings
    recorded = [str(each) for each in settings["labels"]]
    if request.labels is not None:
        said = [part.strip() for part in request.labels.split(",")]
        if said != recorded:
            raise InputError(
                f"The decision was made for the classes {', '.join(recorded)}, in this order; "
                f"--labels says {', '.join(said)}."
            )
    numbers = isinstance(cases.truth, np.ndarray)
    try:
        labels = [float(each) if numbers else each for each in recorded]
    except ValueError:
        raise InputError(
            f"The decision was made for the classes {', '.join(recorded)}, but the truths are "
            "numbers."
        ) from None
    costs = decision.context.get("costs")
    if costs is None:
        costs = [1.0 if cost is None else cost for cost in settings["costs"]]
    found = {"labels": labels, "loss": settings["loss"], "costs": costs}
    found["moving"] = labels[recorded.index(str(settings["moving"]))]
    if "between" in decision.context:
        found["costs_between"] = tuple(decision.context["between"])
    return found


def _print(found: DecisionCheck) -> None:
    colour = "bold green" if found.holds else "bold red"
    with printing() as console:
        console.print(clean(found.sentence, 2000), style=colour, markup=False)
        for finding in found.findings:
            mark = "✓" if finding.holds else "✗"
            console.print(f"  {mark} {clean(finding.sentence, 500)}", markup=False)


def _to_json(found: DecisionCheck) -> str:
    return as_json(
        {
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
    )

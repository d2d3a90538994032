"""``roctopus check``: whether a shipped decision still holds on new data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from roctopus.cli.answers import make_comparison
from roctopus.cli.check_printing import check_as_json, print_check
from roctopus.cli.contexts import Question, read_options
from roctopus.cli.data import Cases, read_cases
from roctopus.cli.distributions import read_distribution
from roctopus.cli.outputs import refuse_outputs
from roctopus.cli.printing import emit, printing
from roctopus.cli.progress import Steps
from roctopus.cli.request import Request
from roctopus.cli.row_contexts import own_contexts, refuse_other_contexts
from roctopus.concepts.decision import Decision
from roctopus.concepts.distributions import Empirical
from roctopus.core.errors import InputError
from roctopus.monitoring.verdicts import Advice
from roctopus.report.check_page import write_check_page

__all__ = ["run_check"]


CODES: dict[Advice, int] = {"wait": 0, "retrain": 1, "retune": 3, "accept": 4}
"""Exit codes; 2 means that the input cannot be used."""


def run_check(
    path: str,
    request: Request,
    json: bool,
    state: Path | None = None,
    page: Path | None = None,
    title: str | None = None,
) -> int:
    """Check a decision, say what to do, and return that as an exit code."""
    decision = Decision.from_json(path)
    request = replace(request, arm=decision.arm)
    if request.models is None:
        request = replace(request, models=list(decision.used_models))
    refuse_outputs([path, *request.files], state, page)
    with Steps(2) as steps:
        steps.step("reading")
        cases = read_cases(request, steps.rows)
        steps.step("checking")
        refuse_other_contexts(decision, request, cases)
        options = _recorded(decision, cases, request) | _said(decision, cases, request)
        comparison = make_comparison(cases, Question(decision.arm, options, {}), request)
        distribution = _distribution(decision, cases, request)
        found = comparison.check(decision, distribution=distribution, state=state)
        if page is not None:
            write_check_page(page, found, title=title)
    if json:
        emit(check_as_json(found) + "\n")
    else:
        with printing() as console:
            print_check(found, page, console)
    return CODES[found.advice]


def _said(decision: Decision, cases: Cases, request: Request) -> dict[str, Any]:
    """Return the options that were said; of classes the decision knows all but the contexts."""
    if decision.arm != "ordinal":
        return read_options(request, cases, decision.arm)
    own = own_contexts(request, cases, decision.arm)
    return {} if own is None else {"context": own}


def _distribution(decision: Decision, cases: Cases, request: Request) -> Any:
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
    if decision.arm != "cutoff":
        return None
    return read_distribution(str(recorded), cases, decision.arm)


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

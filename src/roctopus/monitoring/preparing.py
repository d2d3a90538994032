"""New cases made ready for a check: answers taken back to predictions, rare classes together."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.deciding import judge_decision
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.arm import Arm
from roctopus.concepts.asking import Said
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.responses import TWO, plain_label
from roctopus.concepts.wording import say_counts
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.monitoring.checking import check_decision
from roctopus.monitoring.deployed import decides, read_answers, recorded_response, undo
from roctopus.monitoring.diagnosis import is_tunable
from roctopus.monitoring.noticing import refuse_answers, warn_of_answers
from roctopus.monitoring.verdicts import DecisionCheck
from roctopus.monitoring.watching import WatchState
from roctopus.monitoring.wording import out_of_date

LEAST_OF_CLASS = 10
"""With fewer cases of a class no threshold beside it is tuned."""


def check_cases(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    state: str | os.PathLike[str] | None,
    deployed: bool | None,
    *,
    coded: bool = False,
) -> DecisionCheck:
    """Check a decision on raw predictions, or on what the deployed model answered.

    With ``coded``, answers have been read already. Predictions that only look like answers are
    asked about before the first look; later looks go on with them as the state did so far.
    """
    guess = None
    if deployed is None and state is not None and WatchState.open(state, decision).cases:
        deployed, guess = False, warn_of_answers(comparison, decision, distribution)
    cases = as_decided_on(comparison, decision, distribution, deployed, coded=coded)
    if cases.fixed:
        notes = [
            "These predictions are the output of the deployed model, so the check cannot tell "
            f"whether {out_of_date(decision)}: that needs raw predictions."
        ]
    else:
        notes = []
        if state is None:  # with one, rare classes add up over looks
            cases, notes = _with_enough_of_each_class(cases, decision)
    if cases.fixed and decision.criterion == "regret":
        raise InputError(f"A decision that minimises regret cannot be checked here. {notes[0]}")
    found = check_decision(cases, decision, distribution, state)
    notes += [each for each in (guess, comparison.dependent) if each is not None]
    return replace(found, notes=tuple(notes))


def judge_cases(
    comparison: ComparedModels, decision: Decision, distribution: Any, deployed: bool | None
) -> Estimate:
    """Judge a decision on raw predictions, or on what the deployed model answered."""
    cases = as_decided_on(comparison, decision, distribution, deployed)
    return judge_decision(cases, decision, distribution)


def as_decided_on(
    comparison: ComparedModels,
    decision: Decision,
    distribution: Any,
    deployed: bool | None,
    *,
    coded: bool = False,
) -> ComparedModels:
    """Return cases with predictions as the decision was made on.

    If nobody said whether predictions are raw, those that look like answers raise an error.
    """
    if not deployed:
        if deployed is None:
            refuse_answers(comparison, decision, distribution)
        return comparison
    _refuse_many_cutoffs(comparison, decision)
    used = decision.used_models or (decision.model,)
    said = next((name for name in (decision.model, *used) if name in comparison.models), None)
    if said is None:
        decision.check_models(comparison.models, comparison.problem.arm)
        raise InputError(
            f"The output of the deployed model must be called {decision.model!r}, as in the "
            "decision."
        )
    answers = comparison.predictions[said]
    answers = answers if coded else read_answers(decision, answers)
    undone = _undone(comparison, decision, answers)
    return replace(
        comparison,
        predictions={**comparison.predictions, **dict.fromkeys(used, undone)},
        fixed=decides(decision) or len(used) > 1,
        _cache={},
    )


def _undone(comparison: ComparedModels, decision: Decision, said: Floats) -> Floats:
    """Return predictions that lead to these answers, by the rule of a hybrid if it is one."""
    own = comparison.contexts
    if not decision.regions or own is None:  # without contexts a hybrid is refused later
        return undo(decision, decision.knob, said)
    borders = np.array([last for _, last, _, _ in decision.regions[:-1]])
    which = np.searchsorted(borders, own.values)  # a border belongs to the part below it
    found = np.empty(len(said))
    for k, (_, _, _, knob) in enumerate(decision.regions):
        found[which == k] = undo(decision, knob, said[which == k])
    return found


def _refuse_many_cutoffs(comparison: ComparedModels, decision: Decision) -> None:
    """Raise an error where an answer holds at one cutoff, and the decision is for many."""
    one = comparison.problem.context in decision.context or "contexts" in decision.context
    if comparison.problem.context_kind == "truth" and not (
        one and decision.criterion == "expected"
    ):
        raise InputError(
            f"The output of the deployed model is for a single {comparison.problem.context}, but "
            f"the decision is for many. Use raw predictions, without {arg('deployed')}."
        )


def _with_enough_of_each_class(
    comparison: ComparedModels, decision: Decision
) -> tuple[ComparedModels, list[str]]:
    """Take rare classes together with their neighbours, or tune nothing; and say so."""
    problem, strata = comparison.problem, comparison.problem.strata
    if strata is None or not is_tunable(comparison, decision):
        return comparison, []
    counts = np.bincount(strata, minlength=len(problem.classes))
    rare = {str(problem.classes[k]): n for k, n in enumerate(counts.tolist()) if n < LEAST_OF_CLASS}
    if not rare:
        return comparison, []
    pooled = problem.pooled(LEAST_OF_CLASS, np.array(decision.knob))
    if pooled is not None and not decision.regions and decision.criterion == "expected":
        return replace(comparison, problem=pooled[0], _cache={}), [pooled[1]]
    note = (
        f"The check cannot tell whether {out_of_date(decision)}: that needs at least "
        f"{LEAST_OF_CLASS} cases of each class, but {say_counts(rare, 'of class')}."
    )
    return replace(comparison, fixed=True), [note]


def recorded_options(decision: Decision, arm: Arm, said: Said) -> dict[str, Any]:
    """Return the options of ``compare`` that a decision recorded, as its arm reads them."""
    try:
        return arm.recorded(decision.settings, decision.context, said)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"The decision's settings cannot be read ({type(error).__name__}: {error}). Make the "
            "decision again."
        ) from None


def recorded_labels(decision: Decision, truth: Any) -> dict[str, Any]:
    """Return as options what the record knows of two classes and new cases do not tell.

    These are both of them, where all cases are of one, and the positive one of words.
    """
    classes = recorded_response(decision).classes
    arm = find_arm(decision.arm)
    if not (arm.two_classes and len(classes) == len(TWO)):
        return {}
    found = {plain_label(each) for each in truth}
    if "labels" in arm.options and len(found) == 1 and found <= set(classes):
        return {"labels": list(classes)}
    words = all(isinstance(each, str) for each in classes)
    return {"pos_label": classes[1]} if words and found == set(classes) else {}

"""Predictions that look like what the deployed model returns, where raw ones are expected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.deciding import judge_decision
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.decision import Decision
from roctopus.concepts.responses import LEVELS, Response
from roctopus.core.arrays import Floats, is_text
from roctopus.core.errors import InputError, RoctopusWarning, arg, collected_warnings, warn
from roctopus.inference.policies import sign_of
from roctopus.inference.sequences import Precision
from roctopus.monitoring.deployed import decides, read_answers
from roctopus.monitoring.recorded import recorded_error

CLEAR, FAR = 2.0, 3.0
"""So many standard errors of a difference are clear, and are too far from what was recorded."""


def refuse_answers(comparison: ComparedModels, decision: Decision, distribution: Any) -> None:
    """Raise an error if predictions look like answers: a wrong verdict would follow."""
    looks = _looks(comparison, decision, distribution)
    if looks is not None:
        raise InputError(
            f"{looks} If they are the output of the deployed model, add {arg('deployed', True)}; "
            f"if they are raw predictions, add {arg('deployed', False)}."
        )


def warn_of_answers(
    comparison: ComparedModels, decision: Decision, distribution: Any
) -> str | None:
    """Warn of predictions that look like answers, which is a guess; return what was said."""
    looks = _looks(comparison, decision, distribution)
    if looks is None:
        return None
    said = (
        f"{looks} They were treated as raw predictions. If they are the output of the deployed "
        f"model, start a new state with {arg('deployed', True)}; if they are raw predictions, add "
        f"{arg('deployed', False)} to end this warning."
    )
    warn(said)
    return str(RoctopusWarning(said))


def _looks(comparison: ComparedModels, decision: Decision, distribution: Any) -> str | None:
    """Say that predictions look like answers, if they do."""
    recorded = decision.responses.get(decision.model)
    if recorded is None or not recorded.quantiles or decision.regions or decision.is_baseline:
        return None
    decision.check_models(comparison.models, comparison.problem.arm)
    prediction, kind = comparison.predictions[decision.model], find_arm(decision.arm).knob
    what = f"The predictions of {decision.model!r} look"
    if kind == "shift":
        if _is_shifted(comparison, decision, distribution, recorded):
            return f"{what} as if they were already shifted by {decision.knob[0]:.4g}."
    elif kind is not None and _are_labels(decision, recorded, prediction):
        low, high = recorded.quantiles[0], recorded.quantiles[-1]
        return (
            f"{what} like final classes, but the decision was made on numbers from {low:.3g} to "
            f"{high:.3g}."
        )
    return None


def refuse_words(decision: Decision, column: Any) -> None:
    """Raise an error if predictions are answers in words, and nobody said that they are."""
    if not decides(decision) or not is_text(column):
        return
    try:
        read_answers(decision, column)
    except InputError:  # words of another kind: what reads numbers says so
        return
    raise InputError(
        f"{arg('predictions')} contains words, not numbers. If they are the output of the deployed "
        f"model, add {arg('deployed', True)}."
    )


def _are_labels(decision: Decision, recorded: Response, prediction: Floats) -> bool:
    """Tell whether predictions are classes, where other numbers were decided on."""
    known = {0.0, 1.0} if len(recorded.numbers) <= 2 else set(recorded.numbers)
    classes = [each for each in recorded.classes if isinstance(each, (bool, int, float))]
    known |= set(map(float, classes))
    met = np.unique(prediction)
    return (
        len(met) > 1 and known.issuperset(met.tolist()) and not known.issuperset(recorded.quantiles)
    )


def _is_shifted(
    comparison: ComparedModels, decision: Decision, distribution: Any, recorded: Response
) -> bool:
    """Tell whether predictions moved by the shift, and without it cost what was recorded."""
    shift, regret = decision.knob[0], decision.criterion == "regret"
    if shift == 0.0 or regret or decision.data == comparison.fingerprint:
        return False
    now = np.quantile(comparison.predictions[decision.model], LEVELS, method="inverted_cdf")
    moved = (now - np.array(recorded.quantiles))[1:-1]
    if np.abs(moved - shift).sum() >= np.abs(moved).sum():
        return False
    with collected_warnings():
        twice, once = (
            judge_decision(comparison, each, distribution)
            for each in (decision, replace(decision, knob=(0.0,)))
        )
    lost = (twice - once).scaled(sign_of(comparison.problem))
    error, own = (Precision.of(each).standard_error for each in (lost, once))  # NaN: not known
    apart = np.hypot(own, recorded_error(decision))
    if decision.criterion == "worst":  # which end is the worst is chance, too
        error = max(error, own)
    return bool(lost.value > CLEAR * error and abs(once.value - decision.value) <= FAR * apart)

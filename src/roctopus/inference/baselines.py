"""What is had without looking at a case: baselines, tuned and judged like models."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from roctopus.concepts.problem import Predictions, Problem
from roctopus.concepts.wording import Baseline
from roctopus.core.arrays import Floats
from roctopus.inference.aims import Aim
from roctopus.inference.folds import Rows
from roctopus.inference.policies import (
    Learned,
    TunedModels,
    fix,
    judge,
    learn,
    mean_of,
    settle,
    tune_for,
)

TAKEN = " (baseline)"
"""What is added to a baseline's name where a model has the same."""


def baselines_for(problem: Problem, aim: Aim, models: Collection[str]) -> dict[str, Baseline]:
    """Return the baselines for an aim, with names that no model has."""
    varied = aim.ranged or aim.distribution is not None
    found = problem.baselines(varied).items()
    return {name + TAKEN if name in models else name: each for name, each in found}


def own_name(name: str) -> str:
    """Return the name by which the problem knows a baseline."""
    return name.removesuffix(TAKEN)


def constants(problem: Problem, baselines: Mapping[str, Baseline]) -> dict[str, Floats]:
    """Return the predictions of baselines."""
    return {name: problem.constant(each.prediction) for name, each in baselines.items()}


def learn_all(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    baselines: Mapping[str, Baseline],
    known: TunedModels | None = None,
) -> Learned:
    """Tune every model and baseline for the aim; only models are scored against each other.

    Regret is that against the best model, of baselines too. Models that are known are not tuned.
    """
    found = learn(problem, predictions, aim, known)
    against = [
        mean_of(problem, problem.outcomes(predictions[model], knob, x))
        for x, model, knob in found.references
    ]
    handicaps = np.array(against) if against else np.zeros(len(aim.contexts))
    knobs = {
        name: tune_for(problem, problem.constant(each.prediction), aim, handicaps).chosen
        if each.knob is None
        else each.knob
        for name, each in baselines.items()
    }
    return fix(found, knobs, aim)


def with_values(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    learned: Learned,
    baselines: Mapping[str, Baseline],
) -> Learned:
    """Return what was learned, with what baselines give on the same cases."""
    every = constants(problem, baselines)
    if learned.references:
        every |= predictions
    found = judge_all(problem, every, aim, learned, np.arange(len(problem)), baselines)
    beside = {name: mean_of(problem, settle(problem, found[name], aim)) for name in baselines}
    return replace(learned, beside=beside)


def fixed_outcomes(
    problem: Problem, aim: Aim, baselines: Mapping[str, Baseline]
) -> dict[str, Floats]:
    """Return the outcomes of all cases by baseline, where no setting is learned."""
    settings = {name: each.knob for name, each in baselines.items()}
    learned, rows = fix(Learned({}, {}, {}), settings, aim), np.arange(len(problem))
    return judge_all(problem, constants(problem, baselines), aim, learned, rows, baselines)


def judge_all(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    learned: Learned,
    rows: Rows,
    baselines: Mapping[str, Baseline],
) -> dict[str, Floats]:
    """Return the outcomes of some cases by model and baseline."""
    found = judge(problem, predictions, aim, learned, rows)
    return {
        name: each * baselines[name].share if name in baselines else each
        for name, each in found.items()
    }

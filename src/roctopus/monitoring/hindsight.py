"""What would have been best: one model and one knob, tuned on the very cases they are judged on."""

from __future__ import annotations

import numpy as np

from roctopus.comparison.row_contexts import OwnContexts
from roctopus.concepts.problem import Predictions
from roctopus.core.arrays import Floats
from roctopus.inference.policies import mean_of, sign_of


def best_in_hindsight(
    problem: OwnContexts, predictions: Predictions, cuts: int
) -> tuple[str, Floats]:
    """Return the model and the knob of least total loss, of equal ones the first named.

    ``cuts`` is the number of thresholds, where the knob is these.
    """
    found, least = None, np.inf
    for name, prediction in predictions.items():
        if problem.strata is not None:  # thresholds between classes
            knob = _best_cuts(problem, prediction, cuts)
        else:
            knob = problem.tune_rows(prediction, problem.contexts.values).chosen
        loss = sign_of(problem) * mean_of(problem, problem.outcomes(prediction, knob, np.nan))
        if found is None or loss < least:
            found, least = (name, knob), loss
    assert found is not None
    return found


def _best_cuts(problem: OwnContexts, prediction: Floats, cuts: int) -> Floats:
    """Return the thresholds of least total loss on cases of whatever classes.

    Tuning refuses cases of which a class is missing, and weighs classes by a given prevalence. Here
    the very outcomes are added up, from the lowest score on.
    """
    order = np.argsort(prediction, kind="stable")
    ordered = prediction[order]
    first = np.append(True, ordered[1:] != ordered[:-1])
    group = np.cumsum(first) - 1
    weight = np.ones(len(order)) if problem.weight is None else problem.weight
    running = []
    for grade in range(cuts + 1):
        knob = np.where(np.arange(cuts) < grade, -np.inf, np.inf)
        losses = sign_of(problem) * weight * problem.outcomes(prediction, knob, np.nan)
        running.append(np.append(0.0, np.cumsum(np.bincount(group, losses[order]))))
    # The best place for a grade to begin is where what was lost before is least against it.
    total, gaps = running[0], []
    for mine in running[1:]:
        gaps.append(total - mine)
        total = mine + np.minimum.accumulate(gaps[-1])
    place, found = len(total) - 1, np.full(cuts, np.inf)
    scores = np.append(ordered[first], np.inf)
    for grade in range(cuts - 1, -1, -1):
        place = int(np.argmin(gaps[grade][: place + 1]))
        found[grade] = scores[place]
    return found

"""Cases in order of time: what can be learned from some of them, and judged on others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.comparison.rules import Rule, follow_rule, learn_rule
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.inference.aims import Aim
from roctopus.inference.folds import Rows
from roctopus.inference.policies import learn, mean_of, sign_of


def part_contexts(contexts: RowContexts, rows: Rows) -> RowContexts:
    """Return the contexts that may be learned from: those of these cases."""
    return contexts.take(rows)


@dataclass(frozen=True, eq=False)
class Timeline:
    """Cases in order of time, and what is asked of them."""

    problem: Problem
    """All cases, under the settings that were known after the start part."""
    predictions: Predictions
    contexts: RowContexts
    aim: Aim | None
    """What decisions are for, if all cases have one context."""
    begun: Rows
    """The start part."""

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return tuple(self.predictions)

    def _some(self, rows: Rows, names: Iterable[str]) -> dict[str, Floats]:
        return {name: self.predictions[name][rows] for name in names}

    def hold(self, rows: Rows, names: Iterable[str]) -> Rule:
        """Learn one model and one knob for the contexts of some cases."""
        cases, aim = self.problem.take(rows).settled(), self.aim
        if aim is None:
            cases, aim = part_contexts(self.contexts, rows).aim(cases)
        found = learn(cases, self._some(rows, names), aim)
        best = found.ranked[0]
        return [(-np.inf, np.inf, best, tuple(found.knobs[best].chosen.tolist()))]

    def follow(self, rows: Rows, names: Iterable[str]) -> Rule:
        """Learn which model and knob to use in which contexts; if all are equal, hold one."""
        own = part_contexts(self.contexts, rows)
        if np.ptp(own.values) == 0.0:
            return self.hold(rows, names)
        return learn_rule(self.problem.take(rows).settled(), self._some(rows, names), own)

    def look_back(self, rows: Rows, cuts: int) -> Rule:
        """Return the one model and knob that were best on the very cases they are judged on."""
        own = OwnContexts(self.problem.take(rows), self.contexts.take(rows))
        model, knob = _best_in_hindsight(own, self._some(rows, self.names), cuts)
        return [(-np.inf, np.inf, model, tuple(knob.tolist()))]

    def judge(self, rule: Rule, rows: Rows) -> Floats:
        """Return what cases give under a rule."""
        mine = self._some(rows, {model for _, _, model, _ in rule})
        return follow_rule(self.problem.take(rows), mine, rule, self.contexts.take(rows))

    def untuned(self, name: str, rows: Rows) -> Floats:
        """Return what a model gives as it is; what that takes (who is accepted) is from the start.

        Without weight, judged cases tell nothing about each other.
        """
        both = np.concatenate([self.begun, rows])
        cases, own = self.problem.take(both), self.contexts.take(both)
        weight = np.ones(len(both)) if cases.weight is None else cases.weight.copy()
        weight[len(self.begun) :] = 0.0
        blind = OwnContexts(cases.on(cases.truth(), weight), own).of_model(name)
        return blind.untuned(self.predictions[name][both], np.nan, np.nan)[len(self.begun) :]

    def plainest(self) -> str:
        """Return the model that looked best untuned in the start part."""
        cases = self.problem.take(self.begun)
        means = {name: mean_of(cases, self.untuned(name, self.begun)) for name in self.names}
        return min(means, key=lambda name: sign_of(cases) * means[name])


def _best_in_hindsight(
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

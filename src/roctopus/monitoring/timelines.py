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
from roctopus.monitoring.hindsight import best_in_hindsight


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
        model, knob = best_in_hindsight(own, self._some(rows, self.names), cuts)
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
        blind = OwnContexts(cases.on(cases.truth(), weight), own)
        return blind.untuned(self.predictions[name][both], np.nan, np.nan)[len(self.begun) :]

    def plainest(self) -> str:
        """Return the model that looked best untuned in the start part."""
        cases = self.problem.take(self.begun)
        means = {name: mean_of(cases, self.untuned(name, self.begun)) for name in self.names}
        return min(means, key=lambda name: sign_of(cases) * means[name])

"""Honest values: every case is judged by what was learned on others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.comparing import best_pvalues
from roctopus.inference.engine import CrossFit, cross_fit
from roctopus.inference.folds import MANY, Rows, Split
from roctopus.inference.policies import (
    Learned,
    judge,
    learn,
    sign_of,
    untuned_outcomes,
    untuned_values,
)


class _Chosen(NamedTuple):
    """What one training part says: tuned models, and the best one if nothing is tuned."""

    learned: Learned
    plain: str

    @property
    def model(self) -> str:
        """The model that looked best."""
        return self.learned.ranked[0]


@dataclass(frozen=True, eq=False)
class Honest:
    """Cross-fitted outcomes: every case judged by what was learned on others."""

    rows: Rows | None
    """The cases that were judged; None if they are all, and too many to number."""
    models: Mapping[str, Estimate]
    """Every model with a cross-fitted knob."""
    policy: Estimate
    """The model that looked best on the training part, with its knob."""
    untuned: Estimate
    """The model that looked best there if nothing is tuned."""
    chances: Mapping[str, float]
    """For each model the p-value of the hypothesis that it is the best."""
    fitted: CrossFit[_Chosen] | None = None
    """What was learned and judged, where rows are at hand."""

    @property
    def judged(self) -> int:
        """The number of cases that were judged."""
        return self.policy.size if self.rows is None else len(self.rows)

    def difference(self, first: str, second: str) -> Estimate:
        """Return the paired difference of two models: what they share cancels case by case."""
        if self.fitted is None:
            return self.models[first] - self.models[second]
        names = list(self.models)
        return self.fitted.mean(names.index(first), names.index(second))


def cross_fit_policy(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    rounds: Iterable[list[Split]],
    dependence: Dependence = INDEPENDENT,
    rng: Random = 0,
) -> Honest:
    """Judge each model, and the choice between them, on cases that neither was made on.

    Folds are drawn several times: which of two equal models is chosen hangs on them. Of very many
    cases one round is enough if its folds agree.
    """
    names = tuple(predictions)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)

    def teach(rows: Rows) -> _Chosen:
        fitted, cases = {name: p[rows] for name, p in predictions.items()}, problem.take(rows)
        learned = learn(cases, fitted, aim)
        return _Chosen(learned, _best_untuned(cases, fitted, aim, learned, sign))

    def outcomes(chosen: _Chosen, rows: Rows) -> list[Floats]:
        learned, plain = chosen
        judged = judge(problem, predictions, aim, learned, rows)
        held, mine = problem.take(rows), {name: p[rows] for name, p in predictions.items()}
        as_it_is = untuned_outcomes(held, mine, aim, learned, plain)
        return [*judged.values(), judged[learned.ranked[0]], as_it_is]

    def settled(chosen: list[_Chosen]) -> bool:
        return len(problem) >= MANY and len({each.model for each in chosen}) == 1

    fitted = cross_fit(
        rounds,
        len(problem),
        teach,
        outcomes,
        weight=problem.weight,
        dependence=dependence,
        enough=settled,
    ).worst(sign)
    *models, policy, untuned = (fitted.mean(k) for k in range(len(names) + 2))
    return Honest(
        fitted.rows,
        dict(zip(names, models, strict=True)),
        policy,
        untuned,
        _chances(names, fitted, sign, rng),
        fitted,
    )


def _best_untuned(
    cases: Problem, predictions: Predictions, aim: Aim, learned: Learned, sign: float
) -> str:
    if len(predictions) == 1:
        return next(iter(predictions))
    values = untuned_values(cases, predictions, aim, learned)
    return min(values, key=lambda name: sign * values[name])


def _chances(
    names: tuple[str, ...], fitted: CrossFit[_Chosen], sign: float, rng: Random
) -> dict[str, float]:
    """Return each model's p-value of being best; how rounds differ counts as uncertainty."""
    columns, weight = fitted.rounds, fitted.weight
    values = np.array(
        [[np.average(each[k], weights=weight) for k in range(len(names))] for each in columns]
    )
    means = values.mean(axis=0)
    first = {
        name: Estimate(
            float(means[k]), columns[0][k] - values[0, k], weight, dependence=fitted.dependence
        )
        for k, name in enumerate(names)
    }
    extra = None
    if len(columns) > 1:
        gaps = values[:, :, None] - values[:, None, :]
        extra = gaps.var(axis=0, ddof=1)
    joint = JointEstimates.of(first, "loss" if sign > 0.0 else "gain")
    return best_pvalues(joint, rng=rng, extra=extra)

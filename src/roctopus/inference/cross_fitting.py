"""Honest values: every case is judged by what was learned on others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, warn
from roctopus.core.resampling import Random, read_generator
from roctopus.inference.aims import Aim
from roctopus.inference.comparing import best_pvalues
from roctopus.inference.folds import MANY, folds, rounds_of
from roctopus.inference.honest import mean_over_rounds
from roctopus.inference.policies import (
    Learned,
    Predictions,
    Rows,
    judge,
    learn,
    sign_of,
    untuned_outcomes,
)

__all__ = ["Honest", "cross_fit_policy", "fold_rounds"]


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
    rounds: Mapping[str, tuple[Floats, ...]]
    """The outcomes of every model, round by round, where these are at hand."""

    @property
    def judged(self) -> int:
        """The number of cases that were judged."""
        return self.policy.size if self.rows is None else len(self.rows)

    def difference(self, first: str, second: str) -> Estimate:
        """Return the paired difference of two models: what they share cancels case by case."""
        if not self.rounds:
            return self.models[first] - self.models[second]
        pairs = zip(self.rounds[first], self.rounds[second], strict=True)
        like = self.models[first]
        return mean_over_rounds([a - b for a, b in pairs], like.dependence, like.sample_weight)


class _Round:
    """Outcomes of one round of folds: of every model, of the choice between them, and untuned."""

    def __init__(self, problem: Problem, names: tuple[str, ...]) -> None:
        self.problem, self.names = problem, names
        self.sums: list[Floats] = []
        self.counts = np.zeros(len(problem))

    def add(self, test: Rows, outcomes: list[Floats]) -> None:
        if not self.sums:
            self.sums = [np.zeros((len(self.counts), each.shape[1])) for each in outcomes]
        for total, each in zip(self.sums, outcomes, strict=True):
            total[test] += each
        self.counts[test] += 1.0

    def columns(self, sign: float) -> tuple[Rows, list[Floats]]:
        """Return the judged rows, and of each policy the column that is worst on average."""
        rows = np.flatnonzero(self.counts)
        weight = None if self.problem.weight is None else self.problem.weight[rows]
        found = []
        for total in self.sums:
            values = total[rows] / self.counts[rows, None]
            means = np.average(values, weights=weight, axis=0)
            found.append(values[:, int(np.argmax(sign * means))])
        return rows, found


def cross_fit_policy(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    rounds: Iterable[list[tuple[Rows, Rows]]],
    dependence: Dependence = INDEPENDENT,
    rng: Random = 0,
) -> Honest:
    """Judge each model, and the choice between them, on cases that neither was made on.

    Folds are drawn several times: which of two equal models is chosen hangs on them. Of very many
    cases one round is enough if its folds agree.
    """
    names = tuple(predictions)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    chosen: set[str] = set()
    columns: list[list[Floats]] = []
    for splits in rounds:
        this = _Round(problem, names)
        for train, test in splits:
            fitted = {name: p[train] for name, p in predictions.items()}
            cases = problem.take(train)
            try:
                learned = learn(cases, fitted, aim)
            except InputError as refusal:
                raise InputError(
                    f"In the training part of a fold: {refusal.marked} Use fewer folds "
                    "('splitter'), or give more cases."
                ) from None
            best = learned.ranked[0]
            chosen.add(best)
            plain = _best_untuned(cases, fitted, aim, learned, sign)
            judged = judge(problem, predictions, aim, learned, test)
            held, mine = problem.take(test), {name: p[test] for name, p in predictions.items()}
            as_it_is = untuned_outcomes(held, mine, aim, learned, plain)
            this.add(test, [*judged.values(), judged[best], as_it_is])
        rows, found = this.columns(sign)
        columns.append(found)
        if len(chosen) == 1 and len(problem) >= MANY:
            break
    weight = None if problem.weight is None else problem.weight[rows]
    kept = dependence
    if dependence.clusters is not None:
        kept = dependence._replace(clusters=dependence.clusters[rows])
    *models, policy, untuned = (
        mean_over_rounds([each[k] for each in columns], kept, weight) for k in range(len(names) + 2)
    )
    chances = _chances(names, columns, kept, weight, sign, rng)
    by_round = {name: tuple(each[k] for each in columns) for k, name in enumerate(names)}
    return Honest(
        rows,
        dict(zip(names, models, strict=True)),
        policy,
        untuned,
        chances,
        by_round,
    )


def _best_untuned(
    cases: Problem, predictions: Predictions, aim: Aim, learned: Learned, sign: float
) -> str:
    if len(predictions) == 1:
        return next(iter(predictions))

    def worst(name: str) -> float:
        outcomes = untuned_outcomes(cases, predictions, aim, learned, name)
        return float(np.max(sign * np.average(outcomes, weights=cases.weight, axis=0)))

    return min(predictions, key=worst)


def _chances(
    names: tuple[str, ...],
    columns: list[list[Floats]],
    dependence: Dependence,
    weight: Floats | None,
    sign: float,
    rng: Random,
) -> dict[str, float]:
    """Return each model's p-value of being best; how rounds differ counts as uncertainty."""
    values = np.array(
        [[np.average(each[k], weights=weight) for k in range(len(names))] for each in columns]
    )
    means = values.mean(axis=0)
    first = {
        name: Estimate(float(means[k]), columns[0][k] - values[0, k], weight, dependence=dependence)
        for k, name in enumerate(names)
    }
    extra = None
    if len(columns) > 1:
        gaps = values[:, :, None] - values[:, None, :]
        extra = gaps.var(axis=0, ddof=1)
    joint = JointEstimates.of(first, "loss" if sign > 0.0 else "gain")
    return best_pvalues(joint, rng=rng, extra=extra)


def fold_rounds(
    problem: Problem,
    splitter: Any,
    most: int,
    *,
    clusters: Rows | None,
    time_ordered: bool,
    alike: bool,
    rng: Random,
) -> Iterator[list[tuple[Rows, Rows]]]:
    """Yield folds, again and again where they are drawn at random.

    ``alike`` says that a knob is learned, and no choice made between models.
    """
    generator, size = read_generator(rng), len(problem)
    fixed = time_ordered or hasattr(splitter, "split")
    for _ in range(1 if fixed else most if size < MANY else 2):
        truth = problem.columns()[0]
        splits = folds(
            size, splitter, clusters, time_ordered, truth, generator, problem.strata, alike=alike
        )
        found = list(rounds_of(splits))
        judged = [np.sort(np.concatenate([test for _, test in each])) for each in found]
        if any(not np.array_equal(each, judged[0]) for each in judged):
            if not alike:
                warn(
                    "The splits judge some cases more often than others: where models are "
                    "chosen, intervals are too short. Use folds, or repeated folds."
                )
            found = [[split for each in found for split in each]]
        yield from found

"""Out-of-sample values: every case is judged by what was learned on others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Predictions, Problem
from roctopus.core.arrays import Floats
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.baselines import (
    baselines_for,
    constants,
    fixed_outcomes,
    judge_all,
    learn_all,
)
from roctopus.inference.beliefs import Shrunk, shrink
from roctopus.inference.comparing import best_pvalues
from roctopus.inference.engine import CrossFit, cross_fit, mean_estimate
from roctopus.inference.folds import MANY, Rows, Split
from roctopus.inference.policies import (
    Learned,
    TunedModels,
    by_curves,
    mean_of,
    settle,
    sign_of,
    tune_parts,
    untuned_outcomes,
)

Judged: TypeAlias = tuple[Literal["model", "raw", "baseline", "policy", "untuned"], str]
"""Something that was judged: a tuned model, the model as it is, a baseline, a way to choose."""
POLICY: Judged = ("policy", "")
UNTUNED: Judged = ("untuned", "")


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
    estimates: Mapping[Judged, Estimate]
    """What each gives: models with cross-fitted knobs, models as they are, baselines, and the
    model that looked best on the training part, tuned ("policy") or as it is ("untuned")."""
    sign: float
    """1 where less is better, −1 where more is."""
    covariance: Floats
    """Of the models' values, with the spread between rounds of folds."""
    rng: Random = 0
    fitted: CrossFit[_Chosen] | None = None
    """What was learned and judged, where rows are at hand."""
    extra: Floats | None = None
    """Variances of paired differences between rounds of folds."""

    def of(self, kind: str) -> dict[str, Estimate]:
        """Return all of a kind, by name."""
        return {name: each for (its, name), each in self.estimates.items() if its == kind}

    @cached_property
    def models(self) -> dict[str, Estimate]:
        """Every model with a cross-fitted knob."""
        return self.of("model")

    @property
    def policy(self) -> Estimate:
        """The model that looked best on the training part, with its knob."""
        return self.estimates[POLICY]

    @property
    def untuned(self) -> Estimate:
        """The model that looked best there if nothing is tuned."""
        return self.estimates[UNTUNED]

    @property
    def judged(self) -> int:
        """The number of cases that were judged."""
        return self.policy.size if self.rows is None else len(self.rows)

    @cached_property
    def shrunk(self) -> Shrunk:
        """The models' values, shrunk for the best having been chosen, with standard errors."""
        values = np.array([each.value for each in self.models.values()])
        return shrink(values, self.covariance, sign=self.sign)

    @cached_property
    def ranked(self) -> tuple[str, ...]:
        """The models from the best to the worst; equal ones in the order they were named."""
        order = np.argsort(self.sign * self.shrunk.value, kind="stable")
        names = tuple(self.models)
        return tuple(names[k] for k in order.tolist())

    @cached_property
    def pvalues(self) -> dict[str, float]:
        """For each model the p-value of the hypothesis that it is the best."""
        first = self.models
        if self.fitted is not None:
            columns, weight = self.fitted.rounds[0], self.fitted.weight
            first = {
                name: replace_rows(each, columns[k], weight)
                for k, (name, each) in enumerate(self.models.items())
            }
        joint = JointEstimates.of(first, "loss" if self.sign > 0.0 else "gain")
        return best_pvalues(joint, rng=self.rng, extra=self.extra)

    def with_raw(self, problem: Problem, predictions: Predictions, aim: Aim) -> Honest | None:
        """Return the same with other predictions of some models as they are.

        None if what these give depends on what was learned.
        """
        outcomes = _raw_outcomes(problem, predictions, aim)
        if outcomes is None or self.fitted is None:
            return None
        rows, keys = self.fitted.rows, list(self.estimates)
        held = problem.take(rows)
        mine = {
            keys.index(("raw", name)): settle(held, each[rows], aim)
            for name, each in outcomes.items()
        }
        rounds = [
            [mine.get(k, each) for k, each in enumerate(columns)] for columns in self.fitted.rounds
        ]
        fitted = replace(self.fitted, rounds=rounds)
        estimates = {
            key: fitted.mean(k) if k in mine else self.estimates[key] for k, key in enumerate(keys)
        }
        return replace(self, estimates=estimates, fitted=fitted)

    def difference(self, first: str, second: str) -> Estimate:
        """Return the paired difference of two models: what they share cancels case by case."""
        return self.gap(("model", first), ("model", second))

    def gap(self, first: Judged, second: Judged) -> Estimate:
        """Return the paired difference of two things that were judged."""
        if self.fitted is None:
            return self.estimates[first] - self.estimates[second]
        keys = list(self.estimates)
        return self.fitted.mean(keys.index(first), keys.index(second))


def replace_rows(estimate: Estimate, outcomes: Floats, weight: Floats | None) -> Estimate:
    """Return an estimate with the spread of one round's outcomes."""
    found = mean_estimate(outcomes, weight, estimate.dependence)
    return Estimate(estimate.value, found.influence, weight, dependence=estimate.dependence)


def cross_fit_policy(
    problem: Problem,
    predictions: Predictions,
    aim: Aim,
    rounds: Iterable[list[Split]],
    dependence: Dependence = INDEPENDENT,
    rng: Random = 0,
) -> Honest:
    """Judge each model, each baseline and the choice between them on cases they were not made on.

    Folds are drawn several times: which of two equal models is chosen depends on them. Of very many
    cases one round is enough if its folds agree.
    """
    names, named = tuple(predictions), baselines_for(problem, aim, predictions)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    known = _raw_outcomes(problem, predictions, aim)
    fixed = {} if known is None else {name: b for name, b in named.items() if b.knob is not None}
    steady = fixed_outcomes(problem, aim, fixed)
    varied = {name: each for name, each in named.items() if name not in fixed}
    every = {**predictions, **constants(problem, varied)}

    def raw_outcomes(learned: Learned, rows: Rows) -> dict[str, Floats]:
        if known is not None:
            return {name: each[rows] for name, each in known.items()}
        held, mine = problem.take(rows), {name: p[rows] for name, p in predictions.items()}
        return {name: untuned_outcomes(held, mine, aim, learned, name) for name in names}

    def teach(parts: Sequence[Rows]) -> list[_Chosen]:
        known = tune_parts(problem, predictions, aim, parts)
        return [teach_one(rows, mine) for rows, mine in zip(parts, known, strict=True)]

    def teach_one(rows: Rows, known: TunedModels | None) -> _Chosen:
        fitted, cases = {name: p[rows] for name, p in predictions.items()}, problem.take(rows)
        learned = learn_all(cases, fitted, aim, named, known)
        return _Chosen(learned, _best_of(raw_outcomes(learned, rows), cases, aim, sign))

    def outcomes(chosen: _Chosen, rows: Rows) -> list[Floats]:
        learned, plain = chosen
        judged = judge_all(problem, every, aim, learned, rows, named)
        judged |= {name: each[rows] for name, each in steady.items()}
        raw, inner = raw_outcomes(learned, rows), [judged[name] for name in (*names, *named)]
        return [*inner, *raw.values(), judged[learned.ranked[0]], raw[plain]]

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
        floor=0.0 if sign > 0.0 else -np.inf,
    )
    held = problem.take(fitted.rows)
    fitted = fitted.settled(lambda judged: settle(held, judged, aim))
    keys: list[Judged] = [("model", name) for name in names]
    keys += [("baseline", name) for name in named]
    keys += [*(("raw", name) for name in names), POLICY, UNTUNED]
    estimates = {key: fitted.mean(k) for k, key in enumerate(keys)}
    spread, extra = fitted.covariance(len(names))
    return Honest(fitted.rows, estimates, sign, spread, rng, fitted, extra)


def _raw_outcomes(problem: Problem, predictions: Predictions, aim: Aim) -> dict[str, Floats] | None:
    """Return the outcomes of models as they are; None if these depend on what was learned."""
    if aim.criterion == "regret" or by_curves(problem, aim):
        return None
    nothing = Learned({}, {}, {})
    return {
        name: untuned_outcomes(problem, predictions, aim, nothing, name) for name in predictions
    }


def _best_of(outcomes: Mapping[str, Floats], cases: Problem, aim: Aim, sign: float) -> str:
    """Return whose worst mean outcome is the best."""
    if len(outcomes) == 1:
        return next(iter(outcomes))
    means = {name: mean_of(cases, settle(cases, each, aim)) for name, each in outcomes.items()}
    return min(means, key=lambda name: sign * means[name])

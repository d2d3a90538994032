"""From means and products of outcomes to estimates and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.core.errors import InputError
from roctopus.core.moments import JointMoments
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.comparing import best_pvalues
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned, sign_of
from roctopus.scanning.judging import JudgingScan


def read_judged(
    models: tuple[str, ...],
    scan: JudgingScan,
    problem: Problem,
    aim: Aim,
    whole: Learned,
    rng: Random,
) -> tuple[Learned, Honest, dict[str, float]]:
    """Make of moments what folds make of cases in memory."""
    moments, names = scan.moments, scan.order
    assert moments is not None
    count = len(names)
    width = moments.columns // (3 * count + 1)
    mean = moments.mean.reshape(-1, width)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    honest = mean[: count + 1].copy()
    honest[1:] += mean[0]
    worst = [int(np.argmax(sign * row)) for row in honest]
    in_sample, untuned = mean[count + 1 : 2 * count + 1], mean[2 * count + 1 :]
    plain = {m: float(sign * np.max(sign * row)) for m, row in zip(names, untuned, strict=True)}
    plain = {name: plain[name] for name in models}
    best = min(plain, key=lambda name: sign * plain[name])
    row = 2 * count + 1 + names.index(best)
    own = row * width + int(np.argmax(sign * mean[row]))
    # Each model at its own worst context: the first model's outcome there, and what is more.
    wanted = [at for k, at in enumerate(worst) for at in (worst[k], k * width + worst[k])]
    *parts, as_it_is = condense(moments, [*wanted, own])
    pairs = zip(parts[2::2], parts[3::2], strict=True)
    *means, policy = [parts[0], *(plus(first, more) for first, more in pairs)]
    estimates = dict(zip(names, means, strict=True))
    estimates = {name: estimates[name] for name in models}
    joint = JointEstimates.of(estimates, "loss" if sign > 0.0 else "gain")
    chances = best_pvalues(joint, rng=rng)
    found = Honest(None, estimates, policy, as_it_is, chances)
    scores = {m: float(sign * np.max(sign * v)) for m, v in zip(names, in_sample, strict=True)}
    scores = _equal_if_close({name: scores[name] for name in models})
    return replace(whole, scores=scores), found, plain


def _equal_if_close(scores: dict[str, float]) -> dict[str, float]:
    """Return scores with those equal that differ by rounding: then the first one named counts."""
    found: dict[str, float] = {}
    for name, score in scores.items():
        near = (other for other in found.values() if abs(other - score) <= 1e-12 * abs(score))
        found[name] = next(near, score)
    return found


def condense(moments: JointMoments, columns: Iterable[int]) -> list[Estimate]:
    """Return estimates of means with few rows of influence, whose products are the true ones."""
    chosen = list(columns)
    spread = moments.products[np.ix_(chosen, chosen)]
    if not (np.isfinite(spread).all() and np.isfinite(moments.mean).all()):
        raise InputError("Outcomes are too large to be squared. Choose a larger unit for them.")
    scale = np.sqrt(np.maximum(np.diag(spread), 0.0))
    unit = np.where(scale > 0.0, scale, 1.0)
    values, axes = np.linalg.eigh(spread / np.outer(unit, unit))
    rows = axes * np.sqrt(np.maximum(values, 0.0)) * scale[:, None]
    whole = (moments.cases, moments.weight)
    return [
        Estimate(float(moments.mean[at]), row, condensed=whole)
        for at, row in zip(chosen, rows, strict=True)
    ]


def plus(first: Estimate, more: Estimate) -> Estimate:
    """Return the sum of two estimates on the same cases."""
    return replace(
        first, value=first.value + more.value, influence=first.influence + more.influence
    )

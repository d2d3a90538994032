"""From means and products of outcomes to estimates and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.moments import JointMoments
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim
from roctopus.inference.cross_fitting import POLICY, UNTUNED, Honest, Judged
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
    count, beside = len(names), len(scan.baselines)
    width = moments.columns // (3 * count + 1 + beside)
    spread = _between_rounds(scan, moments)
    mean = (moments.mean + spread.mean(axis=0)).reshape(-1, width)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    honest = mean[: count + 1].copy()
    honest[1:] += mean[0]
    # Each at its own worst context.
    worst = [int(np.argmax(sign * row)) for row in (*honest, *mean[count + 1 :])]
    # Of models the first one's outcome there, and what is more; the others as they are.
    wanted = [at for k, at in enumerate(worst[: count + 1]) for at in (at, k * width + at)]
    wanted += [k * width + at for k, at in enumerate(worst)][count + 1 :]
    parts = condense(moments, wanted, 0.0 if sign > 0.0 else -np.inf, spread)
    pairs = zip(parts[2 : 2 * count + 2 : 2], parts[3 : 2 * count + 2 : 2], strict=True)
    *means, policy = [parts[0], *(plus(first, more) for first, more in pairs)]
    others = dict(zip(scan.baselines, parts[2 * count + 2 :], strict=False))
    raw = dict(zip(names, parts[-count:], strict=True))
    plain = {name: raw[name].value for name in models}
    best = min(plain, key=lambda name: sign * plain[name])
    tuned = dict(zip(names, means, strict=True))
    estimates: dict[Judged, Estimate] = {("model", name): tuned[name] for name in models}
    estimates |= {("baseline", name): each for name, each in others.items()}
    estimates |= {("raw", name): raw[name] for name in models}
    estimates |= {POLICY: policy, UNTUNED: raw[best]}
    joint = JointEstimates.of({name: tuned[name] for name in models})
    found = Honest(None, estimates, sign, joint.covariance, rng)
    in_sample = mean[-2 * count : -count]
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


def _between_rounds(scan: JudgingScan, moments: JointMoments) -> Floats:
    """Return by how much the means of each round of halves exceed those of the first."""
    found = np.zeros((len(scan.rounds), moments.columns))
    if len(found) > 1:
        moved = np.asarray(scan.moved) / moments.weight
        found[1:, : moved.shape[1]] = moved
    return found


def condense(
    moments: JointMoments,
    columns: Iterable[int],
    floor: float = -np.inf,
    rounds: Floats | None = None,
) -> list[Estimate]:
    """Return estimates of means with few rows of influence, whose products are the true ones.

    ``rounds`` is by how much the means of each round of folds exceed those of the moments. As in
    memory, values are means over rounds, and the variance between rounds is added.
    """
    chosen = list(columns)
    spread = moments.products[np.ix_(chosen, chosen)]
    if not (np.isfinite(spread).all() and np.isfinite(moments.mean).all()):
        raise InputError(
            "The costs or gains of some cases are too large to be squared. Measure them in a "
            "larger unit."
        )
    scale = np.sqrt(np.maximum(np.diag(spread), 0.0))
    unit = np.where(scale > 0.0, scale, 1.0)
    values, axes = np.linalg.eigh(spread / np.outer(unit, unit))
    rows = axes * np.sqrt(np.maximum(values, 0.0)) * scale[:, None]
    mean = moments.mean[chosen]
    if rounds is not None and len(rounds) > 1:
        middle = rounds[:, chosen].mean(axis=0)
        between = (rounds[:, chosen] - middle) * (moments.weight / np.sqrt(len(rounds) - 1.0))
        mean, rows = mean + middle, np.concatenate([rows, between.T], axis=1)
    whole = (moments.cases, moments.weight)
    return [
        Estimate(value, row, condensed=whole, floor=floor)
        for value, row in zip(mean.tolist(), rows, strict=True)
    ]


def plus(first: Estimate, more: Estimate) -> Estimate:
    """Return the sum of two estimates on the same cases."""
    return replace(
        first, value=first.value + more.value, influence=first.influence + more.influence
    )

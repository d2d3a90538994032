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
    count = len(names)
    width = moments.columns // (3 * count + 1 + len(scan.baselines))
    mean = moments.mean.reshape(-1, width)
    sign = 1.0 if aim.criterion == "regret" else sign_of(problem)
    honest = mean[: count + 1].copy()
    honest[1:] += mean[0]
    # Each at its own worst context.
    worst = [int(np.argmax(sign * row)) for row in (*honest, *mean[count + 1 :])]
    # Of models the first one's outcome there, and what is more; the others as they are.
    wanted = [at for k, at in enumerate(worst[: count + 1]) for at in (at, k * width + at)]
    wanted += [k * width + at for k, at in enumerate(worst)][2 * count + 1 :]
    parts = condense(moments, wanted, 0.0 if sign > 0.0 else -np.inf)
    pairs = zip(parts[2 : 2 * count + 2 : 2], parts[3 : 2 * count + 2 : 2], strict=True)
    *means, policy = [parts[0], *(plus(first, more) for first, more in pairs)]
    raw = dict(zip(names, parts[2 * count + 2 :], strict=False))
    plain = {name: raw[name].value for name in models}
    best = min(plain, key=lambda name: sign * plain[name])
    tuned = dict(zip(names, means, strict=True))
    estimates: dict[Judged, Estimate] = {("model", name): tuned[name] for name in models}
    others = zip(scan.baselines, parts[3 * count + 2 :], strict=True)
    estimates |= {("baseline", name): each for name, each in others}
    estimates |= {("raw", name): raw[name] for name in models}
    estimates |= {POLICY: policy, UNTUNED: raw[best]}
    joint = JointEstimates.of({name: tuned[name] for name in models})
    found = Honest(None, estimates, sign, joint.covariance, rng)
    in_sample = mean[count + 1 : 2 * count + 1]
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


def condense(
    moments: JointMoments, columns: Iterable[int], floor: float = -np.inf
) -> list[Estimate]:
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
        Estimate(float(moments.mean[at]), row, condensed=whole, floor=floor)
        for at, row in zip(chosen, rows, strict=True)
    ]


def plus(first: Estimate, more: Estimate) -> Estimate:
    """Return the sum of two estimates on the same cases."""
    return replace(
        first, value=first.value + more.value, influence=first.influence + more.influence
    )

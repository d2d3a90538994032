"""Samples that are hard for cells: far, tied, zero-inflated, heavy, weighted, of rare classes."""

import warnings
from typing import Any, NamedTuple

import numpy as np

import roctopus as rt
from roctopus.impact.utilities import LinearUtility, UtilityScale

ARMS = ("regression", "cutoff", "probability", "ordinal", "impact")


class Sample(NamedTuple):
    """A comparison, what its page is asked for first, and the contexts where it is looked at."""

    comparison: Any
    first: dict[str, Any]
    contexts: np.ndarray


def numbers(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return truths of one kind or another."""
    kind = rng.integers(8)
    if kind == 0:
        return rng.gamma(2.0, 3.0, size)
    if kind == 1:  # zero-inflated
        return np.where(rng.random(size) < 0.7, 0.0, rng.gamma(2.0, 30.0, size))
    if kind == 2:  # heavy tails of both signs
        return rng.standard_t(1.2, size)
    if kind == 3:  # rounded: ties
        return np.round(rng.normal(20.0, 4.0, size))
    if kind == 4:  # far away
        return 1e12 + rng.normal(0.0, 50.0, size)
    if kind == 5:  # heaps at the first and at the last value
        return np.clip(rng.normal(0.0, 3.0, size), -2.0, 2.0)
    if kind == 6:  # tiny
        return 1e-9 * rng.normal(0.0, 1.0, size)
    return np.exp(rng.normal(3.0, 2.0, size))


def weights(rng: np.random.Generator, size: int) -> np.ndarray | None:
    """Return weights, or none: equal but for some, heavy, of duplicated rows, or zero for some."""
    kind = rng.integers(8)
    if kind == 0:
        return rng.uniform(0.5, 2.0, size)
    if kind == 1:
        return rng.pareto(1.5, size) + 0.1
    if kind == 2:
        return rng.integers(1, 4, size).astype(float)
    if kind == 3:
        return np.where(rng.random(size) < 0.3, 0.0, 1.0)
    return None


def near(rng: np.random.Generator, truth: np.ndarray) -> dict[str, np.ndarray]:
    """Return predictions of numbers: of several models, one of them a copy that is moved."""
    size, spread = len(truth), float(np.std(truth)) or 1.0
    spread = min(spread, 3.0 * float(np.median(np.abs(truth - np.median(truth)))) or spread)
    found = {
        "near": truth + rng.normal(0.0, 0.5 * spread, size),
        "far": truth + rng.normal(0.3 * spread, 2.0 * spread, size),
        "tied": truth + spread * rng.integers(-2, 3, size),
        "constant": np.full(size, float(np.median(truth)) + 0.1 * spread),
        "heavy": truth + spread * rng.standard_t(1.5, size),
        "right": np.where(rng.random(size) < 0.6, truth, truth + rng.normal(0.0, spread, size)),
    }
    kept = rng.choice(list(found), size=int(rng.integers(1, 4)), replace=False)
    models = {name: found[name] for name in kept}
    if rng.random() < 0.4:
        first = next(iter(models))
        models["moved"] = models[first] + float(rng.normal(0.0, 3.0 * spread))
    return models


def scores(rng: np.random.Generator, code: np.ndarray, probability: bool) -> dict[str, np.ndarray]:
    """Return scores that rank classes."""
    size = len(code)
    raw = code + rng.normal(0.0, 1.0, size)
    found = {
        "smooth": raw,
        "rounded": np.round(raw, 1),
        "few": np.round(raw),
        "constant": np.full(size, 0.3),
        "heavy": code + rng.standard_t(1.2, size),
        "wrong": -raw,
    }
    if not probability:
        found["far"] = 1e12 + 50.0 * raw
    else:
        found = {name: 1.0 / (1.0 + np.exp(0.5 - each)) for name, each in found.items()}
        found["clipped"] = np.clip(1.4 * found["smooth"] - 0.2, 0.0, 1.0)
    kept = rng.choice(list(found), size=int(rng.integers(1, 4)), replace=False)
    models = {name: found[name] for name in kept}
    if rng.random() < 0.4:
        first = models[next(iter(models))]
        moved = first + float(rng.normal(0.0, 0.3 if probability else 3.0))
        models["moved"] = moved
    return models


def regression(rng: np.random.Generator, size: int) -> Sample:
    """Return a sample of errors; contexts hold both ends."""
    truth = numbers(rng, size)
    comparison = rt.compare(
        truth, near(rng, truth), arm="regression", sample_weight=weights(rng, size)
    )
    return Sample(comparison, {"under_cost": 3, "over_cost": 1}, np.linspace(0.0, 1.0, 1000))


def cutoff(rng: np.random.Generator, size: int) -> Sample:
    """Return a sample of cutoffs; contexts hold truths and what is next to them."""
    truth = numbers(rng, size)
    models = near(rng, truth)
    if rng.random() < 0.2:
        models["never"] = np.full(size, -np.inf)
    options: dict[str, Any] = {}
    if rng.random() < 0.5:
        options = {"false_positive_cost": 3.0, "false_negative_cost": 0.5}
    comparison = rt.compare(
        truth, models, arm="cutoff", sample_weight=weights(rng, size), **options
    )
    some = rng.choice(np.concatenate([truth, *models.values()]), 300)
    some = some[np.isfinite(some)]
    ends = float(truth.min()), float(truth.max())
    reach = 0.2 * (ends[1] - ends[0]) or 1.0
    contexts = np.concatenate(
        [
            *(np.nextafter(some, side) for side in (-np.inf, np.inf)),
            some,
            ends,
            np.linspace(ends[0] - reach, ends[1] + reach, 1000),
        ]
    )
    return Sample(comparison, {"cutoff": float(np.median(truth))}, np.sort(contexts)[::1][:1900])


def probability(rng: np.random.Generator, size: int) -> Sample:
    """Return a sample of two classes, one of which may be rare."""
    share = rng.choice([0.02, 0.3, 0.5])
    code = (rng.random(size) < share).astype(float)
    code[:2] = 0.0, 1.0
    options = {"prevalence": float(rng.uniform(0.02, 0.9))} if rng.random() < 0.4 else {}
    models = scores(rng, code, probability=True)
    weight = weights(rng, size)
    if weight is not None:
        weight[:2] = 1.0
    comparison = rt.compare(code, models, arm="probability", sample_weight=weight, **options)
    first = {"false_positive_cost": 1, "false_negative_cost": 4}
    return Sample(comparison, first, np.linspace(0.0, 1.0, 1000))


def ordinal(rng: np.random.Generator, size: int) -> Sample:
    """Return a sample of three or four grades, with costs that may be a matrix."""
    count = int(rng.integers(3, 5))
    code = rng.integers(0, count, size)
    code[:count] = np.arange(count)
    options: dict[str, Any] = {"labels": list(range(count))}
    if rng.random() < 0.5:
        distance = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(float)
        sides = np.where(np.tri(count, dtype=bool), 1.0, rng.uniform(0.2, 5.0))
        options["loss"] = distance**2 * sides * rng.uniform(0.5, 2.0, count)[:, None]
    weight = weights(rng, size)
    if weight is not None:
        weight[:count] = 1.0
    comparison = rt.compare(
        code, scores(rng, code.astype(float), False), arm="ordinal", sample_weight=weight, **options
    )
    low, high = comparison.problem.domain
    ends = low, min(high, 10.0)
    return Sample(comparison, {"costs": [1.0] * count}, np.linspace(*ends, 1000))


def impact(rng: np.random.Generator, size: int) -> Sample:
    """Return a sample of offers: slopes of one sign or both, prices that may be negative."""
    value = numbers(rng, size)
    kind = rng.integers(5)
    both = rng.normal(0.0, 1.0, size) * (np.abs(value) + 1.0)
    cost = float(np.median(np.abs(value))) * rng.uniform(0.2, 2.0, size)
    utility: Any
    if kind == 0:
        utility, ends = rt.value_times_price, (0.0, 3.0)
        value = np.maximum(value - value.min(), 0.0)
    elif kind == 1:
        utility, ends = rt.value_minus_cutoff, (float(value.min()), float(value.max()))
    elif kind == 2:
        utility = LinearUtility(both, -cost, UtilityScale("θ", "gain"))
        ends = (-3.0, 3.0)
    elif kind == 3:
        utility = LinearUtility(both, cost * rng.normal(size=size), UtilityScale("θ", low=-2.0))
        ends = (-2.0, 5.0)
    else:
        utility = LinearUtility(
            np.abs(both), -np.full(size, 2.5), UtilityScale("θ", low=0.0, high=4.0)
        )
        ends = (0.0, 4.0)
    limits: dict[str, Any] = {}
    if rng.random() < 0.4:
        limits["at_most"] = int(rng.integers(1, size))
    if rng.random() < 0.3:
        limits["at_least"] = int(rng.integers(0, limits.get("at_most", size)))
    weight, models = weights(rng, size), near(rng, both if kind > 1 else value)
    if limits:  # without ties, and with weights that are about the same, some threshold fits
        weight = rng.uniform(0.5, 1.0, size) if rng.random() < 0.5 else None
        total = 1.0 if weight is None else float(weight.sum()) / size
        limits = {name: each * total for name, each in limits.items()}
        models = {name: np.argsort(np.argsort(each)) / size for name, each in models.items()}
        if "at_least" in limits and "at_most" in limits:
            limits["at_most"] = min(limits["at_most"] + 2.0, size * total)
    comparison = rt.compare(
        value, models, arm="impact", utility=utility, sample_weight=weight, **limits
    )
    reach = ends if ends[0] < ends[1] else (ends[0], ends[0] + 1.0)
    return Sample(comparison, {"theta": float(np.mean(reach))}, np.linspace(*reach, 1000))


MAKE = {
    "regression": regression,
    "cutoff": cutoff,
    "probability": probability,
    "ordinal": ordinal,
    "impact": impact,
}


def sample(arm: str, seed: int) -> Sample:
    """Return a sample of an arm."""
    rng = np.random.default_rng([ARMS.index(arm), seed])
    size = int(rng.choice([60, 61, 100, 300, 1000]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some models rank in the wrong order: on purpose
        return MAKE[arm](rng, size)

"""Coverage of the metrics that people look for, on realistic data of two classes.

Usage: python benchmarks/probability_coverage.py [replicates] [metric ...]   (2,000; all)

Nominal 95 % intervals as ``confidence_interval`` makes them by default, and paired tests at 5 % of
two equally good models. Kinds of data: "plain" has 40 % positives and overconfident models,
"rounded" the same with probabilities in tenths, "rare" 6 % positives, "weights" unequal sampling
probabilities that depend on the class, "clusters" four rows per customer with a risk in common;
"calibrated" (for the calibration error) has nothing to find. The pinball loss gets skewed amounts
instead; there "rare" means a level of 0.95. A star marks coverage outside [93, 97] % and sizes
outside [3.5, 6.5] %.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

import roctopus as rt

SIZES = (400, 1000, 5000)
KINDS = ("plain", "rounded", "rare", "weights", "clusters")
ROWS_OF_CUSTOMER = 4


def matthews(y_true, y_pred, sample_weight=None):
    """Return Matthews' correlation of decisions at 0.3: a function that takes weights."""
    weight = np.ones(len(y_true)) if sample_weight is None else sample_weight
    accepted = weight * (y_pred >= 0.3)
    total = weight.sum()
    a, b, both = weight @ y_true / total, accepted.sum() / total, accepted @ y_true / total
    return (both - a * b) / np.sqrt(a * (1 - a) * b * (1 - b))


def youden(y_true, y_pred):
    """Return sensitivity + specificity - 1 at 0.3: a function that takes no weights."""
    accepted = (y_pred >= 0.3).astype(float)
    positives, right = y_true.sum(), accepted @ y_true
    return right / positives - (accepted.sum() - right) / (len(y_true) - positives)


METRICS: dict[str, tuple[Any, dict[str, Any]]] = {
    "net_benefit": ("net_benefit", {"threshold_probability": 0.2}),
    "net_benefit at prevalence": (
        "net_benefit",
        {"threshold_probability": 0.2, "prevalence": 0.1},
    ),
    "partial_auc": ("partial_auc", {"false_positive_rate": (0.0, 0.2)}),
    "partial_auc standardized": (
        "partial_auc",
        {"true_positive_rate": (0.8, 1.0), "standardize": True},
    ),
    "sensitivity_at_specificity": ("sensitivity_at_specificity", {"specificity": 0.9}),
    "specificity_at_sensitivity": ("specificity_at_sensitivity", {"sensitivity": 0.8}),
    "average_precision": ("average_precision", {}),
    "calibration_error": ("calibration_error", {}),
    "pinball_loss": ("pinball_loss", {"level": 0.8}),
    "own function with weights": (matthews, {}),
    "own function without weights": (youden, {}),
}


class Drawn(NamedTuple):
    """Truths, predictions of two equally good models, and what else estimates are given."""

    y_true: np.ndarray
    models: list[np.ndarray]
    given: dict[str, np.ndarray]


def sigmoid(x):
    """Return the probability of log-odds."""
    return 1.0 / (1.0 + np.exp(-x))


def two_classes(kind: str, size: int, rng: np.random.Generator) -> Drawn:
    """Draw cases whose risk two models see with errors of their own."""
    spread, boldness = 1.5, 1.0 if kind == "calibrated" else 1.4
    shared = rng.normal(size=size)
    if kind == "clusters":
        shared = np.repeat(shared[: -(-size // ROWS_OF_CUSTOMER)], ROWS_OF_CUSTOMER)[:size]
        shared = np.sqrt(0.5) * (shared + rng.normal(size=size))
    base = -3.3 if kind == "rare" else -0.5
    seen = [np.sqrt(0.7) * shared + np.sqrt(0.3) * rng.normal(size=size) for _ in range(2)]
    y = (rng.random(size) < sigmoid(base + spread * shared)).astype(float)
    if kind == "calibrated":  # the risk itself, for both: what differs is the noise of the cases
        models = [sigmoid(base + spread * shared), sigmoid(base + spread * shared)]
    else:
        models = [sigmoid(base + boldness * spread * each) for each in seen]
    if kind == "rounded":
        models = [np.round(each, 1) for each in models]
    given = {}
    if kind == "weights":
        given["sample_weight"] = np.where(y > 0, 1.0, 2.0) * rng.uniform(0.5, 1.5, size)
    if kind == "clusters":
        given["clusters"] = np.arange(size) // ROWS_OF_CUSTOMER
    return Drawn(y, models, given)


def amounts(kind: str, size: int, rng: np.random.Generator) -> Drawn:
    """Draw skewed amounts and two predictions of their upper quantile."""
    shared = rng.normal(size=size)
    if kind == "clusters":
        shared = np.repeat(shared[: -(-size // ROWS_OF_CUSTOMER)], ROWS_OF_CUSTOMER)[:size]
    y = np.exp(0.5 * shared + 0.4 * rng.normal(size=size))
    models = [np.exp(0.35 + 0.3 * shared + 0.2 * rng.normal(size=size)) for _ in range(2)]
    if kind == "rounded":
        y, models = np.round(y, 1), [np.round(each, 1) for each in models]
    given = {}
    if kind == "weights":
        given["sample_weight"] = rng.uniform(0.2, 2.0, size) * (1.0 + (shared > 0))
    if kind == "clusters":
        given["clusters"] = np.arange(size) // ROWS_OF_CUSTOMER
    return Drawn(y, models, given)


def study(name: str, kind: str, size: int, replicates: int) -> tuple[float, float, float, float]:
    """Return coverage, how often intervals lie above and below the truth, and the size of tests."""
    metric, context = METRICS[name]
    if name == "pinball_loss" and kind == "rare":
        context = {"level": 0.95}
    draw = amounts if name == "pinball_loss" else two_classes
    rng = np.random.default_rng(crc32(f"{name} {kind} {size}".encode()))
    function = metric if callable(metric) else getattr(rt, metric)
    truth = 0.0
    if kind != "calibrated":
        found = []
        for _ in range(2):
            drawn = draw(kind, 10**6, rng)
            weighing = {k: v for k, v in drawn.given.items() if k == "sample_weight"}
            found.append(function(drawn.y_true, drawn.models[0], **weighing, **context))
        truth = float(np.mean(found))
    above = below = rejected = 0
    for _ in range(replicates):
        y, (a, b), given = draw(kind, size, rng)
        first, second = (rt.estimate(metric, y, p, **given, **context) for p in (a, b))
        low, high = first.confidence_interval()
        above, below = above + (truth < low), below + (truth > high)
        rejected += (first - second).pvalue < 0.05
    missed = above / replicates, below / replicates
    return 1.0 - sum(missed), *missed, rejected / replicates


def main(replicates: int, names: list[str]) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    print(f"{'metric':31}{'kind':11}{'n':>5}  coverage  above  below   size")
    for name in names or METRICS:
        own = name.startswith("own")
        kinds = ("plain", "rare", "clusters") if own else KINDS
        if name == "calibration_error":
            kinds = ("calibrated", *kinds)
        for kind in kinds:
            for size in SIZES[:2] if own else SIZES:
                covered, above, below, wrong = study(name, kind, size, replicates)
                bad = "" if 0.93 <= covered <= 0.97 else "*"
                off = "" if 0.035 <= wrong <= 0.065 or kind == "calibrated" else "*"
                tested = "" if kind == "calibrated" else f"{100 * wrong:.1f}"
                print(
                    f"{name:31}{kind:11}{size:5}{100 * covered:10.1f}{bad:1}{100 * above:6.1f}"
                    f"{100 * below:7.1f}{tested:>7}{off}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2:])

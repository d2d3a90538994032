"""Coverage of the metrics that people look for, on realistic data of two classes.

Usage: python benchmarks/probability_coverage.py [replicates] [metric ...]   (2,000; all)

Nominal 95 % intervals as ``confidence_interval`` makes them by default, and paired tests at 5 % of
two equally good models. Kinds of data: "plain" has 41 % positives and overconfident models,
"rounded" the same with probabilities in tenths, "rare" 8 % positives, "weights" unequal sampling
probabilities that depend on the class, "clusters" four rows per customer with a risk in common;
"calibrated" has nothing to find. The pinball loss, the saving (1 less the ratio of two losses) and
the median error get skewed amounts instead; there "rare" means a level of 0.95, and the median
error is bootstrapped in a quarter of the samples. Of reliability bands the true share of positives
in each bin is known: "each bin" is the pointwise interval, "all bins" the simultaneous one. A star
marks coverage outside [93, 97] % and sizes outside [3.5, 6.5] %.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

import roctopus as rt
from roctopus.inference import bootstrap
from roctopus.probability import reliability_curve

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
    "specificity_at_sensitivity .95": ("specificity_at_sensitivity", {"sensitivity": 0.95}),
    "average_precision": ("average_precision", {}),
    "calibration_error": ("calibration_error", {}),
    "pinball_loss": ("pinball_loss", {"level": 0.8}),
    "own function with weights": (matthews, {}),
    "own function without weights": (youden, {}),
}


def area_beyond_chance(y, p, **given):
    """Estimate a difference from a number."""
    return rt.estimate("roc_auc", y, p, **given) - 0.5


def index_of_youden(y, p, **given):
    """Estimate a difference of rates of two classes."""
    true, false = (
        rt.estimate(f"{kind}_positive_rate", y, p, threshold=0.3, **given)
        for kind in ("true", "false")
    )
    return true - false


def saving(y, p, **given):
    """Estimate what is saved in comparison to a constant: 1 less a ratio."""
    mine, flat = (
        rt.estimate("pinball_loss", y, each, level=0.8, **given)
        for each in (p, np.full(len(y), 1.5))
    )
    return 1 - mine / flat


ARITHMETIC = {"AUC - 0.5": area_beyond_chance, "TPR - FPR": index_of_youden, "saving": saving}
AMOUNTS = ("pinball_loss", "saving")
FEW_KINDS = ("plain", "rare", "clusters")


def median_error(y_true, y_pred):
    """Return a function that jumps, so that only the bootstrap has its error."""
    return np.median(np.abs(y_true - y_pred))


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


def estimates_of(name: str, kind: str):
    """Return how a metric is estimated."""
    if name in ARITHMETIC:
        return ARITHMETIC[name]
    metric, context = METRICS[name]
    if name == "pinball_loss" and kind == "rare":
        context = {"level": 0.95}
    return lambda y, p, **given: rt.estimate(metric, y, p, **given, **context)


def value_of(name: str, kind: str, drawn: Drawn) -> float:
    """Return the value in a large sample, without its error where that takes long."""
    given = {k: v for k, v in drawn.given.items() if k == "sample_weight"}
    if name.startswith("own"):
        return METRICS[name][0](drawn.y_true, drawn.models[0], **given)
    return estimates_of(name, kind)(drawn.y_true, drawn.models[0], **given).value


class Counted(NamedTuple):
    """Coverage, how often intervals lie above and below the truth, and the size of tests."""

    covered: float
    above: float
    below: float
    size: float | None = None


def study(name: str, kind: str, size: int, replicates: int) -> Counted:
    """Count for a metric."""
    draw = amounts if name in AMOUNTS else two_classes
    rng = np.random.default_rng(crc32(f"{name} {kind} {size}".encode()))
    truth, find = 0.0, estimates_of(name, kind)
    if kind != "calibrated":
        truth = float(np.mean([value_of(name, kind, draw(kind, 10**6, rng)) for _ in range(2)]))
    above = below = rejected = 0
    for _ in range(replicates):
        y, models, given = draw(kind, size, rng)
        first, second = (find(y, p, **given) for p in models)
        low, high = first.confidence_interval()
        above, below = above + (truth < low), below + (truth > high)
        rejected += (first - second).pvalue < 0.05
    missed = above / replicates, below / replicates
    of_test = None if kind == "calibrated" else rejected / replicates
    return Counted(1.0 - sum(missed), *missed, of_test)


def study_bootstrap(kind: str, size: int, replicates: int) -> Counted:
    """Count for the bootstrap of a median."""
    rng = np.random.default_rng(crc32(f"median {kind} {size}".encode()))
    far = [amounts(kind, 10**6, rng) for _ in range(2)]
    truth = float(np.mean([median_error(each.y_true, each.models[0]) for each in far]))
    above = below = 0
    for seed in range(replicates):
        y, models, given = amounts(kind, size, rng)
        found = bootstrap(median_error, y, models[0], rng=seed, progress=False, **given)
        low, high = found.confidence_interval()
        above, below = above + (truth < low), below + (truth > high)
    missed = above / replicates, below / replicates
    return Counted(1.0 - sum(missed), *missed)


class Risks(NamedTuple):
    """Outcomes, probabilities, and how often each probability comes true."""

    y_true: np.ndarray
    y_prob: np.ndarray
    risk: np.ndarray
    given: dict[str, np.ndarray]


def known_risks(kind: str, size: int, rng: np.random.Generator) -> Risks:
    """Draw cases of which the true risk at each probability is known."""
    odds = (-3.3 if kind == "rare" else -0.5) + 1.5 * rng.normal(size=size)
    common, given = np.zeros(size), {}
    risk = sigmoid(odds)
    if kind == "clusters":  # a risk that customers have in common, and that no model sees
        given["clusters"] = np.arange(size) // ROWS_OF_CUSTOMER
        common = rng.normal(size=size)[given["clusters"]]
        points, weights = np.polynomial.hermite_e.hermegauss(40)
        risk = sigmoid(odds[:, None] + points) @ (weights / weights.sum())
    y = (rng.random(size) < sigmoid(odds + common)).astype(float)
    shown = risk if kind in ("calibrated", "clusters") else sigmoid(1.4 * odds)
    if kind == "rounded":
        shown = np.round(shown, 1)
    if kind == "weights":
        given["sample_weight"] = np.where(y > 0, 1.0, 2.0) * rng.uniform(0.5, 1.5, size)
    return Risks(y, shown, risk, given)


def true_shares(drawn: Risks, kind: str, bins: int) -> np.ndarray:
    """Return the expected share of positives in each bin, given the probabilities."""
    weight = drawn.given.get("sample_weight", np.ones(len(drawn.y_true)))
    distinct, place = np.unique(drawn.y_prob, return_inverse=True)
    mass = np.bincount(place, weight, len(distinct))
    below = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    of_case = np.minimum((bins * below + 1e-9).astype(int), bins - 1)[place]
    negatives = 2.0 if kind == "weights" else 1.0  # what they count in comparison to positives
    return np.array([
        np.sum(drawn.risk[mine]) / np.sum(drawn.risk[mine] + negatives * (1 - drawn.risk[mine]))
        for mine in (of_case == number for number in np.unique(of_case))
    ])  # fmt: skip


def study_band(kind: str, size: int, replicates: int) -> tuple[Counted, Counted]:
    """Count for the bins of reliability bands: one by one, and all together."""
    rng = np.random.default_rng(crc32(f"band {kind} {size}".encode()))
    each, together = [], []
    for seed in range(replicates):
        drawn = known_risks(kind, size, rng)
        weight = {k: v for k, v in drawn.given.items() if k == "sample_weight"}
        clusters = drawn.given.get("clusters")
        curve = reliability_curve(drawn.y_true, drawn.y_prob, **weight)
        band = curve.band(clusters=clusters, rng=seed)
        truth = true_shares(drawn, kind, 10)
        ends = (band.pointwise_lower, band.pointwise_upper), (band.lower, band.upper)
        for low, high, counts in zip(*zip(*ends, strict=True), (each, together), strict=True):
            counts.append([np.mean(truth < low), np.mean(truth > high)])
            if counts is together:
                counts[-1] = [np.any(truth < low), np.any(truth > high)]
    pointwise = np.mean(each, axis=0)
    anywhere = np.mean(together, axis=0)
    missed = np.mean(np.any(np.array(together, dtype=bool), axis=1))
    return Counted(1 - pointwise.sum(), *pointwise), Counted(1 - missed, *anywhere)


def show(name: str, kind: str, size: int, found: Counted) -> None:
    """Print a line of the table."""
    bad = "" if 0.93 <= found.covered <= 0.97 else "*"
    tested = off = ""
    if found.size is not None:
        tested, off = f"{100 * found.size:.1f}", "" if 0.035 <= found.size <= 0.065 else "*"
    covered, above, below = (100 * each for each in found[:3])
    print(
        f"{name:31}{kind:11}{size:5}{covered:10.1f}{bad:1}{above:7.1f}{below:7.1f}{tested:>7}{off}",
        flush=True,
    )


def main(replicates: int, names: list[str]) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    print(f"{'metric':31}{'kind':11}{'n':>5}  coverage  above  below   size")
    for name in names or (*METRICS, *ARITHMETIC, "bootstrap", "reliability"):
        few = name.startswith("own") or name in ARITHMETIC
        kinds = FEW_KINDS if few else KINDS
        if name.endswith(".95"):  # where few cases are beyond the threshold
            kinds = ("rare",)
        if name in ("calibration_error", "reliability"):
            kinds = ("calibrated", *kinds)
        if name in ("bootstrap", "saving"):
            kinds = ("plain", "clusters")
        for kind in kinds:
            for size in SIZES[:2] if few or name == "bootstrap" else SIZES:
                if name == "reliability":
                    for what, found in zip(
                        ("each bin", "all bins"), study_band(kind, size, replicates), strict=True
                    ):
                        show(f"reliability band, {what}", kind, size, found)
                elif name == "bootstrap":
                    show("bootstrap of a median", kind, size,
                         study_bootstrap(kind, size, replicates // 4))  # fmt: skip
                else:
                    show(name, kind, size, study(name, kind, size, replicates))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2:])

"""How sure is a tuned threshold? Simulated: intervals of its cost, and sets of thresholds.

    python benchmarks/threshold_intervals.py [SAMPLES]

Calibrated risks, Beta(1, 5); a miss costs nine false alarms, so the best threshold is 0.1.
"""

import sys

import numpy as np

import roctopus as rt
from roctopus import inference
from roctopus.probability import choose_threshold

COSTS = {"false_positive_cost": 1, "false_negative_cost": 9}
TUNING = rt.probability.ThresholdTuning(**COSTS)
MANY = np.sort(np.random.default_rng(9).beta(1, 5, 400_000))
MISSED, ALARMS = (np.concatenate([[0.0], np.cumsum(each)]) for each in (9 * MANY, 1 - MANY))


def true_cost(threshold):
    """Return what a threshold costs a new case."""
    rejected = np.searchsorted(MANY, threshold)
    return (MISSED[rejected] + ALARMS[-1] - ALARMS[rejected]) / len(MANY)


def draw(rng, n):
    """Return outcomes and calibrated risks."""
    risk = rng.beta(1, 5, n)
    return (rng.random(n) < risk).astype(float), risk


def cost_intervals(rng, n, samples):
    """Print how often intervals of the cost hold the cost of the threshold that was chosen."""
    hits = {"one round of folds": 0, "five rounds": 0, "the cases it was chosen on": 0}
    for _ in range(samples):
        ill, risk = draw(rng, n)
        for name, repeats in (("one round of folds", 1), ("five rounds", 5)):
            found = inference.honest_value(TUNING, ill, risk, repeats=repeats)
            low, high = found.estimate.confidence_interval()
            hits[name] += low <= true_cost(found.knob[0]) <= high
        paid = np.where(risk >= found.knob[0], 1 - ill, 9 * ill)
        gap = abs(paid.mean() - true_cost(found.knob[0]))
        hits["the cases it was chosen on"] += gap <= 1.96 * paid.std() / np.sqrt(n)
    for name, count in hits.items():
        print(f"cost, n = {n}, {name}: {count / samples:.1%}")


def threshold_sets(rng, n, step, samples):
    """Print how often the set of thresholds that may be best holds the best one."""
    grid, hits = np.arange(step, 0.4 + step / 2, step).round(3), 0
    for _ in range(samples):
        ill, risk = draw(rng, n)
        decided = {f"{t:.3f}": (risk >= t).astype(float) for t in grid}
        joint = inference.compare_estimates(rt.cutoff_error, ill, decided, cutoff=1, **COSTS)
        hits += "0.100" in inference.may_be_best(joint)
    print(f"set of thresholds, n = {n}, steps of {step}: {hits / samples:.1%}")


def bootstrap(rng, n, samples):
    """Print how often quantiles of resampled thresholds hold the best one."""
    hits = 0
    for _ in range(samples):
        ill, risk = draw(rng, n)
        rows = rng.integers(0, n, (100, n))
        found = [
            choose_threshold(ill[r], risk[r], **COSTS, rule="empirical").threshold for r in rows
        ]
        low, high = np.quantile(found, [0.025, 0.975])
        hits += low <= 0.1 <= high
    print(f"bootstrap of the threshold, n = {n}: {hits / samples:.1%}")


if __name__ == "__main__":
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rng = np.random.default_rng(7)
    for n in (900, 3600):
        cost_intervals(rng, n, samples)
    for step in (0.01, 0.025):
        threshold_sets(rng, 900, step, samples)
    bootstrap(rng, 600, samples // 2)

"""Do intervals cover, and do paired tests keep their size? For every scalar of every arm.

Usage: python benchmarks/coverage.py [replicates] [arm ...]   (2,000 replicates, all arms)

Per arm three kinds of data: plain, heavy-tailed, heavily tied. Nominal 95 % intervals on the scale
of the metric ("coverage"), studentised ones, those that ``confidence_interval`` returns by default,
and tests at 5 %, at n = 100, 400 and 1,600. A star marks coverage outside [93.5, 96.5] % from
n = 400 on and sizes outside [3.5, 6.5] %; Monte Carlo errors are half a per cent.
"""

from __future__ import annotations

import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from zlib import crc32

import numpy as np

import roctopus as rt
from roctopus import impact as impact_arm

SIZES = (100, 400, 1600)
KINDS = ("plain", "heavy", "ties")
CONTEXTS = {
    "asymmetric_absolute_error": {"asymmetry": 0.7},
    "asymmetric_squared_error": {"asymmetry": 0.7},
    "linex_error": {"a": 0.3},
    "quadex_error": {"a": 0.3, "d": 0.2},
    "optimal_shift_error": {"asymmetry": 0.8},
    "over_estimation": {"normalize": True},
    "under_estimation": {"normalize": True},
    "distance_to_heaven": {"normalize": True},
    "rroc_area_over_curve": {"normalize": True},
    "expected_asymmetric_error": {"distribution": rt.Beta(2, 3)},
    "cutoff_error": {"cutoff": 0.3},
    "clipped_mean_absolute_error": {"low": -1.0, "high": 1.0},
    "expected_cutoff_error": {"distribution": rt.Uniform(-1.0, 1.5)},
    "cutoff_skill": {"y_train": [-1.0, 0.0, 1.0]},
    "do_nothing_error": {"low": -0.5, "high": 0.75, "do_nothing_cost": 0.3},
    "true_positive_rate": {"threshold": 0.5},
    "false_positive_rate": {"threshold": 0.5, "width": 0.5},
    "impact": {"utility": impact_arm.value_minus_cutoff, "theta": 0.2, "normalize": True},
    "impact_gain": {"utility": impact_arm.value_minus_cutoff, "theta": 0.2, "normalize": True},
    "expected_impact": {
        "utility": impact_arm.value_minus_cutoff,
        "distribution": rt.Uniform(-1.0, 1.5),
        "normalize": True,
    },
    "impact_skill": {
        "utility": impact_arm.value_minus_cutoff,
        "distribution": rt.Uniform(-1.0, 1.5),
    },
}


def draw(arm: str, kind: str, size: int, rng, models: int = 1):
    """Return truths and predictions of equally good models."""

    def noise():
        return rng.standard_t(3, size) if kind == "heavy" else rng.normal(size=size)

    if arm == "ordinal":
        y = rng.integers(0, 3, size).astype(float)
        y[:6] = [0, 0, 1, 1, 2, 2]
        scores = [y + noise() for _ in range(models)]
    elif arm == "probability":
        y = rng.integers(0, 2, size).astype(float)
        y[:4] = [0, 0, 1, 1]
        logits = [np.clip(y - 0.5 + noise(), -20.0, 20.0) for _ in range(models)]
        scores = [1.0 / (1.0 + np.exp(-logit)) for logit in logits]
        return y, [np.clip(np.round(s, 1), 0.05, 0.95) if kind == "ties" else s for s in scores]
    else:
        y = rng.normal(size=size)
        if kind == "heavy" and arm == "regression":
            # The long tail points down: exponential losses of a tail upwards would have no mean.
            scores = [y + 1.0 - rng.lognormal(0.0, 1.0, size) for _ in range(models)]
        else:
            scores = [y + 0.3 + noise() for _ in range(models)]
    if kind == "ties":
        scores = [np.round(2.0 * s) / 2.0 for s in scores]
        y = np.round(2.0 * y) / 2.0 if arm in ("regression", "cutoff") else y
    return y, scores


def study(setting, replicates: int):
    """Return coverage (usual, studentised, default) and size for one metric, kind and n."""
    name, kind, size = setting
    metric = next(m for m in rt.registered_metrics() if m.name == name)
    context = CONTEXTS.get(name, {})
    rng = np.random.default_rng(crc32(f"{name} {kind} {size}".encode()))
    warnings.simplefilter("ignore")
    blocks = [draw(metric.arm, kind, 10**6, rng) for _ in range(2)]
    truth = np.mean([metric.function(y, p[0], **context) for y, p in blocks])
    covered = safer = default = rejected = 0
    fewer = min(replicates, 300)  # resampling takes its time
    for number in range(replicates):
        y, (a, b) = draw(metric.arm, kind, size, rng, 2)
        first = rt.estimate(metric.function, y, a, **context)
        second = rt.estimate(metric.function, y, b, **context)
        low, high = first.confidence_interval(method=first.scale)
        covered += low <= truth <= high
        low, high = first.confidence_interval()
        default += low <= truth <= high
        if number < fewer:
            low, high = first.confidence_interval(method="studentized", rng=rng)
            safer += low <= truth <= high
        rejected += (first - second).pvalue < 0.05
    shares = covered / replicates, safer / fewer, rejected / replicates, default / replicates
    return name, kind, size, *shares


def main(replicates: int, arms: list[str]) -> None:
    """Print the table."""
    metrics = [m for m in rt.registered_metrics() if not arms or m.arm in arms]
    settings = [(m.name, kind, n) for m in metrics for kind in KINDS for n in SIZES]
    print(
        f"{'metric':36}{'kind':7}{'n':>6}  coverage  studentized  size  default  "
        f"({replicates} replicates)"
    )
    misses = 0
    with ProcessPoolExecutor(2) as pool:
        for row in pool.map(partial(study, replicates=replicates), settings):
            name, kind, size, covered, safer, rejected, default = row
            bad = size >= 400 and not 0.935 <= covered <= 0.965
            off = not 0.035 <= rejected <= 0.065
            misses += bad
            print(
                f"{name:36}{kind:7}{size:6}{100 * covered:9.1f}{'*' if bad else ' '}"
                f"{100 * safer:10.1f}{100 * rejected:9.1f}{'*' if off else ' '}"
                f"{100 * default:8.1f}",
                flush=True,
            )
    print(f"{misses} cells from n = 400 on miss [93.5, 96.5] %")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    main(count, sys.argv[2:])

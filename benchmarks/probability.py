"""AUC, smoothed areas and canonical widths against np.sort.

Usage: python benchmarks/probability.py [n]   (10⁶ by default; widths at n/5)
"""

from __future__ import annotations

import sys

import numpy as np
from harness import Job, measure, show

from roctopus import probability as arm


def sample(n: int):
    """Return outcomes and two models' probabilities of them."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, n).astype(float)
    logits = [2.0 * y - 1.0 + spread * rng.normal(size=n) for spread in (1.5, 1.8)]
    return y, [1.0 / (1.0 + np.exp(-each)) for each in logits]


def jobs(n: int) -> list[Job]:
    """Return the work of the design's table that this arm has, and some more."""
    y, (p, q) = sample(n)
    return [
        Job("AUC", lambda: arm.roc_auc(y, p), 6),
        Job("paired AUC test", lambda: paired(y, p, q), 20),
        Job("pAUC", lambda: arm.probabilistic_auc(y, p), 6),
        Job("Area(0.3)", lambda: arm.smoothed_auc(y, p, width=0.3), 15),
        Job("Area(1e-6)", lambda: arm.smoothed_auc(y, p, width=1e-6), 15),
        Job("pROC polygon", lambda: arm.smoothed_roc_curve(y, p, width=1.6), 120),
        Job("Brier score", lambda: arm.brier_score(y, p), 4),
        Job("Brier curve", lambda: arm.brier_curve(y, p), 40),
        Job("cost curve", lambda: arm.cost_curve(y, p), 60),
    ]


def widths(n: int) -> list[Job]:
    """Return the searches for a width, at a size where they are waited for."""
    y, (p, _) = sample(n)
    return [
        Job("canonical width, uniform", lambda: arm.canonical_width(y, p), 1000),
        Job("canonical width, log-odds", lambda: on_log_odds(y, p), 1000),
    ]


def on_log_odds(y, p):
    """Segments on the log-odds scale."""
    return arm.canonical_width(y, p, kernel="log-odds")


def paired(y, p, q):
    """Compare two models on the same cases."""
    return arm.compare_aucs(y, {"p": p, "q": q}).difference("p", "q").pvalue


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    show(measure(jobs(size), size, rounds=5), memory_budget=60.0)
    show(measure(widths(size // 5), size // 5, rounds=3), memory_budget=200.0)

"""What a comparison of 30 models costs: the table and the decision, in sorts per model.

Usage: python benchmarks/comparison.py [n]   (10⁵ by default)
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from harness import Job, measure, show

import roctopus as rt
from roctopus.impact import value_minus_cutoff

MODELS = 30


def jobs(n: int) -> list[Job]:
    """Return table and decision together, for every arm."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=n)
    models = {f"m{k}": y + (1.0 + 0.01 * k) * rng.normal(size=n) for k in range(MODELS)}
    chances = {name: 1.0 / (1.0 + np.exp(-p)) for name, p in models.items()}
    problems = {
        "regression": (y, models, {}, {"asymmetry": 0.8}),
        "cutoff": (y, models, {}, {"cutoff": 0.3}),
        "ordinal": (np.digitize(y, [-0.5, 0.5]), models, {}, {"cost": 2.0}),
        "probability": ((y > 0).astype(int), chances, {}, {"cost_proportion": 0.3}),
        "impact": (y, models, {"utility": value_minus_cutoff}, {"theta": 0.2}),
    }

    def both(arm: str) -> None:
        truth, predictions, options, context = problems[arm]
        comparison = rt.compare(truth, predictions, arm=arm, **options)
        comparison.table(**context)
        comparison.decide(**context)

    return [
        Job(f"{arm}: compare, table and decide", lambda arm=arm: both(arm), 30.0 * MODELS, MODELS)
        for arm in problems
    ]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**5
    show(measure(jobs(size), size, 3))

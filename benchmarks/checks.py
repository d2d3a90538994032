"""How often ``Comparison.check`` raises an alarm: wrongly if nothing changed, and rightly if so.

Old cases decide, new cases of the same (or a changed) distribution check; shares of alarms in
per cent, by finding and in all. Usage: python benchmarks/checks.py [repetitions]   (400 by default)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import roctopus as rt

Draw = Callable[[np.random.Generator, int, float], tuple[Any, dict[str, Any]]]


def regression(rng: np.random.Generator, n: int, change: float):
    """Return skewed truths and three models; the change is a bias of all of them."""
    y = rng.gamma(2.0, 10.0, n)
    noise = {"a": (-2.0, 5.0), "b": (1.0, 5.0), "c": (0.0, 6.0)}
    return y, {m: y + rng.normal(bias - change, sd, n) for m, (bias, sd) in noise.items()}


def probability(rng: np.random.Generator, n: int, change: float):
    """Return labels and three models; the change makes all of them too bold."""
    p = rng.beta(1.0, 4.0, n)
    odds = np.log(p / (1.0 - p))
    found = {
        m: 1.0 / (1.0 + np.exp(-(1.0 + change) * (odds + rng.normal(0.0, sd, n))))
        for m, sd in {"a": 0.3, "b": 0.35, "c": 0.6}.items()
    }
    return (rng.random(n) < p) * 1.0, found


def cutoff(rng: np.random.Generator, n: int, change: float):
    """Return truths and three models; the change is noise."""
    y = rng.normal(50.0, 10.0, n)
    return y, {
        m: y + rng.normal(0.0, sd + change, n) for m, sd in {"a": 5.0, "b": 5.0, "c": 6.0}.items()
    }


def ordinal(rng: np.random.Generator, n: int, change: float):
    """Return three grades and three models; the change shifts all scores."""
    grade = rng.integers(0, 3, n)
    return grade, {
        m: grade + rng.normal(change, sd, n) for m, sd in {"a": 0.7, "b": 0.7, "c": 0.9}.items()
    }


SETTINGS: list[tuple[Draw, dict[str, Any], int, int, float]] = [
    (regression, {"under_cost": 4, "over_cost": 1}, 300, 300, 3.0),
    (regression, {"under_cost": 9, "over_cost": 1}, 300, 30, 3.0),
    (regression, {"between": (0.2, 0.8)}, 200, 200, 3.0),
    (probability, {"false_positive_cost": 1, "false_negative_cost": 4}, 300, 300, 1.0),
    (probability, {"false_positive_cost": 1, "false_negative_cost": 20}, 300, 100, 1.0),
    (probability, {"between": (0.1, 0.6)}, 300, 300, 1.0),
    (cutoff, {"cutoff": 55}, 300, 300, 4.0),
    (ordinal, {"costs": [1, 2, 3]}, 300, 300, 0.4),
]


def alarms(draw: Draw, aim: dict[str, Any], old: int, new: int, change: float, rounds: int) -> str:
    """Return the shares of alarms as text."""
    arm = draw.__name__
    counts = {"value": 0, "knob": 0, "model": 0, "any": 0, "refused": 0}
    rng = np.random.default_rng(0)
    for _ in range(rounds):
        decision = rt.compare(*draw(rng, old, 0.0), arm=arm).decide(**aim)
        try:
            found = rt.compare(*draw(rng, new, change), arm=arm).check(decision)
        except rt.InputError:
            counts["refused"] += 1
            continue
        for finding in found.findings:
            counts[finding.what] += not finding.holds
        counts["any"] += not found.holds
    return "  ".join(f"{name} {100 * count / rounds:4.1f}" for name, count in counts.items())


def main(rounds: int) -> None:
    """Print false alarms and true ones."""
    warnings.simplefilter("ignore")
    for draw, aim, old, new, change in SETTINGS:
        print(f"{draw.__name__}, {aim}, {old} old and {new} new cases")
        print(f"  nothing changed   {alarms(draw, aim, old, new, 0.0, rounds)}")
        print(
            f"  changed by {change:<6g} {alarms(draw, aim, old, new, change, rounds)}", flush=True
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)

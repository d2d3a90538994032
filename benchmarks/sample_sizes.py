"""Are planned numbers of cases enough, as often as assured? Simulated.

    python benchmarks/sample_sizes.py [SAMPLES]

Per sample: a pilot, the number that it leads to, and (for a half-width) new cases of that number.
The goal is one for which twice the pilot is needed, 80 % assurance. "enough" is the share of
samples in which the interval of the new cases is short enough, or in which the number has the
power; "unassured" is the same for the number without assurance. "planned" is the number over that
for a known spread, without assurance, as a median.

First, what was chosen by it: by how much to multiply the excess kurtosis of a pilot. Shown is how
often the 80 % bound of the variance that this leads to is above the true variance.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import chdtri

import roctopus as rt
from roctopus.core.errors import collected_warnings
from roctopus.inference import Assumed, SampleSize, sample_size

Study = Callable[[int, np.random.Generator], rt.Estimate]
"""What is estimated from a number of units."""
BIG = 400_000


def mean_cost(noise: Callable[[np.random.Generator, int], np.ndarray]) -> Study:
    """Return a study of a mean cost, errors of a kind."""

    def study(n, rng):
        y = np.zeros(n)
        return rt.estimate("asymmetric_absolute_error", y, noise(rng, n), asymmetry=0.8)

    return study


def difference(n, rng):
    """Estimate how much more one of two correlated models costs."""
    y = np.zeros(n)
    shared, a, b = rng.normal(size=(3, n))
    costs = [
        rt.estimate("asymmetric_absolute_error", y, 0.8 * shared + 0.6 * own, asymmetry=0.5)
        for own in (1.2 * a, b)
    ]
    return costs[0] - costs[1]


def scores(n, rng):
    """Return classes, three positives in ten, and binormal scores with an AUC of 0.8."""
    y = (np.arange(n) < max(round(0.3 * n), 2)).astype(float)
    return y, 1.19 * y + rng.normal(size=n)


def area(n, rng):
    """Estimate an AUC."""
    return rt.estimate("roc_auc", *scores(n, rng))


def sensitivity(n, rng):
    """Estimate a true positive rate of 0.8."""
    return rt.estimate("true_positive_rate", *scores(n, rng), threshold=1.19 - 0.8416)


def clusters(n, rng):
    """Estimate a mean squared error of clusters of ten, correlated by 0.2 (in their errors .45)."""
    group = np.repeat(np.arange(n), 10)
    errors = np.sqrt(0.45) * rng.normal(size=n)[group] + np.sqrt(0.55) * rng.normal(size=10 * n)
    y = np.zeros(10 * n)
    return rt.estimate("asymmetric_squared_error", y, errors, asymmetry=0.5, clusters=group)


STUDIES: dict[str, tuple[Study, tuple[int, ...]]] = {
    "mean cost, normal errors": (mean_cost(lambda rng, n: rng.normal(size=n)), (30, 100, 400)),
    "mean cost, t5 errors": (mean_cost(lambda rng, n: rng.standard_t(5, n)), (30, 100, 400)),
    "mean cost, lognormal(0.5) errors": (
        mean_cost(lambda rng, n: rng.lognormal(0.0, 0.5, n)),
        (30, 100, 400),
    ),
    "mean cost, lognormal(1) errors": (
        mean_cost(lambda rng, n: rng.lognormal(0.0, 1.0, n)),
        (30, 100, 400),
    ),
    "paired difference": (difference, (30, 100, 400)),
    "AUC 0.8": (area, (30, 100, 400)),
    "true positive rate 0.8": (sensitivity, (30, 100, 400)),
    "clusters of 10": (clusters, (15, 30, 100)),
}


class Row(NamedTuple):
    """What was found for one study."""

    name: str
    pilot: str
    enough: float
    unassured: float
    planned: float
    warned: float


def reach(estimate: rt.Estimate) -> float:
    """Return how far the interval reaches, on its longer side."""
    low, high = estimate.confidence_interval(method=estimate.scale)
    return max(estimate.value - low, high - estimate.value)


def units(found: SampleSize) -> int:
    """Return how many cases or clusters to draw."""
    return found.cases if found.clusters is None else found.clusters


def units_as_assumed(found: SampleSize) -> int:
    """Return how many would do without assurance."""
    return round(found.cases_as_assumed * units(found) / found.cases)


def from_pilots(name: str, size: int, gain: bool, samples: int) -> Row:
    """Plan from pilots of a size, and look whether the planned number is enough."""
    study, _ = STUDIES[name]
    rng = np.random.default_rng([size, len(name), gain])
    known = study(BIG, rng)
    width = 1.96 * known.standard_error * np.sqrt(BIG / (2 * size))
    goal = {"gain": 1.43 * width} if gain else {"half_width": width}
    needed = units_as_assumed(sample_size(known, **goal))
    enough, planned, warned = [], [], 0
    for _ in range(samples):
        while (pilot := study(size, rng)).standard_error == 0.0:
            pass  # a rate of 0 or 1 raises an error
        with collected_warnings():
            plan = sample_size(pilot, **goal)
            counts = np.array([units(plan), units_as_assumed(plan)])
            enough.append(
                counts >= needed
                if gain
                else [reach(study(min(n, BIG), rng)) <= width for n in counts]
            )
        planned.append(counts[0] / needed)
        warned += bool(plan.warnings)
    words = f"{size}, gain" if gain else f"{size}, half-width"
    shares = (float(each) for each in np.mean(enough, axis=0))
    return Row(name, words, *shares, float(np.median(planned)), warned / samples)


def before_data(samples: int) -> Iterator[Row]:
    """Plan from assumptions, and look whether the planned number is enough."""
    rng = np.random.default_rng(3)
    costs = np.where((errors := rng.normal(size=BIG)) > 0, 0.4, 1.6) * np.abs(errors)
    kurtosis = float(np.mean((costs - costs.mean()) ** 4) / costs.var() ** 2)
    squares = Assumed.mean(np.sqrt(2.0), kurtosis=15.0)
    plans = {
        "mean cost, normal errors": Assumed.mean(costs.std(), kurtosis=kurtosis),
        "AUC 0.8": Assumed.auc(0.8, prevalence=0.3),
        "AUC 0.8, simulated": Assumed.simulated("roc_auc", scores),
        "true positive rate 0.8": Assumed.rate(0.8, share=0.3),
        "clusters of 10": squares.in_clusters(10, correlation=0.45**2),
    }
    for name, assumed in plans.items():
        study, _ = STUDIES[name.removesuffix(", simulated")]
        for count in (50, 400):
            width = 1.96 * assumed.deviation / np.sqrt(count)
            plan = sample_size(assumed, half_width=width)
            with collected_warnings():  # rates of 1 have one-sided intervals
                shares = [
                    float(np.mean([reach(study(n, rng)) <= width for _ in range(samples)]))
                    for n in (units(plan), units_as_assumed(plan))
                ]
            ratio = units(plan) / units_as_assumed(plan)
            yield Row(name, f"none ({units(plan)} units)", *shares, ratio, 0.0)


TAILS: dict[str, Callable[[np.random.Generator, tuple[int, int]], np.ndarray]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "half-normal": lambda rng, shape: np.abs(rng.normal(size=shape)),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "t5": lambda rng, shape: rng.standard_t(5, size=shape),
    "lognormal(0.5)": lambda rng, shape: rng.lognormal(0.0, 0.5, shape),
    "lognormal(1)": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
}
VARIANCES = (1.0, 1.0 - 2.0 / np.pi, 1.0, 5.0 / 3.0, *(np.expm1(v) * np.exp(v) for v in (0.25, 1)))


def tail_factors(samples: int) -> None:
    """Print how often bounds of a variance hold, by the factor of the excess kurtosis."""
    rng = np.random.default_rng(11)
    print(f"{'values':20}{'pilot':>6}" + "".join(f"{f'× {k}':>8}" for k in (1, 2, 3, 4)))
    for (name, draw), true in zip(TAILS.items(), VARIANCES, strict=True):
        for n in (30, 100, 400):
            gaps = draw(rng, (samples, n))
            gaps -= gaps.mean(axis=1, keepdims=True)
            squares = np.sum(gaps**2, axis=1)
            kurtosis = np.sum(gaps**4, axis=1) / squares**2 * n * (n + 1) / (n - 1)
            held = []
            for factor in (1, 2, 3, 4):
                tail = kurtosis + (factor - 1) * np.maximum(kurtosis - 3.0, 0.0)
                freedom = 2.0 * (n - 1) / (tail - 1.0)
                bound = squares / (n - 1) * freedom / chdtri(freedom, 0.8)
                held.append(np.mean(bound >= true))
            print(f"{name:20}{n:6}" + "".join(f"{each:8.1%}" for each in held), flush=True)


def main(samples: int) -> None:
    """Print the tables."""
    tail_factors(10 * samples)
    head = f"{'study':36}{'pilot':20}{'enough':>8}{'unassured':>11}{'planned':>9}{'warned':>8}"
    print(f"{head}  ({samples} samples)")
    for row in before_data(samples):
        show(row)
    for name, (_, sizes) in STUDIES.items():
        for gain in (False, True):
            for size in sizes:
                show(from_pilots(name, size, gain, samples))


def show(row: Row) -> None:
    """Print a row."""
    name, pilot, enough, unassured, planned, warned = row
    print(
        f"{name:36}{pilot:20}{enough:8.1%}{unassured:11.1%}{planned:9.2f}{warned:8.0%}",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

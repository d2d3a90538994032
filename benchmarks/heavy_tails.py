"""Coverage of the headline's interval where errors have long tails, and how often the record warns.

Usage: python -m benchmarks.heavy_tails [--samples 1000] [--processes 2]

One model, whose shift is tuned for an asymmetry of 0.8. The true cost of what is deployed is known
in closed form. Per kind of errors and n: how often the 95 % interval of the decision holds it, how
often it lies above and below, the interval's length relative to value ± Student's quantile ×
standard error, and how often the record warns. The table is that of ``docs/coverage.md``.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from benchmarks.verdict_tables import print_row
from numpy.typing import NDArray
from scipy.special import ndtr
from scipy.stats import t as student

import roctopus as rt
from roctopus.concepts.intervals import upper_quantile

Floats = NDArray[np.float64]
SIZES, ASYMMETRY = (60, 200, 1000), 0.8
LARGE, CARRIERS = 100.0, 3.0
"""The rare errors, and how many of them a sample has on average."""


class Errors(NamedTuple):
    """What predictions miss."""

    draw: Callable[[np.random.Generator, int], Floats]
    mean: float
    below: Callable[[float], float]
    """Returns E(s − e)₊, by how much errors are below s on average."""

    def cost(self, shift: float) -> float:
        """Return the true cost of a shift."""
        return 2.0 * (ASYMMETRY * (self.mean - shift) + self.below(shift))

    def mirrored(self) -> Errors:
        """Return errors of the opposite sign."""
        return Errors(
            lambda rng, size: -self.draw(rng, size),
            -self.mean,
            lambda s: s + self.mean + self.below(-s),
        )


def normal_below(s: float) -> float:
    """Return E(s − e)₊ of normal errors."""
    return float(s * ndtr(s) + np.exp(-0.5 * s**2) / np.sqrt(2.0 * np.pi))


def lognormal(sigma: float) -> Errors:
    """Return lognormal errors."""
    mean = float(np.exp(0.5 * sigma**2))

    def below(s: float) -> float:
        if s <= 0.0:
            return 0.0
        at = np.log(s) / sigma
        return float(s * ndtr(at) - mean * ndtr(at - sigma))

    return Errors(lambda rng, size: rng.lognormal(0.0, sigma, size), mean, below)


def rare(size: int) -> Errors:
    """Return normal errors, and on average three that are large."""
    share = CARRIERS / size

    def draw(rng: np.random.Generator, count: int) -> Floats:
        return np.where(rng.random(count) < share, LARGE, rng.normal(size=count))

    return Errors(draw, share * LARGE, lambda s: (1.0 - share) * normal_below(s))


KINDS: dict[str, Callable[[int], Errors]] = {
    "normal": lambda _: Errors(lambda rng, n: rng.normal(size=n), 0.0, normal_below),
    "lognormal, σ = 1": lambda _: lognormal(1.0),
    "lognormal, σ = 1, downwards": lambda _: lognormal(1.0).mirrored(),
    "lognormal, σ = 1.5": lambda _: lognormal(1.5),
    "lognormal, σ = 1.5, downwards": lambda _: lognormal(1.5).mirrored(),
    "Student's t, 3 degrees of freedom": lambda _: Errors(
        lambda rng, n: rng.standard_t(3, n),
        0.0,
        lambda s: s * student.cdf(s, 3) + 0.5 * (3.0 + s**2) * student.pdf(s, 3),
    ),
    "three cases carry the cost": rare,
}


def one_sample(errors: Errors, size: int, rng: np.random.Generator) -> tuple[float, ...]:
    """Return whether the cost is held, is above and is below, the relative length, the warning."""
    y_pred = rng.normal(size=size)
    found = rt.compare(y_pred + errors.draw(rng, size), {"model": y_pred}, arm="regression")
    decision = found.decide(asymmetry=ASYMMETRY, models_only=True)
    _, honest = found.learned(*found.aim(None, None, None, {"asymmetry": ASYMMETRY}))
    plain = 2.0 * upper_quantile(0.95, size - 1) * honest.models["model"].standard_error
    true = errors.cost(decision.knob[0])
    above, below = true > decision.high, true < decision.low
    warned = any("heavy tail" in note for note in decision.warnings)
    return not above | below, above, below, (decision.high - decision.low) / plain, warned


def run(cell: tuple[str, int], samples: int) -> tuple[str, int, Floats]:
    """Simulate a cell."""
    warnings.simplefilter("ignore")
    kind, size = cell
    errors, rng = KINDS[kind](size), np.random.default_rng(crc32(f"{kind} {size}".encode()))
    rows = [one_sample(errors, size, rng) for _ in range(samples)]
    return kind, size, np.mean(rows, axis=0)


def main() -> None:
    """Read the options, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    head: list[Any] = ["errors", "n", "covered", "cost above", "cost below", "length", "warned"]
    print_row(head)
    print_row(["---"] * len(head))
    with ProcessPoolExecutor(given.processes) as pool:
        cells = itertools.product(KINDS, SIZES)
        for kind, size, means in pool.map(partial(run, samples=given.samples), cells):
            shares = [f"{100.0 * x:.1f}" for x in (*means[:3], means[4])]
            print_row([kind, f"{size:,}", *shares[:3], f"{means[3]:.2f}", shares[3]])


if __name__ == "__main__":
    main()

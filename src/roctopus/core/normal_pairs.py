"""The mean of Φ over all pairs of two samples, from the moments of narrow bins.

Within a bin Φ is replaced by its Taylor polynomial, so the work is one pass over the scores and a
band of pairs of bins. The remainder has a bound that holds for any data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roctopus.core.arrays import Floats
from roctopus.core.chains import ClassScores
from roctopus.core.piecewise import Index

PER_DEVIATION = 6
"""Bins per standard deviation of a pair."""
TERMS = 12
"""Terms of the Taylor polynomial."""
REACH = 7.5
"""Standard deviations beyond which Φ is 0 or 1, but for less than 1e-13."""


@dataclass(frozen=True)
class BoundedMean:
    """A mean, and how far it may be from the truth; rounding of scores over the deviation apart."""

    value: float
    error: float


def mean_normal_order(
    positives: ClassScores, negatives: ClassScores, deviation: float
) -> BoundedMean:
    """Return the mean of Φ((x − y)/deviation) over all pairs of a positive x and a negative y."""
    from scipy.special import ndtr

    origin = min(float(positives.score[0]), float(negatives.score[0]))
    step = deviation / PER_DEVIATION
    x, from_x = _bins(positives, origin, step)
    y, from_y = _bins(negatives, origin, step)
    band = math.ceil(REACH * PER_DEVIATION) + 1
    # Bins further below than the band are wholly in order.
    below = np.append(0.0, np.cumsum(from_y[0]))[np.searchsorted(y, x - band)]
    total = float(np.sum(from_x[0] * below))
    power = np.arange(TERMS)
    used = np.add.outer(power, power) < TERMS
    sign = np.where(power % 2, -1.0, 1.0)
    factorials = np.array([math.factorial(k) for k in range(TERMS)], dtype=np.float64)
    for apart in range(-band, band + 1):
        place = np.searchsorted(y, x - apart)
        hit = y[np.minimum(place, len(y) - 1)] == x - apart
        if not hit.any():
            continue
        moments = from_x[:, hit] @ from_y[:, place[hit]].T
        at = apart / PER_DEVIATION
        derivatives = _derivatives(at, float(ndtr(at)))
        # Σ_n Φ⁽ⁿ⁾(Δ)/n!·(e − f)ⁿ: the term eᵃ(−f)ᵇ has Φ⁽ᵃ⁺ᵇ⁾/(a!·b!).
        table = derivatives[np.minimum(np.add.outer(power, power), TERMS - 1)]
        weights = table * sign / np.outer(factorials, factorials)
        total += float(np.sum((moments * weights)[used]))
    pairs = positives.total * negatives.total
    # |Φ⁽ᵗ⁾| ≤ 0.44·√((t − 1)!), and e − f is at most one bin.
    error = 0.44 * math.sqrt(math.factorial(TERMS - 1)) / math.factorial(TERMS)
    return BoundedMean(total / pairs, error * PER_DEVIATION**-TERMS + 1e-13)


def _bins(scores: ClassScores, origin: float, step: float) -> tuple[Index, Floats]:
    """Return the occupied bins, and for each the moments about its middle in deviations."""
    position = (scores.score - origin) / step
    number = np.floor(position)
    occupied, first = np.unique(number, return_index=True)
    offset = (position - number - 0.5) / PER_DEVIATION
    moments, term = [], scores.mass.copy()
    for _ in range(TERMS):
        moments.append(np.add.reduceat(term, first))
        term = term * offset
    return occupied, np.array(moments)


def _derivatives(x: float, value: float) -> Floats:
    """Return Φ and its derivatives at x, by the recurrence of Hermite polynomials."""
    density = math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
    hermite = [1.0, x]
    for k in range(1, TERMS):
        hermite.append(x * hermite[k] - k * hermite[k - 1])
    later = [(-1.0) ** k * hermite[k] * density for k in range(TERMS - 1)]
    return np.array([value, *later])

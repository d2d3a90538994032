"""Deviations of several values together: what simultaneous statements are made of."""

from __future__ import annotations

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.correlations import cosine_sums

BUCKETS = 1 << 14
"""Terms of more units are added up, with random signs, in so many sums: these show how contexts
hang together to 1 in 100, however few units matter. Standard errors use all terms."""


def joint_deviations(
    covariance: Floats, freedom: float | None, generator: np.random.Generator, draws: int
) -> Floats:
    """Draw jointly normal deviations, or Student's with degrees of freedom: a row per draw."""
    spread, axes = np.linalg.eigh(0.5 * (covariance + covariance.T))
    kept = spread > 1e-6 * spread[-1]
    factor = axes[:, kept] * np.sqrt(spread[kept])
    drawn = generator.standard_normal((draws, int(kept.sum()))) @ factor.T
    if freedom is None:
        return np.asarray(drawn)
    return np.asarray(drawn / np.sqrt(generator.chisquare(freedom, draws) / freedom)[:, None])


class Sketch:
    """Sums of terms with random signs, whose products are those of the terms up to 1 in 100."""

    def __init__(
        self, like: Estimate, generator: np.random.Generator, buckets: int = BUCKETS
    ) -> None:
        size, self.buckets = len(like.terms), buckets
        self.timed, self.fewest = like.dependence.times is not None, like.cosines or 0
        self.whole = size <= buckets or self.timed
        if not self.whole:
            self.bucket = generator.integers(0, buckets, size)
            self.sign = 2.0 * generator.integers(0, 2, size) - 1.0
            self.signed = np.empty(size)

    def of(self, estimate: Estimate) -> Floats:
        """Return the sums; in order of time the terms, of which ``finished`` makes sums."""
        if self.timed:
            self.fewest = min(self.fewest, estimate.cosines or 1)
            return estimate.terms
        terms = estimate.deviates()
        if self.whole:
            return terms
        np.multiply(self.sign, terms, out=self.signed)
        sums = np.bincount(self.bucket, self.signed, self.buckets)
        return np.asarray(sums, dtype=np.float64)

    def finished(self, rows: Floats) -> Floats:
        """Return the sums of several estimates, with as many cosines as suit all of them."""
        return cosine_sums(rows, self.fewest) if self.timed else rows

"""The largest of several standardised deviations: what simultaneous statements are made of."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats

__all__ = ["largest_deviations"]


def largest_deviations(
    correlation: Floats,
    freedom: int | None,
    generator: np.random.Generator,
    draws: int,
    *,
    two_sided: bool,
) -> Floats:
    """Draw the largest of jointly normal deviations, or Student's with degrees of freedom."""
    spread, axes = np.linalg.eigh(0.5 * (correlation + correlation.T))
    kept = spread > 1e-6 * spread[-1]
    factor = axes[:, kept] * np.sqrt(spread[kept])
    drawn = generator.standard_normal((draws, int(kept.sum()))) @ factor.T
    largest = np.max(np.abs(drawn) if two_sided else drawn, axis=1)
    if freedom is None:
        return np.asarray(largest)
    return np.asarray(largest / np.sqrt(generator.chisquare(freedom, draws) / freedom))

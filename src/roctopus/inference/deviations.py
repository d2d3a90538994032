"""The largest of several standardised deviations: what simultaneous statements are made of."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats


def joint_deviations(
    covariance: Floats, freedom: int | None, generator: np.random.Generator, draws: int
) -> Floats:
    """Draw jointly normal deviations, or Student's with degrees of freedom: a row per draw."""
    spread, axes = np.linalg.eigh(0.5 * (covariance + covariance.T))
    kept = spread > 1e-6 * spread[-1]
    factor = axes[:, kept] * np.sqrt(spread[kept])
    drawn = generator.standard_normal((draws, int(kept.sum()))) @ factor.T
    if freedom is None:
        return np.asarray(drawn)
    return np.asarray(drawn / np.sqrt(generator.chisquare(freedom, draws) / freedom)[:, None])


def largest_deviations(
    correlation: Floats,
    freedom: int | None,
    generator: np.random.Generator,
    draws: int,
    *,
    two_sided: bool,
) -> Floats:
    """Draw the largest of jointly normal deviations, or Student's with degrees of freedom."""
    drawn = joint_deviations(correlation, freedom, generator, draws)
    return np.asarray(np.max(np.abs(drawn) if two_sided else drawn, axis=1))

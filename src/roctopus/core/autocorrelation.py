"""Sums of terms that are correlated over time: long-run (co)variances."""

from __future__ import annotations

import numpy as np

from roctopus.core.arrays import Floats

__all__ = ["long_run_covariance", "plug_in_lags"]


def plug_in_lags(terms: Floats) -> int:
    """Return over how many steps to look, by Andrews' rule for a first-order process."""
    centred = terms - terms.mean()
    spread = float(np.sum(centred * centred))
    if spread == 0.0 or len(terms) < 3:
        return 0
    rho = float(np.sum(centred[1:] * centred[:-1])) / spread
    rho = min(max(rho, -0.97), 0.97)
    alpha = 4.0 * rho**2 / ((1.0 - rho) ** 2 * (1.0 + rho) ** 2)
    return min(int(np.ceil(1.1447 * (alpha * len(terms)) ** (1.0 / 3.0))), len(terms) - 1)


def long_run_covariance(a: Floats, b: Floats, lags: int) -> float:
    """Return the covariance of Σa and Σb, neighbours up to ``lags`` steps apart correlated.

    Newey and West's weights 1 − l/(lags + 1) keep variances positive; the last factor makes up for
    the mean having been taken out.
    """
    a, b = a - a.mean(), b - b.mean()
    total = float(np.sum(a * b))
    for lag in range(1, lags + 1):
        weight = 1.0 - lag / (lags + 1.0)
        total += weight * float(np.sum(a[lag:] * b[:-lag]) + np.sum(a[:-lag] * b[lag:]))
    size = len(a)
    return total * size / max(size - (lags + 1.0), 1.0)

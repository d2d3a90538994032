"""How columns vary together, and how values do with their neighbours in time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.core.arrays import Floats


class Correlations(NamedTuple):
    """Pearson's, Spearman's and Kendall's (τ-b) correlation; NaN where a column is constant."""

    pearson: float
    spearman: float
    kendall: float


def correlations(y: Floats, p: Floats) -> Correlations:
    """Return the three usual correlations; infinite values have ranks, but no Pearson one."""
    from scipy.stats import kendalltau, pearsonr, spearmanr

    if np.all(y == y[0]) or np.all(p == p[0]):
        return Correlations(np.nan, np.nan, np.nan)
    pearson = float(pearsonr(y, p).statistic) if np.isfinite(p).all() else np.nan
    return Correlations(
        pearson, float(spearmanr(y, p).statistic), float(kendalltau(y, p).statistic)
    )


def plug_in_lags(terms: Floats) -> int:
    """Return over how many steps to look, by Andrews' rule for a first-order process."""
    largest = float(np.max(np.abs(terms)))
    if not 0.0 < largest < np.inf:
        return 0
    centred = terms / largest - np.mean(terms / largest)
    spread = float(np.sum(centred * centred))
    if spread == 0.0 or len(terms) < 3:
        return 0
    rho = float(np.sum(centred[1:] * centred[:-1])) / spread
    rho = min(max(rho, -0.97), 0.97)
    alpha = 4.0 * rho**2 / ((1.0 - rho) ** 2 * (1.0 + rho) ** 2)
    return min(int(np.ceil(1.1447 * (alpha * len(terms)) ** (1.0 / 3.0))), len(terms) - 1)


def long_run_covariances(rows: Floats, lags: int) -> Floats:
    """Return the covariances of sums along rows, neighbours up to ``lags`` steps apart correlated.

    Newey and West's weights 1 − l/(lags + 1) keep variances positive; the last factor makes up for
    the mean having been taken out.
    """
    centred = rows - rows.mean(axis=1, keepdims=True)
    total = centred @ centred.T
    for lag in range(1, lags + 1):
        across = centred[:, lag:] @ centred[:, :-lag].T
        total += (1.0 - lag / (lags + 1.0)) * (across + across.T)
    size = rows.shape[1]
    return np.asarray(total * (size / max(size - (lags + 1.0), 1.0)))

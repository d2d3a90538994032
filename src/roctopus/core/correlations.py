"""How two columns move together."""

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

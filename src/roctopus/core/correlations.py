"""How columns vary together, and how values do with their neighbours in time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.core.arrays import Floats


class Correlations(NamedTuple):
    """Pearson's, Spearman's and Kendall's (τ-b) correlation; NaN if a column is constant.

    Parameters
    ----------
    pearson : float
        Correlation of the values.
    spearman : float
        Correlation of their ranks.
    kendall : float
        Share of pairs in the same order minus that in the opposite order, allowing for ties.

    Examples
    --------
    >>> from roctopus.regression import rank_correlations
    >>> rank_correlations([1, 2, 3, 4], [2, 1, 3, 4]).pearson
    0.8
    """

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


TOLERATED_BIAS = 0.05
"""Of the variance of a sum over time; a twentieth costs half a percentage point of coverage."""
LARGEST_BIAS = 0.2
"""More is not corrected: few cosines do not tell how persistent a series is."""
FEWEST, LEAST = 4, 12
"""So many cosines at least; persistence is judged on at least so many values."""
SURE = 1.645


def cosine_count(*series: Floats) -> float:
    """Return how many cosines describe the slow part of series without much bias.

    The more neighbours are alike, on average over the series, the fewer. A lag of one step hides a
    slow part in noise, so means of 2, 4, 8 and 16 neighbours are looked at, too, where these are
    clearly alike. The number may be a fraction, and less than what is used at least.
    """
    size = len(series[0])
    fewest = float(size - 1)
    for width in (1, 2, 4, 8, 16):
        count = size // width
        if count < LEAST:
            break
        parts = [each[: count * width].reshape(count, width).mean(axis=1) for each in series]
        alike = float(np.mean([neighbour_correlation(each) for each in parts]))
        if width > 1 and alike * np.sqrt(count) <= SURE:
            continue
        corrected = min(max(alike + (1.0 + 3.0 * alike) / count, -0.97), 0.97)
        tolerated = np.sqrt(3.0 * TOLERATED_BIAS / max(abs(corrected), 1e-9))
        fewest = min(fewest, count * (1.0 - corrected) / np.pi * float(tolerated))
    return fewest


def used_cosines(count: float, size: int) -> int:
    """Return how many cosines of a series of some size are used if so many suit it."""
    return max(min(max(int(count), FEWEST), size - 1), 1)


def neighbour_correlation(series: Floats) -> float:
    """Return the correlation of neighbours in a series; 0 of a constant one."""
    largest = float(np.max(np.abs(series)))
    if not 0.0 < largest < np.inf:
        return 0.0
    centred = series / largest - np.mean(series / largest)
    spread = float(np.sum(centred * centred))
    return float(np.sum(centred[1:] * centred[:-1])) / spread if spread > 0.0 else 0.0


def cosine_sums(rows: Floats, count: float) -> Floats:
    """Return cosine sums along each row, whose products add up to covariances of sums.

    Each of them is an estimate of its own of the variance of a sum over time, and nearly
    independent of the others: their mean has as many degrees of freedom as there are cosines.
    Where more are used than suit the rows, the bias, which grows with their square, is corrected.
    """
    from scipy.fft import dct

    used = used_cosines(count, rows.shape[-1])
    bias = TOLERATED_BIAS * max((used / max(count, 1e-9)) ** 2 - 1.0, 0.0)
    scale = np.sqrt((1.0 + min(bias, LARGEST_BIAS)) / (2.0 * used))
    return np.asarray(dct(rows, type=2, axis=-1)[..., 1 : used + 1] * scale)

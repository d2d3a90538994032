"""The units that cases add up to: how many there are, and how far they let a sum vary."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roctopus.concepts.dependence import Codes
from roctopus.core.arrays import Floats


def sums_by(codes: Codes, terms: Floats, weight: Floats | None) -> Floats:
    """Return sums of terms by unit; units without weight are absent."""
    found = np.asarray(np.bincount(codes, terms), dtype=np.float64)
    return found if weight is None else found[np.bincount(codes, weight) > 0.0]


class ClusterSpread(NamedTuple):
    """What few clusters, of unequal sizes, let a mean vary by.

    The mean is partly made of each cluster's own cases, the more, the larger the cluster. So its
    sum of deviations looks too small, by a factor of one minus its share of the cases (CR2, Bell
    and McCaffrey). The degrees of freedom are Satterthwaite's.
    """

    factor: Floats
    """Sums of clusters, times this, have products whose sum is unbiased."""
    freedom: float

    @staticmethod
    def of(codes: Codes, weight: Floats | None) -> ClusterSpread:
        """Return that of clusters with the weights of their rows."""
        sizes = sums_by(codes, np.ones(len(codes)) if weight is None else weight, weight)
        share = sizes / sizes.sum()
        if len(sizes) < 2 or share.max() >= 1.0:
            return ClusterSpread(np.ones(len(sizes)), 0.0)
        inverse = 1.0 / (1.0 - share)
        pull = inverse * share
        mean = float(pull @ share)
        trace = float(share @ inverse) - mean
        own = (inverse - 2.0 * pull + mean) ** 2 - (mean - 2.0 * pull) ** 2
        squared = 2.0 * float(share @ pull**2) - mean**2 + float(share**2 @ own)
        return ClusterSpread(np.sqrt(inverse), trace**2 / squared)


def both_ways(times: Floats, clusters: Floats, cells: Floats) -> Floats:
    """Return covariances where rows depend on their time and on their cluster.

    What both count, rows of one cluster at one time, is taken off once (Cameron, Gelbach and
    Miller). Variances are at least those by time and those by cluster.
    """
    joint = times + clusters - cells
    least = np.maximum(np.diag(times), np.diag(clusters))
    found = np.maximum(np.diag(joint), 1e-3 * least)
    scale = np.sqrt(np.maximum(found, least) / np.where(found > 0.0, found, 1.0))
    scaled = joint * np.outer(scale, scale)
    np.fill_diagonal(scaled, np.maximum(found, least))
    return np.asarray(scaled)

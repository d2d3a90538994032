"""Models that compete, and how much they truly differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Floats


class Prior(NamedTuple):
    """How much models truly differ, before the data are seen."""

    spreads: Floats
    """True spreads, in units of the standard errors of differences."""
    weights: Floats
    """How likely each of these is."""

    def shrinkage(self, noise: float = 1.0) -> Floats:
        """Return, for each spread, the share of a measured difference that is true on average.

        ``noise`` is the variance of errors relative to today's.
        """
        return np.asarray(self.spreads**2 / (self.spreads**2 + noise))

    def weigh(self, distance: Floats, rank: int, freedom: float | None = None) -> Floats:
        """Return how likely each spread is (rows), for squared distances in standard errors."""
        variance = (1.0 + self.spreads**2)[:, None]
        likelihood = -0.5 * distance / variance
        if freedom is not None:
            likelihood = -0.5 * (freedom + rank) * np.log1p(distance / (freedom * variance))
        logs = np.log(self.weights)[:, None] - 0.5 * rank * np.log(variance) + likelihood
        found = np.exp(logs - logs.max(axis=0))
        return np.asarray(found / found.sum(axis=0))


DIFFERENCES = Prior(np.array([0.5, 1.0, 2.0, 4.0]), np.array([0.3, 0.3, 0.2, 0.2]))
"""For the chance of each model to be the best."""
STANDING = Prior(np.array([0.5, 1.0, 2.0, 4.0, 8.0]), np.array([0.25, 0.25, 0.2, 0.15, 0.15]))
"""For the value of one model: that it is far ahead is less of a surprise."""
APART = 4.0
"""A model that is worse than the best by so many standard errors is not a rival."""
PAIRS = 5_000
"""Draws come in pairs of opposite sign, so that their mean is exactly zero."""
SAME = 1e-12
"""Values and variances that differ by less, relative to their size, are equal."""


class Rivals(NamedTuple):
    """Models that compete, in a unit in which their differences are of moderate size."""

    rows: NDArray[np.intp]
    """The positions of the models, the best one first."""
    gaps: Floats
    """How much more each costs than the first, as far as that is measured with an error."""
    known: Floats
    """The part of these differences that has no error."""
    noise: Floats
    """Draws of the errors of these differences, a column per draw."""
    weights: Floats
    """How likely each spread of ``DIFFERENCES`` is, given the data."""
    unit: float

    def draw(self, share: float, learned: float) -> Floats:
        """Return draws of the true differences: a share of those measured, and so much error."""
        drawn: Floats = np.sqrt(learned) * self.noise
        drawn += (self.known + share * self.gaps)[:, None]
        return drawn


def _gap_variances(covariance: Floats, first: int) -> Floats:
    """Return the variances of the differences to one model; rounding is not a variance."""
    own = np.diag(covariance)
    with np.errstate(invalid="ignore"):
        variance = own + own[first] - 2.0 * covariance[first]
        return np.where(variance > SAME * (own + own[first]), variance, 0.0)


def find_rivals(
    losses: Floats, covariance: Floats, at: int, freedom: float | None = None
) -> NDArray[np.intp]:
    """Return the models that could be best, and the one asked about, in order of their losses."""
    from scipy.special import ndtr, stdtrit

    first = int(np.argmin(losses))
    order = np.argsort(losses, kind="stable")
    if not np.isfinite(losses[first]):
        return np.array([at])
    reach = APART if freedom is None else float(stdtrit(freedom, ndtr(APART)))
    error = np.sqrt(_gap_variances(covariance, first)[order])
    near = losses[order] - losses[first] <= reach * error + SAME * np.abs(losses[first])
    return np.asarray(order[near & np.isfinite(error) | (order == at)])


def draw_rivals(
    losses: Floats,
    covariance: Floats,
    rows: NDArray[np.intp],
    freedom: float | None,
    generator: np.random.Generator,
) -> Rivals:
    """Draw errors of the differences between rivals, and weigh how much they truly differ."""
    among = covariance[np.ix_(rows, rows)]
    spread = among - among[:1] - among[:, :1] + among[0, 0]
    unit = float(np.sqrt(_gap_variances(among, 0).max())) or 1.0
    gaps = (losses[rows] - losses[rows[0]]) / unit
    size, axes = np.linalg.eigh(0.5 * (spread + spread.T) / unit**2)
    kept = size > 1e-13 * max(float(size[-1]), 1.0)
    axes, size = axes[:, kept], size[kept]
    half = (axes * np.sqrt(size)) @ axes.T @ generator.standard_normal((len(rows), PAIRS))
    if freedom is not None:
        half /= np.sqrt(generator.chisquare(freedom, PAIRS) / freedom)
    along = axes.T @ gaps
    distance = np.sum(along**2 / size, keepdims=True)
    weights = DIFFERENCES.weigh(distance, len(size), freedom)[:, 0]
    noise, moving = np.concatenate([half, -half], axis=1), axes @ along
    return Rivals(rows, moving, gaps - moving, noise, weights, unit)

"""Reliability: how often it happens at each predicted probability, with bands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.concepts.dependence import Dependence, read_dependence
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward
from roctopus.core.resampling import Random
from roctopus.probability.bins import Bins
from roctopus.probability.cases import TwoClasses, read_two_classes


@dataclass(frozen=True, eq=False)
class ReliabilityCurve:
    """Share of positives against probability, made increasing: what recalibration would predict.

    ``reliability_curve`` makes it.

    Parameters
    ----------
    probability : array
        Distinct probabilities, increasing.
    outcome : array
        The recalibrated probability of each.
    mass : array
        The weight of the cases with each of them.
    cases : TwoClasses, optional
        The cases that the curve was made of, which its band needs.

    Examples
    --------
    >>> from roctopus.probability import reliability_curve
    >>> curve = reliability_curve([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8])
    >>> curve.probability.tolist(), curve.outcome.tolist()
    ([0.2, 0.4, 0.6, 0.8], [0.0, 0.5, 0.5, 1.0])
    """

    probability: Floats
    outcome: Floats
    mass: Floats
    cases: TwoClasses | None = field(default=None, repr=False)

    def band(
        self,
        confidence_level: float = 0.95,
        *,
        bins: int = 10,
        clusters: Any = None,
        time: Any = None,
        rng: Random = 0,
    ) -> Any:
        """Return the share of positives in bins of neighbouring probabilities, with intervals.

        Where the diagonal lies outside the band, probabilities are too low or too high there. All
        bins are looked at together.

        Parameters
        ----------
        confidence_level : float, default 0.95
            Probability that all statements are true together.
        bins : int, default 10
            Number of bins of about equal weight. Equal probabilities are in the same bin.
        clusters : array of shape (n,), optional
            Which rows belong together (a patient's, a user's, a site's).
        time : array of shape (n,), or True, optional
            When each case happened, or True if rows are in order of time.
        rng : int or Generator, default 0
            Seed or generator of random numbers: the same seed gives the same result.

        Returns
        -------
        Band
            Along the mean probability of each bin, the share of positives with pointwise and
            simultaneous intervals.

        Notes
        -----
        The curve itself is the isotonic regression of outcomes on probabilities, which has no
        bins. Band and curve are two estimates of the same thing, so the curve may leave the band.
        """
        if self.cases is None:
            raise InputError(
                "This curve was made without cases, so it cannot have a band. Make the curve with "
                "reliability_curve."
            )
        found, sample = Bins.of(self.cases, bins), self.cases.sample
        about = read_dependence(clusters, time, len(sample.per_row(self.cases.score)))
        where, shares = found.mean(self.cases.score), _shares(found, about)
        make = upward("band_of")
        return make("probability", where, shares, confidence_level, rng, sample.backend)


def _shares(bins: Bins, about: Dependence) -> Iterator[Estimate]:
    """Yield the share of positives of each bin; bins are strata, or have units of their own."""
    sample, positive = bins.cases.sample, bins.cases.positive.astype(np.float64)
    strata = sample.per_row(bins.of_case).astype(np.intp, copy=False)
    unit = about.clusters if about.times is None else about.times
    for number, share in enumerate(bins.mean(positive).tolist()):
        mine = bins.of_case == number
        values = np.where(mine, (positive - share) * (np.sum(bins.mass) / bins.mass[number]), 0.0)
        rows = sample.per_row(mine.astype(np.float64)) > 0.0
        yield Estimate(
            share,
            sample.per_row(values),
            sample.row_weights,
            strata,
            "logit",
            about,
            of_class=number,
            carriers=math.inf if unit is None else float(len(np.unique(unit[rows]))),
        )


def isotonic(cases: TwoClasses) -> tuple[ReliabilityCurve, Floats]:
    """Return the curve, and the recalibrated probability of each case."""
    from scipy.optimize import isotonic_regression

    distinct, position = np.unique(cases.score, return_inverse=True)
    weight = np.ones(cases.sample.size) if cases.sample.weight is None else cases.sample.weight
    mass = np.bincount(position, weight).astype(np.float64)
    mean = np.bincount(position, weight * cases.positive) / mass
    outcome = np.asarray(isotonic_regression(mean, weights=mass).x)
    return ReliabilityCurve(distinct, outcome, mass, cases), outcome[position]


def reliability_curve(
    y_true: Any, y_prob: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> ReliabilityCurve:
    """Return how often it happens at each predicted probability, without bins.

    It is the isotonic regression of outcomes on probabilities: the share of positives as a function
    of the probability that never decreases and fits best. For calibrated probabilities it is the
    diagonal, but for chance.

    Parameters
    ----------
    y_true : array of shape (n,)
        Two classes.
    y_prob : array of shape (n,)
        Probabilities of the positive class.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    ReliabilityCurve
        Probabilities and recalibrated ones; its method ``band`` shows how certain they are.

    See Also
    --------
    calibration_error : One number for the distance from the diagonal, with an interval.

    References
    ----------
    T. Dimitriadis, T. Gneiting and A. I. Jordan (2021). Stable reliability diagrams for
    probabilistic classifiers. Proceedings of the National Academy of Sciences 118, e2016191118.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.probability import reliability_curve
    >>> reliability_curve([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8]).outcome.tolist()
    [0.0, 0.5, 0.5, 1.0]

    Are the differences from the diagonal more than chance?

    >>> rng = np.random.default_rng(0)
    >>> risk = rng.beta(2, 4, 1000)  # true probabilities
    >>> event, bold = rng.random(1000) < risk, risk**2 / (risk**2 + (1 - risk) ** 2)
    >>> band = reliability_curve(event, bold).band(bins=5)
    >>> for p, low, high in zip(band.contexts, band.lower, band.upper):
    ...     print(f"at {p:.2f}, the share of positives is {low:.2f} to {high:.2f}")
    at 0.02, the share of positives is 0.07 to 0.19
    at 0.07, the share of positives is 0.18 to 0.34
    at 0.18, the share of positives is 0.25 to 0.42
    at 0.35, the share of positives is 0.29 to 0.46
    at 0.67, the share of positives is 0.46 to 0.64
    """
    return isotonic(read_two_classes(y_true, y_prob, sample_weight, pos_label=pos_label))[0]

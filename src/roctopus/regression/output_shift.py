"""Weights that give a sample another distribution of the output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.given_distributions import Distribution, as_distribution
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_whole, read_some
from roctopus.core.distributions import cumulative
from roctopus.core.errors import InputError


@dataclass(frozen=True, eq=False)
class OutputWeights:
    """Weights of the cases under a target distribution of the output.

    ``output_weights`` makes them; pass ``sample_weight`` on to any function.

    Parameters
    ----------
    sample_weight : array of shape (n,)
        Weight of each case; cases of weight 0 are ignored.
    effective_sample_size : float
        Number of equally weighted cases that would give the same precision: (Σw)²/Σw².
    covered : float
        Share of the target distribution within the range of the sample, from 0 to 1.

    Examples
    --------
    >>> from roctopus import Uniform
    >>> from roctopus.regression import output_weights
    >>> weights = output_weights([1.0, 2.0, 3.0, 4.0], Uniform(3.0, 5.0), bins=2)
    >>> weights.covered, weights.effective_sample_size
    (0.5, 2.0)
    """

    sample_weight: Floats
    effective_sample_size: float
    covered: float

    def __repr__(self) -> str:
        return (
            f"OutputWeights({len(self.sample_weight)} cases, effectively "
            f"{self.effective_sample_size:.1f}; {self.covered:.1%} of the target covered)"
        )


def output_weights(y_true: Any, target: Distribution, *, bins: int = 20) -> OutputWeights:
    """Weigh the cases so that their outputs follow a target distribution.

    Use it if the output will be distributed differently in use than in the sample: errors of cases
    that will be common then count more.

    Parameters
    ----------
    y_true : array of shape (n,)
        True values, one per case.
    target : Distribution
        How the outputs will be distributed, or a sample of them as ``Empirical([...])``.
    bins : int, default 20
        Number of parts of equally many cases that the range of the outputs is cut into.

    Returns
    -------
    OutputWeights
        The weights, their effective sample size and how much of the target they cover.

    Notes
    -----
    Each case gets the target's share of its bin, divided by the sample's. The mean weight is 1.

    Examples
    --------
    >>> from roctopus import Empirical
    >>> from roctopus.regression import output_weights
    >>> weights = output_weights([1.0, 2.0, 3.0, 4.0], Empirical([3.0, 4.0, 4.0]), bins=2)
    >>> weights.sample_weight.tolist()
    [0.0, 0.0, 2.0, 2.0]
    >>> weights
    OutputWeights(4 cases, effectively 2.0; 100.0% of the target covered)
    """
    truths = read_some(y_true, "y_true")
    bins = check_whole(bins, "bins", 1)
    distribution = as_distribution(target)
    ordered = np.sort(truths)
    starts = np.unique(ordered[np.linspace(0, len(ordered), bins, endpoint=False).astype(int)])
    bin_of = np.searchsorted(starts, truths, side="right") - 1
    # Bins part halfway between outcomes, so that a few distinct ones get their fair share.
    previous = ordered[np.searchsorted(ordered, starts[1:]) - 1]
    inner = previous + 0.5 * (starts[1:] - previous)
    below = cumulative(
        distribution, np.concatenate([np.nextafter(starts[:1], -np.inf), inner, ordered[-1:]])
    )
    share = np.diff(below)
    covered = float(share.sum())
    if covered <= 0.0:
        raise InputError(
            f"'target' must overlap the range of 'y_true' ({ordered[0]:g} to {ordered[-1]:g}), but "
            "has no probability there. So no weights can give the cases this distribution."
        )
    counts = np.bincount(bin_of, minlength=len(starts))
    weight = (share / counts)[bin_of]
    weight *= len(weight) / weight.sum()
    worth = float(weight.sum() ** 2 / np.sum(weight**2))
    return OutputWeights(weight, worth, covered)

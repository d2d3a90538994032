"""Another distribution of the output: weights that make a sample look like the deployment."""

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
    """Weights of the cases under a target distribution of the output."""

    sample_weight: Floats
    """To be passed on as ``sample_weight``; their mean is 1."""
    effective_sample_size: float
    """(Σw)²/Σw²: how many equally weighted cases these are worth."""
    covered: float
    """The share of the target distribution that lies within the range of the sample."""

    def __repr__(self) -> str:
        return (
            f"OutputWeights({len(self.sample_weight)} cases, effectively "
            f"{self.effective_sample_size:.1f}; {self.covered:.1%} of the target covered)"
        )


def output_weights(y_true: Any, target: Distribution, *, bins: int = 20) -> OutputWeights:
    """Weigh the cases so that their outputs follow a target distribution.

    In deployment the output may be distributed differently than in the sample; errors of cases that
    will be common count more. The range of y is cut into bins of equally many cases, and each case
    gets the target's share of its bin over the sample's. ``target`` is a distribution, or a sample
    of outputs as ``Empirical([...])``.

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
            f"The target distribution has no overlap with 'y_true', which runs from {ordered[0]:g} "
            f"to {ordered[-1]:g}. Weights cannot replace cases that were never seen."
        )
    counts = np.bincount(bin_of, minlength=len(starts))
    weight = (share / counts)[bin_of]
    weight *= len(weight) / weight.sum()
    worth = float(weight.sum() ** 2 / np.sum(weight**2))
    return OutputWeights(weight, worth, covered)

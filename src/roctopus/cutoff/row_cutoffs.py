"""Cutoffs given per row: the error that was met, beside the one that independence would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.concepts.distributions import Empirical
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.registry import Influence
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_finite, check_same_length
from roctopus.core.laws import cumulative
from roctopus.core.sample import check_row_order
from roctopus.cutoff.cases import read_cases
from roctopus.cutoff.curves import curve_of

__all__ = ["RowCutoffError", "row_cutoff_error"]

ENOUGH = 100
"""With fewer cases the interval of the difference is too narrow (simulated): no verdict then."""


@dataclass(frozen=True)
class RowCutoffError:
    """The error when every case has its own cutoff."""

    realised: Estimate
    """The mean cost of the decisions, each at the cutoff of its case."""
    independent: Estimate
    """What it would be if the same cutoffs met the cases at random."""

    @property
    def difference(self) -> Estimate:
        """Realised minus independent, paired; its interval tells whether cutoffs follow cases."""
        return self.realised - self.independent

    @property
    def depends(self) -> bool:
        """Whether cutoffs surely follow the cases, so that the realised error is the one to use."""
        gap = self.difference
        if gap.size < ENOUGH or gap.standard_error == 0.0:
            return False
        low, high = gap.confidence_interval()
        return low > 0.0 or high < 0.0

    def __str__(self) -> str:
        told = (
            f"The error is {self.realised.value:.4g} at the cutoffs of the cases, and would be "
            f"{self.independent.value:.4g} if cutoffs were independent of them"
        )
        gap = self.difference
        if gap.size < ENOUGH or gap.standard_error == 0.0:
            return f"{told}; there are too few cases or errors to tell whether that is chance."
        low, high = gap.confidence_interval()
        told += (
            f"; the difference is {gap.value:.4g} ({low:.4g} to {high:.4g} with 95 % confidence)."
        )
        if self.depends:
            told += " Cutoffs depend on the cases: use the realised error."
        return told


def row_cutoff_error(
    y_true: Any,
    y_pred: Any,
    *,
    cutoffs: Any,
    false_positive_cost: float = 1.0,
    false_negative_cost: float = 1.0,
    sample_weight: Any = None,
) -> RowCutoffError:
    """Return the mean cost of decisions when every case comes with its own cutoff.

    A distribution of cutoffs alone assumes that any cutoff may meet any case. Where cutoffs follow
    the cases (a house is offered near its price) errors are much more frequent; the two numbers
    stand side by side, with the uncertainty of their difference.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        Truths and predictions; predictions may be infinite.
    cutoffs : array of shape (n,)
        The cutoff of each case.
    false_positive_cost, false_negative_cost : float, default 1
        Costs of the two kinds of wrong decisions.
    sample_weight : array of shape (n,), optional
        Weights; a row of weight 0 is absent.

    Examples
    --------
    >>> found = row_cutoff_error([3, 5, 8, 9], [2, 6, 9, 7], cutoffs=[3, 6, 8, 8])
    >>> found.realised.value, found.independent.value
    (0.75, 0.25)
    """
    cases = read_cases(y_true, y_pred, sample_weight, false_positive_cost, false_negative_cost)
    check_row_order(y_true=y_true, y_pred=y_pred, cutoffs=cutoffs)
    own, kept = to_numpy(read_array(cutoffs, "cutoffs")), cases.sample.kept
    check_same_length(y_true=cases.y_true if kept is None else kept, cutoffs=own)
    check_finite(own, "cutoffs")
    if kept is not None:
        own = own[kept > 0]
    law = Empirical(own, cases.sample.weight)
    realised = cases.losses_at(own)
    apart = np.abs(cumulative(law, cases.y_pred) - cumulative(law, cases.y_true)) * cases.cost()
    independent = cases.sample.mean(apart)
    # As in A_OCE, a row counts twice: as a case that is decided, and as one that brings a cutoff.
    twice = apart + curve_of(cases).at(own) - 2.0 * independent
    return RowCutoffError(
        _estimate(cases.sample.mean(realised), Influence.of_mean(cases.sample, realised)),
        _estimate(independent, Influence.of(cases.sample, twice)),
    )


def _estimate(value: float, influence: Influence) -> Estimate:
    return Estimate(value, *influence[:3])

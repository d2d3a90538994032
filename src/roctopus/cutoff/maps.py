"""Two contexts at once: the cutoff, and the proportion of the costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from roctopus.concepts.context_map import ContextMap
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_unit
from roctopus.cutoff.cases import CutoffCases, ErrorCosts, read_cases
from roctopus.cutoff.curves import curve_of

PROPORTIONS = np.arange(1, 20) / 20
"""Cost proportions tried by default: 5 %, …, 95 %."""


def cutoff_cost_map(
    y_true: Any, y_pred: Any, *, proportions: Any = None, sample_weight: Any = None
) -> ContextMap:
    """Return the expected loss over cutoff and cost proportion.

    The cost proportion π is the false negatives' part of the costs: C_FN = 2π and C_FP = 2(1 − π),
    as the asymmetry α of the regression arm weighs under-estimates. The map is exact along the
    cutoff, and linear along π at each cutoff. ``map_envelopes`` of several models says who
    dominates where.

    For independent distributions of both contexts the expected loss is that at the mean of π:
    ``expected_cutoff_error(..., false_positive_cost=2 − 2·mean, false_negative_cost=2·mean)``.

    Examples
    --------
    >>> found = cutoff_cost_map([3, 5, 8, 9], [2, 6, 9, 7], proportions=[0.25, 0.5])
    >>> found.at(6, 0.25)
    0.375
    """
    cases = read_cases(y_true, y_pred, sample_weight)
    shares = (
        PROPORTIONS if proportions is None else to_numpy(read_array(proportions, "proportions"))
    )
    intervals, curves = cases.intervals(), []
    for share in shares.tolist():
        check_unit(share, "proportions")
        costs = ErrorCosts(2.0 * (1.0 - share), 2.0 * share)
        curves.append(curve_of(CutoffCases(cases.sample, costs), intervals))
    return ContextMap("cost proportion", shares, tuple(curves))

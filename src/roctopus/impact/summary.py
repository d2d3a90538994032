"""One price, everything there is to know about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roctopus.impact.cases import read_scored


@dataclass(frozen=True)
class ImpactSummary:
    """The best decision by a model at one θ, between doing without a model and knowing all."""

    theta: float
    threshold: float
    accepted: float
    """The share of cases accepted."""
    impact: float
    trivial: float
    """The impact of the better of accepting and rejecting all."""
    oracle: float
    """The impact of accepting exactly what is worth it; it knows no capacity."""

    @property
    def gain(self) -> float:
        """What the model adds to the best trivial decision."""
        return self.impact - self.trivial

    @property
    def regret(self) -> float:
        """What is lost against the oracle."""
        return self.oracle - self.impact

    @property
    def oracle_share(self) -> float:
        """The share of the oracle's impact that is achieved; NaN where the oracle has none."""
        return self.impact / self.oracle if self.oracle > 0.0 else float("nan")

    def __repr__(self) -> str:
        return (
            f"ImpactSummary(θ = {self.theta:g}: accept scores ≥ {self.threshold:.4g} "
            f"({100 * self.accepted:.3g}%), impact {self.impact:.5g} = trivial {self.trivial:.5g} "
            f"+ gain {self.gain:.4g}; oracle {self.oracle:.5g})"
        )


def impact_summary(
    y_score: Any,
    utility: Any,
    *,
    theta: float,
    at_least: float | None = None,
    at_most: float | None = None,
    normalize: bool = False,
    sample_weight: Any = None,
) -> ImpactSummary:
    """Return the best threshold at one θ, with impact, gain and regret.

    Parameters are those of ``impact_curve``.

    Examples
    --------
    >>> from roctopus.impact import impact_summary, value_times_price
    >>> grade, sensor = [0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4]
    >>> impact_summary(sensor, value_times_price(grade), theta=2.0)
    ImpactSummary(θ = 2: accept scores ≥ 4 (33.3%), impact 2 = trivial 0.38 + gain 1.62; oracle 2)
    """
    offers = read_scored(y_score, utility, sample_weight, at_least, at_most)
    at = offers.scale.check(theta)
    best, threshold, accepted = offers.best(at)
    total = offers.sample.total_weight
    factor = 1.0 / total if normalize else 1.0
    trivial = max(share * offers.all_accepted(at) for share in offers.shares) + 0.0  # not −0
    oracle = float(np.sum(offers.weighted(np.maximum(offers.worth(at), 0.0))))
    return ImpactSummary(
        at, threshold, accepted / total, best * factor, trivial * factor, oracle * factor
    )

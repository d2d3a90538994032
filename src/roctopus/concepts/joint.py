"""Several models' estimates on the same cases: joint covariance, paired differences, one test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from roctopus.concepts.estimate import Estimate, covariances
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, warn

__all__ = ["JointEstimates"]


@dataclass(frozen=True, eq=False)
class JointEstimates:
    """Estimates of several models on the same cases, with their joint uncertainty."""

    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    sense: Literal["loss", "gain"] | None = None
    """Whether less or more is better; None where that is not known."""

    @staticmethod
    def of(
        estimates: Mapping[str, Estimate], sense: Literal["loss", "gain"] | None = None
    ) -> JointEstimates:
        """Put estimates of the same cases together."""
        named = check_mapping(estimates, "estimates", "estimates")
        for name, each in named.items():
            if not isinstance(each, Estimate):
                raise InputError(f"{name!r} must be an Estimate, got {type(each).__name__}.")
        first, *others = every = list(named.values())
        for other in others:
            first.check_same_cases(other)
        _ = first.unit_sizes  # refuses classes of one case
        if first.dependence.lags is not None:  # one number of steps for all, or nothing adds up
            lags = max(each.lags for each in every)
            every = [replace(e, dependence=e.dependence._replace(lags=lags)) for e in every]
        return JointEstimates(tuple(named), tuple(every), sense)

    @cached_property
    def covariance(self) -> Floats:
        """The covariance matrix of the values."""
        return covariances(self.estimates)

    @property
    def values(self) -> dict[str, float]:
        """The value of each model."""
        return {name: each.value for name, each in zip(self.names, self.estimates, strict=True)}

    def difference(self, first: str, second: str) -> Estimate:
        """Return the paired difference of two models, with its test."""
        for name in (first, second):
            if name not in self.names:
                raise InputError(f"There is no model {name!r}; there are {', '.join(self.names)}.")
        a, b = (self.estimates[self.names.index(name)] for name in (first, second))
        return a - b

    @property
    def pvalue(self) -> float:
        """The p-value of the hypothesis that all values are equal.

        A Wald test on the paired differences to the first model; Hotelling's, where the number of
        independent units is what the spread was estimated from.
        """
        from scipy.special import fdtrc, gammaincc

        if len(self.names) < 2:
            raise InputError("A test of equality needs at least two models.")
        # Differences case by case: in a difference of variances what models share would drown.
        gaps = tuple(each - self.estimates[0] for each in self.estimates[1:])
        freedom = self.estimates[0].freedom
        if freedom is not None and freedom < len(gaps):
            raise InputError(
                f"{freedom + 1} independent units are too few to compare {len(self.names)} models "
                "together. Compare them in pairs."
            )
        spread, axes = np.linalg.eigh(covariances(gaps))
        along = axes.T @ [gap.value for gap in gaps]
        known = spread > max(1e-12 * float(spread.max()), 0.0)
        size = max(abs(each.value) for each in self.estimates)
        if np.any(np.abs(along[~known]) > 1e-9 * size):
            warn("Some values differ without any spread, so the p-value is 0.")
            return 0.0
        if not known.any():
            return 1.0
        count = int(np.count_nonzero(known))
        statistic = float(np.sum(along[known] ** 2 / spread[known]))
        if freedom is None:
            return float(gammaincc(0.5 * count, 0.5 * statistic))
        units = freedom + 1
        return float(fdtrc(count, units - count, statistic * (units - count) / (count * freedom)))

"""Several models' estimates on the same cases: joint covariance, paired differences, one test."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError, warn

__all__ = ["JointEstimates"]


@dataclass(frozen=True, eq=False)
class JointEstimates:
    """Estimates of several models on the same cases, with their joint uncertainty."""

    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]

    @staticmethod
    def of(estimates: Mapping[str, Estimate]) -> JointEstimates:
        """Put estimates of the same cases together."""
        named = check_mapping(estimates, "estimates", "estimates")
        first, *others = every = list(named.values())
        for other in others:
            first.check_same_cases(other)
        _ = first.unit_sizes  # refuses classes of one case
        return JointEstimates(tuple(named), tuple(every))

    @cached_property
    def covariance(self) -> Floats:
        """The covariance matrix of the values."""
        count = len(self.estimates)
        covariance = np.empty((count, count))
        for a, b in itertools.combinations_with_replacement(range(count), 2):
            spread = self.estimates[a].covariance(self.estimates[b])
            covariance[a, b] = covariance[b, a] = spread
        return covariance

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
        """The p-value of the hypothesis that all values are equal (a Wald test)."""
        from scipy.special import gammaincc

        if len(self.names) < 2:
            raise InputError("A test of equality needs at least two models.")
        contrast = np.eye(len(self.names))[1:] - np.eye(len(self.names))[0]
        gaps = contrast @ [each.value for each in self.estimates]
        spread, axes = np.linalg.eigh(contrast @ self.covariance @ contrast.T)
        along = axes.T @ gaps
        known = spread > max(1e-12 * float(spread.max()), 0.0)
        size = max(abs(each.value) for each in self.estimates)
        if np.any(np.abs(along[~known]) > 1e-9 * size):
            warn("Some values differ without any spread, so the p-value is 0.")
            return 0.0
        if not known.any():
            return 1.0
        statistic = float(np.sum(along[known] ** 2 / spread[known]))
        return float(gammaincc(0.5 * np.count_nonzero(known), 0.5 * statistic))

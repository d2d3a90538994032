"""Several models' estimates on the same cases: joint covariance, paired differences, one test."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

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
    covariance: Floats

    @staticmethod
    def of(estimates: Mapping[str, Estimate]) -> JointEstimates:
        """Put estimates of the same cases together."""
        named = check_mapping(estimates, "estimates", "estimates")
        every: list[Estimate] = list(named.values())
        for other in every[1:]:
            _ = every[0] - other  # refuses other cases, weights or classes
        first = every[0]
        size = len(first.influence)
        weight = np.ones(size) if first.sample_weight is None else first.sample_weight
        strata = np.zeros(size, dtype=np.intp) if first.strata is None else first.strata
        counts = np.bincount(strata[weight > 0])
        if counts[counts > 0].min() < 2:
            raise InputError("A standard error needs at least two cases in every class.")
        terms = [weight * each.influence for each in every]
        covariance = np.zeros((len(terms), len(terms)))
        for a, b in itertools.combinations_with_replacement(range(len(terms)), 2):
            sums = np.bincount(strata, weights=terms[a] * terms[b], minlength=len(counts))
            spread = np.sum(sums[: len(counts)] * counts / np.maximum(counts - 1.0, 1.0))
            covariance[a, b] = covariance[b, a] = spread
        return JointEstimates(tuple(named), tuple(every), covariance / weight.sum() ** 2)

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
        known = spread > 1e-12 * max(float(spread.max()), 1e-12)
        if np.any(np.abs(along[~known]) > 1e-9):
            warn("Some values differ without any spread, so the p-value is 0.")
            return 0.0
        if not known.any():
            return 1.0
        statistic = float(np.sum(along[known] ** 2 / spread[known]))
        return float(gammaincc(0.5 * np.count_nonzero(known), 0.5 * statistic))

"""Several models' estimates on the same cases: joint covariance, paired differences, one test."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from roctopus.concepts.estimate import Estimate, covariances
from roctopus.concepts.registry import Influence
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_mapping
from roctopus.core.correlations import cosine_count
from roctopus.core.errors import InputError, warn
from roctopus.core.sample import check_row_order


@dataclass(frozen=True, eq=False)
class JointEstimates:
    """Estimates of several models on the same cases, with their joint uncertainty.

    Functions such as ``roctopus.inference.compare_estimates`` make it.

    Parameters
    ----------
    names : tuple of str
        Names of the models.
    estimates : tuple of Estimate
        Estimate of each model.
    sense : {"loss", "gain"} or None, default None
        Whether less or more is better; None if not known.

    Examples
    --------
    >>> from roctopus.ordinal import compare_volumes
    >>> y_true = [1, 1, 2, 2, 3, 3]
    >>> models = {"a": [0.1, 0.5, 0.4, 0.7, 0.6, 0.9], "b": [0.1, 0.6, 0.5, 0.4, 0.9, 0.3]}
    >>> found = compare_volumes(y_true, models)
    >>> found.values, round(found.difference("a", "b").standard_error, 3)
    ({'a': 0.5, 'b': 0.25}, 0.5)
    """

    names: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    sense: Literal["loss", "gain"] | None = None

    @staticmethod
    def of(
        estimates: Mapping[str, Estimate], sense: Literal["loss", "gain"] | None = None
    ) -> JointEstimates:
        """Combine estimates on the same cases.

        Parameters
        ----------
        estimates : mapping of str to Estimate
            Estimates by model.
        sense : {"loss", "gain"} or None, default None
            Whether less or more is better; None if not known.

        Returns
        -------
        JointEstimates
            The estimates with their covariance.
        """
        named = check_mapping(estimates, "estimates", "estimates")
        for name, each in named.items():
            if not isinstance(each, Estimate):
                raise InputError(
                    f"{name!r} must be an Estimate, but is of type {type(each).__name__}."
                )
        first, *others = every = list(named.values())
        for other in others:
            first.check_same_cases(other)
        _ = first.unit_sizes  # refuses classes of one case
        if first.dependence.times is not None:  # one number of cosines for all, or nothing adds up
            # Of the differences, too: what models share may hide how persistent these are.
            gaps = [a - b for a, b in itertools.combinations(every, 2)]
            counts = [cosine_count(*(e.terms for e in each)) for each in (every, gaps) if each]
            known = first.dependence.cosines
            fewest = min(counts if known is None else [*counts, known])
            every = [
                replace(e, dependence=replace(e.dependence, cosines=fewest, agreed=True))
                for e in every
            ]
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
        """Return the paired difference of two models, with its test.

        Parameters
        ----------
        first, second : str
            Names of two models.

        Returns
        -------
        Estimate
            The first model's value minus the second one's.
        """
        for name in (first, second):
            if name not in self.names:
                known = ", ".join(map(repr, self.names))
                raise InputError(f"There is no model {name!r}. The models are {known}.")
        a, b = (self.estimates[self.names.index(name)] for name in (first, second))
        return a - b

    @cached_property
    def gaps(self) -> tuple[Estimate, ...]:
        """The differences to the model of least spread, case by case.

        In a difference of variances what models share would drown, and so would good models in
        differences to a wild one.
        """
        calm = min(self.estimates, key=lambda each: each.standard_error)
        return tuple(each - calm for each in self.estimates if each is not calm)

    @property
    def pvalue(self) -> float:
        """The p-value of the hypothesis that all values are equal.

        A Wald test on the paired differences to the first model; Hotelling's, where the number of
        independent units is what the spread was estimated from.
        """
        from scipy.special import fdtrc, gammaincc

        if len(self.names) < 2:
            raise InputError("A test of equality needs at least two models, but there is only one.")
        gaps = self.gaps
        freedom = self.estimates[0].freedom
        if freedom is not None and freedom < len(gaps) - 1e-9:
            raise InputError(
                f"{freedom + 1.0:.0f} independent cases (or clusters) are too few to compare "
                f"{len(self.names)} models together. Compare the models in pairs."
            )
        fixed = [gap for gap in gaps if gap.standard_error == 0.0]
        moving = tuple(gap for gap in gaps if gap.standard_error > 0.0)
        if any(gap.value != 0.0 for gap in fixed):
            warn("Two of the values differ by the same amount in every case, so the p-value is 0.")
            return 0.0
        if not moving:
            return 1.0
        # In units of their own standard errors: next to a wild model the others count as much.
        scaled = tuple(gap.scaled(1.0 / gap.standard_error) for gap in moving)
        spread, axes = np.linalg.eigh(covariances(scaled))
        along = axes.T @ [gap.value for gap in scaled]
        known = spread > 1e-10 * float(spread.max())
        if np.any(np.abs(along[~known]) > 1e-3):
            warn("Two of the values differ by the same amount in every case, so the p-value is 0.")
            return 0.0
        count = int(np.count_nonzero(known))
        statistic = float(np.sum(along[known] ** 2 / spread[known]))
        if freedom is None:
            return float(gammaincc(0.5 * count, 0.5 * statistic))
        units = freedom + 1
        return float(fdtrc(count, units - count, statistic * (units - count) / (count * freedom)))


def compare_rankings(
    scores: Mapping[str, Any], measured: Callable[[str, Any], tuple[float, Influence]]
) -> JointEstimates:
    """Put a share of correct rankings of several models together, from their scores."""
    named = check_mapping(scores, "scores", "scores")
    check_row_order(**named)
    estimates = {}
    for name, each in named.items():
        value, influence = measured(name, each)
        estimates[name] = Estimate(value, *influence[:3], scale="logit")
    return JointEstimates.of(estimates, "gain")

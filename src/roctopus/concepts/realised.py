"""Contexts given per case: the outcome with them, beside that if they were independent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roctopus.concepts.dependence import INDEPENDENT, Dependence
from roctopus.concepts.distributions import Empirical
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.problem import Problem
from roctopus.core.arrays import Floats

ENOUGH = 100
"""With fewer cases the interval of the difference is too narrow (simulated): no verdict then."""


@dataclass(frozen=True)
class RealisedValue:
    """The mean outcome when every case has its own context.

    Parameters
    ----------
    realised : Estimate
        Mean outcome, each case in its own context.
    independent : Estimate
        Mean outcome if the same contexts were assigned to the cases at random.
    what : str, default "error"
        What the outcome is, in words.
    contexts : str, default "cutoffs"
        What the contexts are, in words.

    Examples
    --------
    >>> import numpy as np
    >>> from roctopus.cutoff import row_cutoff_error
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(20.0, 5.0, 400)
    >>> p = y + rng.normal(0.0, 2.0, 400)
    >>> found = row_cutoff_error(y, p, cutoffs=y + rng.normal(0.0, 1.0, 400))
    >>> round(found.realised.value, 2), round(found.independent.value, 2), found.depends
    (0.37, 0.09, True)
    """

    realised: Estimate
    independent: Estimate
    what: str = "error"
    contexts: str = "cutoffs"

    @property
    def difference(self) -> Estimate:
        """Realised minus independent, paired: the interval shows if contexts depend on cases."""
        return self.realised - self.independent

    @property
    def depends(self) -> bool:
        """Whether contexts clearly depend on the cases; if so, use the realised value."""
        gap = self.difference
        if gap.size < ENOUGH or gap.standard_error == 0.0:
            return False
        low, high = gap.confidence_interval(method="plain")
        return low > 0.0 or high < 0.0

    def __str__(self) -> str:
        told = (
            f"The {self.what} is {self.realised.value:.4g} with the {self.contexts} of the cases. "
            f"If {self.contexts} were independent of the cases, it would be "
            f"{self.independent.value:.4g}"
        )
        gap = self.difference
        if gap.size < ENOUGH or gap.standard_error == 0.0:
            return (
                f"{told}. There are too few cases or errors to tell whether this is due to chance."
            )
        low, high = gap.confidence_interval(method="plain")
        told += f" (difference {gap.value:.4g}, 95 % interval {low:.4g} to {high:.4g})."
        if self.depends:
            told += f" So {self.contexts} depend on the cases, and only the first number is right."
        return told


def realised_value(
    problem: Problem,
    prediction: Floats,
    knob: Floats,
    contexts: Floats,
    unit: Floats | None = None,
    dependence: Dependence = INDEPENDENT,
) -> RealisedValue:
    """Return the mean outcome in the contexts of the cases, and if these were independent.

    ``unit`` is what outcomes are multiplied by, case by case. A row counts twice in the
    independent value: as a case that is judged, and as one that brings a context.
    """
    weight = problem.weight
    size = np.ones(len(contexts)) if unit is None else unit
    met = problem.outcomes(prediction, knob, contexts) * size
    mass = size if weight is None else size * weight
    mean_size = float(np.average(size, weights=weight))
    if problem.linear:
        middle = float(np.average(contexts, weights=mass))
        by_case = problem.outcomes(prediction, knob, middle)
        ends = contexts.min(), contexts.max()
        first, last = (
            float(np.average(problem.outcomes(prediction, knob, float(x)), weights=weight))
            for x in ends
        )
        width = float(ends[1] - ends[0])
        share = (contexts - ends[0]) / width if width > 0.0 else np.zeros(len(contexts))
        by_context = first + share * (last - first)
    else:
        by_case = problem.expected(prediction, knob, Empirical(contexts, mass))
        by_context = problem.means_at(prediction, knob, contexts)
    value = mean_size * float(np.average(by_case, weights=weight))
    twice = mean_size * by_case + size * by_context - 2.0 * value
    absent = np.zeros(len(contexts), dtype=bool) if weight is None else weight == 0.0

    def made(mean: float, influence: Floats) -> Estimate:
        return Estimate(mean, np.where(absent, 0.0, influence), weight, dependence=dependence)

    mean = float(np.average(met, weights=weight))
    contexts_text = {"cost": "costs", "asymmetry": "asymmetries"}
    name = contexts_text.get(problem.context, f"{problem.context.replace('_', ' ')}s")
    what = "error" if problem.context_kind == "truth" else problem.sense
    return RealisedValue(made(mean, met - mean), made(value, twice), what, name)

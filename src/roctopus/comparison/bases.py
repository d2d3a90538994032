"""What a decision records of its setting, and for the checks that come later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from roctopus.comparison.answers import Weighed
from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.models import ComparedModels
from roctopus.concepts.decision_parts import Basis
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.wording import faithful_step, setting_step
from roctopus.core.arrays import Floats
from roctopus.inference.engine import mean_estimate
from roctopus.inference.policies import outcomes_for
from roctopus.inference.sequences import Precision
from roctopus.inference.setting_sets import is_smooth, setting_set
from roctopus.inference.settings import settings_within
from roctopus.inference.tracking import spread_candidates

FLATTERS = 4.16
"""How many times what a threshold loses for having been learned the out-of-sample value exceeds
the in-sample one (simulated, with five folds)."""
STEP = 0.1
"""The curvature of the loss is measured between settings with this share of cases on each side."""


def basis_of(comparison: AnyModels, weighed: Weighed) -> Basis | None:
    """Return what checks need to know, where rows are at hand."""
    if not isinstance(comparison, ComparedModels):
        return None
    kind, name = weighed.chosen
    estimate = weighed.honest.estimates[weighed.chosen]
    sample, error = Precision.of(estimate), estimate.standard_error
    if kind == "model":
        error = float(weighed.honest.shrunk.error[list(weighed.honest.models).index(name)])
    tuned = kind == "model" and len(weighed.knob(name)) > 0
    return Basis(
        error,
        sample.carriers,
        sample.units,
        sample.freedom,
        sample.inflation,
        _tuning_loss(comparison, weighed, error) if tuned else 0.0,
        weighed.beliefs.most,
        _candidates(comparison, weighed) if tuned else (),
    )


def basis_of_rule(basis: Basis | None, value: Estimate) -> Basis | None:
    """Return what checks of a rule need: its settings are many, and not learned again."""
    if basis is None:
        return None
    sample = Precision.of(value)
    return replace(
        basis,
        standard_error=sample.standard_error,
        carriers=sample.carriers,
        units=sample.units,
        freedom=sample.freedom,
        inflation=sample.inflation,
        candidates=(),
    )


def step_said(comparison: AnyModels, weighed: Weighed, name: str) -> float:
    """Return the last digit to say of the setting of a model or a baseline."""
    problem = weighed.problem
    usual = setting_step(comparison.knob_values(problem, weighed.best))
    knob = weighed.learned.knobs.get(name)
    if knob is None or is_smooth(problem):
        return usual
    return faithful_step(usual, knob.low, knob.chosen, knob.high)


def settings_of(comparison: AnyModels, weighed: Weighed) -> dict[str, Any]:
    """Return settings that do as well, and that could be the best, where rows are at hand."""
    if not isinstance(comparison, ComparedModels):
        return {}
    best = weighed.best
    asked = weighed.problem, comparison.predictions[best], weighed.aim, weighed.knob(best)
    found = setting_set(*asked, dependence=comparison.dependence, rng=comparison.seed)
    return {
        "within": settings_within(*asked, weighed.tolerance),
        "setting_low": () if found is None else tuple(found.low.tolist()),
        "setting_high": () if found is None else tuple(found.high.tolist()),
    }


def _candidates(comparison: ComparedModels, weighed: Weighed) -> tuple[tuple[float, ...], ...]:
    values = comparison.knob_values(weighed.problem, weighed.best)
    found = tuple(spread_candidates(values, float(k)) for k in weighed.knob(weighed.best))
    return found if all(found) else ()


def _tuning_loss(comparison: ComparedModels, weighed: Weighed, error: float) -> float:
    """Return what the setting is expected to lose for having been learned from these cases.

    For a shift, half the variance of the slope of the mean loss over its curvature. For a
    threshold, in proportion to what tuning flatters; since that is noisy, at least what one case
    counts in the value.
    """
    best, sign = weighed.best, weighed.honest.sign
    value = weighed.value(("model", best))[0]
    least = error**2 / abs(value) if value else 0.0
    if is_smooth(weighed.problem):
        return max(_smooth_loss(comparison, weighed), 0.0)
    return max(sign * (value - weighed.learned.scores[best]) / FLATTERS, least)


def _smooth_loss(comparison: ComparedModels, weighed: Weighed) -> float:
    problem, best, weight = weighed.problem, weighed.best, weighed.problem.weight
    prediction, knob = comparison.predictions[best], weighed.knob(best)
    values = np.sort(comparison.knob_values(problem, best))
    values = values[np.isfinite(values)]
    share = float(np.searchsorted(values, knob[0])) / max(len(values), 1)
    reach = min(STEP, max(min(share, 1.0 - share), 1.0 / max(len(values), 2)))
    ends = np.quantile(values, np.clip([share - reach, share + reach], 0.0, 1.0))
    step = float(ends[1] - ends[0]) / 2.0
    if not step > 0.0:
        return 0.0

    def losses(move: float) -> Floats:
        outcomes = outcomes_for(problem, prediction, knob + move, weighed.aim)
        return np.asarray(np.mean(outcomes, axis=0))

    low, middle, high = losses(-step), losses(0.0), losses(step)
    slope = mean_estimate((high - low) / (2.0 * step), weight, comparison.dependence)
    curvature = float(np.average(high - 2.0 * middle + low, weights=weight)) / step**2
    return slope.standard_error**2 / (2.0 * curvature) if curvature > 0.0 else 0.0

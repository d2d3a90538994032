"""Why a decision is worse than recorded: its contexts, its setting, or its model and cases.

The three parts add up to the change exactly: each is the step between two of the losses

    recorded → re-tuned, in the old contexts → re-tuned, in the new ones → as decided, in these,

all but the first on the new cases, with knobs that were tuned on other new cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from roctopus.comparison.models import ComparedModels
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.inference.engine import cross_fit, each_part, mean_estimate
from roctopus.inference.policies import sign_of
from roctopus.monitoring.recorded import recorded_error
from roctopus.monitoring.views import View, splits_of, views_of

LEAST_CASES, LEAST_OF_CLASS = 30, 10
LEAST_TIMES = 5
"""With fewer cases, of a class, clusters or times, a change is not split into parts."""


class Part(NamedTuple):
    """One part of a change: how much is lost per case.

    Parameters
    ----------
    loss : float
        Loss per case, in the unit of the costs; negative if something is gained.
    standard_error : float
        Its standard error.

    Examples
    --------
    >>> from roctopus.monitoring import Part
    >>> Part(loss=0.3, standard_error=0.05).loss
    0.3
    """

    loss: float
    standard_error: float


@dataclass(frozen=True)
class Diagnosis:
    """The change of a decision's value, as a loss per case, and the three parts that add up to it.

    Parameters
    ----------
    change : float
        How much more the decision loses per case than recorded.
    context : Part
        How much more the new contexts cost than the old ones, each with its own best setting;
        re-tuning cannot recover it.
    knob : Part
        What re-tuning would recover.
    model : Part
        What is left in the old contexts after re-tuning: the cases, or the model, differ.
    new_knob : tuple of float
        Setting tuned on the new cases, in their contexts; empty where there is none.
    new_setting : str
        Same in words.
    apart : str, default ""
        Why the parts cannot be separated; empty where they can. All is then in ``model``.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y, error = rng.normal(100, 10, 800), rng.normal(0, 4, 800)
    >>> before = rt.compare(y, {"a": y + error}, arm="regression")
    >>> decision = before.decide(under_cost=4, over_cost=1)
    >>> later = rt.compare(y, {"a": y + error - 3}, arm="regression")
    >>> found = later.check(decision).diagnosis
    >>> round(found.change, 1), round(found.knob.loss, 1), found.new_setting
    (1.8, 1.8, 'shift 6.272')
    """

    change: float
    context: Part
    knob: Part
    model: Part
    new_knob: tuple[float, ...]
    new_setting: str
    apart: str = ""

    @property
    def parts(self) -> tuple[Part, Part, Part]:
        """The three parts: contexts, setting, model or cases."""
        return self.context, self.knob, self.model

    @property
    def recovers(self) -> float:
        """The share of the change that re-tuning would recover; none where there is no loss."""
        return self.knob.loss / self.change if self.change > 0.0 else 0.0


def is_tunable(comparison: ComparedModels, decision: Decision) -> bool:
    """Tell whether there is a setting that could be tuned again."""
    if comparison.fixed:
        return False
    baseline = comparison.baseline(decision.model)
    if baseline is not None and baseline.knob is not None:
        return False
    return decision.knob_name is not None or bool(decision.regions)


def diagnose(
    comparison: ComparedModels, decision: Decision, distribution: Any = None
) -> tuple[Estimate, Diagnosis]:
    """Return what a decision gives on new cases, and the parts of the change since its record.

    With the contexts of the cases, these are the new ones; else the new contexts are the old ones.
    """
    then, now = views_of(comparison, decision, distribution)
    problem = comparison.problem
    sign, weight, every = sign_of(problem), problem.weight, np.arange(len(problem))

    few = too_few(comparison)
    splits = [(every, every)] if few else splits_of(comparison)

    def worst(columns: Floats) -> Floats:
        """Return losses at the context that looked worst on other cases: else chance adds to it."""
        found = np.empty(len(columns))
        for train, test in splits:
            some = None if weight is None else weight[train]
            means = np.average(columns[train], weights=some, axis=0)
            found[test] = sign * columns[test, int(np.argmax(sign * means))]
        return found

    baseline = comparison.baseline(decision.model)
    share = 1.0 if baseline is None else baseline.share

    def mean(losses: Floats) -> Estimate:
        return mean_estimate(share * losses, weight, comparison.dependence)

    setting: Any = decision.regions or np.array(decision.knob)
    tunable = is_tunable(comparison, decision)
    ranged = decision.criterion == "worst" and not comparison.fixed

    def anew(view: View) -> Floats:
        if not tunable and not ranged:
            return worst(view.columns(setting, every))
        fitted = cross_fit(
            [splits], len(every), each_part(view.learn), lambda new, rows: [view.columns(new, rows)]
        )
        return worst(fitted.rounds[0][0])

    told = 1.0 if decision.criterion == "regret" else sign  # a regret is recorded as a loss
    recorded = told * decision.value
    if few:
        found = mean(worst(now.columns(setting, every)))
        none = Part(0.0, 0.0)
        alone = Part(found.value - recorded, float("nan"))
        parts = Diagnosis(found.value - recorded, none, none, alone, (), "", few)
        return replace(found.scaled(told), floor=problem.floor), parts
    if tunable:
        as_decided, in_new = worst(now.columns(setting, every)), anew(now)
    else:
        as_decided = in_new = anew(now)
    in_old = in_new if then is now else anew(then)
    found, old = mean(as_decided), mean(in_old)
    knob, context = mean(as_decided - in_new), mean(in_new - in_old)
    new = now.learn(every) if tunable else ()
    parts = Diagnosis(
        found.value - recorded,
        Part(context.value, context.standard_error),
        Part(knob.value, knob.standard_error),
        Part(old.value - recorded, float(np.hypot(old.standard_error, recorded_error(decision)))),
        () if decision.regions else tuple(np.asarray(new).tolist()),
        _say(decision, new),
    )
    return replace(found.scaled(told), floor=problem.floor), parts


def _say(decision: Decision, new: Any) -> str:
    if decision.regions:
        return f"a new rule of {len(new)} parts"
    return replace(decision, knob=tuple(np.asarray(new).tolist())).knob_text


def too_few(comparison: ComparedModels) -> str:
    """Say what there is too little of to split a change into parts; nothing if there is enough."""
    problem, clusters = comparison.problem, comparison.dependence.clusters
    times = comparison.dependence.times
    found = [(len(problem), "cases", LEAST_CASES)]
    if times is not None:
        found.append((int(times.max()) + 1, "times", LEAST_TIMES))
    if clusters is not None:
        found.append((int(clusters.max()) + 1, "clusters", LEAST_OF_CLASS))
    if problem.strata is not None and not comparison.fixed:
        counts = np.bincount(problem.strata, minlength=problem.stratum_count)
        rare = int(np.argmin(counts))
        found.append((int(counts[rare]), f"cases of {problem.classes[rare]!r}", LEAST_OF_CLASS))
    for count, what, least in found:
        if count < least:
            return (
                f"{count} new {what} are too few to say why the value changed: {least} are needed"
            )
    return ""


def losses_now(
    comparison: ComparedModels, decision: Decision, distribution: Any
) -> Callable[[Floats], Floats]:
    """Return the losses of cases at a setting, in the contexts of now.

    For a range they are those in the context that is worst for the setting on these cases.
    """
    _, now = views_of(comparison, decision, distribution)
    sign, weight = sign_of(comparison.problem), comparison.problem.weight
    every = np.arange(len(comparison.problem))

    def losses(setting: Floats) -> Floats:
        columns = sign * now.columns(setting, every)
        if columns.shape[1] == 1:
            return columns[:, 0]
        return columns[:, int(np.argmax(np.average(columns, weights=weight, axis=0)))]

    return losses

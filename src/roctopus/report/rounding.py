"""Numbers of an answer as a shared page may tell them: rounded, with settings at borders."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from roctopus.comparison.answers import Weighed
from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import Beside
from roctopus.concepts.estimate import Estimate
from roctopus.core.arrays import Floats
from roctopus.core.round_cells import round_up
from roctopus.inference.cross_fitting import Judged
from roctopus.report.settings import Settings

ORIGIN = (
    "This decision was downloaded from a shared page: its numbers are rounded, and its setting "
    "lies at the border of a group of cases. For the exact decision, use --decision or to_json."
)
HEAVY = "of the variance of this value comes from"
"""What is said of heavy tails, with a number that a page does not tell."""
WORSE = "models chosen on parts of the data were worse"
"""What is said of an uncertain choice, with a number that a page does not tell."""
CLOSE = 1e-9
"""A number that is so many steps beyond a whole number of them is that number."""
FEW = "Most of the variance comes from a few cases, so intervals are too narrow."


DOMINANT = 0.5
"""A case dominates a value if this share of its variance, or more, comes from it."""
MANY = 0.25
"""A page is made for a dominating case if it dominates more than this share of its answers."""
FAR = 4.0
"""Where one case dominates a value, steps are so many times what one case can add by the cells."""
GROWING = ("cost", "price")
"""Kinds of contexts that outcomes are multiplied by."""


@dataclass(frozen=True, eq=False)
class RoundingSteps:
    """The steps that values and differences to what is advised are rounded to.

    They are the same for all answers of a page, or grow with what cells allow one case to add: how
    they change otherwise with the context would tell more of the largest case than any of them.
    """

    values: Mapping[Judged, float]
    beside: Mapping[Judged, float]
    least: float = 0.0
    """The least step of all numbers, where one case dominates some of them, else 0."""

    @staticmethod
    def of(
        answers: Sequence[tuple[Weighed, float]], settings: Settings, *, heavy: bool
    ) -> RoundingSteps:
        """Return steps for answers, each with what one case adds to a mean at most.

        A difference that fewer cases make than a group holds would tell them, and so would that to
        a threshold inside a group: its step is that of values.
        """
        values: dict[Judged, float] = {}
        beside: dict[Judged, float] = {}
        scaled = [share / _scale(weighed, share) for weighed, share in answers]
        least = FAR * max(scaled) if heavy else 0.0
        for weighed, share in answers:
            scale = _scale(weighed, share)
            for key, estimate in weighed.honest.estimates.items():
                if key not in weighed.shown:
                    continue
                values[key] = max(values.get(key, least), _reach(estimate, share) / scale)
                gap = weighed.honest.gap(key, weighed.chosen)
                if gap.standard_error == 0.0:
                    continue
                step = _reach(gap, 2.0 * share)
                inside = key[0] == "raw" and settings.models[key[1]].divided
                if inside or weighed.moved(key) > step or _carriers(gap) < settings.least:
                    step = max(step, scale * values[key])
                beside[key] = max(beside.get(key, least), step / scale)
        values, beside = ({k: round_up(x) for k, x in each.items()} for each in (values, beside))
        return RoundingSteps(values, beside, round_up(least) if least else 0.0)

    def at(self, weighed: Weighed, share: float) -> RoundingSteps:
        """Return the steps of an answer."""
        scale = _scale(weighed, share)
        values, beside = (
            {k: round_up(scale * x) for k, x in each.items()} for each in (self.values, self.beside)
        )
        return RoundingSteps(values, beside, round_up(scale * self.least) if self.least else 0.0)


def is_dominated(answers: Sequence[Weighed]) -> bool:
    """Tell whether one case makes up most of the variance of a value in many answers.

    In a few of them it usually does: where one of the two errors costs nearly nothing.
    """
    return sum(map(_is_dominated, answers)) > MANY * len(answers)


def _is_dominated(weighed: Weighed) -> bool:
    """Tell whether one case makes up most of the variance of a value of an answer.

    Each such value is another multiple of what that case adds, plus what is known of all others.
    Together they would tell the case.
    """
    for key in weighed.shown:
        squares = _adds(weighed.honest.estimates[key]) ** 2
        total = float(np.sum(squares))
        if total > 0.0 and float(squares.max()) >= DOMINANT * total:
            return True
    return False


def _carriers(gap: Estimate) -> int:
    """Return how many cases differ, at least where that is less than half of them."""
    usual = np.median(gap.influence)
    return int(np.sum(np.abs(gap.influence - usual) > CLOSE * np.abs(gap.influence).max()))


def _scale(weighed: Weighed, share: float) -> float:
    """Return what steps grow with: what one case adds at most, if that grows with the context."""
    return share if weighed.problem.context_kind in GROWING and share > 0.0 else 1.0


def _reach(estimate: Estimate, share: float) -> float:
    """Return what a step is at least.

    That is a third of the standard error, and what one case adds: at most the standard error of
    independent cases, and at most what the cells allow.
    """
    adds = _adds(estimate)
    alone = float(np.sqrt(np.sum(adds * adds))) / estimate.total_weight
    return max(estimate.standard_error / 3.0, min(alone, share))


def _adds(estimate: Estimate) -> Floats:
    """Return what each case adds to a mean, times their number."""
    weight = estimate.sample_weight
    return estimate.influence if weight is None else estimate.influence * weight


@dataclass(frozen=True, eq=False)
class RoundedValues:
    """Values of an answer, rounded: what is advised, and how much more or less all else gives.

    Differences often vary less from case to case than values do, so more of their digits are told.
    Intervals are rounded outwards: to the nearest steps, 16.4 (12.2 to 23.4) may be 20 (20 to 20).
    """

    weighed: Weighed
    steps: RoundingSteps

    def value(self, key: Judged) -> tuple[float, float, float]:
        """Return a value with its interval."""
        return self._in_order[key] if key in self._in_order else self._alone(key)

    @cached_property
    def _in_order(self) -> dict[Judged, tuple[float, float, float]]:
        """The values of models, and those of baselines, none better than the one before it.

        That order is known, since tables are in it; steps of different widths could change it.
        """
        weighed, found = self.weighed, dict[Judged, tuple[float, float, float]]()
        order: list[list[Judged]] = [
            [("model", name) for name in weighed.honest.ranked],
            [("baseline", name) for name in weighed.baselines],
        ]
        sign = weighed.honest.sign
        for keys in order:
            best = -np.inf
            for key in keys:
                value, low, high = self._alone(key)
                best = max(best, sign * value)
                shown = sign * best
                found[key] = shown, min(low, shown), max(high, shown)
        return found

    def _alone(self, key: Judged) -> tuple[float, float, float]:
        """Return a value with its interval, whatever the others are."""
        chosen = self.weighed.chosen
        value, low, high = self.weighed.value(key)
        step, apart = self.steps.values[key], self.steps.beside.get(key, 0.0)
        if value == low == high == 0.0:  # as of accepting nobody, whatever the cases are
            return 0.0, 0.0, 0.0
        if key == chosen or 0.0 < step < apart:  # alone it is known better
            shown = _rounded(value, step)
        else:
            shown = _rounded(self.weighed.value(chosen)[0], self.steps.values[chosen])
            shown = _plain(shown + _rounded(value - self.weighed.value(chosen)[0], apart))
        # What is added up of two rounded numbers may lie outside of rounded ends.
        return shown, min(_outward(low, step, -1), shown), max(_outward(high, step, 1), shown)

    def beside(self, key: Judged, beside: Beside) -> Beside:
        """Return what is had instead."""
        step = self.steps.beside.get(key, 0.0)
        ends = _outward(beside.gain_low, step, -1), _outward(beside.gain_high, step, 1)
        return Beside(*self.value(key), _rounded(beside.gain, step), *ends)


def _rounded(x: float, step: float) -> float:
    """Return a whole number of steps; 0 where there are none, since then nothing differs."""
    return _plain(step * np.rint(x / step)) if step > 0.0 else 0.0


def _outward(x: float, step: float, way: int) -> float:
    """Return the end of an interval, moved outwards to a whole number of steps."""
    return _plain(way * step * np.ceil(way * x / step - CLOSE)) if step > 0.0 else 0.0


def _plain(x: float) -> float:
    """Return a number without digits that are none, and without a sign where it is 0."""
    return float(f"{x:.12g}") + 0.0


def _without_numbers(warning: str) -> str:
    """Return a warning without the numbers that a page does not tell."""
    if HEAVY in warning:
        return FEW
    return re.sub(rf"({WORSE}) by [-+.e\d]+ per case", r"\1", warning)


def coarse_decision(
    decision: Decision,
    settings: Settings,
    words: dict[str, str],
    values: RoundedValues,
    setting: Floats | None,
) -> Decision:
    """Return a decision as it may be told, with a setting; None if nothing was tuned for it."""
    weighed = values.weighed
    value, low, high = values.value(weighed.chosen)
    margin = decision.margin, decision.margin_low, decision.margin_high
    if decision.runner_up is not None:
        key: Judged = ("model", decision.runner_up)
        known = values.beside(key, weighed.beside(key))
        margin = known.gain, known.gain_low, known.gain_high
    given = [x for x in decision.context.values() if isinstance(x, (int, float))]
    context = float(given[0]) if len(decision.context) == 1 and len(given) == 1 else None
    knob, fixed = decision.knob, setting is None
    within, setting_low, setting_high = decision.within, decision.setting_low, decision.setting_high
    if knob and setting is not None:
        knob = tuple(setting.tolist())
    if within is not None and not fixed:
        within = settings.inward(decision.model, within, knob[0], context)
    if setting_low and not fixed:
        setting_low, setting_high = settings.outward(
            decision.model, (np.array(setting_low), np.array(setting_high)), context
        )
    # What was found for the exact setting may leave out the one that is told.
    if within is not None and not within[0] <= knob[0] <= within[1]:
        within = None
    if any(not a <= x <= b for a, x, b in zip(setting_low, knob, setting_high, strict=False)):
        setting_low = setting_high = ()
    made = {name: replace(each, quantiles=()) for name, each in decision.responses.items()}
    return replace(
        decision,
        value=value,
        low=low,
        high=high,
        in_sample=value,
        margin=margin[0],
        margin_low=margin[1],
        margin_high=margin[2],
        knob=knob,
        knob_low=knob,
        knob_high=knob,
        within=within,
        setting_low=setting_low,
        setting_high=setting_high,
        stays_best=None,
        data="",
        basis=None,
        tolerance=max(round_up(decision.tolerance), 0.01 * values.steps.least),
        stake=max(round_up(decision.stake), values.steps.least),
        chances={name: round(each, 2) for name, each in decision.chances.items()},
        worth=tuple(
            (count, max(round_up(saved), values.steps.least)) for count, saved in decision.worth
        ),
        raw=None if decision.raw is None else values.beside(("raw", decision.model), decision.raw),
        beside={n: values.beside(("baseline", n), each) for n, each in decision.beside.items()},
        responses=decision.responses if decision.is_baseline and fixed else made,
        words=words,
        warnings=(*dict.fromkeys(map(_without_numbers, decision.warnings)), ORIGIN),
        refit=None,
    )

"""The impact arm as a problem to decide: which model, which threshold, at which price."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.context_words import read_one_of
from roctopus.concepts.problem import ContextKind, Knob, Problem, best_of_candidates
from roctopus.concepts.wording import Baseline, Deed, rounded
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_finite, check_scalar
from roctopus.core.errors import InputError, arg
from roctopus.impact.cases import Offers, read_scored
from roctopus.impact.curves import curve_of, outcome_name
from roctopus.impact.periods import PerPeriod
from roctopus.impact.utilities import LinearUtility


@dataclass(frozen=True, eq=False)
class ImpactProblem(Problem):
    """Cases are accepted or not; each has its own value, a line over the price θ."""

    arm: ClassVar[str] = "impact"
    context: ClassVar[str] = "theta"
    context_kind: ClassVar[ContextKind] = "price"
    knob_name: ClassVar[str | None] = "threshold"
    sense: ClassVar[Literal["loss", "gain"]] = "gain"
    linear: ClassVar[bool] = True

    utility: LinearUtility
    weight: Floats | None = None
    make: Callable[[Any], LinearUtility] | None = None
    """Function that makes a utility from values; with it, predicted values need no tuning."""
    at_least: float = 0.0
    at_most: float = 1.0
    """The least and the largest share of cases that may be accepted."""
    classes: tuple[Any, ...] = ()
    """The negative and the positive class, where truths are two classes."""
    periods: PerPeriod | None = None
    """The period of each case, where the capacity is one per period."""

    @property
    def domain(self) -> tuple[float, float]:
        """The prices that make sense."""
        return self.utility.scale.low, self.utility.scale.high

    @property
    def outcome(self) -> str:
        """The name of the outcome."""
        return outcome_name(self.utility.scale, normalize=True)

    def __len__(self) -> int:
        return len(self.utility)

    def columns(self) -> tuple[Floats, ...]:
        """Return what accepting is worth."""
        return self.utility.slope, self.utility.intercept

    def settings(self) -> dict[str, Any]:
        """Return what the utility is, and the capacity: shares of cases, or numbers per period."""
        scale, own = self.utility.scale, self.periods
        limits = {"at_least": self.at_least, "at_most": self.at_most}
        if own is not None:
            per = {"at_least_per_period": own.at_least, "at_most_per_period": own.at_most}
            limits = {name: limit for name, limit in per.items() if limit is not None}
        return {"utility": f"{scale.outcome} over {scale.label}", **limits}

    def metric_arguments(self) -> dict[str, Any]:
        """Return the utility, and how many cases may be accepted."""
        total = float(len(self)) if self.weight is None else float(self.weight.sum())
        limits = {"at_least": self.at_least * total, "at_most": self.at_most * total}
        return {"utility": self.utility, **limits}

    def vocabulary(self) -> dict[str, Any]:
        """Return words that name the price."""
        label = self.utility.scale.label
        return {"context": label, "plain": f"{label.split(' =')[0]} is {{}}"}

    def truth(self) -> Any:
        """Return what accepting is worth."""
        return self.utility

    def axis_labels(self) -> tuple[str, str]:
        """Name the price."""
        return self.utility.scale.label, self.outcome

    def second_axis(self, contexts: Floats) -> tuple[str, Floats] | None:
        """Return another way to read the price, such as a break-even point."""
        return self.utility.scale.second_axis(contexts)

    def unlimited(self) -> Self:
        """Return the problem without a capacity."""
        free = self.at_least == 0.0 and self.at_most == 1.0 and self.periods is None
        return self if free else replace(self, at_least=0.0, at_most=1.0, periods=None)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return some of the cases."""
        utility = LinearUtility(
            self.utility.slope[rows], self.utility.intercept[rows], self.utility.scale
        )
        weight = None if self.weight is None else self.weight[rows]
        periods = None if self.periods is None else self.periods.take(rows)
        return replace(self, utility=utility, weight=weight, periods=periods)

    def on(self, truth: Any, weight: Floats | None) -> Self:
        """Return the same problem for other cases: their values, or what they are worth."""
        if not isinstance(truth, LinearUtility):
            assert self.make is not None
            truth = self.make(truth)
        return replace(self, utility=truth, weight=weight, periods=None)

    def rising(self) -> tuple[Floats, str]:
        """Return the value of accepting each case, where about half of them break even."""
        return self.utility.at(self.utility.middle_price), "the value of accepting"

    def check(self, prediction: Floats) -> None:
        """Raise an error for scores that are not finite."""
        check_finite(prediction, "predictions")

    @property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """θ; of a net benefit also the threshold probability whose odds θ is."""
        return self.utility.scale.ways

    def read_context(self, given: dict[str, Any]) -> tuple[Self, float]:
        """Read θ, or the probability whose odds it is."""
        _refuse_probability(given, self.ways)
        word = read_one_of(given, *self.ways)[0]
        if word == "theta":
            return self, self.utility.scale.check(given["theta"])
        share = np.array([check_scalar(given[word], word)])
        return self, float(self.utility.scale.from_shares(word, share)[0])

    def read_contexts(self, given: Mapping[str, Floats]) -> tuple[Self, Floats, Floats | None]:
        """Read each case's own θ, or the probability whose odds it is."""
        _refuse_probability(given, self.ways)
        word = read_one_of(dict(given), *self.ways)[0]
        own = given[word]
        return self, own if word == "theta" else self.utility.scale.from_shares(word, own), None

    def _offers(self, prediction: Floats) -> Offers:
        offers = read_scored(prediction, self.utility, self.weight)
        total = offers.sample.total_weight
        if self.at_least == 0.0 and self.at_most == 1.0:
            return offers
        # Of some of the cases the limits may be no whole numbers: the nearest are allowed, too.
        low, high = (np.round(share * total, 9) for share in (self.at_least, self.at_most))
        if self.weight is None:
            low, high = np.floor(low), np.ceil(high)
        return replace(offers, at_least=float(low), at_most=float(high))

    def curve(self, prediction: Floats) -> ContextCurve:
        """Return the mean impact over θ."""
        return curve_of(self._offers(prediction), None, normalize=True)

    def tune(self, prediction: Floats, contexts: Floats, handicaps: Floats) -> Knob:
        """Return the threshold; of equally good ones that which accepts fewest."""
        offers = self._offers(prediction)
        slope, intercept = (line[offers.allowed] for line in offers.lines)
        total = offers.sample.total_weight
        gains = np.array([slope * (x - offers.origin) + intercept for x in contexts]) / total
        losses = np.max(handicaps[:, None] - gains, axis=0)
        first, last = best_of_candidates(losses, running=True)
        cuts, below = offers.threshold, offers.ranking.threshold
        beyond = np.searchsorted(-below, -cuts[last], side="right")
        low = float(below[beyond]) if beyond < len(below) else -np.inf
        return Knob.at(cuts[first], low, cuts[first])

    def turning(self, prediction: Floats, context: float | Floats) -> Floats:
        """Return the scores: a case is accepted up to a threshold that equals its own."""
        return prediction

    def tune_rows(self, prediction: Floats, contexts: Floats, unit: Floats | None = None) -> Knob:
        """Return the threshold: at its own price each case has one value."""
        worth = LinearUtility(0.0, self.utility.at(contexts), self.utility.scale)
        return replace(self, utility=worth).tune(prediction, contexts[:1], np.zeros(1))

    def outcomes(self, prediction: Floats, knob: Floats, context: float | Floats) -> Floats:
        """Return what each accepted case is worth."""
        return np.where(prediction >= knob[0], self.utility.at(context), 0.0)

    def _promised(self, prediction: Floats) -> LinearUtility | None:
        """Return the utility that predictions promise; None if they are scores of another kind."""
        try:
            return None if self.make is None else self.make(prediction)
        except InputError:  # a score that is no probability ranks, and promises nothing
            return None

    def untuned(
        self, prediction: Floats, assumed: float | Floats, context: float | Floats
    ) -> Floats:
        """Return what the predictions earn as they are, or else accepting all or none."""
        worth = self.utility.at(context)
        promised = self._promised(prediction)
        if promised is None:  # as many at random as may be
            expected = np.average(self.utility.at(assumed), weights=self.weight)
            return worth * (self.at_most if expected > 0.0 else self.at_least)
        accepted = promised.at(assumed) > 0.0
        if self.at_least == 0.0 and self.at_most == 1.0:
            return np.where(accepted, worth, 0.0)
        weight = np.ones(len(worth)) if self.weight is None else self.weight
        order = np.argsort(-prediction, kind="stable")
        share = np.cumsum(weight[order]) / weight.sum()
        likely = np.empty(len(worth))
        likely[order] = share  # the share that is at least as promising
        slack = 1e-9
        accepted = (accepted & (likely <= self.at_most + slack)) | (likely <= self.at_least + slack)
        return np.where(accepted, worth, 0.0)

    def notes(self, prediction: Floats, knob: Floats) -> tuple[str, ...]:
        """Say how many periods exceed a capacity per period."""
        if self.periods is None:
            return ()
        return (self.periods.say(prediction >= knob[0], self.weight),)

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Say at which scores cases are accepted."""
        threshold = float(knob[0])
        if np.isinf(threshold):
            return f"Use {model} and accept {'no' if threshold > 0.0 else 'every'} case"
        always = "" if context is not None else f", whatever {self.say_name()} is"
        return f"Use {model} and accept scores of {rounded(threshold, step)} or more{always}"

    def baselines(self, varied: bool) -> dict[str, Baseline]:
        """Return accepting everyone and nobody, or as many and as few as are allowed, at random."""
        everyone, nobody = Baseline(0.0, (-np.inf,)), Baseline(0.0, (np.inf,))
        most = "everyone" if self.at_most == 1.0 else "as many as allowed, at random"
        least = "nobody" if self.at_least == 0.0 else "as few as allowed, at random"
        few = nobody if self.at_least == 0.0 else everyone._replace(share=self.at_least)
        return {most: everyone._replace(share=self.at_most), least: few}

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Say which cases it accepts."""
        share = self.baselines(False)[name].share
        who = f"{100 * share:.3g} % of the cases at random" if share < 1.0 else "every case"
        who = "no case" if knob[0] > 0.0 else who
        return Deed(f"accept {who}", f"accepting {who}")

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Say what raw predictions decide."""
        which = "every case for which it predicts a gain"
        if context is None and assumed is not None:
            which += f" when {self.say_name()} is {assumed:.4g}"
        return Deed(f"accept {which}", f"accepting {which}")

    def raw_meant(self, scores: Floats) -> bool:
        """Return whether scores are predicted values of accepting a case."""
        limited = self.at_least > 0.0 or self.at_most < 1.0
        return not limited and self._promised(scores) is not None

    def say_name(self) -> str:
        """Name the price."""
        symbol, _, meaning = self.utility.scale.label.partition(" = ")
        return f"{symbol} ({meaning})" if meaning else f"the price {symbol}"

    def say_own(self) -> str:
        """Say that cases have prices of their own."""
        return f"{self.say_name()} differs from case to case"

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Say the price."""
        return f"{self.say_name()} is {context:.4g}"

    def say_settings(self) -> str:
        """Say what accepting a case is worth, and how many may be accepted."""
        gained = self.utility.scale.gained
        rest = "and rejecting it gains 0 (averaged over all cases)"
        said = [f"accepting a case gains {gained}, {rest}"] if gained else []
        limits = self._say_limits()
        return ", and ".join([*said, limits] if limits else said)

    def _say_limits(self) -> str:
        if self.periods is not None:
            _, low, high = self.periods
            told = (("at least", low), ("at most", high))
            many = " and ".join(f"{word} {x:g}" for word, x in told if x is not None)
            verb = "can" if low is None else "must"
            return f"{many} cases {verb} be accepted in an average period"
        parts = [
            f"{word} {100 * share:.3g} % of the cases {verb} be accepted on average"
            for word, verb, share, free in (
                ("at least", "must", self.at_least, 0.0),
                ("at most", "can", self.at_most, 1.0),
            )
            if share != free
        ]
        return " and ".join(parts)


def _refuse_probability(given: Mapping[str, Any], ways: tuple[tuple[str, ...], ...]) -> None:
    """Say which utilities have a threshold probability, for an error."""
    word = "threshold_probability"
    if word in given and (word,) not in ways:
        raise InputError(
            f"{arg(word)} can only be used with a net benefit (utility=net_benefit_utility). Use "
            f"{arg('theta')} for other utilities."
        )

"""Words for actions and questions: each arm has its own."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from roctopus.core.arrays import Floats


class Baseline(NamedTuple):
    """An answer that ignores the cases: one prediction for all, at a fixed or a tuned setting."""

    prediction: float
    knob: tuple[float, ...] | None = None
    """The setting; None if it is tuned like that of a model."""
    share: float = 1.0
    """The share of cases it is applied to, drawn at random."""


class Deed(NamedTuple):
    """An action in two forms: "say yes to every case", "saying yes to every case"."""

    do: str
    doing: str


ALWAYS = {"always yes": Baseline(np.inf, (0.0,)), "always no": Baseline(-np.inf, (0.0,))}
"""The two answers that ignore the cases, as infinite scores at a threshold of 0."""


def always(name: str) -> Deed:
    """Return what one of these two answers means."""
    what = name.removeprefix("always ")
    return Deed(f"say {what} to every case", f"saying {what} to every case")


def name_value(sense: str, criterion: str) -> str:
    """Return what values are called: "cost", "gain" or "regret"."""
    if criterion == "regret":
        return "regret"
    return "cost" if sense == "loss" else "gain"


def rounded(value: float, step: float) -> str:
    """Return a number with as many decimals as a step has; large ones with thousands apart."""
    if not math.isfinite(value):
        return "∞" if value > 0.0 else "-∞"
    if not (step > 0.0 and math.isfinite(step)):
        return f"{value:.4g}"
    decimals = min(max(-math.floor(math.log10(step) + 1e-9), 0), 15)
    if decimals == 0 and step >= 100.0:
        value = round(value, -math.floor(math.log10(step)) + 1)
    text = f"{value:,.{decimals}f}" if abs(value) < 1e15 else f"{value:.4g}"
    negative_zero = text.startswith("-") and not text.strip("-0.,")
    return text[1:] if negative_zero else text


def sized(value: float, error: float) -> str:
    """Return a number with the digits its standard error allows: two of the error's own."""
    if not (error > 0.0 and math.isfinite(error)):
        return f"{value:.4g}"
    return rounded(value, 10.0 ** (math.floor(math.log10(error)) - 1))


def step_of(*values: float) -> float:
    """Return the largest of 1, 2, 5 × 10ᵏ that rounded values are multiples of; 0 of zeros."""
    found = [abs(value) for value in values if math.isfinite(value) and value != 0.0]
    if not found:
        return 0.0
    power = math.floor(math.log10(max(found)))
    for at in range(power, power - 15, -1):
        for digit in (5, 2, 1):
            step = float(f"{digit}e{at}")
            if all(abs(x / step - round(x / step)) <= 1e-9 * max(x / step, 1.0) for x in found):
                return step
    return float(f"1e{power - 15}")


def setting_step(values: Floats) -> float:
    """Return a step that is small compared with the spread of the values that settings apply to."""
    finite = values[np.isfinite(values)]
    largest = float(np.max(np.abs(finite), initial=0.0))
    spread = largest * float(np.std(finite / largest)) if largest > 0.0 else 0.0  # no overflow
    return 10.0 ** math.floor(math.log10(0.01 * spread)) if spread > 0.0 else 0.0


def faithful_step(step: float, low: Floats, chosen: Floats, high: Floats) -> float:
    """Return a step at which rounded settings decide every case as the chosen ones do.

    They do between ``low`` and ``high``. The step itself, where one more digit does not help.
    """
    for more in range(2):
        finer = step / 10.0**more
        said = [float(rounded(x, finer).replace(",", "")) for x in chosen if math.isfinite(x)]
        ends = [(a, b) for a, x, b in zip(low, chosen, high, strict=True) if math.isfinite(x)]
        if all(a < x < b for x, (a, b) in zip(said, ends, strict=True)):
            return finer
    return step


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Return a list in words: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def say_counts(counts: Mapping[str, int], of: str) -> str:
    """Return how many cases there are: "there is 1 case of 9", "there are no cases of 1 or 2"."""
    told = [
        f"{count or 'no'} {'case' if count == 1 else 'cases'} {of} {name}"
        for name, count in counts.items()
    ]
    return f"there {'is' if next(iter(counts.values())) == 1 else 'are'} {listed(told)}"


def times(ratio: float) -> str:
    """Return a ratio the way people say it: "4 times", "about 2.33 times"."""
    return f"{ratio:.3g} times"


class ContextSpread(NamedTuple):
    """A distribution of contexts."""

    name: str
    """Such as "Beta(2, 4)"."""
    mean: float
    """NaN where it is not known."""
    usual: tuple[float, float]
    """Nine of ten contexts lie in between."""

    @property
    def uniform(self) -> tuple[float, float] | None:
        """The ends, if all contexts between them are equally likely."""
        ends = re.fullmatch(r"Uniform\(([^,]+), ([^,]+)\)", self.name)
        return None if ends is None else (float(ends[1]), float(ends[2]))


class Spoken(Protocol):
    """The sentences of a problem; an arm overrides those it can say better."""

    same_worst: ClassVar[bool] = False
    """Whether all models and baselines meet the worst case of a range at the same context."""

    def say_action(self, model: str, knob: Floats, step: float, context: float | None) -> str:
        """Return what to do with a model at a setting, as an instruction without its full stop.

        ``step`` is the last digit of a setting that matters; ``context`` the one context, if there
        is one.
        """
        if not len(knob):
            return f"Use {model}"
        settings = ", ".join(rounded(k, step) for k in knob.tolist())
        return f"Use {model} with the setting{'s' if len(knob) > 1 else ''} {settings}"

    def baselines(self, varied: bool) -> Mapping[str, Baseline]:
        """Return answers that ignore the cases, by name.

        ``varied`` says that more than one context is met.
        """
        return {}

    def say_baseline(self, name: str, knob: Floats, step: float) -> Deed:
        """Return what following a baseline means."""
        return Deed(f"do as '{name}' does", f"doing as '{name}' does")

    def say_raw(self, model: str, context: float | None, assumed: float | None) -> Deed:
        """Return what is done with a model if nothing is tuned.

        ``context`` is the one context, if there is one; ``assumed`` the context that predictions
        are used for as they are, None if each case's own is known.
        """
        return Deed("use its predictions as they are", "using its predictions as they are")

    def raw_meant(self, scores: Floats) -> bool:
        """Return whether predictions can be used as they are: not if they are on another scale."""
        return True

    def say_asked(self, given: Mapping[str, Any], context: float) -> str:
        """Return one context as a clause: "an under-estimate costs 4 and an over-estimate 1"."""
        return ", ".join(f"{name.replace('_', ' ')} is {value:g}" for name, value in given.items())

    def say_between(self, low: float, high: float) -> str:
        """Return a range of contexts as a clause."""
        return f"{self.say_name()} is anywhere from {low:.4g} to {high:.4g}"

    def say_worst(self, low: float, high: float, at_end: bool) -> str:
        """Return where the worst case of a range is met: "with the price at 2 or 9, ...".

        ``at_end`` says that it is met at one of the ends.
        """
        if at_end:
            return f"with {self.say_name()} at {low:.4g} or {high:.4g}, whichever is worse"
        return f"with {self.say_name()} at its worst between {low:.4g} and {high:.4g}"

    def say_spread(self, spread: ContextSpread) -> str:
        """Return a distribution of contexts as a clause."""
        low, high = spread.usual
        if spread.uniform is not None:
            first, last = spread.uniform
            ends = f"{first:.4g} to {last:.4g}"
            return f"{self.say_name()} is equally likely to be anywhere from {ends}"
        usual = f"{low:.3g} to {high:.3g} in nine of ten situations ({spread.name})"
        return f"{self.say_name()} is {usual}"

    def say_own(self) -> str:
        """Return as a clause that every case has a context of its own."""
        return f"every case has its own {self.say_name().removeprefix('the ')}"

    def say_name(self) -> str:
        """Return what a context is called in a sentence, with its article."""
        return f"the {str(getattr(self, 'context', 'context')).replace('_', ' ')}"

    def ask_above(self, context: float) -> str:
        """Return the question whether a context is above a value."""
        return f"Is {self.say_name()} above {context:.3g}?"

    def say_settings(self) -> str:
        """Return what else affects the costs, as a clause; empty if nothing does."""
        return ""

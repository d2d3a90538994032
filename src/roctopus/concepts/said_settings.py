"""Settings in words: where the best one may lie, and which would do as well."""

from __future__ import annotations

import math

from roctopus.concepts.decision import Decision
from roctopus.concepts.wording import name_value, rounded

NARROW = 0.1
"""Settings that do as well are not worth a word if they are less than this of those that may be
best: between the turns of two cases."""


def say_setting(decision: Decision) -> str:
    """Return which settings would do, and where the best one may lie; empty if neither is known.

    Infinite ends are those that the data set no bound to.
    """
    name, pairs = (
        name_setting(decision),
        zip(decision.setting_low, decision.setting_high, strict=True),
    )
    sets = [_say_ends(*_advised(decision, low, high)) for low, high in pairs]
    within = _say_within(decision, name)
    if not all(sets) or not sets:
        return within
    if len(sets) > 1:
        each = f"{', '.join(sets[:-1])}, and {sets[-1]}"
        return f"The best {name} for future cases, with 95 % confidence each, are {each}."
    best = f"With 95 % confidence, the best {name} for future cases is {sets[0]}."
    return f"{within} {best}".lstrip()


def name_setting(decision: Decision) -> str:
    """Return what is tuned, as what to do speaks of it: at one cutoff a margin is a threshold."""
    name = str(decision.knob_name) if _one_cutoff(decision) is None else "threshold"
    return f"{name}s" if len(decision.knob) > 1 else name


def _one_cutoff(decision: Decision) -> float | None:
    """Return the one value that predictions plus a margin must reach; None if there are several."""
    given = {name: x for name, x in decision.context.items() if isinstance(x, (int, float))}
    values = [x for name, x in given.items() if name not in decision.settings]
    return float(values[0]) if decision.knob_name == "margin" and len(values) == 1 else None


def _advised(decision: Decision, low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range of settings in the numbers of what to do."""
    cutoff = _one_cutoff(decision)
    return (low, high) if cutoff is None else (cutoff - high, cutoff - low)


def _say_ends(low: float, high: float) -> str:
    """Return the ends of a set: "between 0.09 and 0.21", "at least 0.09"; empty if it has none."""
    if math.isfinite(low) and math.isfinite(high):
        return f"between {rounded(low, _step(low, high))} and {rounded(high, _step(low, high))}"
    if math.isfinite(low):
        return f"at least {low:.3g}"
    return f"at most {high:.3g}" if math.isfinite(high) else ""


def _say_within(decision: Decision, name: str) -> str:
    """Return which settings would do as well; empty if that is not known, or hardly any would."""
    if decision.within is None or decision.tolerance == 0.0:
        return ""
    low, high = _advised(decision, *decision.within)
    if high - low <= NARROW * _reach(decision):
        return ""
    ends = f"from {rounded(low, _step(low, high))} to {rounded(high, _step(low, high))}"
    size = f"{decision.tolerance:.2g}"
    worse = {
        "cost": f"costs at most {size} more per case",
        "gain": f"gains at most {size} less per case",
        "regret": f"has at most {size} more regret per case",
    }[name_value(decision.sense, decision.criterion)]
    return f"You can round the {name}: on these cases, any {name} {ends} {worse} than the best one."


def _reach(decision: Decision) -> float:
    """Return how long the confidence set is: twice one side of it if the other has no end."""
    if len(decision.knob) != 1 or len(decision.setting_low) != 1:
        return 0.0
    ends = decision.setting_low[0], decision.setting_high[0]
    sides = [abs(end - decision.knob[0]) for end in ends if math.isfinite(end)]
    return 2.0 * sum(sides) / len(sides) if sides else 0.0


def _step(low: float, high: float) -> float:
    """Return the last digit that matters of numbers so far apart."""
    return 10.0 ** (math.floor(math.log10(high - low)) - 1) if high > low else 0.0

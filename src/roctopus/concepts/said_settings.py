"""Settings in words: where the best one may lie, and which would do as well."""

from __future__ import annotations

import math

from roctopus.concepts.decision import Decision
from roctopus.concepts.wording import name_value, rounded

NARROW = 0.1
"""Settings that do as well are not worth a word if they are less than this of those that may be
best: between the turns of two cases."""
NAMES = {"margin": "margin added to predictions"}
"""What readers cannot know from what to do."""


def say_setting(decision: Decision) -> str:
    """Return where the best setting may lie, and which would do as well; empty if neither is known.

    Infinite ends are those that the data set no bound to.
    """
    knob = str(decision.knob_name)
    name, ends = NAMES.get(knob, knob), (decision.setting_low, decision.setting_high)
    sets = [_say_ends(low, high) for low, high in zip(*ends, strict=True)]
    within = _say_within(decision)
    if not all(sets) or not sets:
        return f"Any {name} {within}." if within else ""
    if len(sets) > 1:
        return f"The best {name}s are {', '.join(sets[:-1])}, and {sets[-1]} (95 % each)."
    more = f"; any {within}" if within else ""
    return f"The best {name} is {sets[0]} (95 %){more}."


def _say_ends(low: float, high: float) -> str:
    """Return the ends of a set: "between 0.09 and 0.21", "at least 0.09"; empty if it has none."""
    if math.isfinite(low) and math.isfinite(high):
        return f"between {rounded(low, _step(low, high))} and {rounded(high, _step(low, high))}"
    if math.isfinite(low):
        return f"at least {low:.3g}"
    return f"at most {high:.3g}" if math.isfinite(high) else ""


def _say_within(decision: Decision) -> str:
    """Return which settings would do as well; empty if that is not known, or hardly any would."""
    if decision.within is None or decision.tolerance == 0.0:
        return ""
    low, high = decision.within
    reach = sum(decision.setting_high) - sum(decision.setting_low)
    if high - low <= NARROW * (reach if math.isfinite(reach) else 0.0):
        return ""
    name = name_value(decision.sense, decision.criterion)
    ends = f"from {rounded(low, _step(low, high))} to {rounded(high, _step(low, high))}"
    return f"{ends} has the same {name} within {decision.tolerance:.2g} per case"


def _step(low: float, high: float) -> float:
    """Return the last digit that matters of numbers so far apart."""
    return 10.0 ** (math.floor(math.log10(high - low)) - 1) if high > low else 0.0

"""A decision in a few short sentences: what to do, what it gains, and how sure that is."""

from __future__ import annotations

import math

from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import Beside
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.wording import listed, name_value, rounded, sized, step_of
from roctopus.core.round_cells import round_up

MOST_RIVALS = 3
UNSURE = 10.0
"""A difference whose rounding is more than this, in percent, is not told in percent."""


def say_decision(decision: Decision) -> str:
    """Return what to do, what it gains, and what is at stake."""
    parts = [
        say_action(decision),
        say_value(decision),
        say_instead(decision),
        *say_doubts(decision),
        say_setting(decision),
        say_question(decision),
    ]
    return " ".join(part for part in parts if part)


def say_action(decision: Decision) -> str:
    """Return what to do."""
    action = decision.words.get("action") or f"Use {decision.model} with {decision.knob_text}"
    if decision.verdict == "no model":
        doing = decision.words.get("baseline", decision.model)
        beats = "beats" if (decision.margin_low or 0.0) > 0.0 else "is shown to beat"
        return f"No model {beats} {doing}, so {action[:1].lower()}{action[1:]}."
    if decision.verdict == "use for now":
        return f"For now, {action[:1].lower()}{action[1:]}."
    return f"{action}."


def say_instead(decision: Decision) -> str:
    """Return what leaving predictions untuned would change, if tuning is not shown to help."""
    raw = decision.raw
    if raw is None or raw.sure or not _counts(raw):
        return ""
    do = decision.words.get("untuned", "leave it untuned")
    doing = decision.words.get("raw", "leaving it untuned")
    cost, between = _say_gain(decision, -raw.gain, -raw.gain_high, -raw.gain_low)
    if raw.gain_high < 0.0:
        return f"Better still, {do}: this {cost} ({between})."
    chance = (
        f"would {cost.replace(*_verb_forms(decision), 1)}, but that could be chance ({between})."
    )
    if raw.gain <= 0.0:
        return f"You could also {do}: this {chance}"
    return f"{doing[:1].upper()}{doing[1:]} {chance}"


def error_of(low: float, high: float) -> float:
    """Return about the standard error of a value with a 95 % interval."""
    return (high - low) / 3.92


def say_numbers(decision: Decision, value: float, low: float, high: float) -> list[str]:
    """Return a value and the ends of its interval, with the digits that are known of them."""
    if decision.from_page:
        return [rounded(x, step_of(value, low, high)) for x in (value, low, high)]
    return [sized(x, error_of(low, high)) for x in (value, low, high)]


def say_interval(value: float, low: float, high: float) -> str:
    """Return a value with its interval, with the digits its error allows."""
    first, *ends = (sized(x, error_of(low, high)) for x in (value, low, high))
    return f"{first} per case ({ends[0]} to {ends[1]})"


def say_value(decision: Decision) -> str:
    """Return its value, compared with raw predictions and the best baseline."""
    name = name_value(decision.sense, decision.criterion)
    where = decision.words.get("worst", "somewhere in the range")
    what = {
        "worst": f"Expected {name} in the worst case ({where})",
        "regret": "Largest expected regret over the range you gave",
    }.get(decision.criterion, f"Expected {name}")
    value, *ends = say_numbers(decision, decision.value, decision.low, decision.high)
    said = f"{what}: {value} per case (95 % interval {' to '.join(ends)})"
    against = []
    best = next(iter(decision.beside.values()), None)
    raw = decision.raw
    if raw is not None and raw.sure and (best is None or raw.value != best.value):
        against.append(_against(decision, raw, decision.words["raw"]))
    if best is not None and decision.verdict != "no model":
        against.append(_against(decision, best, decision.words["baseline"]))
    if not against:
        return f"{said}."
    each, own = "each " if len(against) > 1 else "", decision.words.get("own worst")
    return f"{said}, {' and '.join(against)}{f' ({each}{own})' if own else ''}."


def _against(decision: Decision, beside: Beside, doing: str) -> str:
    """Return how much better it is than something else."""
    better = "less" if decision.sense == "loss" or decision.criterion == "regret" else "more"
    worse = "more" if better == "less" else "less"
    size, word = abs(beside.gain), better if beside.gain >= 0.0 else worse
    than = f"{word} than{' the regret of' if decision.criterion == 'regret' else ''} {doing}"
    if better == "less" and beside.value > 0.0 and decision.value >= 0.0:
        share = _percent(decision, beside, size)
        if share:
            return f"{share} % {than}"
    return f"{_gain_numbers(decision, size, beside)} {than}"


def _gain_numbers(decision: Decision, size: float, beside: Beside) -> str:
    """Return the size of a gain, with the digits that are known of it."""
    return say_numbers(decision, size, beside.gain_low, beside.gain_high)[0]


def _percent(decision: Decision, beside: Beside, size: float) -> str:
    """Return the size of a gain in percent; empty if rounding leaves open what it is."""
    share = 100.0 * size / beside.value
    if decision.from_page:
        share, known = _rounded_share(decision, beside, share)
        if known > UNSURE:
            return ""
        if known > 1.0:
            return f"about {share:.0f}"
    return f"{share:.0f}" if share >= 1.0 else f"{share:.1g}"


def _rounded_share(decision: Decision, beside: Beside, share: float) -> tuple[float, float]:
    """Return a gain in percent, and how rounded it is.

    It is that of the difference, or of both values where these tell more.
    """
    known = 100.0 * step_of(beside.gain, beside.gain_low, beside.gain_high) / beside.value
    ratio = decision.value / beside.value
    step = step_of(decision.value, decision.low, decision.high)
    both = 100.0 * (step + ratio * step_of(beside.value, beside.low, beside.high)) / beside.value
    if both < known and ratio < 1.0 and beside.gain > 0.0:
        return 100.0 * (1.0 - ratio), round_up(both)
    return share, round_up(known)


def say_doubts(decision: Decision) -> list[str]:
    """Return what is uncertain: which model is best, and whether any helps."""
    found = []
    if decision.verdict == "no model":
        found.append(_of_best_model(decision))
    rivals = (name for name in decision.candidates if name != decision.model)
    others = sorted(rivals, key=lambda name: -decision.chances.get(name, 0.0))[:MOST_RIVALS]
    if decision.verdict == "use" and len(decision.chances) > 1:
        found.append(_surely(decision))
    if others and decision.verdict == "either":
        found.append(_either(decision, others))
    if others and decision.verdict == "use for now":
        found.append(_for_now(decision, others))
    return found


def _counts(beside: Beside) -> bool:
    """Return whether a gain is larger than rounding."""
    reach = max(abs(beside.gain_low), abs(beside.gain_high))
    return reach > 1e-9 * max(abs(beside.value), abs(beside.low), abs(beside.high))


def _say_gain(decision: Decision, gain: float, low: float, high: float) -> tuple[str, str]:
    """Return how much less is paid, or more is gained, per case, whatever the sign; its interval.

    For example "costs 0.35 less per case" and "95 % interval: from 0.77 less to 0.07 more".
    """
    name = name_value(decision.sense, decision.criterion)
    if name != "gain":  # from here on, what is paid or gained in addition
        gain, low, high = -gain, -high, -low
    first, *ends = (each.removeprefix("-") for each in say_numbers(decision, gain, low, high))
    word = "more" if gain >= 0.0 else "less"
    between = f" {' to '.join(ends if low >= 0.0 else ends[::-1])}"
    if low < 0.0 < high or gain == 0.0:
        between = f": from {ends[0]} less to {ends[1]} more"
    at = " in the worst case" if decision.criterion == "worst" else ""
    size = f"{first} {word}{' regret' if name == 'regret' else ''}" if gain else "about the same"
    more = f"{_verb_forms(decision)[0]} {size} per case{at}"
    return more, f"95 % interval{between}"


def _verb_forms(decision: Decision) -> tuple[str, str]:
    """Return what a model does with values: "costs 0.35 less"; "would have 0.2 more regret"."""
    name = name_value(decision.sense, decision.criterion)
    return {"gain": ("gains", "gain"), "cost": ("costs", "cost"), "regret": ("has", "have")}[name]


def _either(decision: Decision, others: list[str]) -> str:
    """Say which rivals would do as well, and how little that matters."""
    first, *more = others
    chance = decision.chances
    if decision.stake > 0.0 and chance.get(first, 0.0) < 0.5 * chance.get(decision.model, 1.0):
        name = name_value(decision.sense, decision.criterion)
        said = f"The truly best model could be {listed(_likely(decision, others), 'or')}"
        small = f"the choice between them changes the {name} by {_small(decision)} per case"
        return f"{said}, but that hardly matters: {small} on average."
    action = decision.words.get("rival", f"Use {first}")
    who = f"You could just as well {action[:1].lower()}{action[1:]}"
    if more:
        who += f" ({listed(more)} would do as well)"
    if decision.stake == 0.0:
        return f"{who}. It makes the same decisions on these cases."
    name = name_value(decision.sense, decision.criterion)
    return f"{who}. The choice between them changes the {name} by {_small(decision)} per case."


def _likely(decision: Decision, names: list[str]) -> list[str]:
    """Return models, each with its chance to be the best."""
    return [f"{name} ({100 * decision.chances.get(name, 0.0):.0f} % likely)" for name in names]


def _small(decision: Decision) -> str:
    """Return the stake; one that is nothing beside the error of the value as a bound."""
    least = 0.01 * error_of(decision.low, decision.high)
    if decision.from_page:
        return f"about {decision.stake:g}"
    if not 0.0 < decision.stake < least:
        step = 10.0 ** (math.floor(math.log10(decision.stake)) - 1) if decision.stake else 0.0
        return f"about {rounded(decision.stake, step)}"
    return f"less than {10.0 ** math.ceil(math.log10(least)):.0g}"


def _of_best_model(decision: Decision) -> str:
    """Say what the best model would save if none is advised."""
    margin, low, high = decision.margin, decision.margin_low, decision.margin_high
    who = f"The best of the tuned models, {decision.runner_up},"
    if margin is None or low is None or high is None:
        return ""
    if low == margin == high == 0.0:
        return f"{who} makes the same decisions on these cases."
    saved, between = _say_gain(decision, -margin, -high, -low)
    if not low <= 0.0 <= high:
        return f"{who} {saved} ({between})."
    seems = f"{who} looks better: it {saved}" if margin < 0.0 else f"{who} {saved}"
    return f"{seems}, but that could be chance ({between})."


def _for_now(decision: Decision, others: list[str]) -> str:
    """Say which rivals could be the best, what that costs, and what more cases would change."""
    more = {"gain": "less", "cost": "more", "regret": "more regret"}[
        name_value(decision.sense, decision.criterion)
    ]
    do = _verb_forms(decision)[1]
    said = f"The truly best model could be {listed(_likely(decision, others), 'or')}. While that "
    said += (
        f"is uncertain, this choice is expected to {do} {_small(decision)} {more} per case than "
    )
    said += "the truly best model."
    if not decision.worth:
        return said
    found = _helpful(decision)
    if found is None:
        return (
            f"{said} To lower this, more than {decision.worth[-1][0]:,} further cases are needed."
        )
    step = 10.0 ** (math.floor(math.log10(decision.stake)) - (0 if decision.from_page else 1))
    left = rounded(max(decision.stake - found[1], 0.0), step)
    again = f"If you collect {found[0]:,} more cases and decide again"
    return f"{said} {again}, this falls to about {left}."


def _helpful(decision: Decision) -> tuple[int, float] | None:
    """Return the smallest known number of further cases that lowers the stake, and by how much."""

    def lowers(saved: float) -> bool:
        left, stake = max(decision.stake - saved, 0.0), decision.stake
        return f"{left:.1g}" != f"{stake:.1g}" and saved >= 0.1 * stake

    return next(((count, saved) for count, saved in decision.worth if lowers(saved)), None)


def _surely(decision: Decision) -> str:
    """Say how sure it is that the model is the best of several."""
    chance, count = decision.chances.get(decision.model, 0.0), len(decision.chances)
    sure = "more than 99" if chance > 0.99 else f"{100.0 * chance:.0f}"
    best = "better" if count == 2 else "best"
    return f"With a probability of {sure} %, {decision.model} is the {best} of the {count} models."


def say_question(decision: Decision) -> str:
    """Return what was asked."""
    asked = decision.words.get("asked")
    if not asked:
        return ""
    return f"This is based on {decision.cases:,} cases, and assumes that {asked}."

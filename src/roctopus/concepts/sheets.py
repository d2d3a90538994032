"""A decision and its table, as they are shown in notebooks and written as Markdown."""

from __future__ import annotations

from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Sheet, apart, clean, short
from roctopus.concepts.sentences import say_decision, say_numbers
from roctopus.concepts.wording import name_value


def decision_lines(decision: Decision) -> tuple[str, str, str]:
    """Return what is advised, what it gives, and what was asked, in three short lines."""
    named = {model for _, _, model in decision.model_ranges}
    what = f"{clean(decision.model, 40)}, {decision.knob_text}"
    if decision.regions:
        what = f"{len(decision.regions)} ranges of the context, {len(named)} models"
    name = name_value(decision.sense, decision.criterion)
    asked = decision.words.get("asked", decision.in_words)
    value, low, high = say_numbers(decision, decision.value, decision.low, decision.high)
    found = f"  {name} {value} per case ({low} to {high}), {decision.cases:,} cases"
    return f"{decision.verdict}: {what}", found, f"  {asked}"


def show_decision(decision: Decision) -> str:
    """Return a decision as a short ``repr``."""
    first, *rest = decision_lines(decision)
    return short(f"Decision, {first}", *rest)


def decision_sheet(decision: Decision) -> Sheet:
    """Return the sentence, and what the decision gains over what could be done instead."""
    sentence, notes = say_decision(decision), decision.warnings
    if decision.regions:
        ranges = decision.model_ranges
        ends = apart([end for low, high, _ in ranges for end in (low, high)])
        rows = [(*ends[2 * k : 2 * k + 2], model) for k, (_, _, model) in enumerate(ranges)]
        return Sheet(sentence, ("from", "to", "model"), tuple(rows), notes)
    name = name_value(decision.sense, decision.criterion)
    better = "gains" if name == "gain" else "saves"
    header = ("", name, "95 % interval", f"the decision {better}", "95 % interval")
    own = (decision.value, decision.low, decision.high)
    shown = [(decision.model, *_with_interval(decision, *own), "–", "–")]
    instead = {} if decision.raw is None else {f"{decision.model}, not tuned": decision.raw}
    for what, each in (instead | decision.beside).items():
        if what != decision.model:
            value = _with_interval(decision, each.value, each.low, each.high)
            gain = _with_interval(decision, each.gain, each.gain_low, each.gain_high)
            shown.append((what, *value, *gain))
    return Sheet(sentence, header, tuple(shown), notes)


def _with_interval(decision: Decision, value: float, low: float, high: float) -> tuple[str, str]:
    """Return a value and its interval, with the digits that are known of them."""
    first, *ends = say_numbers(decision, value, low, high)
    return first, f"{ends[0]} to {ends[1]}"

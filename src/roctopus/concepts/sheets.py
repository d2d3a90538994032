"""A decision and its table, as they are shown in notebooks and written as Markdown."""

from __future__ import annotations

from roctopus.concepts.decision import Decision
from roctopus.concepts.rendering import Sheet, apart, clean, short
from roctopus.concepts.sentences import error_of, say_decision, say_interval
from roctopus.concepts.wording import name_value, sized


def decision_lines(decision: Decision) -> tuple[str, str, str]:
    """Return what is advised, what it gives, and what was asked, in three short lines."""
    named = {model for _, _, model in decision.model_ranges}
    what = f"{clean(decision.model, 40)}, {decision.knob_text}"
    if decision.regions:
        what = f"{len(decision.regions)} ranges of the context, {len(named)} models"
    name = name_value(decision.sense, decision.criterion)
    asked = decision.words.get("asked", decision.in_words)
    value = f"{name} {say_interval(decision.value, decision.low, decision.high)}"
    return f"{decision.verdict}: {what}", f"  {value}, {decision.cases:,} cases", f"  {asked}"


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
    shown = [(decision.model, *_with_interval(*own), "–", "–")]
    instead = {} if decision.raw is None else {f"{decision.model}, not tuned": decision.raw}
    for what, each in (instead | decision.beside).items():
        if what != decision.model:
            value = _with_interval(each.value, each.low, each.high)
            gain = _with_interval(each.gain, each.gain_low, each.gain_high)
            shown.append((what, *value, *gain))
    return Sheet(sentence, header, tuple(shown), notes)


def _with_interval(value: float, low: float, high: float) -> tuple[str, str]:
    """Return a value and its interval, with the digits its error allows."""
    first, *ends = (sized(x, error_of(low, high)) for x in (value, low, high))
    return first, f"{ends[0]} to {ends[1]}"

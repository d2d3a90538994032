"""What a check finds, in words: the change of the cost, and whether a setting is out of date."""

from __future__ import annotations

from roctopus.concepts.decision import Decision
from roctopus.concepts.sentences import error_of
from roctopus.concepts.wording import name_value, sized
from roctopus.inference.sequences import ChangeBound
from roctopus.monitoring.watching import Watch


def value_name(decision: Decision) -> str:
    """Return what the value of a decision is called: "cost", "worst-case cost", "gain"."""
    name = name_value(decision.sense, decision.criterion)
    return f"worst-case {name}" if decision.criterion == "worst" else name


def setting_name(decision: Decision) -> str:
    """Return what is tuned: "the shift", "the thresholds", "the rule" of a hybrid."""
    if decision.regions or decision.knob_name is None:
        return "the rule"
    return f"the {decision.knob_name}{'s' if len(decision.knob) > 1 else ''}"


def worse_word(decision: Decision) -> str:
    """Return which way the value goes if it gets worse."""
    return "higher" if decision.sense == "loss" else "lower"


def saves_word(decision: Decision) -> str:
    """Return what an improvement does: it saves a cost, or gains."""
    return "save" if decision.sense == "loss" else "gain"


def out_of_date(decision: Decision) -> str:
    """Return that the setting is no longer the right one: "the shift is out of date"."""
    name = setting_name(decision)
    return f"{name} {'are' if name.endswith('s') else 'is'} out of date"


def part_names(decision: Decision) -> tuple[str, str, str]:
    """Return what the parts of a change are called."""
    setting = setting_name(decision).removeprefix("the ")
    return "contexts changed", f"{setting} out of date", "model or cases worse"


def lost_name(decision: Decision) -> str:
    """Return what the parts of a change measure; negative is better."""
    return "added cost per case" if decision.sense == "loss" else "lost gain per case"


def say_change(decision: Decision, loss: float, error: float, worse: bool, least: float) -> str:
    """Say whether the value is worse than when it was decided; ``least`` would be detected."""
    name, word = value_name(decision), worse_word(decision)
    if worse:
        size = f"{sized(loss, error)} per case (standard error {error:.2g})"
        return f"The {name} is {word} than when you decided, by {size}."
    clearly = "clearly " if loss > 0.0 else ""
    change = _signed(decision, loss, error)
    move = "An increase" if decision.sense == "loss" else "A decrease"
    return (
        f"The {name} is not {clearly}{word} than when you decided ({change} per case). "
        f"{move} of {least:.2g} would be detected four times out of five."
    )


def say_setting(decision: Decision, better: str | None, gain: float, error: float) -> str:
    """Say whether tuning again would help; ``better`` is the new setting if it would."""
    if better is None:
        return f"Re-tuning {setting_name(decision)} would not clearly help."
    said = out_of_date(decision)
    size = f"{saves_word(decision)} {sized(gain, error)} per case"
    values = (text.partition(" ")[2] for text in (better, decision.knob_text))
    return f"{said[:1].upper()}{said[1:]}: {' instead of '.join(values)} would {size}."


def say_looks_value(decision: Decision, watch: Watch) -> str:
    """Say what all looks together show of the value."""
    name, word, found = value_name(decision), worse_word(decision), watch.value
    error = error_of(found.low, found.high)
    if found.low > 0.0:
        low, high = (sized(each, error) for each in (found.low, found.high))
        return (
            f"The {name} is {word} than when you decided: by {sized(found.change, error)} per case "
            f"{_since(found)} ({low} to {high}){_first(watch, watch.worse)}."
        )
    ends = sorted((found.low, found.high), reverse=decision.sense == "gain")
    low_text, high_text = (_signed(decision, each, error) for each in ends)
    was = "" if watch.worse is None else f" It was at look {watch.worse}."
    looks = "1 look" if watch.looks == 1 else f"{watch.looks} looks"
    return (
        f"After {looks}, the {name} is not clearly {word} than when you decided: "
        f"{_signed(decision, found.change, error)} per case {_since(found)} "
        f"({low_text} to {high_text}).{was}"
    )


def say_looks_setting(decision: Decision, watch: Watch) -> str:
    """Say what all looks together show of the setting."""
    found, said = watch.knob, out_of_date(decision)
    if found.low <= 0.0:
        was = "" if watch.stale is None else f" At look {watch.stale} it would have."
        return f"Re-tuning {setting_name(decision)} would not clearly help.{was}"
    error = error_of(found.low, found.high)
    size, low, high = (sized(each, error) for each in found[1:])
    gain = f"{saves_word(decision)} {size} per case ({low} to {high})"
    first = _first(watch, watch.stale)
    return f"{said[:1].upper()}{said[1:]}: re-tuning would {gain}{first}."


def _signed(decision: Decision, loss: float, error: float) -> str:
    """Return a change of the value with its sign; a loss of 1 is a gain of -1."""
    text = sized(loss if decision.sense == "loss" else -loss, error)
    return text if text.startswith("-") else f"+{text}"


def _since(found: ChangeBound) -> str:
    return f"since look {found.since + 1}" if found.since else "since the decision"


def _first(watch: Watch, look: int | None) -> str:
    return "" if look in (None, watch.looks) else f", first detected at look {look}"

"""What a check finds, in words: the change of the cost, and whether a setting is out of date."""

from __future__ import annotations

import math

from roctopus.concepts.decision import Decision
from roctopus.concepts.sentences import error_of, say_interval
from roctopus.concepts.wording import name_value, rounded, sized
from roctopus.inference.sequences import HORIZON
from roctopus.monitoring.diagnosis import Diagnosis
from roctopus.monitoring.recorded import setting_limit
from roctopus.monitoring.watching import Move, Watch


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
    if not math.isfinite(least):
        return f"There are too few cases to say whether the {name} is {word} than when you decided."
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
    if not math.isfinite(found.low):
        return (
            f"There are too few cases yet ({watch.cases:,}) to say whether the {name} is {word} "
            "than when you decided."
        )
    error, tolerance = error_of(found.low, found.high), decision.tolerance
    if found.low > 0.0:
        size, low, high = (sized(each, error) for each in found[1:])
        matters = ""
        if found.low <= tolerance:
            matters = f", but not clearly by more than the tolerance of {tolerance:.2g}"
        return (
            f"The {name} is {word} than when you decided: by {size} per case {_over(watch)} "
            f"({low} to {high}){matters}.{_first(watch, watch.worse)}"
        )
    ends = sorted((found.low, found.high), reverse=decision.sense == "gain")
    low_text, high_text = (_signed(decision, each, error) for each in ends)
    was = "" if watch.worse is None else f" It was at look {watch.worse}."
    looks = "1 look" if watch.looks == 1 else f"{watch.looks} looks"
    return (
        f"After {looks}, the {name} is not clearly {word} than when you decided: "
        f"{_signed(decision, found.change, error)} per case {_over(watch)} "
        f"({low_text} to {high_text}).{was}"
    )


def say_looks_setting(decision: Decision, watch: Watch) -> str:
    """Say what all looks together show of the setting."""
    move, name = watch.advised, setting_name(decision)
    if move is None and decision.basis is not None and not decision.basis.candidates:
        return (
            f"Whether re-tuning {name} would help cannot be followed from look to look, because "
            "the decision does not record other settings. Decide again to record them."
        )
    if move is None and not math.isfinite(watch.knob.low):
        return f"There are too few cases yet to say whether re-tuning {name} would help."
    if move is None:
        was = "" if watch.stale is None else f" At look {watch.stale} it would have."
        return f"Re-tuning {name} would not clearly help.{was}"
    gain = say_move_gain(decision, move)
    if move.low is None or move.low <= setting_limit(decision):
        was = "" if watch.stale is None else f" It was clear at look {watch.stale}."
        return f"Re-tuning {name} is expected to {gain}.{was}"
    said = out_of_date(decision)
    first = _first(watch, watch.stale)
    return f"{said[:1].upper()}{said[1:]}: re-tuning would {gain}.{first}"


def say_move_gain(decision: Decision, move: Move, judged: str = "") -> str:
    """Say what an advised setting is expected to gain, with bounds where there are any."""
    saves = saves_word(decision)
    if move.low is None or move.high is None:
        return f"{saves} about {move.gain:.2g} per case, judging by the looks so far"
    error = error_of(move.low, move.high)
    size, low, high = (sized(each, error) for each in (move.gain, move.low, move.high))
    return f"{saves} {size} per case ({low} to {high}{judged})"


def say_promise(watch: Watch | None) -> str:
    """Say how often a check raises an alarm if nothing has changed."""
    if watch is None:
        return (
            "This is a single check: if nothing has changed, at most 5 % of such checks raise a "
            "false alarm. To check repeatedly, keep a state: the 5 % then hold for "
            f"{HORIZON} looks together."
        )
    false = "If nothing has changed, the probability of a false alarm"
    if watch.horizon <= HORIZON:
        return (
            f"{false} within {watch.horizon} looks is at most 5 %, however many of them you take "
            "(simulated)."
        )
    most = 5.0 * (2.0 - HORIZON / watch.horizon)
    return (
        f"{false} is at most 5 % within the first {HORIZON} looks, and at most {most:.3g} % by "
        f"look {watch.horizon} (simulated)."
    )


def say_saved(decision: Decision, watch: Watch) -> str:
    """Say what following all advice would have brought so far; nothing where there was none."""
    if watch.saved is None:
        return ""
    if watch.saved == 0.0:
        return "This advice is new: later looks show what following it brings."
    kept = f"compared with keeping {setting_name(decision)} as decided"
    total = three_digits(abs(watch.saved) * watch.cases)
    if decision.sense == "loss":
        did, end = ("saved", "") if watch.saved > 0.0 else ("cost", " more")
    else:
        did, end = "gained", " more" if watch.saved > 0.0 else " less"
    return (
        f"Following the advice would have {did} {three_digits(abs(watch.saved))}{end} per case so "
        f"far, {total} over all {watch.cases:,} cases, {kept}."
    )


def three_digits(value: float) -> str:
    """Return a number with three digits; large ones with thousands apart."""
    return rounded(value, 10.0 ** (math.floor(math.log10(abs(value))) - 2)) if value else "0"


def undivided(parts: Diagnosis) -> bool:
    """Tell whether nothing is known of the parts of a change but their sum."""
    return bool(parts.apart) and parts.context.loss == parts.knob.loss == 0.0


def say_value(value: float, low: float, high: float) -> str:
    """Return a value with its interval, where there are cases enough for one."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return f"{value:.4g} per case (too few cases for an interval)"
    return say_interval(value, low, high)


def _signed(decision: Decision, loss: float, error: float) -> str:
    """Return a change of the value with its sign; a loss of 1 is a gain of -1."""
    text = sized(loss if decision.sense == "loss" else -loss, error)
    return text if text.startswith("-") else f"+{text}"


def _over(watch: Watch) -> str:
    since = watch.value.since
    if not since:
        return "since the decision"
    last = watch.looks - since
    return "at the last look" if last == 1 else f"over the last {last} looks"


def _first(watch: Watch, look: int | None) -> str:
    return "" if look in (None, watch.looks) else f" This was first detected at look {look}."

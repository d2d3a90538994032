"""A decision watched for as long as it is in use: what is kept between looks, and what it says."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.fingerprints import fingerprint_of_text
from roctopus.concepts.records import write_record
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, arg
from roctopus.inference.sequences import ChangeBound, ChangeSequence, Precision
from roctopus.inference.tracking import Tracker
from roctopus.monitoring.diagnosis import Diagnosis, Part
from roctopus.monitoring.recorded import recorded_sample, setting_limit

STATE_VERSION = 2
IDENTITY = (
    *("arm", "model", "knob", "context", "criterion", "value", "low", "high", "in_sample"),
    *("models", "cases", "data", "settings", "regions"),
)
VALUE_SHARE, SETTING_SHARE = 0.015, 0.015
"""The probability of a false alarm up to the horizon: for the value, and for the setting."""
LIKELY = 0.25
"""Advice needs less certainty than an alarm. A new setting is advised once it is likely to gain
anything at all; without a gain, that is found in so many histories up to the horizon."""
WORTH_MOVING = 0.5
"""A new setting is advised if it is expected to gain so many times what does not matter."""
MOST_LOOKS = 200
"""How many looks are kept for display; sums go back to the first."""
MOST_BATCHES = 1000
"""How many looks back repeated cases are detected."""
BATCH_DIGITS = 16
"""So many digits of a hash tell cases apart."""


class Look(NamedTuple):
    """One look of a watched decision: the change of its value, and the bounds at that time.

    Parameters
    ----------
    cases : int
        Number of cases of the look.
    value : float
        What the decision costs or gains per case in this look.
    change : float
        How much more is lost per case than recorded.
    context : float
        Part of the change that comes from the contexts.
    knob : float
        Part of the change that re-tuning would recover.
    model : float
        Part of the change that is left.
    mean_change : float
        Mean change since the look from which the increase is clearest.
    low : float
        Lower bound of that mean change, for all looks up to the horizon.
    high : float
        Upper bound of that mean change, for all looks up to the horizon.
    knob_low : float
        Lower bound of what is lost per case by the setting in use, since the look from which the
        loss is clearest.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y, error = rng.normal(100, 10, 800), rng.normal(0, 4, 800)
    >>> before = rt.compare(y, {"a": y + error}, arm="regression")
    >>> decision = before.decide(under_cost=4, over_cost=1)
    >>> later = rt.compare(y[:200], {"a": (y + error - 3)[:200]}, arm="regression")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = later.check(decision, state=Path(folder) / "state.json")
    >>> look = found.watch.history[0]
    >>> look.cases, round(look.change, 1)
    (200, 1.6)
    """

    cases: int
    value: float
    change: float
    context: float
    knob: float
    model: float
    mean_change: float
    low: float
    high: float
    knob_low: float


class Measured(NamedTuple):
    """What the cases of a look say."""

    cases: int
    value: Estimate
    parts: Diagnosis
    lost: Callable[[Floats], Estimate] | None
    """Returns the mean loss at a setting, where settings can be learned."""
    candidates: tuple[tuple[float, ...], ...] = ()
    """Settings to learn from, where the decision recorded none."""


class Move(NamedTuple):
    """A setting that is advised, and what it is expected to gain per case."""

    setting: tuple[float, ...]
    gain: float
    low: float | None
    high: float | None
    """Judged on looks later than those it was learned from, with bounds for all looks; None as long
    as there are too few of these since the setting was last changed."""


@dataclass(frozen=True)
class Watch:
    """What all looks together show, with bounds that hold for all of them up to the horizon.

    Parameters
    ----------
    looks : int
        Number of looks.
    cases : int
        Number of all cases that were looked at.
    horizon : int
        Number of looks at which all bounds are right at once.
    value : ChangeBound
        Change of the loss per case since the look from which the increase is clearest.
    knob : ChangeBound
        What is lost per case by the setting in use, since the look from which the loss is clearest.
    worse : int or None
        Look at which the value was first clearly worse than recorded; None if it never was.
    stale : int or None
        Look at which the setting was first clearly out of date; None if it never was.
    advised : Move or None
        Setting to change to; None where a change is not expected to pay.
    saved : float or None
        What someone who followed all advice so far has saved per case; None if there was no advice.
    history : tuple of Look
        All looks in order.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> import roctopus as rt
    >>> rng = np.random.default_rng(0)
    >>> y, error = rng.normal(100, 10, 800), rng.normal(0, 4, 800)
    >>> before = rt.compare(y, {"a": y + error}, arm="regression")
    >>> decision = before.decide(under_cost=4, over_cost=1)
    >>> later = rt.compare(y[:200], {"a": (y + error - 3)[:200]}, arm="regression")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found = later.check(decision, state=Path(folder) / "state.json").watch
    >>> found.looks, found.cases, found.worse
    (1, 200, None)
    """

    looks: int
    cases: int
    horizon: int
    value: ChangeBound
    knob: ChangeBound
    worse: int | None
    stale: int | None
    advised: Move | None
    saved: float | None
    history: tuple[Look, ...]


@dataclass(frozen=True)
class WatchState:
    """Sums over all cases seen; small, and without values of rows."""

    decision: str
    """The hash of the decision that is watched, as it was first made."""
    value: ChangeSequence
    knob: ChangeSequence
    setting: tuple[float, ...]
    """The setting in use."""
    tracker: Tracker | None = None
    """What learns other settings; None where there is nothing to set, or not yet."""
    following: bool = False
    """Whether value or setting were once found out of date, or another setting likely to be better:
    from then on, better settings are advised."""
    obeyed: tuple[float, ...] = ()
    """The setting that someone who obeys uses now; empty before the first advice."""
    saved: float = 0.0
    """What they have saved, over all cases."""
    cases: int = 0
    worse: int | None = None
    stale: int | None = None
    history: tuple[Look, ...] = ()
    batches: tuple[str, ...] = ()
    """Hashes of the cases that were taken in, shortened."""
    schema_version: int = STATE_VERSION

    @staticmethod
    def begin(decision: Decision) -> WatchState:
        """Return the state before the first look."""
        found = WatchState(
            identity(decision),
            ChangeSequence(recorded_sample(decision), level=VALUE_SHARE),
            ChangeSequence(None, level=SETTING_SHARE),
            decision.knob,
        )
        candidates = () if decision.basis is None else decision.basis.candidates
        return replace(found, tracker=_tracker(decision, candidates))

    @staticmethod
    def open(path: str | os.PathLike[str], decision: Decision) -> WatchState:
        """Read the state of a decision; begin a new one if there is no file."""
        from roctopus.monitoring.states import read_state

        if not isinstance(path, (str, os.PathLike)) or not str(path):
            raise InputError(f"{arg('state')} must be the path of a file, but is {path!r}.")
        if not os.path.isdir(Path(path).absolute().parent):
            raise InputError(
                f"{arg('state')} cannot be written, because the folder '{Path(path).parent}' does "
                "not exist. Create this folder first."
            )
        if not os.path.exists(path):
            return WatchState.begin(decision)
        found = read_state(Path(path), decision)
        if found.decision != identity(decision):
            raise InputError(
                f"'{Path(path).name}' is the state of another decision. Each decision needs its "
                f"own file: use another file as {arg('state')}."
            )
        return found

    def add(self, decision: Decision, look: Measured, batch: str) -> WatchState:
        """Return the state with another look, at the setting that the decision has now.

        ``batch`` is the hash of the cases.
        """
        state = self if decision.knob == self.setting else self._moved(decision)
        if state.tracker is None:
            state = replace(state, tracker=_tracker(decision, look.candidates))
        found, cases = look.parts, look.cases
        values = state.value.add(found.change - decision.tolerance, Precision.of(look.value))
        state = replace(state, value=values, cases=state.cases + cases)
        if look.lost is not None and state.tracker is not None:
            state, found = state._learned(decision, state.tracker, look)
        losses = (found.change, found.context.loss, found.knob.loss, found.model.loss)
        bounds = _raised(values.surest, decision.tolerance)
        low = _raised(state.knob.surest, setting_limit(decision)).low if state.knob.looks else 0.0
        shown = (float(f"{each:.6g}") for each in (look.value.value, *losses, *bounds[1:], low))
        return replace(
            state,
            worse=values.looks if state.worse is None and values.alarm else state.worse,
            history=(*self.history, Look._make([cases, *shown]))[-MOST_LOOKS:],
            batches=(*self.batches, batch[:BATCH_DIGITS])[-MOST_BATCHES:],
        )

    def knows(self, batch: str) -> bool:
        """Tell whether cases with this hash were looked at before."""
        return batch[:BATCH_DIGITS] in self.batches

    def _moved(self, decision: Decision) -> WatchState:
        """Return the state after the setting was changed: earlier looks do not speak of it.

        After a change that hardly matters, the value is followed on: else one who follows all
        advice would never see that the model gets worse.
        """
        knob = ChangeSequence(None, level=SETTING_SHARE)
        if self._gain_between(decision) <= decision.tolerance:
            return replace(self, setting=decision.knob, knob=knob, stale=None)
        value = self.value.begun_anew()
        return replace(self, setting=decision.knob, value=value, knob=knob, worse=None, stale=None)

    def _gain_between(self, decision: Decision) -> float:
        """Return what the new setting of a decision saves against the one used so far."""
        if self.tracker is None:
            return math.inf
        new, old = np.array(decision.knob), np.array(self.setting)
        return self.tracker.gain_over(old) - self.tracker.gain_over(new)

    def _learned(
        self, decision: Decision, tracker: Tracker, look: Measured
    ) -> tuple[WatchState, Diagnosis]:
        """Judge what was learned before on these cases, then learn from these."""
        lost, found = look.lost, look.parts
        assert lost is not None
        used, judged = lost(np.array(decision.knob)), [lost(each) for each in tracker.judged]
        knob, gap = self.knob, used - judged[1]
        if tracker.steps:
            knob = knob.add(gap.value - setting_limit(decision), Precision.of(gap))
            if found.apart or gap.value > found.knob.loss:  # both are judged on other cases
                model = found.change - found.context.loss - gap.value
                found = replace(
                    found,
                    knob=Part(gap.value, Precision.of(gap).standard_error),
                    model=Part(model, found.model.standard_error),
                )
        saved = self.saved
        if self.obeyed:
            saved += look.cases * (judged[0].value - lost(np.array(self.obeyed)).value)
        tried = [
            np.array([lost(np.array(each)).value for each in _with(tracker.old, k, grid)])
            for k, grid in enumerate(tracker.candidates)
        ]
        learned = tracker.add(float(used.size), np.array([e.value for e in judged]), tried)
        stale = knob.looks > 0 and knob.alarm
        likely = knob.looks > 0 and (
            _raised(replace(knob, level=LIKELY).surest, setting_limit(decision)).low > 0.0
        )
        looks = self.value.looks
        state = replace(
            self,
            knob=knob,
            tracker=learned,
            following=self.following or stale or likely or self.value.alarm,
            stale=looks if self.stale is None and stale else self.stale,
            saved=saved,
        )
        if (
            state.following
            and state._gain(self.obeyed or tracker.old) > WORTH_MOVING * decision.tolerance
        ):
            state = replace(state, obeyed=tuple(learned.setting.tolist()))
        return state, found

    def _gain(self, setting: tuple[float, ...]) -> float:
        assert self.tracker is not None
        return self.tracker.gain_over(np.array(setting))

    def advised(self, decision: Decision) -> Move | None:
        """Return the setting to change to, where obeying is expected to pay."""
        if self.tracker is None or not self.following or not self.tracker.steps:
            return None
        gain = self._gain(decision.knob)
        if gain <= WORTH_MOVING * decision.tolerance:
            return None
        setting = tuple(self.tracker.setting.tolist())
        if not self.knob.looks:
            return Move(setting, gain, None, None)
        found = _raised(self.knob.surest, setting_limit(decision))
        if found.change <= 0.0 or not np.isfinite(found.low):
            return Move(setting, gain, None, None)
        return Move(setting, *found[1:])

    def watch(self, decision: Decision) -> Watch:
        """Return what all looks say."""
        value = _raised(self.value.surest, decision.tolerance)
        knob = ChangeBound(0, 0.0, -np.inf, np.inf)
        if self.knob.looks:
            knob = _raised(self.knob.surest, setting_limit(decision))
        horizon = self.value.horizon
        while horizon < self.value.looks:
            horizon *= 2
        return Watch(
            self.value.looks,
            self.cases,
            horizon,
            value,
            knob,
            self.worse,
            self.stale,
            self.advised(decision),
            self.saved / self.cases if self.obeyed and self.cases else None,
            self.history,
        )

    def diagnosis(self, newest: Diagnosis, decision: Decision) -> Diagnosis:
        """Return the parts of the mean change since the look that is surest; the newest knob."""
        since = max(self.value.surest.since - (self.value.looks - len(self.history)), 0)
        looks = self.history[since:] or self.history[-1:]
        cases = np.array([look.cases for look in looks], dtype=np.float64)
        parts = np.array([look[2:6] for look in looks])
        parts[:, 3] = parts[:, 0] - parts[:, 1] - parts[:, 2]  # digits were cut off
        means = cases @ parts / cases.sum()
        errors = [newest.context[1], newest.knob[1], newest.model[1]]
        if len(looks) > 1:
            spread = (cases / cases.sum()) ** 2 @ (parts[:, 1:] - means[1:]) ** 2
            errors = np.sqrt(spread * len(looks) / (len(looks) - 1)).tolist()
        context, knob, model = (
            Part(float(a), float(b)) for a, b in zip(means[1:], errors, strict=True)
        )
        found = replace(newest, change=float(means[0]), context=context, knob=knob, model=model)
        if self.tracker is None or not self.tracker.steps:
            return found
        setting = tuple(self.tracker.setting.tolist())
        said = replace(decision, knob=setting).knob_text
        return replace(found, new_knob=setting, new_setting=said)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the state as text, and write it to a file if asked to, or leave the old whole."""
        return write_record(asdict(self), path, indent=None)


def _tracker(decision: Decision, candidates: tuple[tuple[float, ...], ...]) -> Tracker | None:
    """Return what learns among candidates, from a setting that is one of them; None without any."""
    if not candidates:
        return None
    ends = zip(decision.knob, candidates, strict=True)
    return Tracker(tuple(min(max(each, grid[0]), grid[-1]) for each, grid in ends), candidates)


def _with(setting: tuple[float, ...], place: int, values: tuple[float, ...]) -> list[list[float]]:
    """Return settings with one of their numbers moved; the others stay in order."""
    return [sorted([*setting[:place], each, *setting[place + 1 :]]) for each in values]


def _raised(found: ChangeBound, by: float) -> ChangeBound:
    """Return a bound of what was looked at above something that does not matter."""
    return ChangeBound(found.since, *(each + by for each in found[1:]))


def identity(decision: Decision) -> str:
    """Return the hash of what makes a decision this one; re-tuned ones keep that of the first."""
    if decision.origin:
        return decision.origin
    kept = {name: value for name, value in decision.record.items() if name in IDENTITY}
    return fingerprint_of_text(write_record(kept))

"""The answer to a question: what to do, what it is worth beside doing nothing, and how sure it is.

Sentence, table, JSON, page, pictures and notebooks are made from this one record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.comparison.sheets import answer_sheet, show_answer
from roctopus.concepts.decision import Decision
from roctopus.concepts.decision_parts import Beside, Verdict
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.frames import make_frame
from roctopus.concepts.intervals import interval
from roctopus.concepts.problem import Problem
from roctopus.concepts.rendering import Rendered, Sheet
from roctopus.concepts.wording import Baseline, Deed, name_value
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_magnitude
from roctopus.inference.aims import Aim, spread_of
from roctopus.inference.baselines import baselines_for, own_name
from roctopus.inference.beliefs import Beliefs, believe, default_tolerance, verdict
from roctopus.inference.cross_fitting import Honest, Judged
from roctopus.inference.policies import Learned, ends_of

TOO_FEW = 10
"""With fewer cases no choice is final, however far apart models look."""
POSSIBLE = 0.05
"""A model could be the best if its chance is at least this."""


@dataclass(frozen=True)
class Row:
    """One line of the answer's table: a model, or a baseline."""

    name: str
    baseline: bool
    knob: tuple[float, ...]
    value: float
    low: float
    high: float
    """What it is expected to cost or gain on new cases, with its 95 % interval."""
    raw: float | None
    """The same if nothing is tuned; None of a baseline, or of scores on another scale."""
    chance: float | None
    """The probability to be the best model; None of a baseline."""
    in_sample: float | None
    """The value on the data used for tuning; None of a baseline."""


@dataclass(frozen=True, repr=False)
class Answer(Rendered):
    """What to do, with every model and every baseline for comparison, and how certain that is.

    Print it to read the answer in a few sentences; ``table`` has the numbers.
    ``comparison.answer(...)`` makes it.

    Parameters
    ----------
    decision : Decision
        What to do: the part that is stored, deployed and checked.
    rows : tuple of Row
        The models from the best to the worst, then the baselines.

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [3, 5, 8, 9, 4, 6, 7, 5, 2, 8, 12, 1]
    >>> close = [2, 5, 9, 7, 4, 5, 8, 5, 3, 7, 11, 2]
    >>> models = {"a": close, "b": [6, 2, 8, 12, 7, 3, 9, 9, 4, 5, 8, 3]}
    >>> answer = rt.compare(y, models, arm="regression").answer(under_cost=4, over_cost=1)
    >>> answer.decision.model, round(answer.decision.value, 2)
    ('a', 1.8)
    >>> answer.table("pandas")[["model", "shift", "cost"]].round(2)
               model  shift  cost
    0              a    1.0  1.80
    1              b    3.0  4.56
    2  best constant    NaN  4.45
    """

    decision: Decision
    rows: tuple[Row, ...]

    @property
    def sentence(self) -> str:
        """The answer in a few short sentences."""
        return self.decision.sentence

    @property
    def value_name(self) -> str:
        """What values are called in the answer: "cost", "gain" or "regret"."""
        return name_value(self.decision.sense, self.decision.criterion)

    def table(self, backend: str | None = None) -> Any:
        """Return models and baselines as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            Setting, expected cost or gain with its interval, and chance of being the best, one row
            per model and baseline.
        """
        columns = row_columns(self.rows, self.value_name, self.decision.knob_name)
        return make_frame(columns, None, backend)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and notes.
        """
        return answer_sheet(self.decision, self.rows, self.value_name)

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return show_answer(self.decision)


def row_columns(rows: Sequence[Row], what: str, knob_name: str | None) -> dict[str, Any]:
    """Return a table as columns; what a baseline does not have is NaN."""
    found: dict[str, Any] = {"model": [row.name for row in rows]}
    width = max(len(row.knob) for row in rows)
    for k in range(width):
        name = f"{knob_name}" if width == 1 else f"{knob_name}_{k + 1}"
        found[name] = [row.knob[k] if k < len(row.knob) else np.nan for row in rows]

    def numbers(name: str) -> list[float]:
        values = [getattr(row, name) for row in rows]
        return [np.nan if value is None else value for value in values]

    names = ("low", "high", "raw", "chance", "in_sample")
    found |= {what: numbers("value"), **{name: numbers(name) for name in names}}
    return found | {"baseline": [row.baseline for row in rows]}


@dataclass(frozen=True, eq=False)
class Weighed:
    """What was learned and judged for an aim, weighed: verdict, values and gains."""

    problem: Problem
    aim: Aim
    learned: Learned
    honest: Honest
    tolerance: float
    beliefs: Beliefs
    verdict: Verdict
    meant: frozenset[str]
    """The models whose predictions can be used as they are."""
    _values: dict[tuple[Judged, float], tuple[float, float, float]] = field(default_factory=dict)

    @staticmethod
    def of(
        comparison: AnyModels,
        problem: Problem,
        aim: Aim,
        tolerance: float | None = None,
        models_only: bool = False,
    ) -> Weighed:
        """Weigh models against each other and against the best baseline."""
        learned, honest = comparison.learned(problem, aim)
        names, best = list(honest.models), honest.ranked[0]
        values = np.array([each.value for each in honest.models.values()])
        beside = honest.of("baseline")
        base = min(beside, key=lambda name: honest.sign * beside[name].value) if beside else None
        gain = None if base is None else _gain(honest, ("model", best), ("baseline", base))
        if tolerance is None:
            reference = honest.models[best].value if base is None else beside[base].value
            tolerance = default_tolerance(0.0 if gain is None else gain.value, reference)
        judged = honest.models[best]
        beliefs = believe(
            values,
            honest.covariance,
            honest.judged,
            sign=honest.sign,
            tolerance=tolerance,
            chosen=names.index(best),
            freedom=judged.freedom,
            rng=comparison.rng if isinstance(comparison.rng, int) else 0,
        )
        shown = (1.0, 0.0) if gain is None or models_only else (gain.value, gain.standard_error)
        found = verdict(
            beliefs,
            gain=shown[0],
            gain_error=shown[1],
            freedom=judged.freedom,
            models=len(names),
        )
        if honest.judged < TOO_FEW and len(names) > 1 and found in ("use", "either"):
            found = "use for now"
        meant = {m for m in names if problem.raw_meant(comparison.knob_values(problem, m))}
        return Weighed(problem, aim, learned, honest, tolerance, beliefs, found, frozenset(meant))

    @property
    def best(self) -> str:
        """The best model."""
        return self.honest.ranked[0]

    @property
    def rival(self) -> str | None:
        """The model that is the likeliest to be better than the best one."""
        chances = dict(zip(self.honest.models, self.beliefs.best.tolist(), strict=True))
        del chances[self.best]
        return max(chances, key=lambda name: chances[name]) if chances else None

    @property
    def baselines(self) -> list[str]:
        """The baselines, the best first."""
        found, sign = self.honest.of("baseline"), self.honest.sign
        return sorted(found, key=lambda name: sign * found[name].value)

    @property
    def baseline(self) -> Baseline:
        """The best baseline."""
        named = baselines_for(self.problem, self.aim, self.honest.models)
        return named[self.baselines[0]]

    @property
    def chosen(self) -> Judged:
        """What is advised: the best model, or the best baseline where none is shown to beat it."""
        if self.verdict == "no model":
            return "baseline", self.baselines[0]
        return "model", self.best

    @property
    def value_name(self) -> str:
        """What values are called: "cost", "gain" or "regret"."""
        return name_value(self.problem.sense, self.aim.criterion)

    def value(self, key: Judged, level: float = 0.95) -> tuple[float, float, float]:
        """Return a value with its interval; models' are shrunk for having been chosen."""
        if (key, level) not in self._values:
            self._values[key, level] = self._value(key, level)
        return self._values[key, level]

    def chosen_value(self) -> tuple[float, float, float]:
        """Return the value of what was chosen with its interval; extreme ones raise an error."""
        found = self.value(self.chosen)
        check_magnitude(found, "The costs (or gains) per case have values")
        return found

    def _value(self, key: Judged, level: float) -> tuple[float, float, float]:
        kind, name = key
        estimate = self.honest.estimates[key]
        value, error = estimate.value, estimate.standard_error
        if kind == "model":
            at, shrunk = list(self.honest.models).index(name), self.honest.shrunk
            value, error = float(shrunk.value[at]), float(shrunk.error[at])
        if error == 0.0:
            return value, value, value
        quantiles = estimate.quantiles(level)
        low, high = interval(value, error, level, scale=estimate.scale, quantiles=quantiles)
        # Below its floor is the regret of a baseline that is better than the best model.
        return value, low if value < estimate.floor else max(low, estimate.floor), high

    @property
    def shown(self) -> set[Judged]:
        """What values are shown of: models, tuned and as they are, and baselines."""
        found: set[Judged] = {("model", name) for name in self.honest.models}
        found |= {("raw", name) for name in self.meant}
        return found | {("baseline", name) for name in self.baselines}

    def moved(self, key: Judged) -> float:
        """Return by how much a value, or that of what is advised, is shrunk."""
        return max(
            abs(self.value(each)[0] - self.honest.estimates[each].value)
            for each in (key, self.chosen)
        )

    def beside(self, key: Judged) -> Beside:
        """Return what something gives, and what the decision gains over it."""
        value, low, high = self.value(key)
        sign = self.honest.sign
        gap = _gain(self.honest, self.chosen, key)
        gain = sign * (value - self.value(self.chosen)[0])
        if gap.standard_error == 0.0:  # both decide the same, and had the same luck
            gain = gap.value
        if gap.standard_error == 0.0:
            return Beside(value, low, high, gain, gain, gain)
        ends = interval(gain, gap.standard_error, 0.95, gap.freedom)
        return Beside(value, low, high, gain, *ends)

    def knob(self, name: str) -> Floats:
        """Return the setting of a model or a baseline."""
        return self.learned.knobs[name].chosen

    def deed(self, baseline: str, step: float) -> Deed:
        """Return what a baseline does, in words."""
        return self.problem.say_baseline(own_name(baseline), self.knob(baseline), step)

    def rows(self, level: float = 0.95) -> tuple[Row, ...]:
        """Return the table of the answer."""
        names = list(self.honest.models)
        raw = self.honest.of("raw")
        models = [
            Row(
                name,
                False,
                tuple(self.knob(name).tolist()),
                *self.value(("model", name), level),
                raw[name].value if name in self.meant else None,
                float(self.beliefs.best[names.index(name)]),
                self.learned.scores[name],
            )
            for name in self.honest.ranked
        ]
        others = [
            Row(name, True, (), *self.value(("baseline", name), level), None, None, None)
            for name in self.baselines
        ]
        return (*models, *others)


def _gain(honest: Honest, better: Judged, worse: Judged) -> Estimate:
    """Return the paired gain of one thing over another, positive if it is better."""
    return honest.gap(worse, better).scaled(honest.sign)


def words_of(weighed: Weighed, step: Callable[[str], float]) -> dict[str, str]:
    """Return what to do and what was asked, in the words of the arm.

    ``step`` is the last digit that is said of the setting of a model or a baseline.
    """
    problem, aim, (kind, name) = weighed.problem, weighed.aim, weighed.chosen
    single = None if _varied(problem, aim) else float(aim.contexts[0])
    assumed = aim.middle if np.isfinite(aim.middle) else None
    raw = problem.say_raw(weighed.best, single, assumed)
    found = {"raw": raw.doing, "untuned": raw.do, "asked": say_aim(problem, aim)}
    if aim.criterion == "worst":
        found["worst"] = problem.say_worst(*ends_of(aim), problem.linear)
        found |= {} if problem.same_worst else {"own worst": "in its own worst case"}
    if weighed.baselines:
        best = weighed.baselines[0]
        found["baseline"] = weighed.deed(best, step(best)).doing
    if kind == "baseline":
        do = weighed.deed(name, step(name)).do
        return {**found, "action": f"{do[:1].upper()}{do[1:]}"}
    rival = weighed.rival
    if rival is not None:
        found["rival"] = problem.say_action(rival, weighed.knob(rival), step(rival), single)
    return {**found, "action": problem.say_action(name, weighed.knob(name), step(name), single)}


def _varied(problem: Problem, aim: Aim) -> bool:
    return aim.ranged or aim.distribution is not None or isinstance(problem, OwnContexts)


def say_aim(problem: Problem, aim: Aim) -> str:
    """Return what was asked as a clause, with all that affects the costs."""
    if isinstance(problem, OwnContexts):
        said = problem.inner.say_own()
    elif aim.distribution is not None:
        said = problem.say_spread(spread_of(problem, aim, aim.distribution))
    elif aim.ranged:
        said = problem.say_between(*ends_of(aim))
    else:
        given: Mapping[str, Any] = aim.given
        said = problem.say_asked(given, float(aim.contexts[0]))
    more = problem.say_settings()
    return f"{said} and {more}" if more else said

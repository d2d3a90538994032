"""What policies would have given over time, each having learned from the past only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.comparison.rules import HybridRegion
from roctopus.concepts.dependence import Dependence
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward
from roctopus.monitoring.periods import Periods

COLUMNS = (
    *("policy", "total", "per_case", "saving", "saving_low", "saving_high", "saving_percent"),
    "regret",
)
BESIDE = {
    "frozen": ("untuned",),
    "following": ("frozen",),
    "hybrid": ("following", "frozen"),
    "retuned": ("frozen",),
    "retuned hybrid": ("hybrid", "following", "frozen"),
}
"""What each policy is compared with: the first of these that there is."""


@dataclass(frozen=True)
class Setting:
    """What a policy used from a period on, and what it was learned from.

    Parameters
    ----------
    policy : str
        Name of the policy, such as "retuned".
    period : int
        Number of the period from which it was used.
    cases : int
        How many cases it was learned from.
    rule : tuple of HybridRegion
        Model and setting by ranges of contexts; one range, of all, if both are the same everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> day, rng = np.arange(90), np.random.default_rng(0)
    >>> y = rng.normal(100, 10, 90)
    >>> comparison = rt.compare(y, {"a": y + rng.normal(-5, 4, 90)}, arm="regression")
    >>> first = comparison.backtest(time=day, start=30, asymmetry=0.8).settings[1]
    >>> first.policy, first.model, first.knob, first.cases
    ('frozen', 'a', '7.942', 30)
    """

    policy: str
    period: int
    cases: int
    rule: tuple[HybridRegion, ...]

    @property
    def held(self) -> bool:
        """Whether model and knob are the same in all contexts."""
        return len(self.rule) == 1

    @property
    def model(self) -> str:
        """The model, or all that the rule uses."""
        return ", ".join(dict.fromkeys(model for _, _, model, _ in self.rule))

    @property
    def knob(self) -> str:
        """The knob in words; of a rule its first and its last part."""
        if self.policy == "untuned":
            return "untuned"
        settings = [", ".join(f"{v:.4g}" for v in knob) for _, _, _, knob in self.rule]
        if self.held:
            return settings[0]
        first = f"{settings[0]} at {self.rule[0][0]:.4g}".strip()
        last = f"{settings[-1]} at {self.rule[-1][1]:.4g}".strip()
        return f"{first} to {last}, {len(self.rule)} parts"


@dataclass(frozen=True, eq=False, repr=False)
class Backtest:
    """Policies replayed forward in time: what each would have cost or earned.

    Made by :meth:`Comparison.backtest() <roctopus.Comparison.backtest>`. ``print`` it for the
    answer; ``table()`` has totals, ``frame()`` every period, ``choices()`` what was used when, and
    ``plot()`` draws it.

    - "untuned": the model whose predictions looked best as they are, in the start part
    - "frozen": model and setting from the start part
    - "following": the frozen model, with a setting that follows each case's context
    - "hybrid": as "following", and the model is chosen by the context, too
    - "retuned" and "retuned hybrid": tuned again as time goes by
    - "oracle": for every stretch between two retunings, the model and setting that were best in it.
      No decision that is held for the stretch does better, but one that follows contexts within it
      may. Where the share of accepted cases is limited, it keeps to the limits in every stretch,
      which the others may not.

    Parameters
    ----------
    outcomes : dict of str to array of shape (judged,)
        By policy, the outcome of each judged case, in order of time.
    rows : array of shape (judged,)
        Which rows of the comparison the judged cases are.
    period : array of shape (judged,)
        Number of each judged case's period.
    periods : Periods
        All periods in order of time.
    settings : tuple of Setting
        What each policy used, and from when.
    weight : array of shape (judged,) or None
        Weight of each judged case.
    contexts : array of shape (judged,)
        Context of each judged case.
    context : str
        Name of the context, such as "asymmetry".
    sense : {"loss", "gain"}
        Whether less or more is better.
    knob_name : str or None
        What is tuned, such as "shift"; None where there is nothing to set.
    refit : int
        After how many periods the retuned policies are tuned again.
    start_cases : int
        Number of cases in the start part.
    backend : str or None, default None
        Dataframe library that the data came in.
    cosines : float or None, default None
        How many cosines describe what signed errors have in common with their neighbours in time.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> day, rng = np.arange(90), np.random.default_rng(0)
    >>> y = rng.normal(100, 10, 90)
    >>> comparison = rt.compare(y, {"a": y + rng.normal(-5, 4, 90)}, arm="regression")
    >>> found = comparison.backtest(time=day, start=30, asymmetry=0.8)
    >>> found.policies
    ('untuned', 'frozen', 'retuned', 'oracle')
    >>> found.saving("retuned").value > 0.0
    True
    """

    outcomes: Mapping[str, Floats]
    rows: NDArray[np.intp]
    period: NDArray[np.intp]
    periods: Periods
    settings: tuple[Setting, ...]
    weight: Floats | None
    contexts: Floats
    context: str
    sense: str
    knob_name: str | None
    refit: int
    start_cases: int
    backend: str | None = None
    cosines: float | None = None

    @property
    def policies(self) -> tuple[str, ...]:
        """The names of the policies."""
        return tuple(self.outcomes)

    @cached_property
    def judged(self) -> NDArray[np.intp]:
        """The periods that were judged and have cases."""
        return np.unique(self.period)

    @cached_property
    def _mass(self) -> Floats:
        return np.ones(len(self.period)) if self.weight is None else self.weight

    def by_period(self, values: Floats) -> Floats:
        """Return weighted sums of judged cases over the periods that have any.

        Parameters
        ----------
        values : array of shape (judged,)
            A number for each judged case.

        Returns
        -------
        array of shape (periods,)
            The sum of weight × value in each period that was judged.
        """
        unit = np.searchsorted(self.judged, self.period)
        return np.asarray(np.bincount(unit, self._mass * values, len(self.judged)))

    def totals(self) -> dict[str, float]:
        """Return the total outcome by policy.

        Returns
        -------
        dict of str to float
            The sum of weight × outcome over all judged cases.
        """
        return {name: float(self._mass @ each) for name, each in self.outcomes.items()}

    def _savings(self, policy: str, over: str) -> Floats:
        for name in (policy, over):
            if name not in self.outcomes:
                known = ", ".join(map(repr, self.policies))
                raise InputError(f"This backtest has no policy {name!r}. Its policies: {known}.")
        gap = self.outcomes[over] - self.outcomes[policy]
        return gap if self.sense == "loss" else -gap

    def saving(self, policy: str, over: str = "untuned") -> Estimate:
        """Return what a policy saves against another, per case, with its interval.

        Periods are the units, and neighbouring ones may be correlated: differences are summed
        within periods, and the mean is a ratio of sums, so that periods may have unequal numbers of
        cases. What was learned is taken as it was.

        Parameters
        ----------
        policy : str
            Name of the policy, such as "retuned".
        over : str, default "untuned"
            Policy that it is compared with.

        Returns
        -------
        Estimate
            The saving per case, in the unit of the costs; positive is better: less lost, or more
            earned.

        Notes
        -----
        How often 95 % intervals contain the truth where effects of periods are correlated is in the
        table of coverage (``benchmarks/dependence.py``).
        """
        saved = self.by_period(self._savings(policy, over))
        cases = self.by_period(np.ones(len(self.period)))
        value = float(saved.sum() / cases.sum())
        influence = (saved - value * cases) / cases.mean()
        return Estimate(
            value, influence, dependence=Dependence(None, np.arange(len(influence)), self.cosines)
        )

    def interval(self, policy: str, over: str = "untuned") -> tuple[float, float]:
        """Return the 95 % interval of the mean saving.

        Parameters
        ----------
        policy : str
            Name of the policy, such as "retuned".
        over : str, default "untuned"
            Policy that it is compared with.

        Returns
        -------
        tuple of (float, float)
            The lower and the upper end, per case; the same where all periods agree.
        """
        found = self.saving(policy, over)
        if found.standard_error == 0.0:
            return found.value, found.value
        low, high = found.confidence_interval(method="plain")
        return low, high

    def _columns(self) -> dict[str, list[Any]]:
        totals, size = self.totals(), float(self._mass.sum())
        base, best = abs(totals["untuned"]), totals["oracle"]
        sign = 1.0 if self.sense == "loss" else -1.0
        rows = []
        for name, total in totals.items():
            saved = self.saving(name).value * size
            low, high = (size * end for end in self.interval(name))
            percent = 100.0 * saved / base if base > 0.0 else np.nan
            rows.append(
                (name, total, total / size, saved, low, high, percent, sign * (total - best))
            )
        return {n: list(c) for n, c in zip(COLUMNS, zip(*rows, strict=True), strict=True)}

    def table(self, backend: str | None = None) -> Any:
        """Return totals by policy as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            ``total`` is the sum of weight × outcome; ``saving`` is against "untuned" (for gains,
            what is earned more), with its 95 % interval, and in percent of what "untuned" gave;
            ``regret`` is by how much "oracle" is better (less than zero if following contexts beats
            it).
        """
        return make_frame(self._columns(), self.backend, backend)

    def frame(self, backend: str | None = None) -> Any:
        """Return what each policy gave in every period, as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            By period and policy: the number of cases, the total, and what was saved until then.
        """
        count = np.bincount(np.searchsorted(self.judged, self.period))
        parts = {
            name: (self.by_period(each), np.cumsum(self.by_period(self._savings(name, "untuned"))))
            for name, each in self.outcomes.items()
        }
        columns = {
            "period": np.tile(self.periods.begins[self.judged], len(parts)),
            "policy": np.repeat(list(parts), len(self.judged)),
            "cases": np.tile(count, len(parts)),
            "total": np.concatenate([total for total, _ in parts.values()]),
            "cumulative_saving": np.concatenate([saved for _, saved in parts.values()]),
        }
        return make_frame(columns, self.backend, backend)

    def choices(self, backend: str | None = None) -> Any:
        """Return what each policy used and from which period on, as a dataframe.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.

        Returns
        -------
        dataframe
            The policy, the period from which it applies, the model, the setting, and the number of
            cases it was learned from.
        """
        columns = {
            "policy": [each.policy for each in self.settings],
            "from_period": self.periods.begins[[each.period for each in self.settings]],
            "model": [each.model for each in self.settings],
            "knob": [each.knob for each in self.settings],
            "cases": [each.cases for each in self.settings],
        }
        return make_frame(columns, self.backend, backend)

    def _clause(self, policy: str) -> str:
        """Say what a policy saves against the one before it."""
        over = next(name for name in BESIDE[policy] if name in self.outcomes)
        doing, than = self._doing[policy], f" than {self._beside[over]}"
        value, (low, high) = self.saving(policy, over).value, self.interval(policy, over)
        base = abs(self.totals()["untuned"]) / float(self._mass.sum())
        scale, unit = (100.0 / base, " %") if base > 0.0 else (1.0, " per case")
        digits = ".1f" if base > 0.0 else ".4g"

        def say(*numbers: float) -> str:
            return " to ".join(f"{scale * number:{digits}}" for number in numbers)

        verb = "saves" if self.sense == "loss" else "earns"
        more = f" more{than}" if over != "untuned" or self.sense == "gain" else ""
        if value == low == high == 0.0:
            return f"{doing} changes nothing"
        if low > 0.0:
            return f"{doing} {verb} {say(value)}{unit}{more} ({say(low, high)})"
        if high < 0.0:
            worse = "costs" if self.sense == "loss" else "earns"
            less = "more" if self.sense == "loss" else "less"
            return f"{doing} {worse} {say(-value)}{unit} {less}{than} ({say(-high, -low)})"
        what = f"{verb[:-1]}{more or ' anything'}"
        return f"{doing} is not shown to {what} ({say(value)}{unit}, {say(low, high)})"

    @property
    def _doing(self) -> dict[str, str]:
        """What each policy means, as the start of a sentence."""
        often = "every period" if self.refit == 1 else f"every {self.refit} periods"
        context = self.context.replace("_", " ")
        too = ", too," if "following" in self.outcomes else ""
        return {
            "frozen": "Tuning once",
            "following": f"Following the {context}",
            "hybrid": f"Choosing the model by the {context}{too}",
            "retuned": f"Re-tuning {often}",
            "retuned hybrid": f"Relearning the rule {often}",
        }

    @property
    def _beside(self) -> dict[str, str]:
        """What policies are compared with, within a sentence."""
        return {
            "untuned": "without tuning",
            "frozen": "tuning once",
            "following": f"following the {self.context.replace('_', ' ')} with one model",
            "hybrid": "learning it once",
        }

    @property
    def sentence(self) -> str:
        """The answer: what each step saves, in per cent of what "untuned" gave."""
        return " ".join(f"{self._clause(name)}." for name in self.policies if name in self._doing)

    def __str__(self) -> str:
        columns = self._columns()
        width = max(map(len, columns["policy"]))
        verb = "saving" if self.sense == "loss" else "more"
        lines = [
            self.sentence,
            f"  {'policy':{width}} {'total':>11} {'per case':>9} {verb:>10} {'(95 %)':>22} "
            f"{'%':>7}",
        ]
        for name, total, each, saved, low, high, percent, _ in zip(*columns.values(), strict=True):
            ends = "" if name == "untuned" else f"{low:.4g} to {high:.4g}"
            lines.append(
                f"  {name:{width}} {total:>11.5g} {each:>9.4g} {saved:>10.4g} {ends:>22} "
                f"{percent:>7.1f}"
            )
        first, last = (self.periods.label(int(self.judged[end])) for end in (0, -1))
        lines.append(
            f"  ({len(self.period):,} cases in {len(self.judged):,} periods from {first} to "
            f"{last}; the {self.start_cases:,} cases before them were only used for fitting)"
        )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def plot(self, **options: Any) -> Any:
        """Draw what was saved over time, and how settings and contexts moved.

        Parameters
        ----------
        **options
            Options of ``BacktestDisplay.plot``, such as ``ax``.

        Returns
        -------
        BacktestDisplay
            The picture, with its matplotlib ``ax_`` and ``figure_``.
        """
        return upward("plot_backtest")(self, **options)

"""Models of one arm on more cases than memory holds, and what can be asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from roctopus.comparison.metric_columns import Measures, TableQuestion, bounded_columns
from roctopus.comparison.row_contexts import OwnContexts
from roctopus.comparison.verbs import AnyComparison
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import ModelGrid
from roctopus.core.errors import InputError
from roctopus.core.turns import rounding_of
from roctopus.inference.aims import Aim
from roctopus.inference.baselines import baselines_for
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned, by_curves, ends_of
from roctopus.scanning.batches import PILOT, Reading
from roctopus.scanning.condensed import read_judged
from roctopus.scanning.grids import Grids, start_grids
from roctopus.scanning.judging import JudgingScan
from roctopus.scanning.models import ScannedModels
from roctopus.scanning.opening import open_buckets
from roctopus.scanning.scans import GridScan

LOOKED_AT = 9
"""In a range, so many contexts are looked at beside those at which models are at their worst."""


@dataclass(eq=False, repr=False)
class LargeComparison(ScannedModels, AnyComparison):
    """Models of one arm on the rows of a source, which may be more than memory holds.

    Made by :func:`~roctopus.compare`. The methods are those of a comparison in memory. Curves are
    exact for settings at the borders of buckets, with bounds for the best setting (``lower`` and
    ``upper``). In the mode "exact" decisions have the best setting itself, and areas are computed
    from sorted rows.

    A decision takes one more scan: its values, standard errors and paired differences are exact for
    the setting it names. Out-of-sample values are those of a half of the rows with a setting tuned
    on the other half, for several ways to halve them unless there are very many; halves are drawn
    by the place of rows in their batch, so a source whose order changes from scan to scan mixes
    them a little.

    Parameters
    ----------
    problem : Problem
        A small sample that stands for the cases.
    mode : {"grid", "exact"}, default "grid"
        How settings are found: at the borders of buckets, or exactly.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import pyarrow.dataset as ds
    >>> import roctopus as rt
    >>> y = [float(k % 7) for k in range(300)]
    >>> table = pa.table({"y": y, "a": [v + (v % 2) for v in y], "b": [v + 1.5 for v in y]})
    >>> source = ds.dataset(table)
    >>> comparison = rt.compare("y", source, arm="regression", mode="grid", progress=False)
    >>> comparison.cases, comparison.models
    (300, ('a', 'b'))
    >>> comparison.decide(under_cost=4, over_cost=1).model
    'b'
    """

    PUBLIC: ClassVar[tuple[str, ...]] = (*AnyComparison.PUBLIC, "measures", "mode")

    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that is worth on other data."""
        return self._judged(problem, aim)[:2]

    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned, by the aim's criterion."""
        return self._judged(problem, aim)[2]

    def _judged(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest, dict[str, float]]:
        return self.once_for(problem, aim, lambda: self._judge(problem, aim))

    def _judge(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest, dict[str, float]]:
        """Learn, and judge what was learned by one more scan."""
        asked = aim
        grids, tuned, at = self._tuning(problem, aim)
        opened = None
        if self.mode == "exact":
            opened = open_buckets(grids, tuned, at, lambda x: self._scan(x, "rows looked up"))
        whole = grids.learn(tuned, at, opened=opened)
        halves = grids.learn_halves(tuned, at)
        taught = [each for each, _ in halves] or [whole, whole]
        parts = [None, *(half for _, half in halves)] if halves else [None] * 3
        named = {} if by_curves(problem, aim) else baselines_for(problem, aim, self.models)
        if by_curves(problem, aim):  # at the contexts at which models are at their worst
            places = {x for each in (whole, *taught) for x in each.worst_at.values()}
            places |= set(np.linspace(*ends_of(aim), LOOKED_AT).tolist())
            aim = replace(aim, contexts=np.array(sorted(places)), looked_at=True)
            whole, *taught = (self._beside_best(each, problem, aim) for each in (whole, *taught))
        whole, *taught = [
            grids.with_baselines(each, tuned, aim, named, part)
            for each, part in zip((whole, *taught), parts, strict=True)
        ]
        rounds = tuple(zip(taught[::2], taught[1::2], strict=True))
        state = JudgingScan(self.reading, problem, self.grids.classes, aim, whole, rounds, named)
        scan = self._scan(state, "rows judged")
        self._fingerprint = self._hash(scan)
        found, honest, plain = read_judged(self.models, scan, problem, aim, whole, self.rng)
        least = grids.least(tuned, asked, self.curves_of(tuned))
        return replace(found, least=least), honest, plain

    def _beside_best(self, learned: Learned, problem: Problem, aim: Aim) -> Learned:
        """Return what was learned, for regret with the best model at each context looked at."""
        if aim.criterion != "regret":
            return learned
        best, contexts = self.envelope_of(problem), aim.contexts
        settings = np.asarray(best.knob_at(contexts)).reshape(len(contexts), -1)
        found = zip(contexts.tolist(), best.best_at(contexts).tolist(), settings, strict=True)
        return replace(learned, references=tuple(found))

    def _tuning(self, problem: Problem, aim: Aim) -> tuple[Grids, Problem, Aim]:
        """Return grids that can tune for an aim, with problem and aim as they see these.

        For one context, and for rows that each have their own, another scan may be needed.
        """
        single = not aim.ranged and aim.distribution is None
        if isinstance(problem, OwnContexts):
            relative = replace(self.reading, relative=True)
            grids = replace(self.grids, reading=relative)
            tuned, at = problem.inner, replace(aim, contexts=np.zeros(1))
            near = rounding_of(problem.contexts.values)
            return self._at_context(grids, self._laid_out(relative), 0.0, near), tuned, at
        if not single:
            return self.grids, problem, aim
        known = self.grids.scan.grids
        return self._at_context(self.grids, known, float(aim.contexts[0])), problem, aim

    def _laid_out(self, reading: Reading) -> dict[str, ModelGrid]:
        """Return empty grids of rows that are read another way."""
        rows = reading.first(self.source.pilot(reading.columns, PILOT))
        count = next(iter(self.grids.scan.grids.values())).buckets.count
        return start_grids(reading, rows.truth, rows.predictions, count, self.grids.options)

    def _at_context(
        self, grids: Grids, laid: Mapping[str, ModelGrid], context: float, near: float = 0.0
    ) -> Grids:
        """Return grids of another scan that can tune at one context, where there are such."""
        fresh = {name: each.at_context(context, near) for name, each in laid.items()}
        known = {name: each for name, each in fresh.items() if each is not None}
        if len(known) < len(fresh):
            return grids
        scan = self._scan(GridScan(grids.reading, known), "rows at the context")
        return replace(grids, scan=scan)

    _fingerprint: str | None = None

    @property
    def fingerprint(self) -> str:
        """A hash of true values, weights and predictions in any order; known once decided."""
        if self._fingerprint is None:
            raise InputError(
                "'fingerprint' is only available after a decision. Call decide(...) first."
            )
        return self._fingerprint

    def metric_columns(
        self, names: Sequence[str], wanted: Measures, question: TableQuestion, level: float
    ) -> dict[str, Any]:
        """Return metrics of some models as columns, with certified bounds."""
        return bounded_columns({name: self.measures(name) for name in names}, wanted)

    def _say_cases(self) -> str:
        return f"{self.cases} cases of '{self.source.name}'"

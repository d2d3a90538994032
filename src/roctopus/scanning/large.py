"""Models of one arm on more cases than memory holds, and what can be asked of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from roctopus.comparison import measures as columns_of
from roctopus.comparison.deciding import decide
from roctopus.comparison.metric_columns import bounded_columns
from roctopus.comparison.protocol import Measures
from roctopus.comparison.regions import SureRegion, regions_with
from roctopus.concepts.decision import Decision
from roctopus.concepts.frames import make_frame
from roctopus.concepts.problem import Problem
from roctopus.core.errors import InputError, warn
from roctopus.core.lazy import upward
from roctopus.inference.aims import Aim, Criterion, read_aim
from roctopus.inference.cross_fitting import Honest
from roctopus.inference.policies import Learned
from roctopus.scanning.condensed import read_judged
from roctopus.scanning.judging import JudgingScan
from roctopus.scanning.models import ScannedModels
from roctopus.scanning.opening import open_buckets


@dataclass(eq=False, repr=False)
class LargeComparison(ScannedModels):
    """Models of one arm on the rows of a source.

    The verbs are those of a comparison in memory. Curves are those of settings at the borders of
    buckets, which are exact, with bounds for the best setting (``lower`` and ``upper``). In the
    mode "exact" decisions have the best setting itself, and areas are found from sorted rows.

    A decision takes one more scan: its values, standard errors and paired differences are exact
    for the setting it names. Honest values are those of a half of the rows with what the other
    half taught; halves are drawn by the place of rows in their batch, so a source whose order
    changes from scan to scan mixes them a little.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = (
        "cases",
        "curves",
        "decide",
        "envelope",
        "fingerprint",
        "measures",
        "mode",
        "models",
        "plot",
        "problem",
        "regions",
        "table",
    )

    def regions(
        self, *, between: tuple[float, float] | None = None, confidence_level: float = 0.95
    ) -> tuple[SureRegion, ...]:
        """Return who is best where, and which models may be: all statements hold together.

        Takes a scan, with the outcomes of all models at 33 contexts.
        """
        return regions_with(
            self.problem, self.envelope, between, confidence_level, self._joints, self.rng
        )

    def aim(
        self, between: Any, criterion: Criterion | None, distribution: Any, context: dict[str, Any]
    ) -> tuple[Problem, Aim]:
        """Read what a decision is for."""
        return read_aim(
            self.problem,
            between=between,
            criterion=criterion,
            distribution=distribution,
            given=context,
        )

    def learned(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest]:
        """Return what the data say for an aim, and what that is worth on other data."""
        found = self._judged(problem, aim)
        return found[0], found[1]

    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned."""
        values: dict[str, float] = self._judged(problem, aim)[2]
        return values

    def _judged(self, problem: Problem, aim: Aim) -> tuple[Learned, Honest, dict[str, float]]:
        settings = repr((problem.settings(), problem.unit))
        key = (aim.contexts.tobytes(), aim.criterion, id(aim.source), settings)
        if key not in self._cache:
            opened = None
            if self.mode == "exact":
                opened = open_buckets(
                    self.grids, problem, aim, lambda state: self._scan(state, "rows looked up")
                )
            whole = self.grids.learn(problem, aim, self._curves, opened=opened)
            halves = [self._taught(problem, aim, half, whole) for half in (0, 1)]
            state = JudgingScan(
                self.reading, problem, self.grids.classes, aim, (whole, halves[0], halves[1])
            )
            scan = self._scan(state, "rows judged")
            self._cache[key] = (
                aim.source,
                read_judged(self.models, scan, problem, aim, whole, self.rng),
            )
            self._fingerprint = self._hash(scan)
        found: tuple[Learned, Honest, dict[str, float]] = self._cache[key][1]
        return found

    def _taught(self, problem: Problem, aim: Aim, half: int, whole: Learned) -> Learned:
        """Return what one half of the rows teaches."""
        try:
            return self.grids.learn(problem, aim, self._curves, half=half)
        except InputError:
            warn(
                "There are too few different rows to learn on half of them: values are those of "
                "the rows that settings were chosen on, and flatter."
            )
            return whole

    _fingerprint: str | None = None

    @property
    def fingerprint(self) -> str:
        """A hash of truths, weights and predictions, whatever the order; known once decided."""
        if self._fingerprint is None:
            raise InputError("The data are hashed when something is decided: decide first.")
        return self._fingerprint

    def table(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        measures: Measures | None = None,
        confidence_level: float = 0.95,
        backend: str | None = None,
        **context: Any,
    ) -> Any:
        """Return the models, best first, as a frame of your kind.

        The columns are those in memory, except that measures of the arm have certified bounds
        (``_at_least``, ``_at_most``) instead of confidence intervals (``_low``, ``_high``). In the
        mode "exact" both bounds equal the value.
        """
        asked = (between, criterion, distribution)
        ranked, columns = columns_of.ranked_columns(self, asked, context, confidence_level)
        if measures is None and len(columns) == 1:
            measures = "all"
        if measures is not None:
            found = {name: self.measures(name) for name in ranked}
            columns |= bounded_columns(found, measures)
        return make_frame(columns, None, backend or "pyarrow")

    def decide(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        hybrid: bool = False,
        **context: Any,
    ) -> Decision:
        """Decide which model to use, with which setting: as in memory, by one more scan.

        In the mode "grid" the setting is the best at the border of a bucket.
        """
        if hybrid:
            raise InputError("A hybrid decision needs all rows in memory.")
        problem, aim = self.aim(between, criterion, distribution, context)
        return decide(self, problem, aim, hybrid=False)

    def plot(self, **options: Any) -> Any:
        """Draw the curves, and who is best where."""
        return upward("plot_comparison")(self, **options)

    def __repr__(self) -> str:
        told = "; ".join(
            f"{model} for {self.problem.context} {low:.3g} to {high:.3g}"
            for low, high, model in self.envelope.regions[:4]
        )
        told += "; …" if len(self.envelope.regions) > 4 else ""
        count = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        return f"Best in-sample: {told}. ({count}, {self.cases} cases of '{self.source.name}')"

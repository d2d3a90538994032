"""Models on the rows of a source, and what is known of them without deciding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from roctopus.comparison.row_contexts import OwnContexts, RowContexts
from roctopus.concepts.context_curve import ContextCurve
from roctopus.concepts.fingerprints import fingerprint_of
from roctopus.concepts.joint import JointEstimates
from roctopus.concepts.problem import Problem
from roctopus.concepts.responses import Response
from roctopus.concepts.streams import Bounded, Mode, Source
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError
from roctopus.core.progress import Progress
from roctopus.core.resampling import Random
from roctopus.inference.policies import sign_of
from roctopus.scanning.batches import Reading
from roctopus.scanning.condensed import condense, plus
from roctopus.scanning.grids import Grids
from roctopus.scanning.in_parts import InParts
from roctopus.scanning.judging import JudgingScan, TunedScan
from roctopus.scanning.scans import OrderedScan


@dataclass(eq=False, repr=False)
class ScannedModels(InParts):
    """Curves, outcomes at contexts and measures of models whose rows are scanned."""

    problem: Problem
    """The problem of a small sample that stands for the cases."""
    source: Source
    reading: Reading
    grids: Grids
    mode: Mode = "grid"
    progress: Any = True
    rng: Random = 0
    backend: str | None = "pyarrow"
    backward: Mapping[str, str] = field(default_factory=dict)
    """Models that rank cases the wrong way round, and what is said of each."""
    own: OwnContexts | None = None
    """A few cases, each in its own context, that stand for all, where rows have their own."""
    _cache: dict[Any, Any] = field(default_factory=dict)

    @property
    def contexts(self) -> RowContexts | None:  # type: ignore[override]
        """Contexts that stand for those of the rows, where each has its own."""
        return None if self.own is None else self.own.contexts

    @property
    def in_contexts(self) -> Problem:
        """The cases that these contexts belong to."""
        return self.problem if self.own is None else self.own.inner

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.reading.models)

    @property
    def cases(self) -> int:
        """The number of cases."""
        return self.grids.cases

    def response(self, model: str) -> Response:
        """Return what the predictions of a model look like, by the buckets they lie in."""
        given = Response(None, self.problem.classes, self.problem.class_numbers)
        return given.seen(self.grids.small(model, self.problem)[1].prediction)

    def knob_values(self, problem: Problem, model: str) -> Floats:
        """Return what settings of a model are made of, bucket by bucket."""
        cases, small = self.grids.small(model, problem)
        return cases.knob_values(small.prediction)

    def _scan(self, state: Any, what: str) -> Any:
        """Let a state pass over the rows; they must be those of the first scan."""
        bar = Progress(what, self.grids.rows, self.progress)
        done = self.source.reduce(self.reading.columns, state, bar.show)
        moments = getattr(done, "moments", None)
        if moments is not None and moments.cases != self.cases:
            raise InputError(
                f"The data changed during the comparison: '{self.source.name}' had {self.cases} "
                f"cases in the first scan, but {moments.cases} cases in a later scan. Use data "
                "that do not change."
            )
        return done

    def _hash(self, scan: JudgingScan) -> str:
        weighted = scan.least < scan.most
        columns = len(self.problem.columns()) + int(weighted) + len(self.models)
        columns += int(self.reading.context is not None)
        sums = [int(each) for each in scan.hashes[int(weighted)]]
        return fingerprint_of(sums, columns, self.cases)

    def curves(self) -> dict[str, ContextCurve]:
        """Return every model's outcome over the context, tuned for each context, with bounds.

        The value is what a setting at the border of a bucket gives; the best setting gives
        something between ``lower`` and ``upper``.

        Returns
        -------
        dict of str to ContextCurve
            The mean outcome per case.
        """
        return self.curves_of(self.problem)

    def curves_of(self, problem: Problem) -> dict[str, ContextCurve]:
        """Return the curves under the costs of a problem."""
        key = ("curves", repr((problem.settings(), problem.domain, problem.unit)))
        return self.once(key, lambda: {m: self.grids.curve(m, problem) for m in self.models})

    def joints(self, points: Floats, problem: Problem) -> Iterator[JointEstimates]:
        """Yield the outcomes of all models, tuned for each of some contexts, by one scan."""
        middle = float(points[len(points) // 2])
        sign = sign_of(problem)
        curves = self.curves_of(problem)
        order = sorted(self.models, key=lambda name: sign * curves[name].at(middle))
        cases = {name: self.grids.small(name, problem) for name in order}
        knobs = {
            name: [self.grids.tuned_at(name, *each, x) for x in points.tolist()]
            for name, each in cases.items()
        }
        state = TunedScan(self.reading, problem, self.grids.classes, points, knobs)
        moments = self._scan(state, "rows at 33 contexts").moments
        size = len(self.models)
        estimates = condense(moments, range(size * len(points)))
        for number in range(len(points)):
            first, *others = estimates[number * size : (number + 1) * size]
            found = dict(zip(order, [first, *(plus(first, o) for o in others)], strict=True))
            named = {name: found[name] for name in self.models}
            yield JointEstimates.of(named, problem.sense)

    def measures(self, model: str) -> dict[str, Bounded]:
        """Return measures of one model that need no context, with bounds.

        In the mode "exact" areas are computed from sorted rows, which takes a sort of all of them.

        Parameters
        ----------
        model : str
            Name of the model.

        Returns
        -------
        dict of str to Bounded
            Each measure with the bounds between which the exact value lies.
        """
        return self.once(("measures", model), lambda: self._measure(model))

    def _measure(self, model: str) -> dict[str, Bounded]:
        found = self.grids.scan.grids[model].scalars(self.grids.options)
        if self.mode == "exact":
            for name, state in self.grids.ordered_states(model).items():
                bar = Progress(f"rows sorted for {name}", self.grids.rows, self.progress)
                counted = OrderedScan(self.reading, model, state)
                done = self.source.ordered(self.reading.columns, counted, bar.show)
                found[name] = Bounded.exactly(done.value)
        return found

"""What can be asked of every comparison, in memory or beyond it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

from roctopus.comparison.answers import Answer
from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.deciding import answer
from roctopus.comparison.measures import lengthened, ranked_columns
from roctopus.comparison.metric_columns import Measures, TableQuestion
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.regions import SureRegion, sure_regions
from roctopus.comparison.sheets import region_lines, regions_sheet
from roctopus.concepts.decision import Decision
from roctopus.concepts.frames import make_frame
from roctopus.concepts.rendering import Rendered, Sheet, short
from roctopus.core.checks import check_positive
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward
from roctopus.inference.aims import Criterion


class AnyComparison(Rendered, AnyModels):
    """Models of one arm on the same cases, wherever these are, and what can be asked of them."""

    PUBLIC: ClassVar[tuple[str, ...]] = (
        *(
            "answer",
            "cases",
            "curves",
            "decide",
            "envelope",
            "fingerprint",
            "models",
            "plot",
            "problem",
        ),
        *("regions", "table", "to_markdown"),
    )

    def regions(
        self,
        *,
        between: tuple[float, float] | None = None,
        confidence_level: float = 0.95,
        **context: Any,
    ) -> tuple[SureRegion, ...]:
        """Return which model is best where, and which could be: all statements hold together.

        Borders are exact; which models could be best is found at 33 contexts spread over the range.
        Beyond memory this takes a scan, and borders are those of settings at borders of buckets.

        Parameters
        ----------
        between : (low, high), optional
            The contexts to look at; by default all.
        confidence_level : float, default 0.95
            Of all statements together.
        **context
            Costs that hold in all contexts, as in ``decide``: with ``costs=[1, 3, 5]`` the cost of
            one class moves, and the others are these.
        """
        problem = self.aim(None, None, None, context)[0] if context else self.problem
        joints = partial(self.joints, problem=problem)
        best = self.envelope_of(problem)
        return sure_regions(problem, best, between, confidence_level, joints, self.rng)

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

        Parameters
        ----------
        between, criterion, distribution, **context
            What to rank for, as in ``decide``. Then there are, per model: the setting; the expected
            ``cost`` (or ``gain``) on new cases with its interval, by which models are ranked; the
            same for ``raw`` predictions; the ``chance`` to be the best; and the value on the data
            used for tuning. Rows of baselines follow. Without any of them, models are ranked in
            the contexts of the cases where ``compare`` was given these; otherwise they are in the
            order given.
        measures : "all", list of names, or mapping from names to arguments, optional
            Metrics of the arm to add, with their intervals. They take what they need from the
            question (the context, ``distribution``, ``between``), from what ``compare`` was given,
            and from their own arguments, as in ``{"linex_error": {"a": 0.5}}``. "all" are those
            for which that is enough; one that the data do not have is NaN then, with a warning.
            A metric asked for by name raises an error that says what it needs.
        confidence_level : float, default 0.95
            Of all intervals.
        backend : {"pandas", "polars", "pyarrow"}, optional
            The kind of frame.

        Notes
        -----
        Beyond memory, measures of the arm have certified bounds (``_at_least``, ``_at_most``)
        instead of confidence intervals (``_low``, ``_high``). In the mode "exact" both bounds equal
        the value.
        """
        asked = (between, criterion, distribution)
        ranked, columns = ranked_columns(self, asked, context, confidence_level)
        if measures is None and len(columns) == 1:
            measures = "all"
        if measures is not None:
            question = TableQuestion.of(self.problem, context, between, distribution)
            found = self.metric_columns(ranked, measures, question, confidence_level)
            columns |= lengthened(found, len(columns["model"]))
        return make_frame(columns, self.backend, backend)

    @abstractmethod
    def metric_columns(
        self, names: Sequence[str], wanted: Measures, question: TableQuestion, level: float
    ) -> dict[str, Any]:
        """Return metrics of some models as columns."""

    def decide(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        hybrid: bool = False,
        tolerance: float | None = None,
        models_only: bool = False,
        **context: Any,
    ) -> Decision:
        """Decide which model to use, with which setting: the part of the answer that is stored.

        Parameters
        ----------
        **context
            The context, in the arm's words: ``asymmetry=0.8``, ``cost_ratio=4`` (what an
            under-estimate costs in over-estimates) or ``under_cost=4, over_cost=1``;
            ``cutoff=25``; ``cost_proportion=0.2``, ``threshold_probability=0.2`` (the same),
            ``cost_ratio=4`` (what a miss costs in false alarms), ``false_positive_cost=1,
            false_negative_cost=4`` or ``slope=``; ``costs=[1, 3, 5]``, ``costs={"low": 1, "mid": 3,
            "top": 5}`` or ``cost=3``;
            ``theta=1.4``, of a net benefit also ``threshold_probability=0.2``. With costs, values
            are in their unit. Each number may be a range, as in ``cost_ratio=(2, 8)`` or
            ``under_cost=(2, 8), over_cost=1``: one decision for all of it, in terms of two costs
            that always add up to twice the fixed one. Nothing, where ``compare`` was given the
            context of each case: the decision is for these.
        between : (low, high), optional
            A range of contexts instead: one decision for all of them.
        criterion : {"worst", "regret"}, default "worst"
            For a range: the least loss at the worst context, or the least regret against the best
            decision that knows the context.
        distribution : distribution, optional
            The distribution of the context: the decision of least expected loss.
        hybrid : bool, default False
            With a distribution or the contexts of cases, and a context that will be known when it
            counts: say which model and knob to use in which part of it, where more than one pays.
        tolerance : float, optional
            The difference per case that does not matter, in the unit of the costs. By default 1 %
            of the gain over the best baseline, but at least 0.1 % of the baseline's own value.
        models_only : bool, default False
            Decide for a model even if none is shown to beat the best baseline.

        Returns
        -------
        Decision
            What to do, what it is expected to cost or gain with its interval, what raw predictions
            and baselines give instead, and a verdict: "use" if the model is the best with a
            probability of at least 95 %; "either" if rivals remain but choosing wrongly costs more
            than the tolerance with at most 10 %; "use for now" if more is at stake; "no model" if
            no model is shown to beat the best baseline, which is the advice then.

        Notes
        -----
        For a range of a class's cost, decisions are those that are best at some cost. Beyond memory
        a decision takes one more scan; in the mode "grid" the setting is the best at the border of
        a bucket.
        """
        asked: dict[str, Any] = {
            "between": between,
            "criterion": criterion,
            "distribution": distribution,
            "hybrid": hybrid,
            "tolerance": tolerance,
            "models_only": models_only,
        }
        return self.answer(**asked, **context).decision

    def answer(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        hybrid: bool = False,
        tolerance: float | None = None,
        models_only: bool = False,
        **context: Any,
    ) -> Answer:
        """Answer which model to use, with which setting, beside doing nothing.

        Takes what ``decide`` takes.

        Returns
        -------
        Answer
            The decision, and a row for every model and every baseline.
        """
        if hybrid and not isinstance(self, ComparedModels):
            raise InputError("A hybrid decision needs all rows in memory.")
        if tolerance is not None:
            check_positive(tolerance, "tolerance")
        problem, aim = self.aim(between, criterion, distribution, context)
        return answer(
            self, problem, aim, hybrid=hybrid, tolerance=tolerance, models_only=models_only
        )

    def plot(self, **options: Any) -> Any:
        """Draw how much worse each choice is than the best one, as contexts change.

        Curves are those on the data used for tuning. A dashed line is the best model with its
        predictions as they are, a grey one the best decision without a model.

        Parameters
        ----------
        **options
            The context to mark, as in ``decide``, such as ``under_cost=4, over_cost=1``.
            ``kind="cost"`` draws what each model costs instead. ``bands=False`` leaves out who is
            best where; ``low`` and ``high`` are the contexts to show; ``ax`` and ``title`` as in
            matplotlib.
        """
        return upward("plot_comparison")(self, **options)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show."""
        context = self.problem.context.replace("_", " ")
        return regions_sheet(self.envelope, f"{self._say_size()}.", context)

    def __repr__(self) -> str:
        lines = region_lines(self.envelope, self.problem.context.replace("_", " "))
        return short(f"{type(self).__name__}: {self._say_size()}", *lines)

    def _say_size(self) -> str:
        count = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        return f"{count}, {self._say_cases()}, arm {self.problem.arm!r}"

    def _say_cases(self) -> str:
        return f"{self.cases:,} cases"

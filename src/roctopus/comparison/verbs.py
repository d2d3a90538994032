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
from roctopus.core.errors import InputError, arg
from roctopus.core.lazy import upward
from roctopus.inference.aims import Criterion


class AnyComparison(Rendered, AnyModels):
    """What every comparison can be asked, in memory or beyond it.

    Users get one from :func:`~roctopus.compare`; it is a :class:`~roctopus.Comparison` or, for more
    rows than memory holds, a :class:`~roctopus.scanning.LargeComparison`.

    Examples
    --------
    >>> import roctopus as rt
    >>> from roctopus.comparison import AnyComparison
    >>> comparison = rt.compare([1, 2, 3, 4], {"a": [1, 3, 3, 5]}, arm="regression")
    >>> isinstance(comparison, AnyComparison)
    True
    """

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
        """Return which model is best where, and which others could be.

        All statements are right at once with the stated confidence. Borders are exact; which models
        could be best is tested at 33 contexts spread over the range. For data that do not fit into
        memory this takes a scan, and the settings compared are those at borders of buckets.

        Parameters
        ----------
        between : (float, float), optional
            Lowest and highest context to look at; by default all.
        confidence_level : float, default 0.95
            Probability that all statements are true together.
        **context
            Costs that hold in all contexts, in the arm's words: with ``costs=[1, 3, 5]`` one
            class's cost moves, and the other costs are these.

        Returns
        -------
        tuple of SureRegion
            The ranges in order, each with its best model and all models that could be best there.
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
        """Return the models, best first, as a dataframe.

        Parameters
        ----------
        between : (float, float), optional
            A range of contexts: models are ranked by one decision for all of it.
        criterion : {"worst", "regret"}, default "worst"
            For a range: the cost at the worst context, or the regret against the best decision that
            knows the context.
        distribution : Distribution, optional
            How likely each context is, such as ``Uniform(0.2, 0.8)``: models are ranked by expected
            cost.
        measures : "all", list of names, or mapping of str to arguments, optional
            Metrics of the arm to add, with their intervals. They take what they need from the
            question (the context, ``distribution``, ``between``), from what ``compare`` was given,
            and from their own arguments, as in ``{"linex_error": {"a": 0.5}}``. "all" adds those
            for which that is enough; a metric that cannot be computed from the data is NaN, with a
            warning. A metric asked for by name raises an error that says what it needs.
        confidence_level : float, default 0.95
            Probability that an interval contains the true value.
        backend : {"pandas", "polars", "pyarrow"}, optional
            Library of the dataframe that is returned. By default the one your data came in.
        **context
            Context, in the arm's words, such as ``asymmetry=0.8``: as in ``decide``.

        Returns
        -------
        dataframe
            With a context, a range or a distribution: the setting of each model; its expected
            ``cost`` (or ``gain``) per case on new data with its interval, by which models are
            ranked; the same for ``raw`` predictions; the ``chance`` of being the best; and the
            value on the data used for tuning. Rows of baselines follow. Without any, models are
            ranked in the contexts of the cases if ``compare`` was given these; otherwise they keep
            their order and have all metrics that need no context.

        Notes
        -----
        For data that do not fit into memory, measures of the arm have certified bounds
        (``_at_least``, ``_at_most``) instead of confidence intervals (``_low``, ``_high``). In the
        mode "exact" both bounds equal the value.
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
        """Return which model to use, with which setting: the part of the answer that is stored.

        Parameters
        ----------
        between : (float, float), optional
            A range of contexts: one decision for all of it.
        criterion : {"worst", "regret"}, default "worst"
            For a range: the least cost at the worst context, or the least regret against the best
            decision that knows the context.
        distribution : Distribution, optional
            How likely each context is, such as ``Uniform(0.2, 0.8)``: the decision of least
            expected cost.
        hybrid : bool, default False
            Whether the model and the setting may follow the context, with a distribution or the
            contexts of cases. Use it if the context is known when the decision is used. There are
            several models or settings only if that pays.
        tolerance : float, optional
            Difference per case that does not matter, in the unit of the costs. By default 1 % of
            the gain over the best baseline, but at least 0.1 % of the baseline's own value.
        models_only : bool, default False
            Decide for a model even if none is shown to beat the best baseline.
        **context
            Context, in the arm's words. Each number may be a range, as in ``cost_ratio=(2, 8)`` or
            ``under_cost=(2, 8), over_cost=1``: one decision for the whole range, with both costs
            scaled so that they add up to twice the fixed cost. Leave it out if ``compare`` was
            given the context of each case: the decision is then for these contexts.

            - regression: ``asymmetry=0.8``; ``cost_ratio=4`` (an under-estimate costs 4 times as
              much as an over-estimate); or ``under_cost=4, over_cost=1``
            - cutoff: ``cutoff=25``
            - probability: ``cost_proportion=0.2`` or ``threshold_probability=0.2`` (the same);
              ``cost_ratio=4`` (a miss costs 4 times as much as a false alarm);
              ``false_positive_cost=1, false_negative_cost=4``; or ``slope=``
            - ordinal: ``costs=[1, 3, 5]``, ``costs={"low": 1, "mid": 3, "top": 5}`` or ``cost=3``
            - impact: ``theta=1.4``; for a net benefit also ``threshold_probability=0.2``

        Returns
        -------
        Decision
            What to do, what it is expected to cost or gain per case with its interval, what raw
            predictions and baselines give instead, and a verdict: "use" if the model is the best
            with a probability of at least 95 %; "either" if rivals remain, but the probability that
            a wrong choice costs more than the tolerance is at most 10 %; "use for now" if it is
            higher; "no model" if no model is shown to beat the best baseline, which is then the
            advice.

        Notes
        -----
        For a range of one class's cost, only decisions that are best at some cost are
        compared. For data that do not fit into memory, a decision takes one more scan; in the mode
        "grid" the setting is the best at the border of a bucket.
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
        """Return which model to use, its setting, and all models and baselines for comparison.

        Parameters
        ----------
        between : (float, float), optional
            A range of contexts: one decision for all of it.
        criterion : {"worst", "regret"}, default "worst"
            For a range: the least cost at the worst context, or the least regret against the best
            decision that knows the context.
        distribution : Distribution, optional
            How likely each context is, such as ``Uniform(0.2, 0.8)``: the decision of least
            expected cost.
        hybrid : bool, default False
            Whether the model and the setting may follow the context, with a distribution or the
            contexts of cases. Use it if the context is known when the decision is used. There are
            several models or settings only if that pays.
        tolerance : float, optional
            Difference per case that does not matter, in the unit of the costs. By default 1 % of
            the gain over the best baseline, but at least 0.1 % of the baseline's own value.
        models_only : bool, default False
            Decide for a model even if none is shown to beat the best baseline.
        **context
            Context, in the arm's words, such as ``under_cost=4, over_cost=1``; ``decide`` lists the
            words of every arm.

        Returns
        -------
        Answer
            The decision, and a row for every model and every baseline; print it to read it.
        """
        if hybrid and not isinstance(self, ComparedModels):
            raise InputError(
                f"{arg('hybrid')} cannot be used for data that are read in parts, because it needs "
                f"all rows in memory. Leave out {arg('hybrid')}, or compare a sample that fits "
                "into memory."
            )
        if tolerance is not None:
            check_positive(tolerance, "tolerance")
        problem, aim = self.aim(between, criterion, distribution, context)
        return answer(
            self, problem, aim, hybrid=hybrid, tolerance=tolerance, models_only=models_only
        )

    def plot(self, **options: Any) -> Any:
        """Draw how much worse each choice is than the best one, as contexts change.

        Curves are those on the data used for tuning. A dashed line is the best model with its
        predictions as they are. A grey line is the best decision without a model.

        Parameters
        ----------
        **options
            Context to mark, in the arm's words, such as ``under_cost=4, over_cost=1``.
            ``kind="cost"`` draws what each model costs instead, ``kind="choices"`` what each choice
            is expected to cost in that context. ``bands=False`` leaves out which model is best
            where; ``low`` and ``high`` are the contexts to show; ``ax``, ``name``,
            ``curve_kwargs``, ``title``, ``legend`` and ``legend_kwargs`` are those of all displays.

        Returns
        -------
        display
            The picture, with its matplotlib ``ax_`` and ``figure_``.
        """
        return upward("plot_comparison")(self, **options)

    def sheet(self) -> Sheet:
        """Return what notebooks and Markdown show.

        Returns
        -------
        Sheet
            The sentence, the table and the notes, as plain text.
        """
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

"""Models of one arm on the same cases, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from roctopus.comparison import measures as columns_of
from roctopus.comparison.deciding import decide, judge_decision
from roctopus.comparison.knowing import Knowing, value_of_knowing
from roctopus.comparison.metric_columns import TableQuestion, metric_columns
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.protocol import Measures
from roctopus.comparison.regions import SureRegion, sure_regions
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.frames import make_frame
from roctopus.concepts.problem import Problem
from roctopus.core.lazy import upward
from roctopus.core.resampling import Random
from roctopus.inference.aims import Aim, Criterion

if TYPE_CHECKING:
    from roctopus.monitoring.backtests import Backtest
    from roctopus.monitoring.verdicts import DecisionCheck


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ComparedModels):
    """Models of one arm on the same cases.

    The verbs are the same in every arm: ``table``, ``decide``, ``check``, ``backtest``, ``plot``.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = (
        "backtest",
        "cases",
        "check",
        "curves",
        "decide",
        "envelope",
        "fingerprint",
        "from_cv_results",
        "judge",
        "models",
        "plot",
        "predictions",
        "problem",
        "regions",
        "table",
        "to_html",
        "value_of_knowing",
    )

    @staticmethod
    def from_cv_results(
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        arm: str,
        groups: Any = None,
        time_ordered: bool = False,
        pos_label: Any = None,
        response: str | None = None,
        fit_params: Mapping[str, Any] | None = None,
        sample_weight: Any = None,
        context: Any = None,
        rng: Random = 0,
        **options: Any,
    ) -> Comparison:
        """Compare estimators that ``cross_validate`` of scikit-learn has trained.

        Parameters
        ----------
        cv_results : dict, or mapping from name to dict
            What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned, of
            one model or of several, all with the same splits.
        X, y
            The data it was given.
        fit_params : mapping, optional
            What it was given to train with: ``decide(...).deploy()`` trains on all cases.
        arm, groups, time_ordered, pos_label, response, sample_weight, context, rng, **options
            As in ``compare_estimators``.
        """
        found = upward("from_cv_results")(
            cv_results,
            X,
            y,
            arm=arm,
            groups=groups,
            time_ordered=time_ordered,
            pos_label=pos_label,
            response=response,
            fit_params=fit_params,
            sample_weight=sample_weight,
            context=context,
            rng=rng,
            options=options,
        )
        return cast(Comparison, found)

    def regions(
        self, *, between: tuple[float, float] | None = None, confidence_level: float = 0.95
    ) -> tuple[SureRegion, ...]:
        """Return who is best where, and which models may be: all statements hold together.

        Borders are exact; which models may be best is found at contexts spread over the range.
        """
        return sure_regions(
            self.problem,
            self.predictions,
            self.envelope,
            between,
            confidence_level,
            self.dependence,
            self.rng,
        )

    def untuned(self, problem: Problem, aim: Aim) -> dict[str, float]:
        """Return what each model gives if nothing is tuned."""
        learned, honest = self.learned(problem, aim)
        return columns_of.untuned_values(problem, self.predictions, aim, learned, honest.rows)

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
            What to rank for, as in ``decide``. Then there are, per model: the knob; the value with
            it in-sample, by which models are ranked as ``decide`` does; the honest value with its
            interval, each case judged with a knob tuned on others; the value without tuning; and
            whether it may be the best. Without any of them, models are ranked in the contexts of
            the cases where ``compare`` was given these; else they are in the order given.
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
        """
        asked = (between, criterion, distribution)
        ranked, columns = columns_of.ranked_columns(self, asked, context, confidence_level)
        if measures is None and len(columns) == 1:
            measures = "all"
        if measures is not None:
            question = TableQuestion(context, between, distribution)
            columns |= metric_columns(self, ranked, measures, question, confidence_level)
        return make_frame(columns, self.backend, backend)

    def decide(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        hybrid: bool = False,
        **context: Any,
    ) -> Decision:
        """Decide which model to use, with which setting.

        Parameters
        ----------
        **context
            The context, in the arm's words: ``asymmetry=0.8`` or ``under_cost=4, over_cost=1``;
            ``cutoff=25``; ``cost_proportion=0.2`` or ``false_positive_cost=1,
            false_negative_cost=4`` or ``slope=``; ``costs=[1, 3, 5]`` or ``cost=3``;
            ``theta=1.4``. With costs, values are in their unit. Nothing, where ``compare`` was
            given the context of each case: the decision is for these.
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

        Returns
        -------
        Decision
            Model, knob, honest value with interval, runner-up and margin, and how sure it is:
            "clear" if no other model may be best at 95 %, "likely" if none at 80 %, else
            "undecided".

        Notes
        -----
        For a range of cutoffs the honest value is that at the cutoff which looked worst on other
        cases. For a range of a class's cost, decisions are those that are best at some cost.
        """
        problem, aim = self.aim(between, criterion, distribution, context)
        return decide(self, problem, aim, hybrid=hybrid)

    def judge(self, decision: Decision, *, distribution: Any = None) -> Estimate:
        """Return what a decision gives on these cases, for a range the loss at its worst context.

        A decision of another arm, for models that are not here, or under other costs is refused.
        One for a distribution of cutoffs needs the ``distribution`` again. On the cases it was made
        on, a warning says that the value flatters.
        """
        return judge_decision(self, decision, distribution)

    def check(
        self,
        decision: Decision,
        *,
        distribution: Any = None,
        state: str | os.PathLike[str] | None = None,
    ) -> DecisionCheck:
        """Say whether a decision still holds on these cases, and if not why, and what to do.

        Three things are looked at: whether its value is worse than recorded, whether its model
        would gain by a knob tuned anew, and whether another model is better. If nothing has
        changed, one of them raises an alarm in about 5 % of checks or fewer (simulated).

        To look again and again, name a file as ``state`` for sums over all cases seen. Then value
        and knob are watched, with a false alarm in 5 % of histories or fewer in all looks together.
        """
        return cast("DecisionCheck", upward("check_decision")(self, decision, distribution, state))

    def backtest(
        self,
        *,
        time: Any,
        window: int | None = None,
        refit: int = 1,
        start: int | None = None,
        period: Any = None,
        delay: int = 0,
        **context: Any,
    ) -> Backtest:
        """Replay policies forward in time, every setting learned from the past only.

        Parameters
        ----------
        time : array or column name
            When each case happened: numbers, dates, or text such as "2026-01-31", in any order.
            Cases of one period are judged together and never teach each other.
        window : int, optional
            How many past periods teach; by default all of them.
        refit : int, default 1
            Retuned policies learn anew every so many periods.
        start : int, optional
            How many periods teach before the first is judged. By default a third of them, or more
            until there are ten cases.
        period : positive number, or {"day", "week", "month", "quarter", "year"}, optional
            The width of a period, for numbers, or its kind, for dates; empty ones count as
            periods. By default every distinct time is one.
        delay : int, default 0
            How many periods later truths are known. At 0 a period teaches the next one.
        **context
            The context, as in ``decide``, such as ``asymmetry=0.8``. Nothing, where ``compare`` was
            given the context of each case: each is judged in its own then.

        Returns
        -------
        Backtest
            Outcomes of the policies "untuned", "frozen", "retuned" and "oracle"; and "following",
            "hybrid" and "retuned hybrid" where cases have their own contexts.

        Notes
        -----
        A start part that cannot be learned from, such as one with a single class, raises an error.
        Where ``prevalence`` was given, judged cases are weighted by the share of positives in the
        start part.

        Examples
        --------
        >>> import numpy as np
        >>> import roctopus as rt
        >>> day, rng = np.arange(90), np.random.default_rng(0)
        >>> y = rng.normal(100, 10, 90)
        >>> models = {"a": y + rng.normal(-5, 4, 90), "b": y + rng.normal(0, 12, 90)}
        >>> comparison = rt.compare(y, models, arm="regression")
        >>> found = comparison.backtest(time=day, start=30, asymmetry=0.8)
        >>> found.settings[1].model, len(found.judged)
        ('a', 60)
        """
        found = upward("backtest")(
            self,
            time=time,
            window=window,
            refit=refit,
            start=start,
            period=period,
            delay=delay,
            **context,
        )
        return cast("Backtest", found)

    def value_of_knowing(self, distribution: Any) -> Knowing:
        """Say what knowing the context would be worth, and what to ask."""
        return value_of_knowing(self, distribution)

    def plot(self, **options: Any) -> Any:
        """Draw the curves, and who is best where.

        The context to mark is given as in ``decide``, such as ``under_cost=4, over_cost=1``.
        Further options are ``ax``, ``bands``, ``title``, and ``low`` and ``high`` for the contexts
        to show.
        """
        return upward("plot_comparison")(self, **options)

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, to share: one file, nothing loaded from elsewhere.

        Options are those of ``roctopus.report.make_page``: what is shown first, as in ``decide``
        (``under_cost=4, over_cost=1``), ``title``, ``unit``, ``min_cases`` and ``exact``. A page
        can reveal single rows: share it only with people who may see the data.
        """
        upward("write_page")(path, self, **options)

    def __repr__(self) -> str:
        found = self.envelope
        told = "; ".join(
            f"{model} for {self.problem.context} {low:.3g} to {high:.3g}"
            for low, high, model in found.regions[:4]
        )
        more = f"; {len(found.regions) - 4} more regions" if len(found.regions) > 4 else ""
        never = f" Never best: {', '.join(found.never_best[:8])}." if found.never_best else ""
        count = "1 model" if len(self.models) == 1 else f"{len(self.models)} models"
        return f"Best in-sample: {told}{more}.{never} ({count}, {self.cases} cases)"

    def _repr_html_(self) -> str:
        return str(upward("show_in_notebook")(self))

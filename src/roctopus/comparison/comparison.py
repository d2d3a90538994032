"""Models of one arm on the same cases, and what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from roctopus.comparison.knowing import value_of_knowing
from roctopus.comparison.known import Knowing
from roctopus.comparison.metric_columns import Measures, TableQuestion, metric_columns
from roctopus.comparison.models import ComparedModels
from roctopus.comparison.verbs import AnyComparison
from roctopus.concepts.decision import Decision
from roctopus.concepts.estimate import Estimate
from roctopus.concepts.intervals import ConfidenceInterval, check_level
from roctopus.core.errors import InputError
from roctopus.core.lazy import upward
from roctopus.core.resampling import Random
from roctopus.inference.aims import Criterion
from roctopus.inference.setting_sets import retuned_set, setting_set

if TYPE_CHECKING:
    from roctopus.monitoring.backtests import Backtest
    from roctopus.monitoring.verdicts import DecisionCheck


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ComparedModels, AnyComparison):
    """Models of one arm on the same cases.

    The verbs are the same in every arm: ``table``, ``decide``, ``check``, ``backtest``, ``plot``.
    """

    PUBLIC: ClassVar[tuple[str, ...]] = (
        *AnyComparison.PUBLIC,
        *("backtest", "check", "from_cv_results", "judge", "predictions", "to_html"),
        *("setting_interval", "value_of_knowing"),
    )

    @staticmethod
    def from_cv_results(
        cv_results: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        arm: str,
        groups: Any = None,
        time: Any = None,
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
        arm, groups, time, pos_label, response, sample_weight, context, rng, **options
            As in ``compare_estimators``.
        """
        found = upward("from_cv_results")(
            cv_results,
            X,
            y,
            arm=arm,
            groups=groups,
            time=time,
            pos_label=pos_label,
            response=response,
            fit_params=fit_params,
            sample_weight=sample_weight,
            context=context,
            rng=rng,
            options=options,
        )
        return cast(Comparison, found)

    def metric_columns(
        self, names: Sequence[str], wanted: Measures, question: TableQuestion, level: float
    ) -> dict[str, Any]:
        """Return metrics of some models, each on its own cases, as columns."""
        return metric_columns(self, names, wanted, question, level)

    def setting_interval(
        self,
        *,
        between: tuple[float, float] | None = None,
        criterion: Criterion | None = None,
        distribution: Any = None,
        confidence_level: float = 0.95,
        **context: Any,
    ) -> ConfidenceInterval:
        """Return a confidence set for the best setting of the best model, where it is one number.

        Takes the context as ``decide`` does, and is what ``Decision.setting_low`` and
        ``setting_high`` hold. It is also found for ranges and for distributions of cutoffs, where
        decisions do not have it: the setting is tuned again on a hundred parts of the cases.
        """
        problem, aim = self.aim(between, criterion, distribution, context)
        if aim.criterion == "regret":
            raise InputError(
                "The setting of least regret depends on all models: there is no interval for it. "
                "Ask with criterion='worst', or for one context."
            )
        learned, honest = self.learned(problem, aim)
        best = honest.ranked[0]
        knob = learned.knobs[best].chosen
        if len(knob) != 1:
            raise InputError(
                "The setting is several numbers: 'setting_low' and 'setting_high' of the decision "
                "have a confidence set for each."
            )
        asked = problem, self.predictions[best], aim, knob
        how: dict[str, Any] = {"dependence": self.dependence, "rng": self.seed}
        how["level"] = check_level(confidence_level)
        found = setting_set(*asked, **how) or retuned_set(*asked, **how)
        return ConfidenceInterval(float(found.low[0]), float(found.high[0]))

    def judge(
        self, decision: Decision, *, distribution: Any = None, deployed: bool | None = None
    ) -> Estimate:
        """Return what a decision gives on these cases, for a range the loss at its worst context.

        A decision of another arm, for models that are not here, or under other costs is refused.
        One for a distribution of cutoffs needs the ``distribution`` again. On the cases it was made
        on, a warning says that the value flatters. Predictions are raw, or with ``deployed=True``
        what the deployed model returned, as in ``check``.
        """
        return cast(Estimate, upward("judge_cases")(self, decision, distribution, deployed))

    def check(
        self,
        decision: Decision,
        *,
        distribution: Any = None,
        state: str | os.PathLike[str] | None = None,
        deployed: bool | None = None,
    ) -> DecisionCheck:
        """Say whether a decision still holds on these cases, and if not why, and what to do.

        Three things are looked at: whether its value is worse than recorded, whether its model
        would gain by a knob tuned anew, and whether another model is better. If nothing has
        changed, one of them raises an alarm in about 5 % of checks or fewer (simulated).

        To look again and again, name a file as ``state`` for sums over all cases seen. Then value
        and knob are watched, with a false alarm in 5 % of histories or fewer in all looks together.

        Predictions are raw. With ``deployed=True`` those of the decided model are what the deployed
        model returned: shifted numbers, from which raw ones are found again, or yes, no and grades,
        of which only the value can be checked. By default predictions that look like that raise an
        error, so that you can say what they are. Once a ``state`` has looks, no look is lost for
        such a guess: they are taken as raw, with a warning. ``deployed=False`` says that they are.

        Cases of one cluster, or of one time, can be checked with a ``state``: looks add up in it.
        """
        asked = (decision, distribution, state, deployed)
        return cast("DecisionCheck", upward("check_cases")(self, *asked))

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
        asked = (time, window, refit, start, period, delay)
        return cast("Backtest", upward("backtest")(self, context, *asked))

    def value_of_knowing(self, distribution: Any) -> Knowing:
        """Say what knowing the context is worth on new cases, and what to ask.

        Three policies are compared on cases that they were not learned on: follow the context,
        freeze one decision for all contexts, tune nothing.

        Parameters
        ----------
        distribution : distribution
            How likely each context is, such as ``Uniform(0.2, 0.8)``.

        Returns
        -------
        Knowing
            ``worth`` is what following the context gains per case over one frozen decision, with
            its 95 % interval, ``worth_low`` to ``worth_high``. Where that includes 0, knowing the
            context is not shown to pay. ``in_sample`` has the values on the data used for tuning.
        """
        return value_of_knowing(self, distribution)

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, to share: one file, nothing loaded from elsewhere.

        Options are those of ``roctopus.report.make_page``: what is shown first, as in ``decide``
        (``under_cost=4, over_cost=1``), ``title``, ``unit``, ``min_cases`` and ``exact``. A page
        is made of groups of ``min_cases`` cases or more; only with ``exact=True`` can it reveal
        single rows.
        """
        upward("write_page")(path, self, **options)

    def _repr_html_(self) -> str:
        return str(upward("show_in_notebook")(self))

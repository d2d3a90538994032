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
from roctopus.core.errors import InputError, arg
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

    Made by :func:`~roctopus.compare` and :func:`~roctopus.compare_estimators`. The methods are the
    same in every arm: ``answer``, ``decide``, ``table``, ``regions``, ``check``, ``backtest``,
    ``plot``.

    Parameters
    ----------
    problem : Problem
        Cases that all models share: true values, weights and costs.
    predictions : dict of str to array of shape (n,)
        Predictions (numbers, scores or probabilities) of each model for these cases.

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [3, 5, 8, 9, 4, 6, 7, 5, 2, 8, 12, 1]
    >>> close = [2, 5, 9, 7, 4, 5, 8, 5, 3, 7, 11, 2]
    >>> models = {"a": close, "b": [6, 2, 8, 12, 7, 3, 9, 9, 4, 5, 8, 3]}
    >>> comparison = rt.compare(y, models, arm="regression")
    >>> comparison.models, comparison.cases
    (('a', 'b'), 12)
    >>> comparison.answer(under_cost=4, over_cost=1).decision.model
    'a'
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
        """Compare estimators that scikit-learn's ``cross_validate`` has trained.

        Parameters
        ----------
        cv_results : dict, or mapping of str to dict
            What ``cross_validate(..., return_estimator=True, return_indices=True)`` returned, for
            one model or for several, all with the same splits.
        X : array or dataframe of shape (n, features)
            Features that ``cross_validate`` was given.
        y : array of shape (n,)
            True values that ``cross_validate`` was given.
        arm : {"regression", "cutoff", "ordinal", "probability", "impact"}
            Which kind of question it is.
        groups : array of shape (n,), optional
            Which rows belong together, such as those of one customer.
        time : array of shape (n,), column name of X, or True, optional
            When each case happened, or True if rows are in order of time.
        pos_label : label, optional
            Label of the positive class. Needed for text; by default the larger number, or True.
        response : {"predict", "predict_proba", "decision_function"}, optional
            Method that gives predictions; chosen as in ``compare_estimators`` by default.
        fit_params : mapping, optional
            What ``cross_validate`` passed to ``fit``: ``decide(...).deploy()`` trains on all cases
            with it.
        sample_weight : array of shape (n,), optional
            Weight of each case; cases of weight 0 are ignored.
        context : array, or mapping of words to arrays, optional
            Context of each case, as in ``compare``.
        rng : int or Generator, default 0
            Seed or generator of random numbers: the same seed gives the same result.
        **options
            Options of the arm, as in ``compare``.

        Returns
        -------
        Comparison
            The comparison of these estimators on the cases they were not trained on.
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
        """Return a confidence interval for the best setting of the best model.

        The setting must be one number, such as a shift or a threshold.

        ``Decision.setting_low`` and ``setting_high`` contain this interval. It is also computed for
        ranges and for distributions of cutoffs, for which decisions do not have it; the setting is
        then tuned again on a hundred parts of the cases.

        Parameters
        ----------
        between : (float, float), optional
            A range of contexts: one setting for all of it.
        criterion : {"worst"}, optional
            For a range: the least cost at the worst context. The setting of least regret has no
            interval.
        distribution : Distribution, optional
            How likely each context is, such as ``Uniform(0.2, 0.8)``: the setting of least expected
            cost.
        confidence_level : float, default 0.95
            Probability that an interval contains the true value.
        **context
            Context, in the arm's words, such as ``asymmetry=0.8``: as in ``decide``.

        Returns
        -------
        ConfidenceInterval
            ``low`` and ``high``, in the unit of the setting; infinite where the data set no bound.
        """
        problem, aim = self.aim(between, criterion, distribution, context)
        if aim.criterion == "regret":
            raise InputError(
                f"{arg('criterion', 'regret')} cannot be used for an interval, because regret "
                f"depends on all models. Use {arg('criterion', 'worst')}, or a single value of "
                f"{arg(problem.context)}."
            )
        learned, honest = self.learned(problem, aim)
        best = honest.ranked[0]
        knob = learned.knobs[best].chosen
        if len(knob) != 1:
            raise InputError(
                f"What is tuned here consists of {len(knob)} numbers, so there is no single "
                "interval. Use 'setting_low' and 'setting_high' of the decision, which contain the "
                "bounds for each number."
            )
        asked = problem, self.predictions[best], aim, knob
        how: dict[str, Any] = {"dependence": self.dependence, "rng": self.seed}
        how["level"] = check_level(confidence_level)
        found = setting_set(*asked, **how) or retuned_set(*asked, **how)
        return ConfidenceInterval(float(found.low[0]), float(found.high[0]))

    def judge(
        self, decision: Decision, *, distribution: Any = None, deployed: bool | None = None
    ) -> Estimate:
        """Return what a decision gives on these cases.

        For a range of contexts it is the value at the worst one. On the cases it was made on, a
        warning says that the value is too good.

        Parameters
        ----------
        decision : Decision
            What was decided. A decision of another arm, for models that are not here, or under
            other costs raises an error.
        distribution : Distribution, optional
            Distribution of cutoffs that the decision was made for: its record does not keep it.
        deployed : bool, optional
            Whether predictions are what the deployed model returned, as in ``check``; by default
            they are raw.

        Returns
        -------
        Estimate
            The mean cost or gain per case, with its interval.
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
        """Check whether a decision still holds on these cases, and if not why, and what to do.

        Three things are compared: whether its value is worse than recorded, whether its model would
        gain by tuning the setting again, and whether another model is better. If nothing has
        changed, one of them raises an alarm in about 5 % of checks or fewer (simulated).

        Parameters
        ----------
        decision : Decision
            What was decided.
        distribution : Distribution, optional
            Distribution of cutoffs that the decision was made for: its record does not keep it.
        state : path, optional
            A file that keeps sums over all cases seen, so that you can check again and again. The
            probability of a false alarm is then at most 5 % in all looks up to the horizon
            together. Looks add up, so each may be a single cluster or time.
        deployed : bool, optional
            True if predictions are what the deployed model returned: shifted numbers, from which
            raw ones are computed, or yes, no and grades, of which only the value can be checked.
            False if they are raw. By default they are raw, and predictions that look deployed raise
            an error; once a ``state`` has looks, they are taken as raw with a warning, so that no
            look is lost.

        Returns
        -------
        DecisionCheck
            Whether the decision holds, what was found, and what to do; print it to read it.
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
        time : array of shape (n,) or column name
            When each case happened: numbers, dates, or text such as "2026-01-31", in any order.
            Cases of one period are judged together, and none of them is used to tune for the
            others.
        window : int, optional
            How many past periods are used for tuning; by default all of them.
        refit : int, default 1
            After how many periods the retuned policies are tuned again.
        start : int, optional
            How many periods come before the first one that is judged. By default a third of them,
            or more until there are ten cases.
        period : positive number, or {"day", "week", "month", "quarter", "year"}, optional
            Width of a period, for numbers, or its kind, for dates; empty ones count as periods. By
            default every distinct time is a period.
        delay : int, default 0
            Number of further periods after which true values are known. With 0, a period can be
            used to tune for the next one.
        **context
            Context, in the arm's words, such as ``asymmetry=0.8``: as in ``decide``. Leave it out
            if ``compare`` was given the context of each case: each is then judged in its own.

        Returns
        -------
        Backtest
            Outcomes of the policies "untuned", "frozen", "retuned" and "oracle"; and "following",
            "hybrid" and "retuned hybrid" where cases have their own contexts.

        Notes
        -----
        A start part that cannot be used for tuning, such as one with a single class, raises an
        error. If ``prevalence`` was given, judged cases are weighted by the share of positives in
        the start part.

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
        """Return the value of knowing the context on new cases, and the question that helps most.

        Three policies are compared on cases that they were not learned on: follow the context,
        freeze one decision for all contexts, tune nothing.

        Parameters
        ----------
        distribution : Distribution
            How likely each context is, such as ``Uniform(0.2, 0.8)``.

        Returns
        -------
        Knowing
            ``worth`` is what following the context gains per case over one frozen decision, with
            its 95 % interval, ``worth_low`` to ``worth_high``. If that includes 0, knowing the
            context is not shown to pay. ``in_sample`` has the values on the data used for tuning.
        """
        return value_of_knowing(self, distribution)

    def to_html(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write a page with the answer, to share: one file, nothing loaded from elsewhere.

        A page is made of groups of ``min_cases`` cases or more; only with ``exact=True`` can it
        reveal single rows.

        Parameters
        ----------
        path : path
            File to write, such as "answer.html".
        **options
            Options of ``roctopus.report.make_page``: what is shown first, as in ``decide``
            (``under_cost=4, over_cost=1``), ``title``, ``unit``, ``min_cases`` and ``exact``.
        """
        upward("write_page")(path, self, **options)

    def _repr_html_(self) -> str:
        return str(upward("show_in_notebook")(self))

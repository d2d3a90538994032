"""From estimators and data to a comparison: cases are judged by models that did not see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roctopus.comparison.asked import AskedEstimators, Refit
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.folding import (
    OutOfFold,
    Trainee,
    check_splits,
    count_rows,
    join_folds,
    make_splits,
    predict_folds,
    take_table,
)
from roctopus.concepts.dependence import read_order
from roctopus.concepts.responses import METHODS, TWO, Response
from roctopus.core.arrays import Floats
from roctopus.core.checks import check_choice, check_mapping
from roctopus.core.errors import InputError, arg
from roctopus.core.labels import read_labels
from roctopus.core.resampling import Random
from roctopus.inference.folds import Rows, Split


def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    arm: str,
    cv: Any = None,
    groups: Any = None,
    time: Any = None,
    pos_label: Any = None,
    response: str | None = None,
    fit_params: Mapping[str, Any] | None = None,
    sample_weight: Any = None,
    context: Any = None,
    n_jobs: int | None = None,
    rng: Random = 0,
    progress: Any = True,
    **options: Any,
) -> Comparison:
    """Compare estimators by predictions of cases they were not trained on.

    The comparison keeps its estimators: ``decide(...).deploy()`` trains the chosen one on all cases
    and returns it with its setting.

    Parameters
    ----------
    estimators : mapping of str to estimator
        Estimators of scikit-learn, also pipelines and searches (``GridSearchCV``). Copies of them
        are trained.
    X : array or dataframe of shape (n, features)
        Features, as for ``fit``.
    y : array of shape (n,)
        True values, as for ``fit``. Classes may be text.
    arm : {"regression", "cutoff", "ordinal", "probability", "impact"}
        Which kind of question it is.
    cv : int or splitter, optional
        Which cases are used for training, and which are predicted: a number of folds, or any
        scikit-learn splitter. By default five folds: blocks of time if there is ``time``, whole
        groups if there are any, with all classes in each where there are classes. Cases that are
        never predicted are left out. Those predicted several times count as one case each.
    groups : array of shape (n,), optional
        Which rows belong together, such as those of one customer. They are never split between
        training and judging, and count as one unit in intervals (``clusters`` in ``compare``).
    time : array of shape (n,), column name of X, or True, optional
        When each case happened, or True if rows are in order of time: models are trained and
        settings tuned on the past only.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    response : {"predict", "predict_proba", "decision_function"}, optional
        Method that gives predictions. By default ``predict`` for regressors; for classifiers the
        probabilities, or scores if there are none; for ordered classes the expected class.
    fit_params : mapping, optional
        What is passed to ``fit``. Arrays with one value per row are split with the rows.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    context : array, or mapping of words to arrays, optional
        Context of each case, as in ``compare``.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    progress : bool or callable, default True
        Whether to show progress on a terminal if it takes long.
    **options
        Options of the arm, as in ``compare``.

    Returns
    -------
    Comparison
        The comparison of these estimators on the cases they were not trained on.

    Examples
    --------
    >>> import roctopus as rt
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}
    >>> comparison = rt.compare_estimators(models, X, y, arm="regression")
    >>> decision = comparison.decide(under_cost=4, over_cost=1)
    >>> ready = decision.deploy()
    >>> plain = Ridge().fit(X, y).predict(X[:2])
    >>> bool((ready.predict(X[:2]) == plain + decision.knob[0]).all())
    True
    """
    named = check_mapping(estimators, "estimators", "estimators")
    asked = AskedEstimators.of(arm, y, pos_label, response, options)
    trainees = {name: asked.trainee(name, each) for name, each in named.items()}
    classes = bool(asked.problem.classes)
    truth = asked.labels if classes else next(iter(trainees.values())).truth
    times = _read_order(time, X)
    found = predict_folds(
        trainees,
        X,
        make_splits(cv, X, truth, groups, times, classes=classes),
        fit_params=fit_params,
        n_jobs=n_jobs,
        progress=progress,
    )
    refit = Refit(trainees, X, fit_params or {})
    return asked.compare(found, refit, groups, times, sample_weight, context, rng)


def from_cv_results(
    cv_results: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    arm: str,
    groups: Any,
    time: Any,
    pos_label: Any,
    response: str | None,
    fit_params: Mapping[str, Any] | None,
    sample_weight: Any,
    context: Any,
    rng: Random,
    options: Mapping[str, Any],
) -> Comparison:
    """Compare estimators that ``cross_validate`` has trained."""
    several = {"model": cv_results} if "fit_time" in cv_results else cv_results
    asked = AskedEstimators.of(arm, y, pos_label, response, options)
    trainees: dict[str, Trainee] = {}
    found: OutOfFold | None = None
    times = _read_order(time, X)
    for name, results in check_mapping(several, "cv_results", "results of cross_validate").items():
        fitted, splits = trained_folds(name, results)
        splits = check_splits(splits, count_rows(X), groups, times)
        trainees[name] = asked.trainee(name, fitted[0], as_given=True)
        ask = trainees[name].response.ask
        parts = [
            ask(one, take_table(one, X, test, train), partial=True)
            for one, (train, test) in zip(fitted, splits, strict=True)
        ]
        tests = [test for _, test in splits]
        rows = np.sort(np.concatenate(tests))
        if found is None:
            found = OutOfFold(rows, {})
        if not np.array_equal(rows, found.rows):
            raise InputError(
                f"Model {name!r} was not evaluated on the same cases as the model "
                f"{next(iter(trainees))!r}. Use the same 'cv' for all models; if it shuffles the "
                "cases, set its 'random_state'."
            )
        found.predictions[name] = join_folds(tests, parts)
    assert found is not None
    refit = Refit(trainees, X, fit_params or {})
    return asked.compare(found, refit, groups, times, sample_weight, context, rng)


def _read_order(time: Any, X: Any) -> Rows | None:
    """Return the number of each row's time; a name is that of a column of X."""
    if isinstance(time, str) and hasattr(X, "columns"):
        time = X[time]
    return read_order(time, count_rows(X))


def trained_folds(name: str, results: Any) -> tuple[Sequence[Any], list[Split]]:
    """Return the trained estimators of a model, and the splits they come from."""
    try:
        fitted, indices = results["estimator"], results["indices"]
        return fitted, list(zip(indices["train"], indices["test"], strict=True))
    except (KeyError, TypeError, IndexError):
        raise InputError(
            f"{arg('cv_results')} of model {name!r} must contain the keys 'estimator' and "
            "'indices'. Use cross_validate(..., return_estimator=True, return_indices=True)."
        ) from None


def out_of_fold(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    method: str = "predict",
    pos_label: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    progress: bool = True,
) -> dict[str, Floats]:
    """Return predictions of every case by models that were not trained on it, for ``compare``.

    An estimator may be a search over its parameters (``GridSearchCV``): these are then searched
    again on every training part, and the cross-validation is nested.

    Parameters
    ----------
    estimators : mapping of str to estimator
        Estimators of scikit-learn, also pipelines and searches (``GridSearchCV``). Copies of them
        are trained.
    X : array or dataframe of shape (n, features)
        Features, as for ``fit``.
    y : array of shape (n,)
        True values, as for ``fit``. Classes may be text.
    cv : int or splitter, default 5
        Number of folds, or a scikit-learn splitter that predicts each case once;
        ``compare_estimators`` accepts any splitter.
    method : {"predict", "predict_proba", "decision_function"}, default "predict"
        Method that gives predictions; of two classes they are about the positive one.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    groups : array of shape (n,), optional
        Which rows belong together, such as those of one customer.
    n_jobs : int, optional
        How many trainings run at once, as everywhere in scikit-learn.
    progress : bool, default True
        Whether to show progress on a terminal if it takes long.

    Returns
    -------
    dict of str to array of shape (n,)
        The predictions of each estimator, in the order of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.comparison import out_of_fold
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> out_of_fold({"line": LinearRegression()}, X, 2 * X[:, 0])["line"].round(6).tolist()[1:]
    [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]
    """
    from sklearn.base import is_classifier

    check_choice(method, "method", *METHODS)
    response = Response(method)
    if method != "predict":
        response = Response(method, read_labels(y, "y", pos_label).classes, TWO)
    named = check_mapping(estimators, "estimators", "estimators")
    for name, each in named.items():
        if not hasattr(each, "fit"):
            raise InputError(
                f"Model {name!r} must be an estimator with a method 'fit', but is of type "
                f"{type(each).__name__}."
            )
    splits = make_splits(cv, X, y, groups, None, classes=any(map(is_classifier, named.values())))
    trainees = {name: Trainee(each, y, response) for name, each in named.items()}
    found = predict_folds(trainees, X, splits, n_jobs=n_jobs, progress=progress)
    size = count_rows(X)
    if not np.array_equal(found.rows, np.arange(size)):
        never = size - len(np.unique(found.rows))
        told = f"never predicts {never} of {size} cases" if never else "predicts some more often"
        raise InputError(
            f"{arg('cv')} must predict every case exactly once, but {told}. Use another splitter, "
            "such as KFold, or use compare_estimators, which accepts this splitter."
        )
    return found.predictions

"""Train on some cases, predict others: by any splitter, in several processes, with progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from roctopus.concepts.dependence import Dependence, read_groups
from roctopus.concepts.responses import Response
from roctopus.core.arrays import Floats, take_rows
from roctopus.core.errors import InputError, arg
from roctopus.core.progress import Progress
from roctopus.inference.folds import Rows, Split, folds


class Trainee(NamedTuple):
    """An estimator to train, on which truths, and what to ask it then."""

    estimator: Any
    truth: Any
    response: Response


class OutOfFold(NamedTuple):
    """Predictions of cases by models that were not trained on them, in the order of the cases."""

    rows: Rows
    """Which case each prediction is of: never, once, or as often as it was predicted."""
    predictions: dict[str, Floats]

    @property
    def shares(self) -> Floats | None:
        """Weights by which each case counts once; None where all are there at most once."""
        times = np.bincount(self.rows)[self.rows]
        return None if times.max() == 1 else 1.0 / times

    def weights(self, own: Any) -> Any:
        """Return the weights of cases, each shared among its predictions."""
        shares = self.shares
        if own is None or shares is None:
            return shares if own is None else take_rows(own, self.rows)
        return shares * np.asarray(own, dtype=np.float64)[self.rows]


def count_rows(table: Any) -> int:
    """Return how many rows a table of any kind has."""
    if hasattr(table, "shape"):
        return int(table.shape[0])
    return len(table) if hasattr(table, "__len__") else len(np.asarray(table))


def make_splits(
    cv: Any, X: Any, y: Any, groups: Any, times: Rows | None, *, classes: bool
) -> list[Split]:
    """Return which cases train and which are predicted, by any splitter of scikit-learn.

    In order of time, folds are blocks of time and models learn from the past.
    """
    from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv

    size = count_rows(X)
    if cv is None or isinstance(cv, int):
        count = 5 if cv is None else cv
        if times is not None:
            codes = None if groups is None else read_groups(groups, size)[0]
            return list(folds(size, count, Dependence(codes, times), np.zeros(size), 0))
        if groups is not None:
            cv = StratifiedGroupKFold(count) if classes else GroupKFold(count)
        else:
            cv = count
    named = None if groups is None else np.asarray(groups)  # splitters go by the order of names
    try:
        splits = list(check_cv(cv, y, classifier=classes).split(X, y, named))
    except ValueError as error:
        reason = str(error).removesuffix(".")
        raise InputError(
            f"{arg('cv')} cannot split these cases. Use fewer folds or another splitter ({reason})."
        ) from None
    return check_splits(splits, size, groups, times)


def check_splits(
    given: Iterable[tuple[Any, Any]], size: int, groups: Any, times: Rows | None
) -> list[Split]:
    """Return splits by row numbers; those that evaluate training cases raise an error."""
    codes = None if groups is None else read_groups(groups, size)[0]
    splits = [(_numbers(train, size), _numbers(test, size)) for train, test in given]
    splits = [split for split in splits if len(split[1])]
    if not splits:
        raise InputError(
            f"{arg('cv')} has no cases to predict, because all its test folds are empty. Use "
            "another splitter, or a number of folds."
        )
    for train, test in splits:
        if np.isin(test, train).any():
            raise InputError(
                f"{arg('cv')} evaluates models on cases they were trained on. Keep training "
                f"and evaluation cases apart."
            )
        if times is not None and len(train) and times[train].max() >= times[test].min():
            raise InputError(
                f"{arg('cv')} trains on cases from the same time as the cases it predicts, or from "
                f"later times. Use a splitter such as TimeSeriesSplit, or a number of folds: in "
                f"compare_estimators, {arg('cv', 5)} makes folds in order of time."
            )
        if codes is not None and times is None and np.isin(codes[test], codes[train]).any():
            raise InputError(
                f"{arg('cv')} splits groups: some groups are in both the training and the test "
                "part of a fold. Keep each group together, for example with GroupKFold."
            )
    tests = np.concatenate([test for _, test in splits])
    if times is not None and len(np.unique(tests)) < len(tests):
        raise InputError(
            f"{arg('cv')} predicts some cases several times, which is not possible with "
            f"{arg('time')}. Use a number of folds instead, such as {arg('cv', 5)}: roctopus then "
            "makes the folds in order of time."
        )
    return splits


def _numbers(rows: Any, size: int) -> Rows:
    """Return the numbers of rows, which may be given as a mask."""
    found = np.asarray(rows)
    if found.dtype == bool and found.shape == (size,):
        return np.flatnonzero(found)
    if len(found) == 0:
        return np.empty(0, dtype=np.intp)
    told = ""
    if found.ndim != 1:
        told = f"an array of the shape {found.shape}"
    elif found.dtype.kind not in "iu":
        told = f"an array of type {found.dtype}"
    elif found.min() < 0 or found.max() >= size:
        told = f"the row number {found.min() if found.min() < 0 else found.max():,}"
    if told:
        raise InputError(
            f"{arg('cv')} must yield one-dimensional arrays of row numbers from 0 to {size - 1:,}, "
            f"but yields {told}."
        )
    return found.astype(np.intp)


def predict_folds(
    trainees: Mapping[str, Trainee],
    X: Any,
    splits: Sequence[Split],
    *,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    progress: Any = False,
) -> OutOfFold:
    """Train every estimator on every training part, and predict the other cases."""
    from sklearn.base import clone
    from sklearn.utils import indexable
    from sklearn.utils.parallel import Parallel, delayed

    (X,) = indexable(X)  # sparse tables of any kind have rows then

    def jobs() -> Iterator[Any]:
        for name, (estimator, truth, response) in trainees.items():
            params = routed_params(estimator, fit_params or {})
            for train, test in splits:
                yield delayed(_train_and_ask)(
                    name, clone(estimator), X, truth, train, test, params, response
                )

    bar, parts = Progress("trainings", len(trainees) * len(splits), progress), []
    for each in Parallel(n_jobs=n_jobs, return_as="generator")(jobs()):
        parts.append(each)
        bar.show(len(parts))
    tests, count = [test for _, test in splits], len(splits)
    found = {
        name: join_folds(tests, parts[k * count : (k + 1) * count])
        for k, name in enumerate(trainees)
    }
    return OutOfFold(np.sort(np.concatenate(tests)), found)


def join_folds(tests: Sequence[Rows], parts: Sequence[Floats]) -> Floats:
    """Return the predictions of all folds in the order of the cases."""
    order = np.argsort(np.concatenate(tests), kind="stable")
    return np.concatenate(parts)[order]


def routed_params(estimator: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``fit`` takes, as scikit-learn's metadata routing says where it is in use."""
    from sklearn import get_config
    from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

    if not given or not get_config()["enable_metadata_routing"]:
        return dict(given)
    mapping = MethodMapping().add(caller="fit", callee="fit")
    router = MetadataRouter(owner="roctopus").add(estimator=estimator, method_mapping=mapping)
    return dict(process_routing(router, "fit", **given).estimator.fit)


def _train_and_ask(
    name: str,
    estimator: Any,
    X: Any,
    truth: Any,
    train: Rows,
    test: Rows,
    params: Mapping[str, Any],
    response: Response,
) -> Floats:
    """Train on some cases, and return what is said of others."""
    size = count_rows(X)
    mine = {key: _part(value, train, size) for key, value in params.items()}
    try:
        table = take_table(estimator, X, train, train)
        trained = estimator.fit(table, take_rows(truth, train), **mine)
        return response.ask(trained, take_table(estimator, X, test, train), partial=True)
    except InputError as refusal:
        raise InputError(f"Model {name!r}: {refusal.marked}") from None


def _part(value: Any, rows: Rows, size: int) -> Any:
    """Return the rows of a parameter that has one value per row; others as they are."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__len__"):
        return value
    return take_rows(value, rows) if len(value) == size else value


def take_table(estimator: Any, X: Any, rows: Rows, train: Rows) -> Any:
    """Return some rows of a table; of one of cases against cases, the columns trained on."""
    from sklearn.utils import get_tags

    found = take_rows(X, rows)
    if hasattr(estimator, "__sklearn_tags__") and get_tags(estimator).input_tags.pairwise:
        return np.asarray(found)[:, train]
    return found

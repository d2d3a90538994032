"""Choose on validation data, judge on test data; and predictions of cases not trained on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.knowing import CELLS, follow, split_into_cells
from roctopus.concepts.envelopes import Envelope, envelope
from roctopus.core.arrays import Floats, to_numpy
from roctopus.core.checks import check_mapping
from roctopus.core.errors import InputError
from roctopus.core.progress import Progress
from roctopus.inference.aims import read_distribution
from roctopus.inference.policies import mean_of, sign_of


class Selected(NamedTuple):
    """What a way to choose gives on test data."""

    rule: str
    """How it was chosen: by a distribution or by regions, on validation or on test data."""
    models: tuple[str, ...]
    """One model, or those of the regions."""
    value: float
    """The expected outcome on the test data."""


def select_models(
    validation: Comparison,
    test: Comparison,
    distribution: Any,
    *,
    by: Mapping[str, Any] | None = None,
) -> tuple[Selected, ...]:
    """Return what choosing on validation data gives on test data, under a distribution.

    Knobs are those of the validation data, too. Rules: the model of least expected loss on
    validation ("validation"), and under each distribution of ``by`` instead; the regions of the
    validation data, a model for each context ("validation regions"); and, as bounds, the model
    ("test") and the regions ("test regions") that are best on the test data themselves.

    Parameters
    ----------
    validation, test : Comparison
        The same models on two samples.
    distribution : distribution
        The distribution of the context; all values are expected under it.
    by : mapping from name to distribution, optional
        Other distributions to choose by, such as ``{"OCE": Output(), "PUCE": Uniform(10, 20)}``.
    """
    same_arm = find_arm(validation.problem.arm) is find_arm(test.problem.arm)
    if not same_arm or validation.models != test.models:
        raise InputError("'validation' and 'test' must hold the same models of the same arm.")
    sign = sign_of(test.problem)
    chosen, best = validation.envelope, test.envelope
    read_distribution(test.problem, distribution)

    def least(found: Envelope, other: Any) -> str:
        expected = [sign * curve.expect(other) for curve in found.curves]
        return found.names[int(np.argmin(expected))]

    rules: list[tuple[str, Envelope]] = [("validation", _only(chosen, least(chosen, distribution)))]
    if by is not None:
        for name, other in check_mapping(by, "by", "distributions").items():
            rules.append((f"validation, by {name}", _only(chosen, least(chosen, other))))
    rules.append(("validation regions", chosen))
    found = [
        Selected(rule, _owners(regions), _expected(test, regions, distribution))
        for rule, regions in rules
    ]
    alone = _only(best, least(best, distribution))
    for rule, regions in (("test", alone), ("test regions", best)):
        found.append(Selected(rule, _owners(regions), regions.expect(distribution)))
    return tuple(found)


def _only(whole: Envelope, name: str) -> Envelope:
    return envelope({name: whole.curves[whole.names.index(name)]})


def _owners(regions: Envelope) -> tuple[str, ...]:
    return tuple(name for name in regions.names if name not in regions.never_best)


def _expected(test: Comparison, regions: Envelope, distribution: Any) -> float:
    """Return what regions learned elsewhere give here, with the knobs they were learned with."""
    problem = test.problem
    if regions.curve.knob is None:  # nothing but the model to choose: exact
        curves = dict(zip(test.envelope.names, test.envelope.curves, strict=True))
        return regions.follow({name: curves[name] for name in regions.names}).expect(distribution)
    exact = read_distribution(problem, distribution)
    _, mass, mean = split_into_cells(exact, problem.domain, 4 * CELLS, linear=problem.linear)
    live = mass > 0.0
    outcomes = follow(problem, test.predictions, regions, mean[live], mass[live])
    return mean_of(problem, outcomes)


def out_of_fold(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    splitter: Any = 5,
    method: str = "predict",
    groups: Any = None,
    progress: bool = True,
) -> dict[str, Floats]:
    """Return predictions of every case by models that were not trained on it, for ``compare``.

    An estimator may be a search over its parameters (``GridSearchCV``): then they are found anew
    on every training part, and the cross-validation is nested.

    Parameters
    ----------
    estimators : mapping from name to estimator
        scikit-learn estimators.
    X, y
        As in ``estimator.fit``.
    splitter : int or splitter, default 5
        Folds, each case in one test part.
    method : {"predict", "predict_proba", "decision_function"}, default "predict"
        With "predict_proba" it is the probability of the second of two classes.
    groups : array, optional
        For splitters that keep groups together.
    progress : bool, default True
        Show progress on a terminal if it takes long.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LinearRegression
    >>> from roctopus.comparison import out_of_fold
    >>> X = np.arange(10.0).reshape(-1, 1)
    >>> out_of_fold({"line": LinearRegression()}, X, 2 * X[:, 0])["line"].round(6).tolist()[1:]
    [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]
    """
    from sklearn.model_selection import cross_val_predict

    named = check_mapping(estimators, "estimators", "estimators")
    found, bar = {}, Progress("models", len(named), progress)
    for number, (name, estimator) in enumerate(named.items(), start=1):
        made = cross_val_predict(estimator, X, y, cv=splitter, method=method, groups=groups)
        if made.ndim == 2:
            if made.shape[1] != 2:
                raise InputError(
                    f"Model {name!r} gives {made.shape[1]} columns, but one number per case is "
                    "needed: make a score of them first."
                )
            made = made[:, 1]
        found[name] = to_numpy(np.asarray(made))
        bar.show(number)
    return found

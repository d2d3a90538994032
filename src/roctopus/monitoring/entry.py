"""A decision checked on new cases, with the settings of its record."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from roctopus.arms import find_arm
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.entry import compare
from roctopus.concepts.asking import Said
from roctopus.concepts.decision import Decision
from roctopus.core.arrays import as_series, is_text, read_array, to_numpy
from roctopus.core.errors import InputError, arg
from roctopus.core.lazy import upward
from roctopus.core.resampling import Random
from roctopus.monitoring.arrivals import refuse_unclear
from roctopus.monitoring.deployed import read_answers, recorded_response
from roctopus.monitoring.noticing import refuse_words
from roctopus.monitoring.preparing import check_cases, recorded_labels, recorded_options
from roctopus.monitoring.verdicts import DecisionCheck


def check(
    decision: Decision | str | os.PathLike[str],
    *,
    y: Any,
    model: Any = None,
    X: Any = None,
    predictions: Any = None,
    deployed: bool | None = None,
    distribution: Any = None,
    state: str | os.PathLike[str] | None = None,
    sample_weight: Any = None,
    clusters: Any = None,
    time: Any = None,
    context: Any = None,
    pos_label: Any = None,
    rng: Random = 0,
    **options: Any,
) -> DecisionCheck:
    """Check whether a decision still holds on new cases, and if not why, and what to do.

    Classes, costs and the like are those of the decision.

    Parameters
    ----------
    decision : Decision or path
        What was decided, or its file.
    y : array of shape (n,)
        True values of the new cases.
    model : estimator, or mapping of str to estimator, optional
        Trained model, or the estimator that ``decision.deploy`` returned: raw predictions come from
        the model inside, so that re-tuning can be checked, too. Name several models to see whether
        another one is better now; a rule that uses several models needs all of them.
    X : array or dataframe of shape (n, features), optional
        Features of the new cases, for ``model``.
    predictions : array of shape (n,), or mapping of str to array, optional
        What was predicted, instead of ``model`` and ``X``.
    deployed : bool, optional
        Whether ``predictions`` are what the deployed model returned, as in ``Comparison.check``.
        They may then be text: the classes that were decided about, or "yes" and "no".
    distribution : Distribution, optional
        Distribution of cutoffs that the decision was made for: its record does not keep it.
    state : path, optional
        A file that keeps sums over all cases seen, to look again and again, as in
        ``Comparison.check``.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.
    clusters : array of shape (n,), optional
        Which rows belong together, such as those of one customer.
    time : array of shape (n,), or True, optional
        When each case happened, or True if rows are in order of time.
    context : array, or mapping of words to arrays, optional
        Context of each case, as in ``compare``.
    pos_label : label, optional
        Label of the positive class. Needed for text; by default the larger number, or True.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    **options
        Options of the arm that the record does not keep: what accepting gains (``utility``), if
        that was a function of your own.

    Returns
    -------
    DecisionCheck
        Whether the decision holds, what was found, and what to do; print it to read it.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from sklearn.linear_model import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(600, 2))
    >>> y = X[:, 0] + rng.normal(size=600)
    >>> models = {"line": LinearRegression()}
    >>> comparison = rt.compare_estimators(models, X[:300], y[:300], arm="regression")
    >>> decision = comparison.decide(under_cost=4, over_cost=1)
    >>> ready = decision.deploy()
    >>> rt.check(decision, model=ready, X=X[300:], y=y[300:]).holds
    True
    >>> rt.check(decision, predictions=ready.predict(X[300:]), y=y[300:], deployed=True).holds
    True
    """
    known = decision if isinstance(decision, Decision) else Decision.from_json(decision)
    said = _predicted(known, model, X, predictions, deployed, pos_label)
    answers = deployed if model is None else known.is_baseline and known.model in said
    for name in {known.model, *known.used_models} & set(said):
        if answers:
            said[name] = read_answers(known, said[name])
        else:
            refuse_words(known, said[name])
    comparison: Comparison = compare(
        y,
        said,
        arm=known.arm,
        sample_weight=sample_weight,
        clusters=clusters,
        time=time,
        context=context,
        rng=rng,
        **_options(known, y, pos_label, context, options),
    )
    return check_cases(comparison, known, distribution, state, answers, coded=True)


def _predicted(
    decision: Decision, model: Any, X: Any, predictions: Any, deployed: bool | None, pos_label: Any
) -> dict[str, Any]:
    """Return predictions by model: those given, or those that models make."""
    refuse_unclear(predictions, model, X)
    if model is not None:
        if deployed is not None:
            raise InputError(
                f"{arg('deployed')} can only be used with {arg('predictions')}. Leave it out: "
                f"roctopus detects whether {arg('model')} is a deployed model."
            )
        found: dict[str, Any] = upward("ask_models")(decision, model, X, pos_label)
        return found
    return dict(predictions if isinstance(predictions, Mapping) else {decision.model: predictions})


def _options(
    decision: Decision, y: Any, pos_label: Any, context: Any, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of ``compare``: as recorded, unless they are given."""
    arm = find_arm(decision.arm)
    if is_text(y):
        series = as_series(y)
        truth = list(y) if series is None else series.to_list()
    else:
        truth = to_numpy(read_array(y, "y"))
    said = Said({}, given, truth, own=context is not None)
    found = recorded_options(decision, arm, said)
    label = recorded_response(decision).pos_label if pos_label is None else pos_label
    if arm.two_classes and label is not None:
        found["pos_label"] = label
    return {**found, **recorded_labels(decision, truth), **given}

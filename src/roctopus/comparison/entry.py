"""Several models in: any kind of table becomes a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast, overload

import numpy as np

from roctopus.arms import find_arm
from roctopus.comparison.comparison import Comparison
from roctopus.comparison.dependent_rows import persistent, warn_of_dependent_rows
from roctopus.comparison.directions import warn_of_backward_models
from roctopus.comparison.missing import Missing, missing_rows
from roctopus.comparison.row_contexts import name_contexts, read_contexts
from roctopus.comparison.rows import read_rows
from roctopus.comparison.unnamed import refuse_strange, truths_of
from roctopus.concepts.dependence import Dependence, read_any_dependence
from roctopus.concepts.problem import Problem
from roctopus.concepts.streams import Mode
from roctopus.core.arrays import read_array, to_numpy
from roctopus.core.checks import check_magnitude, check_weights
from roctopus.core.errors import InputError, arg
from roctopus.core.lazy import upward
from roctopus.core.resampling import Random
from roctopus.inference.folds import MANY

if TYPE_CHECKING:
    from roctopus.scanning.large import LargeComparison


class FrameInMemory(Protocol):
    """A table of pandas, polars or pyarrow; sources, which read rows later, lack ``equals``."""

    def equals(self, other: Any, /) -> bool:
        """Tell whether two tables hold the same."""


def _folds(problem: Problem, dependence: Dependence) -> int:
    """Return how many folds to use by default: fewer of very many cases, and of very few.

    One case, or one cluster, cannot be split; it can be checked.
    """
    codes = dependence.clusters if dependence.times is None else dependence.times
    units = len(problem) if codes is None else int(codes.max()) + 1
    most = units if dependence.times is None else units - 1
    return min(2 if len(problem) >= MANY else 5, max(most, 1))


@overload
def compare(
    y_true: Any,
    predictions: Any,
    *,
    arm: str,
    models: Sequence[str] | None = None,
    missing: Missing = "refuse",
    sample_weight: Any = None,
    context: Any = None,
    rng: Random = 0,
    mode: Mode,
    buckets: int = 4096,
    memory: int | str | None = None,
    spill: str | None = None,
    progress: Any = True,
    **options: Any,
) -> LargeComparison: ...
@overload
def compare(
    y_true: Any,
    predictions: Mapping[str, Any] | FrameInMemory,
    *,
    arm: str,
    models: Sequence[str] | None = None,
    id: str | None = None,
    model_column: str | None = None,
    prediction_column: str = "prediction",
    missing: Missing = "refuse",
    sample_weight: Any = None,
    clusters: Any = None,
    context: Any = None,
    time: Any = None,
    cv: Any = None,
    rng: Random = 0,
    mode: None = None,
    **options: Any,
) -> Comparison: ...
@overload
def compare(
    y_true: Any,
    predictions: Any,
    *,
    arm: str,
    models: Sequence[str] | None = None,
    id: str | None = None,
    model_column: str | None = None,
    prediction_column: str = "prediction",
    missing: Missing = "refuse",
    sample_weight: Any = None,
    clusters: Any = None,
    context: Any = None,
    time: Any = None,
    cv: Any = None,
    rng: Random = 0,
    mode: None = None,
    buckets: int = 4096,
    memory: int | str | None = None,
    spill: str | None = None,
    progress: Any = True,
    **options: Any,
) -> Comparison | LargeComparison: ...
def compare(
    y_true: Any,
    predictions: Any,
    *,
    arm: str,
    models: Sequence[str] | None = None,
    id: str | None = None,
    model_column: str | None = None,
    prediction_column: str = "prediction",
    missing: Missing = "refuse",
    sample_weight: Any = None,
    clusters: Any = None,
    context: Any = None,
    time: Any = None,
    cv: Any = None,
    rng: Random = 0,
    mode: Mode | None = None,
    buckets: int = 4096,
    memory: int | str | None = None,
    spill: str | None = None,
    progress: Any = True,
    **options: Any,
) -> Comparison | LargeComparison:
    """Compare models, to choose one with its setting.

    Parameters
    ----------
    y_true : array of shape (n,), column name, or dataframe with ``id``
        True values, one per case.
    predictions : mapping, dataframe or source
        Names and predictions (numbers, scores or probabilities) of the models, for cases they were
        not trained on: a mapping from names to arrays, a dataframe with a column per model, or a
        long dataframe (``model_column``). Or a source of more rows than memory holds, with columns
        for all: the path of a file or folder, a list of them, ``roctopus.engines.Files``, a pyarrow
        dataset, a DuckDB relation, a Spark table.
    arm : {"regression", "cutoff", "ordinal", "probability", "impact"}
        Which kind of question it is.
    models : list of names, optional
        Which columns or models to compare; for a source, patterns such as "pred_*" are possible,
        too. By default all columns that are not used otherwise; if one of these does not look like
        predictions of the true values (text, an id, another scale, no relation to them), an error
        names it and asks.
    id : column name, optional
        Column by which rows are matched: of a dataframe of truths (``id`` and one column) and one
        of predictions, of files with different columns, or within a long dataframe. By default rows
        are paired by position.
    model_column : column name, optional
        Column with the model's name in a long dataframe, which has a row per case and model.
    prediction_column : column name, default "prediction"
        Column with the predictions in a long dataframe.
    missing : {"refuse", "common", "pairwise"}, default "refuse"
        What to do about missing predictions: raise an error; use the rows that all models have; or
        show each model's own figures on its own rows and decide on the shared ones. The last two
        warn.
    sample_weight : array of shape (n,) or column name, optional
        Weight of each case; cases of weight 0 are ignored.
    clusters : array of shape (n,) or column name, optional
        Which rows belong together, such as those of one customer.
    context : array or column name, or mapping of words to these, optional
        Context of each case: its asymmetry, cutoff, cost proportion, cost of the moving class, or
        price θ; or both costs, as in ``{"under_cost": "shortage", "over_cost": "storage"}``.
        ``decide()`` and ``table()`` without a context then use each case's own. With a ``mode``,
        only cutoffs can be given this way.
    time : array of shape (n,) or column name, or True, optional
        When each case happened: numbers, dates, or text such as "2026-01-31"; True if rows are in
        order of time. Settings are then tuned on the past only, and intervals allow for similar
        cases at the same time and at neighbouring times. May be given with ``clusters``.
    cv : int or splitter, optional
        Folds for out-of-sample values: their number, or any scikit-learn splitter. By default 5,
        and 2 from 20,000 cases on, where half of them are enough for tuning.
    rng : int or Generator, default 0
        Seed or generator of random numbers: the same seed gives the same result.
    mode : {"grid", "exact"}, optional
        How to scan a source that is not loaded into memory. By default it is loaded if it fits.
        "grid" makes one scan and gives curves with certified bounds; "exact" makes a few more scans
        for each decision, and sorts rows for areas. Both give a ``LargeComparison``.
    buckets : int, default 4096
        Number of buckets of a grid: with more buckets, bounds are narrower.
    memory : int or str, optional
        How much memory may be used for a source, such as "2GB"; by default half of what is free.
    spill : path, optional
        Folder for rows that are sorted and do not fit into memory.
    progress : bool or callable, default True
        Whether to show progress on a terminal if a scan takes long. A callable is called with what
        is being done, the number of rows done, and the number of rows.
    **options
        Options of the arm.

        - cutoff: ``false_positive_cost``, ``false_negative_cost``
        - probability: ``prevalence``; ``pos_label`` (the positive class, where true values are text
          or it is the smaller of two numbers)
        - ordinal: ``labels``, ``loss``, ``costs``, ``moving`` (the class whose cost is the context,
          the highest by default), ``costs_between``
        - impact: ``utility``; ``at_least``, ``at_most`` or ``capacity`` (how many cases must and
          may be accepted); ``per`` (the period of each case, such as its day: the numbers then
          apply to an average period); ``pos_label`` (with it, two classes are 0 and 1 for the
          utility)

    Returns
    -------
    Comparison
        Or a ``LargeComparison`` if the rows of a source are not taken into memory: both have the
        same methods.

    Examples
    --------
    >>> import roctopus as rt
    >>> y = [3, 5, 8, 9, 4, 6, 7, 5, 2, 8, 12, 1]
    >>> close = [2, 5, 9, 7, 4, 5, 8, 5, 3, 7, 11, 2]
    >>> models = {"a": close, "b": [6, 2, 8, 12, 7, 3, 9, 9, 4, 5, 8, 3]}
    >>> comparison = rt.compare(y, models, arm="regression")
    >>> comparison
    Comparison: 2 models, 12 cases, arm 'regression'
      best for each asymmetry: a from 0 to 1
      never best: b
    >>> decision = comparison.decide(under_cost=4, over_cost=1)
    >>> decision.verdict, decision.model, decision.knob, round(decision.in_sample, 3)
    ('use', 'a', (1.0,), 1.25)
    """
    own, record = name_contexts(context), find_arm(arm)
    along = {name: options.pop(name) for name in record.columns if name in options}
    if not isinstance(predictions, Mapping) and upward("as_source")(predictions) is not None:
        given = {"id": id, "model_column": model_column, "clusters": clusters, "cv": cv}
        given |= along
        if time is not None and time is not False:
            given["time"] = time
        opened = upward("read_source")(
            predictions,
            given,
            options,
            arm=arm,
            truth=y_true,
            models=models,
            weight=sample_weight,
            missing=missing,
            mode=mode,
            buckets=buckets,
            memory=memory,
            spill=spill,
            progress=progress,
            rng=rng,
            context=own,
        )
        if not isinstance(opened, tuple):
            return cast("LargeComparison", opened)
        predictions, models = opened
    elif mode is not None:
        raise InputError(
            f"{arg('mode')} can only be used for data that are read in parts (files, pyarrow "
            "datasets, DuckDB relations, Spark tables), but these data are in memory. Leave out "
            f"{arg('mode')}."
        )
    rows = read_rows(
        y_true,
        predictions,
        models=models,
        id=id,
        model_column=model_column,
        prediction_column=prediction_column,
        extra={
            "sample_weight": sample_weight,
            "clusters": clusters,
            "time": None if isinstance(time, bool) else time,
            **own,
            **along,
        },
    )
    weight = None
    if "sample_weight" in rows.extra:
        weight = to_numpy(read_array(rows.extra["sample_weight"], "sample_weight"))
        check_weights(weight)
    options |= {name: rows.extra[name] for name in along if name in rows.extra}
    whole = record.read(rows.truth, weight, options)
    if rows.unnamed is not None:
        refuse_strange(record, truths_of(whole), rows.unnamed, arg("predictions"))
    common, present = missing_rows(rows.predictions, missing)
    if weight is not None:
        common = common & (weight > 0.0)
    contexts = None
    if own:
        whole, contexts = read_contexts(whole, {name: rows.extra[name] for name in own})
    kept = np.flatnonzero(common)
    problem = whole if common.all() else whole.take(kept).settled()
    shared = {name: each[kept] for name, each in rows.predictions.items()}
    for name, each in shared.items():
        try:
            problem.check(each)
        except InputError as refusal:
            raise InputError(f"Model {name!r}: {refusal.marked}") from None
    for each in truths_of(problem):
        check_magnitude(each, f"{arg('y_true')} has values")
    for name, each in shared.items():
        check_magnitude(each, f"Model {name!r} has predictions")
    problem = problem.meet(shared)
    own = {name: (problem, each) for name, each in shared.items()}
    if missing == "pairwise":
        mine = {name: np.flatnonzero(each) for name, each in present.items()}
        own = {
            name: (whole.take(mine[name]).settled(), each[mine[name]])
            for name, each in rows.predictions.items()
        }
    when = rows.extra.get("time", time)
    dependence = read_any_dependence(rows.extra.get("clusters"), when, len(common)).take(kept)
    dependence = persistent(dependence, problem, shared)
    frame = None if rows.frame is None else rows.frame[kept]
    return Comparison(
        problem,
        shared,
        own,
        rows.backend,
        dependence,
        _folds(problem, dependence) if cv is None else cv,
        rng,
        None if contexts is None else contexts.take(kept),
        frame,
        backward=warn_of_backward_models(problem, shared, dependence),
        dependent=warn_of_dependent_rows(problem, shared, dependence, frame),
    )

"""From a source of rows to a comparison: in memory if it fits, else by scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from roctopus.arms import find_arm
from roctopus.comparison.directions import warn_of_backward_models
from roctopus.comparison.missing import Missing, check_missing
from roctopus.comparison.unnamed import refuse_strange
from roctopus.concepts.streams import Mode, Source
from roctopus.core.buckets import read_bucket_count
from roctopus.core.errors import InputError, arg
from roctopus.core.lazy import upward
from roctopus.core.names import list_names, match_names, refuse_missing
from roctopus.core.progress import Progress
from roctopus.core.resampling import Random
from roctopus.scanning.batches import PILOT, Reading
from roctopus.scanning.grids import Grids, start_constant, start_grids
from roctopus.scanning.large import LargeComparison
from roctopus.scanning.own_contexts import ContextSums, own_problem
from roctopus.scanning.scans import GridScan, truths_of

IN_PARTS = "For data that are read in parts (files, a dataset, a query)"
"""Begins messages about what only the names of columns can be used for."""
BYTES_A_NUMBER = 100
"""What a comparison in memory takes at most for each number of its columns."""


class SourceRequest(NamedTuple):
    """What is asked of a source."""

    arm: str
    truth: Any
    models: Sequence[str] | None
    weight: Any
    missing: Missing
    mode: Mode | None
    buckets: int
    memory: int | str | None
    spill: str | None
    progress: Any
    rng: Random
    context: Mapping[str, Any]
    """Columns of contexts, by their words."""


def read_source(
    data: Any, only_in_memory: Mapping[str, Any], options: Mapping[str, Any], **asked: Any
) -> LargeComparison | tuple[Any, Sequence[str] | None]:
    """Return a comparison by scans; or a table in memory and its models, if it fits."""
    request = SourceRequest(**asked)
    if request.mode not in (None, "grid", "exact"):
        raise InputError(f"{arg('mode')} must be 'grid' or 'exact', but is {request.mode!r}.")
    find_arm(request.arm)
    memory = upward("read_memory")(request.memory)
    id = None if only_in_memory.get("model_column") else only_in_memory.get("id")
    text = {name: each for name, each in only_in_memory.items() if isinstance(each, str)}
    source: Source = upward("open_source")(
        data,
        memory=memory,
        spill=request.spill,
        id=id,
        names=[text[name] for name in ("clusters", "id", "model_column") if name in text],
        times=[text[name] for name in ("time",) if name in text],
    )
    extra = {"sample_weight": request.weight, **only_in_memory, **request.context}
    named = {name: each for name, each in extra.items() if each is not None}
    reading = _reading(request, source, named, options)
    columns = [*reading.columns, *(v for v in named.values() if isinstance(v, str))]
    columns = list(dict.fromkeys(columns))
    if request.mode is None and fits_in_memory(source, columns, memory):
        if "model_column" in named:  # a row per prediction
            return source.table(source.names()), request.models
        return source.table(columns), None if request.models is None else list(reading.models)
    known = [] if reading.context is None else list(request.context)
    refused = [name for name in named if name not in ("sample_weight", *known)]
    if refused or request.missing == "pairwise":
        what = arg(refused[0]) if refused else arg("missing", "pairwise")
        raise InputError(
            f"{what} needs all rows in memory, but the data are read in parts. Leave out {what}, "
            "or compare a sample that fits into memory."
        )
    check_missing(request.missing)
    return scan_source(source, reading, request, options, memory)


def fits_in_memory(source: Source, columns: Sequence[str], memory: int) -> bool:
    """Tell whether columns of a source can be compared in memory: the one rule for it."""
    return source.rows() * len(columns) * BYTES_A_NUMBER <= memory


def _reading(
    request: SourceRequest, source: Source, named: Mapping[str, Any], options: Mapping[str, Any]
) -> Reading:
    listed = request.truth if isinstance(request.truth, (list, tuple)) else [request.truth]
    truths = tuple(listed)
    if not truths or not all(isinstance(name, str) for name in truths):
        other = next((name for name in truths if not isinstance(name, str)), listed)
        raise InputError(
            f"{IN_PARTS}, {arg('y_true')} must be the name of a column, but is of type "
            f"{type(other).__name__}."
        )
    for name in ("sample_weight", "clusters", "id"):
        if named.get(name) is not None and not isinstance(named[name], str):
            raise InputError(f"{IN_PARTS}, {arg(name)} must be the name of a column.")
    wanted = None if request.models is None else list_names(request.models, "models")
    if wanted is not None and not all(isinstance(name, str) for name in wanted):
        other = next(name for name in wanted if not isinstance(name, str))
        raise InputError(
            f"{IN_PARTS}, {arg('models')} must contain names of columns, but contains {other!r}."
        )
    if wanted is not None and len(set(wanted)) < len(wanted):
        twice = next(name for name in wanted if wanted.count(name) > 1)
        raise InputError(
            f"{arg('models')} names {twice!r} more than once. Name each model only once."
        )
    known = source.names()
    taken = [*truths, *(each for each in named.values() if isinstance(each, str))]
    refuse_missing(taken, known, source.name)
    models = [name for name in known if name not in taken]
    if wanted is not None:
        models = wanted if "model_column" in named else match_names(wanted, known, source.name)
    if not models:
        raise InputError(
            f"'{source.name}' has no column with predictions: all of its columns are already used "
            "by other arguments."
        )
    labels = options.get("labels")
    try:
        labels = None if labels is None or not find_arm(request.arm).text_truths else tuple(labels)
        hash(labels)
    except TypeError:
        raise InputError(
            f"{arg('labels')} must be a list of single classes, such as [1, 2], but is {labels!r}."
        ) from None
    arm, contexts = find_arm(request.arm), list(request.context.values())
    own = arm.moves_with_context and len(contexts) == 1 and isinstance(contexts[0], str)
    return Reading(
        request.arm,
        truths,
        {name: name for name in models},
        named.get("sample_weight"),
        labels,
        options.get("pos_label") if arm.two_classes else None,
        contexts[0] if own else None,
    )


def scan_source(
    source: Source,
    reading: Reading,
    request: SourceRequest,
    options: Mapping[str, Any],
    memory: int,
) -> LargeComparison:
    """Scan all rows once."""
    arm = find_arm(reading.arm)
    arm.check_options(options)
    arm.check_scan(options)
    count = read_bucket_count(request.buckets)
    pilot = source.pilot(reading.columns, PILOT)
    if request.models is None:
        unnamed = {name: pilot[column] for name, column in reading.models.items()}
        refuse_strange(arm, reading.truths_in(pilot), unnamed, f"'{source.name}'")
    truth, weight, predictions, context = reading.first(pilot)
    grids = start_grids(reading, truth, predictions, count, options)
    bar = Progress("rows", source.rows(), request.progress)
    constant = start_constant(reading, truth, count, options)
    contexts = None if context is None else ContextSums(context, count)
    start = GridScan(reading, grids, constant, contexts)
    scan = source.reduce(reading.columns, start, bar.show)
    scan.counts.refuse(request.missing, reading.models, source.name)
    if scan.counts.kept < 2:
        raise InputError("A comparison needs at least two cases, but there is only one.")
    if reading.positive is not None:
        reading = reading.with_classes(scan.counts.seen)
    kept = Grids(reading, scan, dict(options), memory)
    problem = kept.problem  # refuses what the arm cannot judge
    mode = request.mode or "grid"
    first = problem.on(truths_of(truth, kept.classes), weight)
    told = warn_of_backward_models(first, predictions)
    return LargeComparison(
        problem,
        source,
        reading,
        kept,
        mode,
        request.progress,
        request.rng,
        backward=told,
        own=None if scan.contexts is None else own_problem(problem, request.context, scan.contexts),
    )

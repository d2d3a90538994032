"""From a source of rows to a comparison: in memory if it fits, else by scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from roctopus.arms import find_arm
from roctopus.comparison.missing import Missing, check_missing
from roctopus.concepts.streams import Mode, Source
from roctopus.core.buckets import read_bucket_count
from roctopus.core.errors import InputError, arg
from roctopus.core.progress import Progress
from roctopus.core.resampling import Random
from roctopus.core.upward import upward
from roctopus.scanning.batches import Counts, Reading
from roctopus.scanning.grids import Grids, start_grids
from roctopus.scanning.large import LargeComparison
from roctopus.scanning.scans import GridScan

__all__ = ["read_source"]

PILOT = 1 << 16
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


def read_source(
    data: Any, only_in_memory: Mapping[str, Any], options: Mapping[str, Any], **asked: Any
) -> LargeComparison | tuple[Any, Sequence[str] | None]:
    """Return a comparison by scans; or a table in memory and its models, if it fits."""
    request = SourceRequest(**asked)
    if request.mode not in (None, "grid", "exact"):
        raise InputError(f"{arg('mode')} must be 'grid' or 'exact', got {request.mode!r}.")
    find_arm(request.arm)
    memory = upward("read_memory")(request.memory)
    source: Source = upward("open_source")(data, memory=memory, spill=request.spill)
    extra = {"sample_weight": request.weight, **only_in_memory}
    named = {name: each for name, each in extra.items() if each is not None}
    reading = _reading(request, source, named, options)
    columns = [*reading.columns, *(v for v in named.values() if isinstance(v, str))]
    size = source.rows()
    if request.mode is None and size * len(columns) * BYTES_A_NUMBER <= memory:
        if "model_column" in named:  # a row per prediction
            return source.table(source.names()), request.models
        return source.table(list(dict.fromkeys(columns))), list(reading.models)
    refused = [name for name in named if name != "sample_weight"]
    if refused or request.missing == "pairwise":
        what = arg(refused[0]) if refused else arg("missing", "pairwise")
        raise InputError(
            f"{what} needs all rows in memory. Leave it out, or compare a sample that fits."
        )
    check_missing(request.missing)
    return scan_source(source, reading, request, options, memory, size)


def _reading(
    request: SourceRequest, source: Source, named: Mapping[str, Any], options: Mapping[str, Any]
) -> Reading:
    truths = (request.truth,) if isinstance(request.truth, str) else tuple(request.truth)
    if not truths or not all(isinstance(name, str) for name in truths):
        raise InputError(f"With a source, {arg('y_true')} must be the name of a column.")
    for name in ("sample_weight", "clusters", "id"):
        if named.get(name) is not None and not isinstance(named[name], str):
            raise InputError(f"With a source, {arg(name)} must be the name of a column.")
    if isinstance(request.models, str):
        raise InputError(
            f"{arg('models')} must be a list of names, got the text {request.models!r}."
        )
    if request.models is not None and len(set(request.models)) < len(request.models):
        raise InputError(f"{arg('models')} names a model twice.")
    known = source.names()
    taken = [*truths, *(each for each in named.values() if isinstance(each, str))]
    for column in taken:
        _refuse_missing(column, known, source.name)
    models = (
        list(request.models)
        if request.models is not None
        else [name for name in known if name not in taken]
    )
    for column in models if "model_column" not in named else ():
        _refuse_missing(column, known, source.name)
    if not models:
        raise InputError(f"'{source.name}' has no columns of predictions.")
    labels = options.get("labels")
    try:
        labels = None if labels is None or not find_arm(request.arm).text_truths else tuple(labels)
        hash(labels)
    except TypeError:
        raise InputError(
            f"{arg('labels')} must list the classes in order, got {labels!r}."
        ) from None
    return Reading(
        request.arm,
        truths,
        {name: name for name in models},
        named.get("sample_weight"),
        labels,
    )


def _refuse_missing(column: str, known: list[str], where: str) -> None:
    if column not in known:
        told = ", ".join(map(repr, known[:8]))
        raise InputError(f"'{where}' has no column {column!r}. Its columns: {told}.")


def scan_source(
    source: Source,
    reading: Reading,
    request: SourceRequest,
    options: Mapping[str, Any],
    memory: int,
    size: int,
) -> LargeComparison:
    """Scan all rows once."""
    arm = find_arm(reading.arm)
    arm.check_options(options)
    arm.check_scan(options)
    count = read_bucket_count(request.buckets)
    pilot = source.pilot(reading.columns, PILOT)
    found = reading.read(pilot, Counts())
    if found is None:  # the whole scan says what is wrong
        empty = {name: values[:0] for name, values in pilot.items()}
        truth, weight, predictions = empty[reading.truth_name], None, empty
    else:
        truth, weight, predictions = found
    grids = start_grids(
        reading, {"truth": truth, "weight": weight, "predictions": predictions}, count, options
    )
    bar = Progress("rows", size, request.progress)
    scan = source.reduce(reading.columns, GridScan(reading, grids), bar.show)
    scan.counts.refuse(request.missing, reading.models, source.name)
    if scan.counts.kept < 2:
        raise InputError(f"A comparison needs at least two cases, got {scan.counts.kept}.")
    kept = Grids(reading, scan, dict(options), memory)
    _ = kept.problem  # refuses what the arm cannot judge
    return LargeComparison(
        source, reading, kept, request.mode or "grid", request.progress, request.rng
    )

"""Files of more rows than memory holds: scanned, not read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from roctopus.cli.answers import Answer, ranking_of
from roctopus.cli.contexts import read_question
from roctopus.cli.data import Cases, choose_models, named_columns
from roctopus.cli.matching import group_files
from roctopus.cli.progress import Steps
from roctopus.cli.request import COSTS, Request, flag, read_arm
from roctopus.cli.wording import WORDS
from roctopus.comparison import compare
from roctopus.core.errors import InputError, collected_warnings
from roctopus.engines import FileTable, open_files
from roctopus.engines.arrow import ArrowSource
from roctopus.engines.sources import read_memory

__all__ = ["answer_large", "open_large"]

ONLY_IN_MEMORY = (
    "id", "model_column", "clusters", "by", "time", "cutoff_column", "context_column", "value",
    "cost",
)  # fmt: skip
"""Options that need all rows at once."""
BYTES_A_NUMBER = 100
"""What a comparison in memory takes at most for each number."""
PILOT = 1 << 16


def open_large(request: Request) -> list[FileTable] | None:
    """Return the files, if they are to be scanned; None if memory holds them."""
    if request.mode not in (None, "grid", "exact"):
        raise InputError(f"--mode must be grid or exact, got {request.mode!r}.")
    memory = read_memory(request.memory)
    if request.mode is None and not all(map(_stays, request.files)):
        return None  # what comes through a pipe comes once
    tables = open_files(
        request.files,
        delimiter=request.delimiter,
        decimal=request.decimal,
        encoding=request.encoding,
    )
    if request.mode is None and _size(tables, request) <= memory:
        return None
    said = request.given(*ONLY_IN_MEMORY)
    named = named_columns(request, tables[0].schema.names)
    said |= {name: column for name, column in named.items() if name in COSTS}
    if said or "=" in (request.utility or "") or request.missing == "pairwise":
        what = flag(next(iter(said))) if said else "This use of --utility or --missing"
        raise InputError(
            f"{what} needs all rows in memory, but these files are scanned. Leave it out, give "
            "more --memory, or take a sample of the rows."
        )
    if any(table.content is not None for table in tables):
        raise InputError("Standard input cannot be scanned several times. Write it to a file.")
    return tables


def _stays(name: str) -> bool:
    path = Path(name)
    return path.is_file() or path.is_dir()


def _size(tables: list[FileTable], request: Request) -> float:
    """Return how many bytes a comparison in memory may take."""
    written = sum(path.stat().st_size for table in tables for path in table.paths)
    if tables[0].kind not in ("parquet", "arrow"):
        return 10.0 * written  # a number takes ten characters or so
    if BYTES_A_NUMBER * written < read_memory(request.memory):
        return 0.0  # packed as well as can be, it fits
    rows = sum(table.dataset().count_rows() for table in tables)
    columns = 2 + len(request.models or ())
    return float(rows) * columns * BYTES_A_NUMBER


def answer_large(
    request: Request, tables: list[FileTable], steps: Steps, page: Path | None
) -> Answer:
    """Scan the files, and answer."""
    import pyarrow.dataset as ds

    if page is not None:
        raise InputError(
            "A page (--output) needs all rows in memory. Leave it out, give more --memory, or "
            "take a sample of the rows."
        )
    group = group_files(tables, None)[0]
    source = ArrowSource(
        ds.dataset([table.dataset() for table in group]),
        tables[0].name if len(tables) == 1 else "the files",
        memory=read_memory(request.memory),
    )
    truth, extra = request.truth, named_columns(request, source.names())
    if truth is None:
        raise InputError("Say which column holds the truths with --truth.")
    used = [truth, *extra.values()]
    models = choose_models(request.models, source.names(), used, [group], source.name)
    arm = read_arm(request)
    with collected_warnings(WORDS) as notes:
        pilot = source.pilot([*dict.fromkeys([*used, *models])], PILOT)
        question = read_question(request, _pilot_cases(pilot, truth, models, arm, request))
        options, aim = dict(question.options), dict(question.aim)
        if arm == "ordinal" and request.labels is None:
            options.pop("labels")  # the first rows may lack some
            if request.costs is None and "costs" in aim:
                aim = {"cost": 1.0}
        comparison: Any = compare(
            truth,
            source,
            models=models,
            arm=arm,
            sample_weight=request.weight,
            missing=request.missing,
            mode=request.mode or "grid",
            memory=request.memory,
            progress=steps.rows,
            **options,
        )
        steps.step("deciding")
        decision = comparison.decide(**aim)
        ranking = ranking_of(comparison, aim, decision)
    if comparison.mode == "grid":
        notes.append(
            "The rows were scanned, not read: settings are the best ones at borders of buckets, "
            "their values exact. --mode exact finds the best settings, by further scans."
        )
    notes += decision.warnings
    return Answer(question, comparison, decision, ranking, None, [], list(dict.fromkeys(notes)))


def _pilot_cases(
    pilot: dict[str, Any], truth: str, models: list[str], arm: str, request: Request
) -> Cases:
    """Return the first rows, from which the question is read."""
    values = pilot[truth]
    if arm == "ordinal" and values.dtype.kind != "f":
        values = [str(each) for each in values]
    extra = {} if request.weight is None else {"weight": np.asarray(pilot[request.weight])}
    return Cases(values, {name: pilot[name] for name in models}, extra)

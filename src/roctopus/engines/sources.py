"""Recognise where rows come from."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from roctopus.core.errors import InputError, arg
from roctopus.engines.arrow import ArrowSource
from roctopus.engines.duck import DuckSource
from roctopus.engines.roles import Roles
from roctopus.engines.tables import Files

UNITS = {"": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def read_memory(memory: Any) -> int:
    """Return a number of bytes from "2GB" and the like; by default half of what is free."""
    if memory is None:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return max(int(free) // 2, 1 << 28)
    found = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*)\s*", str(memory))
    try:
        if found is None or isinstance(memory, bool):
            raise ValueError
        size = int(float(found[1]) * UNITS[found[2].lower()])
    except (ValueError, KeyError):
        raise InputError(
            f"{arg('memory')} must be a number of bytes, or text such as '2GB', but is {memory!r}."
        ) from None
    if not 64_000_000 <= size <= 10**18:
        raise InputError(
            f"{arg('memory')} must be between 64 MB and 1,000,000 TB, but is {memory!r}."
        )
    return size


def as_source(data: Any) -> str | None:
    """Say which kind of source something is; None for what is none."""
    listed = data if isinstance(data, (list, tuple)) and len(data) else [data]
    if isinstance(data, Files) or all(isinstance(each, (str, os.PathLike)) for each in listed):
        return "files"
    if all(callable(getattr(data, verb, None)) for verb in ("pilot", "reduce", "ordered")):
        return "own"
    for kind in type(data).__mro__:
        module, name = kind.__module__, kind.__name__
        if module.startswith("pyarrow") and name == "Dataset":
            return "arrow"
        if module.split(".")[0] in ("duckdb", "_duckdb") and name == "DuckDBPyRelation":
            return "duckdb"
        if module.startswith("pyspark.sql") and name == "DataFrame":
            return "spark"
    return None


def open_source(
    data: Any,
    *,
    memory: int,
    spill: str | None = None,
    id: str | None = None,
    names: Sequence[str] = (),
    times: Sequence[str] = (),
) -> Any:
    """Return the rows of files, a pyarrow dataset, a DuckDB relation or a Spark table.

    Files with different columns are matched by ``id``; their columns ``names`` and ``times`` are
    not read as numbers. Whatever follows the protocol ``roctopus.concepts.streams.Source`` is taken
    as it is.
    """
    kind = as_source(data)
    if kind == "own":
        return data
    if kind == "arrow":
        return ArrowSource(data, memory=memory, spill=spill)
    if kind == "duckdb":
        return DuckSource(data, memory=memory, spill=spill)
    if kind == "spark":
        from roctopus.engines.spark import SparkSource

        return SparkSource(data)
    if not isinstance(data, Files):
        paths = data if isinstance(data, (list, tuple)) else [data]
        data = Files([os.fspath(path) for path in paths], memory=memory)
    return data.use(memory, spill, id, Roles(frozenset(names), frozenset(times)))

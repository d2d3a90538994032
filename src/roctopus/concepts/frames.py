"""Answers as dataframes of the user's kind."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np

from roctopus.core.errors import InputError, MissingDependencyError

__all__ = ["make_frame"]

BACKENDS = ("pandas", "polars", "pyarrow")


def make_frame(columns: Mapping[str, Any], backend: str | None, wanted: str | None = None) -> Any:
    """Build a dataframe: of the ``wanted`` library, else the user's own, else the first installed."""
    import narwhals as nw

    if wanted is not None and wanted not in BACKENDS:
        raise InputError(f"'backend' must be one of {', '.join(BACKENDS)}, got {wanted!r}.")
    chosen = wanted or (backend if backend in BACKENDS else None)
    if chosen is None:
        chosen = next((library for library in BACKENDS if find_spec(library)), None)
    if chosen is None or find_spec(chosen) is None:
        raise MissingDependencyError(chosen or "pandas, polars or pyarrow", "files", "A dataframe")
    plain = {name: _plain(values) for name, values in columns.items()}
    return nw.from_dict(plain, backend=chosen).to_native()


def _plain(values: Any) -> Any:
    array = np.asarray(values)
    return array.tolist() if array.dtype.kind in "OU" else array

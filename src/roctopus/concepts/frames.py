"""Results as dataframes of the user's library."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from roctopus.core.checks import check_choice
from roctopus.core.errors import MissingDependencyError

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)


def column_name(words: str) -> str:
    """Return a name that can be typed: "cost proportion" becomes cost_proportion."""
    return words.replace(" ", "_")


def make_frame(columns: Mapping[str, Any], backend: str | None, wanted: str | None = None) -> Any:
    """Build a dataframe of the ``wanted`` library, else the user's, else the first installed."""
    import narwhals as nw

    if wanted is not None and wanted not in BACKENDS:
        check_choice(wanted, "backend", *BACKENDS)
    preferred = [library for library in BACKENDS if library == (wanted or backend)]
    installed = [library for library in preferred or BACKENDS if find_spec(library)]
    if not installed:
        package = preferred[0] if preferred else "pandas, polars or pyarrow"
        install = f"pip install {preferred[0] if preferred else 'pandas'}"
        raise MissingDependencyError("A dataframe", package, install)
    plain = {name: _plain(values) for name, values in columns.items()}
    return nw.from_dict(plain, backend=installed[0]).to_native()


def _plain(values: Any) -> Any:
    array = np.asarray(values)
    return array.tolist() if array.dtype.kind in "OU" else array

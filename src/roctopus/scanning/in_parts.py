"""What models are asked that only a comparison of rows in memory can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roctopus.comparison.any_models import AnyModels
from roctopus.comparison.comparison import Comparison


class InParts(AnyModels):
    """Models on rows that are read in parts."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say which methods need all rows in memory."""
            if not name.startswith("_") and hasattr(Comparison, name):
                raise AttributeError(
                    f"'{name}' needs all rows in memory, but this comparison reads them in parts. "
                    "Compare a sample that fits into memory."
                )
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}.")

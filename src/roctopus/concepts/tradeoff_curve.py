"""Curves of two outcomes traded against each other as a knob turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from roctopus.concepts.frames import make_frame
from roctopus.core.arrays import Array, Floats, to_numpy


@dataclass(frozen=True, eq=False)
class TradeoffCurve:
    """Vertices (x, y) of a curve, each with its knob setting, by increasing knob.

    The arrays are of the library the data came in: torch in, torch out.
    """

    x: Array
    y: Array
    knob: Array
    backend: str | None

    names: ClassVar[tuple[str, str, str]] = ("x", "y", "knob")
    """What an arm calls x, y and the knob."""

    def __len__(self) -> int:
        return int(self.x.shape[0])

    def vertices(self) -> tuple[Floats, Floats, Floats]:
        """Return x, y and the knob as numpy arrays."""
        return to_numpy(self.x), to_numpy(self.y), to_numpy(self.knob)

    def columns(self) -> dict[str, Any]:
        """Return what a dataframe of the curve holds."""
        return dict(zip(self.names, self.vertices(), strict=True))

    def frame(self, backend: str | None = None) -> Any:
        """Return the vertices as a dataframe of your kind."""
        return make_frame(self.columns(), self.backend, backend)

    def __repr__(self) -> str:
        x, y, knob = self.names
        return f"{type(self).__name__}({len(self)} vertices of {x}, {y} and {knob})"

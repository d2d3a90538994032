"""Ordered classes beyond memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roctopus.concepts.ranked_grid import RankedGrid
from roctopus.concepts.streams import Bounded

__all__ = ["OrdinalGrid"]


class OrdinalGrid(RankedGrid):
    """Class masses per bucket of the score."""

    def scalars(self, options: Mapping[str, Any]) -> dict[str, Bounded]:
        """Return bounds of the volume under the ROC surface."""
        return {"volume_under_surface": self.chain_share()}

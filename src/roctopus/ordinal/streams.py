"""Ordered classes beyond memory."""

from __future__ import annotations

from typing import ClassVar

from roctopus.concepts.ranked_grid import RankedGrid


class OrdinalGrid(RankedGrid):
    """Class masses per bucket of the score."""

    share: ClassVar[str] = "volume_under_surface"

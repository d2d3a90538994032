"""What the user said, as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from roctopus.comparison.missing import Missing

__all__ = ["Request"]


@dataclass(frozen=True)
class Request:
    """Options of the command line that say what the data are and what errors cost."""

    files: list[str]
    arm: str | None = None
    truth: str | None = None
    models: list[str] | None = None
    id: str | None = None
    model_column: str | None = None
    prediction_column: str = "prediction"
    weight: str | None = None
    clusters: str | None = None
    by: str | None = None
    time: str | None = None
    labels: str | None = None
    missing: Missing = "refuse"
    delimiter: str | None = None
    decimal: str = "."
    encoding: str = "utf-8"
    under_cost: str | None = None
    over_cost: str | None = None
    asymmetry: str | None = None
    cutoff: str | None = None
    cutoff_column: str | None = None
    costs: str | None = None
    false_positive_cost: str | None = None
    false_negative_cost: str | None = None
    cost_proportion: str | None = None
    prevalence: str | None = None
    utility: str | None = None
    value: str | None = None
    cost: str | None = None
    theta: str | None = None
    capacity: str | None = None
    at_least: str | None = None
    distribution: str | None = None
    criterion: str | None = None

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Self:
        """Take what is known here from all that was said."""
        return cls(**{each.name: said[each.name] for each in fields(cls) if each.name in said})

    def given(self, *names: str) -> dict[str, str]:
        """Return those of some options that were said."""
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def flag(name: str) -> str:
    """Return an option as it is typed."""
    return "--" + name.replace("_", "-")

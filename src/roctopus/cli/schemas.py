"""``roctopus schema``: what machines can rely on."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from roctopus.cli.printing import emit
from roctopus.concepts.decision_parts import decision_schema
from roctopus.core.errors import InputError

SCHEMAS = ("answer", "check", "decision")


def read_schema(what: str) -> dict[str, Any]:
    """Return the JSON Schema of ``compare --json``, of ``check --json``, or of a decision."""
    if what not in SCHEMAS:
        raise InputError(f"There is no schema called {what!r}. Choose one of {', '.join(SCHEMAS)}.")
    if what == "decision":
        return decision_schema()
    text = files("roctopus").joinpath("cli", f"{what}.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def print_schema(what: str) -> None:
    """Print one of the schemas."""
    emit(json.dumps(read_schema(what), indent=2) + "\n")

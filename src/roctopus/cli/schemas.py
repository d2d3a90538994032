"""``roctopus schema``: what machines can rely on."""

from __future__ import annotations

import json
import sys

from roctopus.cli.answers import answer_schema
from roctopus.concepts.decision import decision_schema
from roctopus.core.errors import InputError

__all__ = ["print_schema"]

SCHEMAS = {"answer": answer_schema, "decision": decision_schema}


def print_schema(what: str) -> None:
    """Print one of the schemas."""
    if what not in SCHEMAS:
        raise InputError(f"There are schemas of {' and '.join(SCHEMAS)}, not of {what!r}.")
    sys.stdout.write(json.dumps(SCHEMAS[what](), indent=2) + "\n")

"""Choose a model and its operating point when deployment costs are unknown, vary, or differ.

A **context** says what errors cost, a **rule** turns it into a **knob** setting, a **curve** is the
outcome along contexts, an **area** its expectation, an **envelope** says who dominates where.
"""

import ast
from importlib import import_module
from pathlib import Path

# Names are listed once, in the stub that type checkers and editors read, and imported when they are
# first used: ``roctopus --help`` and ``import roctopus`` wait for nothing.
_PLACES = {
    name.name: statement.module
    for statement in ast.parse(Path(__file__).with_suffix(".pyi").read_bytes()).body
    if isinstance(statement, ast.ImportFrom)
    for name in statement.names
}

_PACKAGES = (
    "comparison",
    "cutoff",
    "datasets",
    "deploy",
    "display",
    "impact",
    "inference",
    "monitoring",
    "ordinal",
    "probability",
    "regression",
    "scanning",
)

__all__ = sorted(_PLACES)


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(f"roctopus.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module 'roctopus' has no attribute {name!r}")
    found = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]

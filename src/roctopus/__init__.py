"""Choose a model and its operating point when deployment costs are unknown, vary, or differ.

A **context** says what errors cost, a **rule** turns it into a **knob** setting, a **curve** is the
outcome along contexts, an **area** its expectation, an **envelope** says who dominates where.
"""

from importlib import import_module

from roctopus.core.lazy import listed_names

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

_find, _, __all__ = listed_names(__name__)


def __getattr__(name: str) -> object:
    return import_module(f"roctopus.{name}") if name in _PACKAGES else _find(name)


def __dir__() -> list[str]:
    return [*__all__, *_PACKAGES]

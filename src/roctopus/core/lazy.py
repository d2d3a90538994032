"""Names that are found when they are first used, and not imported before.

Public names of a package stand in ``__init__.pyi``, which type checkers and editors read, so
``roctopus --help`` and ``import roctopus`` wait for nothing. Methods that lead to packages above
find a function there when they are called.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def listed_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package, from its stub."""
    module = sys.modules[package]
    places = {
        name.name: statement.module
        for statement in ast.parse(Path(str(module.__file__)).with_suffix(".pyi").read_bytes()).body
        if isinstance(statement, ast.ImportFrom) and statement.module
        for name in statement.names
    }

    def find(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(places[name]), name)
        setattr(module, name, found)
        return found

    return find, lambda: sorted(places), sorted(places)


PLACES = {
    "as_source": "roctopus.engines.sources",
    "backtest": "roctopus.monitoring.replays",
    "band_of": "roctopus.inference.bands",
    "ask_models": "roctopus.deploy.asking",
    "check_cases": "roctopus.monitoring.preparing",
    "decision_sheet": "roctopus.concepts.sheets",
    "deploy_decision": "roctopus.deploy.shipping",
    "find_metric": "roctopus.arms",
    "from_cv_results": "roctopus.comparison.estimators",
    "judge_cases": "roctopus.monitoring.preparing",
    "open_source": "roctopus.engines.sources",
    "plot_band": "roctopus.display.bands",
    "plot_backtest": "roctopus.display.backtests",
    "plot_comparison": "roctopus.display.comparison",
    "read_memory": "roctopus.engines.sources",
    "read_source": "roctopus.scanning.sources",
    "say_decision": "roctopus.concepts.sentences",
    "show_decision": "roctopus.concepts.sheets",
    "show_in_notebook": "roctopus.report.page",
    "write_check_page": "roctopus.report.check_page",
    "write_page": "roctopus.report.page",
}


def upward(name: str) -> Callable[..., Any]:
    """Return a function of a package above."""
    found: Callable[..., Any] = getattr(import_module(PLACES[name]), name)
    return found

"""Methods that lead to packages above: found by name when they are called, not imported."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

PLACES = {
    "as_source": "roctopus.engines.sources",
    "backtest": "roctopus.monitoring.replays",
    "check_decision": "roctopus.monitoring.checking",
    "deploy_decision": "roctopus.deploy.shipping",
    "find_metric": "roctopus.arms",
    "open_source": "roctopus.engines.sources",
    "plot_backtest": "roctopus.display.backtests",
    "plot_comparison": "roctopus.display.comparison",
    "read_memory": "roctopus.engines.sources",
    "read_source": "roctopus.scanning.sources",
    "show_in_notebook": "roctopus.report.page",
    "write_check_page": "roctopus.report.check_page",
    "write_page": "roctopus.report.page",
}


def upward(name: str) -> Callable[..., Any]:
    """Return a function of a package above."""
    found: Callable[..., Any] = getattr(import_module(PLACES[name]), name)
    return found

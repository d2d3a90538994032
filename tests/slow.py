"""Slow tests say why they are slow, and a run that leaves them out says so."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

LEFT_OUT = pytest.StashKey[Counter[str]]()
"""How many slow tests of each file were left out, and why they are slow."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


@pytest.hookimpl(tryfirst=True)  # before `-m` leaves any out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fail if a slow test does not say why it is slow."""
    unexplained = [item.nodeid for item in items if reason(item) == ""]
    if unexplained:
        raise pytest.UsageError(
            f"Say why it is slow, as in @pytest.mark.slow(reason='...'): {', '.join(unexplained)}"
        )


def reason(item: pytest.Item) -> str | None:
    """Return why a test is slow: empty if its mark does not say, None if it has no mark."""
    mark = item.get_closest_marker("slow") or item.get_closest_marker("thorough")
    return None if mark is None else str(mark.kwargs.get("reason", ""))


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the slow tests that are left out."""
    for item in items:
        if why := reason(item):
            item.config.stash[LEFT_OUT][f"{item.location[0]}: {why}"] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts to the main process, if this is one of pytest-xdist's."""
    left_out = session.config.stash[LEFT_OUT]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive the counts; every process collects all tests, so they are all the same."""
    left_out: Counter[str] = node.config.stash[LEFT_OUT]
    left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """List the slow tests that were left out."""
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section(f"slow tests left out: {left_out.total()}")
        for where, count in sorted(left_out.items()):
            terminalreporter.line(f"{count} in {where}")

"""Tests marked slow or thorough say why, and a run that leaves them out lists them."""

from __future__ import annotations  # the lowest pytest has no public TerminalReporter

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

MARKS = ("slow", "thorough")
LEFT_OUT = pytest.StashKey[Counter[str]]()
"""How many marked tests of each file were left out, and why they are marked."""


def pytest_configure(config: pytest.Config) -> None:
    config.stash[LEFT_OUT] = Counter()


def marks(item: pytest.Item) -> list[pytest.Mark]:
    """Return the marks of a test for which it may be left out."""
    return [mark for name in MARKS for mark in item.iter_markers(name)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Fail if a test that will run does not say why it is marked."""
    check(session.items)


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Count the marked tests that are left out."""
    check(items)
    for item in items:
        for mark in marks(item)[:1]:
            where = f"{item.location[0]} ({mark.name}): {mark.kwargs['reason']}"
            item.config.stash[LEFT_OUT][where] += 1


def check(items: Sequence[pytest.Item]) -> None:
    """Fail if a mark has no reason."""
    for item in items:
        for mark in marks(item):
            if not mark.kwargs.get("reason"):
                raise pytest.UsageError(
                    f"{item.nodeid}: say why, as in @pytest.mark.{mark.name}(reason='...')."
                )


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
    """List the marked tests that were left out."""
    left_out = config.stash[LEFT_OUT]
    if left_out:
        terminalreporter.section(f"tests left out: {left_out.total()}")
        for where, count in sorted(left_out.items()):
            terminalreporter.line(f"{count} in {where}")

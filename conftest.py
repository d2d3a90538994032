"""Pictures need no screen; hypothesis draws 80 examples (quick: 25, thorough: 500)."""

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["left_out"]
os.environ.setdefault("MPLBACKEND", "Agg")

for name, examples in (("quick", 25), ("ci", 80), ("thorough", 500)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Close what a test drew: matplotlib warns when many figures are open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def chrome() -> Iterator[Any]:
    """Give one browser per process: playwright does not start a second one beside it."""
    from pages import browser

    with browser() as started:
        yield started

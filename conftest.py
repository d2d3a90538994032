"""Pictures need no screen; hypothesis draws 80 examples (quick: 25, thorough: 500).

ROCTOPUS_SHUFFLE=SEED runs files, and the tests of each file, in a random order.
"""

import os
import random
import sys
from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["slow"]
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


@pytest.hookimpl(tryfirst=True)  # pytest then brings together what shares a fixture
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shuffle files, and the tests of each file; all workers draw the same order."""
    seed = os.environ.get("ROCTOPUS_SHUFFLE")
    if not seed:
        return
    order = random.Random(seed)
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    order.shuffle(files)
    for tests in files:
        order.shuffle(tests)
    items[:] = [test for tests in files for test in tests]


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    """Close what a test drew: matplotlib warns when many figures are open."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")

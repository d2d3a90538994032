"""Which tests run, and in which order.

Tests marked `thorough` run in the thorough profile only. ROCTOPUS_SHUFFLE=SEED runs files, and the
tests of each file, in a random order.
"""

import os
import random
from itertools import groupby

import pytest


@pytest.hookimpl(tryfirst=True)  # pytest then brings together what shares a fixture
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only thorough runs do, and shuffle; all workers do the same."""
    if os.environ.get("HYPOTHESIS_PROFILE") != "thorough":
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
    if seed := os.environ.get("ROCTOPUS_SHUFFLE"):
        shuffle(items, random.Random(seed))


def shuffle(items: list[pytest.Item], order: random.Random) -> None:
    """Bring files, and the tests of each file, into a random order.

    What one worker must run alone comes first: at the end the other would wait for it.
    """
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    order.shuffle(files)
    files.sort(key=lambda tests: tests[0].get_closest_marker("xdist_group") is None)
    for tests in files:
        order.shuffle(tests)
    items[:] = [test for tests in files for test in tests]

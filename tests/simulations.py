"""Simulations: few samples every time, as many as it takes to be sure in thorough runs."""

from collections.abc import Callable
from typing import Any

import pytest

ALL = pytest.mark.thorough(reason="simulations with all their samples")


def samples(few: int, many: int) -> Callable[[Any], Any]:
    """Run a simulation with few samples, and with many in thorough runs, under the same bounds."""
    number = pytest.mark.parametrize("samples", [few, pytest.param(many, marks=ALL)])
    return lambda test: pytest.mark.simulation(number(test))

"""Simulations: few samples every time, as many as it takes to be sure in thorough runs."""

import pytest


def samples(few: int, many: int) -> pytest.MarkDecorator:
    """Run a simulation with few samples, and with many in thorough runs, under the same bounds."""
    reason = "simulations with all their samples"
    return pytest.mark.parametrize(
        "samples", [few, pytest.param(many, marks=pytest.mark.thorough(reason=reason))]
    )

"""Limits on how many cases are accepted: standard errors and ties."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import impact as arm


@pytest.mark.parametrize(
    ("mean", "limits"),
    [(10.0, {"at_most": 200}), (2.0, {"at_most": 200}), (-10.0, {"at_least": 200})],
)
def test_standard_errors_under_a_binding_capacity(mean, limits):
    rng = np.random.default_rng(0)
    values, errors = [], []
    for _ in range(300):
        x = rng.normal(size=400)
        y = mean + x + rng.normal(size=400)
        found = rt.estimate(
            arm.impact, y, x, utility=arm.value_minus_cutoff, theta=0.0, normalize=True, **limits
        )
        values.append(found.value)
        errors.append(found.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.15)


def test_capacity_and_ties():
    curve = rt.impact_curve([1, 1, 2], arm.value_times_price([1, 2, 3]), at_most=2)
    assert curve.gain.at(10.0) >= 0.0
    with pytest.raises(rt.InputError, match="'threshold' cannot be combined with the capacity"):
        rt.impact_curve([1, 2], arm.value_times_price([1, 2]), threshold=1.0, at_most=1)

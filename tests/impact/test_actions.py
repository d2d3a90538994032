"""Several ordered actions along the price."""

import numpy as np
import pytest

from roctopus import impact as arm


@pytest.mark.parametrize("seed", range(200))
def test_action_curves_come_to_an_end(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    actions = {"reject": arm.LinearUtility(np.zeros(n), 0.0)}
    for k in range(int(rng.integers(1, 3))):
        line = (rng.normal(size=n).round(1), round(float(rng.normal()), 1))
        actions[f"action {k}"] = arm.LinearUtility(*line)
    curve = arm.action_curve(rng.integers(0, 5, n), actions, low=-3.0, high=3.0)
    assert len(curve.function) <= 3 * n + 3


def test_one_line_against_nothing():
    actions = {"reject": arm.LinearUtility([0.0], 0.0), "accept": arm.LinearUtility([-0.3], 0.7)}
    curve = arm.action_curve([0.0], actions, low=-3.0, high=3.0)
    assert curve.function.knots.tolist() == pytest.approx([-3.0, 7 / 3, 3.0])


def test_actions_far_from_zero_and_at_ties():
    rng = np.random.default_rng(0)
    y = np.round(rng.normal(size=500) * 4096) / 4096
    score = y + rng.normal(size=500)
    found = []
    for offset in (0.0, 2.0**40):
        actions = {
            "no": arm.LinearUtility(np.zeros(500), 0.0),
            "yes": arm.value_minus_cutoff(y + offset),
        }
        found.append(arm.action_thresholds(score, actions, theta=0.125 + offset).impact)
    assert found[1] == pytest.approx(found[0], rel=1e-12)
    tied = {"r": arm.LinearUtility([0, 0], 0.0), "a": arm.LinearUtility([1, 1], -1.0)}
    assert arm.action_thresholds([1, 2], tied, theta=1.0).thresholds.tolist() == [np.inf]

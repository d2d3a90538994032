"""Canonical widths and smoothed areas where numbers are hard."""

import numpy as np
import pytest

from roctopus import display
from roctopus import probability as arm


@pytest.mark.parametrize(
    ("y", "p", "roots"),
    [
        (
            [0, 1, 0, 1, 0, 1, 1, 1],
            [
                0.5000589746908691, 0.5000988513301897, 0.5000790544800371, 0.5000282755969032,
                0.5000731210422171, 0.5000888124816207, 0.5000391578559967, 0.5000968977299451,
            ],
            [2.005270597],
        ),
        (
            [1, 1, 0, 1, 0, 0, 1, 1],
            [
                0.50000688029648, 0.5000046942728352, 0.500009713445133, 0.5000081410850457,
                0.5000044001798436, 0.5000021351050074, 0.5000064948038141, 0.5000005371098435,
            ],
            [1.9466e-05, 1.99998],
        ),
        ([0, 1], [0.5, 0.50001], [1.999995]),
        ([0, 1, 1, 1], [5e-7, 1.5e-6, 1e-12, 0.0], [0.29289, 1.70711]),
        ([0, 1], [1e-13, 5e-13], [2.0]),
    ],
)  # fmt: skip
def test_scores_that_lie_close_together(y, p, roots):
    found = [root.low for root in arm.canonical_width(y, p).roots()]
    # The means themselves carry rounding: where they differ by 3e-13, four digits are left.
    assert found == pytest.approx(roots, rel=1e-3 if max(p) < 1e-5 else 2e-5)


@pytest.mark.parametrize("p", [[0.25, 0.0, 0.5], [0.3, 0.0, 0.6]])
def test_a_normal_area_of_one_half_at_every_width(p):
    found = arm.canonical_width([1, 0, 0], p, kernel="normal")
    assert [(root.low, root.high) for root in found.roots()] == [(0.0, np.inf)]


def test_the_closest_normal_width_is_found_in_reasonable_time():
    found = arm.canonical_width([1, 1, 0], [1.0, 0.0, 0.1], kernel="normal")
    assert found.width is None
    widths = np.linspace(0.001, 5.0, 20001)
    gaps = np.abs(found.area.at(widths) - found.area.probabilistic_auc)
    assert abs(found.gap) <= gaps.min() + 1e-9


def test_log_odds_of_saturated_probabilities():
    q = np.nextafter(1.0, 0.0)
    area = arm.smoothed_area([1, 0, 1, 0], [1.0, 1.0, q, 0.2], kernel="log-odds")
    assert area.auc == 0.625
    assert area.at(1.0) == pytest.approx(area.at(1.0001), abs=1e-4)
    assert 0.5 < area.at(1.0) < 0.75
    assert arm.canonical_width([1, 1, 0, 0], [1.0, q, 0.4, 0.2], kernel="log-odds").width > 0
    tiny = arm.smoothed_area([1, 0, 1], [0.0, 5e-324, 0.3], kernel="log-odds")
    assert np.isfinite(tiny.at(2.0))


def test_a_narrow_normal_curve_and_a_constant_model():
    curve = arm.smoothed_roc_curve([0, 1], [0.2, 0.4], width=1e-300, kernel="normal")
    assert 0.0 <= curve.drawing_error <= 1.0
    shown = display.ReliabilityDisplay.from_predictions([0, 1], [0.5, 0.5])
    assert shown.ax_.lines[1].get_marker() == "o"

"""The range of prices that pictures of impact show."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import display
from roctopus import impact as arm


@pytest.mark.parametrize(
    ("grade", "score", "options"),
    [
        ([0.1, 0.29, 0.3, 0.5, 0.8, 1.2], [1, 3, 3, 2, 5, 4], {"low": 0.0, "high": 3.0}),
        ([0.5], [1.0], {}),
        ([0.1, 0.5, 0.8], [1, 1, 1], {}),
        ([0.1, 0.5, 0.8], [-0.1, -0.5, -0.8], {}),
        ([-0.1, -0.5, -0.8], [1, 2, 3], {}),
    ],
)
def test_pictures_that_reach_theta_zero(grade, score, options, tmp_path):
    for kind in (display.ImpactDisplay, display.ImpactGainDisplay, display.ThresholdLinesDisplay):
        shown = kind.from_predictions(grade, score, **options)
        shown.figure_.savefig(tmp_path / "picture.png")


def test_the_range_shown_is_where_there_is_something_to_choose():
    rng = np.random.default_rng(0)
    value = rng.normal(0.3, 1.0, 200)
    curve = rt.impact_curve(value + rng.normal(size=200), arm.value_minus_cutoff(value))
    low, high = display.ImpactDisplay({"a": curve}).context_range()
    knots = curve.function.knots[1:-1]
    assert low <= np.quantile(knots, 0.1)
    assert high >= np.quantile(knots, 0.9)

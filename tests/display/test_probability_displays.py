"""Pictures of the probability arm show what they say."""

import numpy as np
import pytest

import roctopus as rt
from roctopus import probability as arm
from roctopus.display import (
    CostCurveDisplay,
    ReliabilityDisplay,
    SegmentDisplay,
    SmoothedAreaDisplay,
    SmoothedROCDisplay,
)

rng = np.random.default_rng(0)
Y = rng.integers(0, 2, 200)
P = 1 / (1 + np.exp(-(2 * Y - 1 + 1.5 * rng.normal(size=200))))


def test_roc_and_proc_together():
    display = SmoothedROCDisplay.from_predictions(Y, P, name="m", kernel="log-odds", slope=1.0)
    told = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert f"(area {arm.roc_auc(Y, P):.3f})" in told[0]
    assert f"(area {arm.probabilistic_auc(Y, P):.3f})" in told[1]
    assert set(display.frame("pandas").columns) == {
        "model", "false_positive_rate", "true_positive_rate", "threshold",
    }  # fmt: skip
    with pytest.raises(rt.InputError, match=r"no width makes the area .* \(pAUC\)"):
        SmoothedROCDisplay.from_predictions([1, 1, 1, 0], [1.0, 0.0, 0.0, 0.1])


def test_area_with_all_its_roots():
    y = [1, 1, 0, 0, 1, 0, 1, 1, 0, 0]
    p = [1, 1, 0.6, 0.6, 0.50001, 0.49999, 0.45, 0.45, 0, 0]
    display = SmoothedAreaDisplay.from_predictions(y, p)
    marks = [text.get_text() for text in display.ax_.texts]
    assert marks == ["6.827e-05", "0.09995", "1.505"]
    frame = display.frame("pandas")
    np.testing.assert_allclose(frame["area"], arm.smoothed_area(y, p).at(frame["width"].to_numpy()))


def test_segments_and_their_limit():
    display = SegmentDisplay.from_predictions([1, 0, 1], [0.9, 0.5, 0.4], width=0.3)
    boxes = [shape.get_paths()[0].get_extents() for shape in display.ax_.collections]
    assert any(np.allclose([box.x0, box.x1], [0.75, 1.05]) for box in boxes)
    bells = SegmentDisplay.from_predictions([1, 0], [0.9, 0.5], width=0.2, kernel="normal")
    extent = bells.ax_.collections[0].get_paths()[0].get_extents()
    assert (extent.x0, extent.x1) == pytest.approx((0.2, 0.8))
    with pytest.raises(rt.InputError, match="cannot be drawn with kernel='log-odds'"):
        SegmentDisplay.from_predictions([1, 0], [0.9, 0.5], kernel="log-odds")
    with pytest.raises(rt.InputError, match="at most 60 segments, but there are 200"):
        SegmentDisplay.from_predictions(Y, P)


def test_costs_and_reliability():
    display = CostCurveDisplay.from_predictions(Y, P, context=0.3)
    best, by_probability = display.curves.values()
    assert by_probability.area() == pytest.approx(arm.brier_score(Y, P))
    assert best.at(0.3) <= by_probability.at(0.3)
    reliability = ReliabilityDisplay.from_predictions(Y, P, name="m")
    (line,) = [line for line in reliability.ax_.lines if line.get_label() == "m"]
    np.testing.assert_array_equal(line.get_ydata(), arm.reliability_curve(Y, P).outcome)

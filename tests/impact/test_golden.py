"""Values of the impact-curves paper, and those worked out by hand beside it."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus import impact as arm

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())


def case(name):
    entry = GOLDEN[name]
    return entry["inputs"], entry["expected"]


def test_theta_and_break_even():
    given, theta = case("004.theta")
    assert given["price"] / given["cost"] == pytest.approx(theta, rel=1e-15)
    given, even = case("004.breakeven")
    scale = arm.value_times_price([1.0]).scale
    assert scale.second.of_theta(given["theta"]) == even
    assert scale.second.to_theta(even) == given["theta"]
    assert arm.value_times_price([even]).at(given["theta"])[0] == 0.0


def test_toy_envelope():
    given, want = case("004.toy.envelope")
    utility = arm.value_times_price(given["grade"])
    for slope, intercept, threshold in zip(want["A"], want["B"], want["threshold"], strict=True):
        line = rt.impact_curve(given["sensor"], utility, threshold=float(threshold))
        assert line.at(0.0) == pytest.approx(intercept, rel=1e-12)
        assert line.at(1.0) - line.at(0.0) == pytest.approx(slope, rel=1e-12, abs=1e-12)
    curve = rt.impact_curve(given["sensor"], utility)
    kept = [float(want["threshold"][k]) for k in want["envelope"]]
    assert curve.knob.tolist() == kept
    np.testing.assert_allclose(curve.function.knots[1:-1], want["breakpoints"], rtol=1e-12)


def test_toy_at_two():
    given, (impact, threshold) = case("004.toy.theta2")
    theta = given["theta"]
    curve = rt.impact_curve(given["sensor"], arm.value_times_price(given["grade"]))
    assert curve.at(theta) == pytest.approx(impact, rel=1e-12)
    assert curve.knob_at(theta) == threshold
    value = arm.impact(given["grade"], given["sensor"], utility=arm.value_times_price, theta=theta)
    assert value == pytest.approx(impact, rel=1e-12)


def test_no_golden_value_is_left_out():
    assert set(GOLDEN) == {"004.theta", "004.breakeven", "004.toy.envelope", "004.toy.theta2"}
    assert math.isinf(float(GOLDEN["004.toy.envelope"]["expected"]["threshold"][0]))

"""Context curves, envelopes and maps: what a user calls."""

import dataclasses

import numpy as np
import pytest

import roctopus as rt
from roctopus.concepts.context_map import map_envelopes
from roctopus.core.piecewise import Piecewise

rng = np.random.default_rng(1)
Y = rng.normal(size=80)
MODELS = {
    "narrow": Y + rng.normal(size=80),
    "skewed": Y + rng.exponential(size=80) * 1.1,
    "bad": Y + 9 * rng.normal(size=80),
}
CURVES = {name: rt.asymmetry_cost_curve(Y, p) for name, p in MODELS.items()}


def test_number_in_number_out_array_in_array_out():
    curve = CURVES["narrow"]
    assert isinstance(curve.at(0.3), float)
    assert isinstance(curve.knob_at(0.3), float)
    assert curve.at([0.3, 0.4]).shape == (2,)
    assert curve.knob_at([0.3, 0.4]).shape == (2,)
    assert curve.at([0.3])[0] == curve.at(0.3)


def test_envelope_says_who_is_best_where():
    found = rt.envelope(CURVES)
    assert found.never_best == ("bad",)
    assert {region.model for region in found.regions} == {"narrow", "skewed"}
    assert found.regions[0].low == 0
    assert found.regions[-1].high == 1
    for low, high, model in found.regions:
        middle = (low + high) / 2
        assert found.best_at(middle) == model
        assert model == min(CURVES, key=lambda name: CURVES[name].at(middle))
        shift = rt.optimal_shift(Y, MODELS[model], asymmetry=middle)
        assert shift.low <= found.curve.knob_at(middle) <= shift.high
    for left, right in zip(found.regions[:-1], found.regions[1:], strict=True):
        values = [CURVES[region.model].at(left.high) for region in (left, right)]
        assert values[0] == pytest.approx(values[1], rel=1e-12)
    assert "never best: bad" in repr(found)
    assert found.frame("pandas")["model"].tolist() == [region.model for region in found.regions]


def test_envelope_of_one_curve():
    found = rt.envelope({"only": CURVES["bad"]})
    assert found.regions == (rt.Region(0.0, 1.0, "only"),)


def test_utilities_take_the_upper_envelope():
    gains = {
        name: rt.ContextCurve(Piecewise.through([0, 1], values), "price", "profit", "utility")
        for name, values in {"a": [0, 1], "b": [0.4, 0.6]}.items()
    }
    found = rt.envelope(gains)
    assert [region.model for region in found.regions] == ["b", "a"]
    assert found.regions[0].high == pytest.approx(0.4 / 0.8)
    assert found.curve.knob is None


def test_minus_and_area():
    difference = CURVES["bad"].minus(CURVES["narrow"])
    assert difference.at(0.4) == pytest.approx(CURVES["bad"].at(0.4) - CURVES["narrow"].at(0.4))
    areas = [rt.asymmetry_cost_area(Y, MODELS[name]) for name in ("bad", "narrow")]
    assert difference.area() == pytest.approx(areas[0] - areas[1], rel=1e-12)
    assert difference.expect(rt.Beta(2, 3)) == pytest.approx(
        CURVES["bad"].expect(rt.Beta(2, 3)) - CURVES["narrow"].expect(rt.Beta(2, 3)), rel=1e-12
    )


def test_a_distribution_that_is_one_point_is_the_value():
    curve = CURVES["skewed"]
    assert curve.expect(rt.PointMass(0.37)) == curve.at(0.37)


def test_curves_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        CURVES["narrow"].sense = "utility"


def test_refusals():
    curve = CURVES["narrow"]
    with pytest.raises(rt.InputError, match=r"'asymmetry' must be between 0 and 1, but is 1.5"):
        curve.at(1.5)
    with pytest.raises(rt.InputError, match="not of a tuned model"):
        curve.minus(CURVES["bad"]).knob_at(0.5)
    total = rt.rroc_curve(Y, MODELS["bad"]).cost_curve()
    with pytest.raises(rt.InputError, match="Only curves with the same outcome can be compared"):
        rt.envelope({"mean": curve, "total": total})
    with pytest.raises(rt.InputError, match="must be a mapping"):
        rt.envelope([curve])
    with pytest.raises(rt.InputError, match=r"defined from 0 to 1, but .* outside this range"):
        curve.expect(rt.Normal(0.5, 1))


def test_repr():
    assert repr(CURVES["narrow"]) == (
        "ContextCurve(mean asymmetric absolute error over asymmetry from 0 to 1: 80 pieces, "
        "shift tuned)"
    )


def maps():
    """Cost curves at several degrees of an added bias, tuned on each."""
    biases = np.array([0.0, 0.5, 2.0])
    return {
        name: rt.ContextMap(
            "bias", biases, tuple(rt.asymmetry_cost_curve(Y, p + b, shift=0.0) for b in biases)
        )
        for name, p in MODELS.items()
    }


def test_context_map():
    narrow = maps()["narrow"]
    direct = rt.asymmetric_absolute_error(Y, MODELS["narrow"] + 0.5, asymmetry=0.7)
    assert narrow.at(0.7, 0.5) == pytest.approx(direct, rel=1e-12)
    expected = [np.mean(np.abs(MODELS["narrow"] + b - Y)) for b in narrow.values]
    np.testing.assert_allclose(narrow.expect(rt.Uniform(0, 1)), expected, rtol=1e-12)
    assert len(narrow.frame("pandas")) == 3
    assert "3 values of bias from 0 to 2" in repr(narrow)
    found = map_envelopes(maps())
    assert len(found) == 3
    for position, each in enumerate(found):
        losses = {name: one.curves[position].at(0.9) for name, one in maps().items()}
        assert each.best_at(0.9) == min(losses, key=losses.get)


def test_context_map_refusals():
    narrow = maps()["narrow"]
    with pytest.raises(rt.InputError, match=r"none at bias=1\. The nearest is at 0\.5"):
        narrow.at(0.7, 1.0)
    with pytest.raises(rt.InputError, match="one curve per value of 'bias'"):
        rt.ContextMap("bias", np.array([0.0, 1.0]), narrow.curves)
    with pytest.raises(rt.InputError, match="must be in ascending order"):
        rt.ContextMap("bias", np.array([0.0, 0.0, 1.0]), narrow.curves)
    other = rt.ContextMap("bias", np.array([0.0, 0.5, 3.0]), narrow.curves)
    with pytest.raises(
        rt.InputError, match="The map of 'b' and the first map have different values of 'bias'"
    ):
        map_envelopes({"a": narrow, "b": other})


def test_region_borders_belong_to_the_first_one_named():
    y = np.array([3.0, 5.0, 8.0, 9.0, 4.0])
    low, high = np.array([2.0, 5.5, 6.0, 8.5, 4.2]), np.array([3.5, 5.2, 9.5, 9.0, 7.0])
    curves = {"low": rt.asymmetry_cost_curve(y, low), "high": rt.asymmetry_cost_curve(y, high)}
    found = rt.envelope(curves)
    assert found.best_at(found.regions[0].high) == "low"
    assert found.best_at([0.1, 0.9]).tolist() == ["low", "high"]
    assert found.at(0.1) == found.curve.at(0.1)
    assert found.knob_at(0.1) == found.curve.knob_at(0.1)
    assert found.expect(rt.Beta(2, 2)) == found.curve.expect(rt.Beta(2, 2))
    reversed_order = rt.envelope(dict(reversed(curves.items())))
    assert reversed_order.best_at(found.regions[0].high) == "high"


def test_names_must_differ_as_text():
    with pytest.raises(rt.InputError, match="must differ as text"):
        rt.envelope({1: CURVES["bad"], "1": CURVES["narrow"]})


def test_what_is_no_curve_is_refused_by_name():
    with pytest.raises(
        rt.InputError, match=r"'a' must be a context curve.*but is of type RROCCurve"
    ):
        rt.envelope({"a": rt.rroc_curve(Y, MODELS["bad"])})


def test_restrict_keeps_the_knobs_of_its_pieces():
    curve = CURVES["narrow"]
    part = curve.restrict(0.2, 0.7)
    assert part.domain == (0.2, 0.7)
    alphas = np.linspace(0.201, 0.699, 50)
    np.testing.assert_allclose(part.at(alphas), curve.at(alphas), rtol=1e-12)
    np.testing.assert_array_equal(part.knob_at(alphas), curve.knob_at(alphas))


def test_a_continuous_curve_goes_with_any_jumping_one():
    jumping = rt.ContextCurve(
        Piecewise.steps([0, 0.5, 1], [0.1, 9.0], "left"),
        "asymmetry",
        "mean asymmetric absolute error",
    )
    found = rt.envelope({"line": CURVES["narrow"], "steps": jumping})
    assert found.curve.continuity == "left"
    assert found.at(0.5) == 0.1

"""Very large and very small numbers: the same answer in another unit, or an error that says so."""

import numpy as np
import pytest

import roctopus as rt

RNG = np.random.default_rng(0)
Y = RNG.gamma(3.0, 10.0, 200)
A, B = Y + RNG.normal(0, 6, 200), Y + RNG.normal(0, 3, 200)
GRADES = RNG.integers(0, 3, 200)
NEAR = GRADES + RNG.normal(0, 0.7, 200)
EVENTS = RNG.integers(0, 2, 200)
SCORES = np.clip(0.3 * EVENTS + 0.7 * RNG.random(200), 0, 1)
SIZES = [-300, -200, -155, -140, -60, 60, 140, 155, 200, 300]
pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")


def asked_in(arm, s, c):
    """Return truths, models, options and a question, in other units of values and of costs."""
    far = {"a": A * s, "b": B * s}
    errors = {"false_positive_cost": c, "false_negative_cost": 4 * c}
    utility = {"utility": rt.impact.value_minus_cutoff}
    return {
        "regression": (Y * s, far, {}, {"under_cost": 4 * c, "over_cost": c}),
        "cutoff": (Y * s, far, errors, {"cutoff": 30 * s}),
        "ordinal": (GRADES, {"a": NEAR * s}, {}, {"cost": 1.0}),
        "probability": (EVENTS, {"a": SCORES}, {}, errors),
        "impact": (Y * s, {"a": A * s}, utility, {"theta": 20 * s}),
    }[arm]


def decide(arm, values, costs):
    y, models, options, asked = asked_in(arm, values, costs)
    return rt.compare(y, models, arm=arm, **options), asked


@pytest.mark.parametrize("arm", ["regression", "cutoff", "ordinal", "probability", "impact"])
@pytest.mark.parametrize("power", SIZES)
def test_units_make_no_difference_or_are_refused(arm, power):
    for values, costs in ((10.0**power, 1.0), (1.0, 10.0**power)):
        whole, asked = decide(arm, 1.0, 1.0)
        expected = whole.decide(**asked)
        try:
            whole, asked = decide(arm, values, costs)
            found = whole.decide(**asked)
        except rt.InputError as refusal:
            told = str(refusal)
        else:
            told = ""
        if abs(power) > 145 and told:
            assert "to be squared" in told
            continue
        assert not told
        factor = found.value / expected.value
        assert found.model == expected.model
        for name in ("low", "high"):
            assert getattr(found, name) == pytest.approx(factor * getattr(expected, name), rel=1e-6)
        assert whole.check(found).holds

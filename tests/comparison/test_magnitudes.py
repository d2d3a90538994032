"""Very large and very small numbers: the same answer in another unit, or an error that says so."""

from fractions import Fraction

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


HUGE = 10**400
"""Python's integers have no largest one; doubles do."""
TOO_LARGE = [
    ("regression", {"under_cost": HUGE, "over_cost": 1}),
    ("regression", {"under_cost": (1, HUGE), "over_cost": 1}),
    ("regression", {"under_cost": [HUGE], "over_cost": 1}),
    ("regression", {"asymmetry": Fraction(HUGE, 3)}),
    ("regression", {"between": (0.2, HUGE)}),
    ("cutoff", {"cutoff": -HUGE}),
    ("cutoff", {"between": (-HUGE, 1)}),
    ("ordinal", {"cost": HUGE}),
    ("ordinal", {"costs": [1, 1, HUGE]}),
    ("ordinal", {"costs": {0: 1, 1: HUGE, 2: 1}}),
    ("probability", {"cost_ratio": HUGE}),
    ("probability", {"false_positive_cost": 1, "false_negative_cost": HUGE}),
    ("impact", {"theta": HUGE}),
]


@pytest.mark.parametrize(("arm", "asked"), TOO_LARGE)
def test_integers_that_are_too_large_for_doubles(arm, asked):
    whole, _ = decide(arm, 1.0, 1.0)
    for verb in (whole.decide, whole.answer):
        with pytest.raises(rt.InputError, match=r"finite|large|between|must be a (single )?number"):
            verb(**asked)


COUNTS = {
    "points": lambda n: rt.regression.uroc_curve(Y, A, points=n),
    "thresholds": lambda n: rt.regression.uroc_curve(Y, A, thresholds=n),
    "replicates": lambda n: rt.inference.bootstrap("roc_auc", EVENTS, SCORES, replicates=n),
    "cv": lambda n: rt.compare(Y, {"a": A}, arm="regression", cv=n).decide(asymmetry=0.5),
}
COLUMNS = {
    "labels": lambda n: rt.ordinal.volume_under_surface(GRADES, NEAR, labels=[0, 1, n]),
    "moving": lambda n: rt.ordinal.ordinal_cost_curve(GRADES, NEAR, moving=n, low=0, high=1),
    "high": lambda n: rt.ordinal.ordinal_cost_curve(GRADES, NEAR, moving=1, low=0, high=n),
    "y_true": lambda n: rt.compare(
        np.array([*EVENTS[1:], n], dtype=object), {"a": SCORES}, arm="probability"
    ),
    "sample_weight": lambda n: rt.rroc_curve(Y, A, sample_weight=[*A[1:], n]),
    "time": lambda n: rt.compare(Y, {"a": A}, arm="regression", time=[*range(199), n]),
    "'low'": lambda n: rt.impact.UtilityScale(low=abs(n)),
    "asymmetry": lambda n: rt.rroc_curve(Y, A).cost_curve().at(n),
    "must be": lambda n: rt.rroc_curve(Y, A).cost_curve().at([0.5, n]),
    "must be at least 0": lambda n: rt.impact.UtilityScale(low=0, high=abs(n)).check(-1),
    "levels": lambda n: rt.regression.QuantileShift(levels=(0.5, n)),
    "width": lambda n: rt.probability.smoothed_area(EVENTS, SCORES).at([0.5, n]),
}


@pytest.mark.parametrize("name", [*COUNTS, *COLUMNS])
@pytest.mark.parametrize("number", [HUGE, -HUGE, 2**63], ids=["huge", "minus huge", "2**63"])
def test_large_integers_elsewhere(name, number):
    if number == 2**63 and name not in COUNTS:
        return  # a double like any other
    with pytest.raises(rt.InputError, match=name):
        (COUNTS | COLUMNS)[name](number)


def test_estimates_less_a_large_integer_are_infinite():
    found = rt.estimate("roc_auc", EVENTS, SCORES)
    assert (found - HUGE).value == -np.inf
    assert (HUGE - found).value == np.inf
    assert (found / HUGE).value == 0.0

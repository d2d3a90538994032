"""Very large and very small numbers beyond memory: as in memory, or an error that says so."""

import functools

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import roctopus as rt

RNG = np.random.default_rng(0)
SIZE = 2000
Y = RNG.gamma(3.0, 10.0, SIZE)
A, B = Y + RNG.normal(0, 6, SIZE), Y + RNG.normal(0, 3, SIZE)
GRADES = RNG.integers(0, 3, SIZE).astype(float)
NEAR = GRADES + RNG.normal(0, 0.7, SIZE)
EVENTS = RNG.integers(0, 2, SIZE).astype(float)
SCORES = np.clip(0.3 * EVENTS + 0.7 * RNG.random(SIZE), 0, 1)
SIZES = [-300, -155, -140, 140, 155, 300]
ARMS = ["regression", "cutoff", "ordinal", "probability", "impact"]
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


def compared(arm, mode, values, costs):
    y, models, options, asked = asked_in(arm, values, costs)
    source = ds.dataset(pa.table({"y": y, **models}))
    names = list(models)
    return rt.compare("y", source, models=names, arm=arm, mode=mode, **options), asked


def models_in(table):
    return table.column("model").to_pylist()


@functools.cache
def usual(arm, mode):
    whole, asked = compared(arm, mode, 1.0, 1.0)
    return whole.decide(**asked)


@pytest.mark.parametrize("mode", ["grid", "exact"])
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("power", SIZES)
def test_units_make_no_difference_or_are_refused(arm, power, mode):
    for values, costs in ((10.0**power, 1.0), (1.0, 10.0**power)):
        expected = usual(arm, mode)
        try:
            whole, asked = compared(arm, mode, values, costs)
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
        tolerance = 1e-6 if mode == "exact" else 1e-3
        for name in ("low", "high"):
            wanted = factor * getattr(expected, name)
            assert getattr(found, name) == pytest.approx(wanted, rel=tolerance)
        assert set(models_in(whole.table(**asked))) >= set(whole.models)

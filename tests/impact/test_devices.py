"""Curves of arrays of other libraries: sums and pruning where these are, the same curve."""

import array_api_compat
import array_api_strict
import numpy as np
import pytest
import torch

import roctopus as rt
from roctopus import impact as arm
from roctopus.core import hulls
from roctopus.core.errors import InputError, RoctopusWarning
from roctopus.core.hulls import hull_candidates, upper_hull

LIBRARIES = {"torch": torch.asarray, "strict": array_api_strict.asarray}
MAKERS = {
    "times": arm.value_times_price,
    "minus": arm.value_minus_cutoff,
    "lines": lambda y: arm.LinearUtility(y, 0.0 - 2.0 * y * y),
    "far": lambda y: arm.LinearUtility(y, 0.0 - 1e6 * y - 1.0),
}


def sample(tied, weighted, size=500):
    rng = np.random.default_rng(5)
    value = rng.exponential(size=size)
    score = value + rng.normal(size=size)
    weight = rng.integers(0, 3, size).astype(float) if weighted else None
    return value, np.round(score, 1) if tied else score, weight


@pytest.fixture
def eager(monkeypatch):
    """Prune even a few points."""
    monkeypatch.setattr(hulls, "FEW", 40)
    monkeypatch.setattr(hulls, "LOOK", 16)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize(
    "context",
    [{}, {"at_least": 100, "at_most": 200}, {"at_most": 50}, {"threshold": 1.3}],
    ids=["all", "between", "most", "fixed"],
)
def test_the_same_curve(library, tied, weighted, maker, context):
    value, score, weight = sample(tied, weighted)
    make = LIBRARIES[library]
    expected = rt.impact_curve(score, MAKERS[maker](value), sample_weight=weight, **context)
    given_weight = None if weight is None else make(weight)
    found = rt.impact_curve(
        make(score), MAKERS[maker](make(value)), sample_weight=given_weight, **context
    )
    for ours, theirs in (
        (found.function.knots, expected.function.knots),
        (found.knob, expected.knob),
        (found.accepted, expected.accepted),
        (found.trivial.knots, expected.trivial.knots),
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    points = np.linspace(0.1, 3.0, 9)
    scale = float(np.max(np.abs(expected.at(points))))
    np.testing.assert_allclose(found.at(points), expected.at(points), rtol=0, atol=1e-11 * scale)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("shape", ["walk", "noise", "tail", "concave", "flat"])
def test_pruning_keeps_every_vertex(shape):
    rng = np.random.default_rng(7)
    x = np.cumsum(rng.exponential(size=3000))
    y = np.cumsum(rng.normal(size=3000)) - 1e-3 * (x - 1500.0) ** 2 / 30.0
    if shape == "noise":
        x, y = rng.normal(size=3000), rng.normal(size=3000)
    elif shape == "tail":
        x = np.minimum(x, 1000.0)
    elif shape == "concave":
        y = -((x - 1500.0) ** 2)
    elif shape == "flat":
        x = np.zeros(3000)
    array = torch.asarray(x)
    kept = hull_candidates(array, torch.asarray(y), xp=array_api_compat.array_namespace(array))
    vertices = upper_hull(x, y)
    if shape in ("concave", "flat"):
        assert kept is None
    else:
        assert len(kept) < 600
        assert np.isin(vertices, np.asarray(kept)).all()


def test_arrays_of_two_libraries_meet_in_numpy():
    value, score, _ = sample(tied=False, weighted=False)
    expected = rt.impact_curve(score, arm.value_times_price(value)).at(2.0)
    mixed = rt.impact_curve(score, arm.value_times_price(torch.asarray(value)))
    assert mixed.at(2.0) == expected
    utility = arm.LinearUtility(torch.asarray(value), np.full(len(value), -1.0))
    assert isinstance(utility.slope, np.ndarray)
    assert rt.impact_curve(torch.asarray(score), utility).at(2.0) == expected


def test_a_utility_on_a_device_serves_where_numpy_works():
    value, score, _ = sample(tied=False, weighted=False)
    plain, device = (arm.value_times_price(y) for y in (value, torch.asarray(value)))
    assert isinstance(device.slope, torch.Tensor)
    np.testing.assert_array_equal(device.at(2.0), plain.at(2.0))
    np.testing.assert_array_equal((device - plain).slope, np.zeros(len(value)))
    assert len(device) == len(plain)
    summaries = [rt.impact_summary(score, u, theta=2.0).threshold for u in (plain, device)]
    assert summaries[0] == summaries[1]
    found, expected = (arm.plug_in_curve(u, u).at(2.0) for u in (device, plain))
    assert found == expected


def test_what_the_user_changes_later_changes_nothing():
    value = torch.tensor([0.5, 2.0], dtype=torch.float64)
    utility = arm.value_times_price(value)
    value += 1.0
    assert utility.slope.tolist() == [0.5, 2.0]


def test_refusals_and_warnings_are_the_same():
    value, score, _ = sample(tied=True, weighted=False)
    score[:] = 1.0
    for context in ({"at_least": 10, "at_most": 20}, {"at_least": 9, "at_most": 3}):
        with pytest.raises(InputError) as plain:
            rt.impact_curve(score, arm.value_times_price(value), **context)
        device = arm.value_times_price(torch.asarray(value))
        with pytest.raises(InputError) as foreign:
            rt.impact_curve(torch.asarray(score), device, **context)
        assert str(foreign.value) == str(plain.value)
    with pytest.warns(RoctopusWarning, match="All slopes of the utility are zero"):
        rt.impact_curve(torch.asarray(score), arm.LinearUtility(0.0, torch.asarray(value)))

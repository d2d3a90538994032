"""Replicates drawn where the data are, and numbers that need not leave their device."""

import sys

import array_api_compat
import numpy as np
import pytest
import torch

import roctopus as rt
from roctopus import impact as arm
from roctopus.core import arrays
from roctopus.core.resampling import device_poisson_counts
from roctopus.inference import bootstrap

LARGE = 5000


@pytest.fixture
def guarded(monkeypatch):
    """Let no large array of another library come to numpy, whoever asks."""
    bring = arrays.to_numpy

    def refuse(array):
        if not isinstance(array, np.ndarray):
            assert int(np.prod(tuple(array.shape))) < LARGE, "an array left its device"
        return bring(array)

    for name, module in list(sys.modules.items()):
        if name.startswith("roctopus") and getattr(module, "to_numpy", None) is bring:
            monkeypatch.setattr(module, "to_numpy", refuse)

    def never(self, *args, **kwargs):
        raise AssertionError("an array left its device")

    monkeypatch.setattr(torch.Tensor, "__array__", never)
    monkeypatch.setattr(arrays.np, "asarray", _only_small(np.asarray))


def _only_small(convert):
    def asarray(value, *args, **kwargs):
        if isinstance(value, torch.Tensor):
            assert value.numel() < LARGE, "an array left its device"
            value = value.numpy()
        return convert(value, *args, **kwargs)

    return asarray


def sample(size):
    rng = np.random.default_rng(11)
    y = rng.normal(size=size)
    return y, y + rng.normal(size=size), rng.uniform(0.5, 2.0, size)


METRICS = {
    "area over the curve": lambda y, p, w: rt.rroc_area_over_curve(y, p, sample_weight=w),
    "curve": lambda y, p, w: float(rt.rroc_curve(y, p, sample_weight=w).over[-1]),
    "loss": lambda y, p, w: rt.asymmetric_absolute_error(y, p, asymmetry=0.7, sample_weight=w),
    "area of cutoffs": lambda y, p, w: rt.output_cutoff_area(y, p, sample_weight=w),
    "region": lambda y, p, w: rt.output_cutoff_area(y, p, low=-1, high=1, sample_weight=w),
    "volume": lambda y, p, w: rt.volume_under_surface(_classes(y, 5), p, sample_weight=w),
    "backwards": lambda y, p, w: rt.volume_under_surface(_classes(y, 3), 0.0 - p, sample_weight=w),
    "auc": lambda y, p, w: rt.roc_auc(_classes(y, 2), p, sample_weight=w),
}


def _classes(y, count):
    xp = array_api_compat.array_namespace(y)
    return sum(xp.astype(y > cut, xp.float64) for cut in np.linspace(-1, 1, count - 1).tolist())


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.filterwarnings("ignore:The volume")
def test_numbers_are_found_on_the_device(name, weighted, tied, request):
    y, p, weight = sample(LARGE + 1000)
    if tied:
        y, p = np.round(y, 1), np.round(p, 1)
    plain = METRICS[name](y, p, weight if weighted else None)
    request.getfixturevalue("guarded")
    y, p, weight = map(torch.from_numpy, (y, p, weight))
    assert METRICS[name](y, p, weight if weighted else None) == pytest.approx(plain, rel=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
def test_curves_of_impact_are_thinned_on_the_device(weighted, request, monkeypatch):
    from roctopus.core import hulls

    monkeypatch.setattr(hulls, "FEW", 1 << 11)
    monkeypatch.setattr(hulls, "LOOK", 1 << 7)
    value, score, weight = sample(40_000)
    plain = rt.impact_curve(
        score, arm.value_minus_cutoff(value), sample_weight=weight if weighted else None
    )
    request.getfixturevalue("guarded")
    value, score, weight = map(torch.from_numpy, (value, score, weight))
    found = rt.impact_curve(
        score, arm.value_minus_cutoff(value), sample_weight=weight if weighted else None
    )
    assert found.at(0.3) == pytest.approx(plain.at(0.3), rel=1e-11)
    assert len(found.knob) == len(plain.knob)


def test_the_guard_guards(guarded):
    y, p, _ = map(torch.from_numpy, sample(LARGE + 1000))
    with pytest.raises(AssertionError, match="left its device"):
        rt.cutoff_error_curve(y, p)


def test_counts_are_poisson_and_repeat_with_their_seed():
    like = torch.zeros(200_000)
    (counts,) = device_poisson_counts(like, 5, np.random.default_rng(3))
    assert counts.shape == (5, 200_000)
    assert counts.dtype == torch.float32
    assert float(counts.mean()) == pytest.approx(1.0, abs=0.005)
    assert float(counts.var()) == pytest.approx(1.0, abs=0.01)
    assert float((counts == 0).double().mean()) == pytest.approx(np.exp(-1.0), abs=0.003)
    (again,) = device_poisson_counts(like, 5, np.random.default_rng(3))
    (other,) = device_poisson_counts(like, 5, np.random.default_rng(4))
    assert bool((again == counts).all())
    assert not bool((other == counts).all())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("metric", "context"),
    [
        (rt.rroc_area_over_curve, {"normalize": True}),
        (rt.asymmetric_absolute_error, {"asymmetry": 0.7}),
        (rt.regression.linex_error, {"a": 0.5}),
    ],
)
def test_replicates_of_the_device_are_like_those_of_the_host(metric, context, weighted):
    y, p, weight = sample(2000)
    given = {"sample_weight": weight} if weighted else {}
    tensors = {"sample_weight": torch.from_numpy(weight)} if weighted else {}
    host = bootstrap(metric, y, p, replicates=2000, progress=False, **given, **context)
    arrays = torch.from_numpy(y), torch.from_numpy(p)
    device = bootstrap(metric, *arrays, replicates=2000, progress=False, **tensors, **context)
    assert device.value == pytest.approx(host.value, rel=1e-12)
    assert device.acceleration == pytest.approx(host.acceleration, rel=1e-9)
    assert device.standard_error == pytest.approx(host.standard_error, rel=0.1)
    off = 5 * host.standard_error / np.sqrt(1000)
    assert np.mean(device.replicates) == pytest.approx(np.mean(host.replicates), abs=off)
    again = bootstrap(metric, *arrays, replicates=2000, progress=False, **tensors, **context)
    np.testing.assert_array_equal(again.replicates, device.replicates)


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_means_of_weightings_keep_their_digits(offset):
    from roctopus.core.resampling import means_of_weightings

    rng = np.random.default_rng(2)
    values, weights = rng.normal(size=500) + offset, rng.poisson(1, (6, 500)).astype(np.float32)
    expected = (weights.astype(float) @ values) / weights.sum(axis=1)
    for make in (np.asarray, torch.from_numpy):
        found = means_of_weightings(make(values), make(weights))
        np.testing.assert_allclose(found, expected, rtol=0, atol=3e-6)

"""Hulls over curves and points: duals, sizes, owners, hybrids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus.core.hulls import upper_hull
from strategies import cases


@given(case=cases(max_size=8, offset=False), data=st.data())
def test_equals_the_primal_hull(case, data):
    """The lower envelope over α and the convex hull of all vertices are the same thing."""
    size = len(case.y_true)
    others = data.draw(
        st.lists(st.lists(st.integers(-9, 9), min_size=size, max_size=size), min_size=1, max_size=3)
    )
    models = {"a": case.y_pred} | {f"m{i}": np.array(o) / 4 for i, o in enumerate(others)}
    entries = {
        name: rt.rroc_curve(case.y_true, p, sample_weight=case.sample_weight, normalize=True)
        for name, p in models.items()
    }
    if data.draw(st.booleans()):
        entries["point"] = rt.rroc_point(
            case.y_true, case.y_true + 0.3, sample_weight=case.sample_weight, normalize=True
        )
    hull = rt.rroc_hull(entries)
    over = np.concatenate([np.atleast_1d(e.over) for e in entries.values()])
    under = np.concatenate([np.atleast_1d(e.under) for e in entries.values()])
    index = upper_hull(over, under)
    top = index[: np.argmax(under[index]) + 1]  # up to the first vertex with the largest UNDER
    slack = 1e-9 * max(1.0, np.abs(under).max(), np.abs(over).max())
    # Every hull vertex lies on the primal hull, and the other way round.
    for x, y in zip(hull.over, hull.under, strict=True):
        height = np.interp(x, over[top], under[top])
        assert abs(y - height) <= slack or x > over[top][-1]
    for x, y in zip(over[top], under[top], strict=True):
        assert abs(y - np.interp(x, hull.over, hull.under)) <= slack
    assert np.all(np.diff(hull.over) > -slack)
    assert hull.asymmetry_from[0] == 0
    assert hull.asymmetry_to[-1] == 1
    np.testing.assert_array_equal(hull.asymmetry_to[:-1], hull.asymmetry_from[1:])


def test_normalised_curves_may_differ_in_size():
    rng = np.random.default_rng(0)
    curves = {
        "small": rt.rroc_curve(np.zeros(50), rng.normal(0, 1.0, 50), normalize=True),
        "large": rt.rroc_curve(np.zeros(500), rng.normal(0, 0.9, 500), normalize=True),
    }
    hull = rt.rroc_hull(curves)
    alpha = np.linspace(0, 1, 501)
    best = np.minimum(*(curve.cost_curve().at(alpha) for curve in curves.values()))
    np.testing.assert_allclose(hull.cost_curve.at(alpha), best, atol=1e-12)


def test_unnormalised_curves_of_different_weight_are_refused():
    a = rt.rroc_curve([1.0, 2.0], [1.0, 3.0])
    b = rt.rroc_curve([1.0, 2.0, 3.0], [1.0, 3.0, 3.0])
    sentence = r"'a' and 'b' have different total weights \(2 and 3\).*normalize=True"
    with pytest.raises(rt.InputError, match=sentence):
        rt.rroc_hull({"a": a, "b": b})
    with pytest.raises(rt.InputError, match=r"'b' is normalised, but 'a' is not"):
        rt.rroc_hull({"a": a, "b": rt.rroc_curve([1.0, 2.0], [1.0, 3.0], normalize=True)})


def test_refusals():
    with pytest.raises(rt.InputError, match="must be a mapping of model names"):
        rt.rroc_hull([rt.rroc_curve([1.0], [2.0])])
    with pytest.raises(rt.InputError, match="'models' is empty"):
        rt.rroc_hull({})
    with pytest.raises(rt.InputError, match="Model 'a' must be an RROC curve or point"):
        rt.rroc_hull({"a": [1.0, 2.0]})


def two_points():
    y = np.zeros(4)
    low, high = np.array([-3.0, -1.0, -2.0, 0.5]), np.array([2.0, 1.0, -0.5, 3.0])
    hull = rt.rroc_hull({"low": rt.rroc_point(y, low), "high": rt.rroc_point(y, high)})
    return y, {"low": low, "high": high}, hull


def test_shared_vertices_belong_to_the_first_and_are_reported_once():
    y, p = np.zeros(3), np.array([1.0, -2.0, 0.5])
    curve = rt.rroc_curve(y, p)
    hull = rt.rroc_hull({"first": curve, "second": curve})
    assert set(hull.owner) == {"first"}
    assert hull.never_best == ("second",)
    assert len(hull) == 3


def test_hybrid_reaches_the_point_in_expectation():
    y, predictions, hull = two_points()
    hybrid = hull.hybrid(over=3.0)
    assert hybrid.models == ("low", "high")
    assert hybrid.over == pytest.approx(3.0)
    assert hybrid.weight == pytest.approx((3.0 - 0.5) / 5.5)
    assert hull.hybrid(under=hybrid.under).weight == pytest.approx(hybrid.weight)
    draws = [rt.rroc_point(y, hybrid.sample(predictions, rng=seed)) for seed in range(4000)]
    assert np.mean([point.over for point in draws]) == pytest.approx(3.0, abs=0.12)
    assert np.mean([point.under for point in draws]) == pytest.approx(hybrid.under, abs=0.12)


def test_hybrid_is_reproducible_and_wholly_one_model_per_case():
    _, predictions, hull = two_points()
    hybrid = hull.hybrid(over=3.0)
    first = hybrid.sample(predictions, rng=1)
    np.testing.assert_array_equal(first, hybrid.sample(predictions, rng=1))
    generator = np.random.default_rng(1)
    np.testing.assert_array_equal(first, hybrid.sample(predictions, rng=generator))
    assert np.all((first == predictions["low"]) | (first == predictions["high"]))


def test_hybrid_ends_and_refusals():
    _, predictions, hull = two_points()
    assert hull.hybrid(over=float(hull.over[0])).weight == 0.0
    assert hull.hybrid(over=float(hull.over[-1])).weight == 1.0
    with pytest.raises(
        rt.InputError, match=r"'over' must be between 0.5 and 6 \(the ends of the hull\), but is 7"
    ):
        hull.hybrid(over=7.0)
    with pytest.raises(rt.InputError, match="The target of the hybrid is missing"):
        hull.hybrid()
    with pytest.raises(rt.InputError, match="but 'high' is missing"):
        hull.hybrid(over=3.0).sample({"low": predictions["low"]}, rng=0)


def test_hybrid_shifts_its_models():
    rng = np.random.default_rng(6)
    y = rng.normal(size=30)
    predictions = {"a": y + rng.normal(size=30), "b": y + rng.standard_t(3, size=30)}
    hull = rt.rroc_hull({name: rt.rroc_curve(y, p) for name, p in predictions.items()})
    for over in np.linspace(hull.over[0], hull.over[-1], 7):
        hybrid = hull.hybrid(over=over)
        ends = [
            rt.rroc_point(y, predictions[model], shift=shift)
            for model, shift in zip(hybrid.models, hybrid.shifts, strict=True)
        ]
        expected = (1 - hybrid.weight) * ends[0].under + hybrid.weight * ends[1].under
        assert hybrid.under == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_repr_and_frame_tell_the_answer():
    _, _, hull = two_points()
    assert repr(hull) == "RROCHull(2 vertices: 1 of low, 1 of high)"
    frame = hull.frame("pandas")
    assert frame.columns.tolist() == [
        "model", "over", "under", "shift", "asymmetry_from", "asymmetry_to",
    ]  # fmt: skip
    assert frame["model"].tolist() == ["low", "high"]

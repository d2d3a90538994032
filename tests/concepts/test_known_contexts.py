"""Curves known at some contexts only, curves over quantiles, regions followed on other data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roctopus as rt
from roctopus.core.piecewise import Piecewise
from strategies import cases


def steps(values, context="cutoff"):
    knots = np.concatenate([[-np.inf], np.arange(1.0, len(values)), [np.inf]])
    return rt.ContextCurve(Piecewise.steps(knots, values, "left"), context, "error")


CURVE = steps([0.0, 0.4, 0.2, 0.3])


def test_known_values_and_refusals():
    curve = CURVE.sampled([3.5, 0.5, 2.0])
    assert curve.at([0.5, 2.0]).tolist() == [0.0, 0.4]
    with pytest.raises(
        rt.InputError, match="no value at 1: it is only known at 3 values of 'cutoff'"
    ):
        curve.at(1.0)
    with pytest.raises(rt.InputError, match="An area needs the curve at every 'cutoff'"):
        curve.area(0, 1)
    with pytest.raises(
        rt.InputError, match="under this distribution needs the curve at every 'cutoff'"
    ):
        curve.expect(rt.Uniform(0, 1))
    with pytest.raises(rt.InputError, match="over the quantiles of this distribution needs"):
        curve.over_quantiles(rt.Uniform(0, 1))
    assert curve.expect(rt.Empirical([0.5, 2.0])) == pytest.approx(0.2)
    assert "3 known contexts" in repr(curve)
    assert curve.frame("pandas").columns.tolist() == ["cutoff", "value"]
    assert curve.restrict(1.0, 4.0).known.tolist() == [2.0, 3.5]
    with pytest.raises(rt.InputError, match=r"not computed at any value of 'cutoff' between 0\.6"):
        curve.restrict(0.6, 0.7)


def test_nearest():
    curve = CURVE.sampled([0.0, 2.0, 3.5]).nearest()
    assert curve.at([-5.0, 0.9, 1.0, 1.1, 2.7, 2.8, 9.0]).tolist() == [0, 0, 0, 0.4, 0.4, 0.3, 0.3]
    assert not curve.exact
    assert CURVE.nearest() is CURVE


def test_envelope_at_known_contexts():
    other = steps([0.1, 0.1, 0.1, 0.1]).sampled([0.5, 2.0, 3.5])
    best = rt.envelope({"steps": CURVE, "flat": other})
    assert best.curve.known.tolist() == [0.5, 2.0, 3.5]
    assert best.at([0.5, 2.0, 3.5]).tolist() == [0.0, 0.1, 0.1]
    assert [model for _, _, model in best.regions] == ["steps", "flat"]
    assert best.regions[0].high == pytest.approx(1.25)
    assert other.minus(CURVE).at(2.0) == pytest.approx(-0.3)
    with pytest.raises(rt.InputError, match="'a' and 'b' were computed at different values"):
        rt.envelope({"a": other, "b": CURVE.sampled([0.5])})


def test_over_quantiles_of_discrete_and_continuous_distributions():
    distribution = rt.Empirical([2.5, 0.5, 0.5, 1.5])
    curve = CURVE.over_quantiles(distribution)
    assert curve.context == "quantile of cutoff"
    assert curve.at([0.0, 0.49, 0.5, 0.74, 0.75, 1.0]).tolist() == [0, 0, 0.4, 0.4, 0.2, 0.2]
    assert curve.area() == pytest.approx(CURVE.expect(distribution))
    for distribution in (
        rt.Normal(1.5, 1.0),
        rt.Beta(2, 3, 0, 4),
        rt.Uniform(1.2, 1.8),
        stats.t(3),
    ):
        curve = CURVE.over_quantiles(distribution)
        assert curve.area() == pytest.approx(CURVE.expect(distribution), abs=1e-12)
        assert curve.domain == (0.0, 1.0)
    median = stats.norm(1.5, 1.0).ppf(0.3)
    assert CURVE.over_quantiles(rt.Normal(1.5, 1.0)).at(0.3) == CURVE.at(median)
    line = rt.ContextCurve(Piecewise.through([0, 1], [0, 1]), "cutoff", "error")
    with pytest.raises(
        rt.InputError,
        match="A continuous distribution can only be used with a curve that consists of steps",
    ):
        line.over_quantiles(rt.Uniform(0, 1))


@given(first=cases(offset=False), second=cases(offset=False), cutoff=st.floats(-100, 100))
def test_regions_followed_on_other_data(first, second, cutoff):
    def curves(case):
        weight = {"sample_weight": case.sample_weight}
        return {
            "model": rt.cutoff_error_curve(case.y_true, case.y_pred, **weight),
            "zero": rt.cutoff_error_curve(case.y_true, np.zeros(len(case.y_true)), **weight),
        }

    learned, there = rt.envelope(curves(first)), curves(second)
    followed = learned.follow(there)
    if cutoff not in np.ravel([region[:2] for region in learned.regions]):
        assert followed.at(cutoff) == there[learned.best_at(cutoff)].at(cutoff)
    ideal = rt.envelope(there)
    distribution = rt.Normal(0, 20)
    assert ideal.expect(distribution) <= followed.expect(distribution) + 1e-12
    assert learned.follow(curves(first)).expect(distribution) == pytest.approx(
        learned.expect(distribution)
    )


def test_follow_keeps_knobs_and_known_contexts():
    y = np.array([3.0, 5.0, 8.0, 9.0, 4.0])
    models = {"low": [2.0, 5.5, 6.0, 8.5, 4.2], "high": [3.5, 5.2, 9.5, 9.0, 7.0]}
    curves = {name: rt.asymmetry_cost_curve(y, p) for name, p in models.items()}
    learned = rt.envelope(curves)
    followed = learned.follow(curves)
    alphas = np.linspace(0.01, 0.99, 57)
    np.testing.assert_allclose(followed.at(alphas), learned.at(alphas))
    np.testing.assert_allclose(followed.knob_at(alphas), learned.knob_at(alphas))
    with pytest.raises(rt.InputError, match="The model 'high' is best for some values of"):
        learned.follow({"low": curves["low"]})
    known = rt.envelope({"a": CURVE, "b": steps([0.1] * 4).sampled([0.5, 2.0, 3.5])})
    followed = known.follow({"a": CURVE, "b": steps([0.3, 0.3, 0.3, 0.3])})
    assert followed.at([0.5, 2.0, 3.5]).tolist() == [0.0, 0.3, 0.3]
    exact = rt.envelope({"a": CURVE, "": steps([0.1] * 4)})
    followed = exact.follow({"a": CURVE, "": steps([0.3] * 4).sampled([0.5, 2.0, 3.5])})
    assert followed.known.tolist() == [0.5, 2.0, 3.5]
    assert followed.at([0.5, 2.0, 3.5]).tolist() == [0.0, 0.3, 0.3]
    with pytest.raises(rt.InputError, match="no value at 1: it is only known"):
        known.best_at(1.0)


def test_best_at_a_jump_is_the_one_that_is_best_there():
    a, b = rt.cutoff_error_curve([5.0], [10.0]), rt.cutoff_error_curve([5.0], [0.0])
    assert rt.envelope({"b": b, "a": a}).best_at(5.0) == "a"
    assert rt.envelope({"b": b, "a": a}).best_at([4.0, 6.0, 11.0]).tolist() == ["a", "b", "b"]


@pytest.mark.parametrize(
    "distribution", [rt.Normal(0.2, 1.0), rt.Gamma(2.0, 1.0), rt.Uniform(-1, 2)]
)
def test_truncated_continuous_distributions(distribution):
    cut = rt.Truncated(distribution, 0.1, 1.5).part()
    x = np.linspace(-1, 3, 41)
    mass = distribution.cdf(np.array([1.5])) - distribution.cdf(np.array([0.1]))
    want = np.clip((distribution.cdf(x) - distribution.cdf(np.array([0.1]))) / mass, 0, 1)
    np.testing.assert_allclose(cut.cdf(x), want, atol=1e-12)
    whole = cut.moment(np.array([-np.inf]), np.array([np.inf]), np.array([0.0]))
    draws = np.linspace(0, 1, 200001)
    inverse = np.interp(
        draws, cut.cdf(np.linspace(0.1, 1.5, 100001)), np.linspace(0.1, 1.5, 100001)
    )
    assert float(whole[0]) == pytest.approx(np.mean(inverse), abs=1e-4)
    line = rt.ContextCurve(Piecewise.through([0.0, 2.0], [0.0, 2.0]), "x", "y")
    assert line.expect(rt.Truncated(distribution, 0.1, 1.5)) == pytest.approx(float(whole[0]))


def test_truncated_discrete_distributions_and_refusals():
    cut = rt.Truncated(rt.Empirical([1, 2, 3], [1, 1, 2]), 2, 3).part()
    assert cut.support.tolist() == [2, 3]
    assert cut.probability.tolist() == pytest.approx([1 / 3, 2 / 3])
    for distribution in (rt.Uniform(0, 1), rt.Empirical([0.5])):
        with pytest.raises(rt.InputError, match="from 2 to 3, because its probability there is 0"):
            rt.Truncated(distribution, 2, 3)
    with pytest.raises(rt.InputError, match="go from a lower to a higher number"):
        rt.Truncated(rt.Uniform(0, 1), 3, 2)
    with pytest.raises(rt.InputError, match="from 8 to 9, because its probability there is 6"):
        rt.Truncated(rt.Normal(0, 1), 8, 9)
    assert repr(rt.Truncated(rt.Uniform(0, 1), 0.5, 3)) == (
        "Truncated(distribution=Uniform(low=0, high=1), low=0.5, high=3)"
    )


def test_points_without_probability_are_absent():
    distribution = rt.Empirical([4.0, 8.0, 6.0], [1, 1, 0])
    assert distribution.support.tolist() == [4.0, 8.0]
    assert CURVE.sampled([4.0, 8.0]).expect(distribution) == pytest.approx(0.3)

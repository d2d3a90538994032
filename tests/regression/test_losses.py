"""Losses of any kind: a search agrees with what is exact, and takes the losses of users."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

import naive
import roctopus as rt
from roctopus import inference
from roctopus import regression as arm
from roctopus.deploy import TunedShiftRegressorCV
from roctopus.regression.errors import read_errors
from strategies import cases


@dataclass(frozen=True)
class Huber(arm.Loss):
    """Squared up to ``delta``, straight beyond; under-estimates cost ``under`` times as much."""

    delta: float
    under: float = 1.0

    def values(self, error, xp):
        size = xp.abs(error)
        near = xp.clip(size, None, self.delta)
        return xp.where(error < 0, self.under, 1.0) * near * (size - 0.5 * near)


@dataclass(frozen=True)
class LogCosh(arm.Loss):
    unit: float = 1.0

    def values(self, error, xp):
        size = xp.abs(error) / self.unit
        return size + xp.log1p(xp.expm1(-2.0 * size) / 2.0)


@dataclass(frozen=True)
class FreeWithin(arm.Loss):
    free: float

    def values(self, error, xp):
        return xp.clip(xp.abs(error) - self.free, 0.0, None)


@dataclass(frozen=True)
class Formula(arm.Loss):
    function: object

    def values(self, error, xp):
        return self.function(error, xp)


def search(loss, y_true, y_pred, sample_weight=None):
    """Search for the best shift of a loss that may know better."""
    return arm.Loss.best_shift(loss, read_errors(y_true, y_pred, sample_weight))


def spread_of(case):
    error = case.y_pred - case.y_true
    return max(1.0, float(np.ptp(error)))


EXACT = [
    rt.LinLin(0.5),
    rt.LinLin(0.8),
    rt.LinLin(0.0),
    rt.LinLin(1.0),
    rt.LinLin(under_cost=3.0, over_cost=0.25),
    rt.QuadQuad(0.5),
    rt.QuadQuad(0.9),
    rt.QuadQuad(0.0),
    rt.QuadQuad(1.0),
    rt.regression.LinEx(0.03),
    rt.regression.LinEx(-0.02),
    rt.regression.QuadEx(0.02, 0.2),
]
OWN = [Huber(0.75), Huber(3.0, under=4.0), LogCosh(2.0), FreeWithin(1.0)]


@given(case=cases(), offset=st.sampled_from([0.0, 0.0, -3e5, 1e12]))
def test_the_search_finds_what_is_known_exactly(case, offset):
    case = case._replace(y_pred=case.y_pred + offset)
    # A loss that is the smallest to 1e-12 fixes the shift to about the root of that.
    room = 2e-6 * spread_of(case) + 4e-16 * abs(offset)
    for loss in EXACT:
        exact = rt.optimal_shift(*case[:2], loss=loss, sample_weight=case.sample_weight)
        found = search(loss, *case)
        for end in ("low", "high", "chosen"):
            want = pytest.approx(getattr(exact, end), rel=1e-12, abs=room)
            assert getattr(found, end) == want, loss


@pytest.mark.parametrize("loss", OWN, ids=str)
@given(case=cases(max_size=8))
def test_own_losses_are_smallest_at_the_best_shift_by_thirds(loss, case):
    best = rt.optimal_shift_error(*case[:2], loss=loss, sample_weight=case.sample_weight)
    error = case.y_pred - case.y_true

    def at(shift):
        return np.average(loss.values(error + shift, np), weights=case.sample_weight)

    slow = naive.smallest_over_shifts(at, *case)
    assert best == pytest.approx(slow, rel=1e-9, abs=1e-9)
    found = rt.optimal_shift(*case[:2], loss=loss, sample_weight=case.sample_weight)
    for shift in (found.low, 0.5 * (found.low + found.high), found.high):
        assert at(shift) == pytest.approx(best, rel=1e-9, abs=1e-9)


@given(case=cases(offset=False), counts=st.data())
def test_weights_of_the_search_are_copies(case, counts):
    size = len(case.y_true)
    times = np.array(
        counts.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size).filter(any))
    )
    for loss in OWN:
        copies = np.repeat(case.y_true, times), np.repeat(case.y_pred, times)
        weighted, repeated = search(loss, *case[:2], times), search(loss, *copies)
        least = loss.mean(copies[0], copies[1] + repeated.chosen)
        for shift in (weighted.low, weighted.chosen, weighted.high):
            assert loss.mean(copies[0], copies[1] + shift) == pytest.approx(
                least, rel=1e-11, abs=1e-10
            )


def test_flat_minima_are_intervals():
    found = rt.optimal_shift([0.0, 0.0], [1.0, 2.0], loss=FreeWithin(3.0))
    assert (found.low, found.high, found.chosen) == (pytest.approx(-4), pytest.approx(1), 0.0)
    found = rt.optimal_shift([0.0], [7.0], loss=FreeWithin(3.0))
    assert (found.low, found.high, found.chosen) == pytest.approx((-10.0, -4.0, -4.0))
    # An outlier does not hide a short flat stretch between the two cases in the middle.
    found = search(rt.LinLin(0.5), [0.0] * 4, [0.0, 1.0, 1.001, 1e6])
    assert (found.low, found.high) == pytest.approx((-1.001, -1.0), abs=1e-6)


def test_one_case_and_equal_errors_are_corrected():
    for error in (0.0, 3.0, -2.5e-9, 1e12 + 0.5):
        for loss in (*OWN[:3], rt.QuadQuad(0.3), rt.LinLin(0.3)):
            for size in (1, 4):
                found = search(loss, np.zeros(size), np.full(size, error))
                assert found.chosen == pytest.approx(-error, rel=1e-12, abs=2e-8)


def test_a_loss_need_not_be_smallest_at_zero():
    y, p = np.zeros(5), np.array([0.0, 1.0, 2.0, 4.0, 8.0])
    wished = Formula(lambda e, xp: (e - 20.0) ** 2)
    assert rt.optimal_shift(y, p, loss=wished).chosen == pytest.approx(17.0)
    below = Formula(lambda e, xp: (e + 1000.0) ** 2 - 7.0)
    assert rt.optimal_shift(y, p, loss=below).chosen == pytest.approx(-1003.0)
    one_sided = Formula(lambda e, xp: xp.clip(e, 0.0, None) ** 2)
    assert rt.optimal_shift(y, p, loss=one_sided).low == -np.inf
    assert rt.optimal_shift(y, p, loss=one_sided).chosen == pytest.approx(-8.0)


def test_what_cannot_be_searched_is_refused_in_a_sentence():
    y, p = np.zeros(5), np.array([0.0, 1.0, 2.0, 4.0, 8.0])
    for function, sentence in (
        (
            lambda e, xp: xp.clip(xp.abs(e), None, 1.0),
            r"not convex near the error",
        ),
        (lambda e, xp: xp.sqrt(xp.abs(e)), r"not convex near the error"),
        (lambda e, xp: e, "no best shift, because the loss keeps falling"),
        (lambda e, xp: xp.exp(200.0 * e), r"infinite for some errors .* \(8.* wide\)"),
        (lambda e, xp: xp.log(e), r"infinite for some errors .* \(8.* wide\)"),
        (lambda e, xp: xp.sum(e), "must return an array with one number per error"),
    ):
        with pytest.raises(rt.InputError, match=sentence):
            rt.optimal_shift(y, p, loss=Formula(function))
    for wrong in (0.8, "huber", rt.LinLin, None.__class__):
        with pytest.raises(
            rt.InputError, match=r"'loss' must be (a loss|an instance) such as LinLin"
        ):
            rt.optimal_shift(y, p, loss=wrong)
        with pytest.raises(
            rt.InputError, match=r"'loss' must be (a loss|an instance) such as LinLin"
        ):
            arm.loss_component_path(y, p, loss=wrong)
    with pytest.raises(rt.InputError, match="'y_pred' has infinite values in row 1"):
        rt.optimal_shift([0.0, 0.0], [1.0, np.inf], loss=Huber(1.0))
    with pytest.raises(TypeError, match="abstract"):
        arm.Loss()


@pytest.mark.parametrize("loss", [Huber(0.75, under=4.0), LogCosh(2.0)], ids=str)
def test_whatever_takes_a_loss_takes_ones_own(loss):
    rng = np.random.default_rng(3)
    y = rng.normal(size=300)
    p = y + rng.gumbel(size=300)
    best = rt.estimate(rt.optimal_shift_error, y, p, loss=loss)
    shift = rt.optimal_shift(y, p, loss=loss).chosen
    assert best.value == loss.mean(y, p + shift) < loss.mean(y, p)
    assert best.standard_error == pytest.approx(
        loss.values(p + shift - y, np).std(ddof=1) / 300**0.5
    )
    path = arm.loss_component_path(y, p, loss=loss, normalize=True)
    assert path.isometric.loss == pytest.approx(best.value)
    assert np.all(path.over - path.under >= best.value * (1 - 1e-12))
    honest = inference.honest_value(rt.regression.ShiftTuning(loss), y, p)
    assert honest.value == pytest.approx(best.value, rel=0.05)


def test_a_deployed_model_is_tuned_for_ones_own_loss():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 2))
    y = X.sum(axis=1) + rng.gumbel(size=400)
    loss = Huber(0.75, under=9.0)
    model = TunedShiftRegressorCV(LinearRegression(), rule=arm.LossShift(loss)).fit(X, y)
    plain = LinearRegression().fit(X, y).predict(X)
    shift = model.predict(X) - plain
    assert np.allclose(shift, rt.optimal_shift(y, plain, loss=loss).chosen, atol=0.05)
    with pytest.raises(rt.InputError, match="LossShift is not fitted"):
        arm.LossShift(loss).shift(0.5, plain)
    with pytest.raises(rt.InputError, match=r"'loss' must be (a loss|an instance) such as LinLin"):
        arm.LossShift(0.8).fit(y, plain)


@pytest.mark.parametrize("loss", [rt.QuadQuad(0.8), Huber(0.75, under=4.0)], ids=str)
def test_any_loss_has_a_metric(loss):
    rng = np.random.default_rng(4)
    y, p = rng.normal(size=(2, 50))
    weight = rng.integers(1, 4, 50).astype(float)
    names = ("delta", "under") if isinstance(loss, Huber) else ("under_cost", "over_cost")
    parameters = {name: getattr(loss, name) for name in names}
    values = loss.values(p - y, np)
    mean = np.average(values, weights=weight)
    assert loss.mean(y, p, weight) == pytest.approx(mean)
    found = type(loss).influence(y, p, sample_weight=weight, **parameters)
    assert np.allclose(found.values, values - mean)
    rows = np.array([weight, np.ones(50)])
    batch = type(loss).batch(y, p, rows, total=50.0, **parameters)
    assert np.allclose(batch, [mean, values.mean()])


def test_errors_that_hardly_differ_have_a_finite_best_shift():
    found = search(Huber(3.0), np.array([0.0, 0.0]), np.array([0.0, 2e-308]))
    assert np.isfinite([found.low, found.high]).all()
    assert found.low <= 0.0 <= found.high

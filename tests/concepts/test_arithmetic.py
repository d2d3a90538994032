"""Arithmetic of estimates: less a number, a number less it, over a number or an estimate."""

import numpy as np
import pytest

import roctopus as rt

Y = np.array([0, 1, 0, 1, 1, 0, 0, 1] * 10)
P = Y + np.random.default_rng(0).normal(size=80)


def auc():
    return rt.estimate(rt.roc_auc, Y, P)


@pytest.mark.parametrize("half", [0.5, np.float64(0.5), np.float32(0.5)])
def test_numbers_move_the_value_and_not_its_error(half):
    area = auc()
    for found, value in ((area - half, area.value - 0.5), (half - area, 0.5 - area.value)):
        assert isinstance(found, rt.Estimate)
        assert found.value == pytest.approx(value)
        assert found.standard_error == pytest.approx(area.standard_error)
        low, high = found.confidence_interval()
        assert low < value < high
    assert (area - half).pvalue == (half - area).pvalue
    assert (area - half).pvalue < 0.05 < (area - area.value).pvalue == 1.0


def test_a_loss_may_be_below_a_number():
    loss = rt.estimate(rt.asymmetric_absolute_error, Y, P, asymmetry=0.5)
    low, high = (loss - 10.0).confidence_interval()
    assert high < 0
    assert low == pytest.approx(loss.confidence_interval().low - 10.0)
    assert (10.0 - loss).confidence_interval().high == pytest.approx(-low)


def test_ratios_have_the_error_of_the_delta_method():
    a, b = (rt.estimate(rt.asymmetric_squared_error, Y, p, asymmetry=0.5) for p in (P, P + 0.3))
    ratio = a / b
    assert ratio.value == pytest.approx(a.value / b.value)
    spread = (a.influence - ratio.value * b.influence) / b.value
    assert ratio.standard_error == pytest.approx(spread.std(ddof=1) / np.sqrt(80))
    assert (a / a).standard_error == pytest.approx(0, abs=1e-12)
    assert (1 - ratio).standard_error == pytest.approx(ratio.standard_error)
    assert (a / 4).value == pytest.approx(a.value / 4)
    assert (a / 4).standard_error == pytest.approx(a.standard_error / 4)


def test_what_cannot_be_divided_or_subtracted():
    area = auc()
    zero = rt.estimate(rt.asymmetric_absolute_error, Y, Y, asymmetry=0.5)
    with pytest.raises(rt.InputError, match="the second estimate is 0"):
        rt.estimate(rt.asymmetric_absolute_error, Y, P, asymmetry=0.5) / zero
    with pytest.raises(TypeError):
        area - "0.5"
    with pytest.raises(TypeError):
        "0.5" - area
    with pytest.raises(TypeError):
        area / 0


def test_units_of_parts_of_an_area_keep_their_range():
    part = rt.estimate(rt.partial_auc, Y, P, false_positive_rate=(0, 0.2))
    for method in (None, "studentized"):
        low, high = part.confidence_interval(method=method)
        assert 0 < low < part.value < high < 0.2
    five = part.scaled(5.0)
    assert five.confidence_interval().high == pytest.approx(5 * part.confidence_interval().high)
    turned = part.scaled(-1.0).confidence_interval()
    assert turned.low < -part.value < turned.high


def test_differences_of_rates_have_the_errors_of_both_classes():
    """Youden's index is the true less the false positive rate: each is about a class of its own."""
    true, false = (
        rt.estimate(f"{kind}_positive_rate", Y, P, threshold=0.5) for kind in ("true", "false")
    )
    by_hand = sum(each.value * (1 - each.value) / 39 for each in (true, false))
    for found in (true - false, false - true):
        assert found.standard_error == pytest.approx(np.sqrt(by_hand))
    relative = [each.standard_error / each.value for each in (true, false)]
    for found in (true / false, false / true):
        assert found.standard_error == pytest.approx(found.value * np.hypot(*relative))
    same = rt.estimate("true_positive_rate", Y, P, threshold=0.8)
    assert (true - same).of_class == 1  # negatives still do not matter


def test_a_comparison_has_as_few_carriers_either_way():
    few, all_of_them = (
        rt.estimate(rt.partial_auc, Y, P, false_positive_rate=(0, to)) for to in (0.1, 1)
    )
    assert few.freedom == pytest.approx(3.0)
    for found in (few - all_of_them, all_of_them - few, few / all_of_them, all_of_them / few):
        assert found.freedom == few.freedom
    assert (few - all_of_them).pvalue == (all_of_them - few).pvalue

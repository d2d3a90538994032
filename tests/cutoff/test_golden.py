"""Values of the binarised-regression paper, corrected where it errs, to 1e-12 relative."""

import json
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus import cutoff as arm

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
Y, P = [3, 5, 6, 8, 11, 12], [9, 4, 7, 10, 16, 13]  # Example 2


def expected(name):
    return GOLDEN[f"003.{name}"]["expected"]


def inputs(name):
    return GOLDEN[f"003.{name}"]["inputs"]


def close(value, want):
    return value == pytest.approx(want, rel=1e-12, abs=1e-15)


def test_example_2_areas():
    assert np.abs(np.subtract(P, Y)).tolist() == expected("ex2.AE")
    assert close(6 * rt.uniform_cutoff_area(Y, P), expected("ex2.sumAE"))
    assert close(rt.uniform_cutoff_area(Y, P), expected("ex2.MAE"))
    assert close(rt.cutoff_error_curve(Y, P).area(), expected("ex2.MAE"))
    low, high = arm.cutoff_range(Y, {"m": P})
    assert [low, high] == expected("ex2.range")
    uniform = rt.expected_cutoff_error(Y, P, distribution=rt.Uniform(low, high))
    assert close(uniform, expected("ex2.L_u"))
    assert close(uniform, 8 / 39)
    clipped = rt.clipped_mean_absolute_error(Y, P, low=4, high=10)
    assert close(clipped, expected("ex2.cMAE_4_10"))


def test_example_2_output_distribution():
    curve = rt.cutoff_error_curve(Y, P)
    np.testing.assert_allclose(curve.at(Y), expected("ex2.Q_at_y"), rtol=1e-12)
    assert close(rt.output_cutoff_area(Y, P), expected("ex2.L_o"))
    assert close(rt.output_cutoff_area(Y, P), 5 / 36)
    assert close(rt.expected_cutoff_error(Y, P, distribution=rt.Output()), 5 / 36)
    assert close(curve.expect(rt.Output()), 5 / 36)
    assert close(curve.over_true_rank().area(), 5 / 36)
    np.testing.assert_allclose(arm.interposition_ratio(Y, P), expected("ex2.IR"), rtol=1e-12)


def test_example_2_curve():
    curve = rt.cutoff_error_curve(Y, P)
    cutoffs = inputs("ex2.Q_step")["cutoffs"]
    np.testing.assert_allclose(curve.at(cutoffs), expected("ex2.Q_step"), rtol=1e-12)
    for cutoff, want in zip(cutoffs, expected("ex2.Q_step"), strict=True):
        assert close(rt.cutoff_error(Y, P, cutoff=cutoff), want)


BETAS = [name for name in GOLDEN if "A_CE_beta" in name]


@pytest.mark.parametrize("name", BETAS)
def test_example_2_under_betas(name):
    given, want = GOLDEN[name]["inputs"], GOLDEN[name]["expected"]
    low, high = given["lo"], given["hi"]
    distribution = rt.Beta(given["p"], given["q"], low, high)
    value = rt.expected_cutoff_error(Y, P, distribution=distribution)
    assert close(value, want)
    assert close(rt.cutoff_error_curve(Y, P).expect(distribution), want)
    unnormalised = rt.expected_cutoff_error(Y, P, distribution=distribution, normalize=False)
    assert close(unnormalised, (high - low) * want)


@pytest.mark.parametrize("n", range(1, 10))
def test_trivial_models_and_largest_area(n):
    y = np.arange(1.0, n + 1)
    trivial = arm.trivial_predictions(y, y_train=y)
    areas = {name: rt.output_cutoff_area(y, p) for name, p in trivial.items()}
    want = expected(f"trivial.n{n}")
    assert close(areas["maximum"], want["Max"])
    assert close(areas["minimum"], want["Min"])
    assert close(areas["median"], want["Med"])
    assert close(areas["always positive"], want["Max"])
    assert close(areas["always negative"], want["Min"])
    assert close(areas["majority class"], want["Med"])
    # The worst model answers with whichever infinity is interposed by more truths.
    largest = expected(f"thm7.n{n}")
    assert close(max(areas["worst"], _worst(y)), largest)
    assert areas["worst"] <= largest + 1e-15


def _worst(y):
    either = [arm.interposition_ratio(y, np.full(len(y), end)) for end in (-np.inf, np.inf)]
    return float(np.mean(np.maximum(*either)))


def test_peak_of_the_median_model():
    y = np.arange(1.0, 6)
    assert inputs("thm6.peak_odd") == {"n": 5}
    curve = rt.cutoff_error_curve(y, np.full(5, 3.0))
    assert close(curve.at(3.0), expected("thm6.peak_odd"))
    assert np.mean([1, 2, 6]) == expected("footnote6")


def test_every_golden_value_is_used():
    read = {name for name in GOLDEN if "A_CE_beta" in name or "trivial" in name or "thm7" in name}
    read |= {f"003.ex2.{each}" for each in ("AE", "sumAE", "MAE", "range", "L_u", "cMAE_4_10")}
    read |= {f"003.ex2.{each}" for each in ("Q_at_y", "L_o", "IR", "Q_step")}
    assert read | {"003.thm6.peak_odd", "003.footnote6"} == set(GOLDEN)

"""Values of the pROC paper, corrected by its errata, to 1e-10 or better."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus import probability as arm

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())


def ending(suffix):
    return [name for name in GOLDEN if name.endswith(suffix)]


def data(name):
    scores = GOLDEN[name]["inputs"]["scores"]
    return [y for _, y in scores], [p for p, _ in scores]


def want(name):
    return GOLDEN[name]["expected"]


@pytest.mark.parametrize("name", ending(".AUC"))
def test_auc(name):
    assert arm.roc_auc(*data(name)) == pytest.approx(want(name), rel=1e-12)


@pytest.mark.parametrize("name", ending(".pAUC"))
def test_probabilistic_auc(name):
    assert arm.probabilistic_auc(*data(name)) == pytest.approx(want(name), rel=1e-12)
    gini = arm.probabilistic_gini(*data(name))
    assert gini == pytest.approx(2 * want(name) - 1, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", [*ending("area_uniform"), *ending("area_normal")])
def test_areas(name):
    kernel = name.rpartition("_")[2]
    for width, value in want(name).items():
        found = arm.smoothed_auc(*data(name), width=float(width), kernel=kernel)
        assert found == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", [*ending("d_uniform_all"), *ending("d_normal_all")])
def test_all_widths(name):
    kernel = "uniform" if "uniform" in name else "normal"
    found = arm.canonical_width(*data(name), kernel=kernel)
    roots = [root.low for root in found.roots() if root.high > 0]
    assert roots == pytest.approx(want(name), abs=1e-10)
    if want(name) and abs(found.area.auc - found.area.probabilistic_auc) > 1e-12:
        assert found.width == pytest.approx(want(name)[0], abs=1e-10)
        assert abs(found.gap) < 1e-11
    if not want(name):
        assert found.width is None


@pytest.mark.parametrize("name", [n for n in GOLDEN if ".area" in n and "_" not in n])
def test_single_areas(name):
    width = float(name.rpartition("area")[2])
    assert arm.smoothed_auc(*data(name), width=width) == pytest.approx(want(name), abs=1e-12)


def test_a_pair_in_closed_form():
    given = GOLDEN["002.pair.closed"]["inputs"]
    found = arm.canonical_width([1, 0], [given["a"], given["b"]])
    assert found.width == pytest.approx(want("002.pair.closed"), rel=1e-12)


def test_theorem_4_is_false():
    name = "002.theorem4.counterexample"
    expected = want(name)
    found = arm.canonical_width(*data(name))
    assert found.width is None
    assert found.roots() == ()
    assert found.area.auc == pytest.approx(expected["AUC"])
    assert found.area.probabilistic_auc == pytest.approx(expected["pAUC"])
    assert found.gap == pytest.approx(expected["max_area"] - expected["pAUC"], abs=1e-10)
    assert "none exists" in repr(found)


@pytest.mark.parametrize("name", [n for n in GOLDEN if "skew.roc" in n])
def test_points_of_the_roc_curve(name):
    slope = math.tan(math.radians(GOLDEN[name]["inputs"]["angle"]))
    found = arm.smoothed_roc_curve(*data(name), width=0.0).optimum(slope)
    assert (found.false_positive_rate[0], found.true_positive_rate[0]) == pytest.approx(want(name))


@pytest.mark.parametrize("name", [n for n in GOLDEN if "skew.proc" in n])
def test_points_of_the_proc_curve(name):
    given = GOLDEN[name]["inputs"]
    curve = arm.smoothed_roc_curve(*data(name), width=given["d"])
    with pytest.warns(rt.RoctopusWarning, match=r"outside \[0, 1\]"):
        found = curve.optimum(math.tan(math.radians(given["angle"])))
    points = want(name)
    for end, point in ((0, points[0]), (1, points[-1])):
        drawn = (
            found.false_positive_rate[end],
            found.true_positive_rate[end],
            found.threshold[end],
        )
        assert drawn == pytest.approx(point, abs=1e-10)


def test_the_angle_at_which_the_roc_optimum_switches():
    y, p = data("002.ex1.AUC")
    hull = arm.smoothed_roc_curve(y, p, width=0.0).hull()
    x, height, _ = hull.vertices()
    angles = np.degrees(np.arctan2(-np.diff(height), -np.diff(x)))
    assert np.any(np.isclose(angles, want("002.skew.switch_angle"), atol=1e-9))


def test_every_golden_value_is_used():
    used = {*ending(".AUC"), *ending(".pAUC"), *ending("area_uniform"), *ending("area_normal")}
    used |= {*ending("d_uniform_all"), *ending("d_normal_all")}
    used |= {n for n in GOLDEN if ".area" in n or "skew." in n}
    assert used | {"002.pair.closed", "002.theorem4.counterexample"} == set(GOLDEN)

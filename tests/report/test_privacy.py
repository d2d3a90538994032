"""What a page may show of its rows."""

import json

import numpy as np
import pytest
from pages import continuous, data_of, numbers_in, unpack

import roctopus as rt
from roctopus.report import make_page
from roctopus.report.privacy import cover


@pytest.mark.parametrize("size", [60, 101, 301])
def test_no_truth_is_a_cutoff_of_the_page(tmp_path, size):
    rng = np.random.default_rng(size)
    y = rng.gamma(3.0, 10.0, size)
    noisy = y + rng.normal(0, 4, size)
    comparison = rt.compare(y, {"a": noisy, "b": y + 1.0}, arm="cutoff")
    comparison.to_html(tmp_path / "x.html")
    found = np.array([v for v in numbers_in(data_of(tmp_path / "x.html")) if np.isfinite(v)])
    rows = np.concatenate([y, noisy, y + 1.0])
    assert np.min(np.abs(found[:, None] - rows[None, :])) > 1e-9


@pytest.mark.parametrize("size", [60, 301, 1000])
def test_residuals_cannot_be_read_off_the_curve(tmp_path, size):
    rng = np.random.default_rng(size)
    y = rng.normal(size=size)
    p = rng.normal(size=size)
    rt.compare(y, {"a": p}, arm="regression").to_html(tmp_path / "x.html", asymmetry=0.5)
    data = data_of(tmp_path / "x.html")
    rest = np.sort(y - p)
    for part in ("curves", "points"):
        drawn = data["space"]["views"][0][part][0]
        shift = unpack(drawn["x"]) + unpack(drawn["y"]) + np.mean(y - p)
        assert np.min(np.abs(shift[:, None] - rest[None, :])) > 1e-9
    assert len(unpack(data["contexts"])) + len(unpack(data["belief"]["edges"])) <= size // 10 + 3
    gaps = np.diff(unpack(data["contexts"]))
    assert gaps.min() * size >= 9.9


def test_heavy_cases_count_once(tmp_path):
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=(2, 200))
    weight = np.append(np.full(8, 100.0), np.ones(192))
    heavy = rt.compare(y, {"a": p}, arm="regression", sample_weight=weight)
    with pytest.raises(rt.InputError, match="is too small for numbers that each cover"):
        heavy.to_html(tmp_path / "x.html", asymmetry=0.5)
    with pytest.raises(rt.InputError, match="A page of 40 cases is too small"):
        continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5)
    continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5, exact=True)


def test_classes_are_drawn_in_bins_of_their_own(tmp_path):
    rng = np.random.default_rng(0)
    grade = rng.integers(0, 3, 400)
    score = grade + rng.normal(0, 0.8, 400)
    rt.compare(grade, {"a": score}, arm="ordinal").to_html(tmp_path / "x.html", costs=[1, 1, 1])
    shape = data_of(tmp_path / "x.html")["space"]["models"][0]
    for k, packed in enumerate(shape["edges"]):
        edges = unpack(packed)
        assert edges[0] < score.min()
        assert edges[-1] > score.max()
        counts = np.histogram(score[grade == k], edges)[0]
        assert counts.min() >= 10


def test_settings_keep_their_order_and_their_side():
    ties = np.repeat(np.arange(0, 1.05, 0.1), 30)
    assert 0.3 < cover(np.array([0.35]), ties, 10)[0] < 0.4
    assert cover(np.zeros(1), np.zeros(50), 10)[0] == 0.0
    rng = np.random.default_rng(0)
    values = np.sort(rng.normal(size=200))
    knobs = np.sort(rng.normal(size=50))
    covered = cover(knobs, values, 10)
    assert np.all(np.diff(covered) >= 0.0)
    assert np.isinf(cover(np.array([np.inf]), values, 10)[0])
    y = rng.integers(1, 8, 300)
    models = {"a": rng.normal(size=300), "b": np.zeros(300)}
    page = make_page(rt.compare(y, models, arm="ordinal"), costs=[1] * 7, progress=False)
    assert "Content-Security-Policy" in page


def test_wrong_arguments(tmp_path):
    comparison = continuous(200)
    for wrong, told in (
        ({"exact": "no"}, "'exact' must be True or False"),
        ({"title": 5}, "'title' must be text"),
        ({"unit": None}, "'unit' must be text"),
        ({"min_cases": 10**9}, "is too small for numbers"),
    ):
        with pytest.raises(rt.InputError, match=told):
            comparison.to_html(tmp_path / "x.html", asymmetry=0.5, **wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arm", ["regression", "probability"])
def test_decisions_of_a_page_hold_no_value_of_a_row(tmp_path, arm):
    rng = np.random.default_rng(3)
    score = rng.uniform(0.01, 0.99, 300)
    y = (rng.random(300) < score) * 1.0 if arm == "probability" else score + rng.normal(0, 1, 300)
    rt.compare(y, {"a": score}, arm=arm).to_html(tmp_path / "x.html")
    rows = score if arm == "probability" else y - score
    for text in data_of(tmp_path / "x.html")["honest"]["decisions"]:
        decision = rt.Decision.from_dict(json.loads(text))
        if not decision.is_baseline:
            grid = np.array(decision.basis.candidates[0])
            assert decision.knob[0] in grid
            assert grid.min() < rows.min()  # settings beyond all cases are still among them
            assert grid.max() > rows.max()
            assert np.min(np.abs(grid[:, None] - rows)) > 1e-9

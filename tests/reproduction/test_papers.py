"""Papers that need no data are redone whole; the others in small."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from reproduction.__main__ import main
from reproduction.binarised.runs import run_problem
from reproduction.learners import TECHNIQUES, WekaLinear, predict_classes
from reproduction.options import Options, load
from reproduction.records import Verdict

from reproduction import binarised, impact, ordinal, proc, rroc
from roctopus import Beta
from roctopus.datasets import problems

BUNDLED = ("concrete", "ccpp", "wine-white")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    def refuse(*_):
        raise OSError("no network here")

    monkeypatch.setattr(problems, "fetch_rows", refuse)


def judged(page):
    verdicts = {verdict: [] for verdict in Verdict}
    for _, record in page.records:
        verdicts[record.verdict].append(record)
    return verdicts


@pytest.mark.parametrize(
    ("paper", "figures", "least", "errata"),
    [
        (rroc, 13, 150, 18),
        (proc, 12, 70, 30),
        (ordinal, 7, 35, 10),
        (impact, 6, 14, 5),
        (binarised, 11, 22, 13),
    ],
)
def test_paper_without_its_data(paper, figures, least, errata, tmp_path, monkeypatch):
    def absent(options, name):
        return "left out" if name in BUNDLED else load(options, name)

    monkeypatch.setattr(import_module("reproduction.binarised.tables"), "load", absent)
    check_paper(paper, figures, least, errata, tmp_path)


@pytest.mark.thorough(reason="problems that come with the package, redone in ten halves each")
def test_paper_with_the_data_that_come_with_the_package(tmp_path):
    check_paper(binarised, 11, 22, 13, tmp_path)


def check_paper(paper, figures, least, errata, folder):
    page = paper.make(Options(data=folder, jobs=1))
    found = judged(page)
    assert found[Verdict.UNEXPLAINED] == []
    assert len(page.figures) >= figures
    assert len(found[Verdict.MATCH]) >= least
    assert len(found[Verdict.ERRATUM]) >= errata
    absent = " ".join(record.reason for record in found[Verdict.ABSENT])
    assert ("could not be downloaded" in absent) == (paper in (ordinal, impact, binarised))


def made_up(n=120):
    """Made-up data: numbers, a letter, a gap."""
    rng = np.random.default_rng(0)
    size, kind = rng.normal(size=n), list(rng.choice(["a", "b", "c"], n))
    y = 3 * size + np.array([{"a": 0, "b": 2, "c": 4}[k] for k in kind]) + rng.normal(size=n)
    size[3] = np.nan
    columns = {"size": size, "kind": kind}
    X = np.column_stack([size, *(np.array(kind) == k for k in "bc")])
    distribution = Beta(2, 2, float(np.quantile(y, 0.1)), float(np.quantile(y, 0.9)))
    return SimpleNamespace(columns=columns, y_true=y, cutoffs=distribution, matrix=lambda: X)


def test_eight_techniques_in_small():
    outcome = run_problem(made_up(), halves=3, cutoffs=50)
    assert set(outcome.tables) == set(TECHNIQUES)
    areas = {name: table[:, 0].mean() for name, table in outcome.tables.items()}
    assert max(areas["linear"], areas["quantile"], areas["logistic"]) < areas["kNN mean"]
    linear = outcome.tables["linear"]
    np.testing.assert_allclose(linear[:, 4], linear[:, 5] + linear[:, 6] ** 2)  # MSE
    _, _, _, hybrid, ideal, best = outcome.selections.T
    assert np.all(ideal <= np.minimum(hybrid, best))


def test_classifiers_learn_cutoffs_of_the_training_data_only():
    data, cutoffs = made_up(), np.array([-100.0, 1.0, 2.0, 100.0])
    train, test = np.arange(60), np.arange(60, 120)
    answers = predict_classes(data, train, test, cutoffs)
    for said in answers.values():
        assert said[0].all()
        assert not said[-1].any()
    changed = made_up()
    changed.y_true[test] = -5.0
    for name, said in predict_classes(changed, train, test, cutoffs).items():
        np.testing.assert_array_equal(said, answers[name])


def test_weka_drops_collinear_and_useless_features():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 3))
    y = 2 * X[:, 0] + 0.5 * rng.normal(size=400)
    assert WekaLinear().fit(X, y).chosen_[0] == 0
    # Two features that cancel: both coefficients are large, the larger one is dropped, and what is
    # left explains nothing; so it was with the paper's plastic.
    common = rng.normal(size=400)
    X = np.column_stack([common, common + 0.1 * rng.normal(size=400)])
    y = X[:, 1] - X[:, 0]
    least_squares = np.linalg.lstsq(X - X.mean(0), y - y.mean(), rcond=None)[0]
    assert np.abs(least_squares).min() > 0.9
    left = WekaLinear().fit(X, y)
    assert len(left.chosen_) <= 1
    assert np.ptp(left.predict(X)) < 0.3 * np.ptp(y)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--jobs", "0"], "must be a whole number from 1 on"),
        (["--out", __file__], "is a file, and must be a folder"),
        (["--data", __file__], "is a file, and must be a folder"),
        (["iris"], "no paper is called iris; there are rroc"),
    ],
)
def test_options_are_checked_before_the_work(given, said, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["reproduction", *given])
    with pytest.raises(SystemExit):
        main()
    assert said in capsys.readouterr().err


def test_missing_data_give_a_sentence(tmp_path):
    assert load(Options(data=tmp_path), "housing").startswith("The data of 'housing' are not in")

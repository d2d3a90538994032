"""The bundled data: examples tell their story, real data are what their authors published."""

import bz2
import csv
import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import roctopus as rt
from roctopus import datasets
from roctopus.cli import tell_story
from roctopus.cli.demo import FIRST, STORIES
from roctopus.datasets import list_problems, load_bakery, load_problem
from roctopus.datasets.fetching import checksum
from roctopus.datasets.real import describe

FOLDER = Path(datasets.__file__).parent
REAL = {
    "concrete": datasets.load_concrete,
    "ccpp": datasets.load_power_plant,
    "wine-white": datasets.load_wine,
}
SHA256 = {  # of the files, so that the order of rows is that of the source, too
    "concrete": "a9fd321ce582b8a125f616a6d99db0bf6f34d86e2195cde961372a73887f05b0",
    "ccpp": "e8eecbf72584a7aa46b0d43b6c8a3ab50d45f0f9157bd482abce689373e7aa18",
    "wine-white": "6062f6fa05b900d73f8678ec7f42a036ce28e7e0bf21d7512f2339bdfa77bfb5",
}


def test_bakery_needs_a_choice():
    bakery = load_bakery()
    assert len(bakery.y_true) == 365
    for p in bakery.predictions.values():
        assert p.shape == bakery.y_true.shape
        assert np.isfinite(p).all()
    curves = {
        name: rt.asymmetry_cost_curve(bakery.y_true, p) for name, p in bakery.predictions.items()
    }
    best = rt.envelope(curves)
    assert best.best_at(0.5) == "random forest"
    assert best.best_at(0.8) == "boosted 80% quantile"


@pytest.mark.parametrize("name", REAL)
def test_real_data_are_those_of_their_authors(name):
    problem, file = list_problems()[name], FOLDER / f"{name}.csv.bz2"
    content = bz2.decompress(file.read_bytes())
    header, *rows = csv.reader(content.decode("utf-8").splitlines())
    assert header == [*problem.features, "target"]
    assert len(rows) == problem.rows
    assert checksum(rows) == problem.checksum
    assert hashlib.sha256(content).hexdigest() == SHA256[name]


@pytest.mark.parametrize("name", REAL)
def test_real_data_load_as_those_of_scikit_learn_do(name):
    load, problem = REAL[name], list_problems()[name]
    bunch = load()
    X, y = load(return_X_y=True)
    np.testing.assert_array_equal(bunch.data, X)
    np.testing.assert_array_equal(bunch.target, y)
    assert X.shape == (problem.rows, len(problem.features))
    assert bunch.feature_names == list(problem.features)
    assert bunch.frame is None
    framed = load(as_frame=True)
    assert list(framed.frame.columns) == [*problem.features, "target"]
    table, column = load(return_X_y=True, as_frame=True)
    assert isinstance(table, pd.DataFrame)
    assert isinstance(column, pd.Series)
    np.testing.assert_array_equal(table, X)
    np.testing.assert_array_equal(column, y)


@pytest.mark.parametrize("name", REAL)
def test_authors_and_licence_are_named_with_the_data(name):
    problem = list_problems()[name]
    described = " ".join(REAL[name]().DESCR.split())
    documented = " ".join(REAL[name].__doc__.split())
    doi = problem.source.partition("doi:")[2]
    for text in (described, documented):
        assert f"doi:{doi}" in text
        assert problem.licence in text
    assert "Changes: none to the values" in described
    assert f"{problem.rows:,}" in described


PREDICTED = {
    "bank": datasets.load_bank_predictions,
    "concrete": datasets.load_concrete_predictions,
    "power-plant": datasets.load_power_plant_predictions,
    "thyroid": datasets.load_thyroid_predictions,
    "wine": datasets.load_wine_predictions,
}
SAME = {
    "concrete": datasets.load_concrete,
    "power-plant": datasets.load_power_plant,
    "wine": datasets.load_wine,
}


@pytest.mark.parametrize("name", PREDICTED)
def test_predictions_name_authors_and_licence(name):
    example = PREDICTED[name]()
    described = " ".join(describe(f"{name}-predictions").split())
    documented = " ".join(PREDICTED[name].__doc__.split())
    assert "Changes: " in described
    assert "CC BY 4.0" in described
    doi = example.source.partition("doi:")[2].partition(",")[0]
    for text in (example.source, documented):
        assert f"doi:{doi}" in text
        assert text.count("CC BY 4.0") == 1
    year = example.source.partition(")")[0] + ")"
    assert year in described
    assert year in documented.replace("(by", "by")
    for p in example.predictions.values():
        assert p.shape == example.y_true.shape
        assert np.isfinite(p).all()


@pytest.mark.parametrize("name", SAME)
def test_predictions_are_of_the_bundled_data(name):
    y = SAME[name](return_X_y=True)[1]
    if name == "wine":
        y = y.clip(4, 8)
    np.testing.assert_array_equal(PREDICTED[name]().y_true, y)


def test_rows_that_belong_together_have_one_number():
    X = datasets.load_wine().data
    wine = datasets.load_wine_predictions()
    pairs = np.column_stack([X, wine.columns["wine"]])
    assert len(np.unique(X, axis=0)) == len(np.unique(pairs, axis=0)) == wine.columns["wine"].max()


def test_four_demos_are_clear_and_one_is_an_honest_either(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    verdicts = {}
    for arm, story in {"first": FIRST, **STORIES}.items():
        tell_story(None if arm == "first" else arm, tmp_path)
        made = rt.Decision.from_json(tmp_path / story.name / "decision.json")
        verdicts[arm] = made.verdict
        assert not [each for each in made.warnings if "intervals are too narrow" in each]
    assert verdicts.pop("first") == "use"
    assert verdicts.pop("regression") == "either"
    assert set(verdicts.values()) == {"use"}


def test_every_other_file_is_made_up():
    made_up = {f"{name}.csv" for name in ("apartments", "apples", "bakery", "phones", "screening")}
    real = {f"{n}.csv.bz2" for n in REAL} | {f"{n}-predictions.csv.bz2" for n in PREDICTED}
    assert {file.name for file in FOLDER.glob("*.csv*")} == made_up | real


@pytest.mark.parametrize("name", REAL)
def test_bundled_problems_need_no_folder_and_no_network(name, tmp_path):
    data = load_problem(name, data_home=tmp_path, download=False)
    np.testing.assert_array_equal(data.matrix(), REAL[name]().data)
    assert list(tmp_path.iterdir()) == []

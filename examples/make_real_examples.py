"""Make the bundled examples on real data: models' out-of-sample predictions for five questions.

Run it to write ``src/roctopus/datasets/*-predictions.csv.bz2`` again:

    python examples/make_real_examples.py [--thyroid FOLDER] [--bank FILE]

Each case is predicted by models that were trained on the other four of five folds. Rows that belong
together stay in one fold: samples of one concrete mix, and equal rows of the other data. A model
has the same settings in all examples.

Concrete, power plant and wine come with roctopus. The folder is that of ``ann-train.data`` and
``ann-test.data`` from https://doi.org/10.24432/C5D010, the file is ``bank-full.csv`` from
https://doi.org/10.24432/C5K306; without them, their examples stay as they are. Authors and licences
are in ``src/roctopus/datasets/ATTRIBUTION.md``.
"""

from __future__ import annotations

import argparse
import bz2
import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from roctopus.datasets import load_concrete, load_power_plant, load_wine

FOLDER = Path(__file__).parents[1] / "src" / "roctopus" / "datasets"
FOLDS = GroupKFold(5, shuffle=True, random_state=0)
REGRESSORS = {
    "linear": LinearRegression(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(5)),
    "forest": RandomForestRegressor(200, random_state=0, n_jobs=2),
    "boosting": GradientBoostingRegressor(
        n_estimators=400, max_depth=5, learning_rate=0.05, subsample=0.8, max_features=0.5,
        random_state=0,
    ),
}  # fmt: skip
CLASSIFIERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "naive Bayes": GaussianNB(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "forest": RandomForestClassifier(200, random_state=0, n_jobs=2),
}
CLIENTS = 5_000


def write(name: str, columns: Mapping[str, Any]) -> None:
    """Write columns as CSV."""
    with bz2.open(
        FOLDER / f"{name}-predictions.csv.bz2", "wt", newline="", encoding="utf-8"
    ) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(np.asarray(c).tolist() for c in columns.values()), strict=True))


def predict(
    models: Mapping[str, BaseEstimator], X: Any, y: np.ndarray, groups: np.ndarray, digits: int
) -> dict[str, np.ndarray]:
    """Return each model's predictions of rows that it was not trained on, rounded."""
    found = {}
    for name, model in models.items():
        method = "predict_proba" if hasattr(model, "predict_proba") else "predict"
        made = cross_val_predict(model, X, y, groups=groups, cv=FOLDS, method=method)
        found[name] = np.round(made if made.ndim == 1 else made[:, 1], digits)
    return found


def numbers_of(rows: np.ndarray) -> np.ndarray:
    """Return a number for each row; equal rows have the same."""
    return np.unique(rows, axis=0, return_inverse=True)[1].ravel()


def in_order(numbers: np.ndarray) -> np.ndarray:
    """Return numbers counted from 1 in the order in which they first occur."""
    _, first, same = np.unique(numbers, return_index=True, return_inverse=True)
    return first.argsort().argsort()[same] + 1


def concrete() -> None:
    """Strength in MPa. A mix is all ingredients; its samples differ in age."""
    X, y = load_concrete(return_X_y=True)
    mix = numbers_of(X[:, :-1])
    write("concrete", {"mix": in_order(mix), "strength": y, **predict(REGRESSORS, X, y, mix, 1)})


def power_plant() -> None:
    """Output of an hour in MW."""
    X, y = load_power_plant(return_X_y=True)
    write("power-plant", {"output": y, **predict(REGRESSORS, X, y, numbers_of(X), 1)})


def wine() -> None:
    """Tasters' grades; 20 wines of grade 3 count as grade 4, and 5 wines of grade 9 as grade 8."""
    X, y = load_wine(return_X_y=True)
    number = numbers_of(X)
    grade = y.clip(4, 8).astype(int)
    write(
        "wine", {"wine": in_order(number), "grade": grade, **predict(REGRESSORS, X, y, number, 2)}
    )


def thyroid(folder: Path) -> None:
    """Whether a patient's thyroid gland makes too little or too much of its hormones (1)."""
    files = [folder / f"ann-{part}.data" for part in ("train", "test")]
    texts = [file.read_text(encoding="ascii").replace(",", " ") for file in files]
    rows = np.loadtxt("".join(texts).splitlines())
    X, ill = rows[:, :-1], (rows[:, -1] < 3).astype(int)
    patient = numbers_of(X)
    write(
        "thyroid",
        {"patient": in_order(patient), "ill": ill, **predict(CLASSIFIERS, X, ill, patient, 3)},
    )


def bank(path: Path) -> None:
    """Income from a call in euros: 1 % of the client's balance if the client said yes, else 0.

    Clients without a positive balance are left out. Models are trained on what the bank knew before
    the campaign. Clients drawn at random are written.
    """
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter=";") if float(row["balance"]) > 0]
    numbers = ("age", "balance", "previous", "pdays")
    words = ("job", "marital", "education", "default", "housing", "loan", "poutcome")
    X = np.array([[row[name] for name in (*numbers, *words)] for row in rows], dtype=object)
    X[:, : len(numbers)] = X[:, : len(numbers)].astype(float)
    said_yes = np.array([row["y"] == "yes" for row in rows], dtype=int)
    encoded = make_column_transformer(
        (OneHotEncoder(sparse_output=False), slice(len(numbers), None)), remainder="passthrough"
    )
    models = {
        "boosting": HistGradientBoostingClassifier(learning_rate=0.05, random_state=0),
        "naive Bayes": GaussianNB(),
    }
    chance = predict(
        {name: make_pipeline(encoded, model) for name, model in models.items()},
        X, said_yes, np.arange(len(X)), 3,
    )  # fmt: skip
    worth = X[:, 1].astype(float) / 100
    columns = {
        "income": worth * said_yes,
        "boosting value": worth * chance["boosting"],
        "naive Bayes value": worth * chance["naive Bayes"],
        "boosting chance": 100 * chance["boosting"],
        "balance": X[:, 1].astype(int),
    }
    drawn = np.random.default_rng(0).permutation(len(X))[:CLIENTS]
    write("bank", {name: np.round(each[drawn], 2) for name, each in columns.items()})


def main() -> None:
    """Write all files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--thyroid", type=Path, metavar="FOLDER")
    parser.add_argument("--bank", type=Path, metavar="FILE")
    options = parser.parse_args()
    for make in (concrete, power_plant, wine):
        make()
    if options.thyroid:
        thyroid(options.thyroid)
    if options.bank:
        bank(options.bank)


if __name__ == "__main__":
    main()

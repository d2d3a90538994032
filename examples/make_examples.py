"""Make the bundled examples of four arms: invented cases, real models' predictions of them.

Run it to write the files in ``src/roctopus/datasets`` again; the fifth, the bakery, is made by
``make_bakery.py``. Models are trained on other cases than those that are written.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

FOLDER = Path(__file__).parents[1] / "src" / "roctopus" / "datasets"


def write(name: str, columns: dict) -> None:
    """Write columns as CSV."""
    with (FOLDER / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(list(each) for each in columns.values()), strict=True))


def regressors(X, y, test, digits):
    """Return the forecasts of four regressors."""
    models = {
        "linear": LinearRegression(),
        "forest": RandomForestRegressor(200, min_samples_leaf=3, random_state=0, n_jobs=2),
        "neighbours": make_pipeline(StandardScaler(), KNeighborsRegressor(9)),
        "tree": DecisionTreeRegressor(min_samples_leaf=12, random_state=0),
    }
    known = ~test
    return {
        name: np.round(model.fit(X[known], y[known]).predict(X[test]), digits).tolist()
        for name, model in models.items()
    }


def apartments() -> None:
    """Asking prices; buyers come with budgets."""
    rng = np.random.default_rng(7)
    size, n = rng.gamma(6.0, 12.0, 1400), 1400
    district = rng.integers(0, 4, n)
    floor, age = rng.integers(0, 9, n), rng.gamma(2.0, 18.0, n)
    balcony = rng.random(n) < 0.4
    per_metre = np.array([2.1, 2.8, 3.6, 5.2])[district] * (1.15 - 0.004 * np.minimum(age, 80))
    price = size**0.96 * per_metre + 9 * balcony + 1.5 * floor
    price = price * np.exp(rng.normal(0, 0.13, n))
    seen = district + rng.normal(0, 0.25, n)  # the listing tells where it is, roughly
    X = np.column_stack([size, seen, floor, age, balcony])
    test = np.arange(n) >= 1000
    names = np.array(["harbour", "north", "old town", "park"])[[0, 1, 3, 2]]
    write(
        "apartments",
        {
            "apartment": range(1, 401),
            "district": names[district[test]].tolist(),
            "price": np.round(price[test]).astype(int).tolist(),
            **regressors(X, price, test, 0),
        },
    )


def apples() -> None:
    """Grades by hand; scores of three models from a camera."""
    rng = np.random.default_rng(8)
    n = 1400
    quality = rng.normal(0, 1, n)
    grade = np.digitize(quality + rng.normal(0, 0.35, n), [-0.8, 0.6])
    X = np.column_stack(
        [
            quality + rng.normal(0, 0.8, n),
            np.abs(quality) + rng.normal(0, 0.2, n),
            np.maximum(quality, 0) + rng.normal(0, 0.8, n),
            rng.normal(0, 1, n),
        ]
    )
    test = np.arange(n) >= 950
    models = {
        "boosted camera": HistGradientBoostingRegressor(max_iter=80, random_state=0),
        "linear camera": LinearRegression(),
        "colour only": LinearRegression(),
    }
    scores = {}
    for name, model in models.items():
        part = X[:, :1] if name == "colour only" else X
        found = model.fit(part[~test], grade[~test]).predict(part[test])
        scores[name] = np.round(found, 3).tolist()
    labels = np.array(["juice", "kitchen", "table"])[grade[test]]
    write("apples", {"apple": range(1, 451), "grade": labels.tolist(), **scores})


def screening() -> None:
    """Who is ill, and what four models say beforehand."""
    rng = np.random.default_rng(9)
    n = 2600
    latent = rng.normal(0, 1, (n, 3))
    risk = 1 / (1 + np.exp(-(-2.6 + 1.3 * latent[:, 0] + 0.9 * latent[:, 1] * latent[:, 2])))
    ill = (rng.random(n) < risk).astype(int)
    noisy = [latent[:, k % 3] + rng.normal(0, 0.6, n) for k in range(9)]
    X = np.column_stack([*latent.T, *noisy])
    test = np.arange(n) >= 1700
    models = {
        "logistic": LogisticRegression(max_iter=1000),
        "naive Bayes": GaussianNB(),
        "forest": RandomForestClassifier(300, min_samples_leaf=5, random_state=0, n_jobs=2),
        "boosting": HistGradientBoostingClassifier(max_iter=80, learning_rate=0.07, random_state=0),
    }
    found = {
        name: np.round(m.fit(X[~test], ill[~test]).predict_proba(X[test])[:, 1], 3).tolist()
        for name, m in models.items()
    }
    write("screening", {"person": range(1, 901), "ill": ill[test].tolist(), **found})


def phones() -> None:
    """Old phones: what each would resell for, what its repair costs, and models' scores."""
    rng = np.random.default_rng(10)
    n = 1500
    age, drops = rng.gamma(3.0, 0.9, n), rng.poisson(1.2, n)
    brand = rng.integers(0, 3, n)
    resale = np.array([90, 140, 260])[brand] * np.exp(-0.22 * age) * np.exp(rng.normal(0, 0.3, n))
    repair = (18 + 14 * drops) * np.exp(rng.normal(0, 0.45, n))
    X = np.column_stack([age, drops + rng.normal(0, 0.6, n), brand])
    test = np.arange(n) >= 1000
    models = {
        "linear": LinearRegression(),
        "forest": RandomForestRegressor(200, min_samples_leaf=5, random_state=0, n_jobs=2),
        "age only": LinearRegression(),
    }
    scores = {}
    for name, model in models.items():
        part = X[:, :1] if name == "age only" else X
        scores[name] = np.round(
            model.fit(part[~test], (resale - repair)[~test]).predict(part[test]), 1
        ).tolist()
    write(
        "phones",
        {
            "phone": range(1, 501),
            "resale": np.round(resale[test]).astype(int).tolist(),
            "repair": np.round(repair[test]).astype(int).tolist(),
            **scores,
        },
    )


if __name__ == "__main__":
    for make in (apartments, apples, screening, phones):
        make()

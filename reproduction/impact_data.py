"""The data of the paper on impact curves: cholesterol as it is, rocks and movies made up.

The learners do what WEKA's do by default, written anew: missing cells become the mean or the most
frequent value and nominal columns indicators; linear regression drops columns of little effect, and
a Gaussian process sees columns normalised to [0, 1], a fixed kernel and noise 1.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import KFold

__all__ = [
    "FILTERS", "LEARNERS", "ROCK_DESIGNS", "Patients", "cross_validated", "film_predictions",
    "films", "read_patients", "relative_rocks", "rocks", "trained_on",
]  # fmt: skip

NOMINAL = ("sex", "cp", "fbs", "restecg", "exang", "slope", "thal")
USERS, MOVIES, RATINGS = 943, 1682, 100_000
"""Sizes of the file u.data that the paper names."""


@dataclass(frozen=True)
class Patients:
    """Columns by name (missing cells are NaN), and the cholesterol level."""

    columns: dict[str, np.ndarray]
    level: np.ndarray

    def filled(self, train):
        """Yield each column without gaps, by the rows trained on, and whether it is nominal."""
        for name, column in self.columns.items():
            known = column[train][~np.isnan(column[train])]
            values, counts = np.unique(known, return_counts=True)
            nominal = name in NOMINAL
            usual = values[counts.argmax()] if nominal else known.mean()
            yield np.where(np.isnan(column), usual, column), nominal

    def features(self, train):
        """Return the features of all rows: an indicator per value, one only where there are two."""
        found = []
        for column, nominal in self.filled(train):
            values = np.unique(column[train])
            chosen = values[1:] if len(values) == 2 else values
            found += [column == value for value in chosen] if nominal else [column]
        return np.array(found, dtype=float).T

    def ordered_features(self, train):
        """Return features whose indicators say: one of the values of the higher mean levels."""
        found = []
        for column, nominal in self.filled(train):
            if not nominal:
                found.append(column)
                continue
            means = {v: self.level[train][column[train] == v].mean() for v in set(column[train])}
            values = sorted(means, key=means.get)
            found += [np.isin(column, values[k:]) for k in range(1, len(values))]
        return np.array(found, dtype=float).T


def read_patients(folder):
    """Return the patients of ``cholesterol.csv``, or None if there is no such file."""
    path = None if folder is None else folder / "cholesterol.csv"
    if path is None or not path.is_file():
        return None
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}
    level = columns.pop("target")
    return Patients(columns, level)


def _least_squares(X, y, train):
    """Return predictions for all rows, the slopes, and the squared error of the rows trained on."""
    design = np.column_stack([np.ones(len(X)), X])
    beta = np.linalg.lstsq(design[train], y[train], rcond=None)[0]
    predicted = design @ beta
    return predicted, beta[1:], float(np.sum((y - predicted)[train] ** 2))


def linear(patients, train):
    """Return least squares with all columns."""
    return _least_squares(patients.features(train), patients.level, train)[0]


def selected_linear(patients, train):
    """Return least squares less the columns of smallest effect, while Akaike's criterion gains."""
    X, y = patients.ordered_features(train), patients.level
    kept, degrees = list(range(X.shape[1])), len(train) - X.shape[1] - 1
    predicted, slopes, whole = _least_squares(X, y, train)
    best = degrees + 2 * (len(kept) + 1)
    while len(kept) > 1:
        weakest = int(np.argmin(np.abs(slopes) * X[train][:, kept].std(axis=0)))
        fewer = kept[:weakest] + kept[weakest + 1 :]
        trial, trial_slopes, error = _least_squares(X[:, fewer], y, train)
        criterion = error / whole * degrees + 2 * (len(fewer) + 1)
        if criterion >= best:
            break
        kept, predicted, slopes, best = fewer, trial, trial_slopes, criterion
    return predicted


def radial(gamma):
    """Return the kernel exp(−γ‖x − z‖²)."""
    return lambda X, Z: np.exp(-gamma * ((X[:, None] - Z[None]) ** 2).sum(axis=2))


def gaussian_process(kernel):
    """Return the learner with this kernel, noise 1 and the mean level as its prior."""

    def predict(patients, train):
        X = patients.features(train)
        low, high = X[train].min(axis=0), X[train].max(axis=0)
        X = (X - low) / np.where(high > low, high - low, 1.0)
        near, mean = kernel(X, X[train]), patients.level[train].mean()
        weights = np.linalg.solve(near[train] + np.eye(len(train)), patients.level[train] - mean)
        return mean + near @ weights

    return predict


LEARNERS = {
    "LR": selected_linear,
    "LR, all columns": linear,
    "GP": gaussian_process(radial(1.0)),
    "GP, γ = 0.01": gaussian_process(radial(0.01)),
    "GP, linear kernel": gaussian_process(np.inner),
}
"""LR and GP are the defaults of older WEKA; in later ones that of GP is the linear kernel."""


def trained_on(patients, learner):
    """Return predictions of the rows trained on."""
    return learner(patients, np.arange(len(patients.level)))


def cross_validated(patients, learner, seed):
    """Return predictions of ten folds, each by the other nine."""
    predicted = np.empty(len(patients.level))
    for train, test in KFold(10, shuffle=True, random_state=seed).split(predicted):
        predicted[test] = learner(patients, train)[test]
    return predicted


ROCK_DESIGNS = (
    {"ceiling": 0.78, "beyond": 0.3, "noise": (0.05, 0.1)},
    {"ceiling": 0.78, "beyond": 0.3, "noise": (0.06, 0.12)},
    {"ceiling": 0.78, "beyond": 0.15, "noise": (0.05, 0.1)},
    {"ceiling": 0.78, "beyond": 0.15, "noise": (0.06, 0.1)},
    {"ceiling": 0.78, "beyond": 0.2, "noise": (0.06, 0.1)},
    {},
)
"""Settings of ``rocks`` in the order they were tried; the last is the one that is used."""


def relative_rocks(seed, n=363):
    """Return the rocks of the first design: noise in proportion, R1's smallest near 0.53 %."""
    rng = np.random.default_rng(seed)
    grade = np.round(0.32 * np.exp(0.75 * rng.standard_normal(n)), 3)
    near = np.exp(-0.5 * (np.log(grade / 0.53) / 0.32) ** 2)
    first = 420.0 * grade * np.exp((0.42 - 0.34 * near) * rng.standard_normal(n))
    second = 28.0 * grade * np.exp(0.25 * rng.standard_normal(n))
    return grade, {"Sensor R1": first.round(0), "Sensor R2": second.round(1)}


def rocks(seed, n=363, ceiling=0.75, beyond=0.17, noise=(0.06, 0.11)):
    """Return made-up grades in percent copper, and readings of two sensors in units of their own.

    R1 is precise between 0.35 and 0.75 % and hardly tells grades beyond that apart; R2 has more
    noise, the same for all grades. Grades of 0.5 % give readings of about 210 and 14.
    """
    rng = np.random.default_rng(seed)
    grade = np.round(0.32 * np.exp(0.65 * rng.standard_normal(n)), 3)
    clear = np.clip(grade, 0.35, ceiling)
    first = 420.0 * (clear + beyond * (grade - clear) + noise[0] * rng.standard_normal(n))
    second = 28.0 * (grade + noise[1] * rng.standard_normal(n))
    return grade, {
        "Sensor R1": first.clip(0.0).round(0),
        "Sensor R2": second.clip(0.0).round(1),
    }


def films(seed):
    """Return made-up ratings: user, movie and stars, as many of each as in MovieLens 100k.

    Bad movies are bad for all; which of the good ones are loved is a matter of taste.
    """
    rng = np.random.default_rng(seed)
    activity, fame = rng.normal(0.0, 1.0, USERS), rng.normal(0.0, 1.4, MOVIES)
    wish = activity[:, None] + fame + rng.gumbel(size=(USERS, MOVIES))
    user, movie = np.divmod(np.argsort(wish, axis=None)[-RATINGS:], MOVIES)
    generosity = 0.45 * rng.standard_normal(USERS)
    quality = 0.55 * rng.standard_normal(MOVIES) + 0.18 * fame
    wants, offers = rng.standard_normal((USERS, 3)), rng.standard_normal((MOVIES, 3))
    taste = 0.35 * np.sum(wants[user] * offers[movie], axis=1)
    taste /= 1.0 + np.exp((0.1 - quality[movie]) / 0.15)
    noise = 0.85 * rng.standard_normal(RATINGS)
    stars = np.rint(3.4 + generosity[user] + quality[movie] + taste + noise)
    return user, movie, np.clip(stars, 1.0, 5.0)


def _ridge_per_group(group, X, target, size, penalty):
    """Return the ridge regression of each user (or movie) on the features of what was rated."""
    k = X.shape[1]
    gram, moment = np.empty((size, k, k)), np.empty((size, k))
    for i in range(k):
        moment[:, i] = np.bincount(group, X[:, i] * target, size)
        for j in range(i + 1):
            gram[:, i, j] = gram[:, j, i] = np.bincount(group, X[:, i] * X[:, j], size)
    return np.linalg.solve(gram + penalty * np.eye(k), moment[..., None])[..., 0]


def filter_together(user, movie, stars, setting, rng, rounds=10, shrinkage=5.0):
    """Fit offsets of users and movies and products of hidden features; return who predicts."""
    (features, penalty), mean = setting, stars.mean()
    film_offset = np.zeros(MOVIES)
    users = 0.1 * rng.standard_normal((USERS, features))
    films = 0.1 * rng.standard_normal((MOVIES, features))
    seen, rated = np.bincount(user, minlength=USERS), np.bincount(movie, minlength=MOVIES)
    for _ in range(rounds):
        rest = stars - mean - np.sum(users[user] * films[movie], axis=1)
        user_offset = np.bincount(user, rest - film_offset[movie], USERS) / (seen + shrinkage)
        film_offset = np.bincount(movie, rest - user_offset[user], MOVIES) / (rated + shrinkage)
        if features:
            rest = stars - mean - user_offset[user] - film_offset[movie]
            users = _ridge_per_group(user, films[movie], rest, USERS, penalty)
            films = _ridge_per_group(movie, users[user], rest, MOVIES, penalty)

    def predict(user, movie):
        together = np.sum(users[user] * films[movie], axis=1)
        return mean + user_offset[user] + film_offset[movie] + together

    return predict


FILTERS = {
    "Alg. M1": (0, 5.0),
    "1 feature": (1, 5.0),
    "3 features": (3, 5.0),
    "3 features, penalty 12": (3, 12.0),
    "Alg. M2": (10, 5.0),
    "10 features, penalty 15": (10, 15.0),
}
"""All configurations that were tried: hidden features, and the penalty on them."""


def film_predictions(seed, names=("Alg. M1", "Alg. M2")):
    """Return the stars of the fifth of ratings held out, and what configurations predict."""
    user, movie, stars = films(seed)
    rng = np.random.default_rng([seed, 1])
    test = rng.random(RATINGS) < 0.2
    train = tuple(part[~test] for part in (user, movie, stars))
    return stars[test], {
        name: filter_together(*train, FILTERS[name], rng)(user[test], movie[test]) for name in names
    }

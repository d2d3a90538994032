"""The data of the paper on impact curves: cholesterol as it is, rocks and movies made up.

The Gaussian process is WEKA's by default: columns normalised to [0, 1], a fixed kernel and noise 1.
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import KFold

from reproduction.learners import indicators, weka_linear

__all__ = [
    "FILTERS", "LEARNERS", "ROCK_DESIGNS", "cross_validated", "film_predictions",
    "films", "relative_rocks", "rocks", "trained_on",
]  # fmt: skip

USERS, MOVIES, RATINGS = 943, 1682, 100_000
"""Sizes of the file u.data that the paper names."""


def linear(patients, train):
    """Return least squares with all columns."""
    design = np.column_stack([np.ones(len(patients.y_true)), indicators(patients, train)])
    return design @ np.linalg.lstsq(design[train], patients.y_true[train], rcond=None)[0]


def radial(gamma):
    """Return the kernel exp(−γ‖x − z‖²)."""
    return lambda X, Z: np.exp(-gamma * ((X[:, None] - Z[None]) ** 2).sum(axis=2))


def gaussian_process(kernel):
    """Return the learner with this kernel, noise 1 and the mean level as its prior."""

    def predict(patients, train):
        X = indicators(patients, train)
        low, high = X[train].min(axis=0), X[train].max(axis=0)
        X = (X - low) / np.where(high > low, high - low, 1.0)
        near, mean = kernel(X, X[train]), patients.y_true[train].mean()
        weights = np.linalg.solve(near[train] + np.eye(len(train)), patients.y_true[train] - mean)
        return mean + near @ weights

    return predict


LEARNERS = {
    "LR": weka_linear,
    "LR, all columns": linear,
    "GP": gaussian_process(radial(1.0)),
    "GP, γ = 0.01": gaussian_process(radial(0.01)),
    "GP, linear kernel": gaussian_process(np.inner),
}
"""LR and GP are the defaults of older WEKA; in later ones that of GP is the linear kernel."""


def trained_on(patients, learner):
    """Return predictions of the rows trained on."""
    return learner(patients, np.arange(len(patients.y_true)))


def cross_validated(patients, learner, seed):
    """Return predictions of ten folds, each by the other nine."""
    predicted = np.empty(len(patients.y_true))
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

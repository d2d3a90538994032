"""Learners as near to the papers' as may be: WEKA's and R's, with their default settings.

Linear regression is WEKA's, which drops features; neighbours are R's ``knnflex`` for regression
(raw features; ``dist`` leaves out letters, which it cannot read as numbers; all that are as near as
the tenth count) and WEKA's for classes (scaled features). Where the best quantile regression is not
unique, ours need not be R's. Only trees are others: scikit-learn's in place of M5P and J48.

``data`` has ``columns`` (numbers, NaN for gaps, or a list of texts), ``y_true`` and ``matrix()``.
"""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, QuantileRegressor
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "CLASSIFIERS",
    "KINDS",
    "REGRESSORS",
    "SAME",
    "TECHNIQUES",
    "WekaLinear",
    "indicators",
    "predict_classes",
    "predict_numbers",
    "weka_linear",
]

NEIGHBOURS = 10
REGRESSORS = ("linear", "quantile", "kNN median", "kNN mean", "tree")
CLASSIFIERS = ("logistic", "kNN classes", "tree classes")
TECHNIQUES = (*REGRESSORS, *CLASSIFIERS)
SAME = (*REGRESSORS[:4], *CLASSIFIERS[:2])
"""Those that are the paper's own algorithms."""
KINDS = (("linear", "logistic"), ("kNN median", "kNN classes"), ("tree", "tree classes"))
"""Which regressor and which classifier are of a kind."""


def filled(X, train):
    """Return features without gaps: the training mean stands for what is missing."""
    return np.where(np.isnan(X), np.nanmean(X[train], axis=0), X)


def _columns(data, train):
    """Yield columns without gaps, and whether each is nominal: WEKA's mean, or most frequent."""
    for column in data.columns.values():
        if isinstance(column, list):
            names = np.array(column)
            values, counts = np.unique(names[train][names[train] != ""], return_counts=True)
            yield np.where(names == "", values[counts.argmax()], names), True
        else:
            yield filled(column[:, None], train)[:, 0], False


def indicators(data, train):
    """Return features with an indicator per name; one only where there are two."""
    found = []
    for column, nominal in _columns(data, train):
        values = np.unique(column[train])
        chosen = values[1:] if len(values) == 2 else values
        found += [column == value for value in chosen] if nominal else [column]
    return np.array(found, dtype=float).T


def _ordered_indicators(data, train):
    """Return features whose indicators say: one of the names of higher mean target."""
    found, y = [], data.y_true[train]
    for column, nominal in _columns(data, train):
        if not nominal:
            found.append(column)
            continue
        means = {name: y[column[train] == name].mean() for name in np.unique(column[train])}
        values = sorted(means, key=means.get)
        found += [np.isin(column, values[k:]) for k in range(1, len(values))]
    return np.array(found, dtype=float).T


def _without_letters(data, train):
    """Return features as R's ``dist`` sees them."""
    parts = []
    for column in data.columns.values():
        with contextlib.suppress(ValueError):
            parts.append(np.array(column, dtype=float))
    return filled(np.column_stack(parts), train)


def _unit_scaled(data, train):
    """Return features as WEKA's neighbours see them: from 0 to 1; other names are 1 apart."""
    parts = []
    for column, nominal in _columns(data, train):
        if nominal:
            parts += [(column == value) / np.sqrt(2.0) for value in np.unique(column)]
        else:
            low, high = column[train].min(), column[train].max()
            parts.append((column - low) / (high - low or 1.0))
    return np.column_stack(parts)


class WekaLinear:
    """Least squares as WEKA's ``LinearRegression`` does it by default.

    Features are standardised. Those whose coefficient is beyond 1.5 deviations of the target are
    taken for collinear and dropped, the largest first; then the least ones, as long as Akaike's
    criterion falls. ``benchmarks/weka.py`` compares it with WEKA itself.
    """

    def fit(self, X, y):
        """Learn from all features, then from fewer."""
        self.mean_, self.deviation_ = X.mean(axis=0), X.std(axis=0, ddof=1)
        chosen = list(np.flatnonzero(self.deviation_ > 0.0))
        Z, b, large = self._standard(X), y - y.mean(), 1.5 * y.std(ddof=1)
        while True:
            weights, full = self._solve(Z, b, chosen)
            if not chosen or np.abs(weights).max() <= large:
                break
            chosen.pop(int(np.abs(weights).argmax()))
        terms = len(chosen) + 1
        criterion = len(y) + float(terms)
        while chosen:
            least = int(np.abs(weights).argmin())
            rest = chosen[:least] + chosen[least + 1 :]
            fewer, error = self._solve(Z, b, rest)
            found = error / full * (len(y) - terms) + 2 * (len(rest) + 1)
            if found >= criterion:
                break
            chosen, weights, criterion = rest, fewer, found
        self.chosen_, self.weights_, self.intercept_ = chosen, weights, y.mean()
        return self

    def _standard(self, X):
        return (X - self.mean_) / np.where(self.deviation_ > 0.0, self.deviation_, 1.0)

    @staticmethod
    def _solve(Z, b, chosen):
        """Return weights (with WEKA's tiny ridge) and the sum of squared errors."""
        A = Z[:, chosen]
        weights = np.linalg.solve(A.T @ A + 1e-8 * np.eye(len(chosen)), A.T @ b)
        return weights, float(np.sum((b - A @ weights) ** 2))

    def predict(self, X):
        """Return the numbers."""
        return self._standard(X)[:, self.chosen_] @ self.weights_ + self.intercept_


def weka_linear(data, train):
    """Return WEKA's linear predictions of all rows, learnt on some."""
    X = _ordered_indicators(data, train)
    return WekaLinear().fit(X[train], data.y_true[train]).predict(X)


def _nearest(features, data, train, test):
    """Return the truths of the neighbours of each row to predict."""
    finder = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(features[train])
    return data.y_true[train][finder.kneighbors(features[test], return_distance=False)]


def _knnflex(features, data, train, test, block=500):
    """Return median and mean of the neighbours; all that are as near as the tenth count."""
    y, found = data.y_true[train], []
    for rows in np.array_split(test, max(1, len(test) // block)):
        distance = cdist(features[rows], features[train])
        tenth = np.partition(distance, NEIGHBOURS - 1, axis=1)[:, NEIGHBOURS - 1]
        near = distance <= tenth[:, None] * (1.0 + 1e-12)
        found += [(np.median(y[mask]), y[mask].mean()) for mask in near]
    return np.array(found).T


def predict_numbers(data, train, test):
    """Return the predictions of all regressors by name."""
    X, y = filled(data.matrix(), train), data.y_true
    median, mean = _knnflex(_without_letters(data, train), data, train, test)
    standard = StandardScaler().fit(X[train]).transform(X)
    quantile = QuantileRegressor(quantile=0.5, alpha=0.0, solver="highs")
    tree = DecisionTreeRegressor(min_samples_leaf=4, random_state=0)
    return {
        "linear": weka_linear(data, train)[test],
        "quantile": quantile.fit(standard[train], y[train]).predict(standard[test]),
        "kNN median": median,
        "kNN mean": mean,
        "tree": tree.fit(X[train], y[train]).predict(X[test]),
    }


def predict_classes(data, train, test, cutoffs):
    """Return, per classifier, cutoffs × rows: is it said to be at the cutoff or above.

    Classifiers are trained anew for each cutoff. Cutoffs that label the training data alike share a
    model; where all labels are the same, so are the answers.
    """
    X, y = filled(data.matrix(), train), data.y_true[train]
    order = np.sort(y)
    kinds, of_cutoff = np.unique(np.searchsorted(order, cutoffs), return_inverse=True)
    nearest = _nearest(_unit_scaled(data, train), data, train, test)
    models = {
        # WEKA's ridge of 1e-8 on standardised features
        "logistic": (
            LogisticRegression(C=5e7, solver="newton-cholesky"),
            StandardScaler().fit(X[train]).transform(X),
        ),
        "tree classes": (
            DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0),
            X,
        ),
    }
    answers = {name: np.empty((len(kinds), len(test)), dtype=bool) for name in CLASSIFIERS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # separable classes
        for row, kind in enumerate(kinds):
            if kind in (0, len(y)):
                for answer in answers.values():
                    answer[row] = kind == 0
                continue
            above = y >= order[kind]
            answers["kNN classes"][row] = 2 * np.sum(nearest >= order[kind], axis=1) > NEIGHBOURS
            for name, (model, features) in models.items():
                answers[name][row] = model.fit(features[train], above).predict(features[test])
    return {name: answer[of_cutoff] for name, answer in answers.items()}

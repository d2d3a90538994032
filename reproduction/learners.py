"""The eight techniques of "Binarised regression tasks" (Table 3), as near to the paper's as may be.

The paper ran WEKA and R with default settings. Linear regression is WEKA's, which drops features;
neighbours are R's for regression (raw features; R's ``dist`` leaves out letters, which it cannot
read as numbers) and WEKA's for classes (scaled features); quantile and logistic regression have no
settings that matter. Only trees are others: scikit-learn's in place of M5P and J48.
"""

from __future__ import annotations

import contextlib
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, QuantileRegressor
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "CLASSIFIERS",
    "REGRESSORS",
    "SAME",
    "WekaLinear",
    "filled",
    "for_r_neighbours",
    "for_weka_neighbours",
    "predict_classes",
    "predict_numbers",
]

NEIGHBOURS = 10
REGRESSORS = ("linear", "quantile", "kNN median", "kNN mean", "tree")
CLASSIFIERS = ("logistic", "kNN classes", "tree classes")
SAME = (*REGRESSORS[:4], *CLASSIFIERS[:2])
"""Those that are the paper's own algorithms."""


class WekaLinear:
    """Least squares as WEKA's ``LinearRegression`` does it by default.

    Features whose standardised coefficient is beyond 1.5 are taken for collinear and dropped, the
    largest first; then the least ones, as long as Akaike's criterion falls.
    """

    def fit(self, X, y):
        """Learn from all features, then from fewer."""
        n, p = X.shape
        spread = X.std(axis=0, ddof=1) / y.std(ddof=1)
        chosen = list(np.flatnonzero(spread > 0.0))
        while True:
            weights, full = self._solve(X, y, chosen)
            sizes = np.abs(weights) * spread[chosen]
            if not chosen or sizes.max() <= 1.5:
                break
            chosen.pop(int(sizes.argmax()))
        criterion = n + len(chosen) + 1.0
        while chosen:
            least = int(np.argmin(np.abs(weights) * spread[chosen]))
            rest = chosen[:least] + chosen[least + 1 :]
            fewer, error = self._solve(X, y, rest)
            found = error / full * (n - p - 1) + 2 * (len(rest) + 1)
            if found >= criterion:
                break
            chosen, weights, criterion = rest, fewer, found
        self.chosen_, self.weights_ = chosen, weights
        self.intercept_ = y.mean() - X[:, chosen].mean(axis=0) @ weights
        return self

    @staticmethod
    def _solve(X, y, chosen):
        """Return weights (with WEKA's tiny ridge) and the sum of squared errors."""
        A, b = X[:, chosen] - X[:, chosen].mean(axis=0), y - y.mean()
        weights = np.linalg.solve(A.T @ A + 1e-8 * np.eye(len(chosen)), A.T @ b)
        return weights, float(np.sum((b - A @ weights) ** 2))

    def predict(self, X):
        """Return the numbers."""
        return X[:, self.chosen_] @ self.weights_ + self.intercept_


def for_r_neighbours(data, train):
    """Return features as R's ``dist`` sees them: as they are, without those that have letters."""
    parts = []
    for column in data.columns.values():
        with contextlib.suppress(ValueError):
            parts.append(np.array(column, dtype=float))
    return filled(np.column_stack(parts), train)


def for_weka_neighbours(data, train):
    """Return features as WEKA's neighbours see them: from 0 to 1; other names are 1 apart."""
    parts = []
    for column in data.columns.values():
        if isinstance(column, list):
            parts += [np.array([x == v for x in column]) / np.sqrt(2.0) for v in set(column)]
        else:
            low, high = np.nanmin(column[train]), np.nanmax(column[train])
            parts.append((column - low) / (high - low or 1.0))
    return filled(np.column_stack(parts), train)


def filled(X, train):
    """Return features without gaps: the training mean stands for what is missing."""
    means = np.nanmean(X[train], axis=0)
    return np.where(np.isnan(X), means, X)


def _nearest(y, near):
    """Return the truths of the neighbours; ``near`` holds their features, old and new."""
    finder = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(near[0])
    return y[finder.kneighbors(near[1], return_distance=False)]


def predict_numbers(X, y, new, near):
    """Return the predictions of all regressors by name."""
    nearest = _nearest(y, near)
    scale = StandardScaler().fit(X)
    quantile = QuantileRegressor(quantile=0.5, alpha=0.0, solver="highs")
    tree = DecisionTreeRegressor(min_samples_leaf=4, random_state=0)
    return {
        "linear": WekaLinear().fit(X, y).predict(new),
        "quantile": quantile.fit(scale.transform(X), y).predict(scale.transform(new)),
        "kNN median": np.median(nearest, axis=1),
        "kNN mean": nearest.mean(axis=1),
        "tree": tree.fit(X, y).predict(new),
    }


def predict_classes(X, y, new, cutoffs, near):
    """Return what every classifier, trained anew for each cutoff, says: is ``new`` at the cutoff or above.

    Cutoffs that label the training data alike share a model; where all labels are the same, so are
    the answers.
    """
    order = np.sort(y)
    kinds, of_cutoff = np.unique(np.searchsorted(order, cutoffs), return_inverse=True)
    nearest = _nearest(y, near)
    scale = StandardScaler().fit(X)
    models = {
        # WEKA's ridge of 1e-8 on standardised features
        "logistic": (LogisticRegression(C=5e7, solver="newton-cholesky"), scale.transform),
        "tree classes": (
            DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0),
            lambda features: features,
        ),
    }
    answers = {name: np.empty((len(kinds), len(new)), dtype=bool) for name in CLASSIFIERS}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # separable classes
        for row, kind in enumerate(kinds):
            if kind in (0, len(y)):
                for answer in answers.values():
                    answer[row] = kind == 0
                continue
            above = y >= order[kind]
            answers["kNN classes"][row] = 2 * np.sum(nearest >= order[kind], axis=1) > NEIGHBOURS
            for name, (model, prepare) in models.items():
                answers[name][row] = model.fit(prepare(X), above).predict(prepare(new))
    return {name: answer[of_cutoff] for name, answer in answers.items()}

"""Classifiers for cutoffs: trained on a grid, reused for cutoffs in between."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression, Ridge

import roctopus as rt
from roctopus.deploy import HybridCutoffClassifier, RetrainedCutoffClassifier

RNG = np.random.default_rng(5)
X = RNG.normal(size=(120, 3))
Y = np.exp(X[:, 0] + 0.5 * RNG.normal(size=120))
GRID = np.quantile(Y, np.arange(1, 6) / 6)


class Counted(ClassifierMixin, BaseEstimator):
    """A classifier that counts how often one is trained, and how often one predicts."""

    trained = 0
    asked = 0

    def fit(self, X, y):
        """Remember how many are positive."""
        Counted.trained += 1
        self.classes_, self.share_ = np.unique(y), float(np.mean(y))
        return self

    def predict(self, X):
        """Return the more frequent class."""
        Counted.asked += 1
        return np.full(len(X), int(self.share_ >= 0.5))


def nearest(cutoff):
    """Return the cutoff with the fewest cases between, the lower of two."""
    rank = [np.sum(each > Y) for each in GRID]
    gaps = np.abs(np.array(rank) - np.sum(cutoff > Y))
    return GRID[np.argmin(gaps)]


def test_cutoffs_in_between_have_the_nearest_classifier():
    model = RetrainedCutoffClassifier(LogisticRegression(), cutoff=GRID[2], cutoffs=5).fit(X, Y)
    assert model.grid_ == pytest.approx(GRID)
    cutoffs = np.sort(RNG.uniform(Y.min() + 1e-9, Y.max(), 40))
    for cutoff in [*cutoffs, *GRID]:
        by_hand = LogisticRegression().fit(X, nearest(cutoff) <= Y).predict(X)
        assert (model.predict(X, cutoff=cutoff) == by_hand).all()
    rows = np.resize(cutoffs, len(Y))
    mixed = model.predict(X, cutoff=rows)
    assert all((mixed[rows == c] == model.predict(X, c)[rows == c]).all() for c in cutoffs)
    assert (model.predict(X, cutoff=Y.min()) == 1).all()
    assert (model.predict(X, cutoff=1e9) == 0).all()


def test_one_training_per_cutoff_of_the_grid():
    Counted.trained = Counted.asked = 0
    model = RetrainedCutoffClassifier(Counted(), cutoffs=19).fit(X, Y)
    assert Counted.trained == len(model.grid_) <= 20
    model.predict(X, cutoff=np.linspace(0.2, 4.0, len(X)))
    assert Counted.trained == len(model.grid_)
    assert Counted.asked <= len(model.grid_)


def test_the_constructed_cutoff_and_given_ones_have_their_own():
    model = RetrainedCutoffClassifier(LogisticRegression(), cutoff=1.234, cutoffs=[0.5, 2.0])
    model.fit(X, Y)
    assert model.grid_.tolist() == [0.5, 1.234, 2.0]
    by_hand = LogisticRegression().fit(X, Y >= 1.234).predict(X)
    assert (model.predict(X) == by_hand).all()


def test_ranks_are_weights():
    weight = np.where(Y > 1.0, 50.0, 1.0)
    model = RetrainedCutoffClassifier(LogisticRegression(), cutoff=0.8, cutoffs=[0.3])
    model.fit(X, Y, sample_weight=weight)
    total = [weight[each > Y].sum() for each in (0.3, 0.8)]
    border = model.borders_[0]
    assert weight[border > Y].sum() <= np.mean(total) < weight[border >= Y].sum()


def test_training_data_are_pickled_only_if_asked_for():
    wide = np.hstack([X, RNG.normal(size=(len(X), 400))])
    kinds = {
        keep: RetrainedCutoffClassifier(Counted(), keep_data=keep).fit(wide, Y)
        for keep in (False, True)
    }
    sizes = {keep: len(pickle.dumps(model)) for keep, model in kinds.items()}
    assert sizes[False] < 0.05 * wide.nbytes < wide.nbytes < sizes[True]
    hybrid = HybridCutoffClassifier(Ridge(), Counted(), cutoffs=3, cv=2).fit(wide, Y)
    assert len(pickle.dumps(hybrid)) < 0.1 * wide.nbytes


def test_with_the_data_kept_every_cutoff_has_its_own():
    mine = X.copy()
    model = RetrainedCutoffClassifier(LogisticRegression(), keep_data=True, cache_size=3)
    model.fit(mine, Y)
    mine[:] = 0.0  # the caller's data may change
    for cutoff in np.linspace(0.5, 3.0, 6):
        by_hand = LogisticRegression().fit(X, cutoff <= Y).predict(X)
        assert (model.predict(X, cutoff=cutoff) == by_hand).all()
        assert len(model.extra_) <= 3
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X, cutoff=1.7) == LogisticRegression().fit(X, Y >= 1.7).predict(X)).all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"cutoffs": 0}, "'cutoffs' must be"),
        ({"cutoffs": [1.0, np.nan]}, "'cutoffs' has missing values"),
        ({"cache_size": 0}, "cache_size"),
    ],
)
def test_refusals(options, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        RetrainedCutoffClassifier(LogisticRegression(), **options).fit(X, Y)

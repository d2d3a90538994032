"""Training data of every kind: columns, frames, sparse matrices, classes in every fold."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.ensemble import (
    BaggingRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus.deploy import (
    CutoffClassifier,
    HybridCutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
    RetrainedCutoffClassifier,
    ShiftedRegressor,
)
from roctopus.regression import EnsembleShift

X, Y = load_diabetes(return_X_y=True)


GRADE = np.digitize(Y, [100, 200])


@pytest.mark.parametrize("make", [CutoffClassifier, ImpactThresholdClassifier, ShiftedRegressor])
def test_one_column_of_truths(make):
    with pytest.warns(sklearn.exceptions.DataConversionWarning):
        assert make(Ridge()).fit(X, Y[:, None]).predict(X).shape == Y.shape
    with pytest.raises(ValueError, match="1d array"):
        make(Ridge()).fit(X, np.c_[Y, Y])


def test_members_must_predict_the_target():
    def fit(estimator):
        return ShiftedRegressor(estimator, rule=EnsembleShift(), asymmetry=0.9).fit(X, Y)

    with pytest.raises(rt.InputError, match="its prediction is not the mean of its 'estimators_'"):
        fit(GradientBoostingRegressor(n_estimators=5)).predict(X)
    some = BaggingRegressor(Ridge(), 20, max_features=0.5, random_state=0)
    steps = BaggingRegressor(make_pipeline(StandardScaler(), Ridge()), 20, random_state=0)
    for each in (some, steps):
        fitted = fit(each)
        assert np.mean(fitted.predict(X) >= fitted.estimator_.predict(X)) > 0.99
    forest = fit(RandomForestRegressor(10, random_state=0))
    assert forest.predict(csr_array(X)) == pytest.approx(forest.predict(X))


def test_training_data_are_kept_as_they_were():
    mine = X.copy()
    model = RetrainedCutoffClassifier(LogisticRegression(C=100), keep_data=True).fit(mine, Y)
    mine[:] = 0.0
    by_hand = LogisticRegression(C=100).fit(X, Y >= 200).predict(X)
    assert (model.predict(X, cutoff=200) == by_hand).all()


def test_classes_in_every_fold():
    order = np.argsort(GRADE, kind="stable")
    model = OrdinalThresholdClassifier(Ridge(0.1), cv=3)
    mixed = clone(model).fit(X, GRADE).score(X, GRADE)
    assert clone(model).fit(X[order], GRADE[order]).score(X, GRADE) > mixed - 0.05


def test_what_the_inside_takes_is_taken():
    holes = X.copy()
    holes[::7, 2] = np.nan
    boosted = HybridCutoffClassifier(
        HistGradientBoostingRegressor(max_iter=10),
        HistGradientBoostingClassifier(max_iter=10),
        cutoffs=3,
        cv=KFold(3).split(X),
    ).fit(holes, Y, sample_weight=np.ones(len(Y)))
    assert boosted.predict(holes).shape == Y.shape
    sparse = RetrainedCutoffClassifier(LogisticRegression()).fit(csr_array(X), Y)
    assert (
        sparse.predict(csr_array(X)) == LogisticRegression().fit(X, sparse.cutoff_ <= Y).predict(X)
    ).mean() > 0.99


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
@pytest.mark.filterwarnings("error")
def test_rows_of_frames(kind):
    frame = kind({f"x{k}": X[:, k] for k in range(X.shape[1])})
    model = HybridCutoffClassifier(Ridge(10.0), LogisticRegression(), cv=3).fit(frame, Y)
    model.regions_ = (rt.Region(-np.inf, 150.0, "reframed"), rt.Region(150.0, np.inf, "retrained"))
    cutoffs = np.where(np.arange(len(Y)) % 2, 100.0, 180.0)
    answer = model.predict(frame, cutoffs)
    assert (answer[::2] == model.retrained_.predict(frame, 180.0)[::2]).all()
    assert (answer[1::2] == model.reframed_.predict(frame, 100.0)[1::2]).all()


def test_ordered_categories_have_their_order():
    grade = pd.Series(pd.Categorical.from_codes(GRADE, ["low", "mid", "high"], ordered=True))
    model = OrdinalThresholdClassifier(Ridge(0.1)).fit(X, grade)
    assert model.classes_.tolist() == ["low", "mid", "high"]

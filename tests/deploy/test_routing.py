"""Weights and contexts reach the estimators inside, under any name."""

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus.deploy import (
    CutoffClassifier,
    ImpactThresholdClassifier,
    OrdinalThresholdClassifier,
)
from roctopus.impact import impact_curve, value_minus_cutoff

X, Y = load_diabetes(return_X_y=True)


GRADE = np.digitize(Y, [100, 200])


def test_weights_reach_thresholds():
    weight = np.where(GRADE == 2, 50.0, 1.0)
    model = OrdinalThresholdClassifier(Ridge()).fit(X, GRADE, sample_weight=weight)
    expected = rt.ordinal_thresholds(model.codes_, model.scores_, sample_weight=weight).thresholds
    assert model.thresholds_ == pytest.approx(expected)
    heavy = np.where(Y > 150, 50.0, 1.0)
    shop = ImpactThresholdClassifier(Ridge(), theta=150.0).fit(X, Y, sample_weight=heavy)
    scores = cross_val_predict(Ridge(), X, Y, params={"sample_weight": heavy})
    curve = impact_curve(scores, value_minus_cutoff(Y), sample_weight=heavy)
    assert shop.curve_.knob_at(150.0) == curve.knob_at(150.0)


def test_weights_under_other_names():
    weight = np.where(Y > 140, 3.0, 1.0)
    plain = CutoffClassifier(Ridge()).fit(X, Y, sample_weight=weight).cutoff_
    piped = CutoffClassifier(make_pipeline(Ridge())).fit(X, Y, ridge__sample_weight=weight)
    assert piped.cutoff_ == plain
    with sklearn.config_context(enable_metadata_routing=True):
        alias = CutoffClassifier(Ridge().set_fit_request(sample_weight="mass"))
        assert alias.fit(X, Y, mass=weight).cutoff_ == plain


def test_equal_weights_change_no_median():
    plain = CutoffClassifier(LinearRegression()).fit(X[:10], np.arange(10.0))
    tenths = CutoffClassifier(LinearRegression()).fit(
        X[:10], np.arange(10.0), sample_weight=np.full(10, 0.1)
    )
    assert plain.cutoff_ == tenths.cutoff_ == 4.5


def test_the_context_goes_through_pipelines():
    with sklearn.config_context(enable_metadata_routing=True):
        inside = CutoffClassifier(Ridge()).set_predict_request(cutoff=True)
        piped = make_pipeline(StandardScaler(), inside).fit(X, Y)
        assert piped.predict(X, cutoff=200.0).mean() < piped.predict(X, cutoff=100.0).mean()

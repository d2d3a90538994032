"""What a decision deploys keeps its context, its labels and its capacity."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge

import roctopus as rt
from roctopus.deploy import (
    CutoffClassifier,
    ImpactThresholdClassifier,
    RegionEstimator,
    ShiftedRegressor,
)
from roctopus.impact import value_minus_cutoff

X, Y = load_diabetes(return_X_y=True)


GRADE = np.digitize(Y, [100, 200])


RIDGE = Ridge(0.1).fit(X[:220], Y[:220])


KNOWN = np.arange(220, len(Y))


def test_a_cutoff_decision_without_a_cutoff_asks_for_it():
    found = {"ridge": RIDGE.predict(X[KNOWN])}
    for given in ({"distribution": rt.Uniform(80, 250)}, {"between": (100, 200)}):
        decision = rt.compare(Y[KNOWN], found, arm="cutoff").decide(**given)
        ready = decision.deploy({"ridge": RIDGE})
        with pytest.raises(rt.InputError, match="The cutoff is missing"):
            ready.predict(X)
        raised = RIDGE.predict(X) + decision.knob[0]
        assert (ready.predict(X, cutoff=150.0) == (raised >= 150.0)).all()


@pytest.mark.parametrize("labels", [[10, 20, 30], ["a", "b", "c"]])
def test_grades_keep_their_type(labels):
    grade = np.array(labels)[GRADE]
    model = Ridge(0.1).fit(X[:220], GRADE[:220])
    comparison = rt.compare(
        grade[KNOWN], {"ridge": model.predict(X[KNOWN])}, arm="ordinal", labels=labels
    )
    decision = rt.Decision.from_json(comparison.decide(costs=[1, 1, 5]).to_json())
    ready = decision.deploy({"ridge": model})
    assert ready.predict(X).dtype.kind == grade.dtype.kind
    assert ready.score(X, grade) > 0.4
    again = clone(ready).fit(X, grade)
    assert list(again.costs) == [1, 1, 5]
    assert again.score(X, grade) > 0.4


def test_what_is_deployed_keeps_its_context():
    found = {"ridge": RIDGE.predict(X[KNOWN])}
    comparison = rt.compare(Y[KNOWN], found, arm="impact", utility=value_minus_cutoff)
    ready = comparison.decide(theta=200.0).deploy({"ridge": RIDGE})
    assert ready.theta == 200.0
    with pytest.raises(rt.InputError, match="'utility' must be a function of the true values"):
        clone(ready).fit(X, Y)
    again = clone(ready).set_params(utility=value_minus_cutoff).fit(X, Y)
    assert np.mean(again.predict(X)) < 0.5
    assert np.mean(again.predict(X, theta=50.0)) > 0.9
    cut = CutoffClassifier(Ridge()).fit(X, Y).set_params(cutoff=200.0)
    assert (cut.predict(X) == cut.predict(X, cutoff=200.0)).all()
    rows = np.linspace(100, 200, len(Y))
    each = CutoffClassifier(Ridge(), cutoff=rows).fit(X, Y)
    assert (each.predict(X) == cut.predict(X, cutoff=rows)).all()


def test_borders_of_hybrids_belong_to_the_range_below():
    low, high = (
        sklearn.frozen.FrozenEstimator(ShiftedRegressor.around(RIDGE, shift=s)) for s in (0.0, 9.0)
    )
    hybrid = RegionEstimator([(0.0, 0.5, low), (0.5, 1.0, high)], context="asymmetry")
    number = RIDGE.predict(X)
    assert hybrid.predict(X, asymmetry=0.5) == pytest.approx(number)
    assert hybrid.predict(X, asymmetry=0.5001) == pytest.approx(number + 9.0)
    assert clone(hybrid).fit(X, Y).predict(X, asymmetry=1.0) == pytest.approx(number + 9.0)
    with pytest.raises(rt.InputError, match=r"Use predict\(X, asymmetry="):
        hybrid.predict(X)


@pytest.mark.parametrize(("share", "n"), [(0.1, 442), (0.05, 30)])
def test_capacity_is_kept(share, n):
    shop = ImpactThresholdClassifier(Ridge(), theta=0.0, at_most=share).fit(X[:n], Y[:n])
    assert shop.curve_.accepted_at(0.0) <= share
    must = ImpactThresholdClassifier(Ridge(), theta=1e4, at_least=share).fit(X[:n], Y[:n])
    assert must.curve_.accepted_at(1e4) >= share
    with pytest.raises(rt.InputError, match="'at_most' must be between 0 and 1"):
        ImpactThresholdClassifier(Ridge(), at_most=2).fit(X, Y)

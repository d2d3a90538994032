"""Parameters of estimators and scorers."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

import roctopus as rt
from roctopus.deploy import (
    OrdinalThresholdClassifier,
    ShiftedRegressor,
    TunedShiftRegressorCV,
    scorer,
)
from roctopus.regression import QuantileShift

X, Y = load_diabetes(return_X_y=True)


GRADE = np.digitize(Y, [100, 200])


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: ShiftedRegressor(Ridge(), asymmetry=0.9).fit(X, Y),
            "Leave out 'asymmetry', or add a rule",
        ),
        (
            lambda: ShiftedRegressor(Ridge(), shift=1.0, rule=rt.ConstantShift()).fit(X, Y),
            "'shift' and 'rule' cannot be combined",
        ),
        (
            lambda: ShiftedRegressor(Ridge(), rule=rt.ConstantShift).fit(X, Y),
            "but is the class ConstantShift. Add parentheses",
        ),
        (lambda: ShiftedRegressor(Ridge(), rule="best").fit(X, Y), "'rule' must be an instance"),
        (lambda: TunedShiftRegressorCV(Ridge(), asymmetry=2).fit(X, Y), "'asymmetry' must be"),
        (
            lambda: TunedShiftRegressorCV(Ridge(), rule=QuantileShift((0.1, 0.9))).fit(X, Y),
            "Use ShiftedRegressor with this rule",
        ),
        (
            lambda: OrdinalThresholdClassifier(Ridge(), labels=[0, 1, 1, 2]).fit(X, GRADE),
            "'labels' contains the class 1 more than once",
        ),
        (lambda: scorer("brier_score", asymmetry=0.3), "has no argument 'asymmetry'"),
        (lambda: scorer("cutoff_error"), "needs 'cutoff'"),
    ],
)
def test_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_scores_of_any_kind_for_rankings():
    label = (Y > 140).astype(int)
    machine = LinearSVC().fit(X, label)
    found = scorer("roc_auc")(machine, X, label)
    assert found == pytest.approx(rt.roc_auc(label, machine.decision_function(X)))

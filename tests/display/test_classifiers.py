"""Pictures of a fitted classifier."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import roctopus as rt
from roctopus import display
from roctopus import probability as arm


def test_displays_of_a_classifier_show_its_probabilities():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] + rng.normal(size=60) > 0, "ill", "well")
    y_model = LogisticRegression().fit(X, y)
    shown = display.ReliabilityDisplay.from_estimator(y_model, X, y)
    own = arm.reliability_curve(y == "well", y_model.predict_proba(X)[:, 1])
    np.testing.assert_array_equal(shown.curves["LogisticRegression"].probability, own.probability)
    for kind in ("SmoothedROCDisplay", "SmoothedAreaDisplay", "SegmentDisplay", "CostCurveDisplay"):
        getattr(display, kind).from_estimator(y_model, X, y)
    with pytest.raises(rt.InputError, match="must be a fitted classifier of two classes"):
        display.ReliabilityDisplay.from_estimator(object(), X, y)

"""Functions that users give are called, and what they raise becomes the cause of a sentence."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.core.given import takes
from roctopus.deploy import ImpactThresholdClassifier
from roctopus.display import ImpactDisplay
from roctopus.impact import expected_impact, impact_map, impact_profile, value_times_price
from roctopus.regression import rroc_path

Y, SCORE = [1.0, 2.0, 3.0], [0.1, 0.5, 0.2]
ONE = {"theta": 1.0}


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_impact(Y, SCORE, utility=int, distribution=rt.Uniform(1, 2)),
        lambda: rt.compare(Y, {"a": SCORE}, arm="impact", utility=int, sample_weight=Y),
        lambda: impact_map(SCORE, len, second="x", values=[1.0]),
        lambda: impact_profile(SCORE, len, **ONE),
        lambda: ImpactDisplay.from_predictions(Y, SCORE, utility=int),
        lambda: rroc_path(Y, len, shifts=[0.0]),
    ],
)
def test_a_function_that_fails_is_named_and_its_error_is_the_cause(call):
    with pytest.raises(
        rt.InputError, match=r"The function passed as '(utility|shifted)' failed \(Ty"
    ):
        call()


def test_the_error_of_the_function_is_kept():
    def broken(truth):
        raise KeyError("grade")

    with pytest.raises(rt.InputError, match=r"'utility' failed \(KeyError: 'grade'") as caught:
        rt.compare(Y, {"a": SCORE}, arm="impact", utility=broken)
    assert isinstance(caught.value.__cause__, KeyError)
    estimator = ImpactThresholdClassifier(LinearRegression(), utility=broken)
    with pytest.raises(rt.InputError, match=r"'utility' failed \(KeyError"):
        estimator.fit(np.arange(40.0)[:, None], np.arange(40.0))


def test_functions_say_what_they_take():
    assert takes(value_times_price, "sample_weight") is False
    assert takes(lambda y, sample_weight: y, "sample_weight")
    assert not takes(int, "sample_weight")  # has no signature in some Pythons
    assert not takes(3, "sample_weight")

"""The pinball loss: half of the asymmetric absolute error, and scikit-learn's number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import QuantileRegressor
from sklearn.metrics import mean_pinball_loss
from sklearn.model_selection import cross_val_score

import roctopus as rt
from roctopus.deploy import scorer
from strategies import cases

levels = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])


@given(case=cases(offset=False), level=levels)
def test_is_what_others_call_it(case, level):
    given = {"sample_weight": case.sample_weight}
    value = rt.pinball_loss(*case[:2], level=level, **given)
    twice = rt.asymmetric_absolute_error(*case[:2], asymmetry=level, **given)
    assert value == pytest.approx(0.5 * twice, rel=1e-12)
    assert value == pytest.approx(mean_pinball_loss(*case[:2], alpha=level, **given), rel=1e-9)
    if 0 < level < 1:
        costs = {"under_cost": level, "over_cost": 1 - level}
        same = rt.asymmetric_absolute_error(*case[:2], **costs, **given)
        assert value == pytest.approx(same, rel=1e-12)


def test_the_quantile_minimises_it_and_is_preferred_in_cross_validation():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1))
    y = X[:, 0] + rng.lognormal(size=300)
    judge = scorer("pinball_loss", level=0.9)
    right, wrong = (
        cross_val_score(QuantileRegressor(quantile=q, alpha=0.0), X, y, scoring=judge).mean()
        for q in (0.9, 0.5)
    )
    assert wrong < right < 0


def test_a_level_that_is_none():
    with pytest.raises(rt.InputError, match="'level' must be between 0 and 1, but is 90"):
        rt.pinball_loss([1, 2], [2, 3], level=90)

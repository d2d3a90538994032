"""Rows, labels and thresholds as they are given."""

import numpy as np
import pandas as pd
import pytest

import roctopus as rt
from roctopus import probability as arm


def test_rows_in_another_order():
    s = pd.Series([0.9, 0.1, 0.8, 0.2, 0.7, 0.3])
    with pytest.raises(rt.InputError, match="'a' and 'b' have the same index labels in different"):
        arm.compare_aucs([1, 0, 1, 0, 1, 0], {"a": s, "b": s.sort_values()})
    mixed = pd.Series([1, 0, 1], index=[0, "a", 1])
    assert arm.roc_auc(mixed, pd.Series([0.9, 0.1, 0.2], index=["b", 5, "c"])) == 1.0
    with pytest.raises(rt.InputError, match="share only 2 of 3 index labels"):
        arm.roc_auc(mixed, pd.Series([0.9, 0.1, 0.2]))
    with pytest.raises(rt.InputError, match="same index labels"):
        arm.roc_auc(mixed, pd.Series([0.9, 0.1, 0.2], index=["a", 0, 1]))


def test_messages_name_the_right_rows_and_models():
    with pytest.raises(rt.InputError, match=r"1 is in row 1 \(counted"):
        arm.roc_auc([0, 1, 2, 3, 2], [0.1, 0.2, 0.3, 0.4, 0.5])
    p = [0.1, 0.2, 0.3, 0.4]
    with pytest.raises(rt.InputError, match=r"'scores\['b'\]' has missing values"):
        arm.compare_aucs([0, 1, 0, 1], {"a": p, "b": [0.1, 0.2, np.nan, 0.4]})
    with pytest.raises(rt.InputError, match=r"because of rounding\. Clip 'y_prob' first"):
        arm.brier_score([0, 1], [0.2, np.nextafter(1, 2)])
    with pytest.raises(rt.InputError, match="'width' must be a number"):
        arm.smoothed_auc([0, 1], [0.2, 0.4], width="a")
    with pytest.raises(rt.InputError, match="The slope is too large"):
        arm.roc_slope(false_positive_cost=1e308, false_negative_cost=1e-10, prevalence=0.001)


def test_thresholds_at_the_ends():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [200, 12])
    p = np.append(rng.uniform(0, 0.9, 197), [1, 1, 1, *rng.uniform(0.2, 0.9, 12)])
    costs = {"false_positive_cost": 50, "false_negative_cost": 1}
    assert arm.choose_threshold(y, p, rule="empirical", **costs).threshold == np.inf
    assert arm.choose_threshold(y, p, **costs).threshold == np.inf
    huge = {"false_positive_cost": 1e308, "false_negative_cost": 1e308}
    assert arm.choose_threshold(y, p, **huge).cost_proportion == 0.5

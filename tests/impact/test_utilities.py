"""Utilities: made with the weights, kept as they were, from columns of any library."""

from functools import partial

import numpy as np
import polars as pl
import pytest
import torch

import roctopus as rt
from roctopus import impact as arm


def test_makers_are_given_the_weights():
    maker = partial(arm.net_benefit_utility, prevalence=0.2)
    context = {"utility": maker, "theta": 0.1, "normalize": True}
    weighted = arm.impact([1, 0, 1], [0.3, 0.2, 0.1], sample_weight=[2, 1, 1], **context)
    repeated = arm.impact([1, 1, 0, 1], [0.3, 0.3, 0.2, 0.1], **context)
    assert weighted == pytest.approx(repeated)
    absent = arm.impact([1, 0, 1], [0.3, 0.2, 0.1], sample_weight=[1, 1, 0], **context)
    assert absent == pytest.approx(arm.impact([1, 0], [0.3, 0.2], **context))


def test_columns_of_torch_and_frames_of_polars():
    value, score = torch.tensor([0.2, 0.9, 0.5]), torch.tensor([1.0, 3.0, 2.0])
    curve = rt.impact_curve(score, arm.value_times_price(value), sample_weight=torch.ones(3))
    assert curve.at(2.0) == pytest.approx(0.8, rel=1e-6)
    assert rt.impact_summary(score, arm.value_times_price(value), theta=2.0).threshold == 3.0
    assert arm.LinearUtility([1.0, 2.0], np.array(3.0)).intercept.tolist() == [3.0, 3.0]
    column = pl.Series([1, 0, 1])
    assert isinstance(arm.oracle_curve(arm.net_benefit_utility(column)).frame(), pl.DataFrame)


def test_a_utility_does_not_change_behind_ones_back():
    column = np.array([1.0, 2.0, 3.0])
    utility = arm.LinearUtility(column, -1.0)
    column[0] = 100.0
    assert utility.slope.tolist() == [1.0, 2.0, 3.0]

"""Arguments of inference that make no sense."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

import roctopus as rt
from roctopus import inference

TUNING = rt.regression.ShiftTuning(rt.LinLin(0.5))


def test_more_refusals():
    rng = np.random.default_rng(0)
    y = rng.normal(size=30)
    p = y + rng.normal(size=30)
    loss = rt.estimate(rt.uniform_cutoff_area, y, p)
    weighted = rt.estimate(rt.uniform_cutoff_area, y, p, sample_weight=np.arange(30.0))
    refusals = [
        (lambda: inference.honest_value(rt.LinLin(0.5), y, p), "'tuning' must be a tuning such as"),
        (lambda: inference.segment_values([TUNING], y, p, by=y > 0), "'tuning' must be a tuning"),
        (lambda: inference.honest_value(TUNING, y, p, cv="5"), "'cv' must be"),
        (lambda: inference.honest_value(TUNING, y, p, cv=KFold), "'cv' must be"),
        (
            lambda: inference.honest_value(TUNING, y, p, cv=KFold(3), repeats=2),
            "'repeats' can only be used with random folds",
        ),
        (lambda: inference.cases_needed(0.3), "'difference' must be the difference"),
        (lambda: inference.may_be_best({"a": loss}), "'joint' must be JointEstimates"),
        (lambda: inference.pairwise_differences({"a": loss}), "'joint' must be JointEstimates"),
        (lambda: loss.covariance(weighted), "same weights"),
        (
            lambda: inference.bootstrap(rt.uniform_cutoff_area, y, p, time=True),
            "Leave out 'time'",
        ),
    ]
    for call, sentence in refusals:
        with pytest.raises(rt.InputError, match=sentence):
            call()
    with pytest.warns(rt.RoctopusWarning, match="only one or two of .* are left out at a time"):
        inference.honest_value(TUNING, y, {"a": p, "b": p + y}, cv=30)
    with pytest.warns(rt.RoctopusWarning, match="all replicates are equal"):
        inference.bootstrap(rt.roc_auc, [0, 0, 0, 1, 1, 1] * 3, [0, 0, 0, 1, 1, 1] * 3)

"""Splits that repeat, leave out rows or lose a class."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

import roctopus as rt
from roctopus import inference

TUNING = rt.regression.ShiftTuning(rt.LinLin(0.5))


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_splits_that_repeat_or_leave_rows_out():
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    p = y + rng.normal(size=100)
    repeated = inference.honest_value(
        TUNING, y, p, cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    )
    assert repeated.estimate.size == 100
    assert len(repeated.fold_choices) == 15
    some = ShuffleSplit(2, test_size=0.2, random_state=0)
    with pytest.warns(rt.RoctopusWarning, match="of 100 cases; the others are left out"):
        part = inference.honest_value(TUNING, y, p, cv=some)
    assert part.estimate.size < 50
    with pytest.warns(rt.RoctopusWarning, match="of 100 cases"):
        found = inference.segment_values(TUNING, y, p, by=np.arange(100) % 2, cv=some)
    assert all(abs(each.value) < 3.0 for each in found.values.values())
    ids = np.arange(100) // 5
    torn = KFold(4, shuffle=True, random_state=0)
    with pytest.raises(rt.InputError, match="'cv' has cases of the same cluster"):
        inference.honest_value(TUNING, y, p, cv=torn, clusters=ids)
    with pytest.raises(rt.InputError, match="trains on cases from the same time"):
        inference.honest_value(TUNING, y, p, cv=KFold(4), time=True)


def test_classes_missing_in_a_fold():
    y = np.array([0.0, 1.0] * 20 + [2.0])
    with pytest.raises(rt.InputError, match="has no cases"):
        inference.honest_value(rt.ordinal.OrdinalTuning(), y, y + 0.1, cv=5)
    with pytest.raises(rt.InputError, match="one of the classes \\(0, 1, 2\\)"):
        inference.honest_value(rt.ordinal.OrdinalTuning(), y + 1.0, y, cv=5)


def test_labels_of_thresholds():
    rng = np.random.default_rng(0)
    score = rng.random(400)
    for low in (1.0, -1.0):
        with pytest.raises(rt.InputError, match="labels 0 and 1"):
            inference.honest_value(rt.probability.ThresholdTuning(1, 1), (score > 0.5) + low, score)


def test_repeated_folds_of_a_splitter_count_as_rounds():
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    models = {f"m{k}": y + rng.normal(size=100) for k in range(8)}
    once = inference.honest_value(TUNING, y, models, cv=KFold(5))
    often = RepeatedKFold(n_splits=5, n_repeats=20, random_state=0)
    repeated = inference.honest_value(TUNING, y, models, cv=often)
    assert repeated.estimate.standard_error > 0.95 * once.estimate.standard_error

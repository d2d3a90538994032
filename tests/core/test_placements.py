"""Placements against pair counts, scikit-learn's AUC and the definition with weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import naive
from roctopus.core.placements import placements

scores = st.lists(st.integers(0, 5).map(float), min_size=1, max_size=12).map(np.array)


@given(positive=scores, negative=scores, ties=st.sampled_from(["average", "strict"]))
def test_equal_pair_counts(positive, negative, ties):
    credit = 0.5 if ties == "average" else 0.0
    found = placements(positive, negative, ties=ties)
    assert found.auc == pytest.approx(naive.auc(positive, negative, credit), abs=1e-14)
    for p, share in zip(positive, found.positive, strict=True):
        assert share == pytest.approx(naive.auc([p], negative, credit), abs=1e-14)
    for q, share in zip(negative, found.negative, strict=True):
        assert share == pytest.approx(naive.auc(positive, [q], credit), abs=1e-14)


def test_agree_with_scikit_learn_with_weights():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 500)
    score = np.round(rng.normal(size=500) + y, 1)
    weight = rng.uniform(0.1, 3, 500)
    found = placements(
        score[y == 1],
        score[y == 0],
        positive_weight=weight[y == 1],
        negative_weight=weight[y == 0],
    )
    assert found.auc == pytest.approx(roc_auc_score(y, score, sample_weight=weight), rel=1e-12)
    assert np.average(found.negative, weights=weight[y == 0]) == pytest.approx(found.auc, rel=1e-12)

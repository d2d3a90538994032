"""Columns with an index: rows are paired by position, unless labels say that this is a mistake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import roctopus as rt
from roctopus.core.sample import check_row_order
from roctopus.inference import compare_estimates, honest_value
from roctopus.regression import ShiftTuning

RNG = np.random.default_rng(0)
Y = pd.Series(RNG.normal(size=100))
NEAR = Y + RNG.normal(size=100)
PART = "'y_true' and 'y_pred' share only 80 of 100 index labels, but rows are paired by position"


def moved(column: pd.Series) -> pd.Series:
    """Return the same values for rows of which 80 have labels of the others."""
    return column.set_axis(np.arange(20, 120))


def test_indexes_that_overlap_partly_are_refused_with_counts_and_both_remedies() -> None:
    with pytest.raises(rt.InputError, match=PART) as refused:
        rt.asymmetric_absolute_error(Y, moved(NEAR), asymmetry=0.5)
    assert ".loc[y_true.index.intersection(y_pred.index)]" in str(refused.value)
    assert ".to_numpy()" in str(refused.value)


def test_aligned_or_without_an_index_they_are_compared() -> None:
    other = moved(NEAR)
    both = Y.index.intersection(other.index)
    aligned = rt.asymmetric_absolute_error(Y.loc[both], other.loc[both], asymmetry=0.5)
    by_hand = np.mean(np.abs(Y.to_numpy()[20:] - NEAR.to_numpy()[:80]))
    assert aligned == pytest.approx(by_hand)
    by_position = rt.asymmetric_absolute_error(Y.to_numpy(), other.to_numpy(), asymmetry=0.5)
    assert by_position == pytest.approx(np.mean(np.abs(Y - NEAR)))


def test_indexes_without_a_common_label_are_paired_by_position() -> None:
    apart = NEAR.set_axis(np.arange(500, 600))
    as_text = NEAR.set_axis([f"row {k}" for k in range(100)])
    found = {
        rt.asymmetric_absolute_error(Y, each, asymmetry=0.5) for each in (NEAR, apart, as_text)
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ([0, 1, 2], [2, 0, 1], "same index labels in different orders"),
        ([0, 1, 2], [0, 1, 3], "share only 2 of 3 index labels"),
        ([0, 1, 1], [0, 0, 1], "share only 2 of 3 index labels"),
        (["a", 1, 2.5], ["a", 2, 3], "share only 1 of 3 index labels"),
        (["b", 1, 2.5], [1, "b", 2.5], "same index labels in different orders"),
        ([("a", 1), ("a", 2), ("b", 1)], [("a", 1), ("a", 2), ("b", 2)], "share only 2 of 3"),
        (
            pd.date_range("2026", periods=3),
            pd.date_range("2026-01-02", periods=3),
            "share only 2 of 3",
        ),
    ],
)
def test_labels_of_any_kind_are_counted(first: Any, second: Any, told: str) -> None:
    def column(labels: Any) -> pd.Series:
        tuples = isinstance(labels, list) and isinstance(labels[0], tuple)
        index = pd.MultiIndex.from_tuples(labels) if tuples else pd.Index(labels)
        return pd.Series([1.0, 2.0, 3.0], index=index)

    with pytest.raises(rt.InputError, match=told):
        check_row_order(a=column(first), b=column(second))


def test_all_pairs_are_looked_at() -> None:
    apart = Y.set_axis(np.arange(500, 600))
    with pytest.raises(rt.InputError, match="'b' and 'c' share only 99 of 100"):
        check_row_order(a=Y, b=apart, c=Y.set_axis(np.arange(501, 601)))


WEIGHT = pd.Series(np.ones(100), index=np.arange(20, 120))
GROUP = pd.Series(np.arange(100) % 10, index=np.arange(20, 120))


@pytest.mark.parametrize(
    "asked",
    [
        lambda: rt.optimal_shift_error(Y, NEAR, asymmetry=0.5, sample_weight=WEIGHT),
        lambda: rt.estimate(rt.asymmetric_absolute_error, Y, NEAR, asymmetry=0.5, clusters=GROUP),
        lambda: rt.estimate(
            rt.asymmetric_absolute_error, list(Y), NEAR, asymmetry=0.5, clusters=GROUP
        ),
        lambda: rt.compare(Y, {"a": NEAR, "b": moved(NEAR)}, arm="regression"),
        lambda: rt.compare(Y, pd.DataFrame({"a": moved(NEAR)}), arm="regression"),
        lambda: rt.compare(Y, {"a": NEAR}, arm="regression", sample_weight=WEIGHT),
        lambda: rt.compare(Y, {"a": NEAR}, arm="regression", clusters=GROUP),
        lambda: rt.compare(Y, {"a": NEAR}, arm="regression", context=0.5 * WEIGHT),
        lambda: rt.compare(Y, pd.DataFrame({"a": NEAR}), arm="regression").backtest(
            time=GROUP, asymmetry=0.5
        ),
        lambda: compare_estimates(
            rt.asymmetric_absolute_error, Y, {"a": NEAR, "b": moved(NEAR)}, asymmetry=0.5
        ),
        lambda: honest_value(ShiftTuning(rt.LinLin(0.5)), Y, NEAR, clusters=GROUP),
        lambda: rt.LinearUtility(Y, WEIGHT),
        lambda: rt.roc_auc((Y > 0).astype(float), moved(NEAR)),
    ],
)
def test_whatever_pairs_columns_looks_at_their_labels(asked: Any) -> None:
    with pytest.raises(rt.InputError, match="share only 80 of 100 index labels"):
        asked()

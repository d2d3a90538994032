"""A capacity per period: one threshold that keeps it on an average period."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold

import roctopus as rt
from roctopus.impact import value_minus_cutoff


@st.composite
def days(draw):
    """Return values, scores with ties, days of unequal size, weights, and a capacity."""
    n = draw(st.integers(6, 30))
    whole = st.lists(st.integers(-4, 9), min_size=n, max_size=n)
    value, score = (np.array(draw(whole), dtype=float) for _ in range(2))
    day = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    day[:2] = 0, 1  # at least two
    day[-1] = day[0]
    weight = None
    if draw(st.booleans()):
        weight = np.array(draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n, max_size=n)))
    return value, score, day, weight, draw(st.sampled_from([0.0, 1.0, 1.5, 2.0, 4.0, 50.0]))


@given(days())
@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
def test_the_threshold_is_the_best_of_all_that_keep_the_capacity(drawn):
    value, score, day, weight, capacity = drawn
    mass = np.ones(len(value)) if weight is None else weight
    comparison = rt.compare(
        value,
        {"a": score},
        arm="impact",
        utility=value_minus_cutoff,
        sample_weight=weight,
        at_most=capacity,
        per=day,
    )
    knob = comparison.problem.tune(score, np.array([1.0]), np.zeros(1)).chosen[0]

    def accepted(threshold):
        return np.bincount(day, mass * (score >= threshold))[np.unique(day)]

    def gain(threshold):
        return np.sum(mass * (score >= threshold) * (value - 1.0))

    allowed = [t for t in [*np.unique(score), np.inf] if accepted(t).mean() <= capacity + 1e-9]
    assert accepted(knob).mean() <= capacity + 1e-9
    assert gain(knob) == pytest.approx(max(map(gain, allowed)))
    note = comparison.problem.notes(score, np.array([knob]))[0]
    above = int(np.sum(accepted(knob) > capacity + 1e-9))
    assert f" {above} of {len(np.unique(day))} periods" in note


def shop(n=600):
    rng = np.random.default_rng(3)
    day = np.sort(rng.integers(0, 30, n))
    worth = rng.normal(size=n)
    frame = pd.DataFrame({"value": worth, "good": worth + rng.normal(size=n), "day": day})
    return frame.assign(day=[f"2026-05-{k + 1:02d}" for k in day])


def decided(frame, **options):
    return rt.compare("value", frame, arm="impact", utility=value_minus_cutoff, **options)


def test_the_record_says_how_often_it_is_exceeded():
    frame = shop()
    found = decided(frame, models=["good"], at_most=5, per="day").decide(theta=0.0)
    taken = frame["good"] >= found.knob[0]
    by_day = taken.groupby(frame["day"]).sum()
    above = int((by_day > 5).sum())
    assert by_day.mean() <= 5.0
    note = next(each for each in found.warnings if "capacity" in each)
    share = f"{above} of 30 periods ({100 * above / 30:.0f} %)"
    assert share in note
    assert f"up to {by_day.max()} cases" in note
    assert found.settings["at_most_per_period"] == 5.0
    again = rt.Decision.from_json(found.to_json())
    assert again.warnings == found.warnings


def test_capacity_is_another_word_for_at_most():
    options = {"models": ["good"], "per": "day"}
    first = decided(shop(), at_most=5, **options).decide(theta=0.0)
    assert first == decided(shop(), capacity=5, **options).decide(theta=0.0)


def test_new_days_are_judged_by_the_same_capacity():
    frame, later = shop(), shop(450)
    options = {"models": ["good"], "at_most": 5, "per": "day"}
    decision = decided(frame, **options).decide(theta=0.0)
    assert np.isfinite(decided(later, **options).judge(decision).value)
    with pytest.raises(rt.InputError, match="at_most_per_period=5"):
        decided(later, models=["good"], at_most=100).judge(decision)
    replayed = decided(frame, **options).backtest(time="day", theta=0.0)
    assert "retuned" in replayed.outcomes


def test_estimators_are_compared_under_a_capacity_per_period():
    frame = shop()
    found = rt.compare_estimators(
        {"line": LinearRegression()},
        frame[["good"]].to_numpy(),
        frame["value"].to_numpy(),
        arm="impact",
        utility=value_minus_cutoff,
        at_most=5,
        per=frame["day"].to_list(),
        cv=KFold(3, shuffle=True, random_state=0),
    ).decide(theta=0.0)
    assert any("of 30 periods" in each for each in found.warnings)


def test_missing_rows_and_ids_keep_their_days():
    frame = shop()
    frame.loc[::7, "good"] = np.nan
    with pytest.warns(rt.RoctopusWarning):
        found = decided(frame, models=["good"], at_most=5, per="day", missing="common")
    kept = frame.dropna()
    decision = found.decide(theta=0.0)
    by_day = (kept["good"] >= decision.knob[0]).groupby(kept["day"]).sum()
    assert any(f"{int((by_day > 5).sum())} of 30 periods" in each for each in decision.warnings)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"per": "day"},
            "but the capacity is missing. Add 'at_most' or 'at_least'.",
        ),
        ({"per": "date", "at_most": 5}, "no column 'date'"),
        ({"per": list(range(600)), "at_most": 5}, "All values in 'per' are different"),
        ({"per": ["a"] * 600, "at_most": 5}, "'per' has only one group"),
        ({"per": ["a", "b"], "at_most": 5}, "'y_true' has 600 rows, but 'per' has 2"),
        ({"per": "day", "at_most": -1}, "'at_most' must be zero or more"),
        (
            {"capacity": 5, "at_most": 5},
            "'capacity' and 'at_most' both limit how many cases are accepted.",
        ),
        ({"per": "day", "at_most": 3, "at_least": 4}, "'at_least' (4) must not exceed"),
    ],
)
def test_what_makes_no_sense(options, sentence):
    with pytest.raises(rt.InputError) as told:
        decided(shop(), models=["good"], **options)
    assert sentence in str(told.value)


def test_beyond_memory_it_needs_all_rows(tmp_path):
    path = tmp_path / "shop.parquet"
    shop().to_parquet(path)
    with pytest.raises(rt.InputError, match="'per' needs all rows in memory"):
        decided(str(path), models=["good"], at_most=5, per="day", mode="grid")
    whole = decided(str(path), models=["good"], at_most=5, per="day")
    assert whole.decide(theta=0.0) == decided(shop(), models=["good"], at_most=5, per="day").decide(
        theta=0.0
    )

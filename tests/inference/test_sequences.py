"""Confidence sequences: their martingale, their bounds, and a simulated year of weekly looks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import roctopus as rt
from roctopus.inference import ChangeSequence
from roctopus.inference.sequences import _log_likelihood_ratio

WEEKS, HISTORIES = 52, 1000


def year(rng, record, drift=0.0, recorded_error=0.2):
    """Return the sequence after each of a year's looks; means of a week have standard error 1."""
    sequence = ChangeSequence(recorded_error)
    for week in range(WEEKS):
        sequence = sequence.add(rng.normal(drift * (week + 1), 1.0) - record, 1.0, 1.0)
        yield sequence


def first_alarm(looks):
    return next((k + 1 for k, each in enumerate(looks) if each.alarm), np.inf)


@pytest.mark.parametrize("expected", [1.0, 80.0, 0.06])
def test_the_likelihood_ratio_has_mean_one_without_change(expected):
    distribution, reach = stats.norm(), 40 * np.sqrt(1 + expected)
    mean, _ = integrate.quad(
        lambda x: np.exp(distribution.logpdf(x) + _log_likelihood_ratio(x, expected)),
        -reach, reach, points=[0.0], limit=500,
    )  # fmt: skip
    assert mean == pytest.approx(1.0, abs=1e-6)


def test_the_likelihood_ratio_is_that_of_drawn_changes():
    drawn = np.abs(np.random.default_rng(0).normal(0.0, 2.0, 400_000))
    for change in (-1.0, 0.5, 2.5):
        ratio = np.mean(np.exp(drawn * change - 0.5 * drawn**2))  # of variance 1, by its definition
        assert np.exp(_log_likelihood_ratio(change, 4.0)) == pytest.approx(ratio, rel=0.01)


def test_a_year_of_looks_without_change():
    rng = np.random.default_rng(0)
    sequences, weekly = 0, 0
    for _ in range(HISTORIES):
        record = rng.normal(0.0, 0.2)
        sequences += np.isfinite(first_alarm(year(rng, record)))
        weekly += np.any(np.abs(rng.normal(size=WEEKS)) > 1.96)
    assert sequences / HISTORIES <= 0.05
    assert 0.88 < weekly / HISTORIES < 0.98  # the naive test, about 93 %


def test_a_growing_change_is_told():
    rng = np.random.default_rng(1)
    found = [first_alarm(year(rng, rng.normal(0.0, 0.2), 12 / 52)) for _ in range(60)]
    assert np.isfinite(found).all()
    assert np.median(found) < 16  # a test at one fixed time needs 7 weeks for half of them


def test_late_changes_are_told_soon_since_runs_begin_anew():
    rng = np.random.default_rng(2)
    late = []
    for _ in range(40):
        sequence = ChangeSequence(0.2)
        for week in range(WEEKS):
            sequence = sequence.add(rng.normal(3.0 * (week >= 32), 1.0), 1.0, 1.0)
            if sequence.alarm:
                break
        late.append(week - 32)
        assert sequence.surest.since >= 8
    assert np.median(late) <= 6


@given(st.integers(0, 10**6))
def test_alarm_means_that_a_lower_bound_is_above_zero(seed):
    rng = np.random.default_rng(seed)
    sequence = ChangeSequence(float(rng.uniform(0, 0.5)))
    for _ in range(6):
        sequence = sequence.add(float(rng.normal(0.8)), float(rng.uniform(0.1, 1)), 10.0)
        low = sequence.surest.low
        assert sequence.alarm == (low > 0.0) or abs(low) < 1e-9
        for bound in sequence.bounds():
            assert bound.low <= bound.change <= bound.high


def test_bounds_hold_at_all_times():
    rng = np.random.default_rng(3)
    broken = 0
    for _ in range(150):
        record, true = rng.normal(0.0, 0.2), 0.7
        sequence = ChangeSequence(0.2)
        above = False
        for week in range(WEEKS):
            sequence = sequence.add(rng.normal(true, 1.0) - record, 1.0, 1.0)
            if week % 4 == 0:
                above |= any(bound.low > true for bound in sequence.bounds())
        broken += above
    assert broken / 150 <= 0.05


def test_runs_are_sums_of_looks_since_powers_of_two():
    sequence = ChangeSequence(0.1)
    changes = np.arange(1.0, 8.0)
    for change in changes:
        sequence = sequence.add(change, 0.5, 2.0)
    assert [run.since for run in sequence.runs] == [0, 1, 2, 4]
    for run in sequence.runs:
        assert run.total == pytest.approx(2.0 * changes[run.since :].sum())
        assert run.variance == pytest.approx((7 - run.since) * 1.0)


def test_what_cannot_be_looked_at():
    with pytest.raises(rt.InputError, match="no looks yet"):
        _ = ChangeSequence(0.1).surest
    assert not ChangeSequence(0.1).alarm
    for wrong in ((np.nan, 1.0, 1.0), (0.0, np.inf, 1.0), (0.0, 1.0, 0.0)):
        with pytest.raises(rt.InputError, match="A look needs"):
            ChangeSequence(0.1).add(*wrong)


def test_no_spread_at_all():
    same = ChangeSequence(0.0).add(0.0, 0.0, 5.0)
    assert not same.alarm
    assert same.surest[1:] == (0.0, 0.0, 0.0)
    assert same.add(0.5, 0.0, 5.0).alarm


@pytest.mark.parametrize("unit", [1e-100, 1e-12, 1.0, 1e12, 1e100])
def test_the_unit_does_not_matter(unit):
    sequence = ChangeSequence(0.2 * unit, 500.0)
    for change in (0.1, 0.5, 0.9):
        sequence = sequence.add(change * unit, 0.3 * unit, 100.0)
    plain = ChangeSequence(0.2, 500.0).add(0.1, 0.3, 100).add(0.5, 0.3, 100).add(0.9, 0.3, 100)
    assert np.array(sequence.surest) / [1, unit, unit, unit] == pytest.approx(plain.surest)


def test_a_look_or_a_record_without_the_rare_loss_is_not_certain():
    silent_look = ChangeSequence(0.01, 1000.0).add(0.04, 0.0, 30.0)
    assert not silent_look.alarm  # gains: nothing was earned in it, and nothing varied
    silent_record = ChangeSequence(0.0, 50.0).add(0.01, 0.01, 100.0)
    assert not silent_record.alarm
    assert ChangeSequence(0.0).add(0.06, 0.01, 100.0).alarm  # taken at their word


def rare(rng, rate, cases, looks, size):
    """Return whether a year of means of rare events raises an alarm, as gains."""
    record = rng.random(cases) < rate
    error = record.std(ddof=1) / np.sqrt(cases)
    sequence = ChangeSequence(error, cases, level=0.05)
    for _ in range(looks):
        look = rng.random(size) < rate
        loss = record.mean() - look.mean()
        sequence = sequence.add(loss, look.std(ddof=1) / np.sqrt(size), size)
        if sequence.alarm:
            return True
    return False


@pytest.mark.parametrize(("rate", "cases", "size"), [(0.02, 2000, 30), (0.05, 400, 100)])
def test_rare_gains_raise_no_false_alarms(rate, cases, size):
    rng = np.random.default_rng(0)
    assert np.mean([rare(rng, rate, cases, 40, size) for _ in range(300)]) <= 0.05

"""Sequences of looks: critical values, a simulated year, changes that are found, single cases."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roctopus as rt
from roctopus.inference import ChangeSequence
from roctopus.inference.engine import mean_estimate
from roctopus.inference.sequences import (
    BEFORE_STEPS,
    HORIZON,
    LEAST_FREE,
    MANY_BLOCKS,
    STEP_FREEDOM,
    WINDOWS,
    Precision,
    Variation,
    critical_value,
)
from roctopus.monitoring.watching import VALUE_SHARE

WEEKS = 52
NORMAL = Precision(1000.0, 1.0 / math.sqrt(1000.0), 1000.0 / 3.0, 1000.0)
"""A record of as many cases, each with variance 1."""


def sample_of(values):
    return Precision.of(mean_estimate(np.asarray(values, dtype=float)))


def follow(record, looks, **more):
    """Yield the sequence after each look at new cases."""
    sequence, recorded = ChangeSequence(sample_of(record), **more), np.mean(record)
    for values in looks:
        sequence = sequence.add(np.mean(values) - recorded, sample_of(values))
        yield sequence


def first_alarm(sequences):
    return next((k + 1 for k, each in enumerate(sequences) if each.alarm), np.inf)


def rate_of_alarms(draw, histories, cases, size, looks=WEEKS, level=0.05):
    """Return in which share of histories without a change an alarm is raised."""
    found = [
        first_alarm(follow(draw(cases), (draw(size) for _ in range(looks)), level=level)) <= looks
        for _ in range(histories)
    ]
    return np.mean(found)


def exceeds(rng, blocks, known, each, ratio, critical):
    """Tell whether the largest mean over its error exceeds a value in one history: by loops."""
    record, noise, squares, steps = rng.normal() * math.sqrt(ratio), [], 0.0, []
    squares += rng.chisquare(known) if known else 0.0
    for k in range(1, blocks + 1):
        noise.append(rng.normal())
        squares += rng.chisquare(each) if each else 0.0
        if k > 1:
            steps.append((noise[-1] - noise[-2]) ** 2 / 2.0)
        free = known + each * k + STEP_FREEDOM * max(k - 2, 0)
        if not free or (not known and not each and k < BEFORE_STEPS):
            continue
        spread = squares + STEP_FREEDOM * (sum(steps) - max(steps, default=0.0))
        for width in (k, *(each for each in WINDOWS if each < k)):
            error = math.sqrt(spread / free * (1.0 / width + ratio))
            if (sum(noise[-width:]) / width - record) / error > critical:
                return True
    return False


@pytest.mark.parametrize(
    ("level", "blocks", "known", "each", "ratio"),
    [(0.05, 10, 11, 4, 0.5), (0.1, 5, 0, 3, 0.0), (0.05, 9, 0, 0, 0.25), (0.05, 1, 16, 8, 2.0)],
)
def test_critical_values_are_those_of_another_simulation(level, blocks, known, each, ratio):
    rng, critical = np.random.default_rng(1), critical_value(level, blocks, known, each, ratio)
    count = 3000
    share = np.mean([exceeds(rng, blocks, known, each, ratio, critical) for _ in range(count)])
    # Both shares are simulated: of 3,000 and of 4,000 histories.
    error = math.sqrt(level * (1.0 - level) * (1.0 / count + 1.0 / 4000.0))
    assert share == pytest.approx(level, abs=3.5 * error)


def test_critical_values_grow_with_looks_and_doubt():
    assert critical_value(0.05, 1, 512, 512, 0.0) == pytest.approx(1.645, abs=0.08)
    by_looks = [critical_value(0.05, n, 512, 512, 0.0) for n in (1, 4, 16, 52)]
    assert by_looks == sorted(by_looks)
    by_freedom = [critical_value(0.05, 8, n, 0, 0.0) for n in (128, 16, 4, 2)]
    assert by_freedom == sorted(by_freedom)
    assert critical_value(0.01, 8, 32, 0, 0.0) > critical_value(0.05, 8, 32, 0, 0.0)


def test_a_year_of_looks_without_change():
    rng = np.random.default_rng(0)
    rate = rate_of_alarms(lambda size: rng.normal(size=size), 300, 1000, 40)
    weekly = np.mean([np.any(rng.normal(size=WEEKS) > 1.645) for _ in range(300)])
    assert rate <= 0.05 + 2.0 * math.sqrt(0.05 * 0.95 / 300)
    assert weekly > 0.88  # a test at 5 % that is repeated every week


def test_rare_events_raise_no_more_false_alarms():
    """As watched: one case in a hundred is worth 100, as a loss and as a gain."""
    rng = np.random.default_rng(0)

    def draw(size):
        return 100.0 * (rng.random(size) < 0.01)

    most = VALUE_SHARE + 2.0 * math.sqrt(VALUE_SHARE / 300)
    assert rate_of_alarms(draw, 300, 2000, 100, level=VALUE_SHARE) <= most
    assert rate_of_alarms(lambda size: -draw(size), 300, 2000, 100, level=VALUE_SHARE) <= most


def test_a_growing_change_is_told():
    rng, found = np.random.default_rng(1), []
    for _ in range(60):
        looks = (rng.normal(0.23 / 5.0 * (week + 1), size=25) for week in range(WEEKS))
        found.append(first_alarm(follow(rng.normal(size=600), looks)))
    assert np.isfinite(found).all()
    assert np.median(found) <= 11  # a test at one fixed time needs 7 weeks for half of them


def test_a_sudden_change_is_told_within_few_weeks():
    rng, late = np.random.default_rng(2), []
    for _ in range(60):
        looks = (rng.normal(0.5 * (week >= 19), size=40) for week in range(WEEKS))
        found = list(follow(rng.normal(size=1000), looks))
        first = first_alarm(found)
        assert np.isfinite(first)
        late.append(first - 20)
        if first >= 20:
            assert found[int(first) + 8].surest.since >= 8  # the looks before are left out
    assert np.median(late) <= 3
    assert np.mean(np.array(late) < 0) <= 0.05


def test_bounds_hold_at_all_looks():
    rng, broken = np.random.default_rng(3), 0
    for _ in range(150):
        record, true, above = rng.normal(size=600), 0.3, False
        looks = (rng.normal(true, size=30) for _ in range(WEEKS))
        for week, sequence in enumerate(follow(record, looks)):
            if week % 4 == 0 and sequence.speaks:
                above |= any(bound.low > true for bound in sequence.bounds())
        broken += above
    assert broken / 150 <= 0.05 + 2.0 * math.sqrt(0.05 * 0.95 / 150)


def test_twice_as_many_looks_have_half_of_the_level():
    sequence = ChangeSequence(NORMAL)
    reach = []
    for _ in range(HORIZON + 1):
        sequence = sequence.add(0.0, Precision(100.0, 0.1, 33.0, 100.0))
        reach.append(sequence.bounds()[0].high)
    assert reach[-2] < reach[-3]  # sums grow
    assert reach[-1] > reach[-2]  # but the next looks have half of the level


def test_shocks_that_all_cases_of_a_look_share_are_learned():
    rng, alarms, naive = np.random.default_rng(4), 0, 0
    for _ in range(150):
        record = rng.normal(size=1000)
        looks = [rng.normal(rng.normal(0.0, 0.5), size=100) for _ in range(WEEKS)]
        later = list(follow(record, looks, level=VALUE_SHARE))[MANY_BLOCKS:]
        alarms += any(each.alarm for each in later)
        means = np.cumsum([each.mean() for each in looks]) / np.arange(1, 53) - record.mean()
        errors = np.sqrt(1.0 / (100.0 * np.arange(1, 53)) + 1.0 / 1000.0)
        naive += np.any((means / errors)[MANY_BLOCKS:] > 3.0)
    assert naive / 150 > 0.3  # as if cases were independent
    assert alarms < naive / 3, (alarms, naive)


def test_tiny_looks_are_put_together():
    rng = np.random.default_rng(5)
    one, many = ChangeSequence(NORMAL), ChangeSequence(NORMAL)
    values = rng.normal(size=120)
    closed = []
    for k, value in enumerate(values):
        one = one.add(value, sample_of([value]))
        closed.append(one.blocks)
        if k % 40 == 39:
            many = many.add(values[k - 39 : k + 1].mean(), sample_of(values[k - 39 : k + 1]))
    assert closed[0] == 0
    assert one.looks == 120
    assert 1 <= one.blocks < 10
    assert np.all(np.diff(closed) <= 1)
    assert one.blocks == sum(np.diff(closed, prepend=0))
    counted = one.whole.cases + one.open.cases, one.whole.total + one.open.total
    assert counted == pytest.approx((120.0, values.sum()))
    assert many.whole.total == pytest.approx(values.sum())
    for each in one.recent:  # long enough for a variance with 20 degrees of freedom
        assert each.cases >= LEAST_FREE / 2.0


@pytest.mark.parametrize("value", [0.0, 1.0, 1e6])
def test_one_look_of_one_case_is_no_alarm(value):
    found = ChangeSequence(NORMAL).add(value, sample_of([value]))
    assert not found.alarm
    assert not found.speaks
    assert found.surest == (0, value, -math.inf, math.inf)
    closed = found.closed()
    assert closed.blocks == 1
    assert closed.bounds()[0].low < value


def test_the_newest_looks_are_windows():
    sequence, changes = ChangeSequence(NORMAL), np.arange(1.0, 8.0)
    for change in changes:
        sequence = sequence.add(change, Precision(100.0, 0.1, 33.0, 100.0))
    found = {bound.since: bound.change for bound in sequence.bounds()}
    assert found == pytest.approx({0: changes.mean(), 5: changes[5:].mean(), 3: changes[3:].mean()})
    assert sequence.surest.low == max(bound.low for bound in sequence.bounds())


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_alarm_means_that_a_lower_bound_is_above_zero(seed):
    rng = np.random.default_rng(seed)
    sequence = ChangeSequence(None if seed % 3 == 0 else NORMAL)
    for _ in range(6):
        cases = float(rng.integers(1, 200))
        error = float(rng.uniform(0.5, 1.5)) / math.sqrt(cases)
        sequence = sequence.add(float(rng.normal(0.3)), Precision(cases, error, cases / 3.0, cases))
        surest = sequence.surest
        assert sequence.alarm == (surest.low > 0.0)
        assert surest.low <= surest.change <= surest.high
        if sequence.speaks:
            for bound in sequence.bounds():
                assert bound.low <= bound.change <= bound.high
                assert bound.high - bound.change == pytest.approx(bound.change - bound.low)


@settings(max_examples=40)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=8), st.randoms())
def test_the_mean_of_all_does_not_depend_on_the_order_of_looks(changes, random):
    look, moved = Precision(100.0, 0.1, 33.0, 100.0), list(changes)
    random.shuffle(moved)
    first, second = ChangeSequence(NORMAL), ChangeSequence(NORMAL)
    for a, b in zip(changes, moved, strict=True):
        first, second = first.add(a, look), second.add(b, look)
    assert first.whole[1:] == pytest.approx(second.whole[1:], abs=1e-9)
    assert first.spread == pytest.approx(second.spread)
    assert (first.blocks, first.looks) == (second.blocks, second.looks)


@settings(max_examples=40)
@given(st.lists(st.lists(st.floats(-100, 100), min_size=2, max_size=9), min_size=1, max_size=6))
def test_spreads_add_up_to_that_within_samples(samples):
    spread = Variation()
    for values in samples:
        spread += Variation.of(sample_of(values))
    squares = sum(float(np.sum((np.array(each) - np.mean(each)) ** 2)) for each in samples)
    assert spread.squares == pytest.approx(squares, rel=1e-9, abs=1e-9)
    assert spread.rows == sum(len(each) - 1 for each in samples)
    assert spread.freedom <= max(spread.units, 0.0)


def test_what_cannot_be_looked_at():
    with pytest.raises(rt.InputError, match="no looks yet"):
        _ = ChangeSequence(NORMAL).surest
    assert not ChangeSequence(NORMAL).alarm
    for wrong in ((np.nan, 1.0), (np.inf, 1.0), (0.0, 0.0), (0.0, np.nan)):
        with pytest.raises(
            rt.InputError, match=r"'change' must be a finite|'look' must contain at least"
        ):
            ChangeSequence(NORMAL).add(wrong[0], Precision(wrong[1], 0.1, 3.0, 10.0))


def test_no_spread_at_all():
    certain = Precision(50.0, 0.0, 0.0, 50.0)
    same = ChangeSequence(certain).add(0.0, certain).closed()
    assert not same.alarm
    assert same.surest[1:] == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("unit", [1e-100, 1e-12, 1.0, 1e12, 1e100])
def test_the_unit_does_not_matter(unit):
    def looked(unit):
        sequence = ChangeSequence(Precision(500.0, 0.2 * unit, 160.0, 500.0))
        for change in (0.1, 0.5, 0.9, 0.4, 0.6):
            sequence = sequence.add(change * unit, Precision(100.0, 0.3 * unit, 33.0, 100.0))
        return sequence

    found = np.array(looked(unit).surest) / [1, unit, unit, unit]
    assert found == pytest.approx(looked(1.0).surest)


def test_a_look_or_a_record_without_the_rare_loss_is_not_certain():
    silent = Precision(30.0, 0.0, 0.0, 30.0)
    record = Precision(1000.0, 0.01, 20.0, 1000.0)
    assert not ChangeSequence(record).add(0.04, silent).closed().alarm  # gains: none was earned
    quiet = Precision(50.0, 0.0, 0.0, 50.0)
    assert not ChangeSequence(quiet).add(0.01, Precision(100.0, 0.01, 3.0, 100.0)).closed().alarm


def test_costs_whose_squares_are_no_numbers_are_a_sentence():
    look = Precision(cases=1e6, standard_error=1e150, units=1e6, carriers=10.0)
    with pytest.raises(rt.InputError, match="too large to be squared"):
        ChangeSequence(None, level=0.05, horizon=1).add(1.0, look)

"""Settings that follow what is best: learned from the past, judged on later looks."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roctopus.inference.tracking import (
    HALF_LIVES,
    STEP_CASES,
    SWITCH,
    Tracker,
    spread_candidates,
)

GRID = tuple(np.round(np.linspace(-2.0, 2.0, 41), 2).tolist())


def losses_at(truths):
    """Return the mean loss of a shift: absolute errors, of a prediction that is always zero."""
    return lambda setting: float(np.mean(np.abs(truths - setting[0])))


def taught(tracker, lost, cases):
    """Let a tracker look at cases, by what they lose at settings."""
    judged = np.array([lost(each) for each in tracker.judged])
    tried = []
    for place, grid in enumerate(tracker.candidates):
        moved = [sorted([*tracker.old[:place], each, *tracker.old[place + 1 :]]) for each in grid]
        tried.append(np.array([lost(np.array(each)) for each in moved]))
    return tracker.add(float(cases), judged, tried)


def follow(centres, size=100, seed=0, old=0.0):
    """Yield the tracker and the truths of each look, whose medians are given."""
    rng, tracker = np.random.default_rng(seed), Tracker((old,), (GRID,))
    for centre in centres:
        truths = rng.normal(centre, 1.0, size)
        tracker = taught(tracker, losses_at(truths), size)
        yield tracker, truths


def test_what_is_learned_is_the_least_of_discounted_sums():
    rng = np.random.default_rng(0)
    met = list(follow(rng.normal(0.0, 0.7, 30), 40))
    tracker, seen = met[-1][0], [truths for _, truths in met]
    assert tracker.steps == len(seen)
    for k, life in enumerate(HALF_LIVES):
        ages = np.arange(len(seen))[::-1]
        sums = [
            sum(
                0.5 ** (age / life) * len(each) * losses_at(each)([setting])
                for age, each in zip(ages, seen, strict=True)
            )
            for setting in GRID
        ]
        np.testing.assert_allclose(tracker.losses[k][0], sums, rtol=1e-4)
        assert tracker.learned[k, 0] == GRID[int(np.argmin(sums))]
        mass = sum(0.5 ** (age / life) * 40 for age in ages)
        assert tracker.masses[k] == pytest.approx(mass, rel=1e-4)


def test_trust_goes_to_what_loses_less_on_later_looks():
    """By the definition, with a loop: learn from the past, judge on this look, share a little."""
    rng, past = np.random.default_rng(1), []
    tracker, trust, largest = Tracker((0.5,), (GRID,)), np.full(7, 1.0 / 7.0), 0.0
    for centre in rng.normal(0.0, 1.0, 12):
        truths = rng.normal(centre, 1.0, 50)
        lost = losses_at(truths)
        before = tracker.judged
        if past:
            largest = max(largest, abs(lost(before[0]) - lost(before[1])))
            each = np.array([*(lost(row) for row in before[2:]), lost([0.5])])
            trust = trust * np.exp(-each / largest)
            trust = (1.0 - SWITCH) * trust / trust.sum() + SWITCH / 7.0
        tracker = taught(tracker, lost, 50)
        past.append(truths)
        np.testing.assert_allclose(tracker.trust, trust, rtol=1e-3)
        assert sum(tracker.trust) == pytest.approx(1.0, abs=1e-4)
        assert min(tracker.trust) >= SWITCH / 7.0 * 0.99
        mixed = np.array(tracker.trust) @ np.array([*tracker.learned[:, 0], 0.5])
        assert tracker.setting[0] == pytest.approx(mixed)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_followed_setting_lies_between_candidates(seed, looks):
    rng = np.random.default_rng(seed)
    for tracker, _ in follow(rng.normal(0.0, 3.0, looks), 35, seed, old=float(rng.choice(GRID))):
        assert GRID[0] <= tracker.setting[0] <= GRID[-1]
        known = [*tracker.learned[:, 0], tracker.old[0]]
        assert min(known) - 1e-4 <= tracker.setting[0] <= max(known) + 1e-4


def test_nothing_changes():
    lost, best = [], []
    for seed in range(5):
        before = Tracker((0.0,), (GRID,))
        for tracker, truths in follow([0.0] * 104, 100, seed):
            lost.append(losses_at(truths)(before.setting))
            best.append(losses_at(truths)([0.0]))
            before = tracker
        assert abs(tracker.setting[0]) < 0.1
    assert np.mean(lost) <= 1.01 * np.mean(best)


def test_a_shift_is_followed():
    before, rows = Tracker((0.0,), (GRID,)), []
    for tracker, truths in follow([0.0] * 20 + [1.0] * 30):
        rows.append([losses_at(truths)(each) for each in ([0.0], before.setting, [1.0])])
        before = tracker
    old, followed, known = np.mean(rows[20:], axis=0)
    assert tracker.setting[0] == pytest.approx(1.0, abs=0.15)
    assert followed - known < 0.3 * (old - known)
    assert tracker.gain_over(np.array([0.0])) == pytest.approx(old - known, rel=0.3)
    assert tracker.gain_over(tracker.setting) == pytest.approx(0.0, abs=1e-9)
    assert tracker.trust[-1] < 0.05  # the old setting


def test_gains_are_those_of_the_past_by_trust():
    *_, (tracker, _) = follow([0.0, 0.5, 1.0], 50)
    setting = np.array([-0.37])
    shares = np.array(tracker.trust[:-1]) / sum(tracker.trust[:-1])
    by_hand = 0.0
    for share, lost, mass in zip(shares, tracker.losses, tracker.masses, strict=True):
        line = [np.interp(each, GRID, lost[0]) for each in (-0.37, tracker.setting[0])]
        by_hand += share * (line[0] - line[1]) / mass
    assert tracker.gain_over(setting) == pytest.approx(by_hand)
    assert Tracker((0.0,), (GRID,)).gain_over(setting) == 0.0


def test_settings_of_several_numbers_stay_in_order():
    rng = np.random.default_rng(3)
    grid = tuple(np.linspace(0.0, 3.0, 16).tolist())
    tracker = Tracker((1.0, 2.0), (grid, grid))
    for look in range(25):
        score = rng.uniform(0.0, 3.0, 60)
        grade = np.searchsorted([1.4, 1.8] if look < 12 else [2.4, 2.6], score)

        def lost(setting, score=score, grade=grade):
            return float(np.mean(np.abs(np.searchsorted(setting, score) - grade)))

        tracker = taught(tracker, lost, 60)
        assert np.all(np.diff(tracker.learned, axis=1) >= 0.0)
        assert tracker.setting[0] <= tracker.setting[1]
        assert np.all(np.diff(tracker.judged, axis=1) >= 0.0)
    assert tracker.setting == pytest.approx([2.4, 2.6], abs=0.3)
    assert tracker.judged.shape == (len(HALF_LIVES) + 2, 2)


def test_looks_of_one_case_wait():
    rng, tracker = np.random.default_rng(4), Tracker((0.0,), (GRID,))
    truths = rng.normal(1.0, 1.0, int(STEP_CASES))
    for k, value in enumerate(truths):
        assert tracker.steps == 0
        assert tracker.setting[0] == 0.0
        tracker = taught(tracker, losses_at(np.array([value])), 1)
        assert len(tracker.pending) == (0 if k == len(truths) - 1 else len(HALF_LIVES) + 3)
    assert tracker.steps == 1
    assert tracker.waiting == ()
    together = taught(Tracker((0.0,), (GRID,)), losses_at(truths), len(truths))
    np.testing.assert_allclose(tracker.losses, together.losses, rtol=1e-4)
    assert tracker.learned.tolist() == together.learned.tolist()


@settings(max_examples=60)
@given(
    st.lists(st.floats(-1e6, 1e6), max_size=60),
    st.floats(-1e6, 1e6) | st.sampled_from([math.inf, -math.inf]),
)
def test_candidates_are_in_order_with_the_old_one(values, old):
    found = spread_candidates(np.array(values), old)
    assert list(found) == sorted(set(found))
    assert np.all(np.isfinite(found))
    assert (old in found) == math.isfinite(old)
    if values:
        assert found[0] < min(values)
        assert found[-1] > max(values)


def test_candidates_are_not_values_of_cases():
    values = np.random.default_rng(5).normal(size=400)
    found = spread_candidates(values, 0.25)
    assert set(found) & set(values.tolist()) == set()
    assert len(found) == 41 + 8 + 1

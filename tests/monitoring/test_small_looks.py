"""Looks of one cluster, of one time, and of one case: the state adds them up."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import roctopus as rt
from roctopus.inference.engine import mean_estimate
from roctopus.inference.sequences import ChangeSequence, Precision
from roctopus.monitoring.looking import measure
from roctopus.monitoring.states import read_state
from roctopus.monitoring.watching import VALUE_SHARE, WatchState

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
ROWS = 12
WRONG = {"false_positive_cost": 1, "false_negative_cost": 4}
AIMS = {
    "regression": {"under_cost": 4, "over_cost": 1},
    "cutoff": {"cutoff": 0.5},
    "probability": WRONG,
    "ordinal": {"costs": [1, 2, 4]},
    "impact": {"theta": 0.8},
}


def days(arm, seed, count, bias=0.0, first=0, told=("clusters",), rows=ROWS):
    """Return cases of some days, whose errors share a shock."""
    rng = np.random.default_rng(seed)
    day = np.repeat(np.arange(count), rows)
    size = len(day)
    y = {
        "probability": lambda: rng.integers(0, 2, size) * 1.0,
        "ordinal": lambda: rng.integers(0, 3, size) * 1.0,
        "impact": lambda: rng.lognormal(0.0, 0.6, size),
    }.get(arm, lambda: rng.normal(size=size))()
    error = bias + 0.3 * rng.normal(size=count)[day] + 0.5 * rng.normal(size=size)
    score = y * np.exp(error) if arm == "impact" else y + error
    if arm == "probability":
        score = 1.0 / (1.0 + np.exp(1.0 - 2.0 * score))
    more = {"utility": rt.value_times_price} if arm == "impact" else {}
    if arm in ("probability", "ordinal"):  # a small look need not have all classes
        more["labels"] = [0.0, 1.0] if arm == "probability" else [0.0, 1.0, 2.0]
    return rt.compare(y, {"a": score}, arm=arm, **more, **dict.fromkeys(told, day + first))


TOLD = [("clusters",), ("time",), ("clusters", "time")]


@pytest.mark.parametrize("told", TOLD, ids="+".join)
@pytest.mark.parametrize("arm", AIMS)
def test_looks_of_one_unit_add_up(arm, told, tmp_path):
    decision = days(arm, 0, 60, told=told).decide(**AIMS[arm])
    path = tmp_path / "state.json"
    first, changes = [], []
    for look in range(3):
        new = days(arm, 100 + look, 1, first=look, told=told)
        found = new.check(decision, state=path)
        assert (found.watch.looks, found.watch.cases) == (look + 1, ROWS * (look + 1))
        assert found.holds
        assert "too few cases for an interval" in found.sentence
        first.append(measure(new, decision).parts.change)
    state = read_state(path, decision)
    for look in range(3, 60):
        new = measure(days(arm, 100 + look, 1, first=look, told=told), decision)
        changes.append(new.parts.change)
        state = state.add(decision, new, f"{look:032x}")
    assert (state.value.looks, state.cases) == (60, 60 * ROWS)
    assert state.worse is state.stale is None
    state.to_json(path)
    assert read_state(path, decision) == state
    mean = state.value.whole.total + state.value.open.total
    assert mean == pytest.approx(ROWS * (np.sum(changes) + sum(first) - 60 * decision.tolerance))


@pytest.mark.parametrize("arm", AIMS)
def test_one_cluster_a_look_is_as_sure_as_all_of_them_at_once(arm):
    """How clusters vary is learned from the looks, also where no record says it, as of settings."""
    decision = days(arm, 0, 60).decide(**AIMS[arm])
    state, truth = WatchState.begin(decision), []
    for look in range(120):
        new = measure(days(arm, 100 + look, 1), decision)
        truth.append(new.parts.change)
        state = state.add(decision, new, f"{look:032x}")
    known = state.value.spread.variance / ROWS
    assert known == pytest.approx(np.var(truth, ddof=1), rel=0.3)
    assert 60 <= state.value.spread.units <= 120
    assert state.knob.speaks


def test_a_record_without_clusters_does_not_say_how_clusters_vary():
    """Looks of one day, whose cases share a shock, raise no more false alarms for it."""

    def losses(rng, days):
        error = np.repeat(rng.normal(size=days), ROWS) + rng.normal(size=days * ROWS)
        return np.where(error > 0.0, 4.0 * error, -error)

    alarms = 0
    for seed in range(200):
        rng = np.random.default_rng([3, seed])
        old = losses(rng, 80)
        sequence = ChangeSequence(Precision.of(mean_estimate(old)), level=VALUE_SHARE)
        for _ in range(52):
            change = losses(rng, 1).mean() - old.mean()
            sequence = sequence.add(change, Precision(ROWS, np.nan, 0.0, 1.0))
            if sequence.alarm:
                alarms += 1
                break
    assert alarms <= 200 * 0.05


@pytest.mark.parametrize("told", TOLD, ids="+".join)
def test_a_real_change_is_noticed(told):
    decision = days("regression", 0, 150, told=told).decide(**AIMS["regression"])
    state = WatchState.begin(decision)
    for look in range(100):
        new = measure(days("regression", 100 + look, 1, -0.6, look, told), decision)
        state = state.add(decision, new, f"{look:032x}")
    assert state.worse is not None
    assert state.advised(decision) is not None
    assert state.advised(decision).setting[0] == pytest.approx(decision.knob[0] + 0.6, abs=0.2)


def test_settings_are_judged_with_looks_of_one_case():
    decision = days("regression", 0, 60, told=()).decide(**AIMS["regression"])
    state = WatchState.begin(decision)
    for look in range(300):
        new = measure(days("regression", 100 + look, 1, -0.8, told=(), rows=1), decision)
        state = state.add(decision, new, f"{look:032x}")
    assert state.stale is not None


def test_one_cluster_over_several_times_says_nothing_of_clusters(tmp_path):
    decision = days("regression", 0, 60).decide(**AIMS["regression"])
    y = np.random.default_rng(1).normal(size=40)
    panel = rt.compare(
        y, {"a": y[::-1]}, arm="regression", clusters=np.zeros(40), time=np.repeat(np.arange(8), 5)
    )
    found = panel.check(decision, state=tmp_path / "s.json")
    assert "too few cases for an interval" in found.sentence
    with pytest.raises(rt.InputError, match="'clusters' has only one group"):
        panel.check(decision)


@pytest.mark.parametrize(
    ("told", "said"), [("clusters", "only one group"), ("time", "only one time")]
)
def test_without_a_state_one_unit_is_refused(told, said):
    decision = days("regression", 0, 60, told=(told,)).decide(**AIMS["regression"])
    one = days("regression", 1, 1, told=(told,))
    with pytest.raises(rt.InputError, match=rf"'{told}' has {said}.*add 'state'"):
        one.check(decision)
    for ask in (
        lambda: one.decide(**AIMS["regression"]),
        lambda: one.answer(**AIMS["regression"]),
        lambda: one.table(**AIMS["regression"]),
        lambda: one.decide(hybrid=True, between=(0.2, 0.8)),
        lambda: one.decide(between=(0.2, 0.8)),
    ):
        with pytest.raises(rt.InputError, match=rf"'{told}' has {said}. At least two are needed."):
            ask()


def test_from_the_shell(tmp_path):
    rng = np.random.default_rng(0)
    days("regression", 0, 60).decide(**AIMS["regression"]).to_json(tmp_path / "d.json")

    def run(*more):
        said = [sys.executable, "-m", "roctopus.cli", "check", "d.json", "day.csv", "--truth", "y"]
        return subprocess.run(
            [*said, *more], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    for day in ("2026-01-01", "2026-01-02"):
        y = rng.normal(size=20)
        frame = pd.DataFrame({"y": y, "a": y + 0.5 * rng.normal(size=20), "date": day})
        frame.to_csv(tmp_path / "day.csv", index=False)
        for option in ("--clusters", "--time"):
            done = run(option, "date", "--state", f"{option[2:]}.json")
            assert done.returncode == 0, done.stderr
        refused = run("--clusters", "date")
        assert refused.returncode == 2
        assert "--clusters has only one group" in refused.stderr
        assert "add --state" in " ".join(refused.stderr.split())
    assert '"looks": 2' in (tmp_path / "clusters.json").read_text().replace('":2', '": 2')

"""States that are read: those of 0.1.0, and forged or damaged ones, each refused in a sentence."""

import copy
import json
import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus.concepts.records import write_record
from roctopus.monitoring.looking import measure
from roctopus.monitoring.states import read_state
from roctopus.monitoring.watching import WatchState, identity

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
FIRST = Path(__file__).parent / "first_version"
"""A decision and a state after five looks, as roctopus 0.1.0 wrote them."""


def cases(seed, size, shift=0.0):
    """Return the comparison that those files were made from, with other cases."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    models = {"ridge": y + rng.normal(-2, 3, size), "forest": y + rng.normal(0, 6, size)}
    return rt.compare(y + shift, models, arm="regression")


@pytest.fixture
def first(tmp_path):
    """A decision and the path of its state, both of 0.1.0."""
    shutil.copy(FIRST / "state.json", tmp_path / "state.json")
    return rt.Decision.from_json(FIRST / "decision.json"), tmp_path / "state.json"


def test_a_state_of_the_first_version_goes_on(first):
    decision, path = first
    old = json.loads(path.read_text())
    assert old["schema_version"] == 1
    state = read_state(path, decision)
    assert state.decision == identity(decision) == old["decision"]
    assert (state.value.looks, state.cases) == (5, 500)
    assert [list(look) for look in state.history] == old["history"]
    mean = np.mean([look[2] for look in old["history"]])
    assert state.value.surest.change == pytest.approx(mean, rel=1e-5)
    found = cases(6, 100).check(decision, state=path)
    assert (found.watch.looks, found.watch.cases) == (6, 600)
    assert found.holds
    with pytest.warns(rt.RoctopusWarning, match="checked before"):
        cases(3, 100).check(decision, state=path)  # 0.1.0 saw these cases
    assert json.loads(path.read_text())["schema_version"] == 2
    for seed in range(7, 13):
        found = cases(seed, 100, shift=6.0).check(decision, state=path)
    assert found.watch.looks == 12
    assert found.watch.worse in (7, 8)
    assert found.advice == "retune"  # 0.1.0 recorded no candidates: the first look did
    assert found.retuned.knob[0] == pytest.approx(decision.knob[0] + 6.0, abs=1.0)
    assert "cannot be followed" not in str(found)


def test_a_state_of_the_first_version_of_another_decision(first):
    _, path = first
    other = cases(0, 600).decide(under_cost=3, over_cost=1)
    before = path.read_bytes()
    with pytest.raises(rt.InputError, match=r"'state\.json' is the state of another decision"):
        cases(6, 100).check(other, state=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("at", "value"),
    [
        (("value", "runs"), [[0, "nan", 1.0, 1.0]]),
        (("value", "runs"), [[0, 5.0, 1.0, -1.0]]),
        (("value", "runs"), [[0, 5.0]]),
        (("value", "looks"), -1),
        (("history",), []),
        (("history",), [[1, 2]]),
        (("cases",), "many"),
        (("value",), None),
    ],
)
def test_a_damaged_state_of_the_first_version(first, at, value):
    decision, path = first
    path.write_text(changed(json.loads(path.read_text()), at, value))
    with pytest.raises(rt.InputError, match="is not the state of a decision"):
        cases(6, 100).check(decision, state=path)


def changed(body, at, value):
    """Return a state with something changed within, and a checksum that is right."""
    found = copy.deepcopy(body)
    found.pop("checksum", None)
    inner = found
    for each in at[:-1]:
        inner = inner[each]
    inner[at[-1]] = value
    return write_record(found)


@pytest.fixture(scope="module")
def watched():
    """A decision with a state that advises another setting, and another look."""
    decision = cases(0, 600).decide(under_cost=4, over_cost=1)
    state = WatchState.begin(decision)
    for seed, size in enumerate((60, 60, 60, 60, 60, 20), 1):
        look = measure(cases(seed, size, shift=6.0), decision)
        state = state.add(decision, look, f"{seed:032x}")
    assert state.advised(decision) is not None
    assert state.obeyed
    assert state.tracker.pending
    return decision, json.loads(state.to_json()), look


SUMS, SETTINGS = "its sums are impossible", "its settings contradict each other"
LARGE, COUNT = "is not finite, or is too large", "is not a count"
FORGED = [
    (("value", "level"), 0, SUMS),
    (("value", "level"), 1.5, SUMS),
    (("value", "horizon"), 0, SUMS),
    (("value", "horizon"), -52, COUNT),
    (("value", "looks"), "2", COUNT),
    (("value", "looks"), 10**400, "contains a number that is too large"),
    (("value", "blocks"), 100, SUMS),
    (("value", "recent"), [], SUMS),
    (("value", "spread"), [1.0, -1.0, 1.0, 1.0], SUMS),
    (("value", "spread"), [1.0], "is not the state"),
    (("value", "spread"), [9.0, 1e-200, 1.0, 9.0], SUMS),
    (("value", "record"), [10.0, 1.0, 1e-320, 10.0, None, 1.0], SUMS),
    (("value", "steps"), -1.0, SUMS),
    (("value", "steps"), "nan", LARGE),
    (("value", "largest"), 1e140, SUMS),
    (("value", "inflation"), 0.0, SUMS),
    (("value", "whole"), [0, 0.0, 1.0], SUMS),
    (("value", "open"), [0, -5.0, 1.0], SUMS),
    (("value", "single"), [[0, -1.0, 1.0]], SUMS),
    (("value", "single"), [[0, 1.0]], "is not the state"),
    (("value", "record"), None, "its looks contradict each other"),
    (("value", "record"), [0.0, 1.0, 1.0, 1.0, None, 1.0], SUMS),
    (("value", "record"), [10.0, -1.0, 1.0, 1.0, None, 1.0], SUMS),
    (("knob", "looks"), 900, "its looks contradict each other"),
    (("tracker", "old"), [1.0, 2.0], SETTINGS),
    (("tracker", "old"), ["nan"], LARGE),
    (("tracker", "candidates"), [], SETTINGS),
    (("tracker", "candidates"), [[2.0, 1.0]], SETTINGS),
    (("tracker", "losses"), [], SETTINGS),
    (("tracker", "losses", 0, 0, 0), "nan", LARGE),
    (("tracker", "losses", 0, 0, 0), 1e200, LARGE),
    (("tracker", "masses", 0), -1.0, SETTINGS),
    (("tracker", "masses"), [1.0], SETTINGS),
    (("tracker", "trust", 0), -0.1, SETTINGS),
    (("tracker", "trust"), [], SETTINGS),
    (("tracker", "largest"), -1.0, SETTINGS),
    (("tracker", "steps"), 0, SETTINGS),
    (("tracker", "steps"), 1.5, COUNT),
    (("tracker", "pending"), [1.0], SETTINGS),
    (("tracker", "pending", 0), -1.0, SETTINGS),
    (("tracker", "waiting"), [], SETTINGS),
    (("setting",), ["nan"], "a setting in it is not a number"),
    (("setting",), [1.0, 2.0], SETTINGS),
    (("obeyed",), [1.0, 2.0], SETTINGS),
    (("saved",), "inf", LARGE),
    (("cases",), -1, COUNT),
    (("worse",), "first", "is not the state"),
    (("history", 0, 1), "nan", LARGE),
    (("history",), [], "its looks contradict each other"),
    (("batches",), 5, "is not the state"),
]


@pytest.mark.parametrize(("at", "value", "told"), FORGED)
def test_forged_states_are_refused(watched, tmp_path, at, value, told):
    decision, body, _ = watched
    path = tmp_path / "state.json"
    text = changed(body, at, value)
    path.write_text(text)
    with pytest.raises(rt.InputError, match=told):
        cases(9, 60).check(decision, state=path)
    assert path.read_text() == text


def test_a_state_from_before_looks_of_one_cluster_goes_on(watched, tmp_path):
    decision, body, _ = watched
    path, before = tmp_path / "state.json", copy.deepcopy(body)
    for each in ("value", "knob"):
        del before[each]["single"]
    path.write_text(changed(before, ("cases",), body["cases"]))
    now = changed(body, ("cases",), body["cases"])
    assert read_state(path, decision) == read_state(now, decision)
    assert cases(9, 60).check(decision, state=path).watch.looks == 7


BAD = ("nan", "inf", "x", None, [], {}, -1, 0, 1e308, -1e308, True, [[1]], 1.5, 10**6)


def places(body, at=()):
    """Yield where things are within a record; of long lists the first two."""
    if at:
        yield at
    inner = body.items() if isinstance(body, dict) else enumerate(body[:2])
    for key, each in inner:
        if isinstance(each, (dict, list)):
            yield from places(each, (*at, key))
        else:
            yield (*at, key)


def test_whatever_is_changed_is_refused_or_read(watched):
    """Never a traceback, nor a warning of numpy: neither when it is read nor with another look."""
    decision, body, look = watched
    refused = 0
    for at in places(body):
        for value in BAD[:: 1 if at[0] == "value" else 3]:
            text = changed({**body, "checksum": ""}, at, value)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)
                    state = read_state(text, decision).add(decision, look, "f" * 32)
                    state.watch(decision)
                    state.diagnosis(look.parts, decision)
                    assert read_state(state.to_json(), decision) == state
            except rt.InputError:
                refused += 1
    assert refused > 500


def test_looks_without_cases_are_refused(tmp_path):
    decision = cases(0, 600).decide(under_cost=4, over_cost=1)
    path = tmp_path / "state.json"
    cases(1, 4).check(decision, state=path)
    body = json.loads(path.read_text())
    assert body["value"]["blocks"] == 0
    path.write_text(changed(body, ("value", "open", 1), 0))
    with pytest.raises(rt.InputError, match=SUMS):
        cases(2, 4).check(decision, state=path)

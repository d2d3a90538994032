"""Raw predictions that look like answers: a guess never loses a look that is added to a state."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import roctopus as rt

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")


def week(seed, size=200, bias=0.0):
    rng = np.random.default_rng(seed)
    y = rng.normal(50.0, 10.0, size)
    return y, y + rng.normal(bias, 5.0, size)


def compared(seed, size=200, bias=0.0):
    y, prediction = week(seed, size, bias)
    return rt.compare(y, {"a": prediction}, arm="regression")


@pytest.fixture
def decision():
    return compared(0, 1000).decide(under_cost=4, over_cost=1)


def test_a_bias_like_the_shift_is_a_look(decision, tmp_path):
    path, bias = tmp_path / "state.json", decision.knob[0]
    moved = compared(2, bias=bias)
    for ask in (moved.check, lambda d: moved.check(d, state=path)):
        with pytest.raises(rt.InputError, match=r"already shifted by .* add deployed=True"):
            ask(decision)  # before the first look nothing is lost by asking
    assert not path.exists()
    compared(1).check(decision, state=path)
    with pytest.warns(rt.RoctopusWarning, match="look as if they were already shifted by "):
        found = moved.check(decision, state=path)
    assert found.watch.looks == 2
    told = (
        f"The predictions of 'a' look as if they were already shifted by {bias:.4g}. They were "
        "treated as raw"
    )
    assert any(each.startswith(told) for each in found.notes)
    assert told in found.sentence
    insisted = compared(2, bias=bias).check(decision, deployed=False)
    assert found.value == insisted.value
    assert not insisted.notes
    for seed in range(3, 9):
        found = compared(seed, bias=bias).check(decision, state=path)
    assert found.watch.looks == 8
    assert found.advice == "retune"


def test_scores_that_look_like_classes_are_a_look(tmp_path):
    rng, path = np.random.default_rng(0), tmp_path / "state.json"
    labels = {"arm": "probability", "labels": [0, 1]}
    y = rng.integers(0, 2, 400)
    scores = np.clip(0.5 * y + rng.normal(0.25, 0.4, 400), 0.0, 1.0)  # many are exactly 0 or 1
    decision = rt.compare(y, {"a": scores}, **labels).decide(cost_proportion=0.4)
    certain = np.flatnonzero((scores == 0.0) | (scores == 1.0))
    first, *few = certain[scores[certain] == 0.0][0], *certain[scores[certain] == 1.0][:3]
    tiny = rt.compare(y[[first, *few]], {"a": scores[[first, *few]]}, **labels)
    with pytest.raises(rt.InputError, match="look like final classes"):
        tiny.check(decision)
    some = rng.integers(0, 400, 100)
    rt.compare(y[some], {"a": scores[some]}, **labels).check(decision, state=path)
    found = tiny.check(decision, state=path)
    assert (found.watch.looks, found.watch.cases) == (2, 104)
    assert any("look like final classes" in each for each in found.notes)


def test_one_case_is_never_taken_for_a_shifted_one(decision, tmp_path):
    for seed in range(30):
        compared(seed + 50, 1, decision.knob[0]).check(decision)


def test_a_weekly_job_goes_on(decision, tmp_path):
    decision.to_json(tmp_path / "d.json")
    said = [sys.executable, "-m", "roctopus.cli", "check", "d.json", "new.csv", "--truth", "y"]
    for seed, bias in ((1, 0.0), (2, decision.knob[0])):
        y, prediction = week(seed, bias=bias)
        pd.DataFrame({"y": y, "a": prediction}).to_csv(tmp_path / "new.csv", index=False)
        done = subprocess.run(
            [*said, "--state", "s.json", "--json"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1, 3), done.stderr
    assert json.loads(done.stdout)["watch"]["looks"] == 2
    assert "They were treated as raw" in done.stderr
    assert "start a new state with --deployed" in " ".join(done.stderr.split())
    assert "--no-deployed" in " ".join(done.stderr.split())

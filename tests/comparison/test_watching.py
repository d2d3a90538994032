"""Why a decision gives less than recorded, what to do, and what is kept between looks."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus.monitoring import DecisionCheck
from roctopus.monitoring.diagnosis import diagnose
from roctopus.monitoring.looking import measure
from roctopus.monitoring.states import read_state
from roctopus.monitoring.views import splits_of
from roctopus.monitoring.watching import MOST_LOOKS, WatchState, identity

pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")


def truths(arm, rng, size):
    """Return true classes, worths or numbers."""
    if arm == "ordinal":
        return rng.integers(0, 3, size).astype(float)
    if arm == "probability":
        return rng.integers(0, 2, size).astype(float)
    return rng.gamma(2.0, 1.0, size) if arm == "impact" else rng.normal(size=size)


def draw(arm, seed, size=300, bias=0.0, noise=1.0, own=None):
    """Return a comparison of two models, biased and noisy as asked, in contexts if asked."""
    rng = np.random.default_rng(seed)
    options = {"arm": arm, **({"utility": rt.value_times_price} if arm == "impact" else {})}
    y = truths(arm, rng, size)
    scores = {m: y + bias + noise * sd * rng.normal(size=size) for m, sd in (("a", 0.8), ("b", 1))}
    if arm == "probability":
        scores = {m: 1 / (1 + np.exp(-2 * s + 1)) for m, s in scores.items()}
    if own is not None:
        options["context"] = own(rng, y)
    return rt.compare(y, scores, **options)


def shares(low, high):
    return lambda rng, y: rng.uniform(low, high, len(y))


AIMS = {
    "regression": [
        ({"asymmetry": 0.8}, None, None),
        ({"under_cost": 4, "over_cost": 1}, None, None),
        ({"asymmetry": 0.8}, None, shares(0.1, 0.6)),
        ({"under_cost": 4, "over_cost": 1}, None, shares(0.1, 0.6)),
        ({"between": (0.2, 0.7)}, None, None),
        ({"distribution": rt.Uniform(0.3, 0.9)}, None, None),
        ({"distribution": rt.Uniform(0.3, 0.9)}, None, shares(0.1, 0.6)),
        ({}, shares(0.5, 0.9), shares(0.1, 0.6)),
        ({"hybrid": True}, shares(0.1, 0.9), shares(0.1, 0.6)),
    ],
    "cutoff": [
        ({"cutoff": 0.3}, None, None),
        ({"cutoff": 0.3}, None, shares(-1, 1)),
        ({"between": (-0.5, 0.5)}, None, None),
        ({"distribution": rt.Normal(0, 1)}, None, shares(-1, 1)),
        ({}, shares(-1, 1), shares(0, 2)),
        ({"hybrid": True}, shares(-1, 1), shares(0, 2)),
    ],
    "probability": [
        ({"cost_proportion": 0.3}, None, None),
        ({"false_positive_cost": 1, "false_negative_cost": 3}, None, shares(0.1, 0.9)),
        ({}, shares(0.1, 0.5), shares(0.3, 0.9)),
        ({"hybrid": True}, shares(0.1, 0.5), shares(0.3, 0.9)),
    ],
    "ordinal": [
        ({"costs": [1, 2, 4]}, None, None),
        ({"cost": 3.0}, None, shares(1, 6)),
        ({}, shares(1, 3), shares(2, 6)),
    ],
    "impact": [
        ({"theta": 0.7}, None, None),
        ({"theta": 0.7}, None, shares(0.3, 0.8)),
        ({}, shares(0.3, 0.8), shares(0.5, 1.5)),
        ({"hybrid": True}, shares(0.3, 0.8), shares(0.5, 1.5)),
    ],
}
KINDS = [(arm, *aim) for arm, aims in AIMS.items() for aim in aims]


def distribution_of(aim):
    return aim.get("distribution")


@pytest.mark.parametrize(("arm", "aim", "old", "new"), KINDS, ids=range(len(KINDS)))
def test_the_parts_add_up_to_the_change(arm, aim, old, new):
    decision = draw(arm, 0, own=old).decide(**aim)
    later = draw(arm, 1, bias=0.3, noise=1.3, own=new)
    found = later.check(decision, distribution=distribution_of(aim))
    parts = found.diagnosis
    total = parts.context.loss + parts.knob.loss + parts.model.loss
    assert total == pytest.approx(parts.change, abs=1e-12)
    sign = -1.0 if decision.sense == "gain" else 1.0
    assert parts.change == pytest.approx(sign * (found.value - decision.value), abs=1e-12)
    if new is None:
        assert parts.context.loss == 0.0
        with_judge = later.judge(decision, distribution=distribution_of(aim)).value
        if "between" in aim:  # at the context that looked worst on other cases
            assert found.value <= with_judge + 1e-12
        else:
            assert found.value == pytest.approx(with_judge, abs=1e-12)
    if decision.is_baseline and later.baseline(decision.model).knob is not None:
        assert parts.knob.loss == 0.0  # there is nothing to tune


@pytest.mark.parametrize("more", ["weights", "clusters", "time"])
def test_the_parts_add_up_with_weights_clusters_and_time(more):
    decision = draw("regression", 0, own=shares(0.5, 0.9)).decide()
    rng = np.random.default_rng(2)
    y = rng.normal(size=200)
    told = {
        "weights": {"sample_weight": rng.integers(0, 4, 200)},
        "clusters": {"clusters": rng.integers(0, 40, 200)},
        "time": {"time": True},
    }[more]
    later = rt.compare(
        y, {"a": y - 0.5 + rng.normal(size=200)}, arm="regression",
        context=rng.uniform(0, 0.5, 200), **told,
    )  # fmt: skip
    found, parts = diagnose(later, decision)
    total = parts.context.loss + parts.knob.loss + parts.model.loss
    assert total == pytest.approx(parts.change, abs=1e-12)
    assert found.value == pytest.approx(later.judge(decision).value, abs=1e-12)


def test_each_part_by_its_definition():
    decision = draw("regression", 0).decide(under_cost=3.9, over_cost=1.1)
    later = draw("regression", 1, bias=0.4, own=shares(0.2, 0.6))
    y, p = later.problem.y_true, later.predictions[decision.model]
    now = later.contexts.values

    def losses(shift, x, rows):
        error = p[rows] + shift - y[rows]
        return 5.0 * np.where(
            error < 0, -x * error, (1 - x) * error
        )  # half of 3.9 + 1.1, times two

    def cross_fitted(x):
        found = np.empty(len(y))
        for train, test in splits_of(later):
            candidates = y[train] - p[train]
            means = [losses(s, x[train], train).mean() for s in candidates]
            found[test] = losses(candidates[np.argmin(means)], x[test], test)
        return found.mean()

    every = np.arange(len(y))
    as_decided = losses(decision.knob[0], now, every).mean()
    in_new, in_old = cross_fitted(now), cross_fitted(np.full(len(y), 0.78))
    parts = later.check(decision).diagnosis
    assert parts.knob.loss == pytest.approx(as_decided - in_new, abs=1e-9)
    assert parts.context.loss == pytest.approx(in_new - in_old, abs=1e-9)
    assert parts.model.loss == pytest.approx(in_old - decision.value, abs=1e-9)


def in_words(y, score, setting, arm):
    """Return the loss of each case by the definition of its arm."""
    if arm == "regression":
        error = score + setting[0] - y
        return np.where(error < 0.0, -4.0 * error, error)
    if arm == "cutoff":
        return 1.0 * ((score + setting[0] >= 0.3) != (y >= 0.3))
    if arm == "probability":
        said = score >= setting[0]
        return 1.0 * (said & (y == 0)) + 3.0 * (~said & (y == 1))
    if arm == "ordinal":
        grade = (score[:, None] >= setting).sum(axis=1)
        return np.array([1.0, 2.0, 4.0])[y.astype(int)] * abs(grade - y)
    return -np.where(score >= setting[0], 0.7 * y - 1.0, 0.0)


DEFINED = {
    "regression": {"under_cost": 4, "over_cost": 1},
    "cutoff": {"cutoff": 0.3},
    "probability": {"false_positive_cost": 1, "false_negative_cost": 3},
    "ordinal": {"costs": [1, 2, 4]},
    "impact": {"theta": 0.7},
}


@pytest.mark.parametrize("size", [30, 400])
@pytest.mark.parametrize("arm", DEFINED)
def test_each_part_by_its_definition_at_every_look(arm, size, tmp_path):
    decision = draw(arm, 0, 1000).decide(**DEFINED[arm])
    recorded = -decision.value if decision.sense == "gain" else decision.value
    path, state = tmp_path / "state.json", None
    for seed in range(1, 7):
        later = draw(arm, seed, size, bias=-0.4)
        y = truths(arm, np.random.default_rng(seed), size)
        score = later.predictions[decision.model]
        problem, context = later.problem.read_context(dict(DEFINED[arm]))
        again = np.empty(size)
        for train, test in splits_of(later):
            some, mine = problem.take(train), score[train]
            knob = some.tune_rows(mine, np.full(len(train), context)).chosen
            again[test] = in_words(y[test], score[test], knob, arm)
        used = in_words(y, score, np.array(decision.knob), arm).mean()
        recovered = used - again.mean()
        followed = None
        if state is not None and state.tracker.steps:
            followed = used - in_words(y, score, state.tracker.setting, arm).mean()
        alone = later.check(decision)
        assert alone.diagnosis.change == pytest.approx(used - recorded, abs=1e-9)
        told_apart = not alone.diagnosis.apart
        if "taken together" in " ".join(alone.notes):  # settings of fewer grades are learned
            assert (arm, size) == ("ordinal", 30)
            told_apart = False  # with a state, what earlier looks have learned is judged instead
        elif told_apart:
            assert alone.diagnosis.knob.loss == pytest.approx(recovered, abs=1e-9)
            assert alone.diagnosis.model.loss == pytest.approx(again.mean() - recorded, abs=1e-9)
        else:
            assert "too few" in alone.diagnosis.apart
            assert size == 30
        assert sum(each.loss for each in alone.diagnosis.parts) == pytest.approx(used - recorded)
        later.check(decision, state=path)
        state = read_state(path, decision)
        look = state.history[-1]
        either = [
            each for each in (recovered if told_apart else None, followed) if each is not None
        ]
        assert look.change == pytest.approx(used - recorded, rel=1e-5, abs=1e-9)
        assert look.knob == pytest.approx(max(either, default=0.0), rel=1e-5, abs=1e-9)
        assert look.context == 0.0
        assert look.model == pytest.approx(look.change - look.knob, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("arm", DEFINED)
def test_looks_of_one_case_add_up(arm, tmp_path):
    decision = draw(arm, 0, 600).decide(**DEFINED[arm])
    more = {"utility": rt.value_times_price} if arm == "impact" else {}
    later, path = draw(arm, 2, 40), tmp_path / "state.json"
    y = truths(arm, np.random.default_rng(2), 40)
    for k in range(40):
        said = {name: each[k : k + 1] for name, each in later.predictions.items()}
        found = rt.check(
            decision, y=y[k : k + 1], predictions=said, deployed=False, state=path, **more
        )
        assert found.watch.looks == found.watch.cases == k + 1
        assert "on 1 new case, the" in found.sentence
        assert found.advice == "wait"
    score = later.predictions[decision.model]
    losses = in_words(y, score, np.array(decision.knob), arm)
    sign = -1.0 if decision.sense == "gain" else 1.0
    shown = [look.value for look in read_state(path, decision).history]
    assert sign * np.array(shown) == pytest.approx(losses, rel=1e-5, abs=1e-9)


def test_new_cases_of_one_class_are_checked_with_the_classes_of_the_decision():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(400) < 0.2, "ill", "well")
    score = np.clip(0.5 + 0.3 * (y == "ill") + rng.normal(0.0, 0.2, 400), 0.0, 1.0)
    decision = rt.compare(y, {"a": score}, arm="probability", pos_label="ill").decide(
        false_positive_cost=1, false_negative_cost=4
    )
    healthy = np.flatnonzero(y == "well")
    found = rt.check(decision, y=y[healthy], predictions={"a": score[healthy]})
    assert found.value == pytest.approx((score[healthy] >= decision.knob[0]).mean())
    assert "but there are no cases of class ill." in found.notes[0]
    with pytest.raises(
        rt.InputError, match=r"In row 0 .* such as 'dead'. The classes are 'well' and 'ill'"
    ):
        rt.compare(
            ["dead", "ill"], {"a": score[:2]}, arm="probability", labels=["well", "ill"]
        )  # fmt: skip
    with pytest.raises(
        rt.InputError, match="must be a list of the negative and the positive class"
    ):
        rt.compare(y, {"a": score}, arm="probability", labels="ill")


def mostly_one_sided(rng, y):
    return np.where(rng.random(len(y)) < 0.2, rng.uniform(0.4, 0.6, len(y)), 0.95)


CAUSES = {
    "wait": ({}, mostly_one_sided),
    "retune": ({"bias": -1.0}, mostly_one_sided),
    "retrain": ({"noise": 1.6}, mostly_one_sided),
    "accept": ({}, shares(0.4, 0.6)),
}


@pytest.mark.parametrize("advice", CAUSES)
def test_what_was_planted_is_found(advice):
    decided = draw("regression", 0, 3000, own=mostly_one_sided)
    decision = decided.decide(hybrid=advice == "accept")
    change, own = CAUSES[advice]
    found = draw("regression", 1, 3000, own=own, **change).check(decision)
    assert found.advice == advice
    parts = found.diagnosis
    named = {"retune": parts.knob, "retrain": parts.model, "accept": parts.context}
    if advice == "wait":
        assert found.holds
        assert "No action needed" in found.advice_sentence
    else:
        assert named[advice].loss > 0.75 * parts.change > 0.0
        assert named[advice].loss > 5.0 * named[advice].standard_error
    if advice == "retune":
        assert parts.recovers > 0.75
        saved = "which is expected to save"
        assert f"Re-tune to {parts.new_setting}, {saved} 0." in found.advice_sentence
        assert found.retuned.knob == parts.new_knob
        assert parts.new_knob[0] == pytest.approx(decision.knob[0] + 1.0, abs=0.15)


def test_contexts_that_did_not_move_cost_nothing_even_if_they_depend_on_cases():
    def near(rng, y):
        return y + 0.1 * rng.normal(size=len(y))

    decision = draw("cutoff", 0, 4000, own=near).decide()
    parts = draw("cutoff", 1, 4000, own=near).check(decision).diagnosis
    assert decision.value > 0.3  # and would be less than half of it, were they independent
    assert abs(parts.context.loss) < 0.02
    assert abs(parts.model.loss) < 0.05


def test_prices_that_come_in_tiers_are_told_apart_from_the_model():
    def tiers(share):
        return lambda rng, y: np.where(rng.random(len(y)) < share, 0.5, 0.95)

    decision = draw("regression", 0, 6000, own=tiers(0.5)).decide()
    parts = draw("regression", 1, 6000, own=tiers(0.75)).check(decision).diagnosis
    assert parts.change > 0.05
    assert abs(parts.model.loss) < 3.0 * parts.model.standard_error
    assert parts.context.loss + parts.knob.loss > 0.6 * parts.change


def test_weights_do_not_move_contexts():
    def draw_weighted(seed):
        rng = np.random.default_rng(seed)
        y, x = rng.normal(size=4000), rng.uniform(0.1, 0.9, 4000)
        return rt.compare(
            y, {"a": y + rng.normal(size=4000)}, arm="regression", context=x,
            sample_weight=np.exp(6 * x),
        )  # fmt: skip

    parts = draw_weighted(1).check(draw_weighted(0).decide()).diagnosis
    assert abs(parts.context.loss) < 0.01


def test_a_check_leaves_later_decisions_as_they_are():
    dear = draw("regression", 0).decide(under_cost=40, over_cost=10)
    fresh, used = (draw("regression", 1, own=shares(0.5, 0.9)) for _ in range(2))
    used.check(dear)
    assert used.decide() == fresh.decide()


def test_a_rule_records_how_it_looks_itself():
    comparison = draw("regression", 0, 800, own=shares(0.1, 0.9))
    rule = comparison.decide(hybrid=True)
    assert rule.regions
    assert rule.in_sample == pytest.approx(comparison.judge(rule).value)
    assert rule.in_sample < rule.value < comparison.decide().value


def test_more_is_recovered_than_was_lost_if_contexts_got_cheaper():
    decision = draw("regression", 0, 3000, own=shares(0.4, 0.6)).decide()
    found = draw("regression", 1, 3000, bias=-0.5, own=shares(0.9, 0.98)).check(decision)
    assert found.advice == "retune"
    assert found.diagnosis.recovers > 1.0
    assert found.diagnosis.knob.loss > found.diagnosis.change
    assert "which is expected to save 1.0" in found.advice_sentence


def weekly(decision, path, changes, size=200, **more):
    for seed, bias in enumerate(changes):
        found = draw("regression", 100 + seed, size, bias=bias, **more).check(decision, state=path)
        yield found


def test_a_planted_shift_is_told_and_followed(tmp_path):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    path = tmp_path / "state.json"
    found = list(weekly(decision, path, [0.0] * 6 + [-0.7] * 8))
    assert [each.advice for each in found[:6]] == ["wait"] * 6
    assert all(each.retuned is None for each in found[:6])
    for each in found[8:]:  # it is seen in the third look after the change, and from then on
        assert not each.holds
        move = each.watch.advised
        assert move.low <= move.gain <= move.high
        assert move.low > 0.0
        assert each.retuned.knob == move.setting
        assert f"re-tune to {each.retuned.knob_text}, which is expected to save" in (
            each.advice_sentence.lower()
        )
    last = found[-1]
    assert isinstance(last, DecisionCheck)
    assert last.advice == "retune"
    assert last.watch.advised.setting[0] == pytest.approx(decision.knob[0] + 0.7, abs=0.15)
    assert last.watch.saved > 0.0
    assert "first detected at look" in last.findings[1].sentence
    assert (last.watch.looks, last.watch.cases, last.watch.horizon) == (14, 14 * 200, 52)
    assert 7 <= min(last.watch.stale or 99, last.watch.worse or 99) <= 9
    for each in found:
        parts = each.diagnosis
        total = parts.context.loss + parts.knob.loss + parts.model.loss
        assert total == pytest.approx(parts.change, abs=1e-12)


def test_what_is_likely_to_pay_is_advised_before_an_alarm(tmp_path):
    decision = draw("regression", 0, 1000).decide(asymmetry=0.8)
    path = tmp_path / "state.json"
    first = list(weekly(decision, path, [-0.3] * 5))[-1]
    assert first.advice == "retune"
    assert all(each.holds for each in first.findings)
    assert first.watch.advised.low < first.watch.advised.gain
    assert first.sentence.startswith("The decision still holds")
    assert first.advice_sentence.endswith(" That is likely, but not certain yet.")
    new = draw("regression", 200, 200, bias=-0.9).check(first.retuned, state=path)
    assert new.advice == "retune"  # there are no later looks yet to judge it by
    assert new.watch.advised.low is new.watch.advised.high is None
    assert "per case, judging by the looks so far" in new.advice_sentence
    assert json.loads(json.dumps(new.watch.advised))[2:] == [None, None]


def test_a_better_value_is_no_reason_to_act(tmp_path):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    for found in weekly(decision, tmp_path / "state.json", [0.0] * 6, noise=0.5):
        assert found.value < decision.low
        assert "value" not in {each.what for each in found.findings if not each.holds}
    assert found.watch.worse is None
    assert draw("regression", 100, 2000, noise=0.5).check(decision).findings[0].holds


def test_a_state_goes_on_with_the_retuned_decision(tmp_path):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    path, seed = tmp_path / "state.json", 100
    while True:
        found = draw("regression", seed, 400, bias=-0.7).check(decision, state=path)
        seed += 1
        if found.advice == "retune":
            break
    assert found.watch.looks <= 6
    new = found.retuned
    assert new.knob == found.watch.advised.setting != decision.knob
    assert new.origin == identity(decision) == identity(new)
    assert new.words["action"] == f"Use {new.model} with {new.knob_text}"
    again = rt.Decision.from_json(new.to_json())
    assert again == new
    for _ in range(6):
        later = draw("regression", seed, 400, bias=-0.7).check(again, state=path)
        seed += 1
    assert later.watch.looks == found.watch.looks + 6
    assert later.holds  # earlier looks do not speak of the new setting
    move = later.watch.advised  # there may be something left to gain, but little
    assert move is None or move.gain < 0.1 * found.watch.advised.gain
    assert (later.watch.worse, later.watch.stale) == (None, None)
    assert later.watch.value.since >= found.watch.looks
    assert later.diagnosis.knob.loss < 0.2 * found.diagnosis.knob.loss
    assert later.value == pytest.approx(decision.value, abs=0.06)
    assert later.watch.saved > 0.1  # as much as the old setting would have lost
    second = later.retuned
    assert second is None or second.origin == new.origin
    other = draw("regression", 0, 2000).decide(asymmetry=0.7)
    with pytest.raises(rt.InputError, match="is the state of another decision"):
        draw("regression", 1).check(other, state=path)


def test_a_single_check_can_be_obeyed():
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    assert draw("regression", 1, 400).check(decision).retuned is None
    found = draw("regression", 1, 400, bias=-1.0).check(decision)
    assert found.retuned.knob == found.diagnosis.new_knob
    assert draw("regression", 2, 400, bias=-1.0).judge(found.retuned).value < found.value


def test_the_mean_change_since_the_first_look_is_that_of_all_cases(tmp_path):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    path = tmp_path / "state.json"
    found = list(weekly(decision, path, [0.0] * 3))
    state = read_state(path, decision)
    values = [each.value for each in found]
    mean = np.mean(values) - decision.value
    assert state.value.whole.change + decision.tolerance == pytest.approx(mean, abs=1e-12)
    assert state.value.looks == state.value.blocks == 3
    parts = np.array([look[3:6] for look in state.history])
    assert parts.sum(axis=1).mean() == pytest.approx(mean, abs=1e-5)
    assert state.watch(decision) == found[-1].watch


def test_the_same_cases_count_once(tmp_path):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    path = tmp_path / "state.json"
    batch = draw("regression", 1, 100)
    first = batch.check(decision, state=path)
    before = path.read_bytes()
    with pytest.warns(rt.RoctopusWarning, match="checked before, so the state stays"):
        again = batch.check(decision, state=path)
    assert path.read_bytes() == before
    assert again.watch == first.watch


def test_the_state_is_small_and_holds_no_value_of_a_row(tmp_path):
    decision = draw("regression", 0, 500, own=shares(0.5, 0.9)).decide()
    path = tmp_path / "state.json"
    batch = draw("regression", 1, 60, own=shares(0.5, 0.9))
    batch.check(decision, state=path)
    text = path.read_text()
    rows = [batch.problem.y_true, batch.contexts.values, *batch.predictions.values()]
    met = batch.problem.outcomes(batch.predictions["a"], np.array(decision.knob), 0.7)
    for value in np.concatenate([*rows, met]):
        assert f"{abs(value):.6f}"[:7] not in text
    again = read_state(path, decision)
    assert again.to_json() == text.strip()


@pytest.mark.parametrize("arm", ["regression", "ordinal"])
def test_a_thousand_looks_stay_small(tmp_path, arm):
    aim = {"regression": {"asymmetry": 0.8}, "ordinal": {"costs": [1, 2, 4]}}[arm]
    decision = draw(arm, 0, 500).decide(**aim)
    state = WatchState.begin(decision)
    looks = [measure(draw(arm, seed, 60), decision) for seed in range(1, 5)]
    for k in range(1000):
        state = state.add(decision, looks[k % 4], f"{k:02x}".rjust(32, "7"))
    path = tmp_path / "state.json"
    state.to_json(path)
    assert os.path.getsize(path) < 64_000
    again = read_state(path, decision)
    assert again == state
    assert len(again.history) == MOST_LOOKS
    assert again.value.looks == len(again.batches) == 1000
    assert again.watch(decision).horizon == 52 * 32


def test_an_interrupted_write_leaves_the_old_state_whole(tmp_path, monkeypatch):
    decision = draw("regression", 0, 2000).decide(asymmetry=0.8)
    path = tmp_path / "state.json"
    draw("regression", 1, 100).check(decision, state=path)
    before = path.read_bytes()

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    for where, name in ((Path, "replace"), (Path, "write_text")):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, interrupted)
            with pytest.raises(KeyboardInterrupt):
                draw("regression", 2, 100).check(decision, state=path)
        assert path.read_bytes() == before
        assert sorted(os.listdir(tmp_path)) == [".state.json.lock", "state.json"]
    found = draw("regression", 2, 100).check(decision, state=path)
    assert found.watch.looks == 2


def changed(text, **fields):
    return json.dumps({**json.loads(text), **fields})


def test_states_that_do_not_fit_are_refused(tmp_path):
    first = draw("regression", 0, 500).decide(asymmetry=0.8)
    other = draw("regression", 0, 500).decide(asymmetry=0.7)
    path, batch = tmp_path / "state.json", draw("regression", 1, 100)
    batch.check(first, state=path)
    text = path.read_text()
    with pytest.raises(rt.InputError, match=r"'state\.json' is the state of another decision"):
        batch.check(other, state=path)
    for wrong, told in (
        (changed(text, schema_version=3), "schema version 3.*Install a newer version of roctopus"),
        (changed(text, cases=7), "edited after it was written.*to start again"),
        (changed(text, more=1), "'more' is unknown"),
        (text[:100], "is not the state of a decision"),
        ("", "is not the state of a decision"),
        ('{"schema_version": NaN}', "NaN is not a number"),
        (first.to_json(), "is (missing|unknown)"),
    ):
        path.write_text(wrong)
        with pytest.raises(rt.InputError, match=told):
            batch.check(first, state=path)
        assert path.read_text() == wrong
    with pytest.raises(rt.InputError, match="is a folder"):
        batch.check(first, state=tmp_path)
    with pytest.raises(rt.InputError, match="'state' must be the path"):
        batch.check(first, state=7)


def test_what_cannot_be_watched(tmp_path):
    comparison = draw("regression", 0)
    path = tmp_path / "state.json"
    regret = comparison.decide(between=(0.2, 0.8), criterion="regret")
    alone = rt.compare(
        np.arange(60.0), {regret.model: np.arange(60.0) % 7}, arm="regression"
    )  # of a regret, other models are a part
    with pytest.raises(rt.InputError, match="minimises regret"):
        alone.check(regret, state=path)
    ranged, met = comparison.decide(between=(0.2, 0.8)), draw("regression", 1, own=shares(0.2, 0.8))
    with pytest.raises(rt.InputError, match="Leave out 'context'"):
        met.check(ranged)
    with pytest.raises(rt.InputError, match="the cases that the decision was made on"):
        comparison.check(comparison.decide(asymmetry=0.8), state=path)
    with pytest.raises(rt.InputError, match=r"the folder '.*' does not exist"):
        draw("regression", 1).check(
            comparison.decide(asymmetry=0.8), state=tmp_path / "no" / "state.json"
        )
    own = draw("regression", 0, own=shares(0.5, 0.9)).decide()
    with pytest.raises(rt.InputError, match="Use 'context' to name it when comparing"):
        draw("regression", 1).check(own, state=path)
    rng = np.random.default_rng(0)
    costs = {name: rng.uniform(1, 5, 300) for name in ("under_cost", "over_cost")}
    in_costs = draw("regression", 1, own=lambda *_: costs)
    with pytest.raises(
        rt.InputError, match="made without costs, so 'context' must contain the 'asymmetry'"
    ):
        in_costs.check(own, state=path)
    with pytest.raises(rt.InputError, match="made without costs"):
        in_costs.check(comparison.decide(asymmetry=0.8), state=path)
    assert in_costs.check(comparison.decide(under_cost=4, over_cost=1), state=path).cases == 300
    assert sorted(os.listdir(tmp_path)) == [".state.json.lock", "state.json"]


def test_the_worst_of_a_range_can_be_watched(tmp_path):
    decision = draw("regression", 0, 1000).decide(between=(0.2, 0.8))
    path = tmp_path / "state.json"
    for seed in range(1, 13):
        found = draw("regression", seed, 400, bias=-1.5 * (seed > 10)).check(decision, state=path)
        assert [each.what for each in found.findings] == ["value"]
        assert found.advice == ("wait" if seed <= 10 else "retrain")  # or decide again
    assert found.watch.looks == 12
    assert found.retuned is None  # settings are not learned for a range
    parts = found.diagnosis
    assert parts.knob.loss > 0.75 * parts.change  # but the parts say that it is the setting


def test_regrets_can_be_watched(tmp_path):
    decision = draw("regression", 0, 1000).decide(between=(0.2, 0.8), criterion="regret")
    path = tmp_path / "state.json"
    for seed in range(1, 13):
        found = draw("regression", seed, 400, bias=-1.5 * (seed > 10)).check(decision, state=path)
        assert [each.what for each in found.findings] == ["value"]
        assert found.advice == ("wait" if seed <= 10 else "retrain")  # or decide again
    assert found.watch.looks == 12


def test_clusters_add_up_over_looks(tmp_path):
    decision = draw("regression", 0).decide(asymmetry=0.8)
    for seed in (1, 2):
        new = draw("regression", seed)
        week = rt.compare(
            new.problem.y_true, new.predictions, arm="regression", clusters=np.arange(300) % 7
        )
        alone = week.check(decision).diagnosis
        assert alone.apart.startswith("7 new clusters are too few to say why the value changed")
        assert week.check(decision, state=tmp_path / "state.json").watch.looks == seed
    state = read_state(tmp_path / "state.json", decision)
    assert state.value.spread.units == pytest.approx(2 * (7 - 1))

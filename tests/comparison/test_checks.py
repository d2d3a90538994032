"""Checks of a decision on new data: rare false alarms, and those that cannot be made."""

import numpy as np
import pytest
from small import MODELS, Y, fresh

import roctopus as rt


@pytest.mark.simulation
def test_alarms_are_rare_and_name_another_model():
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        checks = []
        for size in (200, 200):
            y = rng.gamma(2.0, 10.0, size)
            models = {"a": y + rng.normal(0, 5, size) - 2, "b": y + rng.normal(0, 5, size) + 1}
            checks.append(rt.compare(y, models, arm="regression"))
        found = checks[1].check(checks[0].decide(between=(0.2, 0.8)))
        alarms += not found.holds
        for finding in found.findings:
            if finding.what == "model" and not finding.holds:
                assert not finding.sentence.endswith(f"{found.decision.model}.")
    assert alarms <= 5


def test_few_cases_say_what_they_can():
    y = np.arange(60.0)
    models = {"a": y + np.sin(y), "b": y + np.cos(3 * y)}
    decision = rt.compare(y, models, arm="regression").decide(asymmetry=0.7)
    for size in (2, 20):
        few = rt.compare(y[:size] + 0.5, {m: p[:size] for m, p in models.items()}, arm="regression")
        found = few.check(decision)
        assert [each.what for each in found.findings] == ["value"]
        assert found.value == pytest.approx(few.judge(decision).value)
        parts = found.diagnosis
        assert parts.apart == (
            f"{size} new cases are too few to say why the value changed: 30 are needed"
        )
        assert parts.model.loss == parts.change
        assert (parts.context, parts.knob) == ((0.0, 0.0), (0.0, 0.0))
        assert found.retuned is None
        assert found.advice in ("wait", "retrain")
    thirty = rt.compare(y[:30] + 0.5, {m: p[:30] for m, p in models.items()}, arm="regression")
    assert thirty.check(decision).diagnosis.apart == ""


def test_checks_that_cannot_be_made():
    y = np.arange(60.0)
    models = {"a": y + np.sin(y), "b": y + np.cos(3 * y)}
    known = rt.compare(y, models, arm="regression")
    regret = known.decide(between=(0.2, 0.8), criterion="regret")
    alone = rt.compare(y + 0.5, {regret.model: models[regret.model]}, arm="regression")
    with pytest.raises(rt.InputError, match="minimises regret"):
        alone.check(regret)
    both = rt.compare(y + 0.5, models, arm="regression").check(regret)
    assert "when you decided" in both.sentence


def test_settings_are_checked():
    decided = fresh("cutoff", false_positive_cost=9.0).decide(cutoff=0.1)
    y = Y + 0.01
    with pytest.raises(
        rt.InputError,
        match=r"made with false_positive_cost=9\.0, but these cases",
    ):
        rt.compare(y, MODELS, arm="cutoff").judge(decided)
    distribution = rt.Uniform(-1, 1)
    spread = fresh("cutoff").decide(distribution=distribution)
    other = rt.compare(y, MODELS, arm="cutoff")
    with pytest.raises(rt.InputError, match="'distribution' must be a distribution of 'cutoff'"):
        other.judge(spread)
    at = other.problem.curve_at(other.prediction_of(spread.model), np.array(spread.knob))
    assert other.judge(spread, distribution=distribution).value == pytest.approx(
        at.expect(distribution)
    )
    grade = np.digitize(Y, [-0.5, 0.5])
    three = rt.compare(grade, MODELS, arm="ordinal").decide(cost=2.0)
    four = rt.compare(np.digitize(y, [-0.5, 0.5, 1.0]), MODELS, arm="ordinal")
    with pytest.raises(rt.InputError, match="made with labels"):
        four.judge(three)


def grades(size, seed, shares):
    """Return grades 6 to 9 and scores of them."""
    rng = np.random.default_rng(seed)
    grade = rng.choice(4, size, p=shares) + 6
    return grade, grade + rng.normal(0, 0.6, size)


def graded(grade, score):
    return rt.compare(grade, {"m": score}, arm="ordinal", labels=[6, 7, 8, 9], costs=[1, 2, 3, 8])


@pytest.mark.parametrize(
    ("nines", "told"), [(0, "are no cases"), (1, "is 1 case"), (9, "are 9 cases")]
)
def test_a_rare_grade_is_taken_together_with_its_neighbour(nines, told, tmp_path):
    decision = graded(*grades(2000, 0, [0.3, 0.3, 0.3, 0.1])).decide(costs=[1, 2, 3, 8])
    grade, score = grades(300, 1, [0.3, 0.35, 0.35, 0.0])
    grade[:nines], score[:nines] = 9, 9.2
    new = graded(grade, score)
    found = new.check(decision)
    assert f"grades 8 and 9 were taken together: there {told} of 9." in found.sentence
    assert {each.what for each in found.findings} == {"value", "knob"}
    assert found.value == new.judge(decision).value  # every case counts
    apart = np.diff(found.diagnosis.new_knob)[1], np.diff(decision.knob)[1]
    assert apart[0] == pytest.approx(apart[1])  # it cannot be tuned, and moves along
    assert found.holds
    moved = graded(grade, score + 1.0).check(decision)
    assert moved.advice == "retune"
    assert np.array(moved.diagnosis.new_knob) == pytest.approx(
        np.array(found.diagnosis.new_knob) + 1.0
    )
    assert new.check(decision, state=tmp_path / "state.json").watch.looks == 1


def test_grades_in_between_and_many_rare_ones():
    decision = graded(*grades(2000, 0, [0.25] * 4)).decide(costs=[1, 2, 3, 8])
    grade, score = grades(300, 1, [0.5, 0.01, 0.01, 0.48])
    found = graded(grade, score).check(decision)
    assert "grades 6, 7 and 8 were taken together" in found.sentence or (
        "grades 7, 8 and 9 were taken together" in found.sentence
    )
    alone = graded(*grades(300, 2, [1.0, 0.0, 0.0, 0.0])).check(decision)
    assert "cannot tell whether the thresholds are out of date" in alone.sentence
    assert [each.what for each in alone.findings] == ["value"]


def test_two_classes_of_which_one_is_rare():
    rng = np.random.default_rng(0)

    def draw(size):
        risk = rng.beta(1, 9, size)
        return rt.compare(
            np.where(rng.random(size) < risk, "ill", "well"),
            {"m": risk},
            arm="probability",
            pos_label="ill",
        )

    decision = draw(2000).decide(false_positive_cost=1, false_negative_cost=8, models_only=True)
    new = draw(60)
    assert np.sum(new.problem.y_true) < 10
    found = new.check(decision)
    assert found.value == new.judge(decision).value
    assert [each.what for each in found.findings] == ["value"]
    few = int(np.sum(new.problem.y_true))
    assert f"at least 10 cases of each class, but there are {few} cases of class ill." in (
        found.sentence
    )


def test_rows_of_a_pool_are_tuned_as_by_hand():
    """Between groups thresholds are those of two classes, whose costs are means of their grades."""
    rng = np.random.default_rng(3)
    y = np.r_[np.zeros(50), np.ones(50), 2, 2].astype(int)
    score = y + rng.normal(0, 0.5, len(y))
    problem = rt.compare(y, {"m": score}, arm="ordinal", costs=[1.0, 2.0, 6.0]).problem
    pooled, _ = problem.pooled(10, np.array([0.5, 1.7])) or (None, "")
    cuts = np.r_[-9.0, (np.sort(score)[1:] + np.sort(score)[:-1]) / 2, 9.0]
    found = pooled.tune(score, np.array([6.0]), np.zeros(1)).chosen
    assert found[1] - found[0] == pytest.approx(1.7 - 0.5)
    means = (6.0 * 2 * 2 + 2.0 * 50) / 52, 6.0 * 2 / 52  # a low grade, and the usual one
    by_hand = [
        np.sum((y == 0) & (score >= c)) + np.sum(np.where(score < c, *means)[y > 0]) for c in cuts
    ]
    best = cuts[int(np.argmin(by_hand))]
    assert np.sum((score >= found[0]) != (score >= best)) == 0

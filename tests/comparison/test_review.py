"""Faults that an independent review found, pinned."""

import json
from statistics import NormalDist

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from sklearn.model_selection import ShuffleSplit

import roctopus as rt
from roctopus.impact import LinearUtility, value_minus_cutoff, value_times_price
from roctopus.inference.folds import folds

RNG = np.random.default_rng(0)
N = 80
Y = RNG.normal(size=N)
MODELS = {name: Y + RNG.normal(size=N) for name in "abc"}


def fresh(arm="regression", **options):
    return rt.compare(Y, MODELS, arm=arm, **options)


def test_no_answer_of_another_context_is_given():
    once = fresh()
    laws = [rt.Empirical([0.1]), rt.Empirical([0.9]), rt.PointMass(0.2), rt.PointMass(0.7)]
    for law in laws:
        assert once.decide(distribution=law) == fresh().decide(distribution=law)
    for alpha in (0.1234567, 0.1234569):
        assert once.decide(asymmetry=alpha).in_sample == fresh().decide(asymmetry=alpha).in_sample
    cuts = fresh("cutoff")
    for law in (NormalDist(0, 0.1), NormalDist(2, 0.1)):
        assert cuts.decide(distribution=law) == fresh("cutoff").decide(distribution=law)
    assert once.decide(under_cost=4, over_cost=1).value == pytest.approx(
        2.5 * once.decide(asymmetry=0.8).value
    )


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_weights_and_clusters_are_matched_by_id_too(kind):
    columns = {"id": np.arange(N), **MODELS, "w": RNG.random(N) + 0.5, "g": np.arange(N) // 4}
    truth = kind({"id": columns["id"], "y": Y})
    order = RNG.permutation(N)
    found = [
        rt.compare(
            truth,
            kind({name: each[rows] for name, each in columns.items()}),
            id="id",
            sample_weight="w",
            clusters="g",
            arm="regression",
        ).decide(asymmetry=0.3)
        for rows in (np.arange(N), order)
    ]
    assert found[0].in_sample == pytest.approx(found[1].in_sample, rel=1e-12)
    assert found[0].value == pytest.approx(found[1].value, rel=1e-12)
    with pytest.raises(rt.InputError, match="'w' lacks 1 of the rows"):
        rt.compare(
            truth,
            kind({name: each[1:] for name, each in columns.items()}),
            id="id",
            sample_weight="w",
            arm="regression",
            missing="common",
        )


def test_regions_claim_only_what_was_tested():
    rng = np.random.default_rng(0)
    y = rng.normal(size=500)
    equal = {name: y + rng.normal(size=500) for name in "abc"}
    found = rt.compare(y, equal, arm="cutoff").regions()
    assert len(found) > 40
    assert not any(region.sure for region in found)
    y = rng.normal(size=30_000)
    tail = rng.exponential(size=(2, 30_000)) ** 2
    crossing = rt.compare(y, {"a": y + tail[0], "b": y - tail[1]}, arm="regression")
    for region in crossing.regions(between=(0.0, 0.97)):  # the curves cross at 0.5 in truth
        if region.sure_to is not None:
            assert (region.sure_to < 0.5) if region.model == "b" else (region.sure_from > 0.5)
        assert set(region.may_be_best) == {"a", "b"} or not region.low < 0.5 < region.high


def test_regions_of_unbounded_contexts():
    utility = LinearUtility(np.r_[np.ones(4), -np.ones(4)], np.zeros(8))
    y = np.arange(1.0, 9)
    found = rt.compare(y, {"a": -y, "b": y}, arm="impact", utility=utility).regions()
    assert [(r.low, r.high, r.model) for r in found] == [(-np.inf, 0, "b"), (0, np.inf, "a")]
    one = rt.compare([1.0, 1, 1], {"a": [1.0, 1, 1], "b": [1.0, 1, 1]}, arm="cutoff")
    assert one.regions()[0].model == "a"
    with pytest.raises(rt.InputError, match="'between'"):
        fresh("cutoff").regions(between=(0, np.inf))


def test_prevalence_with_missing_predictions():
    rng = np.random.default_rng(0)
    y = (rng.random(200) < 0.5).astype(int)
    p = {m: np.clip(0.5 + 0.3 * (y - 0.5) + 0.2 * rng.normal(size=200), 0, 1) for m in "ab"}
    holes = {m: each.copy() for m, each in p.items()}
    lost = np.flatnonzero(y)[:60]
    holes["a"][lost] = np.nan
    kept = np.setdiff1d(np.arange(200), lost)
    with pytest.warns(rt.RoctopusWarning, match="missing"):
        found = rt.compare(y, holes, arm="probability", prevalence=0.1, missing="common")
    plain = rt.compare(
        y[kept], {m: each[kept] for m, each in p.items()}, arm="probability", prevalence=0.1
    )
    mine, its = (c.decide(cost_proportion=0.2) for c in (found, plain))
    assert mine.in_sample == pytest.approx(its.in_sample)
    assert mine.in_sample == pytest.approx(found.envelope.at(0.2))


@pytest.mark.filterwarnings("ignore:About .* cases carry the variance")  # errors that cost 20
def test_where_it_stays_best_under_the_costs_given():
    costs = {"false_positive_cost": 20.0, "false_negative_cost": 1.0}
    here = fresh("cutoff").decide(cutoff=0.5, **costs)
    there = fresh("cutoff", **costs).decide(cutoff=0.5)
    assert here.stays_best == there.stays_best
    assert here.settings == there.settings == costs
    grade = np.digitize(Y, [-0.5, 0.5])
    for given in ([20, 1, 3], [1, 20, 3]):
        decision = rt.compare(grade, MODELS, arm="ordinal").decide(costs=given)
        assert decision.stays_best is not None
        assert decision.stays_best[0] <= 3 <= decision.stays_best[1]


@pytest.mark.filterwarnings("ignore:About .* cases carry the variance")
def test_capacity_holds_without_tuning_too():
    value = np.abs(Y) + 0.1
    models = {m: np.abs(p) + 0.05 for m, p in MODELS.items()}
    found = rt.compare(value, models, arm="impact", utility=value_times_price, at_most=8)
    decision = found.decide(theta=3.0)
    best_eight = np.sort(3.0 * value - 1.0)[-8:].sum() / N
    assert decision.untuned_value <= best_eight
    table = found.table(theta=3.0, measures=["impact"], backend="pandas")
    assert table["impact"].to_numpy() == pytest.approx(table["gain_in_sample"].to_numpy())
    exact = rt.compare(
        value, models, arm="impact", utility=value_times_price, at_least=10, at_most=10
    )
    assert exact.decide(theta=3.0).model in "abc"  # a tenth of a fold is no whole number


def test_measures_know_what_compare_was_told():
    shop = np.arange(N) // 8
    plain, clustered = fresh(), fresh(clusters=shop)
    tables = [
        c.table(asymmetry=0.7, measures=["optimal_shift_error"], backend="pandas")
        for c in (plain, clustered)
    ]
    low = rt.estimate(
        rt.optimal_shift_error, Y, MODELS[tables[1]["model"][0]], asymmetry=0.7, clusters=shop
    ).confidence_interval()[0]
    assert tables[1]["optimal_shift_error_low"][0] == pytest.approx(low)
    assert tables[0]["optimal_shift_error_low"][0] != pytest.approx(low)
    costly = fresh("cutoff", false_positive_cost=9.0)
    table = costly.table(cutoff=0.1, measures=["cutoff_error"], backend="pandas")
    assert table["cutoff_error"].to_numpy() == pytest.approx(table["loss_in_sample"].to_numpy())


def test_hybrids_are_for_the_distribution_and_pay():
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    models = {"up": y + rng.exponential(size=600), "down": y - rng.exponential(size=600)}
    found = rt.compare(y, models, arm="regression")
    alone = found.decide(distribution=rt.Uniform(0.85, 0.95), hybrid=True)
    assert alone.regions == ()
    both = found.decide(distribution=rt.Uniform(0.05, 0.95), hybrid=True)
    single = found.decide(distribution=rt.Uniform(0.05, 0.95))
    assert len(both.regions) >= 2
    assert both.value < single.value
    assert "hybrid" in str(both)
    assert rt.Decision.from_json(both.to_json()) == both
    for low, high, model, knob in both.regions:
        assert low < high
        assert model in models
        assert len(knob) == 1


@pytest.mark.filterwarnings("ignore:The splits judge")
def test_splits_that_overlap():
    weight = RNG.random(N) + 0.1
    some = ShuffleSplit(5, test_size=0.25, random_state=0)
    single = rt.compare(
        Y, {"a": MODELS["a"]}, arm="cutoff", sample_weight=weight, splitter=some
    ).decide(cutoff=0.2)
    sums, counts = np.zeros(N), np.zeros(N)
    losses = ((MODELS["a"] >= 0.2) != (Y >= 0.2)).astype(float)
    for _, test in some.split(Y):
        sums[test] += losses[test]
        counts[test] += 1
    judged = counts > 0
    expected = np.average((sums / np.maximum(counts, 1))[judged], weights=weight[judged])
    assert single.value == pytest.approx(expected)
    with pytest.warns(rt.RoctopusWarning, match="more often than others"):
        fresh(splitter=some).decide(asymmetry=0.4)


def test_the_low_end_of_a_range_of_cutoffs_counts():
    y = [50, 50, 50, 60, 60, 70, 40, 45, 62, 68]
    p = [45, 44, 43, 61, 62, 71, 41, 42, 63, 69]
    found = rt.compare(y, {"a": p}, arm="cutoff")
    assert found.decide(between=(50, 65)).in_sample == found.decide(cutoff=50).in_sample == 0.3


def test_a_case_of_huge_worth_hides_nothing():
    score = np.arange(20.0, 0.0, -1.0)
    worth = np.r_[np.full(5, 0.5), np.full(5, -0.1), np.full(9, 0.05), -1e14]
    found = rt.compare(
        worth, {"a": score}, arm="impact", utility=LinearUtility(np.zeros(20), worth)
    )
    decision = found.decide(theta=0.0)
    assert decision.in_sample == pytest.approx(np.cumsum(worth).max() / 20)


def test_untuned_values_are_honest():
    """Thirty equal models: the best of them as they are flatters, unless chosen elsewhere."""
    rng = np.random.default_rng(0)
    values = []
    for _ in range(20):
        y = rng.normal(size=200)
        models = {f"m{k}": y + rng.normal(size=200) for k in range(30)}
        found = rt.compare(y, models, arm="regression").value_of_knowing(rt.Uniform(0.2, 0.8))
        values.append(found.untuned_honest.value)
    assert np.mean(values) == pytest.approx(np.sqrt(2 / np.pi), abs=0.03)


@pytest.mark.parametrize("arm", ["probability", "impact"])
def test_equal_models_are_seldom_called_clear(arm):
    """Two equal models: at 95 %, about one in ten samples is called clear."""
    rng = np.random.default_rng(0)
    clear = 0
    for _ in range(150):
        y = rng.normal(size=100)
        models = {m: y + rng.normal(size=100) for m in "ab"}
        if arm == "probability":
            y, models = (y > 0) * 1, {m: 1 / (1 + np.exp(-p)) for m, p in models.items()}
            decision = rt.compare(y, models, arm=arm).decide(cost_proportion=0.2)
        else:
            decision = rt.compare(y, models, arm=arm, utility=value_minus_cutoff).decide(theta=0.2)
        clear += decision.answer == "clear"
    assert clear / 150 <= 0.14


def test_names_of_columns_and_models():
    numbered = pd.DataFrame({0: MODELS["a"], 1: MODELS["b"]})
    assert rt.compare(Y, numbered, arm="regression").models == ("0", "1")
    with pytest.raises(rt.InputError, match="names read the same"):
        rt.compare(Y, pd.DataFrame({1: Y, "1": Y}), arm="regression")
    with pytest.raises(rt.InputError, match="several columns of the same name"):
        rt.compare(Y, pd.DataFrame(np.c_[Y, Y], columns=["a", "a"]), arm="regression")
    strange = {"y_true": MODELS["a"], "": MODELS["b"], "nan": MODELS["c"]}
    decision = rt.compare(Y, strange, arm="regression").decide(asymmetry=0.5)
    assert rt.Decision.from_json(decision.to_json()) == decision
    assert rt.compare(Y, MODELS, arm="regression", models="a").models == ("a",)
    lazy = pl.LazyFrame(MODELS)
    assert isinstance(rt.compare(Y, lazy, arm="regression").table(asymmetry=0.5), pl.DataFrame)


@pytest.mark.filterwarnings("ignore:All cases agree")
def test_few_cases():
    three = rt.compare([1.0, 2.0, 3.0], {"a": [1.0, 2.5, 3.5]}, arm="regression")
    assert three.decide(asymmetry=0.5).model == "a"
    with pytest.raises(rt.InputError, match="at least two cases"):
        rt.compare([1.0], {"a": [1.0]}, arm="regression")
    rare = np.r_[1, np.zeros(N - 1)]
    chances = {m: 1 / (1 + np.exp(-p)) for m, p in MODELS.items()}
    with pytest.raises(rt.InputError, match="In the training part of a fold"):
        rt.compare(rare, chances, arm="probability").decide(cost_proportion=0.5)


def test_a_law_without_a_mean():
    found = fresh("cutoff").value_of_knowing(stats.cauchy())
    assert found.following <= found.frozen


def test_questions_at_the_ends():
    found = fresh().value_of_knowing(rt.Empirical([0.0, 1.0]))
    assert found.question is None or " ?" not in found.question.text


def test_settings_are_checked():
    decided = fresh("cutoff", false_positive_cost=9.0).decide(cutoff=0.1)
    y = Y + 0.01
    with pytest.raises(rt.InputError, match=r"made with false_positive_cost 9\.0, but here it is"):
        rt.compare(y, MODELS, arm="cutoff").judge(decided)
    law = rt.Uniform(-1, 1)
    spread = fresh("cutoff").decide(distribution=law)
    other = rt.compare(y, MODELS, arm="cutoff")
    with pytest.raises(rt.InputError, match="needs 'distribution'"):
        other.judge(spread)
    assert other.judge(spread, distribution=law).value == pytest.approx(
        other.curves()[spread.model].expect(law)
    )
    grade = np.digitize(Y, [-0.5, 0.5])
    three = rt.compare(grade, MODELS, arm="ordinal").decide(cost=2.0)
    four = rt.compare(np.digitize(y, [-0.5, 0.5, 1.0]), MODELS, arm="ordinal")
    with pytest.raises(rt.InputError, match="made with labels"):
        four.judge(three)


def test_the_hash_knows_no_order_of_models_but_weights():
    turned = {name: MODELS[name] for name in "cab"}
    assert rt.compare(Y, turned, arm="regression").fingerprint == fresh().fingerprint
    assert fresh(sample_weight=np.arange(1.0, N + 1)).fingerprint != fresh().fingerprint


def test_strange_files(tmp_path):
    text = fresh().decide(asymmetry=0.4).to_json()
    marked = tmp_path / "marked.json"
    marked.write_text(text, encoding="utf-8-sig")
    assert rt.Decision.from_json(marked).to_json() == text
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    twice = text.replace('"arm"', '"arm": "cutoff", "arm"', 1)
    assert json.loads(twice)["arm"] == "regression"
    for wrong, sentence in (
        (binary, "cannot be read"),
        (twice, "a name stands twice"),
        ("{" * 100_000, "is not a decision"),
        (None, "read from a file or text"),
        ("x" * 100_000, "cannot be read"),
    ):
        with pytest.raises(rt.InputError, match=sentence) as caught:
            rt.Decision.from_json(wrong)
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: fresh("cutoff").decide(cutoff=0.3, false_positive_cost="x"),
            "false_positive_cost",
        ),
        (lambda: rt.compare(Y, MODELS, arm=["regression"]), "'arm' must be one of"),
        (
            lambda: rt.compare(np.arange(N) % 3, MODELS, arm="ordinal", costs="abc"),
            "'costs' must hold numbers",
        ),
        (
            lambda: rt.compare(np.arange(N) % 3, MODELS, arm="ordinal", costs_between=3),
            "'costs_between' must hold two numbers",
        ),
        (lambda: fresh().table(criterion="worst"), "Say what the decision is for"),
    ],
)
def test_more_refusals(call, sentence):
    with pytest.raises(rt.InputError, match=sentence):
        call()


def test_margins_are_paired():
    """What two models share does not widen the margin between them, however folds fall."""
    rng = np.random.default_rng(0)
    y = 100 * rng.normal(size=300)
    shared = y + 50 * rng.normal(size=300)
    models = {m: shared + 0.1 * rng.normal(size=300) for m in "ab"}
    decision = rt.compare(y, models, arm="regression").decide(asymmetry=0.7)
    assert decision.margin_high - decision.margin_low < 0.1
    assert decision.high - decision.low > 3.0


@pytest.mark.parametrize("names", [("low", "mid", "top"), (1, 2, 3), (0, 1, 2)])
def test_measures_of_ordered_classes_do_not_hang_on_their_names(names):
    rng = np.random.default_rng(3)
    code = rng.integers(0, 3, 60)
    grade = [names[k] for k in code]
    score = code + rng.normal(size=60)
    found = rt.compare(grade, {"a": score}, arm="ordinal", labels=list(names))
    table = found.table(measures=["volume_under_surface"], backend="pandas")
    assert table["volume_under_surface"].tolist() == [rt.volume_under_surface(code, score)]
    said = found.decide(costs=[5, 1, 2]).in_words
    assert f"on class {names[2]} costs 2; on {names[0]} 5, on {names[1]} 1" in said


def test_folds_do_not_look_at_the_outcomes():
    """A score that says nothing of a fair coin: half the decisions are wrong, whatever is tuned.

    Folds that share out the classes evenly promised 0.43 here.
    """
    values = []
    for seed in range(60):
        coin = np.random.default_rng(seed).integers(0, 2, 24)
        flat = rt.compare(coin, {"flat": np.full(24, 0.5)}, arm="probability")
        values.append(flat.decide(false_positive_cost=1, false_negative_cost=1).value)
    assert np.mean(values) == pytest.approx(0.5, abs=0.04)


def test_every_training_part_holds_every_class():
    code = np.repeat([0, 1, 2], [40, 40, 2])
    for seed in range(20):
        parts = folds(82, 5, None, False, code, seed, code)
        assert all(set(code[train]) == {0, 1, 2} for train, _ in parts)

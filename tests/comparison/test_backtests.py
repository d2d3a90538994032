"""Policies replayed in time: as defined, and without a look into the future."""

import datetime

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roctopus as rt
from roctopus.comparison.row_contexts import RowContexts
from roctopus.core.errors import InputError, RoctopusWarning
from roctopus.impact import LinearUtility, value_minus_cutoff
from roctopus.monitoring import replays, timelines
from roctopus.monitoring.periods import past_rows, read_periods
from roctopus.probability.problem import ProbabilityProblem

ARMS = ("regression", "cutoff", "ordinal", "probability", "impact")
SINGLE = {
    "regression": {"asymmetry": 0.73},
    "cutoff": {"cutoff": 0.21},
    "ordinal": {"cost": 2.7},
    "probability": {"cost_proportion": 0.37},
    "impact": {"theta": 0.21},
}


def draw(arm, n, rng):
    """Draw truths, predictions, contexts and weights of n cases."""
    y = rng.normal(size=n)
    models = {"a": y + rng.normal(size=n) + 0.3, "b": 0.7 * y + 0.8 * rng.normal(size=n)}
    contexts = rng.choice([0.22, 0.41, 0.68, 0.83], n)
    if arm == "ordinal":
        y, contexts = np.digitize(y, [-0.5, 0.5]).astype(float), 1.0 + 4.0 * contexts
    elif arm == "probability":
        y = (y > 0.0).astype(float)
        models = {name: 1.0 / (1.0 + np.exp(-p)) for name, p in models.items()}
    return {"y": y, "models": models, "contexts": contexts, "weight": rng.uniform(0.2, 2.0, n)}


def compared(arm, data, *, own, weighted=True, **options):
    if arm == "impact" and "utility" not in options:
        options["utility"] = value_minus_cutoff
    y = data["y"].astype(int) if arm == "ordinal" else data["y"]
    return rt.compare(
        y,
        data["models"],
        arm=arm,
        sample_weight=data["weight"] if weighted else None,
        context=data["contexts"] if own else None,
        **options,
    )


# By the definitions: every policy, one period after the other, every candidate tried.


def loss(arm, y, p, knob, context):
    if arm == "regression":
        error = p + knob - y
        return 2.0 * np.where(error > 0, (1.0 - context) * error, -context * error)
    if arm == "probability":
        return np.where(p >= knob, (y == 0) * 2.0 * context, (y == 1) * 2.0 * (1.0 - context))
    if arm == "cutoff":
        return 1.0 * ((p + knob >= context) != (y >= context))
    return -np.where(p >= knob, y - context, 0.0)  # impact


def candidates(arm, y, p, context):
    if arm == "regression":
        return sorted(y - p)
    if arm == "cutoff":
        return margins(p, context)
    return [np.inf, *sorted(p, reverse=True)]


def margins(p, context):
    """For one cutoff, thresholds from low to high; for those of the cases, nearest to 0 first."""
    turns = np.unique(p) if np.ndim(context) == 0 else np.unique(context - p)
    between = 0.5 * (turns[1:] + turns[:-1])
    every = np.concatenate([turns[:1] - np.ptp(turns), between, turns[-1:] + np.ptp(turns)])
    return list(context - every) if np.ndim(context) == 0 else [0.0, *sorted(every, key=abs)]


def tried(arm, y, models, context, weight):
    """Return model, knob and loss of the best of all candidates; of equal ones the first."""
    best = None
    for name, p in models.items():
        for knob in candidates(arm, y, p, context):
            value = np.sum(weight * loss(arm, y, p, knob, context))
            if best is None or value < best[2] - 1e-10:
                best = name, knob, value
    return best


def midway(arm, p, knob):
    """Thresholds of probabilities lie midway to the next lower score."""
    below = p[p < knob]
    if arm != "probability" or not len(below) or np.isinf(knob):
        return knob
    return 0.5 * (knob + below.max())


def naive_replay(arm, data, time, own, context, start, window, refit, delay):
    y, models, weight = data["y"], data["models"], data["weight"]
    contexts = data["contexts"] if own else np.full(len(y), context)
    periods = sorted(set(time))

    def rows_of(some):
        return np.flatnonzero(np.isin(time, some))

    def part(rows, names=tuple(models)):
        return y[rows], {m: models[m][rows] for m in names}, contexts[rows], weight[rows]

    def hold(rows):
        model, knob, _ = tried(arm, *part(rows))
        knob = midway(arm, models[model][rows], knob)
        return lambda row: (model, knob)

    def follow(rows, names):
        y_, models_, _, weight_ = part(rows, names)
        known = {c: tried(arm, y_, models_, c, weight_)[:2] for c in set(contexts[rows])}
        # A context that was not met counts as the next larger one that was.
        return lambda row: known[min((c for c in known if c >= contexts[row]), default=max(known))]

    def untuned(rows):
        def as_it_is(name, some):
            knob = contexts[some] if arm in ("probability", "impact") else 0.0
            return loss(arm, y[some], models[name][some], knob, contexts[some])

        name = min(models, key=lambda m: np.sum(weight[rows] * as_it_is(m, rows)))
        return lambda row: as_it_is(name, np.array([row]))[0]

    begun = rows_of(periods[:start])
    frozen = hold(begun)
    plain = untuned(begun)
    policies = {"frozen": lambda now, past, stretch: frozen}
    if own:
        model = frozen(0)[0]
        following = follow(begun, (model,))
        policies["following"] = lambda now, past, stretch: following
        hybrid = follow(begun, tuple(models))
        policies["hybrid"] = lambda now, past, stretch: hybrid
        policies["retuned hybrid"] = lambda now, past, stretch: follow(past, tuple(models))
    policies["retuned"] = lambda now, past, stretch: hold(past)

    def oracle(now, past, stretch):
        model, knob, _ = tried(arm, *part(stretch))
        return lambda row: (model, knob)

    policies["oracle"] = oracle
    found = {name: [] for name in (*policies, "untuned")}
    first = start + delay
    for number in range(first, len(periods)):
        now = first + (number - first) // refit * refit
        last = now - delay
        past = rows_of(periods[0 if window is None else max(0, last - window) : last])
        stretch = rows_of(periods[now : now + refit])
        setting = {name: policy(now, past, stretch) for name, policy in policies.items()}
        for row in rows_of(periods[number : number + 1]):
            found["untuned"].append(plain(row))
            for name, choose in setting.items():
                model, knob = choose(row)
                each = loss(arm, y[row], models[model][row], knob, contexts[row])
                found[name].append(float(each))
    return {name: np.array(each) for name, each in found.items()}


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("arm", ["regression", "probability", "impact", "cutoff"])
@pytest.mark.parametrize(
    ("window", "refit", "delay"), [(None, 1, 0), (5, 2, 0), (None, 3, 2), (7, 1, 1)]
)
def test_replay_is_as_defined(arm, own, window, refit, delay):
    rng = np.random.default_rng(3)
    data = draw(arm, 66, rng)
    time = rng.permutation(np.repeat(np.arange(22), 3)) * 2.0  # out of order, several a period
    given = {} if own else SINGLE[arm]
    found = compared(arm, data, own=own).backtest(
        time=time, start=10, window=window, refit=refit, delay=delay, **given
    )
    context = None if own else next(iter(given.values()))
    naive = naive_replay(arm, data, time, own, context, 10, window, refit, delay)
    assert set(found.outcomes) == set(naive)
    sign = -1.0 if arm == "impact" else 1.0
    assert np.array_equal(time[found.rows], np.sort(time[time >= 2.0 * (10 + delay)]))
    for policy, outcomes in found.outcomes.items():
        if policy == "oracle":  # of equally good settings it may take another
            assert found.totals()[policy] == pytest.approx(
                sign * data["weight"][found.rows] @ naive[policy]
            )
        else:
            np.testing.assert_allclose(outcomes, sign * naive[policy], atol=1e-12, err_msg=policy)


def test_costs_of_rows_are_the_unit():
    rng = np.random.default_rng(0)
    data = draw("regression", 60, rng)
    costs = {"under_cost": rng.uniform(1, 5, 60), "over_cost": rng.uniform(1, 3, 60)}
    comparison = rt.compare(data["y"], data["models"], arm="regression", context=costs)
    found = comparison.backtest(time=np.arange(60), start=20)
    setting = next(each for each in found.settings if each.policy == "frozen")
    ((_, _, model, (shift,)),) = setting.rule
    error = data["models"][model][20:] + shift - data["y"][20:]
    expected = np.where(
        error > 0, costs["over_cost"][20:] * error, -costs["under_cost"][20:] * error
    )
    np.testing.assert_allclose(found.outcomes["frozen"], expected)


# No future: whatever happens after a time, what was chosen and what happened before is the same.

VARIANTS = {
    **{f"{arm}, own contexts": (arm, True, {}, {}) for arm in ARMS},
    **{f"{arm}, one context": (arm, False, SINGLE[arm], {}) for arm in ARMS},
    "costs": ("regression", False, {"under_cost": 3.0, "over_cost": 1.0}, {}),
    "prevalence, own contexts": ("probability", True, {}, {"prevalence": 0.2}),
    "prevalence": ("probability", False, SINGLE["probability"], {"prevalence": 0.2}),
    "slope": ("probability", False, {"slope": 0.7}, {}),
    "capacity": ("impact", True, {}, {"at_most": 30.0}),
    "scores that promise nothing": ("impact", True, {}, {"promise": False}),
}
PLANS = {
    "all the past": {},
    "window, refit and delay": {"window": 9, "refit": 3, "delay": 2},
    "short window": {"window": 14, "refit": 2, "start": 8},
}


def differences(variant, plan, times=(9, 14, 23)):
    """Change everything after some times; return what changed that must not have."""
    arm, own, context, options = VARIANTS[variant]
    options = dict(options)
    promise = options.pop("promise", True)
    weighted = "at_most" not in options  # which counts cases of all times
    rng = np.random.default_rng(5)
    size, time = 120, np.repeat(np.arange(30), 4)
    order = rng.permutation(size)
    data = draw(arm, size, rng)

    def replay(data):
        extra = dict(options)
        shuffled = {k: v[order] for k, v in data.items() if k != "models"}
        shuffled["models"] = {name: p[order] for name, p in data["models"].items()}
        if not promise:
            extra["utility"] = LinearUtility(-1.0, shuffled["y"])
        made = compared(arm, shuffled, own=own, weighted=weighted, **extra)
        return made.backtest(time=time[order], **plan, **context)

    before = replay(data)
    delay = plan.get("delay", 0)
    changed = []
    for t in times:
        after = time > t
        other = draw(arm, size, rng)
        mixed = {k: np.where(after, other[k], data[k]) for k in ("y", "contexts", "weight")}
        mixed["contexts"] = np.where(after, np.roll(other["contexts"], 1) * 0.9, data["contexts"])
        mixed["models"] = {
            m: np.where(after, other["models"][m], p) for m, p in data["models"].items()
        }
        now = replay(mixed)
        used = [
            [
                (each.policy, each.period, each.cases, each.rule)
                for each in replayed.settings
                if each.policy != "oracle" and each.period <= t + 1 + delay
            ]
            for replayed in (before, now)
        ]
        changed += [("choice", t, a) for a, b in zip(*used, strict=True) if a != b]
        for policy in set(before.policies) - {"oracle"}:
            old, new = (
                [
                    each.outcomes[policy][i]
                    for i in np.argsort(each.rows)
                    if time[order][each.rows[i]] <= t
                ]
                for each in (before, now)
            )
            if not np.array_equal(old, new):
                changed.append(("outcomes", t, policy))
    return changed


@pytest.mark.newest
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_future_changes_nothing(variant, plan):
    assert differences(variant, PLANS[plan]) == []


@pytest.mark.newest
@pytest.mark.parametrize("variant", [name for name in VARIANTS if "context" in name])
def test_a_planted_look_at_the_judged_period_is_found(variant, monkeypatch):
    def leaky(edges, period, delay, window):
        rows = past_rows(edges, period, delay, window)
        return np.arange(rows[0], edges[period - delay + 1])

    monkeypatch.setattr(replays, "past_rows", leaky)
    found = differences(variant, {}, times=(9, 11, 14, 17, 20, 24, 28))
    assert {what for what, _, _ in found} >= {"choice"}


@pytest.mark.newest
@pytest.mark.parametrize("arm", ["regression", "ordinal", "impact"])
def test_planted_contexts_of_all_times_are_found(arm, monkeypatch):
    def leaky(contexts, rows):
        return RowContexts(
            contexts.values[rows] - contexts.values[rows].mean() + contexts.mean(None)
        )

    monkeypatch.setattr(timelines, "part_contexts", leaky)
    assert differences(f"{arm}, own contexts", {})


def test_a_planted_share_of_all_times_is_found(monkeypatch):
    monkeypatch.setattr(ProbabilityProblem, "settled", lambda self: self)
    assert differences("prevalence", {})


# Theorems.


@st.composite
def timed(draw_from):
    """Regression cases in time, with ties of times and weights."""
    n = draw_from(st.integers(12, 30))
    seed = draw_from(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    data = draw("regression", n, rng)
    time = rng.integers(0, draw_from(st.integers(4, 40)), n)
    time[:4] = np.arange(4)
    return data, time, rng


@pytest.mark.newest
@pytest.mark.filterwarnings("ignore:.*gap.*:roctopus.core.errors.RoctopusWarning")
@given(timed(), st.booleans(), st.integers(1, 4))
def test_oracle_is_at_least_as_good_as_what_is_held(case, own, refit):
    data, time, _ = case
    refit = min(refit, len(np.unique(time)))
    given_ = {} if own else SINGLE["regression"]
    found = compared("regression", data, own=own).backtest(
        time=time, start=1, refit=refit, **given_
    )
    totals = found.totals()
    for policy in ("frozen", "retuned", "untuned"):
        assert totals["oracle"] <= totals[policy] + 1e-9


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("own", [True, False])
def test_oracle_in_every_arm(arm, own):
    data = draw(arm, 150, np.random.default_rng(7))
    options = {"prevalence": 0.3} if arm == "probability" else {}
    found = compared(arm, data, own=own, **options).backtest(
        time=np.arange(150) // 5, refit=2, **({} if own else SINGLE[arm])
    )
    sign = -1.0 if arm == "impact" else 1.0
    for policy in ("frozen", "retuned"):
        assert sign * found.totals()["oracle"] <= sign * found.totals()[policy] + 1e-9
    assert nw.from_native(found.table())["regret"].to_list()[-1] == 0.0


@pytest.mark.filterwarnings("ignore:.*gap.*:roctopus.core.errors.RoctopusWarning")
@given(timed(), st.booleans())
def test_retuned_once_is_frozen(case, own):
    data, time, _ = case
    found = compared("regression", data, own=own).backtest(
        time=time, start=2, refit=len(np.unique(time)), **({} if own else SINGLE["regression"])
    )
    assert np.array_equal(found.outcomes["retuned"], found.outcomes["frozen"])
    assert found.saving("retuned", "frozen").value == 0.0
    assert "changes nothing" in found.sentence


@pytest.mark.newest
@pytest.mark.filterwarnings("ignore:.*gap.*:roctopus.core.errors.RoctopusWarning")
@given(timed())
def test_constant_contexts_have_nothing_to_follow(case):
    data, time, _ = case
    data["contexts"] = np.full(len(time), 0.73)
    own = compared("regression", data, own=True).backtest(time=time, start=2)
    one = compared("regression", data, own=False).backtest(time=time, start=2, asymmetry=0.73)
    for policy in ("frozen", "following"):
        assert np.array_equal(own.outcomes[policy], one.outcomes["frozen"])
    assert np.array_equal(own.outcomes["retuned hybrid"], one.outcomes["retuned"])


@pytest.mark.newest
@pytest.mark.filterwarnings("ignore:.*gap.*:roctopus.core.errors.RoctopusWarning")
@given(timed(), st.booleans())
def test_rows_may_come_in_any_order(case, own):
    data, time, rng = case
    order = rng.permutation(len(time))
    other = {k: v[order] for k, v in data.items() if k != "models"}
    other["models"] = {name: p[order] for name, p in data["models"].items()}
    given_ = {"start": 2, **({} if own else SINGLE["regression"])}
    a = compared("regression", data, own=own).backtest(time=time, **given_)
    b = compared("regression", other, own=own).backtest(time=time[order], **given_)
    assert set(a.rows) == set(order[b.rows])
    for policy in a.policies:
        np.testing.assert_allclose(
            a.outcomes[policy][np.argsort(a.rows)], b.outcomes[policy][np.argsort(order[b.rows])]
        )


# What it is for.


def test_drift_is_worth_retuning():
    rng = np.random.default_rng(0)
    n = 300
    y = rng.normal(size=n)
    models = {"a": y + rng.normal(size=n) + np.linspace(0, 6, n)}
    found = rt.compare(y, models, arm="regression").backtest(
        time=np.arange(n) // 3, window=10, under_cost=3, over_cost=1
    )
    gain = found.saving("retuned", "frozen")
    assert gain.confidence_interval()[0] > 0.5
    assert "Re-tuning every period saves" in found.sentence
    assert "not shown" not in found.sentence.partition("Re-tuning")[2]
    knobs = [each.rule[0][3][0] for each in found.settings if each.policy == "retuned"]
    assert knobs[-1] < knobs[0] - 2


def test_contexts_that_vary_are_worth_following():
    rng = np.random.default_rng(0)
    n = 600
    y = rng.normal(size=n)
    models = {"a": y + rng.normal(size=n), "b": y + 2 * rng.normal(size=n)}
    contexts = rng.uniform(0.05, 0.95, n)
    found = rt.compare(y, models, arm="regression", context=contexts).backtest(
        time=np.arange(n), period=10
    )
    assert found.interval("following", "frozen")[0] > 0
    assert "Following the asymmetry saves" in found.sentence
    assert str(found).startswith(found.sentence)
    assert "10 periods" not in found.sentence
    told = found.sentence
    assert "Choosing the model by the asymmetry, too, " in told


def test_gains_are_told_as_gains():
    data = draw("impact", 200, np.random.default_rng(2))
    found = compared("impact", data, own=False).backtest(time=np.arange(200), period=5, theta=0.2)
    assert "earn" in found.sentence
    assert "save" not in str(found)
    assert found.saving("oracle").value > 0


def test_worse_is_told():
    rng = np.random.default_rng(0)
    n = 200
    y = rng.normal(size=n)
    bias = np.where(np.arange(n) < 60, 3.0, 0.0)  # what was learned at the start is wrong later
    found = rt.compare(y, {"a": y + bias + 0.1 * rng.normal(size=n)}, arm="regression").backtest(
        time=np.arange(n), start=50, asymmetry=0.5
    )
    assert found.sentence.startswith("Tuning once costs ")
    assert " % more than without tuning (" in found.sentence


def test_saving_is_a_ratio_of_sums_over_periods():
    rng = np.random.default_rng(4)
    data = draw("regression", 200, rng)
    time = np.sort(rng.integers(0, 50, 200))
    time[:50] = np.arange(50)
    found = compared("regression", data, own=False).backtest(time=time, asymmetry=0.8)
    weight = data["weight"][found.rows]
    gap = found.outcomes["untuned"] - found.outcomes["frozen"]
    each = found.saving("frozen")
    assert each.value == pytest.approx(np.average(gap, weights=weight))
    sums = pd.DataFrame({"d": weight * gap, "w": weight, "p": found.period}).groupby("p").sum()
    expected = (sums.d - each.value * sums.w) / sums.w.mean()
    np.testing.assert_allclose(each.influence, expected)
    np.testing.assert_array_equal(each.dependence.times, np.arange(len(expected)))
    table = nw.from_native(found.table("pandas"))
    row = table.filter(nw.col("policy") == "frozen").row(0)
    named = dict(zip(table.columns, row, strict=True))
    low, high = each.confidence_interval()
    assert named["total"] == pytest.approx(weight @ found.outcomes["frozen"])
    assert named["saving"] == pytest.approx(weight @ gap)
    assert named["saving_low"] == pytest.approx(low * weight.sum())
    assert named["saving_high"] == pytest.approx(high * weight.sum())
    assert named["saving_percent"] == pytest.approx(
        100 * (weight @ gap) / (weight @ found.outcomes["untuned"])
    )


def test_frames():
    rng = np.random.default_rng(4)
    data = draw("regression", 120, rng)
    frame = pl.DataFrame(
        {
            **data["models"],
            "y": data["y"],
            "alpha": data["contexts"],
            "day": np.datetime64("2026-01-01") + np.arange(120),
        }
    )
    found = rt.compare("y", frame, arm="regression", models=["a", "b"], context="alpha").backtest(
        time="day", period="week", refit=2
    )
    for each in (found.table(), found.frame(), found.choices()):
        assert isinstance(each, pl.DataFrame)
    assert isinstance(found.table("pandas"), pd.DataFrame)
    assert found.table()["policy"].to_list() == list(found.policies)
    by_period = found.frame()
    last = by_period.filter(pl.col("policy") == "following")["cumulative_saving"][-1]
    assert last == pytest.approx(found.table().filter(pl.col("policy") == "following")["saving"][0])
    assert by_period["period"].dtype.is_temporal()
    choices = found.choices()
    assert set(choices["policy"]) == set(found.policies)
    assert choices.filter(pl.col("policy") == "untuned")["knob"][0] == "untuned"
    retuned = choices.filter(pl.col("policy") == "retuned")
    assert retuned["cases"].is_sorted()
    assert len(retuned) == -(-len(found.judged) // 2)
    with pytest.raises(InputError, match="This backtest has no policy 'best'"):
        found.saving("best")


# Times of all kinds.

DAYS = [datetime.date(2026, 1, 30) + datetime.timedelta(days=k) for k in range(6)]
KINDS = {
    "dates": DAYS,
    "datetimes": [datetime.datetime(d.year, d.month, d.day, 5) for d in DAYS],
    "numpy": np.array(DAYS, dtype="datetime64[D]"),
    "numpy in a list": list(np.array(DAYS, dtype="datetime64[ns]")),
    "text": [str(day) for day in DAYS],
    "text with times": [f"{day}T12:30:00" for day in DAYS],
    "numpy text": np.array([str(day) for day in DAYS]),
    "zones": [f"{day} 23:30:00-05:00" for day in DAYS],
    "pandas": pd.Series(pd.to_datetime(DAYS)),
    "pandas zone": pd.Series(pd.to_datetime(DAYS)).dt.tz_localize("America/New_York"),
    "pandas index": pd.to_datetime(DAYS),
    "pandas objects": pd.Series(DAYS, dtype=object),
    "polars": pl.Series(DAYS),
    "polars datetimes": pl.Series(DAYS).cast(pl.Datetime("ms")),
    "polars text": pl.Series([str(day) for day in DAYS]),
    "pyarrow": pa.chunked_array([DAYS]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_dates_of_every_kind(kind):
    found = read_periods(KINDS[kind], None, 6)
    assert found.number.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.dated
    if kind != "zones":
        assert found.label(0).startswith("2026-01-30")
    months = read_periods(KINDS[kind], None, 6, "month")
    assert months.number.tolist() == [0, 0, 1, 1, 1, 1]
    assert [months.label(k) for k in range(2)] == ["2026-01", "2026-02"]


@pytest.mark.parametrize(
    "time",
    [
        [3, 1, 2, 1],
        [3.5, 1.0, 2.0, 1.0],
        np.array([3, 1, 2, 1], dtype=np.uint8),
        pl.Series([3, 1, 2, 1]),
        pd.Series([3, 1, 2, 1], dtype="Int64"),
        pa.array([3, 1, 2, 1]),
        np.array([3, 1, 2, 1]) + 2**60,
    ],
)
def test_numbers_of_every_kind(time):
    assert read_periods(time, None, 4).number.tolist() == [2, 0, 1, 0]


def test_bins():
    days = np.arange("2026-01-01", "2027-01-01", dtype="datetime64[D]")
    weeks = read_periods(days, None, 365, "week")
    assert weeks.label(1) == "2026-01-05"  # a Monday
    assert np.bincount(weeks.number)[:3].tolist() == [4, 7, 7]
    quarters = read_periods(days, None, 365, "quarter")
    assert [quarters.label(k) for k in range(4)] == ["2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4"]
    assert read_periods(days, None, 365, "year").label(0) == "2026"
    early = read_periods(["1969-12-28", "1969-12-29", "1970-01-01"], None, 3, "week")
    assert early.number.tolist() == [0, 1, 1]
    numbers = read_periods([0.1, 0.2, 0.3, 0.29999, -0.01, 0.0], None, 6, 0.1)
    assert numbers.number.tolist() == [2, 3, 4, 3, 0, 1]
    assert numbers.label(0) == "-0.1"
    assert read_periods(["2025", "2026"], None, 2).label(1) == "2026-01-01"
    assert read_periods(["2025-03", "2025-04"], None, 2, "month").label(1) == "2025-04"


def test_gaps_are_told():
    days = np.array(["2020-01-01", "2020-02-01", "2020-05-01", "2020-06-01"], dtype="datetime64[D]")
    with pytest.warns(RoctopusWarning, match=r"2 of the 6 periods .* from 2020-02 to 2020-05\."):
        found = read_periods(days, None, 4, "month")
    assert found.number.tolist() == [0, 1, 4, 5]
    with pytest.warns(RoctopusWarning, match=r"'time' has a gap from 4 to 20\."):
        read_periods([1, 2, 3, 4, 20, 21], None, 6)


def test_empty_periods_count():
    rng = np.random.default_rng(0)
    data = draw("regression", 20, rng)
    time = np.array([*range(10), *range(20, 30)])
    comparison = compared("regression", data, own=False)
    with pytest.warns(RoctopusWarning, match="10 of the 30 periods"):
        found = comparison.backtest(time=time, period=1, start=5, window=12, asymmetry=0.8)
    retuned = {e.period: e.cases for e in found.settings if e.policy == "retuned"}
    assert set(retuned) == {5, 6, 7, 8, 9, *range(20, 30)}
    assert retuned[20] == 2  # of the twelve periods before, two have cases
    with (
        pytest.warns(RoctopusWarning, match="10 of the 30"),
        pytest.raises(
            InputError, match=r"no cases to learn from before period 20\. Use a longer 'window'"
        ),
    ):
        comparison.backtest(time=time, period=1, start=5, window=8, asymmetry=0.8)


def test_default_start():
    data = draw("regression", 30, np.random.default_rng(0))
    comparison = compared("regression", data, own=False)
    assert comparison.backtest(time=np.arange(30), asymmetry=0.8).start_cases == 10
    assert comparison.backtest(time=np.arange(30) // 3, asymmetry=0.8).start_cases == 12
    assert comparison.backtest(time=np.arange(30) // 10, asymmetry=0.8).start_cases == 10


NAT = [*DAYS[:2], None, *DAYS[3:]]
BAD_TIMES = [
    (NAT, "'time' is missing in row 2"),
    ([1.0, np.nan, *range(4)], "'time' is missing in row 1 "),
    (np.array([1.0, np.nan, 2, 3, 4, 5]), "missing values"),
    (pl.Series(NAT), "'time' is missing in row 2"),
    (np.array(NAT, dtype="datetime64[D]"), "'time' is missing in row 2"),
    (pd.Series(pd.to_datetime(pd.Series(NAT))), "'time' is missing in row 2"),
    ([1, 2, 3, "4", 5, 6], r"contains text in row 3.*but numbers in the other rows"),
    ([*DAYS[:5], 7], r"contains numbers in row 5.*but dates in the other rows"),
    ([*range(5), [1]], "contains list objects in row 5"),
    ([True] * 6, "contains bool objects in rows 0, 1"),
    (np.array([1, 2, 3, 4, 5, 6], dtype="timedelta64[D]"), "cannot be sorted"),
    (["31/01/2026"] * 6, "text that is not a date, such as '31/01/2026', in rows 0"),
    (["2026-13"] * 6, "text that is not a date"),
    (["2026-01-31", "2026-01-31 12:00+01:00"] * 3, "there is no time zone in rows 0, 2"),
    ([1, 2, 3], "'time' has 3 values, but the comparison has 6 cases"),
    (np.ones((6, 1)), "must be one-dimensional, but has the shape"),
    (7, "one time per case"),
    ("day", "the comparison was not made from a dataframe"),
]


@pytest.mark.parametrize(("time", "match"), BAD_TIMES)
def test_times_that_make_no_sense(time, match):
    with pytest.raises(InputError, match=match):
        read_periods(time, None, 6)


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"time": "no"}, "'no', which is not the name of a column"),
        ({"period": "month"}, "'time' contains numbers, so 'period' must be a positive number"),
        ({"period": -1}, "'period' must be positive"),
        ({"period": 1e-9}, "divides 'time' into 19,000,000,001 periods"),
        (
            {"time": [str(day) for day in DAYS * 3] + ["2026-01-30"] * 2, "period": 7},
            "'day', 'week'",
        ),
        ({"window": 0}, "'window' must be a whole number of at least 1"),
        ({"window": 2.5}, "'window' must be a whole number"),
        ({"window": 21}, r"'window' must not exceed the number of periods \(20\), but is 21"),
        ({"refit": 0}, "'refit' must be a whole number of at least 1"),
        ({"refit": 30}, r"'refit' must not exceed the number of periods \(20\), but is 30"),
        ({"start": 0}, "'start' must be a whole number of at least 1"),
        ({"start": 19}, r"two periods with cases after the 'start' \(19\), but only 1 of the 20"),
        ({"delay": -1}, "'delay' must be a whole number of at least 0"),
        ({"delay": 15}, r"and the 'delay' \(15\), but none of the 20"),
        ({"asymmetry": 1.2}, "'asymmetry' must be between 0 and 1"),
        ({"between": (0.2, 0.4)}, "'between' cannot be used in a backtest"),
        ({"distribution": rt.Uniform(0, 1)}, "'distribution' cannot be used in a backtest"),
        ({"cutoff": 1.0}, "'cutoff' is not an argument here"),
    ],
)
def test_what_makes_no_sense(given, match):
    rng = np.random.default_rng(0)
    y = rng.normal(size=20)
    frame = pl.DataFrame({"a": y + rng.normal(size=20), "y": y, "day": np.arange(20)})
    comparison = rt.compare("y", frame, arm="regression", models=["a"])
    context = {} if set(given) & {"between", "distribution", "cutoff"} else {"asymmetry": 0.8}
    with pytest.raises(InputError, match=match):
        comparison.backtest(**{"time": "day", **context, **given})


def test_a_context_is_needed():
    data = draw("regression", 20, np.random.default_rng(0))
    with pytest.raises(InputError, match=r"Use 'asymmetry' here\. For a separate asymmetry"):
        compared("regression", data, own=False).backtest(time=np.arange(20))


def test_a_past_of_one_class_is_refused_by_name():
    rng = np.random.default_rng(0)
    y = np.array([0.0] * 15 + [1.0, 0.0] * 15)
    comparison = rt.compare(y, {"a": rng.uniform(size=45)}, arm="probability")
    with pytest.raises(
        InputError, match=r"The 15 cases before period 15 .* one class .* longer 'start'"
    ):
        comparison.backtest(time=np.arange(45), cost_proportion=0.4)
    y = np.array([1.0, 0.0] * 10 + [0.0] * 15 + [1.0] * 10)
    comparison = rt.compare(y, {"a": rng.uniform(size=45)}, arm="probability")
    with pytest.raises(InputError, match=r"The 5 cases before period 24 .* longer 'window'"):
        comparison.backtest(time=np.arange(45), window=5, cost_proportion=0.4)


def test_picture():
    data = draw("regression", 120, np.random.default_rng(0))
    day = np.datetime64("2026-01-01") + np.arange(120)
    found = compared("regression", data, own=True).backtest(time=day, period="week")
    display = found.plot(title="A test")
    assert [ax.get_ylabel() for ax in display.axes_] == ["saved so far", "shift", "asymmetry"]
    labels = display.ax_.get_legend_handles_labels()[1]
    assert labels[:4] == ["untuned", "frozen", "following", "hybrid"]
    assert labels[-1].startswith("oracle")
    line = dict(zip(labels, display.ax_.get_lines(), strict=True))["frozen"]
    saved = nw.from_native(display.frame()).filter(nw.col("policy") == "frozen")
    np.testing.assert_allclose(line.get_ydata(), saved["cumulative_saving"].to_numpy())


@pytest.mark.parametrize("arm", ["cutoff", "ordinal", "probability", "impact"])
def test_picture_of_other_arms(arm):
    data = draw(arm, 120, np.random.default_rng(0))
    found = compared(arm, data, own=False).backtest(time=np.arange(120) // 4, **SINGLE[arm])
    panels = 1 if arm == "ordinal" else 2
    assert len(found.plot().axes_) == panels

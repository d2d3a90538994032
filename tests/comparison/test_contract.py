"""Decisions equal brute force on small problems, in every arm."""

import itertools

import numpy as np
import pytest

import roctopus as rt
from roctopus.impact import value_minus_cutoff

# Nine cases are few: intervals without width, and the like, are not what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")


MEETING = np.round(np.arange(-40, 41) / 10, 1)
"""Margins at which raised predictions meet truths: single settings, better than those around."""


class Small:
    """One arm on a few cases, with every setting a model could have, judged naively."""

    def __init__(self, arm, seed):
        rng = np.random.default_rng(seed)
        self.arm, self.sign = arm, -1.0 if arm == "impact" else 1.0
        n = 9
        if arm in ("regression", "cutoff", "impact"):
            self.y = np.round(rng.normal(size=n), 1)
            self.p = {m: np.round(self.y + rng.normal(size=n), 1) for m in "abc"}
        elif arm == "probability":
            self.y = np.array([0, 1, 0, 1, 1, 0, 0, 1, 0])
            self.p = {m: np.round(rng.random(n), 1) for m in "abc"}
        else:
            self.y = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2])
            self.p = {m: np.round(self.y + rng.normal(size=n), 1) for m in "abc"}
        self.options = {"utility": value_minus_cutoff} if arm == "impact" else {}
        self.context = {
            "regression": "asymmetry",
            "cutoff": "cutoff",
            "ordinal": "cost",
            "probability": "cost_proportion",
            "impact": "theta",
        }[arm]
        self.range = {"cutoff": (-0.93, 0.97), "ordinal": (0.5, 4.0), "impact": (-0.5, 0.6)}.get(
            arm, (0.3, 0.8)
        )
        self.grid = np.linspace(*self.range, 2001 if arm == "cutoff" else 401)
        self.comparison = rt.compare(self.y, self.p, arm=arm, cv=3, **self.options)
        self.table = {m: (k := self.knobs(m), self.values(m, k)) for m in "abc"}
        if arm == "ordinal":  # for a range: vectors that are best at some cost
            self.table = {m: self.efficient(*pair) for m, pair in self.table.items()}

    def knobs(self, model):
        p = self.p[model]
        scores = np.unique(p)
        if self.arm == "regression":
            corrections = np.unique(self.y - p)
            return [(s,) for s in np.unique(np.append(corrections, np.linspace(-4, 4, 2001)))]
        if self.arm == "cutoff":
            return [(m,) for m in np.append(np.arange(-4.0, 4.0, 0.005) + 0.0013, MEETING)]
        if self.arm == "ordinal":
            cuts = np.concatenate([[-9], 0.5 * (scores[:-1] + scores[1:]), [9]])
            return [(a, b) for a, b in itertools.product(cuts, cuts) if a <= b]
        return [(t,) for t in (*scores, np.inf)]

    def outcome(self, y, p, knob, x):
        if self.arm == "regression":
            error = p + knob[0] - y
            return 2 * (1 - x) * error if error > 0 else -2 * x * error
        if self.arm == "cutoff":
            return float((p + knob[0] >= x) != (y >= x))
        if self.arm == "ordinal":
            grade = sum(p >= t for t in knob)
            return abs(grade - y) * (x if y == 2 else 1.0)
        if self.arm == "probability":
            accepted = p >= knob[0]
            return 2 * x * (accepted and y == 0) + 2 * (1 - x) * (not accepted and y == 1)
        return (y - x) * (p >= knob[0])

    def values(self, model, knobs):
        """Mean outcomes, a row per knob and a column per context of the grid."""
        p = self.p[model]
        if self.arm == "cutoff":
            raised, x = p + np.array(knobs), self.grid[:, None]
            return np.array([np.mean((each >= x) != (self.y >= x), axis=1) for each in raised])
        ends = [
            [np.mean([self.outcome(*c, k, x) for c in zip(self.y, p, strict=True)]) for x in xs]
            for xs in ([self.grid[0], self.grid[-1]],)
            for k in knobs
        ]
        share = (self.grid - self.grid[0]) / (self.grid[-1] - self.grid[0])
        ends = np.array(ends)
        return ends[:, :1] * (1 - share) + ends[:, 1:] * share

    def generic(self, values):
        """The best of all settings but single ones."""
        return (values[: -len(MEETING)] if self.arm == "cutoff" else values).min()

    def efficient(self, knobs, values):
        low, high = 0.0, 10.0  # the range of costs of the comparison
        first, last = self.grid[[0, -1]]
        slope = (values[:, -1] - values[:, 0]) / (last - first)
        at = np.linspace(low, high, 4001)
        lines = values[:, :1] + slope[:, None] * (at - first)
        best = np.unique(np.argmin(lines, axis=0))
        return [knobs[k] for k in best], values[best]


ARMS = ("regression", "cutoff", "ordinal", "probability", "impact")


@pytest.fixture(scope="module", params=[(arm, seed) for arm in ARMS for seed in range(4)], ids=str)
def small(request):
    return Small(*request.param)


def value_of(small, model, knob, contexts):
    return np.array(
        [
            np.mean([small.outcome(*c, knob, x) for c in zip(small.y, small.p[model], strict=True)])
            for x in contexts
        ]
    )


def answered(small, **given):
    """The decision for a model, and the rows of all models."""
    found = small.comparison.answer(**given, models_only=True)
    rows = [row for row in found.rows if not row.baseline]
    assert sorted(row.name for row in rows) == ["a", "b", "c"]
    assert (rows[0].name, rows[0].knob) == (found.decision.model, found.decision.knob)
    assert rows[0].in_sample == found.decision.in_sample
    return found.decision, rows


def test_a_number(small):
    for x in (small.grid[37], small.grid[280]):
        decision, rows = answered(small, **{small.context: float(x)})
        at = int(np.searchsorted(small.grid, x))
        for row in rows:
            best = (small.sign * small.table[row.name][1][:, at]).min()
            assert small.sign * row.in_sample == pytest.approx(best, abs=1e-12)
            reached = value_of(small, row.name, row.knob, [x])[0]
            assert reached == pytest.approx(row.in_sample, abs=1e-12)
        # The whole optimal interval is as good.
        for end in (decision.knob_low, decision.knob_high):
            if small.arm == "regression" and np.isfinite(end).all():
                shifted = value_of(small, decision.model, end, [x])[0]
                assert shifted == pytest.approx(decision.in_sample, abs=1e-12)


def test_the_worst_case(small):
    _, rows = answered(small, between=small.range)
    step = 0.02 if small.arm == "regression" else 1e-12  # a grid of shifts is not all shifts
    for row in rows:
        each = (small.sign * small.table[row.name][1]).max(axis=1)
        worst = each.min()
        assert small.sign * row.in_sample <= small.generic(each) + 1e-12
        reached = small.sign * value_of(small, row.name, row.knob, small.grid)
        assert reached.max() <= small.sign * row.in_sample + 1e-12
        assert small.sign * row.in_sample >= worst - step


def test_the_least_regret(small):
    _, rows = answered(small, between=small.range, criterion="regret")
    best = np.min([(small.sign * v).min(axis=0) for _, v in small.table.values()], axis=0)
    if small.arm == "ordinal":  # what could be had at a cost: of all vectors
        every = [small.values(m, small.knobs(m)).min(axis=0) for m in small.p]
        best = np.min(every, axis=0)
    step = 0.02 if small.arm == "regression" else 1e-12
    for row in rows:
        each = (small.sign * small.table[row.name][1] - best).max(axis=1)
        regret = each.min()
        reached = (small.sign * value_of(small, row.name, row.knob, small.grid) - best).max()
        # Of cutoffs, a few lie between those of the grid.
        exact = small.arm != "cutoff" and row.in_sample == pytest.approx(reached, abs=1e-9)
        assert exact or (small.arm == "cutoff" and reached <= row.in_sample + 1e-12)
        assert row.in_sample <= small.generic(each) + 1e-12
        assert row.in_sample >= regret - step


def test_the_value_of_knowing(small):
    distribution = rt.Uniform(*small.range)
    found = small.comparison.value_of_knowing(distribution)
    middle = 0.5 * (small.grid[1:] + small.grid[:-1])

    def at_middles(values):
        return 0.5 * (values[:, 1:] + values[:, :-1]) if small.arm != "cutoff" else values

    if small.arm == "cutoff":
        fine = np.linspace(*small.range, 4001)
        small_grid, small.grid = small.grid, 0.5 * (fine[1:] + fine[:-1])
        tables = {m: small.values(m, small.knobs(m)) for m in small.p}
        small.grid = small_grid
    else:
        tables = {m: at_middles(v) for m, (_, v) in small.table.items()}
        if small.arm == "ordinal":
            tables = {m: at_middles(small.values(m, small.knobs(m))) for m in small.p}
    frozen = min((small.sign * v).mean(axis=1).min() for v in tables.values())
    envelope = np.min([(small.sign * v).min(axis=0) for v in tables.values()], axis=0)
    assert small.sign * found.in_sample.frozen == pytest.approx(frozen, abs=2e-3)
    assert small.sign * found.in_sample.following == pytest.approx(envelope.mean(), abs=2e-3)
    assert small.sign * found.in_sample.following <= small.sign * found.in_sample.frozen + 1e-12
    # Where the best model changes.
    owner = np.argmin([(small.sign * v).min(axis=0) for v in tables.values()], axis=0)
    axis = middle if small.arm != "cutoff" else 0.5 * (fine[1:] + fine[:-1])
    for point in found.breaks:
        near = np.abs(axis - point.context) < 3 * (axis[1] - axis[0])
        gaps = [(small.sign * tables[m]).min(axis=0)[near] for m in (point.below, point.above)]
        assert np.abs(gaps[0] - gaps[1]).min() < 0.02 or small.arm == "cutoff"
    assert len(found.breaks) >= len(set(owner.tolist())) - 1
    if found.question is not None:
        assert small.sign * found.in_sample.following <= small.sign * found.question.value + 1e-12
        assert small.sign * found.question.value < small.sign * found.in_sample.frozen
        split = axis < found.question.context
        two = sum(
            min((small.sign * v[:, side]).sum(axis=1).min() for v in tables.values())
            for side in (split, ~split)
        )
        assert small.sign * found.question.value == pytest.approx(two / len(axis), abs=5e-3)


def test_table_and_decision_agree(small):
    x = float(small.grid[100])
    decision, _ = answered(small, **{small.context: x})
    table = small.comparison.table(**{small.context: x}, backend="pandas")
    what = "gain" if small.arm == "impact" else "cost"
    first = table.iloc[0]
    assert first["model"] == decision.model
    told = [first[name] for name in (what, "low", "high", "in_sample")]
    assert told == [decision.value, decision.low, decision.high, decision.in_sample]
    assert first["chance"] == decision.chances[decision.model]
    models, others = table[~table["baseline"]], table[table["baseline"]]
    for part in (models, others):  # both are ranked by what is printed
        assert (np.diff(small.sign * part[what].to_numpy()) >= -1e-12).all()
    assert others["model"].tolist() == list(decision.beside)
    for name, each in decision.beside.items():
        row = others[others["model"] == name].iloc[0]
        assert (row[what], row["low"], row["high"]) == (each.value, each.low, each.high)
    curves = small.comparison.curves()
    for model, value in zip(models["model"], models["in_sample"], strict=True):
        assert value == pytest.approx(curves[model].at(x), abs=1e-12)
    if decision.stays_best is not None:
        low, high = decision.stays_best
        assert low <= x <= high

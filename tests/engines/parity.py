"""The same data in memory and in sources, and what must be equal."""

import copy
from inspect import signature

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

import roctopus as rt
from roctopus.engines.sorting import whole_groups
from roctopus.impact import value_minus_cutoff, value_times_price
from roctopus.inference.policies import learn

MODELS = ["a", "b"]
ARMS = {
    "regression": ("y", {}, {"asymmetry": 0.8}),
    "cutoff": ("y", {"false_negative_cost": 3.0}, {"cutoff": 0.55}),
    "ordinal": ("grade", {}, {"cost": 3.0}),
    "probability": ("label", {}, {"cost_proportion": 0.3}),
    "impact": ("y", {"utility": value_times_price}, {"theta": 1.2}),
}
EXACT = {
    "regression": ("asymmetry_cost_area", rt.asymmetry_cost_area),
    "cutoff": ("output_cutoff_area", rt.output_cutoff_area),
    "ordinal": ("volume_under_surface", rt.volume_under_surface),
    "probability": ("roc_auc", rt.roc_auc),
}
"""What sorted rows are needed for."""


def make(kind, size=6000, seed=0):
    """Return columns of one kind of difficult data; predictions are probabilities for two arms."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(2.0, 0.3, size)
    noise = rng.standard_cauchy if kind == "tails" else rng.normal
    a, b = y + 0.2 * noise(size=size), 0.9 * y + 0.25 * noise(size=size)
    if kind == "ties":
        y, a, b = (np.round(each, 1) for each in (y, a, b))
    columns = {
        "y": y,
        "grade": np.digitize(y, [0.2, 0.5, 0.9]).astype(float),
        "label": (y + 0.2 * rng.normal(size=size) > 0.55).astype(float),
        "a": a,
        "b": b,
    }
    if kind == "weights":
        columns["w"] = np.round(rng.lognormal(0.0, 1.0, size), 2) * (rng.random(size) > 0.1)
    return columns


def for_arm(columns, arm, kind):
    """Return columns as an arm takes them: probabilities, or numbers far from zero."""
    found = dict(columns)
    if arm == "probability":
        found |= {name: 1.0 / (1.0 + np.exp(-np.clip(columns[name], -40, 40))) for name in MODELS}
    elif kind == "offset" and arm in ("regression", "cutoff"):
        found |= {name: columns[name] + 1e12 for name in ("y", *MODELS)}
    elif kind == "offset" and arm == "ordinal":
        found |= {name: columns[name] - 1e12 for name in MODELS}
    return found


def question(arm, kind):
    """Return truth, options and context of an arm."""
    truth, options, context = ARMS[arm]
    if arm == "cutoff" and kind == "offset":
        context = {"cutoff": 1e12 + 0.55}
    return truth, dict(options), dict(context)


def in_memory(columns, arm, kind):
    truth, options, _ = question(arm, kind)
    return rt.compare(
        columns[truth],
        {name: columns[name] for name in MODELS},
        arm=arm,
        sample_weight=columns.get("w"),
        **options,
    )


def beyond(source, columns, arm, kind, mode, **how):
    truth, options, _ = question(arm, kind)
    weight = "w" if "w" in columns else None
    return rt.compare(
        truth, source, models=MODELS, arm=arm, sample_weight=weight, mode=mode,
        progress=False, **options, **how,
    )  # fmt: skip


def check_exact(source, columns, arm, kind, sorted_for=MODELS, **how):
    """Compare decisions and areas, digit by digit."""
    memory = in_memory(columns, arm, kind)
    large = beyond(source, columns, arm, kind, "exact", **how)
    context = question(arm, kind)[2]
    problem, aim = memory.aim(None, None, None, context)
    expected = learn(problem, memory.predictions, aim)
    found = large.learned(*large.aim(None, None, None, context))[0]
    assert (large.cases, large.fingerprint) == (memory.cases, memory.fingerprint)
    plain = large.untuned(*large.aim(None, None, None, context))
    for model in MODELS:
        prediction, x = memory.predictions[model], float(aim.contexts[0])
        told = [
            problem.outcomes(prediction, found.knobs[model].chosen, x),
            problem.outcomes(prediction, expected.knobs[model].chosen, x),
            problem.untuned(prediction, x, x),
        ]
        mine, best, untuned = (np.average(each, weights=problem.weight) for each in told)
        slack = 1e-12 * _size(problem, x)
        np.testing.assert_allclose(mine, best, rtol=1e-11, atol=slack)
        np.testing.assert_allclose(found.scores[model], best, rtol=1e-11, atol=slack)
        np.testing.assert_allclose(plain[model], untuned, rtol=1e-11, atol=slack)
    if arm in EXACT:
        name, metric = EXACT[arm]
        truth, options, _ = question(arm, kind)
        for model in sorted_for:
            expected = metric(
                columns[truth], columns[model], sample_weight=columns.get("w"), **options
            )
            found = large.measures(model)[name]
            np.testing.assert_allclose(found.value, expected, rtol=1e-11)
            assert found.lower == found.value == found.upper
    return large.decide(**context)


def _size(problem, x):
    """Return how large the sums are that may cancel: gains and losses of offers."""
    if problem.arm != "impact":
        return 0.0
    return float(np.mean(np.abs(problem.utility.slope * x) + np.abs(problem.utility.intercept)))


def check_grid(source, columns, arm, kind, **how):
    """Check that bounds hold the exact curve, and that its settings give what it says."""
    memory = in_memory(columns, arm, kind)
    large = beyond(source, columns, arm, kind, "grid", **how)
    check_bounds(memory, large, columns, arm, kind)
    return large


def check_bounds(memory, large, columns, arm, kind, seed=0):
    rng = np.random.default_rng(seed)
    exact, found = memory.curves(), large.curves()
    for model in MODELS:
        function, curve = exact[model].function, found[model]
        contexts = _contexts(function, curve, rng)
        value = function.at(contexts)
        low, high = curve.lower.at(contexts), curve.upper.at(contexts)
        assert np.all(low <= value), (arm, model, float(np.max(low - value)))
        assert np.all(value <= high), (arm, model, float(np.max(value - high)))
        assert np.all((low <= curve.at(contexts)) & (curve.at(contexts) <= high))
        if arm == "cutoff":  # which side truths are on is known at the borders themselves
            borders = np.unique(large.grids.scan.grids[model].joint.borders)
            contexts = borders[:: max(len(borders) // 25, 1)]
        _check_borders(memory, model, curve, contexts[-25:])
    truth, options, _ = question(arm, kind)
    for model in MODELS:
        for name, bounds in large.measures(model).items():
            metric = getattr(rt, name, None)
            if metric is None:
                continue
            given = dict(options) if "cost" in str(options) else {}
            if arm == "regression" and "normalize" in signature(metric).parameters:
                given["normalize"] = True  # as tables have it
            expected = metric(
                columns[truth], columns[model], sample_weight=columns.get("w"), **given
            )
            slack = 1e-11 * abs(expected)
            assert bounds.lower - slack <= expected <= bounds.upper + slack, (name, bounds)


def _contexts(function, curve, rng):
    """Return contexts at, beside and between knots of both curves."""
    knots = np.concatenate([function.knots, curve.function.knots])
    knots = knots[np.isfinite(knots)]
    some = rng.choice(knots, min(400, len(knots)), replace=False)
    low, high = function.domain
    inner = rng.uniform(
        low if np.isfinite(low) else knots.min(), high if np.isfinite(high) else knots.max(), 200
    )
    found = np.concatenate([some, np.nextafter(some, np.inf), np.nextafter(some, -np.inf), inner])
    return np.clip(found, low, high)


def _check_borders(memory, model, curve, contexts):
    """Check that the curve's settings, at borders of buckets, give exactly what it says."""
    problem, prediction = memory.problem, memory.predictions[model]
    for x in contexts.tolist():
        knob = np.empty(0) if curve.knob is None else np.atleast_1d(curve.knob_at(x))
        told = np.average(problem.outcomes(prediction, knob, x), weights=problem.weight)
        scale = 1e-11 * abs(told) + 1e-13 * float(np.max(np.abs(curve.upper.start)))
        scale += 1e-12 * _size(problem, x)
        assert abs(told - curve.at(x)) <= scale, (model, x, knob, told, curve.at(x))


def dataset(columns):
    """Return columns as a pyarrow dataset."""
    return ds.dataset(pa.table(columns))


def memory(truth, columns, models, arm, weight=None, **options):
    """Compare columns in memory."""
    return rt.compare(
        columns[truth],
        {name: columns[name] for name in models},
        arm=arm,
        sample_weight=None if weight is None else columns[weight],
        **options,
    )


def large(truth, source, models, arm, mode, weight=None, **options):
    """Compare the rows of a source beyond memory."""
    return rt.compare(
        truth, source, models=models, arm=arm, mode=mode, sample_weight=weight, **options
    )


class Batches:
    """Columns in memory, given out in batches: a source as small as it can be."""

    name = "the batches"

    def __init__(self, columns, size):
        self.columns, self.size = columns, size

    def names(self):
        return list(self.columns)

    def rows(self):
        return len(next(iter(self.columns.values())))

    def pilot(self, columns, rows):
        return {name: self.columns[name][:rows] for name in columns}

    def _batches(self, columns):
        for begin in range(0, max(self.rows(), 1), self.size):
            yield {name: self.columns[name][begin : begin + self.size] for name in columns}

    def reduce(self, columns, start, told):
        state = copy.deepcopy(start)
        for batch in self._batches(columns):
            part = copy.deepcopy(start)
            part.update(batch)
            state.merge(part)
        return state

    def ordered(self, columns, start, told):
        records = [start.records(batch) for batch in self._batches(columns)]
        together = {name: np.concatenate([each[name] for each in records]) for name in records[0]}
        order = np.argsort(together["key"], kind="stable")
        sorted_records = {name: each[order] for name, each in together.items()}
        chunks = whole_groups(
            {name: each[begin : begin + self.size] for name, each in sorted_records.items()}
            for begin in range(0, len(order), self.size)
        )
        state = copy.deepcopy(start)
        for chunk in chunks:  # every chunk on its own, then joined: the associative form
            part = start.lifted()
            part.advance(chunk)
            state.merge(part)
        return state


class Shifted(Batches):
    """The same, with a first sample of rows that tells nothing about the others."""

    def pilot(self, columns, rows):
        return {name: self.columns[name][:3] for name in columns}


__all__ = [
    "ARMS",
    "Batches",
    "Shifted",
    "beyond",
    "check_bounds",
    "check_exact",
    "check_grid",
    "for_arm",
    "in_memory",
    "make",
    "question",
    "value_minus_cutoff",
]

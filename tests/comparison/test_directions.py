"""Predictions that rank cases in the wrong order are told in every arm, and only where sure."""

import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import roctopus as rt
from roctopus.impact import net_benefit_utility

rng = np.random.default_rng(5)
SIZE = 200
VALUE = rng.gamma(3.0, 2.0, SIZE)
LABEL = (VALUE > 5.0).astype(float)
NOISE = 0.8 * rng.normal(size=SIZE)
PROB = 1.0 / (1.0 + np.exp(5.0 - VALUE - NOISE))
GRADE = np.digitize(VALUE, [3.0, 5.0, 8.0])
ARMS = {
    "regression": (VALUE, VALUE + NOISE, {}, {"asymmetry": 0.7}),
    "cutoff": (VALUE, VALUE + NOISE, {}, {"cutoff": 5.0}),
    "ordinal": (GRADE, VALUE + NOISE, {}, {"cost": 2.0}),
    "probability": (LABEL, PROB, {}, {"cost_proportion": 0.3}),
    "impact": (VALUE, VALUE + NOISE, {"utility": rt.value_minus_cutoff}, {"theta": 5.0}),
    "impact of labels": (LABEL, PROB, {"utility": net_benefit_utility}, {"theta": 0.5}),
}


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_tells_the_model(name):
    y, good, options, context = ARMS[name]
    arm = name.split()[0]
    bad = 1.0 - good if good.max() <= 1.0 else good.max() - good
    with pytest.warns(rt.RoctopusWarning, match="'bad' ranks .* the wrong order") as told:
        found = rt.compare(y, {"good": good, "bad": bad}, arm=arm, **options)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not any("wrong order" in each for each in found.decide(**context).warnings)
    with pytest.warns(rt.RoctopusWarning, match="wrong order") as told:
        alone = rt.compare(y, {"bad": bad}, arm=arm, **options)
    decision = alone.decide(**context)
    assert str(told[0].message) in decision.warnings


def test_words_name_the_classes_and_what_to_do():
    words = np.where(LABEL == 1.0, "ill", "well")
    with pytest.warns(rt.RoctopusWarning) as told:
        rt.compare(words, {"a": 1.0 - PROB}, arm="probability", pos_label="ill")
    sentence = str(told[0].message)
    assert "'ill' gets lower scores than 'well' (AUC 0.0" in sentence
    assert "If these are scores for 'well', negate them; if they are probabilities" in sentence
    with pytest.warns(rt.RoctopusWarning, match="the lower the truth .rank correlation -0.9"):
        rt.compare(VALUE, {"a": -VALUE - NOISE}, arm="regression")


def test_noise_is_not_told():
    """3 standard errors: in 200 samples without any relation, at most a few may look sure."""
    told = 0
    for seed in range(200):
        draw = np.random.default_rng(seed)
        y, p = draw.integers(0, 2, 30).astype(float), draw.uniform(size=30)
        y[:2] = 0.0, 1.0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            rt.compare(y, {"a": p}, arm="probability")
        told += sum("in the wrong order" in str(each.message) for each in caught)
    assert told <= 2


def test_rows_that_belong_together_count_once():
    """Ten clusters of equal rows are ten cases: too few to be sure."""
    group = np.repeat(np.arange(10), 40)
    draw = np.random.default_rng(2)
    y = draw.normal(size=10)
    p = -0.5 * y + draw.normal(size=10)
    with pytest.warns(rt.RoctopusWarning, match="wrong order"):
        rt.compare(y[group], {"a": p[group]}, arm="regression")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rt.compare(y[group], {"a": p[group]}, arm="regression", clusters=group)
        rt.compare(y[:9], {"a": -y[:9]}, arm="regression")


@pytest.mark.parametrize("name", ["regression", "probability", "impact"])
def test_beyond_memory(tmp_path, name):
    y, good, options, context = ARMS[name]
    bad = 1.0 - good if good.max() <= 1.0 else good.max() - good
    path = tmp_path / "cases.parquet"
    pq.write_table(pa.table({"y": y, "good": good, "bad": bad}), path)
    given = {"models": ["bad"], "arm": name, "mode": "grid", **options}
    with pytest.warns(rt.RoctopusWarning, match="Model 'bad' ranks") as told:
        found = rt.compare("y", str(path), **given)
    assert str(told[0].message) in found.decide(**context).warnings

"""Decisions and states whose content was changed and whose checksum is right."""

import json
from random import Random

import pytest
from program import refusal

import roctopus as rt
from fuzz.records import ASKED, check_at_random, made
from roctopus.concepts.records import sealed


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    return lambda name: (made(name, folder)[0], folder)


FORGED = {
    "model": 5,
    "knob": [1.0, 2.0],
    "knob_low": [],
    "knob_name": None,
    "value": True,
    "low": 1e308,
    "candidates": ["nobody"],
    "models": ["a", "a"],
    "cases": 10**18,
    "data": "x",
    "schema_version": True,
    "tolerance": -1.0,
    "stays_best": [2.0, 1.0],
    "within": [1.0],
    "chances": {"a": 2.0},
    "worth": [[1]],
    "raw": {"value": 1.0},
    "beside": {"x": None},
    "words": [],
    "basis": {},
    "origin": "?",
    "warnings": [1],
    "responses": {"a": {}},
    "regions": [[0.0, 1.0, "nobody", []]],
    "setting_low": [9e99],
    "stake": "nan",
    "sense": "both",
    "criterion": None,
    "verdict": "perhaps",
    "settings": {"labels": 3},
    "context": [],
    "share": 2,
    "in_words": None,
}


@pytest.mark.parametrize("name", FORGED)
def test_a_part_that_cannot_be(record, name):
    body, _ = record("regression")
    whole = {key: value for key, value in body.items() if key != "checksum"}
    rt.Decision.from_dict(sealed(whole))
    with pytest.raises(rt.InputError) as caught:
        rt.Decision.from_dict(sealed({**whole, name: FORGED[name]}))
    assert (
        name in str(caught.value) or "version" in str(caught.value) or "model" in str(caught.value)
    )


@pytest.mark.parametrize("carriers", [1e-320, 1e-9, 0.5])
def test_a_variance_that_no_case_carries(record, carriers):
    body, _ = record("regression")
    whole = {key: value for key, value in body.items() if key != "checksum"}
    whole["basis"] = {**whole["basis"], "carriers": carriers}
    with pytest.raises(rt.InputError, match="'carriers' is less than one case"):
        rt.Decision.from_dict(sealed(whole))


@pytest.mark.parametrize("unit", [0, -1.5, 1e300])
def test_costs_that_are_nothing_on_average(record, unit):
    body, _ = record("own costs")
    whole = {key: value for key, value in body.items() if key != "checksum"}
    whole["context"] = {**whole["context"], "mean_unit": unit}
    with pytest.raises(rt.InputError, match=r"'context.mean_unit' is not a positive number"):
        rt.Decision.from_dict(sealed(whole))


@pytest.mark.parametrize("name", ["mean", "cells", "mean_unit"])
def test_contexts_of_cases_that_say_too_little(record, name):
    body, _ = record("own costs")
    whole = {key: value for key, value in body.items() if key != "checksum"}
    whole["context"] = {key: each for key, each in whole["context"].items() if key != name}
    with pytest.raises(rt.InputError, match=f"'context.{name}' is missing"):
        rt.Decision.from_dict(sealed(whole))


@pytest.mark.parametrize("cost", [10**400, -(10**400), [10**400, 1]])
def test_costs_of_more_digits_than_numbers_have(cost):
    found = rt.compare([0.0, 1.0, 2.0, 3.0], {"a": [0.5, 1.0, 2.5, 2.0]}, arm="regression")
    with pytest.raises(rt.InputError, match="'under_cost'"):
        found.decide(under_cost=cost, over_cost=1)


def test_integers_that_are_too_large_for_doubles(record):
    body, _ = record("cutoff")
    for name in ("cases", "context", "in_sample", "chances"):
        whole = {key: value for key, value in body.items() if key != "checksum"}
        inner = whole[name]
        whole[name] = {"x": [10**400]} if isinstance(inner, dict) else -(10**400)
        with pytest.raises(rt.InputError, match="contains a number that is too large"):
            rt.Decision.from_dict(sealed(whole))


def test_settings_that_an_arm_cannot_read(record, tmp_path):
    body, folder = record("ordinal")
    whole = {key: value for key, value in body.items() if key != "checksum"}
    whole["settings"] = {**whole["settings"], "moving": "nothing"}
    (tmp_path / "d.json").write_text(json.dumps(sealed(whole)))
    told = refusal("check", "d.json", folder / "cases.parquet", "-t", "g", cwd=tmp_path)
    assert "The decision's settings cannot be read" in told


@pytest.mark.parametrize("seed", range(6))
def test_many_forged_records(tmp_path, seed):
    shared = tmp_path / "shared"
    shared.mkdir()
    for number in range(8):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert check_at_random(Random(8 * seed + number), folder, shared) is None
    assert len(ASKED) == 8

"""Forged decisions and states, with checksums that are right."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from program import run, write

import roctopus as rt
from fuzz.calls import fault_of
from fuzz.files import fault_in
from roctopus.concepts.records import sealed

VALUES: list[Any] = [None, True, False, 0, -1, 1, 2, 1.5, 1e308, -1e308, 1e-320, 10**400, 2**63]
VALUES += [
    "",
    "x",
    "inf",
    "-inf",
    "nan",
    "1e999",
    [],
    [1],
    ["x"],
    [None],
    [[1, 2], [3]],
    {},
    {"x": 1},
]
VALUES += [[1e308] * 3, ["nan"], [0.5, 0.1], "uniform(0, 1)", "Empirical", "regression", "cutoff"]
SIZE = 80
ASKED: dict[str, tuple[str, ...]] = {
    "regression": ("-t", "y", "-m", "a", "b", "--asymmetry", "0.8"),
    "a range": ("-t", "y", "-m", "a", "b", "--asymmetry", "0.3:0.8"),
    "own costs": ("-t", "y", "-m", "a", "b", "--under-cost", "u", "--over-cost", "o"),
    "cutoff": ("-t", "y", "-m", "a", "b", "--arm", "cutoff", "--cutoff", "30"),
    "cutoffs": ("-t", "y", "-m", "a", "--arm", "cutoff", "--distribution", "uniform(10,50)"),
    "ordinal": ("-t", "g", "-m", "ga", "--costs", "1,2,3"),
    "probability": (
        "-t",
        "p",
        "-m",
        "pa",
        "--false-positive-cost",
        "1",
        "--false-negative-cost",
        "4",
    ),
    "impact": ("-t", "y", "-m", "a", "b", "--theta", "1.5", "--utility", "value-times-price"),
}
MORE = {"own costs": ("--under-cost", "u", "--over-cost", "o")}


@cache
def made(name: str, folder: Path) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the records of a decision and of its state."""
    rng = np.random.default_rng(0)
    y, g, p = rng.gamma(3, 10, SIZE), rng.integers(1, 4, SIZE), rng.integers(0, 2, SIZE)
    found = {"y": y, "a": y + rng.normal(0, 6, SIZE), "b": y + rng.normal(0, 3, SIZE), "g": g}
    found |= {"ga": g + rng.normal(0, 0.7, SIZE), "p": p, "u": rng.random(SIZE) + 1}
    found |= {"pa": np.clip(p * 0.4 + 0.6 * rng.random(SIZE), 0, 1), "o": rng.random(SIZE) + 1}
    write(folder / "cases.parquet", found)
    done = run("compare", "cases.parquet", *ASKED[name], "--decision", "true.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    more = (*ASKED[name][:2], *MORE.get(name, ()))
    for _ in range(2):
        run("check", "true.json", "cases.parquet", *more, "--state", "state.json", cwd=folder)
    decision = json.loads((folder / "true.json").read_text())
    path = folder / "state.json"
    state = json.loads(path.read_text()) if path.exists() else None
    for each in (path, folder / "true.json", folder / ".state.json.lock"):
        each.unlink(missing_ok=True)
    return decision, state


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the places of all values inside."""
    inside = value.items() if isinstance(value, dict) else enumerate(value[:3])
    found = [(*at, name) for name, _ in inside] if isinstance(value, (dict, list)) else []
    if isinstance(value, (dict, list)):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value[:3]):
            if isinstance(each, (dict, list)):
                found += places(each, (*at, name))
    return found


def forged(draw: Random, record: dict[str, Any]) -> dict[str, Any]:
    """Return a record in which a few values are others, sealed again."""
    body = copy.deepcopy(record)
    body.pop("checksum")
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        at = draw.choice(places(body))
        here = body
        for name in at[:-1]:
            here = here[name]
        kind = draw.randrange(6)
        old = here[at[-1]]
        if kind == 0 and isinstance(here, dict):
            del here[at[-1]]
        elif kind == 1 and isinstance(old, (int, float)):
            factors = [-1, 0, 1e-9, 10, 1e200]
            here[at[-1]] = old * draw.choice(factors)
        elif kind == 2 and isinstance(old, list):
            here[at[-1]] = draw.choice([old * 2, old[:-1], old[::-1], [old]])
        else:
            here[at[-1]] = copy.deepcopy(draw.choice(VALUES))  # a run changes nothing of others
    return sealed(body)


def check_at_random(draw: Random, folder: Path, shared: Path) -> str | None:
    """Check with a forged decision or state, and return what is wrong with how that ended."""
    name = draw.choice(list(ASKED))
    decision, state = made(name, shared)
    target = folder / "forged.json"
    more = (*ASKED[name][:2], *MORE.get(name, ()))
    cases = shared / "cases.parquet"
    if state is not None and draw.random() < 0.3:
        (folder / "true.json").write_text(json.dumps(decision))
        target.write_text(json.dumps(forged(draw, state)))
        done = run("check", "true.json", cases, *more, "--state", "forged.json", cwd=folder)
        what = "state"
    else:
        target.write_text(json.dumps(forged(draw, decision)))
        wrong = fault_of(lambda: rt.Decision.from_json(target))
        if wrong is not None:
            return f"decision, {name}: {wrong}"
        done = run("check", "forged.json", cases, *more, cwd=folder)
        what = "decision"
    wrong = fault_in(done, (0, 1, 2, 3, 4))
    return None if wrong is None else f"{what}, {name}: {wrong}"

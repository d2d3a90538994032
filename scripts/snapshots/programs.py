"""The command line: answers in JSON and in words, checks, help, and refusals."""

import io
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pyarrow.csv
from snapshots.cases import ASKED, make_cases
from snapshots.recording import clean, page_payload, plain, record

from roctopus.cli import run

MODELS = ("--models", "a", "b", "c")
QUESTIONS = {
    "regression": (
        "--under-cost 4 --over-cost 1",
        "--asymmetry 0.55:0.9 --criterion regret --weight w",
        "--arm regression --distribution beta(3,2) --clusters who",
        "--under-cost under --over-cost over",
        "--arm regression --context-column u --time day",
        "--under-cost 4 --by shop --missing common",
    ),
    "cutoff": (
        "--cutoff 27",
        "--cutoff 18:41 --weight w",
        "--arm cutoff --distribution output",
        "--cutoff-column over --false-negative-cost 3",
        "--arm cutoff --context-column repair --clusters who",
        "--arm cutoff --distribution beta(2,4)\ton\t20%:60%",
    ),
    "ordinal": (
        "--costs 1,3,5",
        "--costs 1,2,2:8 --weight w",
        "--costs 1,3,5 --labels 0,1,2 --clusters who",
        "--costs 1,2 --context-column under",
        "--arm ordinal --distribution uniform(1,7)",
    ),
    "probability": (
        "--false-positive-cost 1 --false-negative-cost 4",
        "--cost-proportion 0.1:0.45 --prevalence 0.2",
        "--arm probability --distribution beta(2,5) --weight w",
        "--false-positive-cost over --false-negative-cost under",
        "--cost-proportion 0.3 --time day",
    ),
    "impact": (
        "--utility value-minus-cutoff --theta 30 --capacity 50",
        "--value y --cost repair --theta 0.4:1.3",
        "--utility value-times-price --arm impact --distribution lognormal(-3,0.4) --weight w",
        "--value y --cost repair --context-column u",
        "--utility slope=y,intercept=over --theta 0.8 --at-least 20",
    ),
}
REFUSED = {
    "no costs": "compare {arm}.csv --truth y --models a b",
    "no such column": "compare {arm}.csv --truth nobody {ask}",
    "no such weight": "compare {arm}.csv --truth y --weight nobody {ask}",
    "no such model": "compare {arm}.csv --truth y --models nobody {ask}",
    "no such file": "compare nobody.csv --truth y {ask}",
    "no such option": "compare {arm}.csv --truth y --nobody 3 {ask}",
    "no models": "compare {arm}.csv --truth y {ask}",
    "no such arm": "compare {arm}.csv --truth y --models a b --arm nobody",
    "not a number": "compare {arm}.csv --truth y --models a b {wrong}",
    "text as truth": "compare {arm}.csv --truth shop --models a b {ask}",
    "text as weight": "compare {arm}.csv --truth y --models a b --weight shop {ask}",
    "two arms": "compare {arm}.csv --truth y --models a b --asymmetry 0.5 --theta 1",
    "clusters and time": "compare {arm}.csv -t y -m a b --clusters who --time day {ask}",
    "bad distribution": "compare {arm}.csv -t y -m a b --arm {arm} --distribution nobody(1)",
    "bad criterion": "compare {arm}.csv -t y -m a b --criterion nobody {ask}",
    "bad missing": "compare {arm}.csv -t y -m a b --missing nobody {ask}",
    "bad mode": "compare {arm}.csv -t y -m a b --mode nobody {ask}",
    "not a decision": "check {arm}.csv {arm}.csv --truth y",
}


def all_programs() -> dict[str, Any]:
    """Run the command line for every arm, and for itself."""
    found: dict[str, Any] = {arm: _arm(arm) for arm in ASKED}
    found["help"] = {
        command or "roctopus": _help(command)
        for command in ("", "compare", "check", "demo", "schema")
    }
    found["schemas"] = {
        what: _run("schema", what) for what in ("answer", "check", "decision", "nobody")
    }
    return found


def _arm(arm: str) -> dict[str, Any]:
    _write(arm, f"{arm}.csv", seed=1)
    _write(arm, f"{arm}-later.csv", seed=2, drift=0.25)
    data = ("--truth", "y", *MODELS)
    asked = {}
    for line in QUESTIONS[arm]:
        words = [each.replace("\t", " ") for each in line.split(" ")]
        asked[" ".join(words).replace(".", "_")] = _run(
            "compare", f"{arm}.csv", *data, *words, "--json"
        )
    first = QUESTIONS[arm][0].split()
    wrong = " ".join([*first[:-1], "1:x"])
    decide = _run("compare", f"{arm}.csv", *data, *first, "--decision", f"{arm}.json")
    costs = first if arm in ("impact", "cutoff") else []
    kept = [each for each in costs if each not in ("--theta", "30", "--cutoff", "27")]
    check = ("check", f"{arm}.json", f"{arm}-later.csv", *data, *kept)
    file = Path(f"{arm}.json")
    return {
        "asked": asked,
        "in words": decide,
        "decision file": plain(json.loads(file.read_text("utf-8"))) if file.exists() else None,
        "scanned": _run("compare", f"{arm}.csv", *data, *first, "--mode", "grid", "--json"),
        "check": _run(*check, "--json"),
        "check in words": _run(*check),
        "page": record(
            lambda: page_payload(
                lambda path: _run("compare", f"{arm}.csv", *data, *first, "-o", str(path))
            )
        ),
        "refused": {
            name: _run(*line.format(arm=arm, ask=" ".join(first), wrong=wrong).split())
            for name, line in REFUSED.items()
        },
    }


def _write(arm: str, path: str, seed: int, drift: float = 0.0) -> None:
    cases = make_cases(arm, seed, drift)
    table = pa.table({"y": cases.truth, **cases.models, **cases.columns})
    pyarrow.csv.write_csv(table, path)


def _run(*arguments: str) -> dict[str, Any]:
    """Run the program in this process: its exit code, output, and errors."""
    out, told = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    streams = mock.patch.multiple(sys, argv=["roctopus", *arguments], stdout=out, stderr=told)
    code: Any = 0
    with warnings.catch_warnings(), streams:
        warnings.simplefilter("always")
        try:
            run()
        except SystemExit as stopped:
            code = stopped.code
        except Exception as error:  # a program that breaks is a difference, too
            code = f"{type(error).__name__}: {clean(str(error))}"
    texts = []
    for each in (out, told):
        each.flush()
        texts.append(each.buffer.getvalue().decode("utf-8"))
    answer = json.loads(texts[0]) if texts[0].startswith("{") else texts[0].splitlines()
    return {"code": code, "out": plain(answer), "told": clean(texts[1]).splitlines()}


def _help(command: str) -> dict[str, Any]:
    text = " ".join(_run(*[command] if command else [], "--help")["out"])
    words = " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())
    return {"options": sorted(set(re.findall(r"(?<!\S)--[a-z][a-z-]*", words))), "text": words}

"""What the sixty questions leave out: options of arms, kinds of tables, refusals, metrics."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from snapshots.cases import ASKED, make_cases
from snapshots.questions import decided
from snapshots.recording import page_payload, record

import roctopus as rt

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "regression": [{"cv": 3, "rng": 7}],
    "cutoff": [{"false_positive_cost": 1.0, "false_negative_cost": 3.0}],
    "ordinal": [
        {"loss": "zero-one"},
        {"loss": [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [9.0, 2.0, 0.0]]},
        {"costs": [2.0, 1.0, 1.0], "moving": 0, "costs_between": (1.0, 6.0)},
    ],
    "probability": [{"prevalence": 0.2}],
    "impact": [
        {"utility": rt.value_times_price},
        {"utility": rt.value_minus_cutoff, "at_most": 60},
        {"utility": rt.value_minus_cutoff, "at_least": 30, "at_most": 90},
    ],
}
WORDS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "another arm": {"asymmetry": 0.5, "theta": 1.0},
    "unknown": {"nobody": 1.0},
    "criterion alone": {"criterion": "worst"},
    "two ways": {"between": (0.2, 0.4), "distribution": rt.Uniform(0, 1)},
    "range turned": {"between": (0.4, 0.2)},
    "range far away": {"between": (-1e9, 1e9)},
    "range of text": {"between": "ab"},
    "bad criterion": {"between": (0.2, 0.4), "criterion": "nobody"},
    "bad distribution": {"distribution": "nobody"},
    "distribution of outputs": {"distribution": rt.Output()},
}


def all_others() -> dict[str, Any]:
    """Ask all of it."""
    metrics = sorted((each.arm, each.name) for each in rt.registered_metrics())
    return {"metrics": metrics, **{arm: _arm(arm) for arm in ASKED}}


def _arm(arm: str) -> dict[str, Any]:
    comparison = make_cases(arm, seed=1).compare(arm)
    number = ASKED[arm].number
    return {
        "options": [_with_options(arm, options) for options in OPTIONS[arm]],
        "tables": _tables(arm),
        "exact page": record(
            lambda: page_payload(
                lambda path: comparison.to_html(path, exact=True, progress=False, **number)
            )
        ),
        "refused words": {
            name: record(lambda words=words: decided(comparison.decide(**words)))
            for name, words in WORDS.items()
        },
        "refused measure": record(lambda: comparison.table(measures=["nobody"])),
        "refused check": record(
            lambda: comparison.check(rt.Decision.from_json(_other_decision(arm).to_json()))
        ),
        "refused data": {name: record(call) for name, call in _refused(arm).items()},
    }


def _with_options(arm: str, options: dict[str, Any]) -> Any:
    cases = make_cases(arm, seed=1)
    words = ASKED[arm].number
    if arm == "ordinal" and "moving" in options:
        words = {"cost": 3.0}
    if arm == "impact":
        words = {"theta": 0.04 if options["utility"] is rt.value_times_price else 30.0}

    def ask() -> Any:
        comparison = cases._replace(options=options).compare(arm)
        return {
            "repr": repr(comparison),
            "decision": decided(comparison.decide(**words)),
            "table": comparison.table(**words, measures="all"),
            "page": page_payload(
                lambda path: comparison.to_html(path, progress=False, min_cases=5, **words)
            ),
        }

    return record(ask)


def _other_decision(arm: str) -> Any:
    other = "regression" if arm != "regression" else "cutoff"
    return make_cases(other, seed=1).compare(other).decide(**ASKED[other].number)


def _tables(arm: str) -> dict[str, Any]:
    """Ask the same of several kinds of tables, with rows that are missing or matched."""
    cases = make_cases(arm, seed=1)
    wide = pd.DataFrame({"y": cases.truth, **cases.models, "w": cases.columns["w"]})
    holes = wide.assign(a=wide["a"].where(np.arange(len(wide)) % 7 != 3))
    keyed = wide.assign(key=np.arange(len(wide))[::-1])
    long = keyed.melt(id_vars=["key", "y"], value_vars=["a", "b", "c"], var_name="model")
    named = {"arm": arm, "models": ["a", "b", "c"], **cases.options}
    ways: dict[str, Callable[[], Any]] = {
        "pandas": lambda: rt.compare("y", wide, sample_weight="w", **named),
        "polars": lambda: rt.compare("y", pl.from_pandas(wide), **named),
        "common": lambda: rt.compare("y", holes, missing="common", **named),
        "pairwise": lambda: rt.compare("y", holes, missing="pairwise", **named),
        "holes": lambda: rt.compare("y", holes, **named),
        "long": lambda: rt.compare(
            "y", long, id="key", model_column="model", prediction_column="value", **named
        ),
    }

    def ask(way: Callable[[], Any]) -> Any:
        comparison = way()
        words = ASKED[arm].number
        return [
            repr(comparison),
            decided(comparison.decide(**words)),
            comparison.table(measures="all"),
        ]

    return {name: record(lambda way=way: ask(way)) for name, way in ways.items()}


def _refused(arm: str) -> dict[str, Callable[[], Any]]:
    """Return calls with data that cannot be used."""
    cases = make_cases(arm, seed=1)
    y, models, given = cases.truth, cases.models, {"arm": arm, **cases.options}
    missing = {"a": np.where(np.arange(len(y)) == 4, np.nan, models["a"])}
    return {
        "arm": lambda: rt.compare(y, models, arm="nobody"),
        "option": lambda: rt.compare(y, models, nobody=1, **given),
        "no options": lambda: rt.compare(y, models, arm=arm),
        "text": lambda: rt.compare(np.full(len(y), "x"), models, **given),
        "missing": lambda: rt.compare(y, missing, **given),
        "missing truth": lambda: rt.compare(np.where(y == y[0], np.nan, y), models, **given),
        "short": lambda: rt.compare(y, {"a": models["a"][:-1]}, **given),
        "no models": lambda: rt.compare(y, {}, **given),
        "one case": lambda: rt.compare(y[:1], {"a": models["a"][:1]}, arm=arm),
        "mode": lambda: rt.compare(y, models, mode="grid", **given),
        "weights": lambda: rt.compare(y, models, sample_weight=-np.ones(len(y)), **given),
        "both": lambda: rt.compare(y, models, clusters=y, time_ordered=True, **given),
        "context": lambda: rt.compare(y, models, context=np.full(len(y), np.nan), **given),
        "context far away": lambda: rt.compare(y, models, context=np.full(len(y), -2.0), **given),
        "context word": lambda: rt.compare(y, models, context={"nobody": y}, **given),
        "no file": lambda: rt.compare("y", "nobody.parquet", **given),
    }

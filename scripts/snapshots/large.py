"""Every arm beyond memory, on a Parquet file: grids with bounds, and exact settings."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from snapshots.cases import ASKED, make_cases
from snapshots.questions import decided
from snapshots.recording import record

import roctopus as rt

MODES = ("grid", "exact")


def all_large() -> dict[str, Any]:
    """Ask every arm in both modes."""
    return {arm: {mode: _ask(arm, mode) for mode in MODES} for arm in ASKED}


def _ask(arm: str, mode: str) -> dict[str, Any]:
    cases, asked = make_cases(arm, seed=3, size=300), ASKED[arm]
    columns = {"y": cases.truth, **cases.models, **cases.columns}
    pq.write_table(pa.table(columns), "large.parquet", row_group_size=70)
    options = {"utility": rt.value_minus_cutoff} if arm == "impact" else {}
    theta = {"theta": float(np.median(cases.truth))}
    words = theta if arm == "impact" else asked.number
    between = (15.0, 35.0) if arm == "impact" else asked.between
    found = {}
    for name, weight in (("plain", None), ("weights", "w")):
        large = rt.compare(
            "y",
            "large.parquet",
            arm=arm,
            models=["a", "b", "c"],
            sample_weight=weight,
            mode=mode,
            buckets=64,
            progress=False,
            **options,
        )
        found[name] = _answers(large, words, between, between if arm == "impact" else asked.at)
    return found


def _answers(
    large: Any, words: dict[str, Any], between: tuple[float, float], at: tuple[float, ...]
) -> dict[str, Any]:
    spread = rt.Uniform(*between)
    return {
        "repr": record(lambda: repr(large)),
        "measures": record(lambda: large.table(measures="all")),
        "number": record(lambda: decided(large.decide(**words))),
        "table": record(lambda: large.table(**words)),
        "range": record(lambda: decided(large.decide(between=between))),
        "regret": record(lambda: decided(large.decide(between=between, criterion="regret"))),
        "distribution": record(lambda: decided(large.decide(distribution=spread))),
        "regions": record(lambda: large.regions(between=between)),
        "curves": record(
            lambda: {
                name: [[curve.lower.at(x), curve.at(x), curve.upper.at(x)] for x in at]
                for name, curve in large.curves().items()
            }
        ),
        "hybrid": record(lambda: large.decide(hybrid=True, distribution=spread)),
    }

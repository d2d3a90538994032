"""What editors and type checkers know of a comparison; mypy reads this file, too."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import polars as pl
import pytest

import roctopus as rt
from roctopus.comparison import AnyComparison, Comparison
from roctopus.concepts.streams import Mode
from roctopus.scanning import LargeComparison

RNG = np.random.default_rng(0)
Y = RNG.normal(size=40)
COLUMNS = {name: Y + RNG.normal(size=40) for name in "ab"}


def test_data_in_memory_give_a_comparison() -> None:
    from_mapping = rt.compare(Y, COLUMNS, arm="regression")
    assert_type(from_mapping, Comparison)
    assert isinstance(from_mapping, Comparison)
    from_frame = rt.compare("y", pl.DataFrame({"y": Y, **COLUMNS}), arm="regression")
    assert_type(from_frame, Comparison)
    assert isinstance(from_frame, Comparison)


def test_a_source_gives_either_and_a_mode_the_large_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"y": Y, **COLUMNS}).write_parquet(path)
    small = rt.compare("y", path, arm="regression")
    assert_type(small, Comparison | LargeComparison)
    assert isinstance(small, Comparison)
    large = rt.compare("y", path, arm="regression", mode="grid")
    assert_type(large, LargeComparison)
    assert isinstance(large, LargeComparison)
    for each in (small, large):
        assert_type(each.decide(asymmetry=0.8), rt.Decision)


def ask(comparison: AnyComparison) -> tuple[rt.Decision, Any]:
    """Ask what every kind of comparison answers."""
    decision = comparison.decide(asymmetry=0.8, models_only=True)
    return decision, comparison.table(asymmetry=0.8, measures="all")


@pytest.mark.parametrize("mode", ["grid", "exact"])
@pytest.mark.filterwarnings("ignore:Most of the variance .* comes from about .* cases")
def test_both_kinds_are_what_the_protocol_says(tmp_path: Path, mode: Mode) -> None:
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"y": Y, **COLUMNS}).write_parquet(path)
    small: Comparison = rt.compare(Y, COLUMNS, arm="regression")
    large: LargeComparison = rt.compare("y", path, arm="regression", mode=mode)
    for decision, table in (ask(small), ask(large)):
        assert decision.model in COLUMNS
        names = list(map(str, table["model"]))
        assert set(names[:2]) == set(COLUMNS)
        assert names[2:] == list(decision.beside) == ["best constant"]

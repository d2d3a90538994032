"""The table of the documentation: its tasks still agree, and it is what the results say."""

import json
import warnings

import pytest
from benchmarks.peers.__main__ import RESULTS, TABLE
from benchmarks.peers.contests import CONTESTS, HOMES, R_TOOLS
from benchmarks.peers.features import FEATURES, OURS, found
from benchmarks.peers.measure import agreement
from benchmarks.peers.render import TOOLS, table
from benchmarks.peers.tasks import TASKS

HERE = [tool for tool in HOMES if HOMES[tool].folder == ".venv-peers" and tool not in R_TOOLS]


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    "contest", [each for each in CONTESTS if each.tool in HERE], ids=lambda each: each.key
)
def test_values_agree(contest, tied):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other packages' own deprecations
        gap = agreement(contest, tied=tied, n=2000)
    assert gap <= (contest.agrees_tied if tied else contest.agrees)


@pytest.mark.parametrize("tool", [OURS, *HERE])
def test_features_exist(tool):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        missing = {
            name: by[tool] for name, by in FEATURES.items() if tool in by and not found(by[tool])
        }
    assert not missing


def test_table_is_what_the_results_say():
    results = json.loads(RESULTS.read_text())
    assert TABLE.read_text() == table(results)


def test_no_row_is_missing():
    rows = {(row["task"], row["tool"]) for row in json.loads(RESULTS.read_text())["rows"]}
    assert rows == {(each.task, each.tool) for each in CONTESTS}
    assert {task for task, _ in rows} == set(TASKS)
    assert {tool for by in FEATURES.values() for tool in by} <= set(TOOLS)

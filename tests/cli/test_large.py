"""Files that memory does not hold, as far as the program was told."""

import numpy as np
import pytest
from program import answer, refusal, run, write

QUESTIONS = {
    "regression": ("y", ["--under-cost", "4", "--over-cost", "1"]),
    "cutoff": ("y", ["--cutoff", "1.5"]),
    "ordinal": ("grade", ["--arm", "ordinal"]),
    "probability": ("label", ["--false-positive-cost", "1", "--false-negative-cost", "3"]),
    "impact": ("y", ["--utility", "value-times-price", "--theta", "0.7"]),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    rng = np.random.default_rng(0)
    size = 30_000
    y = rng.gamma(2.0, 1.0, size)
    folder = tmp_path_factory.mktemp("large")
    columns = {
        "y": y,
        "grade": np.digitize(y, [1.0, 3.0]).astype(float),
        "label": (y > 2.0).astype(float),
        "text": np.array(["low", "mid", "high"])[np.digitize(y, [1.0, 3.0])],
        "w": rng.integers(0, 3, size).astype(float),
    }
    for name, noise in (("a", 1.0), ("b", 1.5)):
        score = y + noise * rng.normal(size=size)
        columns[name] = score
        columns[f"p_{name}"] = 1.0 / (1.0 + np.exp(2.0 - score))
    write(folder / "cases.parquet", columns)
    return folder


@pytest.mark.parametrize("arm", QUESTIONS)
def test_scans_answer_as_memory_does(folder, arm):
    truth, said = QUESTIONS[arm]
    models = ["p_a", "p_b"] if arm == "probability" else ["a", "b"]
    asked = ["compare", "cases.parquet", "--truth", truth, "--models", *models, *said]
    memory = answer(*asked, cwd=folder)["decision"]
    exact = answer(*asked, "--mode", "exact", "--weight", "w", cwd=folder)
    weighted = answer(*asked, "--weight", "w", cwd=folder)["decision"]
    assert exact["decision"]["model"] == weighted["model"]
    assert exact["decision"]["in_sample"] == pytest.approx(weighted["in_sample"], rel=1e-10)
    found = answer(*asked, "--mode", "grid", cwd=folder)
    assert found["decision"]["model"] == memory["model"]
    assert found["decision"]["data"] == memory["data"]
    assert found["decision"]["in_sample"] == pytest.approx(memory["in_sample"], rel=2e-3)
    assert any("scanned" in note for note in found["notes"])


def test_a_file_larger_than_memory_is_scanned_without_being_asked(folder, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.normal(size=400_000)
    write(tmp_path / "many.parquet", {"y": y, "a": y + 1.0, "b": y + rng.normal(size=400_000)})
    asked = ["compare", "many.parquet", "--truth", "y", "--models", "a", "b", "--asymmetry", "0.7"]
    found = answer(*asked, "--memory", "64MB", cwd=tmp_path)
    assert any("scanned" in note for note in found["notes"])
    assert found["decision"]["cases"] == 400_000
    assert not any("scanned" in note for note in answer(*asked, cwd=tmp_path)["notes"])
    done = run(*asked, "--memory", "64MB", "--png", "pictures", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "pictures" / "comparison.png").stat().st_size > 10_000


def test_labels_in_text_are_scanned(folder):
    asked = ["compare", "cases.parquet", "--truth", "text", "--models", "a", "b"]
    asked += ["--arm", "ordinal", "--labels", "low,mid,high", "--costs", "1,2,4"]
    memory, found = answer(*asked, cwd=folder), answer(*asked, "--mode", "exact", cwd=folder)
    assert found["decision"]["in_sample"] == pytest.approx(memory["decision"]["in_sample"])


def test_what_scans_cannot_do(folder):
    asked = ["compare", "cases.parquet", "--truth", "y", "--models", "a", "b", "--asymmetry", "0.7"]
    told = refusal(*asked, "--mode", "quick", cwd=folder)
    assert "--mode must be grid or exact" in told
    told = refusal(*asked, "--mode", "grid", "--clusters", "grade", cwd=folder)
    assert "--clusters needs all rows in memory" in told
    told = refusal(*asked, "--mode", "grid", "-o", "page.html", cwd=folder)
    assert "--output needs all rows in memory" in told
    assert not (folder / "page.html").exists()
    told = refusal(*asked, "--memory", "tiny", cwd=folder)
    assert "memory" in told


@pytest.mark.parametrize("mode", ["grid", "exact"])
def test_scans_take_the_cutoff_of_each_case(folder, mode):
    asked = ["compare", "cases.parquet", "--truth", "y", "--models", "a", "b", "--arm", "cutoff"]
    asked += ["--context-column", "p_a", "--false-negative-cost", "4"]
    memory = answer(*asked, cwd=folder)["decision"]
    found = answer(*asked, "--mode", mode, cwd=folder)["decision"]
    close = 1e-10 if mode == "exact" else 2e-3
    assert found["in_sample"] == pytest.approx(memory["in_sample"], rel=close)
    assert (found["data"], found["context"]["contexts"]) == (memory["data"], "of each case")

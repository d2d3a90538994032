"""What the program reads: columns, encodings, folders and segments."""

import json
import subprocess
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from program import PROGRAM, SAID, answer, columns, refusal, write


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_columns_that_cannot_be_told_apart(tmp_path):
    rows = "".join(f"{k},{k + 1},{k + 2},{2 * k}\n" for k in range(60))
    (tmp_path / "x.csv").write_text("y,a,a,b\n" + rows)
    assert "several columns called 'a'" in refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    found = columns()
    table = pa.Table.from_arrays(
        [pa.array(found[n]) for n in ("y", "a", "a", "b")], names=["y", "a", "a", "b"]
    )
    pq.write_table(table, tmp_path / "x.parquet")
    assert "several columns" in refusal("compare", "x.parquet", *SAID, cwd=tmp_path)
    write(tmp_path / "z.parquet", found)
    told = refusal("compare", "z.parquet", *SAID, "--by", "a", cwd=tmp_path)
    assert "'a' (--models) is already used for something else" in told


def test_truths_of_every_kind(tmp_path):
    found = columns(60)
    whole = np.round(found["y"]).astype(int)
    kinds = {
        "decimal": pa.array([Decimal(int(v)) for v in whole]),
        "coded": pa.array(whole).dictionary_encode(),
        "text": pa.array([str(v) for v in whole]),
        "plain": pa.array(whole),
    }
    answers = []
    for name, column in kinds.items():
        write(tmp_path / f"{name}.parquet", {**found, "y": column})
        answers.append(answer("compare", f"{name}.parquet", *SAID, cwd=tmp_path))
    assert all(each == answers[-1] for each in answers)
    bad = [*map(str, whole[:-1]), "none"]
    write(tmp_path / "bad.parquet", {**found, "y": bad})
    assert "'y' must contain numbers, but contains text in row 59" in refusal(
        "compare", "bad.parquet", *SAID, cwd=tmp_path
    )


def test_text_files_of_every_kind(tmp_path):
    found = columns(60)
    rows = ["{},{},{},{}".format(*each, "é") for each in zip(*found.values(), strict=True)]
    text = "y,a,b,c\n" + "\n".join(rows) + "\n"
    (tmp_path / "latin.csv").write_bytes(text.encode("latin-1"))
    told = refusal("compare", "latin.csv", *SAID, "--by", "c", cwd=tmp_path)
    assert "--encoding latin-1" in told
    (tmp_path / "wide.csv").write_bytes(text.encode("utf-16"))
    assert "--encoding" in refusal("compare", "wide.csv", *SAID, cwd=tmp_path)
    (tmp_path / "T.TSV").write_text(text.replace(",", "\t"))
    assert answer("compare", "T.TSV", *SAID, cwd=tmp_path)["cases"] == 60
    (tmp_path / "empty.csv").write_text(text.replace(",é\n", ",\n", 1))
    told = refusal("compare", "empty.csv", *SAID, "--clusters", "c", cwd=tmp_path)
    assert "'c' is empty in row 0" in told
    big = "y,a,b,c\n" + "".join(f'{k % 97},{k % 89},{k % 83},"x\ny"\n' for k in range(120_000))
    (tmp_path / "big.csv").write_text(big)
    assert answer("compare", "big.csv", *SAID, cwd=tmp_path)["cases"] == 120_000
    for option, wrong in (("--delimiter", "ab"), ("--decimal", "é"), ("--encoding", "hex")):
        assert option in refusal("compare", "T.TSV", *SAID, option, wrong, cwd=tmp_path)
    piped = subprocess.run(
        ["bash", "-c", f"{PROGRAM} compare <(cat big.csv) {' '.join(SAID)} --json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(piped.stdout)["cases"] == 120_000


def test_folders(tmp_path):
    rows = "y,a,b\n" + "".join(f"{k},{k + 1},{2 * k}\n" for k in range(60))
    for name in ("2024", "2025"):
        part = tmp_path / "f" / f"year={name}"
        part.mkdir(parents=True)
        (part / "x.csv").write_text(rows)
    (tmp_path / "f" / ".git").mkdir()
    (tmp_path / "f" / ".git" / "x.csv").write_text(rows)
    found = answer("compare", "f", *SAID, "--by", "year", cwd=tmp_path)
    assert found["cases"] == 120
    assert [each["value"] for each in found["segments"]] == ["2024", "2025"]
    (tmp_path / "p").mkdir()
    write(tmp_path / "p" / "x.parquet", columns())
    (tmp_path / "p" / "README.md").write_text("hello")
    assert answer("compare", "p", *SAID, cwd=tmp_path)["cases"] == 120
    told = refusal("compare", "p/x.parquet", "p", *SAID, cwd=tmp_path)
    assert "given twice" in told


def test_the_same_question_in_every_segment(tmp_path):
    rng = np.random.default_rng(0)
    grade = np.append(rng.integers(1, 4, 200), rng.integers(1, 3, 60))
    shop = ["all"] * 200 + ["few"] * 60
    write(
        tmp_path / "x.parquet",
        {"y": grade, "a": grade + rng.normal(0, 0.6, 260), "shop": shop},
    )
    found = answer(
        "compare", "x.parquet", "-t", "y", "-m", "a", "--costs", "1,2,3", "--by", "shop",
        cwd=tmp_path,
    )  # fmt: skip
    whole = next(each for each in found["segments"] if each["value"] == "all")
    assert whole["decision"]["settings"]["labels"] == [1.0, 2.0, 3.0]


def test_models_are_not_mistaken_for_folders(folder):
    (folder / "b").mkdir()
    assert answer("compare", "x.parquet", *SAID, cwd=folder)["models"] == ["a", "b"]
    told = refusal("compare", "--models", "a", "no.csv", "-t", "y", cwd=folder)
    assert "'no.csv' cannot be read" in told

"""What the program reads: columns, encodings, folders and segments."""

import json
import subprocess
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from program import PROGRAM, SAID, answer, columns, refusal, write

import roctopus as rt


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
    assert "'a' (--models) is already used for --by" in told


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
    assert "'y' must contain numbers, but contains the text 'none' in row 60" in refusal(
        "compare", "bad.parquet", *SAID, cwd=tmp_path
    )


def test_text_files_of_every_kind(tmp_path):
    found = columns(60)
    rows = ["{},{},{},{}".format(*each, "é") for each in zip(*found.values(), strict=True)]
    text = "y,a,b,c\n" + "\n".join(rows) + "\n"
    (tmp_path / "latin.csv").write_bytes(text.encode("latin-1"))
    read = answer("compare", "latin.csv", *SAID, "--by", "c", cwd=tmp_path)
    assert [each["value"] for each in read["segments"]] == ["é"]
    assert any("read as windows-1252" in each and "--encoding" in each for each in read["notes"])
    (tmp_path / "wide.csv").write_bytes(text.encode("utf-16"))
    assert answer("compare", "wide.csv", *SAID, cwd=tmp_path)["rows"] == read["rows"]
    (tmp_path / "T.TSV").write_text(text.replace(",", "\t"))
    assert answer("compare", "T.TSV", *SAID, cwd=tmp_path)["cases"] == 60
    (tmp_path / "empty.csv").write_text(text.replace(",é\n", ",\n", 1))
    told = refusal("compare", "empty.csv", *SAID, "--clusters", "c", cwd=tmp_path)
    assert "'c' has no value in line 2" in told
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
    assert "named twice" in told


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
    told = refusal("compare", "--models", "a", "no.csv", *SAID[:2], *SAID[-2:], cwd=folder)
    assert "'no.csv' cannot be read" in told


def text_of(found, newline="\n", delimiter=","):
    rows = [delimiter.join(map(str, row)) for row in zip(*found.values(), strict=True)]
    return newline.join([delimiter.join(found), *rows]) + newline


@pytest.mark.parametrize("start", [2**53, 2**63 - 40, 2**70])
def test_ids_of_many_digits_stay_apart(tmp_path, start):
    found = columns(60)
    groups = [start + k // 2 for k in range(60)]
    (tmp_path / "x.csv").write_text(text_of({"customer": groups, **found}))
    (tmp_path / "plain.csv").write_text(text_of({"customer": [k // 2 for k in range(60)], **found}))
    said = (*SAID, "--clusters", "customer")
    by_id, plain = (answer("compare", f, *said, cwd=tmp_path) for f in ("x.csv", "plain.csv"))
    assert by_id["rows"] == plain["rows"]
    two = [start + k % 2 for k in range(60)]
    (tmp_path / "x.csv").write_text(text_of({"shop": two, **found}))
    segments = answer("compare", "x.csv", *SAID, "--by", "shop", cwd=tmp_path)["segments"]
    assert [(each["value"], each["cases"]) for each in segments] == [
        (str(start), 30), (str(start + 1), 30),
    ]  # fmt: skip
    if start < 2**63:
        write(tmp_path / "x.parquet", {"shop": pa.array(two, pa.int64()), **found})
        again = answer("compare", "x.parquet", *SAID, "--by", "shop", cwd=tmp_path)["segments"]
        assert [each["value"] for each in again] == [each["value"] for each in segments]


def test_rows_are_matched_by_ids_of_many_digits(tmp_path):
    found, ids = columns(60), [2**64 + 7 * k for k in range(60)]
    (tmp_path / "truth.csv").write_text(text_of({"case": ids, "y": found["y"]}))
    shuffled = np.random.default_rng(0).permutation(60)
    other = {"case": [ids[k] for k in shuffled], "a": found["a"][shuffled]}
    (tmp_path / "p.csv").write_text(text_of({**other, "b": found["b"][shuffled]}))
    write(tmp_path / "whole.parquet", found)
    matched = answer("compare", "truth.csv", "p.csv", *SAID, "--id", "case", cwd=tmp_path)
    assert matched["rows"] == answer("compare", "whole.parquet", *SAID, cwd=tmp_path)["rows"]


def test_ids_of_many_digits_in_python(tmp_path):
    found, groups = columns(60), [2**70 + k // 2 for k in range(60)]
    (tmp_path / "x.csv").write_text(text_of({"customer": groups, **found}))
    asked = {"models": ["a", "b"], "arm": "regression"}
    whole = rt.compare(found["y"], {"a": found["a"], "b": found["b"]}, arm="regression",
                       clusters=groups)  # fmt: skip
    from_file = rt.compare("y", tmp_path / "x.csv", **asked, clusters="customer")
    assert from_file.decide(asymmetry=0.8).low == whole.decide(asymmetry=0.8).low


def test_a_segment_may_be_called_na(tmp_path):
    found = {**columns(60), "land": ["NA", "DE"] * 30}
    (tmp_path / "x.csv").write_text(text_of(found))
    segments = answer("compare", "x.csv", *SAID, "--by", "land", cwd=tmp_path)["segments"]
    assert [(each["value"], each["cases"]) for each in segments] == [("DE", 30), ("NA", 30)]


def test_rows_are_lines_of_the_file(tmp_path):
    found = {name: list(column) for name, column in columns(60).items()}
    found["a"][3] = "ill"
    (tmp_path / "x.csv").write_text("My title\n\n" + text_of(found))
    told = refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    assert "'a' must contain numbers, but contains the text 'ill' in line 7" in told
    note = {"note": ['"two\nlines"'] * 60, **found}
    (tmp_path / "x.csv").write_text(text_of(note))
    assert "contains the text 'ill' in line 8" in refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    found["a"][3], found["y"][5] = 1.0, ""
    (tmp_path / "x.csv").write_text(text_of(found))
    told = refusal("compare", "x.csv", *SAID, cwd=tmp_path)
    assert "The column 'y' (--truth) has no value in line 7." in told
    assert "--missing common" in told
    (tmp_path / "w.csv").write_text(text_of({**columns(60)}))
    told = refusal("compare", "w.csv", "x.csv", *SAID, cwd=tmp_path)
    assert "has no value in line 7 of 'x.csv'" in told
    heavy = {**columns(60), "w": [1.0] * 59 + [-1.0]}
    (tmp_path / "x.csv").write_text(text_of(heavy))
    told = refusal("compare", "x.csv", *SAID, "--weight", "w", cwd=tmp_path)
    assert "--weight is negative in line 61" in told


@pytest.mark.parametrize("how", ["common", "pairwise"])
def test_cases_without_a_truth_are_left_out_and_counted(tmp_path, how):
    found = {name: list(column) for name, column in columns(60).items()}
    write(tmp_path / "known.parquet", {name: each[2:] for name, each in found.items()})
    found["y"][:2] = ["", "NA"]
    (tmp_path / "x.csv").write_text(text_of(found))
    left = answer("compare", "x.csv", *SAID, "--missing", how, cwd=tmp_path)
    assert left["rows"] == answer("compare", "known.parquet", *SAID, cwd=tmp_path)["rows"]
    assert "2 of 60 rows have no true value and are left out; 58 remain." in left["notes"]


def test_times_in_the_orders_of_several_countries(tmp_path):
    found, days = columns(60), [np.datetime64("2024-01-01") + 5 * k for k in range(60)]
    orders = {"iso": "%Y-%m-%d", "german": "%d.%m.%Y", "us": "%m/%d/%Y", "british": "%d/%m/%Y"}
    answers = []
    for name, order in orders.items():
        shown = [day.item().strftime(order) for day in days]
        (tmp_path / f"{name}.csv").write_text(text_of({"day": shown, **found}))
        answers.append(answer("compare", f"{name}.csv", *SAID, "--time", "day", cwd=tmp_path))
    assert all(each["rows"] == answers[0]["rows"] for each in answers)


@pytest.mark.parametrize("mode", ["grid", "exact"])
def test_decimal_commas_are_scanned(tmp_path, mode):
    found = columns(300)
    write(tmp_path / "x.parquet", found)
    german = {n: [str(x).replace(".", ",") for x in c] for n, c in found.items()}
    (tmp_path / "comma.csv").write_text(text_of(german, delimiter=";"))
    grouped = {n: [f"{x:,.3f}".translate({44: ".", 46: ","}) for x in c] for n, c in found.items()}
    (tmp_path / "grouped.csv").write_text(text_of(grouped, delimiter=";"))
    said = (*SAID, "--mode", mode)
    plain, comma, rounded = (
        answer("compare", file, *said, cwd=tmp_path)
        for file in ("x.parquet", "comma.csv", "grouped.csv")
    )
    assert comma["rows"] == plain["rows"]
    assert rounded["rows"][0]["value"] == pytest.approx(plain["rows"][0]["value"], rel=1e-2)


def test_costs_are_written_in_digits(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--under-cost", "1_000", "--over-cost", "1",
                   cwd=folder)  # fmt: skip
    assert "1_000" in told


def test_text_of_numbers_in_parquet_is_read_as_in_csv(tmp_path):
    found = columns(60)
    german = {n: [f"{x:.2f}".replace(".", ",") for x in c] for n, c in found.items()}
    write(tmp_path / "x.parquet", german)
    write(tmp_path / "plain.parquet", {n: np.round(c, 2) for n, c in found.items()})
    read = answer("compare", "x.parquet", *SAID, cwd=tmp_path)
    assert read["rows"] == answer("compare", "plain.parquet", *SAID, cwd=tmp_path)["rows"]
    unclear = {n: [f"{1 + x % 900:.3f}" for x in c] for n, c in found.items()}
    write(tmp_path / "y.parquet", unclear)
    assert "--decimal ." in refusal("compare", "y.parquet", *SAID, cwd=tmp_path)
    assert answer("compare", "y.parquet", *SAID, "--decimal", ".", cwd=tmp_path)["cases"] == 60

"""What an independent reviewer found: each is pinned here."""

import json
import os
import subprocess
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from program import PROGRAM, answer, refusal, run, write

import roctopus as rt

SAID = ("--truth", "y", "--models", "a", "b", "--asymmetry", "0.8")


def columns(size=120, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    return {"y": y, "a": y + rng.normal(0, 6, size), "b": y + rng.normal(0, 3, size)}


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_links_modes_and_devices_stay_what_they_are(folder):
    (folder / "real.json").write_text("old\n")
    (folder / "real.json").chmod(0o600)
    (folder / "link.json").symlink_to("real.json")
    done = run("compare", "x.parquet", *SAID, "--decision", "link.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").stat().st_mode & 0o777 == 0o600
    rt.Decision.from_json(folder / "real.json")
    os.mkfifo(folder / "pipe.json")
    reader = subprocess.Popen(["cat", "pipe.json"], cwd=folder, stdout=subprocess.PIPE, text=True)
    done = run("compare", "x.parquet", *SAID, "--decision", "pipe.json", cwd=folder)
    assert json.loads(reader.communicate(timeout=60)[0])["arm"] == "regression"
    assert (folder / "pipe.json").is_fifo()


def test_nothing_is_written_over(folder):
    before = (folder / "x.parquet").read_bytes()
    told = refusal("compare", "x.parquet", *SAID, "--decision", "x.parquet", cwd=folder)
    assert "read or written already" in told
    assert (folder / "x.parquet").read_bytes() == before
    both = ("--decision", "o.json", "-o", "o.json")
    assert "read or written already" in refusal("compare", "x.parquet", *SAID, *both, cwd=folder)
    assert "is a folder" in refusal("compare", "x.parquet", *SAID, "-o", ".", cwd=folder)


def test_a_range_of_costs_is_refused(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--under-cost", "1:9", cwd=folder)
    assert "--asymmetry 0.6:0.9" in told


def test_a_check_of_another_prevalence_is_refused(tmp_path):
    rng = np.random.default_rng(0)
    for name in ("old", "new"):
        risk = rng.beta(1, 2, 300)
        write(tmp_path / f"{name}.parquet", {"y": (rng.random(300) < risk) * 1, "p": risk})
    said = ("--truth", "y", "--models", "p", "--utility", "net-benefit")
    asked = ("--theta", ".4", "--prevalence", ".2", "--decision", "d.json")
    assert run("compare", "old.parquet", *said, *asked, cwd=tmp_path).returncode == 0
    assert "prevalence" in refusal("check", "d.json", "new.parquet", *said, cwd=tmp_path)
    done = run("check", "d.json", "new.parquet", *said, "--prevalence", ".2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_verdict_survives_a_closed_pipe(folder):
    run("compare", "x.parquet", *SAID, "--decision", "d.json", cwd=folder)
    write(folder / "worse.parquet", {**columns(seed=1), "y": columns(seed=1)["y"] + 30.0})
    for name, code in (("x.parquet", 0), ("worse.parquet", 3)):
        done = subprocess.run(
            ["bash", "-c", f"{PROGRAM} check d.json {name} -t y -m a b | true; "
             "exit ${PIPESTATUS[0]}"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
    helped = subprocess.run(
        ["bash", "-c", f"{PROGRAM} compare --help | true; exit ${{PIPESTATUS[0]}}"], check=False
    )
    assert helped.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_streams_that_lack_signs(folder, encoding):
    done = run("compare", "x.parquet", *SAID, cwd=folder, PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr
    assert run("compare", "-h", cwd=folder, PYTHONIOENCODING=encoding).returncode == 0
    closed = subprocess.run(
        f"{PROGRAM} compare x.parquet {' '.join(SAID)} >&-", shell=True, cwd=folder, check=False
    )
    assert closed.returncode == 0


def test_nothing_earned_untuned(tmp_path):
    rng = np.random.default_rng(0)
    risk = rng.beta(1, 2, 300)
    write(tmp_path / "x.parquet", {"y": (rng.random(300) < risk) * 1, "p": risk})
    done = run(
        "compare", "x.parquet", "-t", "y", "-m", "p", "--utility", "net-benefit",
        "--theta", "40", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


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
    assert "'a' (--models) is used for something else" in told


def test_the_law_is_in_the_decision(tmp_path):
    write(tmp_path / "old.parquet", {**columns(300), "c": columns(300, 3)["y"]})
    write(tmp_path / "new.parquet", {**columns(300, 1), "c": columns(300, 4)["y"]})
    base = ("--truth", "y", "--models", "a", "b")
    for law, more in (
        (("--arm", "cutoff", "--distribution", "beta(2,4) on 20%:60%"), ()),
        (("--arm", "cutoff", "--distribution", "output"), ()),
        (("--arm", "cutoff", "--distribution", "normal(30, 8) on 5:60"), ()),
        (("--cutoff-column", "c"), ("--cutoff-column", "c")),
    ):
        made = run("compare", "old.parquet", *base, *law, "--decision", "d.json", cwd=tmp_path)
        assert made.returncode == 0, made.stderr
        done = run("check", "d.json", "new.parquet", *base, *more, "--json", cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        assert 0.0 < json.loads(done.stdout)["value"] < 1.0
    assert "--cutoff-column" in refusal("check", "d.json", "new.parquet", *base, cwd=tmp_path)


def test_check_ignores_no_option(folder):
    run("compare", "x.parquet", *SAID, "--decision", "d.json", cwd=folder)
    for more in (("--labels", "x,y"), ("--capacity", "5"), ("--prevalence", ".2")):
        told = refusal("check", "d.json", "x.parquet", "-t", "y", "-m", "a", *more, cwd=folder)
        assert "does not belong to the arm 'regression'" in told


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
    assert "'y' must hold numbers, but holds text in row 59" in refusal(
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


def test_options_in_sentences(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--asymmetry", "0.9:0.2", cwd=folder)
    assert "the range must be" in told
    negative = {**columns(), "w": -np.ones(120)}
    write(folder / "w.parquet", negative)
    assert "--weight" in refusal("compare", "w.parquet", *SAID, "--weight", "w", cwd=folder)


def test_bare_calls_help(folder):
    done = run(cwd=folder)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Start with" in done.stdout


def test_alarms_are_rare_and_name_another_model():
    alarms = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        checks = []
        for size in (200, 200):
            y = rng.gamma(2.0, 10.0, size)
            models = {"a": y + rng.normal(0, 5, size) - 2, "b": y + rng.normal(0, 5, size) + 1}
            checks.append(rt.compare(y, models, arm="regression"))
        found = checks[1].check(checks[0].decide(between=(0.2, 0.8)))
        alarms += not found.holds
        for finding in found.findings:
            if finding.what == "model" and not finding.holds:
                assert not finding.sentence.endswith(f"{found.decision.model}.")
    assert alarms <= 5


def test_checks_that_cannot_be_made():
    y = np.arange(60.0)
    models = {"a": y + np.sin(y), "b": y + np.cos(3 * y)}
    known = rt.compare(y, models, arm="regression")
    few = rt.compare(y[:20] + 0.5, {m: p[:20] for m, p in models.items()}, arm="regression")
    with pytest.raises(rt.InputError, match="20 cases are too few"):
        few.check(known.decide(asymmetry=0.7))
    regret = known.decide(between=(0.2, 0.8), criterion="regret")
    alone = rt.compare(y + 0.5, {regret.model: models[regret.model]}, arm="regression")
    with pytest.raises(rt.InputError, match="least regret"):
        alone.check(regret)
    both = rt.compare(y + 0.5, models, arm="regression").check(regret)
    assert "recorded" not in both.sentence

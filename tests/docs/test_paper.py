"""The paper: its numbers are those of the documentation, its figures those of its script."""

import importlib.util
import json
import re

import pytest
from blocks import ROOT, run_page
from PIL import Image

import roctopus as rt

PAPER = ROOT / "paper"
TEXT = (PAPER / "paper.md").read_text(encoding="utf-8")
CITED = re.compile(r"(?<!\w)@([a-z]+\d{4}\w*)")


def flat(path: str) -> str:
    """A file of the repository without its line breaks."""
    return " ".join((ROOT / path).read_text(encoding="utf-8").split())


def numbers(pattern: str, text: str) -> tuple[str, ...]:
    """The numbers in the one place where a sentence fits."""
    (found,) = re.findall(pattern, text)
    return (found,) if isinstance(found, str) else found


def test_every_citation_is_in_the_bibliography_and_the_other_way_round():
    bibliography = (PAPER / "paper.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),$", bibliography, re.MULTILINE)
    assert len(entries) == len(set(entries))
    assert set(CITED.findall(TEXT)) == set(entries)


def test_it_is_short():
    _, header, body = TEXT.split("---\n", 2)
    assert "name: The roctopus authors" in header
    assert "affiliation" not in header
    prose = re.sub(r"^```.*?^```$", "", body, flags=re.DOTALL | re.MULTILINE)
    assert 900 <= len(prose.split()) <= 1500


def test_its_code_prints_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(PAPER / "paper.md")


def test_figures_are_those_of_the_script(tmp_path):
    spec = importlib.util.spec_from_file_location("figures", PAPER / "figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    figures.main(tmp_path)
    named = re.findall(r"\]\((\w+\.png)\)", TEXT)
    assert sorted(named) == sorted(path.name for path in tmp_path.iterdir())
    assert sorted(named) == sorted(path.name for path in PAPER.glob("*.png"))
    for name in named:
        kept, made = PAPER / name, tmp_path / name
        with Image.open(kept) as one, Image.open(made) as other:
            assert one.size == other.size
        assert kept.stat().st_size < 200_000
        assert made.stat().st_size == pytest.approx(kept.stat().st_size, rel=0.3)


def test_verdicts_are_those_of_the_reproduction():
    paper = numbers(
        r"compares ([\d,]+) printed values and statements .*?: ([\d,]+) match, (\d+) are explained "
        r"by an erratum, (\d+) differ .*?, (\d+) come .*?, and (\d+) are unexplained",
        flat("paper/paper.md"),
    )
    readme = numbers(
        r"We compared ([\d,]+) published .*? - ([\d,]+) match ours\. - (\d+) differ because the "
        r"papers .*? - (\d+) differ by chance, .*? - (\d+) differ because we .*? "
        r"- (\d+) differ for",
        flat("README.md"),
    )
    assert paper == readme
    redone = (
        r"Of ([\d,]+) comparisons ([\d,]+) match, (\d+) .*?, (\d+) .*?, (\d+) .*?, (\d+) are un"
    )
    assert paper == numbers(redone, flat("reproduction/README.md"))
    total, *parts = (int(number.replace(",", "")) for number in paper)
    assert total == sum(parts)


def test_errata_are_counted():
    errata = (ROOT / "docs/errata.md").read_text(encoding="utf-8")
    marks = dict(re.findall(r"^\*\*(\d+)\*\*(?: \[(\w)\])?", errata, re.MULTILINE))
    found = sum(int(number) > 55 for number in marks)
    wrong = list(marks.values()).count("W")
    assert f"{len(marks)} errata, {found} of them found by redoing; {wrong} are wrong" in flat(
        "paper/paper.md"
    )
    assert (
        f"These 92 differences led us to {found} of the {len(marks)} errors listed in the errata."
        in flat("README.md")
    )


def test_coverage_is_that_of_the_simulation():
    page, _ = (ROOT / "docs/coverage.md").read_text(encoding="utf-8").split("\n## Net benefit", 1)
    rows = re.findall(r"^(\w+) +(plain|heavy|ties) +(\d+) +([\d.]+)(\*?)", page, re.MULTILINE)
    cells = [row for row in rows if int(row[2]) >= 400]
    missed = [row for row in cells if row[4]]
    skill = sum(row[0] == "impact_skill" for row in missed)
    heavy = sum(row[1] == "heavy" and "impact" not in row[0] for row in missed)
    assert len(missed) == heavy + skill + 1
    paper = flat("paper/paper.md")
    assert f"Of {len(cells)} cells with 400 or 1,600 cases, {len(missed)} lie outside" in paper
    assert f"{heavy} are losses of lognormal errors" in paper
    assert f"{skill} are `impact_skill`" in paper
    assert f"All {len(rt.registered_metrics())} registered metrics" in paper


def test_speed_is_that_of_the_benchmarks():
    paper, measured = flat("paper/paper.md"), flat("benchmarks/README.md")
    seconds, memory, ratio = numbers(
        r"in ([\d.]+) s and ([\d.]+) GiB on two cores\. This is ([\d.]+) times", paper
    )
    assert f"| {seconds} s, {memory} GiB: **{ratio} ×**" in measured
    (sorts,) = numbers(r"takes ([\d.]+) sorts", paper)
    assert f"| RROC curve | {sorts} |" in measured


def test_ratios_are_those_of_the_run_beside_other_tools():
    paper = flat("paper/paper.md")
    rows = json.loads((ROOT / "benchmarks/peers/results.json").read_text(encoding="utf-8"))["rows"]
    ratio = {
        (row["task"], row["tool"]): row["sizes"]["1000000"]["ratio"]
        for row in rows
        if "1000000" in row.get("sizes", {})
    }
    assert f"takes {ratio['roc_auc', 'scikit-learn']:.1f} times as long as we do" in paper
    assert f"`pROC` {ratio['auc_test', 'pROC']:.1f} times for the paired test" in paper

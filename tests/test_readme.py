"""The README's examples run, and print what the README says they print."""

import re

import pytest
from blocks import ROOT, blocks, run_python

from roctopus.cli.demo import run_demo

README = ROOT / "README.md"
BLOCKS = [(code, printed) for language, code, printed in blocks(README) if language == "python"]


def test_there_are_examples():
    assert any(printed for _, printed in BLOCKS)


@pytest.mark.parametrize(("code", "printed"), BLOCKS, ids=range(len(BLOCKS)))
def test_block_runs(code, printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = run_python(code, {})
    if printed:
        assert shown.strip() == printed.strip()


def test_files_it_links_to_exist():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (ROOT / target).exists(), target


def test_its_six_answers_are_those_of_the_demo(tmp_path, capsys):
    _, table = README.read_text(encoding="utf-8").split("| Question |", 1)
    rows = table.split("\n\n", 1)[0].splitlines()[2:]
    run_demo("all", tmp_path)
    _, *answers = capsys.readouterr().out.split("$ roctopus compare")
    for row, answer in zip(rows, answers, strict=True):
        told = re.findall(r"\*\*(.+?)\*\*", row)
        assert len(told) >= 2
        told = [f"{each} less than" if each.endswith("%") else each for each in told]
        said = " ".join(answer.split())
        assert [each for each in told if each not in said] == [], row

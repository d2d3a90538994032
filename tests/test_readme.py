"""The README's examples run, and print what the README says they print."""

import re

import pytest
from blocks import ROOT, blocks, run_python

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

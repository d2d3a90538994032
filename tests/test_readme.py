"""The README's examples run, and print what the README says they print."""

import contextlib
import io
import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```\s*(?:```text\n(.*?)```)?", README, re.DOTALL)


def test_there_are_examples():
    assert any(printed for _, printed in BLOCKS)


@pytest.mark.parametrize(("code", "printed"), BLOCKS)
def test_block_runs(code, printed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code, "README.md", "exec"), {})
    if printed:
        assert shown.getvalue().strip() == printed.strip()


def test_files_it_links_to_exist():
    root = Path(__file__).parents[1]
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (root / target).exists(), target

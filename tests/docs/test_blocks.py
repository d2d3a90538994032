"""Every code block of the documentation runs, and prints what its page says it prints."""

import pytest
from blocks import ROOT, blocks, run_page

# What sphinx writes itself is made of docstrings and examples, which are run elsewhere.
MADE = {"gallery", "node_modules", "names", "examples"}
PAGES = sorted(
    page for page in (ROOT / "docs").rglob("*.md") if not MADE & set(page.relative_to(ROOT).parts)
)
ELSEWHERE = {ROOT / "docs/howto/track.md"}  # needs software of the peers' environment: tests/peers


# A page may show a case that we warn about; any other warning is an error.
@pytest.mark.filterwarnings("default::roctopus.RoctopusWarning")
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page not in ELSEWHERE],
    ids=lambda page: str(page.relative_to(ROOT / "docs")),
)
def test_blocks_of(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_page(page)


def test_no_block_is_passed_over():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        fences = sum(line.strip() in {"```python", "```sh"} for line in text.splitlines())
        assert fences == len(blocks(page)), page


def test_pages_have_blocks():
    assert sum(len(blocks(page)) for page in PAGES) > 50

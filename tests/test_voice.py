"""Messages, help and docstrings are in everyday English, with one term per thing.

Reads every string literal of the source, and looks for phrases that are not.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src/roctopus"
FILES = sorted(SOURCE.rglob("*.py"))

EVERYWHERE = {
    r"\bhangs? on\b": "depends on",
    r"\bbelieving\b": "using the predictions as they are",
    r"\bstale\b(?! : )": "out of date",  # a field of this name has its line in a docstring
    r"\bmore cases would decide\b": "what more cases would save",
    r"\bmay be (the )?best\b": "could be the best",
    r"\bnothing has to be done\b": "no action needed",
    r"\bUndecided\b|\btoo close to call\b": "a verdict",
    r"\bmend(s|ed)?\b": "repair",
    r"\btears? \w+ apart\b|\btorn\b": "split",
    r"\b(a|its own) worth\b": "value",
    r"(?<!there )\bis no (number|file|folder|text|date|frame|table)\b": "is not a",
    r"\bknows? (no|the classes|a cutoff)\b": "has",
    r"[0-9}] × an? ": "times as much as",
    r"\bsimply\b": "",
}
"""Phrases that neither messages nor docstrings have, and what is said instead."""
MESSAGES = {
    r"\blost a case\b|[0-9}] a case\b|\ba case [(]": "per case",
    r"\bhonest\b": "out-of-sample",
    r"\bin-sample\b": "on the data used for tuning",
    r"\banew\b": "again",
    r"\btold\b": "detected, shown",
    r"\brefused\b": "raises an error",
    r"\bmust hold\b": "must contain",
    r"\bthe future\b": "later cases",
}
"""Phrases that messages do not have, either."""


def _text(node: ast.AST) -> str | None:
    """Return a string, what stands in for values being ``{}``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
        return "".join(map(str, parts))
    return None


def _strings(node: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """Yield strings with their lines, and whether they are documentation."""
    for child in ast.iter_child_nodes(node):
        alone = isinstance(child, ast.Expr)
        text = _text(child.value if alone else child)
        if text is None:
            yield from _strings(child)
        elif " " in text.strip() and not text.startswith("<"):  # not markup
            yield child.lineno, text, alone


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_strings_are_everyday_english(file: Path) -> None:
    found = [
        f"{file.name}:{line}: {text[:80]!r}: {phrase} -> {instead}"
        for line, text, alone in _strings(ast.parse(file.read_text(encoding="utf-8")))
        for phrase, instead in (EVERYWHERE if alone else {**EVERYWHERE, **MESSAGES}).items()
        if re.search(phrase, text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "said", ["+0.5 a case (1 to 2)", "the knob is stale", "a miss hangs on it"]
)
def test_phrases_are_found(said: str) -> None:
    assert any(re.search(phrase, said) for phrase in {**EVERYWHERE, **MESSAGES})

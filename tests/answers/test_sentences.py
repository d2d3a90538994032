"""Forty sentences, as they are read: every arm, every verdict, one context and many.

``python -m tests.answers.test_sentences`` writes them anew. Read them before you commit them.
"""

from pathlib import Path

from tests.answers.questions import questions

FILE = Path(__file__).with_name("sentences.md")


def written() -> str:
    """Return all sentences, each under the question it answers."""
    parts = ["# Forty answers\n"]
    parts += [f"## {question.name}\n\n{question.answer.sentence}\n" for question in questions()]
    return "\n".join(parts)


def test_sentences_are_those_that_were_read() -> None:
    assert written() == FILE.read_text(encoding="utf-8")


def test_the_data_lead_to_the_verdicts_they_were_made_for() -> None:
    for question in questions():
        assert question.answer.decision.verdict == question.verdict, question.name


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")

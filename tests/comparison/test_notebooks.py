"""Short reprs, and the same tables in notebooks and in Markdown; text from data stays text."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from small import MODELS, N, Y, fresh

import roctopus as rt
from roctopus.concepts.rendering import Sheet, apart, clean
from roctopus.impact import value_minus_cutoff

NASTY = "<script>`a`|b\n*c* $x$ [d](e) &lt; \x1b[31m" + "very " * 30 + "long"
ASKED = {"regression": {"asymmetry": 0.8}, "cutoff": {"cutoff": 0.2}, "impact": {"theta": 0.1}}
OPTIONS = {"impact": {"utility": value_minus_cutoff}}


def results(arm, models=None):
    """Return one of everything that is shown."""
    models = MODELS if models is None else models
    comparison = rt.compare(Y, models, arm=arm, **OPTIONS.get(arm, {}))
    decision = comparison.decide(**ASKED[arm])
    rng = np.random.default_rng(5)
    new = rng.normal(size=N)
    later = {name: new + rng.normal(size=N) for name in models}
    check = rt.compare(new, later, arm=arm, **OPTIONS.get(arm, {})).check(decision)
    estimate = rt.estimate("asymmetric_absolute_error", Y, MODELS["a"], asymmetry=0.8)
    return [comparison, comparison.answer(**ASKED[arm]), decision, check, estimate]


class Tags(HTMLParser):
    """Lists the tags of a page, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@pytest.mark.parametrize("arm", list(ASKED))
def test_reprs_are_short(arm):
    for found in results(arm) + results(arm, {NASTY: MODELS["a"], NASTY + "2": MODELS["b"]}):
        lines = repr(found).split("\n")
        assert len(lines) <= 3, repr(found)
        assert max(map(len, lines)) <= 100, repr(found)
        assert repr(found).startswith(type(found).__name__)
        assert all(line.isprintable() for line in lines)


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
@pytest.mark.parametrize("arm", list(ASKED))
def test_text_from_data_stays_text(arm):
    shown = {"div", "p", "small", "table", "thead", "tbody", "tr", "th", "td"}
    for found in results(arm, {NASTY: MODELS["a"], "b": MODELS["b"]}):
        html = found.sheet().html()
        assert set(Tags(html).tags) <= shown
        assert "\x1b" not in html
        text = found.to_markdown()
        assert not re.search(r"(?<!\\)[`<>\[\]*$]", text)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        pipes = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
        assert len(pipes) <= 1, text


@pytest.mark.filterwarnings("ignore::roctopus.RoctopusWarning")
def test_all_forms_say_the_same():
    _, answer, decision, check, estimate = results("regression")
    for found, sentence in (
        (answer, answer.sentence),
        (decision, decision.sentence),
        (check, check.sentence),
    ):
        assert Tags(found._repr_html_()).text.startswith(sentence)
        assert found.to_markdown().replace("\\", "").startswith(sentence)
    rows = answer.to_markdown().splitlines()[4:]
    assert rows[0].startswith(f"| {answer.rows[0].name} |")
    assert len([row for row in rows if row.startswith("|")]) == len(answer.rows)
    low = estimate.confidence_interval().low
    assert f"{estimate.value:.4g}"[:4] in estimate.to_markdown()
    assert f"{low:.2g}" in estimate.to_markdown()


def test_a_comparison_of_too_few_cases_shows_who_is_best_where():
    few = rt.compare([1.0, 2.0, 3.0], {"<b>": [1.0, 2.5, 3.5]}, arm="regression")
    assert "<b>" not in few._repr_html_()
    assert "| 0 | 1 | \\<b\\> |" in few.to_markdown()


def test_borders_can_be_told_apart():
    narrow = {name: 19.3 + 1e-3 * p for name, p in MODELS.items()}
    text = repr(rt.compare(19.3 + 1e-3 * Y, narrow, arm="cutoff"))
    assert not re.search(r" (\S+) to \1[;.\n]", text)
    assert apart([1.0, 2.0]) == ["1", "2"]
    assert apart([0.123456, 0.123457]) == ["0.123456", "0.123457"]
    assert apart([5.0, 5.0, np.inf]) == ["5", "5", "inf"]
    assert len(set(apart([1.0, np.nextafter(1.0, 2.0)]))) == 2


def test_an_estimate_without_a_spread_is_shown():
    perfect = rt.estimate("asymmetric_absolute_error", Y, Y, asymmetry=0.5)
    assert "0" in perfect.to_markdown()
    single = rt.estimate("asymmetric_absolute_error", [1.0], [2.0], asymmetry=0.5)
    assert "unknown" in single.to_markdown()
    assert "unknown" in repr(single)


def test_a_sheet_without_a_table():
    assert Sheet("a|b").markdown() == "a\\|b\n"
    assert Sheet("a<b").html().count("<p>") == 1
    assert clean("x" * 80) == "x" * 59 + "…"


def test_public_names_are_listed():
    assert "to_markdown" in dir(fresh())

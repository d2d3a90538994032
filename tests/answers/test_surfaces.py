"""One record, many surfaces: a number that appears twice is the same, by name, value and unit."""

import html
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from tests.answers.questions import Question, questions
from tests.cli.program import run, write
from tests.report.pages import unpack

import roctopus as rt
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.sentences import say_action, say_doubts, say_instead, say_value
from roctopus.report.payload import comparison_payload

mpl.use("Agg")
QUESTIONS = {question.name: question for question in questions()}
ONE = [name for name in QUESTIONS if name.endswith("one context")]
NUMBER = r"-?[\d,]*\.?\d+(?:e[-+]\d+)?"


def shown_as(text: str, value: float) -> bool:
    """Tell whether a text is a number, rounded to the digits that it shows."""
    plain = text.replace(",", "").strip()
    mantissa = plain.lower().partition("e")[0]
    decimals = len(mantissa.partition(".")[2])
    exponent = int(plain.lower().partition("e")[2] or 0)
    return abs(float(plain) - value) <= 0.5001 * 10.0 ** (exponent - decimals)


def cells_agree(cells: list[str], row: Any, tuned: bool) -> None:
    """Compare a line of a table that people read with the row it is made from."""
    assert cells[0] == row.name
    rest = cells[2:] if tuned else cells[1:]
    value, interval, raw, chance = rest
    assert shown_as(value, row.value)
    low, high = interval.split(" – ")
    assert shown_as(low, row.low)
    assert shown_as(high, row.high)
    assert raw == "–" if row.raw is None else shown_as(raw, row.raw)
    if row.chance is None:
        assert chance == "–"
    else:
        percent = float(re.findall(r"\d+", chance)[0]) / 100
        assert abs(percent - row.chance) <= 0.0101
    if tuned and row.knob:
        for text, setting in zip(cells[1].split(", "), row.knob, strict=True):
            assert text in ("inf", "-inf") or shown_as_digits(text, setting)


def shown_as_digits(text: str, value: float) -> bool:
    """Tell whether a text is a number with four digits."""
    return math.isclose(float(text.replace(",", "")), value, rel_tol=6e-4, abs_tol=1e-12)


class Tables(HTMLParser):
    """The cells of a table, line by line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[list[str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.inside = tag == "td"
        if tag == "tr":
            self.lines.append([])

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.lines[-1].append(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = False


def tuned(answer: Any) -> bool:
    return any(row.knob for row in answer.rows)


@pytest.mark.parametrize("name", QUESTIONS)
def test_frames_and_records_hold_the_rows(name: str) -> None:
    question = QUESTIONS[name]
    answer = question.answer
    frame = question.comparison.table(**question.asked, backend="pandas")
    assert frame["model"].tolist() == [row.name for row in answer.rows]
    for column, field in ((answer.value_name, "value"), *((f, f) for f in ("low", "high"))):
        assert frame[column].tolist() == [getattr(row, field) for row in answer.rows]
    for field in ("raw", "chance", "in_sample"):
        wanted = [math.nan if getattr(r, field) is None else getattr(r, field) for r in answer.rows]
        assert np.array_equal(frame[field].to_numpy(), wanted, equal_nan=True)
    mine = next(row for row in answer.rows if row.name == answer.decision.model)
    record = json.loads(answer.decision.to_json())
    assert (record["value"], record["low"], record["high"]) == (mine.value, mine.low, mine.high)
    for row in answer.rows:
        if row.baseline:
            held = record["beside"][row.name]
            assert (held["value"], held["low"], held["high"]) == (row.value, row.low, row.high)
        else:
            assert record["chances"][row.name] == row.chance
    if answer.decision.raw is not None:
        assert record["raw"]["value"] == mine.raw
    for field in ("setting_low", "setting_high"):
        assert [float(end) for end in record[field]] == list(getattr(answer.decision, field))
    assert type(answer.decision).from_dict(record).sentence == answer.sentence


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_sentence_holds_the_numbers_of_the_record(name: str) -> None:
    decision = QUESTIONS[name].answer.decision
    what = {"loss": "cost", "gain": "gain"}[decision.sense]
    said = say_value(decision)
    found = re.search(
        rf"{what}.*: ({NUMBER}) per case \(95 % interval ({NUMBER}) to ({NUMBER})\)", said
    )
    assert found is not None
    wanted = decision.value, decision.low, decision.high
    assert all(shown_as(text, x) for text, x in zip(found.groups(), wanted, strict=True))
    best = next(iter(decision.beside.values()))
    doing = re.escape(decision.words["baseline"])
    percent = re.search(rf"({NUMBER}) % (less|more) than {doing}", said)
    absolute = re.search(rf"({NUMBER}) (less|more) than {doing}", said)
    if percent is not None:
        assert shown_as(percent[1], 100 * abs(best.gain) / best.value)
    elif absolute is not None:
        assert shown_as(absolute[1], abs(best.gain))
    else:
        assert decision.verdict == "no model"
    later = re.search(
        rf"({NUMBER}) more cases and decide again, this falls to about ({NUMBER})\.",
        decision.sentence,
    )
    if later is not None:
        saved = dict(decision.worth)[int(later[1].replace(",", ""))]
        assert shown_as(later[2], decision.stake - saved)
    else:
        assert "falls" not in decision.sentence
    for text in (decision.words["asked"], f"{decision.cases:,} cases"):
        assert text in decision.sentence


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_may_be_done_instead_follows_the_advice(name: str) -> None:
    decision = QUESTIONS[name].answer.decision
    said, raw = say_instead(decision), decision.raw
    if raw is None or raw.sure or raw.gain_low == raw.gain_high:
        assert not said
        return
    assert decision.sentence.startswith(f"{say_action(decision)} {say_value(decision)} {said} ")
    would = {"loss": "would cost", "gain": "would gain"}[decision.sense]
    if raw.gain <= 0.0:
        assert said.startswith(f"You could also {decision.words['untuned']}: this {would} ")
    else:
        assert said.lower().startswith(f"{decision.words['raw']} {would} ".lower())
    assert ", but that could be chance (95 % interval: " in said
    found = re.search(
        rf"({NUMBER}) (less|more) per case.*: from ({NUMBER}) less to ({NUMBER}) more", said
    )
    assert found is not None
    loss = 1.0 if decision.sense == "loss" else -1.0
    low, high = sorted((loss * raw.gain_low, loss * raw.gain_high))
    assert (found[2] == "more") == (loss * raw.gain >= 0.0)
    wanted = abs(raw.gain), -low, high
    texts = found[1], found[3], found[4]
    assert all(shown_as(text, x) for text, x in zip(texts, wanted, strict=True))


def advised(decision: Any, low: float, high: float) -> tuple[float, float]:
    """Return settings as what to do speaks of them: at one cutoff, a threshold on predictions."""
    cutoff = decision.context.get("cutoff")
    return (low, high) if cutoff is None else (cutoff - high, cutoff - low)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_sentence_holds_the_settings_of_the_record(name: str) -> None:
    decision = QUESTIONS[name].answer.decision
    said = say_setting(decision)
    assert said in decision.sentence
    where = rf"between ({NUMBER}) and ({NUMBER})|at least ({NUMBER})|at most ({NUMBER})"
    sets = re.findall(where, said.partition("for future cases")[2])
    assert len(sets) == len(decision.setting_low)
    for found, *ends in zip(sets, decision.setting_low, decision.setting_high, strict=True):
        low, high = found[0] or found[2] or "-inf", found[1] or found[3] or "inf"
        for text, end in zip((low, high), advised(decision, *ends), strict=True):
            assert shown_as(text, end) if math.isfinite(end) else float(text) == end
    name = "threshold" if "cutoff" in decision.context else decision.knob_name
    several = "s" if len(sets) > 1 else ""
    assert not sets or f"he best {name}{several} for future cases" in said
    within = re.search(
        rf"You can round the {name}: on these cases, any {name} from ({NUMBER}) to ({NUMBER}) "
        rf"(?:costs|gains) at most ({NUMBER}) (?:more|less) per case than the best one\.",
        said,
    )
    if within is not None:
        assert decision.within is not None
        bounds = *advised(decision, *decision.within), decision.tolerance
        assert all(shown_as(text, x) for text, x in zip(within.groups(), bounds, strict=True))
    assert bool(said) == bool(sets or within)


@pytest.mark.parametrize("name", QUESTIONS)
def test_notebooks_and_markdown_show_the_rows(name: str) -> None:
    answer = QUESTIONS[name].answer
    page = Tables()
    page.feed(answer._repr_html_())
    lines = [line for line in page.lines if line]
    marked = [
        [cell.strip().replace("\\", "") for cell in line.strip("|").split("|")]
        for line in answer.to_markdown().splitlines()
        if line.startswith("|")
    ][2:]
    for shown in (lines, marked):
        assert len(shown) == len(answer.rows)
        for cells, row in zip(shown, answer.rows, strict=True):
            cells_agree(cells, row, tuned(answer))
    for said in (answer.sentence.split(". ")[0], say_setting(answer.decision)):
        assert said in answer.to_markdown().replace("\\", "")
        assert said in html.unescape(answer._repr_html_())


def ask_program(question: Question, folder: Path, *more: str) -> Any:
    file = write(folder / "cases.parquet", question.columns())
    models = ("--models", *question.predictions)
    said = (file, "--truth", "truth", *models, *question.said, *more)
    done = run("compare", *said, cwd=folder, COLUMNS="200")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_program_answers_the_same(name: str, tmp_path: Path) -> None:
    question = QUESTIONS[name]
    answer = question.answer
    told = json.loads(ask_program(question, tmp_path, "--json"))
    assert told["verdict"] == answer.decision.verdict
    assert told["sentence"] == answer.sentence
    assert [row["name"] for row in told["rows"]] == [row.name for row in answer.rows]
    for found, row in zip(told["rows"], answer.rows, strict=True):
        for field in ("value", "low", "high", "raw", "chance"):
            value = getattr(row, field)
            assert found[field] == (None if value is None else pytest.approx(value, rel=1e-9))
    text = ask_program(question, tmp_path, "--decision", "decision.json")
    lines = text.splitlines()
    decision = answer.decision
    first = (say_action(decision), say_value(decision), say_instead(decision))
    said = (*first, *say_doubts(decision), say_setting(decision))
    assert all(line in lines for line in said if line)
    for row in answer.rows:
        line = next(each for each in lines if re.match(rf"{re.escape(row.name)}  ", each))
        cells_agree(re.split(r" {2,}", line.strip()), row, tuned(answer))
    held = json.loads((tmp_path / "decision.json").read_text())
    assert held["value"] == pytest.approx(decision.value, rel=1e-9)
    assert held["words"] == decision.words
    for record in (held, told["decision"]):
        for field in ("setting_low", "setting_high"):
            ends = [float(end) for end in record[field]]
            assert ends == pytest.approx(getattr(decision, field), rel=1e-9)


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_picture_of_choices_has_the_rows(name: str) -> None:
    question = QUESTIONS[name]
    drawn = question.comparison.plot(kind="choices", **question.asked)
    found = [(dot.name, dot.value, dot.low, dot.high, dot.raw) for dot in drawn.rows]
    rows = question.answer.rows
    assert found == [(row.name, row.value, row.low, row.high, row.raw) for row in rows]
    names = [label.get_text() for label in drawn.ax_.get_yticklabels()]
    assert names == [row.name for row in question.answer.rows]
    plt.close(drawn.figure_)


PAGES = [
    pytest.param(
        name,
        marks=() if ", use," in name else pytest.mark.thorough(reason="pages of all questions"),
    )
    for name, question in QUESTIONS.items()
    if "context" not in question.options  # a page is of one context for all cases
]


@pytest.mark.parametrize("name", PAGES)
def test_the_page_says_the_same(name: str) -> None:
    question = QUESTIONS[name]
    answer = question.answer
    payload = comparison_payload(
        question.comparison, context=question.asked, title="", unit="", min_cases=10, exact=True
    )
    told = payload["asked"]
    if name in ONE:
        (told,) = [each for each in payload["answers"] if each["context"] == payload["first"]]
    decision = json.loads(told["text"])
    assert told["setting"] == say_setting(answer.decision)
    assert [row["name"] for row in told["rows"]] == [row.name for row in answer.rows]
    for row, wanted in zip(told["rows"], answer.rows, strict=True):
        assert row["baseline"] == wanted.baseline
        assert unpack(row["knob"]) == pytest.approx(wanted.knob, rel=1e-9)
        for field in ("value", "low", "high", "raw", "chance"):
            found, expected = row[field], getattr(wanted, field)
            assert (found is None) == (expected is None)
            assert found is None or found == pytest.approx(expected, rel=1e-9, nan_ok=True)
    assert decision["verdict"] == answer.decision.verdict
    for field in ("value", "low", "high", "stake"):
        assert decision[field] == pytest.approx(getattr(answer.decision, field), rel=1e-9)
    for field in ("setting_low", "setting_high"):
        ends = [float(end) for end in decision[field]]
        assert ends == pytest.approx(getattr(answer.decision, field), rel=1e-9)
    assert decision["words"] == answer.decision.words


@pytest.mark.parametrize("asked", ["distribution", "between"])
def test_what_is_done_without_tuning_is_what_the_sentence_says(asked: str) -> None:
    """One decision for many costs stands beside one threshold, not beside one for each cost."""
    rng = np.random.default_rng(0)
    ill = rng.random(1000) < 0.3
    score = 1.0 / (1.0 + np.exp(1.2 - 1.8 * ill - rng.normal(size=1000)))
    comparison = rt.compare(ill, {"a": score}, arm="probability")
    wanted = {"distribution": rt.Uniform(0.1, 0.5)} if asked == "distribution" else {}
    wanted = wanted or {"between": (0.1, 0.5), "criterion": "worst"}
    decision = comparison.decide(**wanted)
    found = re.search(r"sing the threshold ([\d.]+) that average costs imply", decision.sentence)
    assert found is not None
    accepted, at = score >= float(found[1]), [0.3] if asked == "distribution" else [0.1, 0.5]
    costs = [
        2.0 * x * np.mean(accepted & ~ill) + 2.0 * (1.0 - x) * np.mean(~accepted & ill) for x in at
    ]
    assert decision.raw.value == pytest.approx(max(costs))

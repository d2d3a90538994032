"""The built documentation: links, references, and the questions of newcomers."""

import importlib
import json
import re
import sys
import tomllib
from functools import cache
from urllib.parse import urldefrag

import pytest
from built import PAGES, ROOT, SITE, WRITTEN, read, target
from sphinx.search.en import SearchEnglish

QUESTIONS = tomllib.loads((ROOT / "docs/questions.toml").read_text(encoding="utf-8"))["question"]
pytestmark = pytest.mark.xdist_group("site")  # read by one worker, while the other does other tests


@cache
def exists(file):
    return (SITE / file).is_file()


def broken(page, link):
    """Say whether a link leads nowhere."""
    place = target(page, link)
    if place is None:
        return not link.startswith(("https://", "mailto:"))
    file, anchor = place
    if not exists(file):
        return True
    return bool(anchor) and file.endswith(".html") and anchor not in read(file).text


def test_links_lead_somewhere():
    links = [(page, link) for page in PAGES for link in read(page).links + read(page).loads]
    assert len(links) > 10_000
    assert [each for each in links if broken(*each)] == []


def test_nothing_is_loaded_from_elsewhere():
    loads = [(page, load) for page in PAGES for load in read(page).loads]
    assert [(page, load) for page, load in loads if target(page, load) is None] == []


def test_names_that_are_referred_to_exist():
    assert [(page, name) for page in WRITTEN for name in read(page).dead] == []


def test_every_public_name_has_a_page():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        reference = importlib.import_module("reference")
    finally:
        sys.path.pop(0)
    names = [
        reference.place(name, package)
        for package in reference.PACKAGES
        for name in reference.public_names(package)
    ]
    assert len(names) > 250
    assert [name for name in names if f"api/names/{name}.html" not in PAGES] == []


@cache
def clicks():
    """Return how many clicks away from the first page every page is."""
    far = {"index.html": 0}
    frontier = ["index.html"]
    while frontier:
        page = frontier.pop(0)
        for link in read(page).links:
            place = target(page, link)
            if place and place[0] not in far and place[0].endswith(".html"):
                far[place[0]] = far[page] + 1
                frontier.append(place[0])
    return far


@pytest.mark.parametrize("question", QUESTIONS, ids=range(1, len(QUESTIONS) + 1))
def test_question_is_answered_within_two_clicks(question):
    page, anchor = urldefrag(question["page"])
    assert clicks()[page] <= 2
    answer = " ".join("".join(read(page).text[anchor]).split()).lower().replace("’", "'")
    for words in question["says"]:
        assert words.lower() in answer, words


def test_examples_predict_the_same_in_another_process():
    text = {page: "".join(read(page).text[""]) for page in PAGES if page.startswith("gallery/")}
    said = {
        page: re.findall(r"elsewhere: +(\[.*\])\s+here: +(\[.*\])", each)
        for page, each in text.items()
    }
    found = {page: pairs[0] for page, pairs in said.items() if pairs}
    assert len(found) == 5  # an example per arm
    assert {page for page, (there, here) in found.items() if there != here} == set()


@cache
def index():
    """Return the search index: the pages by number, and the pages that contain each stem."""
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    return found["docnames"], found["terms"], found["titleterms"]


GUESSED = """vus aoc delong ece youden lift auroc linex gini lift expectile newsvendor drift
calibration|curve decision|curve|analysis quantile|loss pinball|loss cost|curve net|benefit
c|statistic partial|auc average|precision brier|score mann|whitney h|measure rec|curve
hand|till value|information minimax|regret diebold|mariano tost uplift mcc|f1|matthews"""


@pytest.mark.parametrize("guess", sorted(set(GUESSED.split())))
def test_search_finds_what_people_call_it(guess):
    docnames, terms, titles = index()
    page = docnames.index("names")
    for word in guess.split("|"):
        if len(word) > 1:  # the search passes over single letters
            stem = SearchEnglish({}).stem(word)
            pages = [terms.get(stem, []), titles.get(stem, [])]
            assert page in [
                n for each in pages for n in ([each] if isinstance(each, int) else each)
            ]


def test_the_reference_leads_with_nine_words():
    page = (SITE / "api/index.html").read_text(encoding="utf-8")
    terms = [re.sub("<[^>]*>", "", each) for each in re.findall(r"<dt>(.*?)</dt>", page, re.DOTALL)]
    assert terms == [
        *("Comparison", "Answer", "Decision", "Estimate", "ContextCurve", "TradeoffCurve"),
        *("Envelope", "distribution", "utility"),
    ]


def test_there_are_thirty_questions():
    assert len(QUESTIONS) == 30


def test_every_page_can_be_reached():
    apart = {"search.html", "genindex.html", "py-modindex.html"}
    assert set(PAGES) - set(clicks()) - apart == set()

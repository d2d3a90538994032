"""A verdict is computed; a page tells it, and trusts no text."""

import json

import pytest
from matplotlib import pyplot as plt
from reproduction.page import errata, sentence, write_index, write_page
from reproduction.records import Claim, Page, Value, Verdict


@pytest.mark.parametrize(
    ("ours", "printed", "options", "verdict"),
    [
        (1.2349, "1.23", {}, Verdict.MATCH),
        (1.2351, "1.23", {}, Verdict.CUT),
        (1.2399, "1.23", {}, Verdict.CUT),
        (1.2401, "1.23", {}, Verdict.UNEXPLAINED),
        (1.2249, "1.23", {}, Verdict.UNEXPLAINED),  # cut off means towards zero
        (-1.239, "-1.23", {}, Verdict.CUT),
        (-1.221, "-1.23", {}, Verdict.UNEXPLAINED),
        (8.34e6, "83e5", {}, Verdict.MATCH),
        (0.0, "-0.00", {}, Verdict.MATCH),
        (1.3, "1.23", {"within": 0.1}, Verdict.MATCH),
        (1.4, "1.23", {"within": 0.1}, Verdict.UNEXPLAINED),
        (1.4, "1.23", {"within": 0.1, "reason": "chance"}, Verdict.EXPLAINED),
        (0.85125, "0.874", {"erratum": 30, "right": 0.85125}, Verdict.ERRATUM),
        (0.86, "0.874", {"erratum": 30, "right": 0.85125}, Verdict.UNEXPLAINED),
        (0.874, "0.874", {"erratum": 30, "right": 0.85125}, Verdict.MATCH),
        (0.86, "0.874", {"erratum": 30}, Verdict.UNEXPLAINED),
        (float("nan"), "0.874", {}, Verdict.UNEXPLAINED),
    ],
)
def test_a_value_is_judged_by_the_digits_printed(ours, printed, options, verdict):
    assert Value("it", ours, printed, **options).verdict is verdict


@pytest.mark.parametrize(
    ("holds", "options", "verdict"),
    [
        (True, {}, Verdict.MATCH),
        (False, {}, Verdict.UNEXPLAINED),
        (False, {"reason": "other data"}, Verdict.EXPLAINED),
        (False, {"erratum": 24}, Verdict.ERRATUM),
        (True, {"erratum": 24}, Verdict.UNEXPLAINED),  # then the erratum is wrong
    ],
)
def test_an_erratum_must_be_seen(holds, options, verdict):
    assert Claim("it", holds, "seen", **options).verdict is verdict


def test_all_errata_are_numbered_and_told():
    found = errata()
    assert sorted(found) == list(range(1, len(found) + 1))
    assert all(len(text) > 30 and text.startswith(("[", "Theorem", "Corollary", "Asymmetric"))
               for text in found.values())  # fmt: skip


def page_of_everything():
    page = Page("made-up", "A <title>", "Nobody & co")
    page.section("First <section>", "Text with <b>marks</b>.")
    page.value("a <value>", 1.0, "1")
    page.value("wrong", 2.0, "1")
    page.claim("<claim>", False, "seen <this>", erratum=24)
    page.absent("<absent>", "no <data>")
    page.table(["<x>"], [["<y>"]], "<own>")
    page.grid(["", "c<"], [("<row>", [Value("in a grid", 3.0, "3"), None][:1])], "<grid>")
    page.figure("Figure 1", plt.figure(figsize=(1, 1)), "<caption>")
    return page


def test_a_page_escapes_all_it_is_told(tmp_path):
    page = page_of_everything()
    path = write_page(page, tmp_path)
    text = path.read_text("utf-8")
    for word in ("title", "section", "value", "claim", "this", "absent", "data", "x", "y", "own",
                 "row", "grid", "caption"):  # fmt: skip
        assert f"&lt;{word}&gt;" in text
    assert "<b>marks" not in text
    assert "id=erratum-24" in text
    assert (tmp_path / "made-up" / "Figure 1.png").read_bytes()[1:4] == b"PNG"
    assert page.counts()[Verdict.MATCH.value] == 2


def test_the_summary_lists_what_is_unexplained(tmp_path):
    write_page(page_of_everything(), tmp_path)
    (tmp_path / "foreign.json").write_text("{}")
    index, told = write_index(tmp_path, ["made-up", "not-run"])
    assert "4 values and statements compared: 2 match, 1 are explained by an erratum" in told
    assert "wrong" in index.read_text("utf-8")
    listed = json.loads((tmp_path / "made-up.json").read_text("utf-8"))["listed"]
    assert [each["what"] for each in listed] == ["wrong", "<absent>"]


def test_an_empty_page_can_be_written(tmp_path):
    page = Page("empty", "Nothing", "")
    assert write_page(page, tmp_path).exists()
    assert sentence(page.counts(), 0).startswith("0 values")

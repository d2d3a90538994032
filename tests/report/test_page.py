"""The page in a browser: its numbers are Python's, and it can be used."""

import csv
import io
import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pages import (
    ARTEFACTS,
    ROOT,
    Opened,
    continuous,
    data_of,
    examples,
    numbers_in,
    unpack,
)

import roctopus as rt
from roctopus.concepts.said_settings import say_setting
from roctopus.concepts.sentences import error_of, say_action, say_doubts
from roctopus.concepts.wording import sized
from roctopus.report import write_page

ARMS = ["regression", "cutoff", "ordinal", "probability", "impact"]
CELLS = ("value", "regret", "knob", "untuned")


@pytest.mark.parametrize("arm", ARMS)
def test_every_number_is_pythons(chrome, pages, arm):
    comparison, first = examples()[arm]
    between = first.pop("between", None)
    problem, aim = comparison.aim(between, None, None, first)
    path = pages(arm, exact=True)
    stored = unpack(data_of(path)["contexts"])
    opened = Opened(chrome, path)
    curves = {name: problem.curve(p) for name, p in comparison.predictions.items()}
    rng = np.random.default_rng(0)
    inner = stored[1:-1]
    known = np.sort(rng.choice(inner, 19, replace=False))
    start = opened.number(".big")
    assert start == pytest.approx(aim.middle, abs=1e-12)
    contexts = [start, *known.tolist()]
    for x, shown in zip(contexts, opened.sweep(contexts), strict=True):
        assert shown.context == x
        assert "Curves are exact here." in shown.footer
        values = {name: float(curve.at(x)) for name, curve in curves.items()}
        sign = 1.0 if problem.sense == "loss" else -1.0
        best = min(values.values(), key=lambda value: sign * value)
        for k, (name, prediction) in enumerate(comparison.predictions.items()):
            cell = {what: shown.cells.get(f"{k} {what}") for what in CELLS}
            assert cell["value"][0] == pytest.approx(values[name], rel=1e-9, abs=1e-12)
            regret = sign * (values[name] - best)
            assert cell["regret"][0] == pytest.approx(regret, rel=1e-9, abs=1e-9)
            if problem.knob_name is None:
                continue
            knob = problem.tune(prediction, np.array([x]), np.zeros(1)).chosen
            assert cell["knob"] == pytest.approx(knob.tolist(), rel=1e-9)
            if not problem.raw_meant(problem.knob_values(prediction)):
                assert cell["untuned"] is None or np.isnan(cell["untuned"][0])
                continue
            untuned = np.mean(problem.untuned(prediction, x, x))
            assert cell["untuned"][0] == pytest.approx(untuned, rel=1e-9, abs=1e-12)
    check_between(opened, curves.values(), rng.uniform(stored[0], stored[-1], 10).tolist())
    opened.close()


def check_between(opened, curves, contexts):
    """See that what is shown is as near to the curves as the page says; return how near."""
    swept = opened.sweep(contexts)
    for shown in swept:
        for k, curve in enumerate(curves):
            (value,) = shown.cells[f"{k} value"]
            assert abs(value - float(curve.at(shown.context))) <= shown.error + 1e-9 * abs(value)
    return swept


@pytest.mark.parametrize("arm", ARMS)
def test_shared_pages_are_as_near_as_they_say(chrome, pages, arm):
    comparison, first = examples()[arm]
    between = first.pop("between", None)
    problem, _ = comparison.aim(between, None, None, first)
    data = data_of(pages(arm))
    stored = unpack(data["contexts"])
    # Without settings in the page, curves are of predictions as they are.
    tuned = [each["knobs"] != [] for each in data["curves"]]
    curves = [
        problem.curve(p) if is_tuned else problem.untuned_curve(p)
        for p, is_tuned in zip(comparison.predictions.values(), tuned, strict=True)
    ]
    opened = Opened(chrome, pages(arm))
    rng = np.random.default_rng(1)
    between_them = rng.uniform(stored[0], stored[-1], 40).tolist()
    check_between(opened, curves, between_them)
    known = stored[1:-1][:: max(1, len(stored) // 20)].tolist()
    for x, shown in zip(known, check_between(opened, curves, known), strict=True):
        assert shown.context == x
        at = stored.tolist().index(x)
        gaps = []
        for k, curve in enumerate(data["curves"]):
            low, high = (unpack(curve[each])[at] for each in ("low", "high"))
            middle = unpack(curve["likely"])[at] if "likely" in curve else 0.5 * (low + high)
            assert shown.cells[f"{k} value"] == [middle]
            assert low <= middle <= high
            gaps.append(max(middle - low, high - middle))
        assert shown.error == pytest.approx(max(gaps), abs=1e-15)
    opened.close()


def as_typed(text):
    """Return text with the minus sign of keyboards."""
    return text.replace("−", "-")


@pytest.mark.parametrize("arm", ARMS)
def test_the_first_screen_is_the_answer(chrome, pages, arm):
    comparison, first = examples()[arm]
    path = pages(arm, exact=True)
    data = data_of(path)
    opened = Opened(chrome, path)
    page = opened.page
    between = first.pop("between", None)
    problem, _ = comparison.aim(between, None, None, first)
    for x in [each["context"] for each in data["answers"]][::6]:
        opened.go_to(x)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rt.RoctopusWarning)
            asked = x == data["first"] and between is None
            answer = comparison.answer(**(first if asked else problem.context_words(x)))
        decision = answer.decision
        assert page.locator(".headline").inner_text() == say_action(decision)
        assert page.locator(".verdict").text_content() == decision.verdict
        assert opened.number('[data-fact="value"]') == pytest.approx(decision.value, rel=1e-9)
        tile = as_typed(page.locator('.tile:has([data-fact="value"])').inner_text())
        value, low, high = (
            sized(each, error_of(decision.low, decision.high))
            for each in (decision.value, decision.low, decision.high)
        )
        assert tile.startswith(f"{value}\n")
        assert f"{low} to {high}" in tile
        if decision.raw is not None:
            assert opened.number('[data-fact="raw"]') == pytest.approx(decision.raw.gain, rel=1e-9)
        if decision.verdict != "no model":
            best = next(iter(decision.beside.values()))
            assert opened.number('[data-fact="baseline"]') == pytest.approx(best.gain, rel=1e-9)
            told = page.locator('.tile:has([data-fact="baseline"])').inner_text()
            assert decision.words["baseline"] in told
        stake = page.locator('[data-fact="stake"]').inner_text()
        assert " ".join(say_doubts(decision)) in stake
        setting = page.locator('[data-fact="setting"]')
        assert as_typed(setting.text_content() or "") == say_setting(decision)
        for row in answer.rows:
            dot = page.locator(f'[data-choice="{row.name}"]')
            assert float(dot.get_attribute("data-value")) == pytest.approx(row.value, rel=1e-9)
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download decision").click()
        assert rt.Decision.from_json(Path(waiting.value.path()).read_text()) == decision
    opened.close()


@pytest.mark.parametrize("arm", ["regression", "ordinal", "probability"])
def test_the_relative_picture_is_pythons(chrome, pages, arm):
    comparison, first = examples()[arm]
    problem, _ = comparison.aim(None, None, None, first)
    opened = Opened(chrome, pages(arm, exact=True))
    x = opened.number(".big")
    values = {name: float(problem.curve(p).at(x)) for name, p in comparison.predictions.items()}
    best = min(values.values())
    marks = opened.page.locator(".excess circle[data-model]")
    assert marks.count() >= 2
    for mark in marks.all():
        name = comparison.models[int(mark.get_attribute("data-model"))]
        told = 100 * (values[name] - best) / best
        assert float(mark.get_attribute("data-value")) == pytest.approx(told, abs=1e-7)
    assert opened.page.locator(".excess path.dotted").count() == 1
    assert opened.page.locator(".excess path.dashed").count() == 1
    opened.close()


def test_costs_are_typed_as_costs(chrome, pages):
    comparison, _ = examples()["regression"]
    opened = Opened(chrome, pages("regression", exact=True))
    page = opened.page
    before = opened.cell("0", "value")[0] / comparison.curves()["ridge"].at(0.8)
    assert before == pytest.approx(2.5)
    assert [each.input_value() for each in page.locator(".cost").all()] == ["4", "1"]
    for cost, typed in zip(page.locator(".cost").all(), ("5", "2"), strict=True):
        cost.fill(typed)
        cost.press("Enter")
    assert opened.number(".big") == pytest.approx(5 / 7)
    assert [each.input_value() for each in page.locator(".cost").all()] == ["5", "2"]
    problem, _ = comparison.aim(None, None, None, {"under_cost": 5, "over_cost": 2})
    curve = problem.curve(comparison.predictions["ridge"])
    assert opened.cell("0", "value")[0] == pytest.approx(curve.at(5 / 7), rel=1e-3)
    again = Opened(
        chrome,
        pages("regression", exact=True),
        fragment="#" + page.evaluate("location.hash").lstrip("#"),
    )
    assert [each.input_value() for each in again.page.locator(".cost").all()] == ["5", "2"]
    assert again.cell("0", "value") == opened.cell("0", "value")
    again.close()
    page.locator(".cost").nth(0).fill("-3")
    page.locator(".cost").nth(0).press("Enter")
    assert page.get_by_role("alert").filter(has_text="zero or more").is_visible()
    assert opened.number(".big") == pytest.approx(5 / 7)
    opened.close()


def test_costs_of_classes_hold_on_the_page(tmp_path):
    comparison, _ = examples()["ordinal"]
    asked = {"costs": [3.0, 4.0, 1.0]}
    comparison.to_html(tmp_path / "x.html", **asked, exact=True)
    data = data_of(tmp_path / "x.html")
    regions = [(low, high, comparison.models[k]) for low, high, k in data["regions"]]
    assert regions == [(r.low, r.high, r.model) for r in comparison.regions(**asked)]
    decision = comparison.decide(**asked)
    (at,) = [each for each in data["answers"] if each["context"] == 1.0]
    assert rt.Decision.from_json(at["text"]) == decision
    k = comparison.models.index(decision.model)
    shown = unpack(data["curves"][k]["values"])[unpack(data["contexts"]).tolist().index(1.0)]
    assert shown == pytest.approx(decision.in_sample)


def test_a_phone_shows_the_answer_first_and_the_costs(chrome, pages):
    opened = Opened(chrome, pages("regression"), width=360)
    answer, controls = (
        opened.page.locator(f".view:not([hidden]) .{name}").bounding_box()
        for name in ("answer", "controls")
    )
    assert answer["y"] < controls["y"]
    cell = opened.page.locator('tr[data-model="0"] [data-cell="honest"]').bounding_box()
    assert cell["x"] + cell["width"] <= 360
    opened.close()


def test_tuning_that_may_not_help_is_said(chrome, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 300)
    sure = {"a": y + rng.normal(0, 2, 300) - 20}
    unsure = {"a": y + rng.normal(0, 2, 300)}
    for models, told in ((sure, True), (unsure, False)):
        path = tmp_path / "x.html"
        # Rounded, the second shift is none: predictions would stand beside themselves.
        rt.compare(y, models, arm="regression").to_html(path, asymmetry=0.5, exact=not told)
        opened = Opened(chrome, path)
        tile = opened.page.locator('.tile:has([data-fact="raw"])').inner_text()
        assert ("could be chance" not in tile) is told
        opened.close()


def test_slider_keys_drag_and_state(chrome, pages):
    opened = Opened(chrome, pages("regression", exact=True))
    page = opened.page
    slider = page.locator("input[type=range]")
    slider.focus()
    stored = unpack(data_of(pages("regression", exact=True))["contexts"])
    for key, at in (("Home", 0), ("ArrowRight", 1), ("PageUp", 11), ("ArrowLeft", 10)):
        slider.press(key)
        assert opened.number(".big") == stored[at]
    slider.press("End")
    assert opened.number(".big") == 1.0
    curves = page.locator('section[aria-label^="Cost of each model"] svg.draggable')
    curves.scroll_into_view_if_needed()
    box = curves.bounding_box()
    before = page.evaluate("location.href")
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 60)
    assert page.locator(".readout").is_visible()
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 60, steps=5)
    moving = page.evaluate("location.href")
    page.mouse.up()
    assert moving == before  # the address is written when it is done, not on the way
    assert page.evaluate("location.href") != before
    dragged = opened.number(".big")
    assert 0.3 < dragged < 0.6
    space = page.locator('section[aria-label^="RROC"] svg.draggable').bounding_box()
    page.mouse.click(space["x"] + 0.9 * space["width"], space["y"] + 30)
    assert opened.number(".big") > dragged
    page.get_by_label("Show ridge").uncheck()
    shown = page.locator('section[aria-label^="Cost of each model"] path.curve')
    assert shown.count() == 4
    page.get_by_role("button", name="new cases, 95 % band").click()
    assert page.locator("path.band").count() == 4
    url = page.evaluate("location.href")
    again = Opened(chrome, pages("regression", exact=True), fragment="#" + url.split("#")[1])
    assert again.number(".big") == opened.number(".big")
    assert not again.page.get_by_label("Show ridge").is_checked()
    assert again.page.locator("path.band").count() == 4
    opened.close()
    again.close()


@pytest.mark.parametrize("arm", ["regression", "cutoff", "ordinal"])
def test_the_csv_is_the_table(chrome, pages, arm):
    opened = Opened(chrome, pages(arm))
    page = opened.page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download this table as CSV").click()
    text = Path(waiting.value.path()).read_text()
    read = list(csv.reader(io.StringIO(text)))
    table = page.locator("table tr").all()
    shown = [
        [as_typed(cell) for cell in row.locator("th, td").all_inner_texts()[1:]] for row in table
    ]
    assert [["" if cell == "–" else cell for cell in row] for row in shown] == read
    assert read[0][:2] == ["model", "expected cost"]
    if arm == "ordinal":
        assert "thresholds" in read[0]
    else:
        assert ("shift (units)" if arm == "regression" else "margin (units)") in read[0]
    answers = data_of(pages(arm))["answers"]
    first = data_of(pages(arm))["first"]
    (rows,) = [each["rows"] for each in answers if each["context"] == first]
    assert [row[0] for row in read[1:]] == [row["name"] for row in rows]
    assert [float(row[1]) for row in read[1:]] == pytest.approx([row["value"] for row in rows])
    opened.close()


def test_downloads_and_the_line_to_copy(chrome, pages):
    opened = Opened(chrome, pages("regression", exact=True))
    page = opened.page
    for button in page.get_by_role("button", name="Download this picture as SVG").all():
        with page.expect_download() as waiting:
            button.click()
        drawn = ElementTree.fromstring(Path(waiting.value.path()).read_text())
        assert drawn.tag.endswith("svg")
        assert len(list(drawn.iter())) > 30
    assert "from_json" in page.locator(".deploy code").inner_text()
    page.get_by_role("button", name="Copy Python").click()
    opened.close()


def test_a_distribution_is_drawn_by_hand(chrome, pages):
    comparison, first = examples()["regression"]
    problem, _ = comparison.aim(None, None, None, first)
    opened = Opened(chrome, pages("regression", exact=True))
    page = opened.page
    curves = {name: problem.curve(p) for name, p in comparison.predictions.items()}
    best = rt.envelope(curves)

    def shown(key):
        texts = page.locator(".distribution dd").all()
        return float(texts[["frozen", "following", "worth"].index(key)].get_attribute("data-value"))

    flat = rt.Uniform(0.0, 1.0)
    assert shown("following") == pytest.approx(best.expect(flat), rel=1e-9)
    assert shown("frozen") == pytest.approx(float(best.at(0.5)), rel=1e-9)
    bars = page.locator(".distribution .bar")
    for k in range(10):  # nothing below one half
        bars.nth(k).focus()
        for _ in range(11):
            page.keyboard.press("ArrowDown")
    upper = rt.Uniform(0.5, 1.0)
    assert shown("following") == pytest.approx(best.expect(upper), rel=1e-6)
    box = page.locator(".distribution svg").bounding_box()
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 30)
    assert shown("following") != pytest.approx(best.expect(upper), rel=1e-6)
    opened.close()


@pytest.mark.parametrize("arm", ARMS)
def test_screens_of_every_size_and_accessibility(chrome, pages, arm):
    axe = (ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text()
    ARTEFACTS.mkdir(exist_ok=True)
    for width in (360, 820, 1600):
        opened = Opened(chrome, pages(arm), width=width)
        opened.page.evaluate(axe)
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            page = opened.page
            page.emulate_media(color_scheme=scheme)
            page.evaluate("Promise.all(document.getAnimations().map(each => each.finished))")
            page.screenshot(path=ARTEFACTS / f"{arm}-{width}-{scheme}.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{arm} at {width} px is {wide} px wide"
            found = page.evaluate(
                "rules => axe.run(document, {resultTypes: ['violations'], ...rules})", rules
            )
            serious = [
                (each["id"], [node["html"][:120] for node in each["nodes"][:3]])
                for each in found["violations"]
                if each["impact"] in ("serious", "critical")
            ]
            assert serious == []
        opened.close()


HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "\"quotes' & <b>bold</b>",
    "مرحبا بالعالم",
    "🦑 emoji",
    "x" * 200,
    "",
    "{{data}} {{title}}",
    "=cmd()",
]


def test_hostile_names_are_text(chrome, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 200)
    models = {name: y + rng.normal(0, 2 + k, 200) for k, name in enumerate(HOSTILE)}
    comparison = rt.compare(y, models, arm="regression")
    tabs = {HOSTILE[0]: comparison, HOSTILE[2]: comparison}
    write_page(tmp_path / "x.html", tabs, title=HOSTILE[0], unit="<i>u</i>", asymmetry=0.3)
    opened = Opened(chrome, tmp_path / "x.html", width=360)
    page = opened.page
    assert page.title() == HOSTILE[0]
    assert page.locator("h1").inner_text() == HOSTILE[0]
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    shown = page.locator(".view:not([hidden]) .name").all_inner_texts()
    for name in HOSTILE[:4]:
        assert any(name in text for text in shown)
    assert any("(no name)" in text for text in shown)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_download() as waiting:
        page.locator(".view:not([hidden])").get_by_role(
            "button", name="Download this table as CSV"
        ).click()
    names = {
        row["model"] for row in csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text()))
    }
    assert "'=cmd()" in names
    page.get_by_role("tab").nth(1).click()
    assert page.locator(".view:not([hidden])").count() == 1
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("tab").nth(0).get_attribute("aria-selected") == "true"
    opened.close()


def test_odd_comparisons_are_sensible(chrome, tmp_path):
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 200)
    good = y + rng.normal(0, 2, 200)
    odd = {
        "one": {"only": good},
        "equal": {"a": good, "b": y + rng.normal(0, 2, 200)},
        "never": {"a": good, "bad": good + rng.normal(0, 30, 200)},
        "constant": {"a": np.full(200, 30.0), "b": good},
        "all constant": {"a": np.full(200, 30.0)},
        "many": {f"model {k}": y + rng.normal(0, 2 + k / 10, 200) for k in range(30)},
    }
    said = {}
    for name, models in odd.items():
        path = tmp_path / f"{name}.html"
        rt.compare(y, models, arm="regression").to_html(path, asymmetry=0.7)
        opened = Opened(chrome, path)
        opened.page.screenshot(path=ARTEFACTS / f"odd-{name.replace(' ', '-')}.png", full_page=True)
        said[name] = opened.page.locator(".answer").inner_text()
        if name == "many":
            shown = opened.page.locator('section[aria-label^="Cost of each model"] path.curve')
            assert shown.count() == 8
            assert opened.page.locator("tbody tr[data-model]").count() == 30
        opened.close()
    assert "Use only" in said["one"]
    assert "one model" in said["one"]
    assert "You could just as well use b and add" in said["equal"]
    assert "Use a" in said["never"]
    assert "Use b" in said["constant"]
    assert "predict " in said["all constant"]


def test_no_value_of_a_row_is_in_the_page(tmp_path):
    rng = np.random.default_rng(0)
    size = 300
    y = rng.gamma(3.0, 10.0, size)
    risk = rng.beta(1, 3, size)
    label = (rng.random(size) < risk).astype(float)
    noisy = y + rng.normal(0, 4, size)
    grade = np.digitize(y, [20, 40])
    cases = {
        "regression": (rt.compare(y, {"a": noisy}, arm="regression"), {"asymmetry": 0.7}),
        "cutoff": (rt.compare(y, {"a": noisy}, arm="cutoff"), {"cutoff": 33.3}),
        "probability": (
            rt.compare(label, {"a": risk}, arm="probability"),
            {"cost_proportion": 0.2},
        ),
        "ordinal": (rt.compare(grade, {"a": noisy}, arm="ordinal"), {"costs": [1, 2, 3]}),
        "impact": (
            rt.compare(y, {"a": noisy}, arm="impact", utility=rt.value_minus_cutoff),
            {"theta": 30},
        ),
    }
    rows = np.concatenate([y, noisy, risk, y - noisy, noisy - y])
    rows = np.concatenate([rows, -rows])
    for arm, (comparison, first) in cases.items():
        path = tmp_path / f"{arm}.html"
        comparison.to_html(path, **first)
        found = np.array(list(numbers_in(data_of(path))))
        found = found[np.isfinite(found)]
        near = np.min(np.abs(found[:, None] - rows[None, :]), axis=1)
        told = found[near <= 1e-9 * np.maximum(np.abs(found), 1e-3)]
        assert len(told) == 0, (arm, told[:5])
        comparison.to_html(path, **first, exact=True)
        assert data_of(path)["minCases"] == 0


def test_the_page_says_what_it_tells(chrome, pages):
    for exact, said in (
        (False, "groups of at least 10 cases each"),
        (False, "no single case can be read from it"),
        (False, "may be off by up to"),
        (True, "This page contains exact values, which can reveal single rows"),
    ):
        opened = Opened(chrome, pages("regression", exact=exact))
        assert said in opened.page.locator("footer").inner_text()
        opened.close()


def test_the_file_stands_alone(pages):
    text = pages("regression").read_text()
    template = (ROOT / "src" / "roctopus" / "report" / "template.html").read_text()
    assert len(template.encode()) <= 300_000
    assert "default-src 'none'" in template
    used = text.replace("http://www.w3.org/", "").replace("url(#", "")  # names, and clips
    for word in ("http://", "https://", "//cdn", "@import", "url("):
        assert word not in used, word
    assert "unsafe-inline" not in template


def test_a_page_that_fails_leaves_the_old_one_whole(tmp_path):
    path = tmp_path / "x.html"
    comparison = continuous()
    comparison.to_html(path, asymmetry=0.5)
    before = path.read_bytes()
    with pytest.raises(rt.InputError, match="between 0 and 1"):
        comparison.to_html(path, asymmetry=1.5)
    with pytest.raises(rt.InputError, match="min_cases"):
        comparison.to_html(path, min_cases=0)
    with pytest.raises(rt.InputError, match="must be a comparison"):
        write_page(path, {"a": 3})
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["x.html"]


def test_notebooks_show_the_page():
    shown = continuous()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "sandbox=" in shown
    many = continuous(size=20_000)._repr_html_()
    assert "<table>" in many

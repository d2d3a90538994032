"""The page in use: the headline, fields, tabs, addresses, print."""

import numpy as np
import pytest
from pages import Opened, continuous, data_of, unpack

import roctopus as rt
from roctopus.concepts.sentences import say_action
from roctopus.report import write_page


def test_a_perfect_model(chrome, tmp_path):
    y = np.random.default_rng(0).gamma(3.0, 10.0, 200)
    path = tmp_path / "x.html"
    rt.compare(y, {"a": y, "b": y + np.sin(y)}, arm="regression").to_html(path, asymmetry=0.7)
    opened = Opened(chrome, path)
    assert opened.page.locator(".headline").inner_text() == "Use a as it is."
    opened.close()


def test_between_answers_the_nearest_one_is_shown_and_named(chrome, tmp_path):
    path = tmp_path / "x.html"
    comparison = continuous(200)
    comparison.to_html(path, asymmetry=0.7)
    decided = unpack(data_of(path)["honest"]["contexts"])
    opened = Opened(chrome, path)
    assert opened.page.locator(".near").last.inner_text() == ""
    opened.go_to(0.0000001)
    near = opened.page.locator(".near").last.inner_text()
    assert f"Answers are stored at {len(decided)} contexts; this is the nearest one" in near
    value = opened.number('[data-fact="value"]')
    opened.go_to(float(decided[0]))
    assert opened.number('[data-fact="value"]') == value
    opened.close()


def test_the_decision_that_was_asked_for(chrome, tmp_path):
    path = tmp_path / "x.html"
    comparison = continuous(300)
    comparison.to_html(path, between=(0.2, 0.9), criterion="regret", exact=True)
    opened = Opened(chrome, path)
    asked = comparison.decide(between=(0.2, 0.9), criterion="regret")
    assert opened.page.locator(".asked").inner_text() == asked.sentence
    with opened.page.expect_download() as waiting:
        opened.page.get_by_role("button", name="Download this decision").click()
    assert rt.Decision.from_json(waiting.value.path()) == asked
    opened.close()


def test_the_first_screen_answers_what_was_asked(chrome, tmp_path):
    path = tmp_path / "x.html"
    comparison = continuous(300)
    comparison.to_html(path, between=(0.2, 0.9), exact=True)
    answer = comparison.answer(between=(0.2, 0.9))
    opened = Opened(chrome, path)
    page = opened.page
    for x in (0.25, 0.4):
        assert page.locator(".headline").inner_text() == say_action(answer.decision)
        assert opened.number('[data-fact="value"]') == pytest.approx(answer.decision.value)
        assert "Worst-case cost per case" in page.locator(".tiles").inner_text()
        assert answer.decision.words["asked"] in page.locator(".answer").inner_text()
        for row in answer.rows:
            dot = page.locator(f'[data-choice="{row.name}"]')
            assert float(dot.get_attribute("data-value")) == pytest.approx(row.value)
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Download decision").click()
        assert rt.Decision.from_json(waiting.value.path()) == answer.decision
        opened.go_to(x)
        assert "Expected cost per case" in page.locator(".tiles").inner_text()
        page.get_by_role("button", name="Show the answer for the whole range again").click()
    opened.close()


def test_the_field_shows_the_context(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, asymmetry=0.5)
    opened = Opened(chrome, path)
    field = opened.page.locator(".big")
    field.fill("7")
    field.press("Enter")
    assert field.input_value() == "1"
    assert "This page covers 0 to 1." in opened.page.locator(".words").inner_text()
    field.press("ArrowDown")
    assert field.input_value() == "0.999"
    opened.close()


def test_every_tab_keeps_its_state(chrome, tmp_path):
    rng = np.random.default_rng(0)
    risk = rng.beta(1, 3, 300)
    other = rt.compare((rng.random(300) < risk) * 1, {"p": risk}, arm="probability")
    tabs = {
        "numbers": (continuous(200), {"asymmetry": 0.5}),
        "yes or no": (other, {"cost_proportion": 0.3}),
        "many": (continuous(200, models=12), {"asymmetry": 0.6}),
    }
    write_page(tmp_path / "x.html", tabs)
    opened = Opened(chrome, tmp_path / "x.html")
    opened.go_to(0.2)
    opened.page.get_by_role("tab").nth(2).click()
    for box in opened.page.locator(".view:not([hidden]) input[type=checkbox]").all():
        box.check()
    address = opened.page.evaluate("location.hash")
    again = Opened(chrome, tmp_path / "x.html", fragment=address)
    shown = again.page.locator(
        '.view:not([hidden]) section[aria-label^="Cost of each model"] path.curve'
    )
    assert shown.count() == 12
    again.page.get_by_role("tab").nth(0).click()
    assert again.number(".view:not([hidden]) .big") == 0.2
    opened.close()
    again.close()


FRAGMENTS = [
    "#belief0=0_0_0_0",
    "#belief0=" + "_".join(["Infinity"] * 20),
    "#belief0=" + "_".join(["0"] * 20),
    "#x0=&view0=1.5&off0=0.5.x",
    "#tab=99&x0=1e999&off0=-1",
    "#x0=<img src=x onerror=alert(1)>",
]


def test_addresses_are_not_trusted(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(300).to_html(path, asymmetry=0.5)
    for fragment in FRAGMENTS:
        opened = Opened(chrome, path, fragment=fragment)
        assert opened.number(".big") == 0.5
        following = opened.page.locator(".distribution dd").nth(1)
        assert float(following.get_attribute("data-value")) > 0.0
        opened.close()


def test_paper_is_white(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, asymmetry=0.5)
    opened = Opened(chrome, path, dark=True)
    opened.page.emulate_media(media="print", color_scheme="dark")
    look = "getComputedStyle(document.body).color"
    assert opened.page.evaluate(look) == "rgb(28, 32, 48)"
    opened.close()


def test_far_offsets_can_be_read(chrome, tmp_path):
    rng = np.random.default_rng(0)
    y = 1e12 + rng.gamma(3.0, 10.0, 300)
    path = tmp_path / "x.html"
    models = {"a": y + rng.normal(0, 3, 300), "b": y + rng.normal(0, 5, 300)}
    rt.compare(y, models, arm="cutoff").to_html(path, cutoff=1e12 + 25)
    opened = Opened(chrome, path)
    assert opened.page.locator(".big").input_value() == "1000000000025"
    opened.close()

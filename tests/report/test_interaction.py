"""The page in use: the headline, fields, tabs, addresses, print."""

import numpy as np
import pytest
from pages import Opened, continuous, data_of, examples, unpack

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
    answered = [each["context"] for each in data_of(path)["answers"]]
    opened = Opened(chrome, path)
    assert opened.page.locator(".near").last.inner_text() == ""
    opened.go_to(0.0000001)
    near = opened.page.locator(".near").last.inner_text()
    assert len(answered) <= 9
    assert f"α = {answered[0]:.3g}: the nearest of the {len(answered)} contexts" in near
    assert (
        f"expected cost at 1:{1 / answered[0] - 1:.3g}" in opened.page.locator("thead").inner_text()
    )
    value = opened.number('[data-fact="value"]')
    opened.go_to(answered[0])
    assert opened.number('[data-fact="value"]') == value
    opened.close()


@pytest.mark.parametrize(
    ("criterion", "named"), [("worst", "Worst-case cost"), ("regret", "Largest regret")]
)
def test_the_first_screen_answers_what_was_asked(chrome, tmp_path, criterion, named):
    path = tmp_path / "x.html"
    comparison = continuous(300)
    comparison.to_html(path, between=(0.2, 0.9), criterion=criterion, exact=True)
    answer = comparison.answer(between=(0.2, 0.9), criterion=criterion)
    opened = Opened(chrome, path)
    page = opened.page
    for x in (0.25, 0.4):
        assert page.locator(".headline").inner_text() == say_action(answer.decision)
        assert opened.number('[data-fact="value"]') == pytest.approx(answer.decision.value)
        assert f"{named} per case" in page.locator(".tiles").inner_text()
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


def test_a_wrong_number_is_told_and_nothing_moves(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, under_cost=3, over_cost=1)
    opened = Opened(chrome, path)
    page = opened.page
    before = page.locator(".answer").inner_text(), opened.number(".big")
    context, under, over = page.locator(".big"), *page.locator(".cost").all()
    for field, typed, told in (
        (context, "7", "This page covers 0 to 1."),
        (context, "", "Type a number."),
        (context, "0,5", "write decimals with a point"),
        (under, "-3", "A cost is zero or more."),
        (over, "three", "“three” is not a number."),
        (over, "1e999", "“1e999” is not a number."),
    ):
        was = field.input_value()
        field.fill(typed)
        field.press("Enter")
        field.blur()
        alert = page.locator(f"#{field.get_attribute('aria-describedby')}")
        assert alert.get_attribute("role") == "alert"
        assert told in alert.inner_text()
        assert field.input_value() == typed  # neither clipped nor thrown away
        assert (page.locator(".answer").inner_text(), opened.number(".big")) == before
        field.fill(was)
        field.press("Enter")
        assert alert.inner_text() == ""
    for pair, told in (
        (("0", "0"), "Not both costs can be zero."),
        (("1e308", "1e308"), "A cost is at most 1e12 here"),
        (("1e-300", "1e-300"), "or at least 1e-12 here"),
        (("1e11", "1"), "more than 1e9 times the other"),
    ):
        for field, typed in zip((under, over), pair, strict=True):
            field.fill(typed)
            field.press("Enter")
        assert page.get_by_role("alert").filter(has_text=told).first.is_visible()
        assert [under.input_value(), over.input_value()] == [*pair]
        assert np.isfinite(opened.number('[data-fact="value"]'))
    opened.close()


def test_costs_keep_their_digits(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, under_cost=3, over_cost=1)
    opened = Opened(chrome, path)
    fields = opened.page.locator(".cost").all()
    for pair in (("123456", "7.25"), ("3.14159", "1"), ("0.1", "0.3")):
        for field, typed in zip(fields, pair, strict=True):
            field.fill(typed)
            field.press("Enter")
        opened.page.locator("h1").click()
        assert [field.input_value() for field in fields] == [*pair]
    opened.close()


def test_keys_go_to_stored_contexts(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, asymmetry=0.5)
    opened = Opened(chrome, path)
    field = opened.page.locator(".big")
    field.press("ArrowDown")
    assert field.input_value() == "0.495"
    opened.close()


def test_where_curves_jump_the_page_keeps_to_what_is_known(chrome, tmp_path):
    path = tmp_path / "x.html"
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 400)
    models = {"a": y + rng.normal(0, 3, 400), "b": y + rng.normal(0, 5, 400)}
    rt.compare(y, models, arm="cutoff").to_html(path, cutoff=30, unit="minutes")
    stored = unpack(data_of(path)["contexts"])
    opened = Opened(chrome, path)
    page = opened.page
    opened.go_to(31.2345)
    nearest = stored[np.abs(stored - 31.2345).argmin()]
    assert opened.number(".big") == nearest
    assert "this is the nearest to 31.23" in page.locator(".words").inner_text()
    assert "Curves are exact here" in page.locator("footer").inner_text()
    page.locator("input[type=range]").evaluate(
        "e => { e.value = 333; e.dispatchEvent(new Event('input')); }"
    )
    assert opened.number(".big") in stored
    assert "Cutoff (minutes)" in page.locator(".controls").inner_text()
    opened.close()


def test_only_values_carry_their_unit(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(300).to_html(path, under_cost=3, over_cost=1, unit="minutes")
    opened = Opened(chrome, path)
    page = opened.page
    tile, heads = page.locator(".tile").first, page.locator("thead")
    assert "minutes" not in tile.inner_text()
    assert heads.inner_text().count("minutes") == 1  # those of the shift
    for field in page.locator(".cost").all():
        field.fill("1")
        field.press("Enter")
    assert opened.number(".big") == 0.5
    assert "cost on tuning data (minutes)" in heads.inner_text()
    opened.close()


def test_values_are_in_the_unit_of_costs_and_prices(chrome, tmp_path):
    path = tmp_path / "x.html"
    comparison, first = examples()["probability"]
    comparison.to_html(path, unit="visits", **first)
    opened = Opened(chrome, path)
    for typed in ("1", "2"):
        opened.page.locator(".cost").nth(0).fill(typed)
        opened.page.locator(".cost").nth(0).press("Enter")
        assert "visits\nExpected cost" in opened.page.locator(".tile").first.inner_text()
        assert "expected cost (visits)" in opened.page.locator("thead").inner_text() or typed == "2"
    opened.close()
    comparison, first = examples()["impact"]
    comparison.to_html(path, unit="euros", **first)
    opened = Opened(chrome, path)
    assert "euros" in opened.page.locator(".tile").first.inner_text()
    opened.close()


def test_bounds_are_drawn_and_doubt_is_named(chrome, tmp_path):
    path = tmp_path / "x.html"
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 300)
    noisy = y + rng.normal(0, 5, 300)
    models = {"first": noisy, "second": noisy + rng.normal(0, 0.5, 300)}
    for exact in (False, True):
        rt.compare(y, models, arm="regression").to_html(path, asymmetry=0.5, exact=exact)
        opened = Opened(chrome, path)
        page = opened.page
        assert page.locator(".context path.band").count() == (0 if exact else 2)
        assert page.locator(".excess path.band").count() == (0 if exact else 1)
        assert (page.locator(".veil").count() > 0) is not exact
        assert ("either: " in page.locator(".breaks").inner_text()) is not exact
        opened.close()


def test_what_is_advised_is_shown(chrome, tmp_path):
    """Of ten models of which each is the best at some cutoff."""
    path = tmp_path / "x.html"
    rng = np.random.default_rng(7)
    y = rng.gamma(3.0, 10.0, 1500)
    models = {f"m{k}": y + rng.normal(0.6 * k, 4 + 0.3 * k, 1500) for k in range(10)}
    comparison = rt.compare(y, models, arm="cutoff", false_positive_cost=1, false_negative_cost=4)
    comparison.to_html(path, between=(15, 60))
    data = data_of(path)
    assert len({owner for _, _, owner in data["regions"]}) > 8
    opened = Opened(chrome, path)
    page = opened.page
    for row in data["asked"]["rows"][:3]:
        assert page.get_by_label(f"Show {row['name']}").is_checked()
    assert page.locator("tbody input:checked").count() == 8
    assert "for this cutoff alone" in page.locator("section[aria-label=Models]").inner_text()
    opened.close()


def test_answers_settle_what_cells_leave_open(chrome, tmp_path):
    """Of scores that are whole numbers, cells tell little; answers tell which model is better."""
    path = tmp_path / "x.html"
    rng = np.random.default_rng(0)
    score = rng.normal(6, 1.2, 2500)
    grade = np.clip(np.round(score + rng.normal(0, 0.5, 2500)), 3, 9).astype(int)
    models = {"fine": score, "whole": np.round(score + rng.normal(0, 1.5, 2500))}
    rt.compare(grade, models, arm="ordinal").to_html(path, costs=[1] * 7)
    data = data_of(path)
    low, high, likely = (unpack(data["curves"][1][each]) for each in ("low", "high", "likely"))
    contexts = unpack(data["contexts"])
    for answer in data["answers"]:
        at = contexts.tolist().index(answer["context"])
        (row,) = [each for each in answer["rows"] if each["name"] == "whole"]
        near = np.clip([row["low"], row["high"]], low[at], high[at])
        assert near[0] - 1e-9 <= likely[at] <= near[1] + 1e-9
    opened = Opened(chrome, path)
    page = opened.page
    assert page.locator(".breaks li").count() == 1
    assert "either" not in page.locator(".breaks").inner_text()
    assert "score of fine" in page.locator(".figure.space").inner_text()
    opened.close()


def test_every_class_has_a_row(chrome, tmp_path):
    path = tmp_path / "x.html"
    rng = np.random.default_rng(0)
    score = rng.normal(6, 1.2, 2000)
    grade = np.clip(np.round(score + rng.normal(0, 0.7, 2000)), 3, 9).astype(int)
    rt.compare(grade, {"a": score}, arm="ordinal").to_html(path, costs=[1] * 7)
    opened = Opened(chrome, path, width=390)
    rows = [each.bounding_box() for each in opened.page.locator(".space path.class").all()]
    assert len(rows) == 7
    feet = [row["y"] + row["height"] for row in rows]
    assert np.all(np.diff(feet) <= -30)  # one above the other
    thresholds = unpack(data_of(path)["answers"][0]["rows"][0]["knob"])
    assert 0 < opened.page.locator(".space line.cursor").count() <= len(thresholds)
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

"""What an independent reviewer found of the page: each is pinned here."""

import numpy as np
import pytest
from pages import Opened, browser, continuous
from test_page import data_of, numbers_in, unpack

import roctopus as rt
from roctopus.report import make_page, write_page
from roctopus.report.privacy import cover


@pytest.fixture(scope="module")
def chrome():
    with browser() as started:
        yield started


@pytest.mark.parametrize("size", [60, 101, 301])
def test_no_truth_is_a_cutoff_of_the_page(tmp_path, size):
    rng = np.random.default_rng(size)
    y = rng.gamma(3.0, 10.0, size)
    noisy = y + rng.normal(0, 4, size)
    comparison = rt.compare(y, {"a": noisy, "b": y + 1.0}, arm="cutoff")
    comparison.to_html(tmp_path / "x.html")
    found = np.array([v for v in numbers_in(data_of(tmp_path / "x.html")) if np.isfinite(v)])
    rows = np.concatenate([y, noisy, y + 1.0])
    assert np.min(np.abs(found[:, None] - rows[None, :])) > 1e-9


@pytest.mark.parametrize("size", [60, 301, 1000])
def test_residuals_cannot_be_read_off_the_curve(tmp_path, size):
    rng = np.random.default_rng(size)
    y = rng.normal(size=size)
    p = rng.normal(size=size)
    rt.compare(y, {"a": p}, arm="regression").to_html(tmp_path / "x.html", asymmetry=0.5)
    data = data_of(tmp_path / "x.html")
    rest = np.sort(y - p)
    for part in ("curves", "points"):
        drawn = data["space"]["views"][0][part][0]
        shift = unpack(drawn["x"]) + unpack(drawn["y"]) + np.mean(y - p)
        assert np.min(np.abs(shift[:, None] - rest[None, :])) > 1e-9
    assert len(unpack(data["contexts"])) + len(unpack(data["belief"]["edges"])) <= size // 10 + 3
    gaps = np.diff(unpack(data["contexts"]))
    assert gaps.min() * size >= 9.9


def test_heavy_cases_count_once(tmp_path):
    rng = np.random.default_rng(0)
    y, p = rng.normal(size=(2, 200))
    weight = np.append(np.full(8, 100.0), np.ones(192))
    heavy = rt.compare(y, {"a": p}, arm="regression", sample_weight=weight)
    with pytest.raises(rt.InputError, match="would tell values of rows"):
        heavy.to_html(tmp_path / "x.html", asymmetry=0.5)
    with pytest.raises(rt.InputError, match="A page of 40 cases would tell values of rows"):
        continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5)
    continuous(40).to_html(tmp_path / "x.html", asymmetry=0.5, exact=True)


def test_classes_are_drawn_in_bins_of_their_own(tmp_path):
    rng = np.random.default_rng(0)
    grade = rng.integers(0, 3, 400)
    score = grade + rng.normal(0, 0.8, 400)
    rt.compare(grade, {"a": score}, arm="ordinal").to_html(tmp_path / "x.html", costs=[1, 1, 1])
    shape = data_of(tmp_path / "x.html")["space"]["models"][0]
    for k, packed in enumerate(shape["edges"]):
        edges = unpack(packed)
        assert edges[0] < score.min()
        assert edges[-1] > score.max()
        counts = np.histogram(score[grade == k], edges)[0]
        assert counts.min() >= 10


def test_settings_keep_their_order_and_their_side():
    ties = np.repeat(np.arange(0, 1.05, 0.1), 30)
    assert 0.3 < cover(np.array([0.35]), ties, 10)[0] < 0.4
    assert cover(np.zeros(1), np.zeros(50), 10)[0] == 0.0
    rng = np.random.default_rng(0)
    values = np.sort(rng.normal(size=200))
    knobs = np.sort(rng.normal(size=50))
    covered = cover(knobs, values, 10)
    assert np.all(np.diff(covered) >= 0.0)
    assert np.isinf(cover(np.array([np.inf]), values, 10)[0])
    y = rng.integers(1, 8, 300)
    models = {"a": rng.normal(size=300), "b": np.zeros(300)}
    page = make_page(rt.compare(y, models, arm="ordinal"), costs=[1] * 7, progress=False)
    assert "Content-Security-Policy" in page


def test_a_perfect_model(chrome, tmp_path):
    y = np.random.default_rng(0).gamma(3.0, 10.0, 200)
    path = tmp_path / "x.html"
    rt.compare(y, {"a": y, "b": y + np.sin(y)}, arm="regression").to_html(path, asymmetry=0.7)
    opened = Opened(chrome, path)
    assert opened.page.locator(".headline").inner_text() == "Deploy a, shift 0"
    opened.close()


def test_nothing_is_said_where_nothing_was_decided(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, asymmetry=0.7)
    opened = Opened(chrome, path, fragment="#x0=0.0000001")
    assert opened.page.locator(".headline").inner_text().startswith("Best in-sample:")
    assert "–" in opened.page.locator('[data-fact="honest"]').inner_text()
    assert not opened.page.locator('[data-fact="saving"]').is_visible()
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


def test_the_field_shows_the_context(chrome, tmp_path):
    path = tmp_path / "x.html"
    continuous(200).to_html(path, asymmetry=0.5)
    opened = Opened(chrome, path)
    field = opened.page.locator(".big")
    field.fill("7")
    field.press("Enter")
    assert field.input_value() == "1"
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
        '.view:not([hidden]) section[aria-label^="Loss per model"] path.curve'
    )
    assert shown.count() == 12
    again.page.get_by_role("tab").nth(0).click()
    assert again.number(".view:not([hidden]) .big") == 0.2
    opened.close()
    again.close()


@pytest.mark.parametrize(
    "fragment",
    [
        "#belief0=0_0_0_0",
        "#belief0=" + "_".join(["Infinity"] * 20),
        "#belief0=" + "_".join(["0"] * 20),
        "#x0=&view0=1.5&off0=0.5.x",
        "#tab=99&x0=1e999&off0=-1",
        "#x0=<img src=x onerror=alert(1)>",
    ],
)
def test_addresses_are_not_trusted(chrome, tmp_path, fragment):
    path = tmp_path / "x.html"
    continuous(300).to_html(path, asymmetry=0.5)
    opened = Opened(chrome, path, fragment=fragment)
    assert opened.number(".big") == 0.5
    assert float(opened.page.locator(".belief dd").nth(1).get_attribute("data-value")) > 0.0
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


def test_wrong_arguments(tmp_path):
    comparison = continuous(200)
    for wrong, told in (
        ({"exact": "no"}, "'exact' must be True or False"),
        ({"title": 5}, "'title' must be text"),
        ({"unit": None}, "'unit' must be text"),
        ({"min_cases": 10**9}, "would tell values of rows"),
    ):
        with pytest.raises(rt.InputError, match=told):
            comparison.to_html(tmp_path / "x.html", asymmetry=0.5, **wrong)
    assert list(tmp_path.iterdir()) == []

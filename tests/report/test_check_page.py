"""The page of a check: the answer first, parts that add up, nothing loaded, readable anywhere."""

import re
import warnings
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest
from pages import ARTEFACTS

import roctopus as rt
from roctopus.report.check_page import make_check_page, write_check_page

NAME = "<script>alert('x')</script> & \"b\" \ud800"


def cases(seed, size=120, shift=0.0, noise=0.0, name="b", own=None):
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    made = y + rng.normal(-2, 3, size) + rng.normal(0, 1, size) * noise
    context = None if own is None else rng.beta(*own, size)
    return rt.compare(y + shift, {name: made}, arm="regression", context=context)


@pytest.fixture(scope="module")
def checks(tmp_path_factory):
    """Checks of all kinds: watched or not, for each advice, of long names, of one look."""
    folder = tmp_path_factory.mktemp("states")
    decision = cases(0, 1000).decide(under_cost=4, over_cost=1)
    found = {
        "holds": cases(1).check(decision),
        "retune": cases(1, shift=6.0).check(decision),
        "retrain": cases(1, noise=12.0).check(decision),
    }
    for k in range(12):
        found["watched"] = cases(k + 1, shift=0.0 if k < 6 else 3.0).check(
            decision, state=folder / "s.json"
        )
        if k == 0:
            found["one look"] = found["watched"]
    own = cases(0, 1000, own=(8.0, 2.0)).decide()
    found["accept"] = cases(1, 400, own=(4.0, 2.0)).check(own)
    odd = cases(0, 300, name=NAME).decide(asymmetry=0.8)
    found["odd name"] = cases(1, name=NAME).check(odd)
    long = cases(0, 300, name="m" * 300).decide(asymmetry=0.8)
    found["long name"] = cases(1, name="m" * 300, shift=9.0).check(long)
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, 300)
    models = {name: y + rng.normal(0, k + 3, 300) for k, name in enumerate("ab")}
    both = rt.compare(y, models, arm="regression")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on its own cases: it flatters
        found["regret"] = both.check(both.decide(between=(0.5, 0.9), criterion="regret"))
        cutoff = rt.compare(y, models, arm="cutoff")
        found["no knob"] = cutoff.check(cutoff.decide(cutoff=30.0))
        impact = rt.compare(y, models, arm="impact", utility=rt.value_minus_cutoff)
        half = {name: each[:150] for name, each in models.items()}
        later = rt.compare(y[:150], half, arm="impact", utility=rt.value_minus_cutoff)
        found["gain"] = later.check(impact.decide(theta=30.0), state=folder / "gain.json")
    return found


@contextmanager
def opened(chrome, width, dark):
    """Give an empty tab, in which nothing may be asked for or complained of."""
    context = chrome.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        offline=True,
    )
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url))
    yield page
    context.close()
    assert [each for each in said if not each.startswith(("file:", "data:"))] == []


def test_the_answer_comes_first(checks):
    for check in checks.values():
        text = make_check_page(check)
        assert len(text.encode()) < 100_000
        head = re.search(r'<h1 class="(\w+)">(.*?)</h1>', text)
        assert head[1] == check.advice
        told = check.advice_sentence.encode("utf-8", "replace").decode()
        assert unescape(head[2]) == told
        assert text.index("<h1") < text.index("<section")
        said = f"The decision {'still' if check.holds else 'no longer'} holds"
        assert f"</svg>{said}</p>" in text  # not by colour alone
        assert ("look by look" in text) == (check.watch is not None)
        assert "What the change is made of" in text
    assert {check.advice for check in checks.values()} == {"wait", "retune", "retrain", "accept"}


def test_names_are_text(checks):
    text = make_check_page(checks["odd name"], title="<b>title</b> & more")
    assert "<script" not in text
    assert "<b>" not in text
    assert "&lt;b&gt;title&lt;/b&gt; &amp; more" in text
    assert "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;b&quot; ?" in text


def test_nothing_is_loaded_and_nothing_runs(checks):
    text = make_check_page(checks["watched"])
    assert "default-src 'none'; style-src 'sha256-" in text
    assert not re.search(r"https?:|//|url\(|@import|\sstyle=|\son\w+=|<script|<iframe", text)


def charts(check):
    """Return the wide pictures, by what they are called."""
    found = re.findall(r'<svg class="wide".*?</svg>', make_check_page(check), re.S)
    return [ElementTree.fromstring(each) for each in found]


@pytest.mark.parametrize("name", ["retune", "watched", "accept", "holds", "gain"])
def test_bars_add_up_to_the_change(checks, name):
    check = checks[name]
    bars = [
        (float(each.get("x")), float(each.get("width")))
        for each in charts(check)[-1].iter("rect")
    ]  # fmt: skip
    links = [
        float(each.get("d")[1:].split()[0])
        for each in charts(check)[-1].iter("path")
        if each.get("class") == "link"
    ]
    assert len(bars) == 4
    first, width = bars[-1]
    parts = check.diagnosis
    # Each bar begins where the last one ended, and the last where the change ends.
    for (start, length), before, after in zip(bars, [None, *links], links, strict=False):
        if before is not None:
            assert min(abs(start - before), abs(start + length - before)) <= 1.1
        assert min(abs(start - after), abs(start + length - after)) <= 1.1
    end = first + width if parts.change > 0.0 else first
    assert links[-1] == pytest.approx(end, abs=1.1)
    scale = width / abs(parts.change)
    assert bars[1][1] == pytest.approx(max(abs(parts.knob.loss) * scale, 1.0), abs=1.1)


def test_looks_are_where_they_should_be(checks):
    check = checks["watched"]
    picture = charts(check)[0]
    assert picture.get("role") == "img"
    assert f"First alarm (clearly worse): look {check.watch.worse}." in picture.get("aria-label")
    paths = {each.get("class"): each.get("d") for each in picture.iter("path")}
    spots = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", paths["mean"]), dtype=float)
    assert len(spots) == len(check.watch.history)
    means = np.array([look.mean_change for look in check.watch.history])
    slope, level = np.polyfit(means, spots[:, 1], 1)
    assert slope < 0.0  # up is worse
    np.testing.assert_allclose(slope * means + level, spots[:, 1], atol=0.2)
    zero = float(re.search(r" ([\d.]+)H", paths["zero"])[1])
    assert zero == pytest.approx(level, abs=0.3)
    assert paths["alarm"].count("M") == sum(look.low > 0.0 for look in check.watch.history)
    text = make_check_page(check)
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>', text)
    assert rows == [str(k) for k in range(12, 0, -1)]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1100, 400])
def test_it_can_be_read_anywhere(checks, chrome, tmp_path, width, dark):
    ARTEFACTS.mkdir(exist_ok=True)
    drawn = ("watched", "accept")
    with opened(chrome, width, dark) as page:
        for name, check in checks.items():
            if dark and name not in drawn:  # it is laid out the same
                continue
            write_check_page(tmp_path / "c.html", check, title="Bakery")
            page.goto(f"file://{tmp_path}/c.html")
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for frame, *texts in page.evaluate(BOXES):
                _can_be_read(frame, texts)
            if name in drawn:
                look = f"check-{name}-{width}-{'dark' if dark else 'light'}.png"
                page.screenshot(path=ARTEFACTS / look, full_page=True)


BOXES = """() => [...document.querySelectorAll('figure svg')]
  .filter(svg => svg.getBoundingClientRect().width > 0)
  .map(svg => [svg, ...svg.querySelectorAll('text')].map(each => {
    const box = each.getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom]; }))"""


def _can_be_read(frame, texts):
    """See that text of a picture stays inside, is large enough, and covers no other text."""
    for k, (left, top, right, bottom) in enumerate(texts):
        assert left >= frame[0] - 1.5
        assert right <= frame[2] + 1.5
        assert bottom - top >= 11.0
        for other in texts[:k]:
            across = min(right, other[2]) - max(left, other[0])
            along = min(bottom, other[3]) - max(top, other[1])
            assert across <= 1.0 or along <= 3.5


def test_refusals_and_files(checks, tmp_path):
    with pytest.raises(rt.InputError, match=r"the result of Comparison\.check, but is of type str"):
        make_check_page("no check")
    with pytest.raises(rt.InputError, match="'title' must be text"):
        make_check_page(checks["holds"], title=3)
    (tmp_path / "c.html").write_text("old")
    with pytest.raises(rt.InputError):
        write_check_page(tmp_path / "c.html", "no check")
    assert (tmp_path / "c.html").read_text() == "old"
    checks["holds"].to_html(tmp_path / "c.html", title="A title")
    assert (tmp_path / "c.html").read_text() == make_check_page(checks["holds"], title="A title")


@pytest.fixture(scope="module")
def short_looks(tmp_path_factory):
    """A check after one look of a few cases, and after many of them."""
    folder = tmp_path_factory.mktemp("short")
    decision = cases(0, 1000).decide(under_cost=4, over_cost=1)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of five cases, few carry the variance
        for k in range(30):
            found[k + 1] = cases(k + 1, 5).check(decision, state=folder / "s.json", deployed=False)
    return found


def test_too_few_cases_are_said_and_drawn(short_looks, chrome, tmp_path):
    first, last = short_looks[1], short_looks[30]
    assert not np.isfinite(first.watch.value.low)
    assert np.isfinite(last.watch.value.low)
    for check in (first, last):
        text = make_check_page(check)
        assert not re.search(r"\b(inf|nan)\b", text)
        assert "too few cases yet" in text
        assert "5 new cases are too few to say why the value changed: 30 are needed." in text
    assert "too few cases for bounds yet" in make_check_page(first)
    assert "The change of " in make_check_page(first)  # as one number
    assert len(charts(first)) == 1
    for width in (1200, 400):
        with opened(chrome, width, dark=False) as page:
            for check in (first, last):
                write_check_page(tmp_path / "c.html", check)
                page.goto(f"file://{tmp_path}/c.html")
                assert page.evaluate("document.documentElement.scrollWidth") == width
                for frame, *texts in page.evaluate(BOXES):
                    _can_be_read(frame, texts)


def test_bounds_are_drawn_from_the_first_look_that_has_some(short_looks):
    picture = charts(short_looks[30])[0]
    looks = short_looks[30].watch.history
    known = sum(np.isfinite(look.low) for look in looks)
    assert 1 < known < len(looks)
    band = next(each.get("d") for each in picture.iter("path") if each.get("class") == "band")
    assert len(re.findall(r"[ML][\d.]+ [\d.]+", band)) == 2 * known
    texts = [each.text for each in picture.iter("text")]
    assert texts.count("too few cases yet") == 1


def test_what_the_advice_would_have_brought(checks):
    watch = checks["watched"].watch
    assert watch.saved
    text = make_check_page(checks["watched"])
    card = text[text.index("<h2>What the advice would have brought so far") :]
    told = re.findall(r"<dd>(.*?)<small>(.*?)</small>", card[: card.index("</section>")])
    values = [float(each.replace(",", "").replace("−", "-")) for each, _ in told]
    assert values[0] == pytest.approx(watch.saved, rel=0.01)
    assert values[1] == pytest.approx(watch.saved * watch.cases, rel=0.01)
    assert told[1][1] == f"over {watch.cases:,} cases"
    assert "would have brought" not in make_check_page(checks["one look"])


def test_the_promise_names_its_horizon(checks):
    assert "a false alarm within 52 looks" in make_check_page(checks["watched"])
    later = replace(checks["watched"], watch=replace(checks["watched"].watch, horizon=208))
    said = "within the first 52 looks, and at most 8.75 % by look 208 (simulated)."
    assert said in make_check_page(later)
    single = make_check_page(checks["holds"])
    assert "at most 5 % of such checks raise a false alarm" in single
    assert "for 52 looks together" in single


def test_alarms_are_what_is_more_than_matters(checks):
    check = checks["watched"]
    least, most = min(h.low for h in check.watch.history), check.watch.history[-1].low
    assert least < most
    tolerant = replace(check, decision=replace(check.decision, tolerance=most + 1.0))
    assert 'class="alarm"' not in make_check_page(tolerant)
    assert "tolerance: a change of up to" in make_check_page(tolerant)


def test_notes_are_on_the_page(checks):
    noted = replace(checks["holds"], notes=("Rows <look> alike.",))
    assert '<p class="note">Rows &lt;look&gt; alike.</p>' in make_check_page(noted)

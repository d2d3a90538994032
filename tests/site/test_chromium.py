"""Every page of the documentation, opened in Chromium without a network."""

import os

import pytest
from built import PAGES, SITE, WRITTEN

BAD = {"warning", "error"}
# Pages of single names come from one template: every 20th is opened, all in thorough runs.
NAMES = [page for page in PAGES if page.startswith("api/names/")]
THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
OPENED = [page for page in PAGES if THOROUGH or page not in NAMES or page in NAMES[::20]]


@pytest.mark.parametrize("part", range(4))
def test_pages_open_in_chromium(part, chrome):
    """No complaint, nothing asked of a network, no formula undrawn, nothing cut off."""
    context = chrome.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    page = context.new_page()
    asked, complaints = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: said.type in BAD and complaints.append(said.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for name in OPENED[part::4]:
        page.goto((SITE / name).as_uri())
        formulas = page.evaluate(
            """async () => {
              if (window.MathJax && MathJax.startup) await MathJax.startup.promise;
              return document.querySelectorAll('mjx-merror, [data-mjx-error]').length;
            }"""
        )
        assert formulas == 0, name
        images = "[...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"
        assert page.evaluate(images) == [], name
        if name in WRITTEN:
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wide) <= 0, name
        assert complaints == [], name
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    context.close()


def test_the_search_box_finds_what_people_call_it(chrome):
    page = chrome.new_page()
    for words in ("youden", "ece", "decision curve analysis"):
        page.goto(f"{(SITE / 'search.html').as_uri()}?q={words.replace(' ', '+')}")
        found = page.get_by_role("link", name="What is it called here?", exact=True)
        found.first.wait_for(state="attached")
        assert found.count() >= 1, words
    page.close()

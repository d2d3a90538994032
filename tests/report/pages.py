"""Pages as people open them: from disk, in the system's Chromium, without a network."""

import base64
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from playwright.sync_api import Browser, sync_playwright

import roctopus as rt
from roctopus.datasets import (
    load_apartments,
    load_apples,
    load_bakery,
    load_phones,
    load_screening,
)

ROOT = Path(__file__).parents[2]
ARTEFACTS = ROOT / "artefacts"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str:
    """Return the system's Chromium; that there is none is a failure."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found:
            return found
    raise AssertionError("Chromium is not installed: scripts/test installs it.")


@contextmanager
def browser() -> Iterator[Browser]:
    """Give a browser."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


class Tab:
    """A tab, with all that it asked for and complained of."""

    def __init__(self, browser: Browser) -> None:
        self.page = browser.new_page(accept_downloads=True, offline=True)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))


FREE: dict[Browser, list[Tab]] = {}
"""Tabs that are used again: a new one takes three times as long as a page takes to load."""


class Shown(NamedTuple):
    """What a page shows at a context, with all its digits."""

    context: float
    footer: str
    error: float
    cells: dict[str, list[float]]
    """By model and name, as in ``"0 value"``."""


SWEEP = """contexts => {
  const view = document.querySelector('.view:not([hidden])'), field = view.querySelector('.big');
  return contexts.map(context => {
    field.value = context;
    field.dispatchEvent(new Event('change'));
    field.dispatchEvent(new Event('blur'));
    const cells = [...view.querySelectorAll('tr[data-model] [data-cell][data-value]')];
    return [
      field.dataset.value,
      document.querySelector('footer').innerText,
      document.querySelector('footer [data-value]').dataset.value,
      cells.map(cell => [`${cell.closest('tr').dataset.model} ${cell.dataset.cell}`,
                         cell.dataset.value]),
    ];
  });
}"""


class Opened:
    """A page that is open."""

    def __init__(
        self,
        browser: Browser,
        path: str | Path,
        width: int = 1280,
        dark: bool = False,
        fragment: str = "",
    ) -> None:
        self.free = FREE.setdefault(browser, [])
        self.tab = self.free.pop() if self.free else Tab(browser)
        self.page = self.tab.page
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(media="null", color_scheme="dark" if dark else "light")
        self.page.goto(f"file://{path}{fragment}")
        self.page.wait_for_selector(".view:not([hidden]) .headline")

    def sweep(self, contexts: Sequence[float]) -> list[Shown]:
        """Return what is shown at each of many contexts, as if it had been typed."""
        found = self.page.evaluate(SWEEP, [repr(float(x)) for x in contexts])
        return [
            Shown(float(x), footer, float(error), {name: numbers(text) for name, text in cells})
            for x, footer, error, cells in found
        ]

    def value(self, selector: str) -> str:
        """Return what is shown, with all its digits."""
        text = self.page.locator(selector).get_attribute("data-value")
        assert text is not None, f"{selector} has no value"
        return text

    def number(self, selector: str) -> float:
        """Return a shown number with all its digits."""
        return float(self.value(selector))

    def cell(self, model: str, name: str) -> list[float]:
        """Return the numbers of a cell of the table."""
        return numbers(
            self.value(f'.view:not([hidden]) tr[data-model="{model}"] [data-cell="{name}"]')
        )

    def go_to(self, x: float) -> None:
        """Type a context."""
        field = self.page.locator(".view:not([hidden]) .big")
        field.fill(repr(float(x)))
        field.press("Enter")
        field.blur()

    def close(self) -> None:
        """Leave the page, and see that nothing was asked for or complained of."""
        self.page.goto("about:blank")
        asked, complaints = [*self.tab.requests], [*self.tab.complaints]
        self.tab.requests.clear()
        self.tab.complaints.clear()
        self.free.append(self.tab)
        assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
        assert complaints == []


def numbers(text: str) -> list[float]:
    """Return the numbers of a cell of the table."""
    return [float(part.replace("Infinity", "inf")) for part in text.split()]


def examples() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return a comparison per arm, and what its page shows first."""
    bakery, apartments, apples = load_bakery(), load_apartments(), load_apples()
    screening, phones = load_screening(), load_phones()
    worth = rt.LinearUtility(
        phones.y_true,
        -phones.columns["repair"],
        rt.value_times_price(phones.y_true).scale,
    )
    return {
        "regression": (
            rt.compare(bakery.y_true, bakery.predictions, arm="regression"),
            {"under_cost": 4, "over_cost": 1},
        ),
        "cutoff": (
            rt.compare(apartments.y_true, apartments.predictions, arm="cutoff"),
            {"cutoff": 250},
        ),
        "ordinal": (
            rt.compare(
                apples.y_true,
                apples.predictions,
                arm="ordinal",
                labels=["juice", "kitchen", "table"],
            ),
            {"costs": [3, 2, 1]},
        ),
        "probability": (
            rt.compare(screening.y_true, screening.predictions, arm="probability"),
            {"false_positive_cost": 1, "false_negative_cost": 9},
        ),
        "impact": (
            rt.compare(phones.y_true, phones.predictions, arm="impact", utility=worth, at_most=100),
            {"between": (0.6, 1.4)},
        ),
    }


def continuous(size: int = 400, seed: int = 0, models: int = 3) -> Any:
    """Return a comparison of numbers that occur once."""
    rng = np.random.default_rng(seed)
    y = rng.gamma(3.0, 10.0, size)
    made = {f"m{k}": y + rng.normal(0.3 * k, 3.0 + k, size) for k in range(models)}
    return rt.compare(y, made, arm="regression")


def data_of(path: str | Path) -> Any:
    """Return what Python wrote into a page."""
    text = Path(path).read_text().split('id="data">')[1].split("</script>")[0]
    return json.loads(text)["comparisons"][0]


def unpack(packed: dict[str, str]) -> np.ndarray:
    """Return the numbers of a packed column."""
    return np.frombuffer(base64.b64decode(packed["f64"]), dtype="<f8")


def numbers_in(value: object) -> Iterator[float]:
    """Yield every number of a page's data."""
    if isinstance(value, dict):
        if set(value) == {"f64"}:
            yield from unpack(value).tolist()
            return
        for each in value.values():
            yield from numbers_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)

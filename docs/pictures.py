"""Draw the pictures of README.md and docs/: .venv/bin/python docs/pictures.py [FOLDER].

`concrete.png` is the answer of the first demo, `page.png` the first screen of its page in Chromium.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt
from playwright.sync_api import sync_playwright

import roctopus as rt
from roctopus.datasets import load_concrete_predictions

COSTS = {"under_cost": 1, "over_cost": 5}
SCREEN = {"width": 1100, "height": 1010}


def concrete() -> rt.Comparison:
    """Compare four models of the strength of concrete."""
    data = load_concrete_predictions()
    return rt.compare(data.y_true, data.predictions, arm="regression", clusters=data.columns["mix"])


def draw_answer(path: Path) -> None:
    """Draw what each model is expected to cost, and how much more each costs as costs change."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 4.3), layout="constrained")
    comparison = concrete()
    comparison.plot(kind="choices", ax=left, **COSTS)
    comparison.plot(ax=right, **COSTS)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_page(path: Path) -> None:
    """Take a picture of the first screen of the page."""
    title = "How much strength should we promise?"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder, "page.html")
        concrete().to_html(page, title=title, unit="MPa", progress=False, **COSTS)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_page(viewport=SCREEN, color_scheme="light")
        tab.goto(page.as_uri())
        tab.wait_for_selector("svg")
        tab.screenshot(path=path)
        browser.close()


def main(folder: Path) -> None:
    """Draw all pictures into a folder."""
    draw_answer(folder / "concrete.png")
    draw_page(folder / "page.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

"""The page of many cases: its size, how soon it answers, and what a step of the slider costs.

Usage: python benchmarks/page.py [rows] [models]   (10⁶ and 10 by default; needs Chromium)
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import roctopus as rt

STEP = """() => {
  const slider = document.querySelector('input[type=range]');
  const times = [];
  for (let k = 0; k < 200; k++) {
    slider.value = String((k * 137) % 1001);
    const begin = performance.now();
    slider.dispatchEvent(new Event('input'));
    times.push(performance.now() - begin);
  }
  return times;
}"""


def main(rows: int, count: int) -> None:
    """Print size and times."""
    rng = np.random.default_rng(0)
    y = rng.gamma(3.0, 10.0, rows)
    models = {f"model {k}": y + rng.normal(0.2 * k, 5.0 + 0.1 * k, rows) for k in range(count)}
    comparison = rt.compare(y, models, arm="regression")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        begin = time.perf_counter()
        comparison.to_html(path, under_cost=4, over_cost=1)
        made = time.perf_counter() - begin
        print(
            f"{count} models x {rows:,} rows: {path.stat().st_size / 1e6:.2f} MB (3 at most), ",
            end="",
        )
        print(f"made in {made:.1f} s")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        answers, steps = [], []
        for _ in range(5):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            begin = time.perf_counter()
            page.goto(f"file://{path}")
            page.wait_for_selector(".headline")
            answers.append(time.perf_counter() - begin)
            steps += page.evaluate(STEP)
            page.close()
        browser.close()
    print(f"first answer after {statistics.median(answers):.2f} s (2 at most)")
    print(f"a step of the slider: {statistics.median(steps):.2f} ms of script (16 at most)")


if __name__ == "__main__":
    given = [int(float(each)) for each in sys.argv[1:]]
    main(*(given + [1_000_000, 10][len(given) :]))

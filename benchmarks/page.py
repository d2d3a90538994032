"""The page of many cases: how long it takes, its size, and what a step of the slider costs.

Usage: python benchmarks/page.py [rows] [models]   (10⁶ and 10 by default; needs Chromium)
"""

from __future__ import annotations

import pickle
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
    slider.value = String((k * 137) % 201);
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
    begin = time.perf_counter()
    comparison = rt.compare(y, models, arm="regression")
    comparison.answer(under_cost=4, over_cost=1)
    compared = time.perf_counter() - begin
    begin = time.perf_counter()
    comparison.regions()
    regions = time.perf_counter() - begin
    data = sum(each.nbytes for each in (y, *models.values()))
    print(f"{count} models x {rows:,} rows: compare and answer {compared:.1f} s, ", end="")
    print(f"regions {regions:.1f} s (3 at most with 5 models)")
    print(f"pickled: {len(pickle.dumps(comparison)) / data:.2f} x its data (1.2 at most)")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        begin = time.perf_counter()
        comparison.to_html(path, under_cost=4, over_cost=1)
        made = time.perf_counter() - begin
        print(f"page: {path.stat().st_size / 1e3:.0f} kB (400 at most), ", end="")
        print(f"made in {made:.1f} s (5 at most with 5 models, 12 with compare and 10 models)")
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

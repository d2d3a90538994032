"""Pages made at the same time leave the process as it was."""

import json
import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import roctopus as rt
from roctopus.core.errors import collected_warnings, warn
from roctopus.engines.batches import in_blocks, reduce_parts
from roctopus.report.page import make_page

FILTERS = re.compile("catch_warnings|simplefilter|filterwarnings|resetwarnings")


def few_large(seed):
    """Return a comparison whose page has something to warn of: few cases carry the variance."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.zeros(190), 1e4 * rng.lognormal(size=10)])
    return rt.compare(truth, {"a": truth * 0 + rng.normal(size=200)}, arm="regression")


def notes(page):
    data = re.search(r'id="data">(.*?)</script>', page, re.S).group(1)
    return json.loads(data)["comparisons"][0]["notes"]


def test_pages_in_threads_leave_warnings_as_they_were():
    alone = [notes(make_page(few_large(k), progress=False)) for k in range(8)]
    assert any(alone)
    filters, shown = list(warnings.filters), warnings.showwarning
    start = threading.Barrier(8)

    def make(seed):
        start.wait()
        return notes(make_page(few_large(seed), progress=False))

    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(make, range(8)))
    assert together == alone
    assert warnings.filters == filters
    assert warnings.showwarning is shown
    with pytest.warns(UserWarning, match="still here"):
        warnings.warn("still here", UserWarning, stacklevel=1)


def test_only_the_thread_that_asked_collects():
    shown = []

    def elsewhere():
        with pytest.warns(rt.RoctopusWarning) as caught:
            warn("elsewhere")
        shown.extend(str(each.message) for each in caught)

    with collected_warnings() as outer:
        warn("one")
        with collected_warnings() as inner:
            warn("two")
        warn("three")
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert (outer, inner, shown) == (["one", "three"], ["two"], ["elsewhere"])
    with pytest.warns(rt.RoctopusWarning, match="four"):
        warn("four")


class Warner:
    """A state that warns of every batch."""

    def update(self, batch):
        warn(f"batch {batch['x'][0]}")

    def merge(self, other):
        pass


def test_threads_that_work_for_a_scan_warn_where_it_was_asked_for():
    parts = in_blocks(({"x": [k]} for k in range(4)), rows_at_once=1)
    with collected_warnings() as found:
        reduce_parts(parts, Warner(), lambda done: None)
    assert sorted(found) == [f"batch {k}" for k in range(4)]


def test_nothing_changes_the_filters_of_the_process():
    """``catch_warnings`` restores what it found, which another thread may have changed by then."""
    source = Path(rt.__file__).parent
    users = [p.name for p in source.rglob("*.py") if FILTERS.search(p.read_text("utf-8"))]
    assert users == ["errors.py"]  # where a docstring says why not

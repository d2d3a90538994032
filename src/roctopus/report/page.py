"""One file to share: the built template with what Python found."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from roctopus._version import __version__
from roctopus.comparison import Comparison
from roctopus.core.checks import check_mapping, check_whole
from roctopus.core.errors import InputError
from roctopus.core.files import replacing
from roctopus.core.progress import Progress
from roctopus.report.payload import comparison_payload

MIN_CASES = 10
NOTEBOOK_UP_TO = 5_000
"""Predictions up to which a notebook shows the page; of more it would keep people waiting."""
DATA, TITLE = "{{data}}", "{{title}}"


def make_page(
    comparisons: Comparison | Mapping[str, Comparison],
    *,
    title: str | None = None,
    unit: str = "",
    min_cases: int = MIN_CASES,
    exact: bool = False,
    progress: bool | Callable[[int, int], None] = True,
    **context: Any,
) -> str:
    """Return the page with the answer as text: nothing in it is loaded from elsewhere.

    Parameters
    ----------
    comparisons : Comparison, or mapping of str to Comparison
        What to show; several become tabs. A pair of a comparison and a dict says what that tab
        shows first.
    title : str, optional
        Headline over all.
    unit : str, default ""
        Unit of costs or gains and of shifts, such as "kWh". Where errors have a unit of their own,
        costs are in it only if each unit of error costs 1.
    min_cases : int, default 10
        Least number of cases in a group. The page is made of groups of cases with round borders,
        and of a few rounded answers. It holds no row, and none can be computed from it.
    exact : bool, default False
        Whether to store exact values at all of the slider's 1,001 contexts, and exact settings,
        which are often values of single rows: share such a page only with people who may see the
        data.
    progress : bool or callable, default True
        Whether to show progress on a terminal if it takes long. A callable is called with how much
        is done, and of how much.
    **context
        What is shown first, as in ``decide``: a context, a range, or a distribution.

    Returns
    -------
    str
        The page in HTML.

    Examples
    --------
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.report import make_page
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(100, 10, 300)
    >>> comparison = rt.compare(y, {"a": y + rng.normal(0, 4, 300)}, arm="regression")
    >>> page = make_page(comparison, title="Next week", unit="kWh", under_cost=4, over_cost=1)
    >>> "<title>Next week" in page
    True
    """
    named: dict[str, Any] = {"": comparisons}
    if not isinstance(comparisons, Comparison):
        named = check_mapping(comparisons, "comparisons", "comparisons")
    least = check_whole(min_cases, "min_cases", 1)
    for what, text in (("title", title or ""), ("unit", unit)):
        if not isinstance(text, str):
            raise InputError(f"'{what}' must be text, but is {text!r}.")
    if not isinstance(exact, bool):
        raise InputError(f"'exact' must be True or False, but is {exact!r}.")
    parts = []
    for name, given in named.items():
        comparison, shown = given if isinstance(given, tuple) else (given, context)
        if not isinstance(comparison, Comparison):
            raise InputError(
                f"{name!r} must be a comparison, as returned by compare(...), but is of type "
                f"{type(comparison).__name__}."
            )
        told = progress
        if not callable(told):
            told = partial(_show, Progress(f"page {name}".strip(), 0, bool(progress)))
        parts.append(
            comparison_payload(
                comparison,
                context=shown,
                title=name,
                unit=unit,
                min_cases=least,
                exact=exact,
                told=told,
            )
        )
    body = {"version": 1, "madeWith": __version__, "title": title or "", "comparisons": parts}
    return fill_template(body, title or "roctopus")


def _show(bar: Progress, done: int, total: int) -> None:
    bar.total = total
    bar.show(done)


def fill_template(body: dict[str, Any], title: str) -> str:
    """Put data into the template; no text in them can end the element that holds them."""
    template = files("roctopus").joinpath("report", "template.html").read_text("utf-8")
    text = json.dumps(_plain(body), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    head, rest = template.split(TITLE)
    middle, tail = rest.split(DATA)
    # Lone surrogates, which a name may hold, are no text that a file can keep.
    whole = "".join((head, escape(title), middle, text, tail))
    return whole.encode("utf-8", "replace").decode("utf-8")


def _plain(value: Any) -> Any:
    """Return a value as JSON holds it; what is not a number is null."""
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    return value


def write_page(
    path: str | os.PathLike[str],
    comparisons: Comparison | Mapping[str, Comparison],
    **options: Any,
) -> None:
    """Write the page with the answer to a file, whole or not at all.

    Parameters
    ----------
    path : path
        File to write, such as "answer.html".
    comparisons : Comparison, or mapping of str to Comparison
        What to show; several become tabs.
    **options
        Options of ``make_page``: ``title``, ``unit``, ``min_cases``, ``exact``, and what is shown
        first.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> import roctopus as rt
    >>> from roctopus.report import write_page
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(100, 10, 300)
    >>> comparison = rt.compare(y, {"a": y + rng.normal(0, 4, 300)}, arm="regression")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(Path(folder) / "answer.html", comparison, under_cost=4, over_cost=1)
    ...     [path.name for path in Path(folder).iterdir()]
    ['answer.html']
    """
    text = make_page(comparisons, **options)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def show_in_notebook(comparison: Comparison) -> str:
    """Return the page in a frame; of many cases, or too few, who is best where as a table."""
    small = len(comparison.problem) * len(comparison.models) <= NOTEBOOK_UP_TO
    if small and comparison.problem.context_kind != "price":
        with suppress(InputError):  # too few cases for a page
            page = escape(make_page(comparison, progress=False), quote=True)
            return (
                f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" width="100%" '
                'height="1200" style="border:0" title="roctopus"></iframe>'
            )
    return comparison.sheet().html()

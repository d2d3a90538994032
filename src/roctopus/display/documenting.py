"""What arguments that all displays share mean, put into the documentation of each method."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

SHARED = {
    "y_true": "y_true : array\n    True values or classes.",
    "y_pred": "y_pred : array\n    Predictions of the model for these cases: {predicts}.",
    "name": "name : str or list of str, optional\n"
    "    Name of the model in the legend, or of each model.",
    "pos_label": "pos_label : label, optional\n"
    "    Label of the positive class. Needed for text; by default the larger number, or True.",
    "labels": "labels : list, optional\n    The classes in order, from the lowest to the highest.",
    "sample_weight": "sample_weight : array, optional\n"
    "    Weight of each case; cases of weight 0 are ignored.",
    "false_positive_cost": "false_positive_cost : float, default 1.0\n"
    "    Cost of a false positive: yes was decided where no was right.",
    "false_negative_cost": "false_negative_cost : float, default 1.0\n"
    "    Cost of a false negative: no was decided where yes was right.",
    "utility": "utility : LinearUtility, or function of the true values that makes one\n"
    "    The value of accepting each case.",
    "normalize": "normalize : bool, default False\n    Whether to draw means instead of totals.",
    "context": "context : float, optional\n    A context to mark, with the values there.",
    "bands": "bands : bool, default True\n"
    "    Whether a strip below the curves shows which model is best where.",
    "low": "low : float, optional\n    The smallest context to show.",
    "high": "high : float, optional\n    The largest context to show.",
    "ax": "ax : matplotlib axes, optional\n"
    "    Where to draw; by default on a new figure. If the axes already show models, further ones\n"
    "    get the next colours, and all of them share one legend.",
    "curve_kwargs": "curve_kwargs : dict or list of dict, optional\n"
    "    Arguments of matplotlib's ``plot``, such as ``{{'color': 'red'}}``: for all models, or\n"
    "    a dictionary per model.",
    "title": 'title : str, optional\n    By default it says what is shown; ``""`` leaves it out.',
    "legend": "legend : bool, default True\n    Whether to show a legend.",
    "legend_kwargs": "legend_kwargs : dict, optional\n"
    "    Arguments of matplotlib's ``legend``, such as ``{{'loc': 'upper right'}}``.",
    "backend": "backend : {{'pandas', 'polars', 'pyarrow'}}, optional\n"
    "    Library of the dataframe; by default that of your data, or the first that is installed.",
    "options": "**options : keyword arguments\n    As in ``plot``.",
}
"""By argument, as numpydoc wants it."""
PARAMETERS = re.compile(r"^Parameters\n-+\n", re.MULTILINE)
NEXT = re.compile(r"^(Returns|Notes|Examples)\n-+\n", re.MULTILINE)


def complete(function: Callable[..., Any], returns: str, predicts: str = "predictions") -> None:
    """Add shared arguments that a docstring leaves out, and what is returned."""
    text = inspect.cleandoc(function.__doc__ or "")
    heading, at = PARAMETERS.search(text), NEXT.search(text)
    end = at.start() if at else len(text)
    before = text[: heading.start() if heading else end].rstrip()
    own = _by_argument(text[heading.end() : end]) if heading else {}
    parts: dict[str, None] = {}
    for name in inspect.signature(function).parameters:
        if name in own or name in SHARED:
            parts[own.get(name) or SHARED[name].format(predicts=predicts)] = None
    sections = [before, "Parameters\n----------\n" + "\n".join(parts)]
    rest = text[end:]
    if not rest.startswith("Returns"):
        sections.append(f"Returns\n-------\n{returns}")
    function.__doc__ = "\n\n".join([*sections, rest]).rstrip() + "\n"


def _by_argument(text: str) -> dict[str, str]:
    """Return what is said of each argument; several may share it."""
    blocks = re.split(r"^(?=\S)", text.strip("\n"), flags=re.MULTILINE)
    return {
        name.lstrip("*"): block.rstrip()
        for block in blocks
        if block
        for name in block.splitlines()[0].partition(" : ")[0].split(", ")
    }

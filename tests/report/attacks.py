"""Attacks on pages: each takes pages as they were sent, and claims where some row's value lies."""

import base64
import itertools
import json
import re
from typing import Any, NamedTuple

import numpy as np

POINT = 1e-7
"""Half the width of a claim that a number is just so, relative to its size."""


CURVES = ("values", "low", "high", "likely")
"""What a page draws of a curve."""


class Claim(NamedTuple):
    """Some row's truth, prediction or error lies here."""

    low: float
    high: float


def data_in(page: str) -> Any:
    """Return what the page holds of its comparison."""
    return json.loads(page.split('id="data">')[1].split("</script>")[0])["comparisons"][0]


def unpacked(value: Any) -> Any:
    """Return data with arrays as arrays, and decisions as data."""
    if isinstance(value, dict):
        if set(value) == {"f64"}:
            return np.frombuffer(base64.b64decode(value["f64"]), "<f8")
        found = {key: unpacked(each) for key, each in value.items()}
        if isinstance(found.get("low"), np.ndarray):  # curves are in the middle of their bounds
            found["values"] = 0.5 * (found["low"] + found["high"])
        return found
    if isinstance(value, list):
        if len(value) > 2 and all(isinstance(each, (int, float)) for each in value):
            return np.array(value, dtype=float)
        return [unpacked(each) for each in value]
    if isinstance(value, str) and value.startswith("{"):
        return unpacked(json.loads(value))
    return value


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """Return all numbers by where they are; those in sentences, too."""
    if isinstance(value, dict):
        parts = [flat(each, f"{path}.{key}") for key, each in value.items()]
        return {key: each for part in parts for key, each in part.items()}
    if isinstance(value, list):
        parts = [flat(each, f"{path}.{key}") for key, each in enumerate(value)]
        return {key: each for part in parts for key, each in part.items()}
    if isinstance(value, np.ndarray):
        return {path: value}
    if isinstance(value, str) and "checksum" not in path:
        found = re.findall(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", value)
        return {path: np.array([float(each.replace(",", "")) for each in found])} if found else {}
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return {path: np.array([float(value)])}
    return {}


def points(*numbers: Any) -> list[Claim]:
    """Claim that numbers, or what is opposite to them, are values of rows."""
    found = np.concatenate([np.zeros(0), *(np.ravel(each) for each in numbers)])
    found = np.unique(found[np.isfinite(found)])
    both = np.unique(np.concatenate([found, -found]))
    wide = np.maximum(np.abs(both), 1e-3) * POINT
    return [Claim(x - w, x + w) for x, w in zip(both.tolist(), wide.tolist(), strict=True)]


def stored(page: str) -> list[Claim]:
    """Every number of the page may be a row's value: a setting, a border, a number in words."""
    return points(*flat(unpacked(data_in(page))).values())


def _same_kind(data: Any) -> list[dict[str, np.ndarray]]:
    """Return for each model what the page draws of it."""
    parts = []
    for k, curve in enumerate(data["curves"]):
        found = {key: np.asarray(curve[key]) for key in CURVES if key in curve}
        found |= {f"knob{j}": each for j, each in enumerate(curve["knobs"])}
        if curve["untuned"] is not None:
            found["untuned"] = curve["untuned"]["values"]
        for view in data["space"].get("views", []):
            for name in ("curves", "points"):
                if view[name]:
                    drawn = view[name][k]
                    found |= {f"{name}.{axis}": np.asarray(drawn[axis]) for axis in "xy"}
        parts.append(found)
    return parts


def subtraction(page: str) -> list[Claim]:
    """Differences of two numbers of the same kind, of means and of sums of cases (finding R1).

    Among them: what settings and trade-off points say of the same error, and optima less points.
    """
    data = unpacked(data_in(page))
    cases, found = data["cases"], []
    for model in _same_kind(data):
        for array in model.values():
            gaps = np.diff(array[np.isfinite(array)])
            found += [gaps, cases * gaps]
        for (_, first), (_, second) in itertools.combinations(model.items(), 2):
            if len(first) == len(second):
                real = np.isfinite(first) & np.isfinite(second)
                one, other = first[real], second[real]
                found += [cases * (one - other), one + other]
        if {"curves.x", "curves.y", "untuned"} <= set(model):
            # Over- less under-estimation at a setting is the mean error plus the setting.
            unit = (data["costs"] or {"unit": 1.0})["unit"] or 1.0
            ends = model["untuned"][[0, -1]] / (2.0 * unit)
            found.append(model["curves.x"] + model["curves.y"] - (ends[0] - ends[1]))
    return points(*found)


def counts(page: str) -> list[Claim]:
    """Neighbouring numbers between which just one or two cases lie.

    A case is between two cutoffs if a curve steps there by one case, and in a bin of its class.
    """
    data = unpacked(data_in(page))
    cases, contexts, found = data["cases"], data["contexts"], []
    if data["steps"]:
        for model in data["curves"]:
            for name in ("values", "low", "high"):
                if name in model:
                    step = np.abs(np.diff(model[name])) * cases
                    at = np.flatnonzero((step > 0.4) & (step < 2.1))
                    found += [Claim(contexts[k], contexts[k + 1]) for k in at]
    for shape in data["space"].get("models", []):
        for edges, density in zip(shape["edges"], shape["density"], strict=True):
            share = np.asarray(density) * np.diff(edges)
            least = share[share > 0.0].min(initial=np.inf)
            at = np.flatnonzero(share <= 1.5 * least)
            found += [Claim(edges[k], edges[k + 1]) for k in at]
    return found


def copies(page: str) -> list[Claim]:
    """Between neighbouring settings of two models lies a case.

    It does if these are constants, or one is a copy of the other that is moved.
    """
    data = unpacked(data_in(page))
    knobs = [np.unique(k[np.isfinite(k)]) for c in data["curves"] for k in c["knobs"]]
    found = []
    raw = [c["untuned"]["values"] for c in data["curves"] if c["untuned"] is not None]
    if not data["costs"] or len(raw) != len(knobs):
        return []
    unit = data["costs"]["unit"]
    means = [(each[0] - each[-1]) / (2.0 * unit) for each in raw]
    for (one, mean), (other, its) in itertools.combinations(zip(knobs, means, strict=True), 2):
        place = np.concatenate([mean + one, its + other])  # settings as of errors around 0
        whose = np.repeat([0, 1], [len(one), len(other)])
        order = np.argsort(place)
        gap, turn = np.diff(place[order]), np.diff(whose[order]) != 0
        for k in np.flatnonzero(turn & (gap > 0.0)):
            ends = np.sort([place[order][k] - mean, place[order][k + 1] - mean])
            found += [Claim(*ends), Claim(-ends[1], -ends[0])]
    return found


def dominance(page: str) -> list[Claim]:
    """One heavy case makes almost all of a mean: the mean times the number of cases tells it.

    Means are rounded, but differently at each context and in each column, so these are combined.
    """
    data = unpacked(data_in(page))
    if not data["costs"] or data["arm"] != "regression":
        return []
    cases, over, under = data["cases"], [], []
    exact = {model: c["untuned"] for model, c in zip(data["models"], data["curves"], strict=True)}
    for answer in data["answers"]:
        share, unit = answer["context"], data["costs"]["unit"]
        for row in answer["rows"]:
            ratio = row["value"] / max(row["high"], 1e-300)
            if row["value"] <= 0.0 or ratio > 0.6:
                continue  # no case dominates
            size = 0.5 * row["value"] + 0.5 * row["high"] / 2.96  # a mean, and its own error
            over.append(size * cases / (2.0 * unit * (1.0 - share)))
            under.append(size * cases / (2.0 * unit * share))
    for untuned in exact.values():
        if untuned is not None:
            over.append(untuned["values"][0] * cases / (2.0 * data["costs"]["unit"]))
            under.append(untuned["values"][-1] * cases / (2.0 * data["costs"]["unit"]))
    found = []
    for sizes, sign in ((over, 1.0), (under, -1.0)):
        for size in [*sizes, np.median(sizes) if sizes else 0.0]:
            if np.isfinite(size) and size > 0.0:
                ends = sorted((sign * 0.95 * size, sign * 1.02 * size))
                found.append(Claim(*ends))
    return found


def two_pages(page: str, other: str) -> list[Claim]:
    """Pages of the same cases but for one: each pair of numbers as sums, subtracted."""
    first, second = (unpacked(data_in(each)) for each in (page, other))
    more, less = first["cases"], second["cases"]
    here, there = flat(first), flat(second)
    unit = float((first["costs"] or {"unit": 1.0})["unit"] or 1.0)
    found = []
    for path in here.keys() & there.keys():
        one, two = here[path], there[path]
        if len(one) == len(two) and path not in (".contexts", ".belief.edges"):
            moved = np.flatnonzero(one != two)[[0, -1]] if np.any(one != two) else []
            here_at, there_at = (np.where(np.isfinite(x[moved]), x[moved], 0.0) for x in (one, two))
            sums = more * here_at - less * there_at
            found += [sums, sums / (2.0 * unit), here_at - there_at]
    return points(*found)


ATTACKS = {each.__name__: each for each in (stored, subtraction, counts, copies, dominance)}

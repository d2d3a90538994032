"""Every public name says what it takes, what it returns, and shows it: numpydoc's validation.

`docstrings.toml` lists the words that describe a parameter that many functions share.
"""

from __future__ import annotations

import inspect
import tomllib
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString
from numpydoc.validate import validate

import roctopus

SOURCE = Path(str(roctopus.__file__)).parent
WORDS = tomllib.loads(Path(__file__).with_name("docstrings.toml").read_text(encoding="utf-8"))[
    "words"
]
MEMBERS = (property, cached_property, classmethod, staticmethod)

CHECKS = {
    *("GL01", "GL02", "GL03", "GL05", "GL06", "GL07", "GL08", "GL09", "GL10"),
    *("SS01", "SS02", "SS03", "SS04", "SS05", "SS06"),
    *("PR01", "PR02", "PR03", "PR04", "PR05", "PR06", "PR07", "PR08", "PR09", "PR10"),
    *("RT01", "RT02", "RT03", "RT04", "RT05", "YD01"),
    *("SA02", "SA03", "SA04", "EX01"),
}
"""What is checked: all but a second paragraph (ES01) and See Also (SA01), which few names need."""

RESULTS = (
    "concepts.intervals.ConfidenceInterval",
    "concepts.joint.JointEstimates",
    "concepts.registry.Metric",
    "concepts.tradeoff_curve.ROCCurve",
    "core.correlations.Correlations",
    "regression.costs.ShiftDecomposition",
    "regression.feasible.RuleRROCPath",
    "regression.paths.ComponentPath",
)
"""Types that public functions return and that no package lists."""


def is_documented_by_itself(thing: Any) -> bool:
    """Return whether something has a docstring of its own: a class or a function, no alias."""
    return inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing))


def public_names() -> dict[str, list[str]]:
    """Return the public names of each package; the top one has those that no other lists."""
    packages = [path.parent.name for path in sorted(SOURCE.glob("*/__init__.py"))]
    modules = {name: import_module(f"roctopus.{name}") for name in packages}
    listed = {name: list(getattr(module, "__all__", ())) for name, module in modules.items()}
    elsewhere = {name for names in listed.values() for name in names}
    modules["roctopus"], listed["roctopus"] = roctopus, sorted({*roctopus.__all__} - elsewhere)
    return {
        package: [
            each for each in names if is_documented_by_itself(getattr(modules[package], each))
        ]
        for package, names in listed.items()
        if names
    }


def members(kind: type) -> list[str]:
    """Return the public methods and properties of a class that roctopus wrote."""
    return [
        name
        for name, value in inspect.getmembers_static(kind)
        if not name.startswith("_")
        and (isinstance(value, MEMBERS) or inspect.isfunction(value))
        and any(name in vars(each) and _is_ours(each) for each in kind.__mro__)
    ]


def _is_ours(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "roctopus"


def complaints(address: str, checks: set[str] = CHECKS) -> list[str]:
    """Return what is wrong with the docstring at an address, a sentence each."""
    found = validate(address)
    said = [f"{code} {message}" for code, message in found["errors"] if code in checks]
    return [f"{address}: {each}" for each in said + other_words(found["docstring"])]


def other_words(docstring: str) -> list[str]:
    """Return which shared parameters are described in words of their own."""
    described = {
        name: " ".join(each.desc)
        for each in NumpyDocString(docstring)["Parameters"]
        for name in each.name.split(", ")
    }
    return [
        f"WORDS Parameter {name!r} should read {' or '.join(WORDS[name])!r}, not {text!r}"
        for name, text in described.items()
        if name in WORDS and not text.startswith(tuple(WORDS[name]))
    ]


def all_complaints(package: str, name: str) -> list[str]:
    """Return what is wrong with a name and, for a class, with its methods."""
    address = f"{package}.{name}"
    thing = getattr(import_module(package), name)
    found = complaints(address)
    for each in members(thing) if inspect.isclass(thing) else ():
        found += complaints(f"{address}.{each}", CHECKS - {"EX01"})
    return found


@pytest.mark.parametrize("package", sorted(public_names()))
def test_public_names_are_documented(package: str) -> None:
    where = package if package == "roctopus" else f"roctopus.{package}"
    found = [said for name in public_names()[package] for said in all_complaints(where, name)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("address", RESULTS)
def test_results_are_documented(address: str) -> None:
    module, _, name = address.rpartition(".")
    found = all_complaints(f"roctopus.{module}", name)
    assert not found, "\n".join(found)


def mean_cost(price: float, count: int = 1) -> float:
    """Return the mean cost.

    Parameters
    ----------
    price : float
        Price of one piece, in euros.

    Returns
    -------
    float
        The mean cost, in euros.

    Examples
    --------
    >>> mean_cost(2.0)
    2.0
    """
    return price / count


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("", "", "PR01"),
        ("price :", "cost :", "PR02"),
        ("price : float", "price", "PR04"),
        ("        Price of one piece, in euros.\n", "", "PR07"),
        ("    Returns\n    -------\n    float\n        The mean cost, in euros.\n", "", "RT01"),
        ("        The mean cost, in euros.\n", "", "RT03"),
        ("Examples\n    --------", "", "EX01"),
        ("cost.\n", "cost\n", "SS03"),
        ("Return the", "Returns the", "SS05"),
        ("price : float", "sample_weight : array, optional", "WORDS"),
    ],
)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, code: str
) -> None:
    text = str(mean_cost.__doc__)
    assert old in text
    monkeypatch.setattr(mean_cost, "__doc__", text.replace(old, new))
    monkeypatch.setattr(roctopus, "mean_cost", mean_cost, raising=False)
    assert code in {said.split()[1] for said in complaints("roctopus.mean_cost")}

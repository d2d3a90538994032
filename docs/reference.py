"""The reference: a page per package with its public names, written before each build.

A name that the top package offers is documented there (`roctopus.rroc_curve`), and listed with its
arm; so each name has one page, and no list of names is kept by hand.
"""

import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import roctopus

PACKAGES = {
    "comparison": "Compare and decide",
    "concepts": "Curves, distributions, estimates",
    "regression": "Regression under asymmetric cost",
    "cutoff": "Numbers cut into yes and no",
    "ordinal": "Ordered classes",
    "probability": "Probabilities",
    "impact": "A value for each case",
    "inference": "How certain: intervals, tests, bands, out-of-sample values",
    "deploy": "Ship it: scikit-learn estimators",
    "display": "Pictures",
    "report": "The page",
    "datasets": "Data",
}
MAIN = ("Comparison", "Answer", "Decision", "Estimate", "ContextCurve", "TradeoffCurve", "Envelope")
"""The types to learn; with distributions and utilities they are the nine words of the reference."""


def place(name: str, package: str) -> str:
    """Return the address under which a public name of a package is documented."""
    return f"roctopus.{name}" if name in roctopus.__all__ else f"roctopus.{package}.{name}"


def public_names(package: str) -> list[str]:
    """List what a package offers; the shared types have no package of their own to import from."""
    if package == "concepts":
        arms = {name for other in PACKAGES if other != package for name in public_names(other)}
        return sorted(set(roctopus.__all__) - arms - {"__version__"})
    return sorted(import_module(f"roctopus.{package}").__all__)


def links() -> dict[str, str]:
    """Return where each public type is documented, for types in docstrings."""
    return {
        name: place(name, package)
        for package in PACKAGES
        for name in public_names(package)
        if inspect.isclass(getattr(import_module(place(name, package).rpartition(".")[0]), name))
    }


def groups(package: str) -> dict[str, list[str]]:
    """Sort the names of a package into what readers look for."""
    metrics = {metric.name for metric in roctopus.registered_metrics()}
    kinds = ("Main types", "Functions", "Metrics", "Other types", "Errors")
    found: dict[str, list[str]] = {kind: [] for kind in kinds}
    for name in public_names(package):
        thing = getattr(import_module(place(name, package).rpartition(".")[0]), name)
        if name in metrics:
            group = "Metrics"
        elif not inspect.isclass(thing):
            group = "Functions"
        elif name in MAIN:
            group = "Main types"
        else:
            group = "Errors" if issubclass(thing, Exception) else "Other types"
        found[group].append(place(name, package))
    return {group: names for group, names in found.items() if names}


def page(package: str, title: str) -> str:
    """Write the page of one package."""
    lines = [title, "=" * len(title), ""]
    if package != "concepts":
        doc = inspect.getdoc(import_module(f"roctopus.{package}")) or ""
        lines += [f"``roctopus.{package}``", "", doc, ""]
    for group, names in groups(package).items():
        lines += [
            group,
            "-" * len(group),
            "",
            ".. autosummary::",
            "   :toctree: names",
            "   :nosignatures:",
            "",
        ]
        lines += [f"   {name}" for name in names] + [""]
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write all pages, touching only those that changed (sphinx then reads only these again)."""
    for package in PACKAGES:
        public_names(package)  # imported, an arm's metrics are registered
    for package, title in PACKAGES.items():
        path, text = folder / f"{package}.rst", page(package, title)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    """Write before sphinx looks for files."""
    app.connect("config-inited", lambda app, _: write(Path(app.srcdir) / "api"))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""What the package promises as a whole."""

import dataclasses
import importlib
import inspect
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import roctopus
from roctopus.scanning import LargeComparison

SOURCE = Path(str(roctopus.__file__)).parent
HEAVY = (
    "numpy",
    "sklearn",
    "scipy",
    "matplotlib",
    "pyarrow",
    "duckdb",
    "pandas",
    "polars",
    "torch",
    "narwhals",
)


def test_import_is_light():
    code = f"import sys, roctopus; print([m for m in {HEAVY!r} if m in sys.modules])"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_public_names_exist_and_are_documented():
    assert len(roctopus.__all__) == len(set(roctopus.__all__))
    for name in roctopus.__all__:
        thing = getattr(roctopus, name)
        assert name.startswith("__") or (thing.__doc__ and thing.__doc__[0].isupper())


def test_dir_shows_public_names_and_packages_only():
    packages = {
        path.parent.name for path in Path(roctopus.__file__).parent.glob("*/__init__.py")
    } - {"cli", "concepts", "core", "engines", "report"}
    assert set(dir(roctopus)) == set(roctopus.__all__) | packages
    for name in dir(roctopus):
        assert getattr(roctopus, name) is not None


@pytest.mark.parametrize("kind", [roctopus.Comparison, LargeComparison])
def test_a_comparison_shows_what_users_need(kind):
    shown = {name for name in dir(kind) if not name.startswith("__")}
    fields = {field.name for field in dataclasses.fields(kind)}
    for name in shown - fields:
        assert getattr(kind, name).__doc__
    verbs = {"curves", "decide", "envelope", "plot", "regions", "table"}
    assert verbs | {"models", "cases", "fingerprint"} <= shown
    internal = {"aim", "learned", "untuned", "rounds", "own", "envelope_of", "fingerprint_with"}
    assert not internal & shown
    assert not {name for name in shown if name.startswith("_")}


def test_a_comparison_shows_the_same_on_the_object():
    comparison = roctopus.compare([1, 2, 3, 4], {"a": [1, 3, 3, 5]}, arm="regression")
    assert dir(comparison) == dir(roctopus.Comparison)
    assert all(hasattr(comparison, name) for name in roctopus.Comparison.PUBLIC)


@pytest.mark.parametrize("kind", [roctopus.Comparison, LargeComparison])
def test_the_signature_of_a_comparison_shows_what_users_need(kind):
    shown = list(inspect.signature(kind).parameters)
    assert shown[0] == "problem"
    assert set(shown) <= set(kind.PUBLIC)


def test_no_public_function_shares_a_modules_name():
    modules = {name.rpartition(".")[2] for name in sys.modules if name.startswith("roctopus.")}
    arms = {"regression", "cutoff", "ordinal", "probability", "impact"}
    packages = {"core", "concepts", "inference", "comparison", "deploy", "display"} | arms
    assert not set(roctopus.__all__) & (packages & modules)


@pytest.mark.parametrize("stub", sorted(SOURCE.rglob("__init__.pyi")), ids=str)
def test_no_listed_name_is_hidden_by_a_module(stub):
    package = ".".join(("roctopus", *stub.parent.relative_to(SOURCE).parts))
    modules = {path.stem for path in stub.parent.glob("*.py")}
    assert not set(importlib.import_module(package).__all__) & modules


def test_the_wheel_is_at_most_one_and_a_half_megabytes():
    """A wheel holds each file compressed, with some 230 bytes that say where it is."""
    files = [path for path in SOURCE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    packed = sum(len(zlib.compress(path.read_bytes())) + 230 for path in files)
    assert packed < 1_470_000  # the record of files and the metadata take 27 kB more

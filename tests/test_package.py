"""What the package promises as a whole."""

import subprocess
import sys

import roctopus

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


def test_no_public_function_shares_a_modules_name():
    modules = {name.rpartition(".")[2] for name in sys.modules if name.startswith("roctopus.")}
    arms = {"regression", "cutoff", "ordinal", "probability", "impact"}
    packages = {"core", "concepts", "inference", "comparison", "deploy", "display"} | arms
    assert not set(roctopus.__all__) & (packages & modules)

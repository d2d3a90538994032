"""Options: ranges, prices at the ends, and sentences that name them."""

import numpy as np
import pytest
from program import SAID, columns, refusal, run, write


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "x.parquet", columns())
    return tmp_path


def test_nothing_earned_untuned(tmp_path):
    rng = np.random.default_rng(0)
    risk = rng.beta(1, 2, 300)
    write(tmp_path / "x.parquet", {"y": (rng.random(300) < risk) * 1, "p": risk})
    done = run(
        "compare", "x.parquet", "-t", "y", "-m", "p", "--utility", "net-benefit",
        "--theta", "40", cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_options_in_sentences(folder):
    told = refusal("compare", "x.parquet", *SAID[:5], "--asymmetry", "0.9:0.2", cwd=folder)
    assert "the range must go from a lower to a higher value of --asymmetry" in told
    negative = {**columns(), "w": -np.ones(120)}
    write(folder / "w.parquet", negative)
    assert "--weight" in refusal("compare", "w.parquet", *SAID, "--weight", "w", cwd=folder)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            ("--asymmetry", "4"),
            "If 4 is a cost ratio (--under-cost / --over-cost), use --cost-ratio 4.",
        ),
        (
            ("--arm", "regression", "--distribution", "uniform(2, 8)"),
            "Use a distribution within the range. If 2 and 8 are cost ratios (--under-cost /",
        ),
        (("--arm", "ordinal", "--costs", "1,2"), "each of the 120 classes, but has 2."),
        (("--arm", "probability", "--cost-ratio", "2"), "must contain two classes, such as 0"),
    ],
)
def test_a_shell_names_options(folder, said, told):
    shown = refusal("compare", "x.parquet", *SAID[:5], *said, cwd=folder)
    assert told in shown
    for word in ("_", "shape", "roctopus.", "scipy"):
        assert word not in shown.removeprefix("roctopus: ")


def test_few_cases_are_no_matter_of_arguments(tmp_path):
    """A shell has no option for folds."""
    found = columns(24)
    rare = {"rare": [1] + [0] * 23, "half": [0, 1] * 12}
    write(tmp_path / "x.parquet", {**found, **rare})
    costs = ("--false-positive-cost", "1", "--false-negative-cost", "2")
    told = refusal("compare", "x.parquet", "-t", "rare", "-m", "a", *costs, cwd=tmp_path)
    assert told.endswith("Use more cases, or fewer folds.\n")
    told = refusal("compare", "x.parquet", *SAID, "--time", "half", cwd=tmp_path)
    assert "but there are only 2" in told
    assert "Leave out --time" in told


def test_ordered_classes_and_amounts_are_named(tmp_path):
    found = columns(40)
    write(tmp_path / "x.parquet", {
        **found, "grade": ["low", "mid", "top", "mid"] * 10,
        "y": [f"{abs(y):.2f} {'CR' if y > 30 else 'DR'}" for y in found["y"]],
    })  # fmt: skip
    costs = ("--false-positive-cost", "1", "--false-negative-cost", "2")
    told = refusal("compare", "x.parquet", "-t", "grade", "-m", "a", *costs, cwd=tmp_path)
    assert "use the arm 'ordinal'" in told
    told = refusal("compare", "x.parquet", *SAID, cwd=tmp_path)
    assert "The column 'y' must contain numbers, but contains text in rows 1, 2" in told
    assert "R'. Correct or remove these rows." in told


def test_bare_calls_help(folder):
    done = run(cwd=folder)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "Start with" in done.stdout

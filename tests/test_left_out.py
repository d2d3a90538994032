"""The marks `slow` and `thorough`: without a reason nothing runs; what is left out is listed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.{mark}
@pytest.mark.parametrize("number", [1, 2])
def test_long(number): pass

def test_short(): pass
"""


def run(folder, mark, *options):
    (folder / "test_some.py").write_text(TESTS.format(mark=mark))
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "SLIPCOVER"))
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "left_out", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("mark", "options"), [("slow", []), ("thorough('a cluster')", ["-m", "not thorough"])]
)
def test_a_mark_without_a_reason_stops_the_run(tmp_path, mark, options):
    done = run(tmp_path, mark, *options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    name = mark.partition("(")[0]
    sentence = f"test_some.py::test_long[1]: say why, as in @pytest.mark.{name}(reason='...')."
    assert sentence in done.stderr


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one", "two"])
def test_what_is_left_out_is_listed_with_its_reason(tmp_path, processes):
    done = run(tmp_path, "slow(reason='starts a cluster')", "-m", "not slow", *processes)
    assert done.returncode == 0
    assert "tests left out: 2" in done.stdout
    assert "\n2 in test_some.py (slow): starts a cluster\n" in done.stdout
    assert "1 passed" in done.stdout

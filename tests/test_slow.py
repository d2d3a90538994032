"""The mark `slow`: without a reason nothing runs; with one, what is left out is listed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

@pytest.mark.slow({reason})
@pytest.mark.parametrize("number", [1, 2])
def test_long(number): pass

def test_short(): pass
"""


def run(folder, reason, *options):
    (folder / "test_some.py").write_text(TESTS.format(reason=reason))
    kept = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "slow", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("reason", ["", "'a cluster'"])
def test_a_slow_test_without_a_reason_stops_the_run(tmp_path, reason):
    done = run(tmp_path, reason)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "Say why it is slow" in done.stderr
    assert "test_some.py::test_long[1], test_some.py::test_long[2]" in done.stderr


@pytest.mark.parametrize("processes", [[], ["-n", "2"]], ids=["one", "two"])
def test_what_is_left_out_is_listed_with_its_reason(tmp_path, processes):
    done = run(tmp_path, "reason='starts a cluster'", "-m", "not slow", *processes)
    assert done.returncode == 0
    assert "slow tests left out: 2" in done.stdout
    assert "\n2 in test_some.py: starts a cluster\n" in done.stdout
    assert "1 passed" in done.stdout

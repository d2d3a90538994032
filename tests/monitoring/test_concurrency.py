"""Many writers of one state: the runs of ``benchmarks/concurrency.py``, with fewer of them.

They fork, which a process with threads must not; so they run in one of their own.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.newest
def test_no_acknowledged_look_is_lost():
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "concurrency.py"), "20", "10", "4", "40"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "20 workers × 10 checks: 200 looks acknowledged, 200 numbers, 200 recorded, 0 refused"
    )
    assert lines[2] == "4 command lines: 4 looks acknowledged, 4 numbers, 4 recorded, 0 refused"
    assert "all in order and recorded: True" in lines[4]
    assert "the old state is whole: True, temporary files: []" in lines[-2]

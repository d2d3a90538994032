"""Code blocks of Markdown files: run them, and compare what they print with what the page says."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"^```(python|sh)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)


def blocks(path: Path) -> list[tuple[str, str, str]]:
    """List the blocks of a page: language, code, and what it must print, if the page says so."""
    return FENCE.findall(path.read_text(encoding="utf-8"))


def run_python(code: str, namespace: dict[str, Any], name: str = "block") -> str:
    """Run Python and return what it printed."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code, name, "exec"), namespace)
    return shown.getvalue()


def run_shell(code: str, python: str = sys.executable) -> str:
    """Run shell commands, this Python's scripts found first, and return what they printed."""
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{code}\n{done.stdout}{done.stderr}"
    return done.stdout


def run_page(path: Path) -> None:
    """Run the blocks of a page in order, in the working folder, as a reader would."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, (language, code, printed) in enumerate(blocks(path), 1):
        name = f"{path.name}, block {number}"
        shown = run_shell(code) if language == "sh" else run_python(code, namespace, name)
        if printed:
            assert shown.strip() == printed.strip(), f"{name} printed\n{shown}"

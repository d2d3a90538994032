"""The command line (extra ``cli``): one file per command."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["run", "tell_story"]


def tell_story(arm: str | None, folder: Path) -> None:
    """Tell and answer the bundled example of an arm."""
    from roctopus.cli.demo import run_demo

    run_demo(arm, folder)


def run() -> None:
    """Run the program, or say what it lacks."""
    try:
        from roctopus.cli.main import run as run_program
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.stderr.write(
            f"roctopus: The command line needs {error.name}, which is not installed. Install it "
            "with: pip install 'roctopus[cli,files]'\n"
        )
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    run_program()

"""The command line (extra ``cli``): one file per command."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["run", "tell_story"]


def tell_story(arm: str | None, folder: Path) -> None:
    """Write a bundled example to files, and answer it as the command line does.

    Parameters
    ----------
    arm : str or None
        Arm whose example it is, such as "regression", or "all"; by default the one about concrete.
    folder : Path
        Folder in which the files are written.

    Examples
    --------
    >>> import contextlib, io, tempfile
    >>> from pathlib import Path
    >>> from roctopus.cli import tell_story
    >>> with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
    ...     tell_story("regression", Path(folder))
    ...     written = sorted(path.suffix for path in Path(folder).rglob("*.*"))
    >>> written
    ['.csv', '.html', '.json', '.png', '.png', '.png']
    """
    from roctopus.cli.demo import run_demo

    run_demo(arm, folder)


def run() -> None:
    """Run the command line, with the arguments that the program was started with.

    If a package that the command line needs is not installed, it says so and exits with status 2.

    Examples
    --------
    >>> import subprocess
    >>> import sys
    >>> code = "from roctopus.cli import run; run()"
    >>> asked = [sys.executable, "-c", code, "--version"]
    >>> subprocess.run(asked, capture_output=True, text=True).stdout.split()[0]
    'roctopus'
    """
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

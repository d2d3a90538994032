"""Follow a page as a reader would: install what it says, then run its blocks: follow.py PAGE."""

import os
import re
import sys
import tempfile
from pathlib import Path

from blocks import ROOT, run_page, run_shell

INSTALL = re.compile(r"^```sh install\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def follow(page: Path) -> None:
    """Run a page's commands of installation in the clone, all else in an empty folder."""
    os.chdir(ROOT)
    for code in INSTALL.findall(page.read_text(encoding="utf-8")):
        print(code.strip())
        run_shell(code)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run_page(page)
        os.chdir(ROOT)
    print(f"{page.name}: every block printed what the page says")


if __name__ == "__main__":
    follow(Path(sys.argv[1]).resolve())

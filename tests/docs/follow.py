"""Follow a page as a reader would: install what it says, then run its blocks: follow.py PAGE."""

import os
import re
import sys
import tempfile
from pathlib import Path

from blocks import ROOT, run_page, run_shell

page = Path(sys.argv[1]).resolve()
text = page.read_text(encoding="utf-8")
os.chdir(ROOT)
for code in re.findall(r"^```sh install\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
    print(code.strip())
    run_shell(code)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run_page(page)
    os.chdir(ROOT)
print(f"{page.name}: every block printed what the page says")

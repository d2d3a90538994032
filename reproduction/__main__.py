"""Run all papers (or the named ones) and write the summary."""

from __future__ import annotations

import importlib
import sys
import time

from reproduction.options import Options, parser, run
from reproduction.page import write_index

PAPERS = ("rroc", "ordinal", "proc", "binarised", "impact")


def main() -> int:
    """Write every page, and the summary."""
    asked = parser("Redo the five papers with roctopus beside what they print.")
    asked.add_argument("papers", nargs="*", metavar="paper", help=f"of {', '.join(PAPERS)}")
    given = vars(asked.parse_args())
    papers = given.pop("papers") or PAPERS
    if unknown := sorted(set(papers) - set(PAPERS)):
        asked.error(f"no paper is called {', '.join(unknown)}; there are {', '.join(PAPERS)}")
    options, begun = Options(**given), time.monotonic()
    for name in papers:
        run(importlib.import_module(f"reproduction.{name}").make, options)
    index, told = write_index(options.out, PAPERS)
    print(f"\n{told}\n\n{index} ({(time.monotonic() - begun) / 60:.1f} minutes)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

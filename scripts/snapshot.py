"""What roctopus offers and answers, as JSON: the same before and after a refactoring.

    python scripts/snapshot.py before.json            # all public names, and what questions give
    python scripts/snapshot.py before.json --names    # the names only
    python scripts/snapshot.py --compare before.json after.json [--renames renames.json]

It uses the public API only, so it runs on any later tree; ``PYTHONPATH=src`` chooses the tree. What
a renames file may say is explained in ``snapshots/comparing.py``.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from snapshots.comparing import differences

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def read(path: Path | None) -> Any:
    """Read a JSON file; none is an empty object."""
    return {} if path is None else json.loads(path.read_text("utf-8"))


def show(found: list[str]) -> int:
    """Print differences, and return the exit code."""
    print("\n".join(found) if found else "No differences.")
    if found:
        print(f"{len(found)} differences.", file=sys.stderr)
    return 1 if found else 0


def take(out: Path, names_only: bool) -> int:
    """Write a snapshot."""
    os.environ |= dict.fromkeys(THREADS, "1")  # before NumPy is loaded: sums in one order
    from snapshots.names import public_names

    found: dict[str, Any] = {"names": public_names()}
    if not names_only:
        from snapshots.answers import all_answers

        found["answers"] = all_answers()
    out.write_text(json.dumps(found, ensure_ascii=False, indent=0, sort_keys=True), "utf-8")
    counts = ", ".join(f"{len(part)} {name}" for name, part in found.items())
    print(f"{out}: {counts}")
    return 0


def main() -> int:
    """Take a snapshot, or compare two."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", type=Path, help="the file to write")
    parser.add_argument("--names", action="store_true", help="public names only")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--renames", type=Path, help="a JSON file with intended changes")
    given = parser.parse_args()
    for path in filter(None, (*(given.compare or ()), given.renames)):
        if not path.is_file():
            parser.error(f"there is no file {path}")
    if given.compare is not None:
        before, after = map(read, given.compare)
        return show(differences(before, after, read(given.renames)))
    if given.out is None:
        parser.error("name the file to write, or two files to --compare")
    return take(given.out, given.names)


if __name__ == "__main__":
    sys.exit(main())

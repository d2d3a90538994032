"""How a script is run: where data are, where pages go, how long it may take."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from reproduction.page import write_page
from reproduction.records import Page
from roctopus import InputError
from roctopus.datasets import ProblemData, load_problem

__all__ = ["Options", "load", "main", "parser", "run"]


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    data: Path | None = None
    """A folder with the papers' data; without it they are fetched."""
    out: Path = Path("reproduced")
    full: bool = False
    """As long as the papers' own runs were."""
    jobs: int = os.cpu_count() or 1


def parser(about: str) -> argparse.ArgumentParser:
    """Return what all scripts understand."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument("--data", type=_folder, help="folder with the papers' data (else fetched)")
    made.add_argument("--out", type=_folder, default=Options.out, help="folder for the pages")
    made.add_argument("--full", action="store_true", help="sizes of the papers: hours")
    made.add_argument("--jobs", type=_count, default=Options.jobs, help="processes")
    return made


def _folder(text: str) -> Path:
    path = Path(text).expanduser()
    if path.exists() and not path.is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is a file, and must be a folder")
    return path


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number from 1 on")
    return int(text)


def run(make: Callable[[Options], Page], options: Options) -> Page:
    """Make a page, write it, and say where it is."""
    begun = time.monotonic()
    page = make(options)
    page.seconds = time.monotonic() - begun
    path = write_page(page, options.out)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in page.counts().items() if count)
    print(f"{path}: {counts} ({page.seconds:.0f} s)", flush=True)
    return page


def load(options: Options, name: str) -> ProblemData | str:
    """Return a paper's data, or the sentence that says why not."""
    try:
        return load_problem(name, data_home=options.data)
    except InputError as error:
        return str(error)


def main(make: Callable[[Options], Page]) -> None:
    """Run one paper's script."""
    run(
        make,
        Options(**vars(parser("Redo a paper with roctopus beside what it prints.").parse_args())),
    )

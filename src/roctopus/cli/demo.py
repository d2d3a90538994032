"""``roctopus demo``: the bundled examples, told and answered."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from roctopus import datasets
from roctopus.cli.compare import run_compare
from roctopus.cli.printing import printing
from roctopus.cli.request import Request, flag
from roctopus.core.errors import InputError
from roctopus.core.files import replacing

__all__ = ["run_demo"]


@dataclass(frozen=True)
class Story:
    """An example, and how its question is put on the command line."""

    name: str
    load: Callable[[], datasets.Example]
    said: dict[str, str]


STORIES = {
    "regression": Story(
        "bakery",
        datasets.load_bakery,
        {"truth": "demand", "time": "day", "under_cost": "4", "over_cost": "1"},
    ),
    "cutoff": Story(
        "apartments",
        datasets.load_apartments,
        {"truth": "price", "arm": "cutoff", "distribution": "beta(2,4) on 10%:60%"},
    ),
    "ordinal": Story(
        "apples",
        datasets.load_apples,
        {"truth": "grade", "labels": "juice,kitchen,table", "costs": "3,2,1"},
    ),
    "probability": Story(
        "screening",
        datasets.load_screening,
        {"truth": "ill", "false_positive_cost": "1", "false_negative_cost": "9"},
    ),
    "impact": Story(
        "phones",
        datasets.load_phones,
        {"value": "resale", "cost": "repair", "theta": "0.6:1.4", "capacity": "100"},
    ),
}


def run_demo(arm: str, folder: Path) -> None:
    """Write the example's file, say the command that answers it, and run that."""
    if arm != "all" and arm not in STORIES:
        raise InputError(f"There are examples of {', '.join(STORIES)}, or all, not of {arm!r}.")
    for name, story in STORIES.items():
        if arm not in ("all", name):
            continue
        example = story.load()
        target = folder / story.name
        target.mkdir(parents=True, exist_ok=True)
        file = target / f"{story.name}.csv"
        with replacing(file) as temporary:
            temporary.write_text(example.text, encoding="utf-8")
        request = Request.of(
            {"files": [str(file)], "models": list(example.predictions), **story.said}
        )
        title = example.story.split(".")[0]
        with printing() as console:
            console.print(f"\n{name}: {example.story}\n", style="bold", markup=False)
            console.print(f"$ {command(story, request, target, title)}", style="cyan", markup=False)
        run_compare(
            request, False, target / "decision.json", target, target / "page.html", {"title": title}
        )


def command(story: Story, request: Request, folder: Path, title: str) -> str:
    """Return what to type for the same answer."""
    words = ["roctopus", "compare", *request.files]
    for name, value in story.said.items():
        words += [flag(name), value]
    words += ["--models", *(request.models or ())]
    words += ["--decision", str(folder / "decision.json"), "--png", str(folder)]
    return shlex.join([*words, "-o", str(folder / "page.html"), "--title", title])

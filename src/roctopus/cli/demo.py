"""``roctopus demo``: the bundled examples with their answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from roctopus import datasets
from roctopus.cli.compare import run_compare
from roctopus.cli.printing import printing
from roctopus.cli.request import Request, command
from roctopus.core.errors import InputError
from roctopus.core.files import replacing


@dataclass(frozen=True)
class Story:
    """An example, and how its question is put on the command line."""

    name: str
    load: Callable[[], datasets.Example]
    said: dict[str, str | list[str]]


STORIES = {
    "regression": Story(
        "bakery",
        datasets.load_bakery,
        {"truth": ["demand"], "time": "day", "under_cost": "4", "over_cost": "1"},
    ),
    "cutoff": Story(
        "apartments",
        datasets.load_apartments,
        {"truth": ["price"], "arm": "cutoff", "distribution": "beta(2,4) on 10%:60%"},
    ),
    "ordinal": Story(
        "apples",
        datasets.load_apples,
        {"truth": ["grade"], "labels": "juice,kitchen,table", "costs": "3,2,1"},
    ),
    "probability": Story(
        "screening",
        datasets.load_screening,
        {"truth": ["ill"], "false_positive_cost": "1", "false_negative_cost": "9"},
    ),
    "impact": Story(
        "phones",
        datasets.load_phones,
        {"value": "resale", "cost": "repair", "theta": "0.6:1.4", "capacity": "100"},
    ),
}


def run_demo(arm: str | None, folder: Path) -> None:
    """Write the example's file, say the command that answers it, and run that."""
    arm = arm or next(iter(STORIES))
    if arm != "all" and arm not in STORIES:
        raise InputError(
            f"There is no example called {arm!r}. Choose one of {', '.join(STORIES)}, or all."
        )
    for name, story in STORIES.items():
        if arm not in ("all", name):
            continue
        example = story.load()
        target = folder / story.name
        target.mkdir(parents=True, exist_ok=True)
        file = target / f"{story.name}.csv"
        with replacing(file) as temporary:
            temporary.write_text(example.text, encoding="utf-8")
        said = {
            **story.said,
            "models": list(example.predictions),
            "decision": str(target / "decision.json"),
            "png": str(target),
            "output": str(target / "page.html"),
            "title": example.story.split(".")[0],
        }
        with printing() as console:
            console.print(f"\n{name}: {example.story}\n", style="bold", markup=False)
            console.print(f"$ {command([str(file)], said)}", style="cyan", markup=False)
        run_compare(Request.of("compare", [str(file)], said))

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
    """A question about an example, and how it is put on the command line."""

    name: str
    question: str
    assumed: str
    load: Callable[[], datasets.Example]
    said: dict[str, str | list[str]]


STRENGTH: dict[str, str | list[str]] = {"truth": ["strength"], "clusters": "mix"}
FIRST = Story(
    "concrete",
    "How much strength should we promise?",
    "promising 1 MPa too much costs 5 times as much as promising 1 MPa too little",
    datasets.load_concrete_predictions,
    {**STRENGTH, "under_cost": "1", "over_cost": "5"},
)
STORIES = {
    "regression": Story(
        "power-plant",
        "How much power should the plant sell for an hour?",
        "selling 1 MW too much costs 3 times as much as selling 1 MW too little",
        datasets.load_power_plant_predictions,
        {"truth": ["output"], "under_cost": "1", "over_cost": "3"},
    ),
    "cutoff": Story(
        "strong-enough",
        "Is this concrete strong enough for the building?",
        "a building needs anything from 20 to 60 MPa, and a wrong yes costs 5 times as much as a "
        "wrong no",
        datasets.load_concrete_predictions,
        {
            **STRENGTH,
            "arm": "cutoff",
            "distribution": "uniform(20, 60)",
            "false_positive_cost": "5",
            "false_negative_cost": "1",
        },
    ),
    "ordinal": Story(
        "wine",
        "Which grade will this wine get?",
        "an error costs 4 for a wine of grade 4, 2 for grade 5 and 1 for the others, times the "
        "number of grades it is off",
        datasets.load_wine_predictions,
        {"truth": ["grade"], "clusters": "wine", "costs": "4,2,1,1,1"},
    ),
    "probability": Story(
        "thyroid",
        "Which patients should see a specialist?",
        "missing an ill patient costs 20 times as much as a visit of a healthy one",
        datasets.load_thyroid_predictions,
        {
            "truth": ["ill"],
            "clusters": "patient",
            "false_positive_cost": "1",
            "false_negative_cost": "20",
        },
    ),
    "impact": Story(
        "bank",
        "Which clients should the bank call?",
        "a call costs 3 euros",
        datasets.load_bank_predictions,
        {
            "truth": ["income"],
            "utility": "value-minus-cutoff",
            "theta": "3",
            "capacity": "1000",
        },
    ),
}
"""One question per arm."""


def run_demo(arm: str | None, folder: Path) -> None:
    """Answer the first question, that of an arm, or all of them."""
    if arm is None:
        tell("regression", FIRST, folder)
    elif arm == "all":
        tell("regression", FIRST, folder)
        for name, story in STORIES.items():
            tell(name, story, folder)
    elif arm in STORIES:
        tell(arm, STORIES[arm], folder)
    else:
        raise InputError(
            f"There is no example called {arm!r}. Choose one of {', '.join(STORIES)}, or all."
        )


def tell(arm: str, story: Story, folder: Path) -> None:
    """Write the example's file, print the question and its command, and run that."""
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
        "title": story.question,
        "unit": example.unit,
    }
    with printing() as console:
        console.print(f"\n{arm}: {story.question}\n", style="bold", markup=False)
        console.print(f"{example.story}\n", markup=False)
        console.print(f"Data: {example.source}. Assumed: {story.assumed}.\n", markup=False)
        console.print(f"$ {command([str(file)], said)}\n", style="cyan", markup=False)
    run_compare(Request.of("compare", [str(file)], said))

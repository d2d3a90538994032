"""Which forecast, and how many loaves more or less? The main job on the bundled example.

Run ``scripts/demo``, or this file with an output folder.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt

import roctopus as rt
from roctopus.core.files import replacing
from roctopus.datasets import load_bakery
from roctopus.display import AsymmetryCostDisplay, RROCDisplay

SHOWN_BELOW = 0.02
"""Regions narrower than this are counted, not listed."""


def main(folder: Path) -> None:
    """Print the answer, draw the pictures."""
    bakery = load_bakery()
    y_true, predictions = bakery.y_true, bakery.predictions
    comparison = rt.compare(y_true, predictions, arm="regression", time_ordered=True)
    decision = comparison.decide(under_cost=4, over_cost=1)
    best = comparison.envelope

    print(f"\n{bakery.story}\n")
    print(f"If a missing loaf costs four spare ones:\n  {decision}\n")
    print("Who is best where (asymmetry α = share of the cost that falls on a loaf too few):")
    wide = [region for region in best.regions if region.high - region.low >= SHOWN_BELOW]
    for low, high, model in wide:
        print(f"  α from {low:.3f} to {high:.3f}   {model}")
    narrow = len(best.regions) - len(wide)
    print(f"  ({narrow} slivers narrower than {SHOWN_BELOW} left out)")
    if best.never_best:
        print(f"  never best: {', '.join(best.never_best)}")

    print("\nWhat to do, for what a missing loaf costs against a spare one:")
    print(
        "  cost ratio   model                  shift   loss/day (95 % interval)   untuned   answer"
    )
    for ratio in (0.25, 0.5, 1, 2, 4, 9):
        print(advise(comparison, ratio))
    print(
        "\n  Losses are per day, a spare loaf costing 1, and honest: every day is judged by a\n"
        "  model and a shift chosen on the days before it.\n"
    )
    print(f"{comparison.value_of_knowing(rt.Uniform(0.5, 0.9))}\n")
    model = decision.model
    print(f"{model}: {rt.shift_decomposition(y_true, predictions[model])}")

    cost = AsymmetryCostDisplay(comparison.curves())
    draw(folder, RROCDisplay(rroc_curves(y_true, predictions)), cost)
    decision.to_json(folder / "decision.json")
    print(f"The decision, to review and load: {folder / 'decision.json'}")


def advise(comparison, ratio) -> str:
    """Return one line of advice for a cost ratio."""
    decision = comparison.decide(under_cost=ratio, over_cost=1.0)
    interval = f"{decision.value:6.2f} ({decision.low:.2f} to {decision.high:.2f})"
    return (
        f"  {ratio:>6g} : 1   {decision.model:<21} {decision.knob[0]:+6.0f}   {interval:<24}   "
        f"{decision.untuned_value:7.2f}   {decision.answer}"
    )


def rroc_curves(y_true, predictions):
    """Return every model's RROC curve."""
    return {name: rt.rroc_curve(y_true, p) for name, p in predictions.items()}


def draw(folder: Path, rroc: RROCDisplay, cost: AsymmetryCostDisplay) -> None:
    """Draw both pictures, each alone and side by side."""
    folder.mkdir(parents=True, exist_ok=True)
    options = {
        rroc: {"hull": True, "title": "RROC space: the line of equal loss touches the best model"},
        cost: {"title": "Loss over asymmetry, and who is best where"},
    }
    for name, display in (("rroc", rroc), ("cost", cost)):
        save(display.plot(asymmetry=0.8, **options[display]).figure_, folder / f"{name}.png")
    both, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    for ax, display in zip(axes, (rroc, cost), strict=True):
        display.plot(ax=ax, asymmetry=0.8, **options[display])
    save(both, folder / "both.png")
    print(f"\nPictures in {folder}: rroc.png, cost.png, both.png")


def save(figure, path: Path) -> None:
    """Save a picture whole or not at all."""
    with replacing(path) as temporary:
        figure.savefig(temporary, dpi=100)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "demo-output"))

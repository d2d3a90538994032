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
    curves = {name: rt.asymmetry_cost_curve(y_true, p) for name, p in predictions.items()}
    best = rt.envelope(curves)

    print(f"\n{bakery.story}\n")
    print("Who is best where (asymmetry α = share of the cost that falls on a loaf too few):")
    wide = [region for region in best.regions if region.high - region.low >= SHOWN_BELOW]
    for low, high, model in wide:
        print(f"  α from {low:.3f} to {high:.3f}   {model}")
    narrow = len(best.regions) - len(wide)
    print(f"  ({narrow} slivers narrower than {SHOWN_BELOW} left out)")
    if best.never_best:
        print(f"  never best: {', '.join(best.never_best)}")

    print("\nWhat to do, for what a missing loaf costs against a spare one:")
    print("  cost ratio      α   model                  shift   loss/day   unshifted   runner-up")
    for ratio in (0.25, 0.5, 1, 2, 4, 9):
        print(advise(best, y_true, predictions, ratio))
    print(
        "\n  Losses are per day, a spare loaf costing 1. The shift was chosen on the year that\n"
        "  scores it. 'undecided': a paired test at 5 % cannot tell the two models apart.\n"
    )
    chosen = best.best_at(0.8)
    print(f"{chosen}: {rt.shift_decomposition(y_true, predictions[chosen])}")

    draw(folder, RROCDisplay(rroc_curves(y_true, predictions)), AsymmetryCostDisplay(curves))


def advise(best, y_true, predictions, ratio) -> str:
    """Return one line of advice for a cost ratio."""
    costs = {"under_cost": ratio, "over_cost": 1.0}
    alpha = rt.LinLin(**costs).asymmetry
    losses = {
        name: rt.estimate(rt.optimal_shift_error, y_true, p, **costs)
        for name, p in predictions.items()
    }
    model, second = sorted(losses, key=lambda name: losses[name].value)[:2]
    assert model == best.best_at(alpha)
    shift = rt.optimal_shift(y_true, predictions[model], **costs).chosen
    unshifted = rt.asymmetric_absolute_error(y_true, predictions[model], **costs)
    pvalue = (losses[second] - losses[model]).pvalue
    verdict = f"{second} (p = {pvalue:.2f}{', undecided' if pvalue > 0.05 else ''})"
    return (
        f"  {ratio:>6g} : 1   {alpha:.3f}   {model:<21} {shift:+6.0f}   "
        f"{losses[model].value:8.2f}   {unshifted:9.2f}   {verdict}"
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

"""Which shift rule wins where? Figure 13 of the RROC paper on data of your own.

Usage: python examples/shift_rules.py DATA.csv [FOLDER]

DATA.csv has a header and its numeric target in the last column. A forest learns from one half by
cross-validation, the rules are fitted on its out-of-fold predictions, and the other half judges.
"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import KFold, cross_val_predict, train_test_split

import roctopus as rt
from roctopus import regression as arm
from roctopus.core.files import replacing
from roctopus.display import AsymmetryCostDisplay, RROCDisplay

GRID = np.arange(2, 99) / 100


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return features (nominal ones as indicators) and target."""
    table = pd.read_csv(path).dropna()
    X = pd.get_dummies(table.iloc[:, :-1]).to_numpy(float)
    return X, table.iloc[:, -1].to_numpy(float)


def main(path: Path, folder: Path) -> None:
    """Fit, compare, draw."""
    X, y = read(path)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    forest = RandomForestRegressor(200, min_samples_leaf=3, random_state=0, n_jobs=2)
    folds = KFold(5, shuffle=True, random_state=0)
    out_of_fold = cross_val_predict(forest, X_train, y_train, cv=folds)
    forest.fit(X_train, y_train)
    p = forest.predict(X_test)
    trees = np.column_stack([tree.predict(X_test) for tree in forest.estimators_])
    rules = {
        "none": (rt.NoShift(), {}),
        "CoSh": (rt.ConstantShift(), {}),
        "PoSh, degree 1": (rt.PolynomialShift(1), {}),
        "PoSh, degree 3": (rt.PolynomialShift(3), {}),
        "normal, residual spread": (arm.NormalShift("residual"), {}),
        "normal, neighbours": (arm.NormalShift("neighbours"), {}),
        "normal, bins": (arm.NormalShift("bins"), {}),
        "trees as ensemble": (arm.EnsembleShift(), {"members": trees}),
    }
    curves, paths = {}, {}
    for name, (rule, soft) in rules.items():
        rule.fit(y_train, out_of_fold)
        curve = arm.feasible_cost_curve(
            rule, y_test, p, asymmetries=None if name in ("none", "CoSh") else GRID, **soft
        )
        curves[name] = curve.restrict(GRID[0], GRID[-1])
        paths[name] = arm.feasible_rroc_path(rule, y_test, p, asymmetries=GRID, **soft)
    optimal = rt.asymmetry_cost_curve(y_test, p).restrict(GRID[0], GRID[-1])

    best = rt.envelope(curves)
    print(f"{path.name}: {len(y_train)} cases to learn from, {len(y_test)} to judge\n")
    print("Mean loss over asymmetries from 0.02 to 0.98:")
    width = GRID[-1] - GRID[0]
    for name in sorted(curves, key=lambda name: curves[name].area()):
        print(f"  {name:<24} {curves[name].area() / width:10.4f}")
    print(f"  {'(best constant in hindsight)':<24} {optimal.area() / width:6.4f}\n")
    share: dict[str, float] = {}
    for low, high, name in best.regions:
        share[name] = share.get(name, 0.0) + (high - low) / width
    print("Share of asymmetries at which each rule is best:")
    for name in sorted(share, key=lambda name: -share[name]):
        print(f"  {name:<24} {share[name]:6.1%}")
    print(f"  never best: {', '.join(best.never_best) or 'none'}")
    wide = [region for region in best.regions if region.high - region.low > 0.04]
    print("Regions wider than 0.04:")
    for low, high, name in wide:
        print(f"  α from {low:.3f} to {high:.3f}   {name}")

    folder.mkdir(parents=True, exist_ok=True)
    stem = path.stem
    cost = AsymmetryCostDisplay(curves).plot(title=f"{stem}: rules fitted elsewhere")
    rroc = RROCDisplay({"optimal constant": rt.rroc_curve(y_test, p, normalize=True)})
    chosen = {name: paths[name] for name in ("CoSh", "PoSh, degree 3", "trees as ensemble")}
    rroc.plot(paths=chosen, title=f"{stem}: what rules reach")
    for name, display in (("cost", cost), ("rroc", rroc)):
        with replacing(folder / f"{stem}-{name}.png") as temporary:
            display.figure_.savefig(temporary, dpi=110)
    print(f"\nPictures in {folder}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else "figures"))
